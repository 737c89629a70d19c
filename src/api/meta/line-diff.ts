type Op = ' ' | '-' | '+';

/** Lines of both sides in order, each with what happened to it: a longest common subsequence of what lies between equal ends. */
function align(a: readonly string[], b: readonly string[]): [Op, string][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  const width = right.length + 1;
  const small = left.length * right.length <= 1_000_000;
  const common = new Uint16Array(small ? (left.length + 1) * width : 0);
  for (let i = small ? left.length - 1 : -1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * width + j] = left[i] === right[j] ? (common[(i + 1) * width + j + 1] as number) + 1 : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number);
    }
  }
  const lines: [Op, string][] = a.slice(0, start).map((line) => [' ', line]);
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (small && i < left.length && j < right.length && left[i] === right[j]) {
      lines.push([' ', left[i++] as string]);
      j += 1;
    } else if (i < left.length && (!small || j === right.length || (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))) lines.push(['-', left[i++] as string]);
    else lines.push(['+', right[j++] as string]);
  }
  for (const line of a.slice(a.length - end)) lines.push([' ', line]);
  return lines;
}

const context = 3;

/** Two values as indented JSON, and what differs as a unified diff with three lines around each change. Upstream: apimachinery pkg/util/diff. */
export function jsonDiff(before: unknown, after: unknown): string {
  return `${unified(JSON.stringify(before, null, 1).split('\n'), JSON.stringify(after, null, 1).split('\n'))}\n`;
}

/** What differs between two texts, as diff -u shows it; empty when they are the same. */
export function lineDiff(before: readonly string[], after: readonly string[]): string {
  const text = unified(before, after);
  return text === '' ? '' : `${before.length === 0 ? text.replace('@@ -1,0', '@@ -0,0') : text}\n`;
}

function unified(before: readonly string[], after: readonly string[]): string {
  const lines = align(before, after);
  const shown = new Set<number>();
  lines.forEach(([op], index) => {
    if (op !== ' ') for (let k = Math.max(0, index - context); k <= index + context; k++) shown.add(k);
  });
  const out: string[] = [];
  let a = 1;
  let b = 1;
  for (let index = 0; index < lines.length; index++) {
    if (shown.has(index) && !shown.has(index - 1)) {
      let length = 0;
      while (index + length < lines.length && shown.has(index + length)) length += 1;
      const hunk = lines.slice(index, index + length);
      const count = (op: Op) => hunk.filter(([other]) => other !== op).length;
      out.push(`@@ -${a},${count('+')} +${b},${count('-')} @@`, ...hunk.map(([op, text]) => op + text));
    }
    const op = (lines[index] as [Op, string])[0];
    if (op !== '+') a += 1;
    if (op !== '-') b += 1;
  }
  return out.join('\n');
}
