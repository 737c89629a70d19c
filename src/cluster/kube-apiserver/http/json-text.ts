/** Reads JSON text as Go's decoders do: the first error in Go's words, and every key that a map names twice. */
export interface JsonReading {
  value: unknown;
  /** Paths of duplicate keys: 'spec.containers[0].image'. The last value holds. */
  duplicates: string[];
  error?: string;
}

export function readJson(text: string): JsonReading {
  const duplicates: string[] = [];
  try {
    const reader = new Reader(text, duplicates);
    return { value: reader.document(), duplicates };
  } catch (error) {
    if (typeof error === 'string') return { value: undefined, duplicates, error };
    throw error;
  }
}

const show = (char: string): string => (char === "'" ? `'\\''` : char === '"' ? `'"'` : `'${JSON.stringify(char).slice(1, -1)}'`);

class Reader {
  private at = 0;

  constructor(private readonly text: string, private readonly duplicates: string[]) {}

  document(): unknown {
    const value = this.value('');
    this.skip();
    if (this.at < this.text.length) this.fail('after top-level value');
    return value;
  }

  private skip(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private fail(where: string): never {
    const char = this.text[this.at];
    throw char === undefined ? 'unexpected end of JSON input' : `invalid character ${show(char)} ${where}`;
  }

  private value(path: string): unknown {
    this.skip();
    const char = this.text[this.at];
    if (char === '{') return this.object(path);
    if (char === '[') return this.array(path);
    if (char === '"') return this.string();
    const word = /^(true|false|null)/.exec(this.text.slice(this.at, this.at + 5))?.[0];
    const token = word ?? /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(this.text.slice(this.at, this.at + 40))?.[0];
    if (token === undefined) this.fail('looking for beginning of value');
    this.at += token.length;
    return JSON.parse(token) as unknown;
  }

  private object(path: string): unknown {
    const result: Record<string, unknown> = {};
    this.at++;
    this.skip();
    if (this.text[this.at] === '}') {
      this.at++;
      return result;
    }
    for (;;) {
      this.skip();
      if (this.text[this.at] !== '"') this.fail('looking for beginning of object key string');
      const key = this.string();
      const inside = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(result, key)) this.duplicates.push(inside);
      this.skip();
      if (this.text[this.at] !== ':') this.fail('after object key');
      this.at++;
      result[key] = this.value(inside);
      if (this.next('}', 'after object key:value pair')) return result;
    }
  }

  private array(path: string): unknown {
    const result: unknown[] = [];
    this.at++;
    this.skip();
    if (this.text[this.at] === ']') {
      this.at++;
      return result;
    }
    for (;;) {
      result.push(this.value(`${path}[${result.length}]`));
      if (this.next(']', 'after array element')) return result;
    }
  }

  /** True at the closing character, false after a comma. */
  private next(close: string, where: string): boolean {
    this.skip();
    const char = this.text[this.at];
    if (char !== close && char !== ',') this.fail(where);
    this.at++;
    return char === close;
  }

  private string(): string {
    const start = this.at++;
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length) throw 'unexpected end of JSON input';
      if (this.text.charCodeAt(this.at) < 0x20) this.fail('in string literal');
      this.at += this.text[this.at] === '\\' ? 2 : 1;
    }
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }
}
