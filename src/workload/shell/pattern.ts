/** Shell patterns: * ? [...]; a backslash makes the next character plain. POSIX.1-2017 XCU 2.13. */

const cache = new Map<string, RegExp>();

const classes: Readonly<Record<string, string>> = { digit: '0-9', alpha: 'A-Za-z', alnum: 'A-Za-z0-9', space: '\\s', upper: 'A-Z', lower: 'a-z', punct: '!-\\/:-@\\[-`{-~', xdigit: '0-9A-Fa-f', blank: ' \\t' };

/** POSIX character classes inside brackets, as a JavaScript expression knows them. */
export const expandClasses = (text: string): string => text.replace(/\[:(\w+):\]/g, (whole, name: string) => classes[name] ?? whole);

export const escapePattern = (text: string): string => text.replace(/[*?[\]\\]/g, '\\$&');
export const isPattern = (text: string): boolean => /(^|[^\\])(\\\\)*[*?[]/.test(text);
const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function translate(pattern: string): string {
  let result = '';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern.charAt(i);
    const bracket = c === '[' ? /^\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]/.exec(pattern.slice(i))?.[0] : undefined;
    if (c === '\\') result += plain(pattern.charAt(++i));
    else if (c === '*') result += '.*';
    else if (c === '?') result += '.';
    else if (bracket !== undefined) {
      const negated = /^\[[!^]/.test(bracket);
      result += `[${negated ? '^' : ''}${expandClasses(bracket.slice(negated ? 2 : 1, -1)).replace(/\\(?![sdt[\]\\/])|^\]/g, '\\$&')}]`;
      i += bracket.length - 1;
    } else result += plain(c);
  }
  return result;
}

function expression(pattern: string): RegExp {
  let found = cache.get(pattern);
  if (found === undefined) {
    try {
      found = new RegExp(`^(?:${translate(pattern)})$`, 's');
    } catch {
      found = new RegExp(`^${plain(pattern)}$`);
    }
    if (cache.size > 500) cache.clear();
    cache.set(pattern, found);
  }
  return found;
}

export const matches = (text: string, pattern: string): boolean => expression(pattern).test(text);

/** ${v#p} ${v##p} ${v%p} ${v%%p} */
export function trim(text: string, op: string, pattern: string): string {
  const fromEnd = op.startsWith('%');
  const longest = op.length === 2;
  for (let n = 0; n <= text.length; n++) {
    const length = longest ? text.length - n : n;
    const piece = fromEnd ? text.slice(text.length - length) : text.slice(0, length);
    if (matches(piece, pattern)) return fromEnd ? text.slice(0, text.length - length) : text.slice(length);
  }
  return text;
}

/** ${v/p/r} and ${v//p/r}; p may be tied to the start (#) or the end (%). */
export function substitute(text: string, all: boolean, pattern: string, replacement: string): string {
  const anchor = /^[#%]/.exec(pattern)?.[0];
  const body = translate(anchor === undefined ? pattern : pattern.slice(1));
  if (body === '') return text;
  return text.replace(new RegExp(`${anchor === '#' ? '^' : ''}(?:${body})${anchor === '%' ? '$' : ''}`, all ? 'gs' : 's'), () => replacement);
}
