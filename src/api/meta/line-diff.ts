/** Two values as indented JSON, and what differs as one hunk of a unified diff. Simplified: the real text may have several hunks. */
export function jsonDiff(before: unknown, after: unknown): string {
  const a = JSON.stringify(before, null, 1).split('\n');
  const b = JSON.stringify(after, null, 1).split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const from = Math.max(0, start - 3);
  const after3 = Math.min(3, end);
  const head = a.slice(from, start).map((line) => ` ${line}`);
  const gone = a.slice(start, a.length - end).map((line) => `-${line}`);
  const come = b.slice(start, b.length - end).map((line) => `+${line}`);
  const tail = a.slice(a.length - end, a.length - end + after3).map((line) => ` ${line}`);
  const span = (count: number) => `${from + 1},${head.length + count + tail.length}`;
  return [`@@ -${span(gone.length)} +${span(come.length)} @@`, ...head, ...gone, ...come, ...tail, ''].join('\n');
}
