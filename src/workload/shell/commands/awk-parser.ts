import { posixRegex } from './lines.ts';
import { compute, levels, number, text, truth, type AwkValue } from './awk-values.ts';
import { format } from './printf.ts';

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

/** A parsed expression: its value, and how to assign to it. `regex`: it is a bare /pattern/. */
interface Expression {
  get: () => AwkValue;
  set?: (value: AwkValue) => void;
  regex?: string;
  name?: string;
}

/** Turns a program into functions over `run`; undefined: something in it is not simulated. */
export function parseAwk(tokens: readonly string[], run: AwkRun): AwkRule[] | undefined {
  let at = 0;
  let failed = false;
  const peek = () => tokens[at] ?? '';
  const take = (token: string) => peek() === token && ++at > 0;
  const expect = (token: string) => void (take(token) || (failed = true));
  const blank = () => {
    while (peek() === ';' || peek() === '\n') at++;
  };
  const atEnd = () => /^[;}\n]?$/.test(peek());
  const goesOn = () => run.ended === undefined && run.skip !== true && --run.budget > 0;
  const matches = (pattern: string, value: string) => posixRegex(pattern, true)?.test(value) === true;

  function list(limit: number): Expression[] {
    const all = [expression(limit)];
    while (take(',')) all.push(expression(limit));
    return all;
  }

  /** `limit` 5: a '>' outside parentheses belongs to print. */
  function expression(limit = 0): Expression {
    const left = binary(1, limit);
    const token = peek();
    if (/^[-+*/%]?=$/.test(token)) {
      at++;
      const right = expression(limit);
      const operator = token.slice(0, -1);
      return { get: () => assign(left, operator === '' ? right.get() : compute(operator, left.get(), right.get())) };
    }
    if (!take('?')) return left;
    const yes = expression(limit);
    expect(':');
    const no = expression(limit);
    return { get: () => (truth(left.get()) ? yes : no).get() };
  }

  function assign(target: Expression, value: AwkValue): AwkValue {
    target.set?.(value);
    return value;
  }

  function binary(level: number, limit: number): Expression {
    let left = unary();
    for (;;) {
      const joins = /^["\w$(.]/.test(peek()) && !/^(in|else|while)$/.test(peek());
      const operator = joins ? ' ' : peek();
      const own = levels[operator];
      if (failed || own === undefined || own < level || (operator === '>' && limit === 5)) return left;
      if (!joins) at++;
      left = joined(operator, left, binary(own + 1, limit));
    }
  }

  function joined(operator: string, left: Expression, right: Expression): Expression {
    if (operator === '&&') return { get: () => Number(truth(left.get()) && truth(right.get())) };
    if (operator === '||') return { get: () => Number(truth(left.get()) || truth(right.get())) };
    if (operator === 'in') return { get: () => Number(Object.hasOwn(run.arrays[right.name ?? ''] ?? {}, text(left.get()))) };
    if (operator.endsWith('~')) return { get: () => Number(matches(right.regex ?? text(right.get()), text(left.get())) === (operator === '~')) };
    return { get: () => compute(operator, left.get(), right.get()) };
  }

  function step(target: Expression, by: number, after: boolean): Expression {
    return { get: () => {
      const before = number(target.get());
      assign(target, before + by);
      return after ? before : before + by;
    } };
  }

  function unary(): Expression {
    if (take('!')) {
      const value = unary();
      return { get: () => Number(!truth(value.get())) };
    }
    if (take('-')) {
      const value = unary();
      return { get: () => -number(value.get()) };
    }
    if (take('++')) return step(primary(), 1, false);
    if (take('--')) return step(primary(), -1, false);
    const value = primary();
    return take('++') ? step(value, 1, true) : take('--') ? step(value, -1, true) : value;
  }

  function primary(): Expression {
    const token = peek();
    at++;
    if (token === '(') {
      const inner = expression();
      expect(')');
      return inner;
    }
    if (token === '$') return field(peek() === '++' ? unary() : primary());
    if (token.startsWith('"')) {
      const value = token.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ({ n: '\n', t: '\t' })[c] ?? c);
      return { get: () => value };
    }
    if (token.length > 1 && token.startsWith('/')) return { get: () => Number(matches(token.slice(1, -1), run.line)), regex: token.slice(1, -1) };
    if (/^[\d.]/.test(token)) return { get: () => Number(token) };
    if (!/^[A-Za-z_]/.test(token) || failed) failed = true;
    if (take('(')) {
      const args = peek() === ')' ? [] : list(0);
      expect(')');
      return call(token, args);
    }
    if (token === 'length') return { get: () => run.line.length };
    if (!take('[')) return { get: () => run.variables[token] ?? '', set: (value) => void (run.variables[token] = value), name: token };
    const keys = list(0);
    expect(']');
    const key = () => keys.map((part) => text(part.get())).join('\x1c');
    return { get: () => run.arrays[token]?.[key()] ?? '', set: (value) => void ((run.arrays[token] ??= {})[key()] = value) };
  }

  function field(index: Expression): Expression {
    return {
      get: () => (number(index.get()) === 0 ? run.line : (run.fields[number(index.get()) - 1] ?? '')),
      set: (value) => {
        const place = number(index.get());
        if (place === 0) run.setLine(text(value));
        else {
          while (run.fields.length < place) run.fields.push('');
          run.fields[place - 1] = text(value);
          run.variables.NF = run.fields.length;
          run.line = run.fields.join(String(run.variables.OFS));
        }
      },
    };
  }

  function call(name: string, args: Expression[]): Expression {
    const value = (index: number) => (args[index] === undefined ? run.line : text(args[index].get()));
    const functions: Readonly<Record<string, () => AwkValue>> = {
      length: () => value(0).length,
      substr: () => value(0).slice(Math.max(0, Number(value(1)) - 1)).slice(0, args[2] === undefined ? undefined : Math.max(0, Number(value(2)))),
      index: () => value(0).indexOf(value(1)) + 1,
      tolower: () => value(0).toLowerCase(),
      toupper: () => value(0).toUpperCase(),
      int: () => Math.trunc(number(value(0))),
      sprintf: () => format(value(0), args.slice(1).map((part) => text(part.get()))).text,
      split: () => {
        const separator = args[2] === undefined ? String(run.variables.FS) : value(2);
        const parts = separator === ' ' ? value(0).trim().split(/\s+/) : value(0).split(separator);
        run.arrays[args[1]?.name ?? ''] = Object.fromEntries(parts.map((part, index) => [index + 1, part]));
        return parts.length;
      },
    };
    if (name === 'sub' || name === 'gsub') return { get: () => substitute(name === 'gsub', args, value) };
    const own = functions[name];
    if (own === undefined) failed = true;
    return { get: own ?? (() => '') };
  }

  function substitute(all: boolean, args: Expression[], value: (index: number) => string): number {
    const target = args[2] ?? field({ get: () => 0 });
    let count = 0;
    assign(target, text(target.get()).replace(posixRegex(args[0]?.regex ?? value(0), true, all ? 'g' : '') ?? '', (whole) => {
      count++;
      return value(1).replace(/\\&|&/g, (token) => (token === '&' ? whole : '&'));
    }));
    return count;
  }

  function statement(): () => void {
    blank();
    if (failed || at >= tokens.length) {
      failed = true;
      return () => undefined;
    }
    if (take('{')) return block();
    if (take('if')) return conditional();
    if (take('while')) {
      expect('(');
      const test = expression();
      expect(')');
      const body = statement();
      return () => {
        while (goesOn() && truth(test.get())) body();
      };
    }
    if (take('for')) return loop();
    if (take('next')) return () => void (run.skip = true);
    if (take('exit')) {
      const status = atEnd() ? undefined : expression();
      return () => void (run.ended = number(status?.get() ?? 0));
    }
    const word = peek();
    if (word === 'print' || word === 'printf') return print(word);
    if (/^(function|getline|delete)$/.test(word)) failed = true;
    const { get } = expression();
    return () => void get();
  }

  function block(): () => void {
    const all: (() => void)[] = [];
    for (blank(); !failed && !take('}'); blank()) all.push(statement());
    return () => {
      for (const one of all) if (goesOn()) one();
    };
  }

  function print(word: string): () => void {
    at++;
    const args = atEnd() ? [] : list(5);
    if (/^(>|>>|\|)$/.test(peek())) failed = true;
    const values = () => args.map((part) => text(part.get()));
    if (word === 'printf') return () => run.print(format(values()[0] ?? '', values().slice(1)).text);
    return () => run.print((args.length === 0 ? run.line : values().join(String(run.variables.OFS))) + String(run.variables.ORS));
  }

  function conditional(): () => void {
    expect('(');
    const test = expression();
    expect(')');
    const yes = statement();
    const back = at;
    blank();
    const no = take('else') ? statement() : void (at = back);
    return () => (truth(test.get()) ? yes() : no?.());
  }

  function loop(): () => void {
    expect('(');
    if (tokens[at + 1] === 'in') {
      const [name = '', , array = ''] = tokens.slice(at, at + 3);
      at += 3;
      expect(')');
      const body = statement();
      return () => {
        for (const key of Object.keys(run.arrays[array] ?? {})) {
          run.variables[name] = key;
          if (goesOn()) body();
        }
      };
    }
    const [start, test, after] = [';', ';', ')'].map((end) => {
      const part = peek() === end ? undefined : expression();
      expect(end);
      return part;
    });
    const body = statement();
    return () => {
      for (start?.get(); goesOn() && (test === undefined || truth(test.get())); after?.get()) body();
    };
  }

  const rules: AwkRule[] = [];
  for (blank(); at < tokens.length && !failed; blank()) {
    const when = take('BEGIN') ? 'BEGIN' : take('END') ? 'END' : '';
    const test = when === '' && peek() !== '{' ? expression() : undefined;
    const body = peek() === '{' ? statement() : () => run.print(`${run.line}\n`);
    rules.push({ when, body, ...(test === undefined ? {} : { test: () => truth(test.get()) }) });
  }
  return failed ? undefined : rules;
}
