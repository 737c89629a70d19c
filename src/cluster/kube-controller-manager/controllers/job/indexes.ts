/** '0-2,5': sets of completion indexes as text. Upstream: pkg/controller/job/indexed_job_utils.go. */
export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    if (part === '') continue;
    const [first = '', last = first] = part.split('-');
    for (let index = Number(first); index <= Number(last); index++) indexes.add(index);
  }
  return indexes;
}

/** Runs of three and more are written as a range, pairs as two numbers. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === (sorted[end] as number) + 1) end++;
    if (end - i >= 2) parts.push(`${sorted[i]}-${sorted[end]}`);
    else for (let k = i; k <= end; k++) parts.push(String(sorted[k]));
    i = end + 1;
  }
  return parts.join(',');
}
