// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../worker/protocol.ts';
import { sampleFilm } from '../model/testing/sample.ts';
import { Editor } from '../panels/editor/panel.tsx';
import { Inspector } from '../panels/inspector/panel.tsx';
import { Transport } from '../panels/transport/panel.tsx';
import { editorStore, openFiles } from '../store/editor.ts';
import { putEngine } from '../store/engine-client.ts';
import { playbackStore, seek } from '../store/playback.ts';
import { selectPod } from '../store/selection.ts';
import { openSource, sessionStore } from '../store/session.ts';
import { FakeEngine } from '../store/testing/fake-engine.ts';
import { setView } from '../store/view.ts';

const problem: Problem = { severity: 'error', source: 'apiserver', message: 'unknown field "spec.imag"', line: 2, column: 1, endLine: 2, endColumn: 5, fix: { title: 'image', line: 2, column: 1, endLine: 2, endColumn: 5, text: 'image' } };
const engine = new FakeEngine(sampleFilm(), {
  check: ({ text }) => ({ problems: text.includes('imag:') ? [problem] : [] }),
  why: () => ({ chain: [{ at: 100_200, actor: 'kubelet/node-1', fact: 'probe-crossed', values: { probe: 'readiness', outcome: 'failure', run: 3, threshold: 3 } }] }),
  changes: () => ({ at: [] }),
});
putEngine(engine);

beforeEach(() => {
  localStorage.clear();
  document.documentElement.dataset.plainEditor = 'true';
  setView({ language: 'en', theme: 'dark', inspector: 'status' });
  openSource({ scenario: 'title: x', seed: 7, inputs: [] }, { select: 'pod/web-1', cursor: 101_300 });
});
afterEach(cleanup);

describe('the inspector', () => {
  it('says the state at the playhead in a headline, and why', async () => {
    render(<Inspector />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Running, NotReady');
    expect(screen.getByText('phase Running, 1/2 ready, 0 restarts, node-1')).toBeTruthy();
    expect((await screen.findByText('Readiness probe failed 3 of 3')).closest('li')).toBeTruthy();
    act(() => seek(60_000));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Running, Ready');
    act(() => setView({ language: 'zh' }));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('运行中·就绪');
  });

  it('follows the selection', () => {
    render(<Inspector />);
    act(() => selectPod('cart-0'));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('CrashLoopBackOff');
    act(() => selectPod(undefined));
    expect(screen.getByText('Nothing selected')).toBeTruthy();
  });

  it('lists conditions with the time of their last change', () => {
    render(<Inspector />);
    const row = screen.getByText('Ready', { selector: 'span' }).closest('tr') as HTMLElement;
    expect(within(row).getByText('False')).toBeTruthy();
    expect(within(row).getByText('01:40.3')).toBeTruthy();
  });
});

describe('the transport', () => {
  it('steps to moments and back, and stops playing when it steps', () => {
    render(<Transport />);
    fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    expect(playbackStore.getState().playing).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Step forward' }));
    const { cursor, playing } = playbackStore.getState();
    expect([cursor > 101_300, playing]).toEqual([true, false]);
    fireEvent.click(screen.getByRole('button', { name: 'Step back' }));
    expect(playbackStore.getState().cursor).toBeLessThan(cursor);
    fireEvent.click(screen.getByRole('button', { name: 'To the start' }));
    expect(screen.getByText('00:00.0')).toBeTruthy();
  });
});

describe('the editor', () => {
  it('shows what the API server would refuse, repairs it with a click, and keeps what was typed', async () => {
    openFiles('x', [{ name: 'web.yaml', text: 'spec:\nimage: a\n' }]);
    render(<Editor />);
    const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Manifest web.yaml' });
    fireEvent.change(area, { target: { value: 'spec:\nimag: a\n' } });
    expect(await screen.findByText('unknown field "spec.imag"')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Fix: image' }));
    expect(area.value).toBe('spec:\nimage: a\n');
    await waitFor(() => expect(screen.queryByText('unknown field "spec.imag"')).toBeNull());
    fireEvent.change(area, { target: { value: 'kept: true\n' } });
    await waitFor(() => expect(localStorage.getItem('kubelapse.drafts')).toContain('kept: true'), { timeout: 2000 });
    act(() => openFiles('x', [{ name: 'web.yaml', text: 'spec:\nimage: a\n' }]));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Manifest web.yaml' }).value).toBe('kept: true\n');
    fireEvent.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Manifest web.yaml' }).value).toBe('spec:\nimage: a\n');
  });

  it('gives the text to the API server at the playhead, and says what kubectl printed', async () => {
    openFiles('y', [{ name: 'web.yaml', text: 'kind: Pod\n' }]);
    render(<Editor />);
    fireEvent.change(screen.getByRole('textbox', { name: 'Manifest web.yaml' }), { target: { value: 'kind: Pod # changed\n' } });
    fireEvent.click(screen.getByRole('button', { name: /Apply/ }));
    const sent = engine.posted.at(-1);
    expect(sent).toMatchObject({ type: 'input', input: { at: 101_300, kind: 'apply', text: 'kind: Pod # changed\n', name: 'web.yaml' } });
    act(() => engine.send({ type: 'input-result', id: (sent as { id: number }).id, branch: 0, stdout: 'pod/web configured\n', stderr: '', exit: 0 }));
    expect(await screen.findByText('pod/web configured')).toBeTruthy();
    expect(editorStore.getState().files[0]?.applied).toBe('kind: Pod # changed\n');
    expect(sessionStore.getState().result?.branch).toBeUndefined();
  });
});
