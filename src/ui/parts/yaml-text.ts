/** One line of an object as kubectl prints it, with the path that it shows. */
export interface YamlLine {
  path: string;
  text: string;
}

type Value = unknown;

const isMap = (value: Value): value is Record<string, Value> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys in order of name, lists at the level of their key: the layout of sigs.k8s.io/yaml. */
export function yamlLines(value: Value): YamlLine[] {
  const lines: YamlLine[] = [];
  if (isMap(value)) map(value, '', '', lines);
  return lines;
}

export const yamlText = (value: Value): string => yamlLines(value).map((line) => line.text).join('\n');

function map(value: Record<string, Value>, indent: string, path: string, lines: YamlLine[], first = indent): void {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  keys.forEach((key, index) => entry(`${index === 0 ? first : indent}${scalar(key)}:`, value[key], indent, `${path}.${key}`, lines));
}

function entry(head: string, value: Value, indent: string, path: string, lines: YamlLine[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) return void lines.push({ path, text: `${head} []` });
    lines.push({ path, text: head });
    value.forEach((item: Value, index) => element(item, indent, `${path}[${index}]`, lines));
  } else if (isMap(value)) {
    if (Object.keys(value).length === 0) return void lines.push({ path, text: `${head} {}` });
    lines.push({ path, text: head });
    map(value, `${indent}  `, path, lines);
  } else if (typeof value === 'string' && value.includes('\n')) {
    block(head, value, indent, path, lines);
  } else {
    lines.push({ path, text: `${head} ${scalar(value)}` });
  }
}

function element(item: Value, indent: string, path: string, lines: YamlLine[]): void {
  if (isMap(item) && Object.keys(item).length > 0) map(item, `${indent}  `, path, lines, `${indent}- `);
  else if (typeof item === 'string' && item.includes('\n')) block(`${indent}-`, item, indent, path, lines);
  else lines.push({ path, text: `${indent}- ${isMap(item) ? '{}' : Array.isArray(item) ? JSON.stringify(item) : scalar(item)}` });
}

function block(head: string, value: string, indent: string, path: string, lines: YamlLine[]): void {
  const rows = value.replace(/\n$/, '').split('\n');
  lines.push({ path, text: `${head} |${value.endsWith('\n') ? '' : '-'}` });
  rows.forEach((row, index) => lines.push({ path: `${path}:${index}`, text: row === '' ? '' : `${indent}  ${row}` }));
}

const plain = /^(?:-(?=[A-Za-z]))?[A-Za-z0-9_./][A-Za-z0-9_./:@+ ,()=*%-]*$/;
const ambiguous = /^(?:[-+]?[\d.][\d_.,:eE+-]*|0x[\da-fA-F]+|true|false|yes|no|on|off|y|n|null|~|\d{4}-\d\d?-\d\d?.*)$/i;

function scalar(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'string') return String(value);
  if (value === '') return '""';
  if (ambiguous.test(value)) return `"${value}"`;
  if (plain.test(value) && !value.endsWith(' ') && !value.endsWith(':') && !value.includes(': ') && !value.includes(' #')) return value;
  return value.includes("'") || [...value].some((letter) => letter < ' ') ? JSON.stringify(value) : `'${value}'`;
}
