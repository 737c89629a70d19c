/** nginx configuration: words and blocks. Upstream: nginx src/core/ngx_conf_file.c */
export interface Directive {
  words: string[];
  line: number;
  block?: Directive[];
}

const cache = new Map<string, Directive[] | string>();

/** The directives of a file, or an error text as nginx words it (without file and line: they follow after a blank). */
export function parseConfig(text: string, file: string): Directive[] | string {
  const key = `${file}\n${text}`;
  let found = cache.get(key);
  if (found === undefined) {
    if (cache.size > 200) cache.clear();
    cache.set(key, (found = parse(text, file)));
  }
  return found;
}

const token = /\s+|#[^\n]*|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[{};]|(?:\\.|\$\{|[^\s{};"'\\])(?:\\.|\$\{[^}]*\}|[^\s{};\\])*/gy;

function parse(text: string, file: string): Directive[] | string {
  const stack: Directive[][] = [[]];
  let words: string[] = [];
  let line = 1;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole] = found;
    const at = line;
    line += whole.split('\n').length - 1;
    if (/^[\s#]/.test(whole)) continue;
    if (whole === ';' || whole === '{') {
      if (words.length === 0) return `unexpected "${whole}" in ${file}:${at}`;
      const directive: Directive = { words, line: at };
      stack.at(-1)?.push(directive);
      words = [];
      if (whole === '{') stack.push((directive.block = []));
    } else if (whole === '}') {
      if (words.length > 0 || stack.length === 1) return `unexpected "}" in ${file}:${at}`;
      stack.pop();
    } else words.push(found[1] ?? found[2] ?? whole);
  }
  if (words.length > 0 || stack.length > 1) return `unexpected end of file, expecting "${words.length > 0 ? ';" or "}' : '}'}" in ${file}:${line}`;
  return stack[0] ?? [];
}

export const all = (block: readonly Directive[] | undefined, name: string): Directive[] => (block ?? []).filter(({ words }) => words[0] === name);
export const one = (block: readonly Directive[] | undefined, name: string): string[] | undefined => all(block, name).at(-1)?.words;
