import { decodeLink, isLink, ShareError } from '../../share/link.ts';
import { playbackStore, setSpeed } from '../store/playback.ts';
import { keep, readKept } from '../store/persist.ts';
import { firstExample, openExample, openScenario } from '../store/scenario.ts';
import { setView } from '../store/view.ts';
import { setLinkError } from '../store/link-error.ts';

const reducedMotion = () => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Opens what the address names: a link, an example (?example=03-crash-loop), or the first example, which plays by itself. */
export async function openFromAddress(): Promise<void> {
  window.addEventListener('hashchange', () => {
    if (isLink(location.hash)) void openFromAddress();
  });
  const query = new URLSearchParams(location.search);
  const language = query.get('lang');
  if (language === 'en' || language === 'zh') setView({ language });
  const theme = query.get('theme');
  if (theme === 'dark' || theme === 'light') setView({ theme });
  if (isLink(location.hash)) {
    try {
      return await openLink(location.hash);
    } catch (error) {
      setLinkError(error instanceof ShareError ? error : new ShareError('damaged', String(error)));
    }
  }
  const broken = isLink(location.hash);
  const example = query.get('example') ?? readKept<string>('example') ?? firstExample;
  const at = Number(query.get('t'));
  const plays = query.get('autoplay') !== '0' && !reducedMotion() && !query.has('t') && !broken;
  await openExample(example, { playing: plays, ...(query.has('t') && Number.isFinite(at) ? { cursor: Math.round(at * 1000) } : {}) });
}

async function openLink(hash: string): Promise<void> {
  const { scenario, seed, inputs, cursor, view } = decodeLink(hash);
  const { language, theme, lane, speed, example } = view;
  setView({ ...(language === undefined ? {} : { language }), ...(theme === undefined ? {} : { theme }) });
  if (speed !== undefined) setSpeed(speed);
  await openScenario(scenario, { seed, inputs, cursor, ...(example === undefined ? {} : { example }), ...(lane === undefined ? {} : { select: lane }) });
  playbackStore.setState({ playing: false });
}

export function rememberExample(id: string): void {
  keep('example', id);
}
