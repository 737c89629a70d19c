import { describe, expect, it } from 'vitest';
import { applyFix, checkPaste } from './paste.ts';
import { parseYaml } from './yaml.ts';

function repaired(text: string): string {
  let result = text;
  for (let round = 0; round < 50; round += 1) {
    const fix = checkPaste(result)[0]?.fix;
    if (fix === undefined) return result;
    result = applyFix(result, fix);
  }
  return result;
}

describe('manifests from web pages', () => {
  it.each([
    ['a full-width colon after a key', 'spec:\n  lifecycle：\n    x: 1\n', 2, 12, /full-width colon ： \(U\+FF1A\)/],
    ['a full-width colon without a space', 'apiVersion：v1\n', 1, 11, /full-width colon/],
    ['curly quotes', 'command: [“sh”, x]\n', 1, 11, /left curly quote “ .* right curly quote ”/],
    ['a full-width comma', 'command: ["sh"，"-c"]\n', 1, 15, /full-width comma/],
    ['other brackets', 'command: 【"sh"]\n', 1, 10, /left black lenticular bracket/],
    ['a full-width dash', 'items:\n－ name: a\n', 2, 1, /full-width hyphen/],
    ['a dash without a space', 'items:\n-name: a\n', 2, 1, /a dash and a space/],
    ['a full-width number sign', 'a: 1\n＃ note\n', 2, 1, /full-width number sign/],
    ['a tab in the indentation', 'metadata:\n\tname: a\n', 2, 1, /tab \(U\+0009\)/],
    ['a no-break space in the indentation', 'metadata:\n\u00a0 name: a\n', 2, 1, /no-break space \(U\+00A0\)/],
    ['a no-break space after a value', 'name: a\u00a0\n', 1, 8, /no-break space/],
    ['a zero-width space in a key', 'image\u200b: x\n', 1, 6, /zero-width space \(U\+200B\)/],
    ['a stray exclamation mark', 'image: nginx !\n', 1, 13, /Exclamation mark/],
    ['a shell prompt', '$ kubectl apply -f pod.yaml\na: 1\n', 1, 1, /shell command/],
    ['a code fence', '```yaml\na: 1\n```\n', 1, 1, /code fence/],
  ])('%s is an error at its character', (_, text, line, column, message) => {
    const [problem] = checkPaste(text);
    expect(problem).toMatchObject({ severity: 'error', source: 'kubelapse', line, column });
    expect(problem?.message).toMatch(message);
    expect(checkPaste(repaired(text))).toEqual([]);
    expect(() => parseYaml(repaired(text))).not.toThrow();
  });

  it('only remarks what the cluster accepts', () => {
    expect(checkPaste('metadata :\n  name: a（b）\n  image: nginx!\n').map(({ severity, line, column }) => [severity, line, column])).toEqual([['info', 1, 9], ['warning', 2, 10], ['warning', 2, 12], ['warning', 3, 15]]);
  });

  it('repairs a whole command', () => {
    expect(repaired('command: [“sh”，‘-c’，“echo ‘hi’”]\n')).toBe('command: ["sh",\'-c\',"echo ‘hi’"]\n');
  });

  it('indents all lines with tabs at once, as deep as their neighbours', () => {
    expect(repaired('spec:\n\tcontainers:\n\t- name: c\n\t\timage: x\n\trestartPolicy: Never\n')).toBe('spec:\n  containers:\n  - name: c\n    image: x\n  restartPolicy: Never\n');
    expect(repaired('spec:\n  containers:\n  - name: c\n\timage: x\n')).toBe('spec:\n  containers:\n  - name: c\n    image: x\n');
  });

  it.each([
    ['quoted strings', 'a: "x：y，“z” !"\nb: \'：\u00a0，\'\n'],
    ['comments', '# 注释：“中文”，！\na: 1 # －\n'],
    ['block scalars', 'c: |\n  $ kubectl get pods\n  echo “hi”，\n\n  \tx！\nd: 1\n'],
    ['prose', 'd: 中文：说明，好！\ne: it’s “fine” here\nf: hello world!\ng: a–b\n'],
    ['tabs where YAML allows them', 'a:\tb\nc: [\n\t1,\n\t2]\n'],
    ['tags and anchors', 'a: &x !!str 1\nb: !custom y\n'],
    ['a byte order mark at the beginning', '\uFEFFa: 1\n'],
  ])('%s are left alone', (_, text) => {
    expect(checkPaste(text)).toEqual([]);
  });
});
