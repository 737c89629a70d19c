import { describe, expect, it } from 'vitest';
import { lastWords, parseShell } from './shell-words.ts';

const words = (text: string) => {
  const parsed = parseShell(text);
  return parsed.status === 'complete' ? parsed.steps.map((step) => step.pipeline.map((command) => command.words)) : parsed.status;
};
const only = (text: string) => {
  const parsed = parseShell(text);
  return parsed.status === 'complete' ? parsed.steps[0]?.pipeline[0] : parsed;
};

describe('what is typed', () => {
  it('is split into words, with quotes and backslashes', () => {
    expect(words(`kubectl get pods -o jsonpath='{.items[*].metadata.name}' "a b"c d\\ e`)).toEqual([[['kubectl', 'get', 'pods', '-o', 'jsonpath={.items[*].metadata.name}', 'a bc', 'd e']]]);
    expect(only("get -l 'a=b'")).toMatchObject({ raws: ['get', '-l', "'a=b'"] });
  });

  it('is split into commands', () => {
    expect(words('a | b; c && d || e # f')).toEqual([[['a'], ['b']], [['c']], [['d']], [['e']]]);
    expect(parseShell('a; b && c || d')).toMatchObject({ steps: [{ when: 'always' }, { when: 'always' }, { when: 'success' }, { when: 'failure' }] });
    expect(words('a\n\nb\n')).toEqual([[['a']], [['b']]]);
    expect(words('')).toEqual([]);
  });

  it('goes on over several lines', () => {
    for (const text of ['get "a', "get 'a", 'get \\', 'a |', 'a &&', 'a <<EOF', 'a <<EOF\nb', 'a <<EOF\nb\n']) expect(words(text), text).toBe('incomplete');
    expect(words('get \\\n pods')).toEqual([[['get', 'pods']]]);
  });

  it('has here-documents', () => {
    expect(only('kubectl apply -f - <<EOF\na: 1\n  b: 2\nEOF')).toEqual({ words: ['kubectl', 'apply', '-f', '-'], raws: ['kubectl', 'apply', '-f', '-'], stdin: 'a: 1\n  b: 2\n' });
    expect(only("cat <<'EOF' > x.yaml\n$a\nEOF\n")).toMatchObject({ words: ['cat'], stdin: '$a\n', to: { file: 'x.yaml', append: false } });
    expect(words('cat <<EOF | kubectl apply -f -\na\nEOF\nget pods')).toEqual([[['cat'], ['kubectl', 'apply', '-f', '-']], [['get', 'pods']]]);
  });

  it('has redirections', () => {
    expect(only('a > b 2>&1')).toMatchObject({ words: ['a'], to: { file: 'b', append: false }, errors: 'out' });
    expect(only('a 2>/dev/null >>b')).toMatchObject({ to: { file: 'b', append: true }, errors: { file: '/dev/null' } });
    expect(only('a < b')).toMatchObject({ from: 'b' });
  });

  it('is refused where the shell would do what is not done here', () => {
    expect(parseShell('| a')).toEqual({ status: 'error', message: "syntax error near unexpected token `|'" });
    expect(parseShell('a >')).toMatchObject({ status: 'error' });
    expect(parseShell('delete $(get pods)')).toEqual({ status: 'error', message: 'command substitution is not available here' });
    expect(parseShell("exec web -- sh -c 'echo $(date)'")).toMatchObject({ status: 'complete' });
    expect(parseShell('a &')).toMatchObject({ status: 'error' });
  });

  it('is known up to the caret', () => {
    expect(lastWords('kubectl get po')).toEqual(['kubectl', 'get', 'po']);
    expect(lastWords('kubectl get ')).toEqual(['kubectl', 'get', '']);
    expect(lastWords('a | k get "x')).toEqual(['k', 'get', 'x']);
    expect(lastWords('')).toEqual(['']);
  });
});
