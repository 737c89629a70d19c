import { err, gather, getOptions, linesOf, out, type Call, type Outcome } from '../command.ts';
import { format } from './printf.ts';
import { posixRegex } from './lines.ts';

/**
 * A small awk: patterns, print, printf, if, for, while, variables, arrays, fields, the common functions.
 * Simplified: no getline, no output redirection, no user functions (said so).
 */
export function awk(call: Call): Outcome {
  const { values, rest } = getOptions(call.args, ['F', 'v', 'f']);
  const [program = '', ...names] = rest;
  const parser = new Parser(tokenize(program));
  const rules = parser.rules();
  if (rules === undefined) {
    err(call, 'kubelapse: this awk program is not simulated\n');
    return 127;
  }
  const gathered = rules.every((rule) => rule.when === 'BEGIN') ? { texts: [], failed: false } : gather(call, names);
  if (gathered === undefined) return { block: 'input' };
  const run = new Run((text) => out(call, text), values.F);
  const assigned = /^(\w+)=(.*)$/s.exec(values.v ?? '');
  if (assigned !== null) run.variables[assigned[1] as string] = assigned[2] as string;
  run.variables.ENVIRON = { ...call.proc.env };
  return run.all(rules, gathered.texts.flatMap(({ text }) => linesOf(text)));
}

type Node = [kind: string, ...parts: unknown[]];
interface Rule {
  when: 'BEGIN' | 'END' | Node | undefined;
  body: Node | undefined;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let rest = text;
  for (;;) {
    rest = rest.replace(/^([ \t\r]|\\\n|#.*)+/, '');
    if (rest === '') return tokens;
    const before = tokens.at(-1) ?? '(';
    const regex = /^[({,;!~&|\n}]$|^(&&|\|\||!~)$/.test(before) ? /^\/(?:[^/\\\n]|\\.)+\//.exec(rest) : null;
    const found = regex ?? /^("(?:[^"\\]|\\.)*"|\d+\.?\d*|\.\d+|[A-Za-z_]\w*|&&|\|\||[-+*/%<>=!]=|!~|\+\+|--|>>|[\s\S])/.exec(rest);
    const token = found?.[0] ?? rest.charAt(0);
    tokens.push(token);
    rest = rest.slice(token.length);
  }
}

const binaryLevels: Readonly<Record<string, number>> = { '||': 1, '&&': 2, in: 3, '~': 4, '!~': 4, '<': 5, '<=': 5, '==': 5, '!=': 5, '>': 5, '>=': 5, ' ': 6, '+': 7, '-': 7, '*': 8, '/': 8, '%': 8 };

/** Short-lived. `failed`: something that is not simulated. */
class Parser {
  private at = 0;
  private failed = false;
  private readonly tokens: readonly string[];
  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  rules(): Rule[] | undefined {
    const rules: Rule[] = [];
    for (this.blank(); this.at < this.tokens.length && !this.failed; this.blank()) {
      const token = this.tokens[this.at] as string;
      let when: Rule['when'];
      if (token === 'BEGIN' || token === 'END') {
        when = token;
        this.at++;
      } else if (token !== '{') when = this.expression(0);
      rules.push({ when, body: this.tokens[this.at] === '{' ? this.statement() : undefined });
    }
    return this.failed ? undefined : rules;
  }

  private blank(): void {
    while (/^[;\n]$/.test(this.tokens[this.at] ?? '')) this.at++;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) this.failed = true;
  }

  private statement(): Node {
    this.blank();
    if (this.failed || this.at >= this.tokens.length) {
      this.failed = true;
      return ['block', []];
    }
    if (this.take('{')) {
      const list: Node[] = [];
      for (this.blank(); !this.failed && !this.take('}'); this.blank()) list.push(this.statement());
      return ['block', list];
    }
    if (this.take('if')) return this.conditional('if');
    if (this.take('while')) return this.conditional('while');
    if (this.take('for')) return this.loop();
    const word = this.tokens[this.at] ?? '';
    if (word === 'print' || word === 'printf') {
      this.at++;
      const list = /^[;}\n]$/.test(this.tokens[this.at] ?? '}') ? [] : this.list(5);
      if (/^(>|>>|\|)$/.test(this.tokens[this.at] ?? '')) this.failed = true;
      return [word, list];
    }
    if (word === 'next' || word === 'exit' || word === 'delete') {
      this.at++;
      return [word, /^[;}\n]$/.test(this.tokens[this.at] ?? '}') ? undefined : this.expression(0)];
    }
    if (word === 'function' || word === 'getline') this.failed = true;
    return ['expression', this.expression(0)];
  }

  private conditional(kind: string): Node {
    this.expect('(');
    const test = this.expression(0);
    this.expect(')');
    const yes = this.statement();
    if (kind === 'while') return ['while', test, yes];
    const back = this.at;
    this.blank();
    if (this.take('else')) return ['if', test, yes, this.statement()];
    this.at = back;
    return ['if', test, yes, undefined];
  }

  private loop(): Node {
    this.expect('(');
    if (this.tokens[this.at + 1] === 'in') {
      const [name, , array] = this.tokens.slice(this.at, this.at + 3);
      this.at += 3;
      this.expect(')');
      return ['for-in', name, array, this.statement()];
    }
    const parts: (Node | undefined)[] = [];
    for (const end of [';', ';', ')']) {
      parts.push(this.tokens[this.at] === end ? undefined : this.expression(0));
      this.expect(end);
    }
    return ['for', ...parts, this.statement()];
  }

  /** `limit` 5: a '>' outside parentheses belongs to print. */
  private list(limit: number): Node[] {
    const list = [this.expression(limit)];
    while (this.take(',')) list.push(this.expression(limit));
    return list;
  }

  private expression(limit: number): Node {
    const left = this.binary(1, limit);
    const token = this.tokens[this.at] ?? '';
    if (/^[-+*/%]?=$/.test(token)) {
      this.at++;
      return ['assign', token.slice(0, -1), left, this.expression(limit)];
    }
    if (this.take('?')) {
      const yes = this.expression(limit);
      this.expect(':');
      return ['choose', left, yes, this.expression(limit)];
    }
    return left;
  }

  private binary(level: number, limit: number): Node {
    let left = this.unary();
    for (;;) {
      const token = this.tokens[this.at] ?? '';
      const joins = /^["\w$(.]/.test(token) && token !== 'in' && !/^(else|while)$/.test(token);
      const operator = joins ? ' ' : token;
      const own = binaryLevels[operator];
      if (own === undefined || own < level || (operator === '>' && limit === 5)) return left;
      if (!joins) this.at++;
      left = ['binary', operator, left, this.binary(own + 1, limit)];
    }
  }

  private unary(): Node {
    for (const operator of ['!', '-', '+']) if (this.take(operator)) return ['unary', operator, this.unary()];
    if (this.take('++')) return ['step', 1, false, this.primary()];
    if (this.take('--')) return ['step', -1, false, this.primary()];
    const value = this.primary();
    if (this.take('++')) return ['step', 1, true, value];
    return this.take('--') ? ['step', -1, true, value] : value;
  }

  private primary(): Node {
    const token = this.tokens[this.at++];
    if (token === undefined || this.failed) {
      this.failed = true;
      return ['text', ''];
    }
    if (token === '(') {
      const inner = this.expression(0);
      this.expect(')');
      return inner;
    }
    if (token === '$') return ['field', this.tokens[this.at] === '++' ? this.unary() : this.primary()];
    if (token.startsWith('"')) return ['text', token.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ({ n: '\n', t: '\t', r: '\r' })[c] ?? c)];
    if (token.length > 1 && token.startsWith('/')) return ['regex', token.slice(1, -1)];
    if (/^[\d.]/.test(token)) return ['number', Number(token)];
    if (!/^[A-Za-z_]/.test(token)) this.failed = true;
    if (this.take('(')) {
      const args = this.tokens[this.at] === ')' ? [] : this.list(0);
      this.expect(')');
      return ['call', token, args];
    }
    if (this.take('[')) {
      const keys = this.list(0);
      this.expect(']');
      return ['element', token, keys];
    }
    return ['name', token];
  }
}

type Value = string | number;

class Run {
  variables: Record<string, Value | Record<string, Value>> = { NR: 0, NF: 0, OFS: ' ', ORS: '\n', FS: ' ', RS: '\n', SUBSEP: '\x1c' };
  private fields: string[] = [];
  private line = '';
  private ended: number | undefined;
  private skip = false;
  private steps = 0;
  private readonly print: (text: string) => void;
  constructor(print: (text: string) => void, separator: string | undefined) {
    this.print = print;
    if (separator !== undefined) this.variables.FS = separator === 't' || separator === '\\t' ? '\t' : separator;
  }

  all(rules: readonly Rule[], lines: readonly string[]): number {
    const run = (kind: string) => {
      for (const { when, body } of rules) if (when === kind && this.ended === undefined && body !== undefined) this.execute(body);
    };
    run('BEGIN');
    for (const line of lines) {
      if (this.ended !== undefined) break;
      this.variables.NR = Number(this.variables.NR) + 1;
      this.setLine(line);
      this.skip = false;
      for (const { when, body } of rules) {
        if (when === 'BEGIN' || when === 'END' || this.skip || this.ended !== undefined) continue;
        if (when !== undefined && !this.truth(this.value(when))) continue;
        if (body === undefined) this.print(`${this.line}\n`);
        else this.execute(body);
      }
    }
    const status = this.ended;
    this.ended = undefined;
    run('END');
    return this.ended ?? status ?? 0;
  }

  private setLine(line: string): void {
    this.line = line;
    const separator = String(this.variables.FS);
    this.fields = separator === ' ' ? line.trim().split(/\s+/).filter((field) => field !== '') : line === '' ? [] : line.split(separator.length === 1 ? separator : (posixRegex(separator, true) ?? separator));
    this.variables.NF = this.fields.length;
  }

  private truth = (value: Value): boolean => (typeof value === 'number' ? value !== 0 : value !== '' && !(/^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) && Number(value) === 0));
  private text = (value: Value): string => (typeof value === 'string' ? value : Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6))));
  private number = (value: Value): number => (typeof value === 'number' ? value : parseFloat(value) || 0);

  private execute(node: Node): void {
    if (this.ended !== undefined || this.skip || ++this.steps > 200_000) return;
    const [kind, a, b, c, d] = node;
    const expressions = a as Node[];
    switch (kind) {
      case 'block':
        for (const inner of expressions) this.execute(inner);
        return;
      case 'print':
        this.print((expressions.length === 0 ? this.line : expressions.map((part) => this.text(this.value(part))).join(String(this.variables.OFS))) + String(this.variables.ORS));
        return;
      case 'printf':
        this.print(format(this.text(this.value(expressions[0] as Node)), expressions.slice(1).map((part) => this.text(this.value(part)))).text);
        return;
      case 'if':
        if (this.truth(this.value(a as Node))) this.execute(b as Node);
        else if (c !== undefined) this.execute(c as Node);
        return;
      case 'while':
        while (this.truth(this.value(a as Node)) && this.steps < 200_000 && this.ended === undefined) this.execute(b as Node);
        return;
      case 'for':
        if (a !== undefined) this.value(a as Node);
        while ((b === undefined || this.truth(this.value(b as Node))) && this.steps < 200_000 && this.ended === undefined) {
          this.execute(d as Node);
          if (c !== undefined) this.value(c as Node);
        }
        return;
      case 'for-in':
        for (const key of Object.keys(this.array(b as string))) {
          this.variables[a as string] = key;
          this.execute(c as Node);
        }
        return;
      case 'next':
        this.skip = true;
        return;
      case 'exit':
        this.ended = a === undefined ? 0 : this.number(this.value(a as Node));
        return;
      case 'delete':
        delete this.array((a as Node)[1] as string)[this.key((a as Node)[2] as Node[])];
        return;
      default:
        this.value(a as Node);
    }
  }

  private array(name: string): Record<string, Value> {
    const found = this.variables[name];
    if (typeof found === 'object') return found;
    return (this.variables[name] = {});
  }

  private key = (keys: Node[]): string => keys.map((key) => this.text(this.value(key))).join(String(this.variables.SUBSEP));

  private assign(target: Node, value: Value): Value {
    if (target[0] === 'name') this.variables[target[1] as string] = value;
    else if (target[0] === 'element') this.array(target[1] as string)[this.key(target[2] as Node[])] = value;
    else if (target[0] === 'field') {
      const index = this.number(this.value(target[1] as Node));
      if (index === 0) this.setLine(this.text(value));
      else {
        while (this.fields.length < index) this.fields.push('');
        this.fields[index - 1] = this.text(value);
        this.variables.NF = this.fields.length;
        this.line = this.fields.join(String(this.variables.OFS));
      }
    }
    return value;
  }

  private value(node: Node): Value {
    const [kind, a, b, c] = node;
    switch (kind) {
      case 'text':
      case 'number':
        return a as Value;
      case 'regex':
        return Number(posixRegex(a as string, true)?.test(this.line) === true);
      case 'field': {
        const index = this.number(this.value(a as Node));
        return index === 0 ? this.line : (this.fields[index - 1] ?? '');
      }
      case 'name': {
        const value = this.variables[a as string];
        return typeof value === 'object' || value === undefined ? '' : value;
      }
      case 'element':
        return this.array(a as string)[this.key(b as Node[])] ?? '';
      case 'assign': {
        const right = this.value(c as Node);
        return this.assign(b as Node, a === '' ? right : this.compute(a as string, this.value(b as Node), right));
      }
      case 'step': {
        const before = this.number(this.value(c as Node));
        this.assign(c as Node, before + (a as number));
        return b === true ? before : before + (a as number);
      }
      case 'unary': {
        const value = this.value(b as Node);
        return a === '!' ? Number(!this.truth(value)) : a === '-' ? -this.number(value) : this.number(value);
      }
      case 'choose':
        return this.truth(this.value(a as Node)) ? this.value(b as Node) : this.value(c as Node);
      case 'binary':
        return this.binary(a as string, b as Node, c as Node);
      default:
        return this.call(a as string, b as Node[]);
    }
  }

  private binary(operator: string, left: Node, right: Node): Value {
    if (operator === '&&') return Number(this.truth(this.value(left)) && this.truth(this.value(right)));
    if (operator === '||') return Number(this.truth(this.value(left)) || this.truth(this.value(right)));
    if (operator === 'in') return Number(Object.hasOwn(this.array(right[1] as string), this.text(this.value(left))));
    if (operator === '~' || operator === '!~') {
      const expression = right[0] === 'regex' ? (right[1] as string) : this.text(this.value(right));
      return Number((posixRegex(expression, true)?.test(this.text(this.value(left))) === true) === (operator === '~'));
    }
    return this.compute(operator, this.value(left), this.value(right));
  }

  private compute(operator: string, left: Value, right: Value): Value {
    if (operator === ' ') return this.text(left) + this.text(right);
    const [x, y] = [this.number(left), this.number(right)];
    if ('+-*/%'.includes(operator)) return operator === '+' ? x + y : operator === '-' ? x - y : operator === '*' ? x * y : operator === '/' ? x / y : x % y;
    const looksNumeric = (value: Value) => typeof value === 'number' || /^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(value);
    const numeric = looksNumeric(left) && looksNumeric(right);
    const [p, q] = numeric ? [x, y] : [this.text(left), this.text(right)];
    return Number(operator === '==' ? p === q : operator === '!=' ? p !== q : operator === '<' ? p < q : operator === '<=' ? p <= q : operator === '>' ? p > q : p >= q);
  }

  private call(name: string, args: Node[]): Value {
    const text = (index: number) => (args[index] === undefined ? this.line : this.text(this.value(args[index])));
    const number = (index: number) => this.number(args[index] === undefined ? 0 : this.value(args[index]));
    switch (name) {
      case 'length':
        return text(0).length;
      case 'substr':
        return text(0).slice(Math.max(0, number(1) - 1)).slice(0, args[2] === undefined ? undefined : Math.max(0, number(2)));
      case 'index':
        return text(0).indexOf(text(1)) + 1;
      case 'tolower':
        return text(0).toLowerCase();
      case 'toupper':
        return text(0).toUpperCase();
      case 'int':
        return Math.trunc(number(0));
      case 'sprintf':
        return format(text(0), args.slice(1).map((part) => this.text(this.value(part)))).text;
      case 'split': {
        const array: Record<string, Value> = {};
        const separator = args[2] === undefined ? String(this.variables.FS) : text(2);
        const parts = separator === ' ' ? text(0).trim().split(/\s+/) : text(0).split(separator);
        parts.forEach((part, index) => (array[index + 1] = part));
        this.variables[(args[1] as Node)[1] as string] = array;
        return parts.length;
      }
      case 'sub':
      case 'gsub': {
        const target = args[2] ?? ['field', ['number', 0]];
        const source = args[0]?.[0] === 'regex' ? (args[0][1] as string) : text(0);
        let count = 0;
        const changed = this.text(this.value(target)).replace(posixRegex(source, true, name === 'gsub' ? 'g' : '') ?? '', (whole) => {
          count++;
          return text(1).replace(/\\&|&/g, (token) => (token === '&' ? whole : '&'));
        });
        this.assign(target, changed);
        return count;
      }
      default:
        return '';
    }
  }
}
