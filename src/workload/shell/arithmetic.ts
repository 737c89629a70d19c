/** Shell arithmetic: $((...)). POSIX.1-2017 XCU 2.6.4; whole numbers. Simplified: 53 bits. */

export interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

const tokens = /\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<=|>>=|\*\*|\+\+|--|&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%&|^]=|[-+*/%&|^~!<>=?:(),])/y;

const levels: Readonly<Record<string, number>> = { '||': 1, '&&': 2, '|': 3, '^': 4, '&': 5, '==': 6, '!=': 6, '<': 7, '>': 7, '<=': 7, '>=': 7, '<<': 8, '>>': 8, '+': 9, '-': 9, '*': 10, '/': 10, '%': 10, '**': 11 };

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  '|': (a, b) => a | b, '^': (a, b) => a ^ b, '&': (a, b) => a & b,
  '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b),
  '<': (a, b) => Number(a < b), '>': (a, b) => Number(a > b), '<=': (a, b) => Number(a <= b), '>=': (a, b) => Number(a >= b),
  '<<': (a, b) => a << b, '>>': (a, b) => a >> b, '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b,
  '||': (a, b) => Number(a !== 0 || b !== 0), '&&': (a, b) => Number(a !== 0 && b !== 0),
  '**': (a, b) => {
    let result = 1;
    for (let i = 0; i < b && i < 64; i++) result *= a;
    return result;
  },
};

/** The value, or an error text as ash prints it. */
export function evaluate(text: string, variables: Variables): number | string {
  const list: string[] = [];
  for (tokens.lastIndex = 0; ; ) {
    const before = tokens.lastIndex;
    const token = tokens.exec(text)?.[1];
    if (token === undefined) {
      if (text.slice(before).trim() !== '') return 'arithmetic syntax error';
      break;
    }
    list.push(token);
  }
  if (list.length === 0) return 0;
  const reader = new Reader(list, variables);
  const value = reader.comma(true);
  if (reader.problem === undefined && reader.at < list.length) return 'arithmetic syntax error';
  return reader.problem ?? value + 0;
}

/** A short-lived precedence climber; `live` false: parse only (the other arm of ?:, && and ||). */
class Reader {
  at = 0;
  problem: string | undefined;
  private readonly list: readonly string[];
  private readonly variables: Variables;
  constructor(list: readonly string[], variables: Variables) {
    this.list = list;
    this.variables = variables;
  }

  comma(live: boolean): number {
    let value = this.assignment(live);
    while (this.take(',')) value = this.assignment(live);
    return value;
  }

  private take(token: string): boolean {
    if (this.list[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private fail(text = 'arithmetic syntax error'): number {
    this.problem ??= text;
    return 0;
  }

  private value(name: string, depth = 0): number {
    const text = (this.variables.get(name) ?? '').trim();
    if (text === '') return 0;
    const number = parseNumber(text);
    if (number !== undefined) return number;
    if (/^[A-Za-z_]\w*$/.test(text) && depth < 8) return this.value(text, depth + 1);
    const nested = evaluate(text, this.variables);
    return typeof nested === 'number' ? nested : this.fail(nested);
  }

  private assignment(live: boolean): number {
    const name = this.list[this.at] ?? '';
    const operator = this.list[this.at + 1] ?? '';
    if (/^[A-Za-z_]/.test(name) && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(operator)) {
      this.at += 2;
      const right = this.assignment(live);
      const value = operator === '=' ? right : this.apply(operator.slice(0, -1), this.value(name), right, live);
      if (live && this.problem === undefined) this.variables.set(name, String(value));
      return value;
    }
    const condition = this.binary(1, live);
    if (!this.take('?')) return condition;
    const yes = this.comma(live && condition !== 0);
    if (!this.take(':')) return this.fail();
    const no = this.assignment(live && condition === 0);
    return condition !== 0 ? yes : no;
  }

  private apply(operator: string, a: number, b: number, live: boolean): number {
    if (operator === '/' || operator === '%') {
      if (b === 0) return live ? this.fail('divide by zero') : 0;
      return operator === '/' ? Math.trunc(a / b) : a % b;
    }
    return operations[operator]?.(a, b) ?? this.fail();
  }

  private binary(level: number, live: boolean): number {
    let left = this.unary(live);
    for (;;) {
      const operator = this.list[this.at] ?? '';
      const own = levels[operator];
      if (own === undefined || own < level) return left;
      this.at++;
      const skip = (operator === '&&' && left === 0) || (operator === '||' && left !== 0);
      left = this.apply(operator, left, this.binary(own + 1, live && !skip), live && !skip);
    }
  }

  private unary(live: boolean): number {
    if (this.take('-')) return -this.unary(live);
    if (this.take('+')) return this.unary(live);
    if (this.take('!')) return Number(this.unary(live) === 0);
    if (this.take('~')) return ~this.unary(live);
    for (const [operator, by] of [['++', 1], ['--', -1]] as const) {
      if (this.take(operator)) return this.step(this.list[this.at++] ?? '', by, live) + by;
    }
    return this.primary(live);
  }

  private step(name: string, by: number, live: boolean): number {
    const value = this.value(name);
    if (live) this.variables.set(name, String(value + by));
    return value;
  }

  private primary(live: boolean): number {
    const token = this.list[this.at++] ?? '';
    if (token === '(') {
      const value = this.comma(live);
      return this.take(')') ? value : this.fail();
    }
    if (/^\d/.test(token)) return parseNumber(token) ?? this.fail();
    if (!/^[A-Za-z_]/.test(token)) return this.fail();
    if (this.take('++')) return this.step(token, 1, live);
    if (this.take('--')) return this.step(token, -1, live);
    return this.value(token);
  }
}

function parseNumber(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '');
  if (/^0[xX][0-9a-fA-F]+$/.test(digits)) return sign * parseInt(digits.slice(2), 16);
  if (/^0[0-7]+$/.test(digits)) return sign * parseInt(digits, 8);
  return /^\d+$/.test(digits) ? sign * Number(digits) : undefined;
}
