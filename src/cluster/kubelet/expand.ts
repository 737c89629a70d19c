/** $(VAR) references; $$ is one dollar sign, an unknown name stays as written. Upstream: third_party/forked/golang/expansion. */
export function expand(text: string, lookup: (name: string) => string | undefined): string {
  if (!text.includes('$')) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    const next = text[i + 1];
    if (char !== '$' || next === undefined) out += char;
    else if (next === '$') {
      out += '$';
      i++;
    } else if (next === '(') {
      const end = text.indexOf(')', i + 2);
      if (end < 0) {
        out += '$(';
        i++;
        continue;
      }
      const name = text.slice(i + 2, end);
      out += lookup(name) ?? `$(${name})`;
      i = end;
    } else {
      out += `$${next}`;
      i++;
    }
  }
  return out;
}
