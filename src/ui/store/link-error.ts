import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ShareError } from '../../share/state.ts';

/** Why the link in the address could not be opened. */
const linkErrorStore = createStore<{ error: ShareError | undefined }>()(() => ({ error: undefined }));

export const setLinkError = (error: ShareError | undefined): void => linkErrorStore.setState({ error });
export const useLinkError = (): ShareError | undefined => useStore(linkErrorStore, (state) => state.error);
