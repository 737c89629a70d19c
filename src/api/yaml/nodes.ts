import { YamlFault } from './fault.ts';
import { scan, type Token, type TokenSource } from './scanner.ts';

/** A part of a document and where it stands. */
export interface YamlNode {
  kind: 'scalar' | 'list' | 'map';
  from: number;
  to: number;
  tag: string;
  /** A scalar's text; whether it may be read as a number, truth value or null. */
  value: string;
  plain: boolean;
  items: YamlNode[];
  pairs: { key: YamlNode; value: YamlNode }[];
  /** Set on an alias: what it stands for. */
  alias?: YamlNode;
}

/** The first document of a text; undefined when there is none. Throws a YamlFault. Upstream: go.yaml.in/yaml/v2 parserc.go, decode.go parser. */
export function parseNodes(text: string): YamlNode | undefined {
  const tokens = scan(text);
  const anchors = new Map<string, YamlNode>();
  startDocument(tokens);
  if (tokens.peek().kind === 'end') return undefined;
  if (isOneOf(tokens.peek(), '%', '---', '...')) return emptyAt(tokens.peek().from);
  const root = parseNode({ tokens, anchors }, true, false);
  tokens.peek();
  return root;
}

interface Parser {
  tokens: TokenSource;
  anchors: Map<string, YamlNode>;
}

const fault = (token: Token, message: string): YamlFault => new YamlFault(message, token.line, false, token.from, token.to);
const isOneOf = (token: Token, ...kinds: Token['kind'][]): boolean => kinds.includes(token.kind);
const makeNode = (kind: YamlNode['kind'], from: number, tag = '', value = '', plain = false): YamlNode => ({ kind, from, to: from, tag, value, plain, items: [], pairs: [] });
const emptyAt = (from: number): YamlNode => makeNode('scalar', from, '', '', true);

function startDocument(tokens: TokenSource): void {
  let directed = false;
  while (tokens.peek().kind === '%') {
    const directive = tokens.next();
    if (directive.value !== '1.1') throw fault(directive, 'found incompatible YAML document');
    directed = true;
  }
  if (tokens.peek().kind === '---') tokens.next();
  else if (directed) throw fault(tokens.peek(), 'did not find expected <document start>');
}

function parseNode(parser: Parser, block: boolean, indentless: boolean): YamlNode {
  const { tokens, anchors } = parser;
  if (tokens.peek().kind === '*') {
    const { value: name, from, to } = tokens.next();
    const target = anchors.get(name);
    if (target === undefined) throw new YamlFault(`unknown anchor '${name}' referenced`, 0, false, from, to);
    return { ...makeNode(target.kind, from), to, value: name, alias: target };
  }
  const { from } = tokens.peek();
  let [anchor, tag] = ['', ''];
  for (;;) {
    if (anchor === '' && tokens.peek().kind === '&') anchor = tokens.next().value;
    else if (tag === '' && tokens.peek().kind === '!') tag = tokens.next().value;
    else break;
  }
  const token = tokens.peek();
  const begin = (kind: YamlNode['kind']): YamlNode => {
    const node = makeNode(kind, from, tag);
    if (anchor !== '') anchors.set(anchor, node);
    return node;
  };
  if (indentless && token.kind === '-') return readIndentless(parser, begin('list'));
  switch (token.kind) {
    case 'scalar': tokens.next(); return Object.assign(begin('scalar'), { to: token.to, value: token.value, plain: token.plain || tag === '!' });
    case '[': return readFlowList(parser, begin('list'));
    case '{': return readFlowMap(parser, begin('map'));
    case '<list': if (block) return readBlockList(parser, begin('list')); break;
    case '<map': if (block) return readBlockMap(parser, begin('map')); break;
    default:
  }
  if (anchor !== '' || tag !== '') return Object.assign(begin('scalar'), { plain: tag === '' });
  throw fault(token, 'did not find expected node content');
}

/** What follows an indicator: a node, or nothing when one of these tokens comes next. */
function optionalNode(parser: Parser, from: number, block: boolean, indentless: boolean, ...without: Token['kind'][]): YamlNode {
  return isOneOf(parser.tokens.peek(), ...without) ? emptyAt(from) : parseNode(parser, block, indentless);
}

function readBlockList(parser: Parser, node: YamlNode): YamlNode {
  const { tokens } = parser;
  tokens.next();
  while (tokens.peek().kind === '-') node.items.push(optionalNode(parser, tokens.next().to, true, false, '-', '>'));
  if (tokens.peek().kind !== '>') throw fault(tokens.peek(), "did not find expected '-' indicator");
  node.to = tokens.next().from;
  return node;
}

/** Items no deeper than the key they belong to. */
function readIndentless(parser: Parser, node: YamlNode): YamlNode {
  const { tokens } = parser;
  while (tokens.peek().kind === '-') node.items.push(optionalNode(parser, tokens.next().to, true, false, '-', '?', ':', '>'));
  node.to = tokens.peek().from;
  return node;
}

function readBlockMap(parser: Parser, node: YamlNode): YamlNode {
  const { tokens } = parser;
  tokens.next();
  for (;;) {
    const token = tokens.peek();
    if (token.kind === '>') break;
    if (token.kind !== '?') throw fault(token, 'did not find expected key');
    const key = optionalNode(parser, tokens.next().from, true, true, '?', ':', '>');
    const value = tokens.peek().kind === ':' ? optionalNode(parser, tokens.next().to, true, true, '?', ':', '>') : emptyAt(key.to);
    node.pairs.push({ key, value });
  }
  node.to = tokens.next().from;
  return node;
}

function readFlowList(parser: Parser, node: YamlNode): YamlNode {
  const { tokens } = parser;
  tokens.next();
  for (let first = true; tokens.peek().kind !== ']'; first = false) {
    if (!first) {
      if (tokens.peek().kind !== ',') throw fault(tokens.peek(), "did not find expected ',' or ']'");
      tokens.next();
      if (tokens.peek().kind === ']') break;
    }
    if (tokens.peek().kind === '?') {
      const map = makeNode('map', tokens.next().from);
      map.pairs.push(readFlowPair(parser, ']'));
      node.items.push(map);
    } else node.items.push(parseNode(parser, false, false));
  }
  node.to = tokens.next().to;
  return node;
}

function readFlowMap(parser: Parser, node: YamlNode): YamlNode {
  const { tokens } = parser;
  tokens.next();
  for (let first = true; tokens.peek().kind !== '}'; first = false) {
    if (!first) {
      if (tokens.peek().kind !== ',') throw fault(tokens.peek(), "did not find expected ',' or '}'");
      tokens.next();
      if (tokens.peek().kind === '}') break;
    }
    if (tokens.peek().kind === '?') {
      tokens.next();
      node.pairs.push(readFlowPair(parser, '}'));
    } else {
      const key = parseNode(parser, false, false);
      node.pairs.push({ key, value: emptyAt(key.to) });
    }
  }
  node.to = tokens.next().to;
  return node;
}

function readFlowPair(parser: Parser, close: ']' | '}'): { key: YamlNode; value: YamlNode } {
  const { tokens } = parser;
  const key = optionalNode(parser, tokens.peek().from, false, false, ':', ',', close);
  if (tokens.peek().kind !== ':') return { key, value: emptyAt(tokens.peek().from) };
  tokens.next();
  return { key, value: optionalNode(parser, tokens.peek().from, false, false, ',', close) };
}
