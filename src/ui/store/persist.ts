/** The browser's own memory. It may be forbidden or full: then nothing is kept, and nothing breaks. */
export function readKept<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(`kubelapse.${key}`);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`kubelapse.${key}`);
    else localStorage.setItem(`kubelapse.${key}`, JSON.stringify(value));
  } catch {
    // Nothing to do: see above.
  }
}
