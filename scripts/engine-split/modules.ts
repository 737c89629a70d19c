import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, transformSync } from 'rolldown/utils';

/** A module of the engine, taken apart into its top-level statements and their outermost functions. Its code is JavaScript: the types are gone. */
export interface Module {
  file: string;
  code: string;
  /** By local name; the name '*' is the whole module. */
  imports: Map<string, Binding>;
  /** Every module that it imports or exports from, with the place of the text that names it. */
  sources: { file: string; start: number; end: number }[];
  /** By exported name: what it is called here, or where it comes from. */
  exports: Map<string, string | Binding>;
  parts: Part[];
  /** Identifiers that may stand for a binding of the module, in order of place. */
  names: { name: string; at: number; member?: string }[];
}

export interface Binding {
  file: string;
  name: string;
}

/** A top-level statement, other than imports and lists of exports. */
export interface Part {
  module: Module;
  start: number;
  end: number;
  /** None: a statement that does something. */
  declares: string[];
  functions: Fn[];
}

/** An outermost function: what it refers to is its own, the module's or global, so it can stand in another module as it is. */
export interface Fn {
  part: Part;
  start: number;
  end: number;
  /** Where its body starts. */
  body: number;
  isBlock: boolean;
  /** The statement declares this function and nothing else. */
  declares?: string;
  shape: 'declaration' | 'value' | 'method' | 'getter';
  /** Must stay in its place: a constructor, a generator, one that uses what only its place has or sets a variable of the module. */
  fixed: boolean;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** All modules that an entry reaches by static imports, in the order of their evaluation. */
export function readModules(entry: string): Map<string, Module> {
  const modules = new Map<string, Module>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const module = readModule(file, readFileSync(file, 'utf8'));
    for (const source of module.sources) visit(source.file);
    modules.set(file, module);
  };
  visit(entry);
  return modules;
}

export function readModule(file: string, text: string): Module {
  const { code, errors } = transformSync(file, text, { sourcemap: false });
  if (errors.length > 0) throw new Error(`${file}: ${String(errors[0])}`);
  const module: Module = { file, code, imports: new Map(), sources: [], exports: new Map(), parts: [], names: [] };
  for (const statement of parseSync(file.replace(/\.ts$/, '.js'), code).program.body as unknown as Node[]) readStatement(module, statement);
  const variables = new Set(module.parts.filter((part) => /^(export )?let /.test(code.slice(part.start, part.end))).flatMap((part) => part.declares));
  for (const part of module.parts) for (const fn of part.functions) fn.fixed ||= variables.size > 0 && setsOne(module, fn, variables);
  return module;
}

const setsOne = ({ code }: Module, fn: Fn, variables: ReadonlySet<string>): boolean =>
  [...variables].some((name) => new RegExp(`(\\+\\+|--)${name}\\b|\\b${name}\\s*([-+*/%&|^?]{0,3}=[^=]|\\+\\+|--)`).test(code.slice(fn.start, fn.end)));

function readStatement(module: Module, node: Node): void {
  const source = node.source as (Node & { value: string }) | null | undefined;
  const file = source == null ? '' : join(dirname(module.file), source.value);
  if (source != null) module.sources.push({ file, start: source.start, end: source.end });
  if (node.type === 'ImportDeclaration') {
    for (const item of node.specifiers as (Node & { local: { name: string }; imported?: { name: string } })[]) {
      module.imports.set(item.local.name, { file, name: item.imported?.name ?? '*' });
    }
  } else if (node.type === 'ExportNamedDeclaration' && node.declaration === null) {
    for (const { local, exported } of node.specifiers as { local: { name: string }; exported: { name: string } }[]) {
      module.exports.set(exported.name, source == null ? local.name : { file, name: local.name });
    }
  } else if (node.type === 'ExportAllDeclaration' || node.type === 'ExportDefaultDeclaration') {
    throw new Error(`${module.file}: exports of the engine have names`);
  } else {
    readPart(module, node);
  }
}

function readPart(module: Module, statement: Node): void {
  const node = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node) : statement;
  const part: Part = { module, start: node.start, end: node.end, declares: [], functions: [] };
  if (node.type === 'VariableDeclaration') {
    for (const { id } of node.declarations as { id: Node }[]) part.declares.push(...patternNames(id));
  } else if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
    part.declares.push((node.id as unknown as { name: string }).name);
  }
  if (node !== statement) for (const name of part.declares) module.exports.set(name, name);
  module.parts.push(part);
  walk(part, node, undefined, { inFunction: false, method: undefined });
  const only = part.functions[0];
  if (only !== undefined && part.declares.length === 1 && isWhole(node, only)) only.declares = part.declares[0] as string;
}

function isWhole(node: Node, fn: Fn): boolean {
  if (node.type === 'FunctionDeclaration') return true;
  const declarations = node.declarations as { init: Node | null }[] | undefined;
  return declarations?.length === 1 && declarations[0]?.init?.start === fn.start && declarations[0].init.end === fn.end;
}

function patternNames(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name as string];
  const inner = [node.properties, node.elements, node.value, node.argument, node.left].flat().filter(isNode);
  return inner.flatMap(patternNames);
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

interface Place {
  inFunction: boolean;
  /** The method or property whose value comes next. */
  method: Node | undefined;
}

function walk(part: Part, node: Node, parent: Node | undefined, place: Place): void {
  const { module } = part;
  let inFunction = place.inFunction;
  if (node.type === 'Identifier') {
    const isSpace = parent?.type === 'MemberExpression' && parent.object === node && parent.computed === false;
    module.names.push({ name: node.name as string, at: node.start, ...(isSpace ? { member: (parent.property as { name?: string }).name ?? '' } : {}) });
    return;
  }
  if (functionTypes.has(node.type) && !inFunction) {
    part.functions.push(describe(part, node, place.method));
    inFunction = true;
  }
  for (const [key, value] of Object.entries(node)) {
    for (const child of (Array.isArray(value) ? value : [value]).filter(isNode)) {
      // The name of a member is no reference.
      if ((key === 'property' || key === 'key') && node.computed === false && child.type === 'Identifier') continue;
      const isMethod = key === 'value' && (node.type === 'MethodDefinition' || node.method === true || node.kind === 'get' || node.kind === 'set');
      walk(part, child, node, { inFunction, method: isMethod ? node : undefined });
    }
  }
}

function describe(part: Part, node: Node, method: Node | undefined): Fn {
  const { code } = part.module;
  const text = code.slice(node.start, node.end);
  const body = node.body as Node;
  const isArrow = node.type === 'ArrowFunctionExpression';
  const usesPlace = /\bsuper\b|\bnew\.target\b|\.#|\barguments\b|#\w+ in\b/.test(text) || (isArrow && /\bthis\b/.test(text));
  const shape = method?.kind === 'get' ? 'getter' : method !== undefined ? 'method' : node.type === 'FunctionDeclaration' ? 'declaration' : 'value';
  const fixed = usesPlace || node.generator === true || node.async === true || (shape === 'value' && !isArrow && /\bthis\b/.test(text)) || method?.kind === 'constructor' || method?.kind === 'set';
  return { part, start: node.start, end: node.end, body: body.start, isBlock: body.type === 'BlockStatement', shape, fixed };
}
