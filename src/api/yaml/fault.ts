/** Why a text is no YAML, in the words of Kubernetes' YAML library. It never leaves src/api/yaml. */
export class YamlFault extends Error {
  readonly line: number;
  readonly byScanner: boolean;
  readonly pos: number;
  readonly end: number;

  /** Lines from 0, -1 for what is no matter of YAML; pos: where the page should point. */
  constructor(message: string, line: number, byScanner: boolean, pos: number, end = pos + 1) {
    super(message);
    [this.line, this.byScanner, this.pos, this.end] = [line, byScanner, pos, end];
  }

  /** Upstream counts the lines of a parser's errors from 0, of a scanner's from 1, and leaves the first line out. Upstream: decode.go fail. */
  get text(): string {
    if (this.line < 0) return this.message;
    const line = this.line === 0 ? 0 : this.line + (this.byScanner ? 1 : 0);
    return `yaml: ${line === 0 ? '' : `line ${line}: `}${this.message}`;
  }
}
