import { compareText } from '../../sim/plain.ts';
import { YamlFault } from './fault.ts';
import type { YamlNode } from './nodes.ts';

const words: Record<string, boolean | null | number> = { '': null };
for (const [value, ...names] of [[true, 'y', 'yes', 'true', 'on'], [false, 'n', 'no', 'false', 'off'], [null, '~', 'null']] as const) {
  for (const name of names) {
    for (const form of [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()]) words[form] = value;
  }
}
for (const form of ['.inf', '.Inf', '.INF']) [words[form], words[`+${form}`], words[`-${form}`]] = [Infinity, Infinity, -Infinity];
for (const form of ['.nan', '.NaN', '.NAN']) words[form] = NaN;

const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const bases: Record<string, number> = { x: 16, o: 8, b: 2 };

/** What a scalar without quotes means in YAML 1.1. Upstream: go.yaml.in/yaml/v2 resolve.go. */
export function resolvePlain(text: string): string | number | boolean | null {
  if (Object.hasOwn(words, text)) return words[text] as boolean;
  if (!/^[-+.\d]/.test(text)) return text;
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  return parseInteger(digits) ?? (decimal.test(digits) ? Number(digits) : text);
}

/** As Go reads it with base 0: '0644' and '0o644' are octal, '08' is none. */
function parseInteger(text: string): number | undefined {
  const parts = /^([-+]?)0([xob]?)([\da-f]+)$/i.exec(text);
  if (parts === null) return /^[-+]?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
  const base = bases[(parts[2] as string).toLowerCase()] ?? 8;
  const digits = (parts[3] as string).toLowerCase();
  if ([...digits].some((digit) => Number.parseInt(digit, 16) >= base)) return undefined;
  const value = Number.parseInt(digits, base);
  return parts[1] === '-' ? -value : value;
}

const standard = 'tag:yaml.org,2002:';

/** Throws a YamlFault. Keys are sorted, as the JSON is that kubectl makes of it. Upstream: decode.go decoder, sigs.k8s.io/yaml convertToJSONableObject. */
export function toValue(root: YamlNode): unknown {
  const open = new Set<YamlNode>();
  let [steps, copied, depth] = [0, 0, 0];

  function convert(node: YamlNode): unknown {
    steps += 1;
    if (depth > 0) copied += 1;
    if (copied > 100 && steps > 1000 && copied / steps > 0.99) throw plainFault('document contains excessive aliasing', node);
    if (node.alias !== undefined) {
      if (open.has(node)) throw plainFault(`anchor '${node.value}' value contains itself`, node);
      open.add(node);
      depth += 1;
      const value = convert(node.alias);
      depth -= 1;
      open.delete(node);
      return value;
    }
    if (node.kind === 'list') return node.items.map(convert);
    if (node.kind === 'map') return fill(node, {});
    return scalarValue(node);
  }

  function fill(node: YamlNode, target: Record<string, unknown>): Record<string, unknown> {
    for (const { key, value } of node.pairs) {
      if (isMerge(key)) merge(value, target);
      else {
        const name = keyText(convert(key), key, () => convert(value));
        Object.defineProperty(target, name, { value: convert(value), enumerable: true, configurable: true, writable: true });
      }
    }
    return Object.fromEntries(Object.entries(target).sort(([a], [b]) => compareText(a, b)));
  }

  function merge(node: YamlNode, target: Record<string, unknown>): void {
    const maps = node.kind === 'list' && node.alias === undefined ? node.items.toReversed() : [node];
    for (const map of maps) {
      if (map.kind !== 'map') throw plainFault('map merge requires map or sequence of maps as the value', map);
      Object.assign(target, convert(map));
    }
  }
  return convert(root);
}

const plainFault = (message: string, node: YamlNode): YamlFault => new YamlFault(message, 0, false, node.from, node.to);

const isMerge = (key: YamlNode): boolean => key.kind === 'scalar' && key.value === '<<' && (key.plain || key.tag === `${standard}merge`);

function keyText(key: unknown, node: YamlNode, value: () => unknown): string {
  if (typeof key === 'object' && key !== null) throw plainFault(`invalid map key: ${goSyntax(key)}`, node);
  if (key === null) throw new YamlFault(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value())}`, -1, false, node.from, node.to);
  return String(key);
}

/** Go's %#v of what was read. */
function goSyntax(value: unknown): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') return `map[interface {}]interface {}{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${goSyntax(item)}`).join(', ')}}`;
  return JSON.stringify(value);
}

function scalarValue(node: YamlNode): unknown {
  const { tag, value, plain } = node;
  const refuse = (found: string): YamlFault => plainFault(`cannot decode !!${found} \`${value}\` as a ${tag.replace(standard, '!!')}`, node);
  if (tag === '' || tag === '!') {
    const read = plain && tag === '' ? resolvePlain(value) : value;
    if (typeof read === 'number' && !Number.isFinite(read)) {
      throw new YamlFault(`json: unsupported value: ${Number.isNaN(read) ? 'NaN' : read > 0 ? '+Inf' : '-Inf'}`, -1, false, node.from, node.to);
    }
    return read;
  }
  const read = resolvePlain(value);
  const type = read === null ? 'null' : typeof read === 'boolean' ? 'bool' : typeof read === 'string' ? 'str' : /^[-+]?\d[\d_]*$/.test(value) || /^[-+]?0[xob]/i.test(value) ? 'int' : 'float';
  switch (tag.replace(standard, '')) {
    case 'int': case 'bool': case 'null':
      if (tag !== standard + type) throw refuse(type);
      return read;
    case 'float':
      if (type !== 'float' && type !== 'int') throw refuse(type);
      return read;
    default: return value;
  }
}
