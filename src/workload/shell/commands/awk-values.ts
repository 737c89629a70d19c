export type AwkValue = string | number;

/** What a program works on while it runs, all within one step. */
export interface AwkRun {
  variables: Record<string, AwkValue>;
  arrays: Record<string, Record<string, AwkValue>>;
  fields: string[];
  line: string;
  /** Loops end when it is used up. */
  budget: number;
  ended?: number;
  skip?: boolean;
  print(text: string): void;
  setLine(line: string): void;
}

export interface AwkRule {
  when: 'BEGIN' | 'END' | '';
  test?: () => boolean;
  body: () => void;
}

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let rest = text; ; ) {
    rest = rest.replace(/^([ \t\r]|\\\n|#.*)+/, '');
    if (rest === '') return tokens;
    const operand = /^([({,;!~&|\n}]|&&|\|\||!~)$/.test(tokens.at(-1) ?? '(');
    const found = (operand ? /^\/(?:[^/\\\n]|\\.)+\//.exec(rest) : null) ?? /^("(?:[^"\\]|\\.)*"|\d+\.?\d*|\.\d+|[A-Za-z_]\w*|&&|\|\||[-+*/%<>=!]=|!~|\+\+|--|>>|[\s\S])/.exec(rest);
    const token = found?.[0] ?? '';
    tokens.push(token);
    rest = rest.slice(token.length);
  }
}

export const levels: Readonly<Record<string, number>> = { '||': 1, '&&': 2, in: 3, '~': 4, '!~': 4, '<': 5, '<=': 5, '==': 5, '!=': 5, '>': 5, '>=': 5, ' ': 6, '+': 7, '-': 7, '*': 8, '/': 8, '%': 8 };

export const text = (value: AwkValue): string => (typeof value === 'string' ? value : Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6))));
export const number = (value: AwkValue): number => (typeof value === 'number' ? value : parseFloat(value) || 0);
const numeric = (value: AwkValue): boolean => typeof value === 'number' || /^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(value);
export const truth = (value: AwkValue): boolean => (numeric(value) ? number(value) !== 0 : value !== '');

export function compute(operator: string, a: AwkValue, b: AwkValue): AwkValue {
  const [x, y] = [number(a), number(b)];
  switch (operator) {
    case ' ': return text(a) + text(b);
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    case '%': return x % y;
  }
  const [p, q] = numeric(a) && numeric(b) ? [x, y] : [text(a), text(b)];
  return Number({ '==': p === q, '!=': p !== q, '<': p < q, '<=': p <= q, '>': p > q, '>=': p >= q }[operator] ?? false);
}
