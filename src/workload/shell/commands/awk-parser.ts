import { posixRegex } from './lines.ts';
import { compute, levels, number, text, truth, type AwkRule, type AwkRun, type AwkValue } from './awk-values.ts';
import { format } from './printf.ts';

/** A parsed expression: its value, and how to assign to it. `regex`: it is a bare /pattern/. */
interface Expression {
  get: () => AwkValue;
  set?: (value: AwkValue) => void;
  regex?: string;
  name?: string;
}

/** Turns a program into functions over `run`; undefined: something in it is not simulated. */
export const parseAwk = (tokens: readonly string[], run: AwkRun): AwkRule[] | undefined => new AwkParser(tokens, run).rules();

const matches = (pattern: string, value: string): boolean => posixRegex(pattern, true)?.test(value) === true;

/** Short-lived: made, asked once, dropped. */
class AwkParser {
  private at = 0;
  private failed = false;
  private readonly tokens: readonly string[];
  private readonly run: AwkRun;
  constructor(tokens: readonly string[], run: AwkRun) {
    this.tokens = tokens;
    this.run = run;
  }

  rules(): AwkRule[] | undefined {
    const rules: AwkRule[] = [];
    for (this.blank(); this.at < this.tokens.length && !this.failed; this.blank()) {
      const when = this.take('BEGIN') ? 'BEGIN' : this.take('END') ? 'END' : '';
      const test = when === '' && this.peek() !== '{' ? this.expression() : undefined;
      const body = this.peek() === '{' ? this.statement() : () => this.run.print(`${this.run.line}\n`);
      rules.push({ when, body, ...(test === undefined ? {} : { test: () => truth(test.get()) }) });
    }
    return this.failed ? undefined : rules;
  }

  private peek(): string {
    return this.tokens[this.at] ?? '';
  }

  private take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) this.failed = true;
  }

  private blank(): void {
    while (this.peek() === ';' || this.peek() === '\n') this.at++;
  }

  private atEnd(): boolean {
    return /^[;}\n]?$/.test(this.peek());
  }

  private goesOn(): boolean {
    return this.run.ended === undefined && this.run.skip !== true && --this.run.budget > 0;
  }

  private list(limit: number): Expression[] {
    const all = [this.expression(limit)];
    while (this.take(',')) all.push(this.expression(limit));
    return all;
  }

  /** `limit` 5: a '>' outside parentheses belongs to print. */
  private expression(limit = 0): Expression {
    const left = this.binary(1, limit);
    const token = this.peek();
    if (/^[-+*/%]?=$/.test(token)) {
      this.at++;
      const right = this.expression(limit);
      const operator = token.slice(0, -1);
      return { get: () => this.assign(left, operator === '' ? right.get() : compute(operator, left.get(), right.get())) };
    }
    if (!this.take('?')) return left;
    const yes = this.expression(limit);
    this.expect(':');
    const no = this.expression(limit);
    return { get: () => (truth(left.get()) ? yes : no).get() };
  }

  private assign(target: Expression, value: AwkValue): AwkValue {
    target.set?.(value);
    return value;
  }

  private binary(level: number, limit: number): Expression {
    let left = this.unary();
    for (;;) {
      const joins = /^["\w$(.]/.test(this.peek()) && !/^(in|else|while)$/.test(this.peek());
      const operator = joins ? ' ' : this.peek();
      const own = levels[operator];
      if (this.failed || own === undefined || own < level || (operator === '>' && limit === 5)) return left;
      if (!joins) this.at++;
      left = this.joined(operator, left, this.binary(own + 1, limit));
    }
  }

  private joined(operator: string, left: Expression, right: Expression): Expression {
    if (operator === '&&') return { get: () => Number(truth(left.get()) && truth(right.get())) };
    if (operator === '||') return { get: () => Number(truth(left.get()) || truth(right.get())) };
    if (operator === 'in') return { get: () => Number(Object.hasOwn(this.run.arrays[right.name ?? ''] ?? {}, text(left.get()))) };
    if (operator.endsWith('~')) return { get: () => Number(matches(right.regex ?? text(right.get()), text(left.get())) === (operator === '~')) };
    return { get: () => compute(operator, left.get(), right.get()) };
  }

  private step(target: Expression, by: number, after: boolean): Expression {
    return { get: () => {
      const before = number(target.get());
      this.assign(target, before + by);
      return after ? before : before + by;
    } };
  }

  private unary(): Expression {
    if (this.take('!')) {
      const value = this.unary();
      return { get: () => Number(!truth(value.get())) };
    }
    if (this.take('-')) {
      const value = this.unary();
      return { get: () => -number(value.get()) };
    }
    if (this.take('++')) return this.step(this.primary(), 1, false);
    if (this.take('--')) return this.step(this.primary(), -1, false);
    const value = this.primary();
    return this.take('++') ? this.step(value, 1, true) : this.take('--') ? this.step(value, -1, true) : value;
  }

  private primary(): Expression {
    const token = this.peek();
    this.at++;
    if (token === '(') {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (token === '$') return this.field(this.peek() === '++' ? this.unary() : this.primary());
    if (token.startsWith('"')) {
      const value = token.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ({ n: '\n', t: '\t' })[c] ?? c);
      return { get: () => value };
    }
    if (token.length > 1 && token.startsWith('/')) return { get: () => Number(matches(token.slice(1, -1), this.run.line)), regex: token.slice(1, -1) };
    if (/^[\d.]/.test(token)) return { get: () => Number(token) };
    if (!/^[A-Za-z_]/.test(token) || this.failed) this.failed = true;
    if (this.take('(')) {
      const args = this.peek() === ')' ? [] : this.list(0);
      this.expect(')');
      return this.call(token, args);
    }
    if (token === 'length') return { get: () => this.run.line.length };
    if (!this.take('[')) return { get: () => this.run.variables[token] ?? '', set: (value) => void (this.run.variables[token] = value), name: token };
    const keys = this.list(0);
    this.expect(']');
    const key = () => keys.map((part) => text(part.get())).join('\x1c');
    return { get: () => this.run.arrays[token]?.[key()] ?? '', set: (value) => void ((this.run.arrays[token] ??= {})[key()] = value) };
  }

  private field(index: Expression): Expression {
    return {
      get: () => (number(index.get()) === 0 ? this.run.line : (this.run.fields[number(index.get()) - 1] ?? '')),
      set: (value) => {
        const place = number(index.get());
        if (place === 0) this.run.setLine(text(value));
        else {
          while (this.run.fields.length < place) this.run.fields.push('');
          this.run.fields[place - 1] = text(value);
          this.run.variables.NF = this.run.fields.length;
          this.run.line = this.run.fields.join(String(this.run.variables.OFS));
        }
      },
    };
  }

  private call(name: string, args: Expression[]): Expression {
    const value = (index: number) => (args[index] === undefined ? this.run.line : text(args[index].get()));
    const functions: Readonly<Record<string, () => AwkValue>> = {
      length: () => value(0).length,
      substr: () => value(0).slice(Math.max(0, Number(value(1)) - 1)).slice(0, args[2] === undefined ? undefined : Math.max(0, Number(value(2)))),
      index: () => value(0).indexOf(value(1)) + 1,
      tolower: () => value(0).toLowerCase(),
      toupper: () => value(0).toUpperCase(),
      int: () => Math.trunc(number(value(0))),
      sprintf: () => format(value(0), args.slice(1).map((part) => text(part.get()))).text,
      split: () => {
        const separator = args[2] === undefined ? String(this.run.variables.FS) : value(2);
        const parts = separator === ' ' ? value(0).trim().split(/\s+/) : value(0).split(separator);
        this.run.arrays[args[1]?.name ?? ''] = Object.fromEntries(parts.map((part, index) => [index + 1, part]));
        return parts.length;
      },
    };
    if (name === 'sub' || name === 'gsub') return { get: () => this.substitute(name === 'gsub', args, value) };
    const own = functions[name];
    if (own === undefined) this.failed = true;
    return { get: own ?? (() => '') };
  }

  private substitute(all: boolean, args: Expression[], value: (index: number) => string): number {
    const target = args[2] ?? this.field({ get: () => 0 });
    let count = 0;
    this.assign(target, text(target.get()).replace(posixRegex(args[0]?.regex ?? value(0), true, all ? 'g' : '') ?? '', (whole) => {
      count++;
      return value(1).replace(/\\&|&/g, (token) => (token === '&' ? whole : '&'));
    }));
    return count;
  }

  private statement(): () => void {
    this.blank();
    if (this.failed || this.at >= this.tokens.length) {
      this.failed = true;
      return () => undefined;
    }
    if (this.take('{')) return this.block();
    if (this.take('if')) return this.conditional();
    if (this.take('while')) {
      this.expect('(');
      const test = this.expression();
      this.expect(')');
      const body = this.statement();
      return () => {
        while (this.goesOn() && truth(test.get())) body();
      };
    }
    if (this.take('for')) return this.loop();
    if (this.take('next')) return () => void (this.run.skip = true);
    if (this.take('exit')) {
      const status = this.atEnd() ? undefined : this.expression();
      return () => void (this.run.ended = number(status?.get() ?? 0));
    }
    const word = this.peek();
    if (word === 'print' || word === 'printf') return this.print(word);
    if (/^(function|getline|delete)$/.test(word)) this.failed = true;
    const { get } = this.expression();
    return () => void get();
  }

  private block(): () => void {
    const all: (() => void)[] = [];
    for (this.blank(); !this.failed && !this.take('}'); this.blank()) all.push(this.statement());
    return () => {
      for (const one of all) if (this.goesOn()) one();
    };
  }

  private print(word: string): () => void {
    this.at++;
    const args = this.atEnd() ? [] : this.list(5);
    if (/^(>|>>|\|)$/.test(this.peek())) this.failed = true;
    const values = () => args.map((part) => text(part.get()));
    if (word === 'printf') return () => this.run.print(format(values()[0] ?? '', values().slice(1)).text);
    return () => this.run.print((args.length === 0 ? this.run.line : values().join(String(this.run.variables.OFS))) + String(this.run.variables.ORS));
  }

  private conditional(): () => void {
    this.expect('(');
    const test = this.expression();
    this.expect(')');
    const yes = this.statement();
    const back = this.at;
    this.blank();
    const no = this.take('else') ? this.statement() : void (this.at = back);
    return () => (truth(test.get()) ? yes() : no?.());
  }

  private loop(): () => void {
    this.expect('(');
    if (this.tokens[this.at + 1] === 'in') {
      const [name = '', , array = ''] = this.tokens.slice(this.at, this.at + 3);
      this.at += 3;
      this.expect(')');
      const body = this.statement();
      return () => {
        for (const key of Object.keys(this.run.arrays[array] ?? {})) {
          this.run.variables[name] = key;
          if (this.goesOn()) body();
        }
      };
    }
    const [start, test, after] = [';', ';', ')'].map((end) => {
      const part = this.peek() === end ? undefined : this.expression();
      this.expect(end);
      return part;
    });
    const body = this.statement();
    return () => {
      for (start?.get(); this.goesOn() && (test === undefined || truth(test.get())); after?.get()) body();
    };
  }
}
