import { edited } from './edit.ts';
import type { Fn, Module, Part } from './modules.ts';

/** The texts of the modules, in two halves: what the first film needs, and the rest. */
export interface Split {
  first: Map<string, string>;
  /** In the order of evaluation. */
  rest: Map<string, string>;
  /** How many functions of the first half are called through their number, because they stand in the rest. */
  doors: number;
}

/** The suffix that names the rest of a module. */
export const restOf = (file: string): string => `${file}?rest`;

/** Functions shorter than this that refer to nothing stay: a door is as long. */
const shortest = 60;

/**
 * Parts the modules by what ran: everything that the entry reaches through functions that were called is the first half. A function that was not
 * called but is named there becomes a door: a call through the table of `doorsFile`, which the rest fills when it is loaded.
 */
export function split(modules: ReadonlyMap<string, Module>, entry: string, doorsFile: string, wasCalled: (fn: Fn) => boolean): Split {
  return new Splitter(modules, entry, doorsFile, wasCalled).split();
}

class Splitter {
  private readonly inFirst = new Set<Part>();
  private readonly inRest = new Set<Part>();
  private readonly doors = new Map<Fn, number>();
  private readonly owners = new Map<string, Part>();

  constructor(
    private readonly modules: ReadonlyMap<string, Module>,
    private readonly entry: string,
    private readonly doorsFile: string,
    private readonly wasCalled: (fn: Fn) => boolean,
  ) {
    for (const module of modules.values()) for (const part of module.parts) for (const name of part.declares) this.owners.set(`${module.file} ${name}`, part);
  }

  split(): Split {
    for (const module of this.modules.values()) {
      for (const part of module.parts) if (this.isRoot(part)) this.reachFirst(part);
    }
    for (const part of this.inFirst) for (const fn of part.functions) if (this.isCold(fn)) this.openDoor(fn);
    const first = new Map<string, string>();
    const rest = new Map<string, string>();
    for (const module of this.modules.values()) {
      first.set(module.file, this.firstText(module));
      const text = this.restText(module);
      if (text !== undefined) rest.set(module.file, text);
    }
    return { first, rest, doors: this.doors.size };
  }

  private isRoot(part: Part): boolean {
    const { file } = part.module;
    return file === this.entry || file === this.doorsFile || (part.declares.length === 0 && !this.completes(part));
  }

  /** A statement that only completes what its module declares ('for each row: table.set()') goes where that is. Every other one may matter to all. */
  private completes(part: Part): boolean {
    const names = this.namesIn(part.module, part.start, part.end);
    const own = this.ownIn(part);
    return part.declares.length === 0 && own.length > 0 && own.length === names.length && own.every(({ functions }) => functions.length === 0);
  }

  /** The parts of its own module that a part names. */
  private ownIn({ module, start, end }: Part): Part[] {
    return this.namesIn(module, start, end).flatMap(({ name }) => this.owners.get(`${module.file} ${name}`) ?? []);
  }

  private completionsOf(part: Part): Part[] {
    return part.module.parts.filter((other) => this.completes(other) && this.ownIn(other).includes(part));
  }

  private isCold(fn: Fn): boolean {
    const { module } = fn.part;
    if (fn.fixed || module.file === this.entry || module.file === this.doorsFile || this.wasCalled(fn)) return false;
    return fn.end - fn.start >= shortest || this.namesIn(module, fn.start, fn.end).length > 0;
  }

  /** The part that a name of a module stands for. */
  private find(module: Module, name: string): Part | undefined {
    const own = this.owners.get(`${module.file} ${name}`);
    if (own !== undefined) return own;
    const imported = module.imports.get(name);
    return imported === undefined || imported.name === '*' ? undefined : this.findExport(imported.file, imported.name);
  }

  private findExport(file: string, name: string): Part {
    const module = this.modules.get(file);
    const target = module?.exports.get(name);
    const part = module === undefined || target === undefined ? undefined : typeof target === 'string' ? this.find(module, target) : this.findExport(target.file, target.name);
    if (part === undefined) throw new Error(`${file} has no ${name}`);
    return part;
  }

  private namesIn(module: Module, start: number, end: number, without: readonly Fn[] = []): Module['names'] {
    return module.names.filter(({ name, at }) => at >= start && at < end && !without.some((fn) => at >= fn.start && at < fn.end) && (this.owners.has(`${module.file} ${name}`) || module.imports.has(name)));
  }

  private targetsIn(module: Module, start: number, end: number, without?: readonly Fn[]): Part[] {
    return this.namesIn(module, start, end, without).flatMap(({ name, member }) => {
      const space = module.imports.get(name);
      if (space?.name !== '*') return this.find(module, name) ?? [];
      if (member === undefined) throw new Error(`${module.file}: ${name} is used as a whole`);
      return this.findExport(space.file, member);
    });
  }

  private reachFirst(part: Part): void {
    if (this.inFirst.has(part)) return;
    this.inFirst.add(part);
    const { module } = part;
    const cold = part.functions.filter((fn) => this.isCold(fn));
    for (const target of [...this.targetsIn(module, part.start, part.end, cold), ...this.completionsOf(part)]) this.reachFirst(target);
  }

  private openDoor(fn: Fn): void {
    this.doors.set(fn, this.doors.size);
    if (fn.declares !== undefined) this.inRest.add(fn.part);
    for (const target of this.targetsIn(fn.part.module, fn.start, fn.end)) this.reachRest(target);
  }

  private reachRest(part: Part): void {
    if (this.inRest.has(part) || (this.inFirst.has(part) && !this.isDoor(part))) return;
    this.inRest.add(part);
    for (const target of [...this.targetsIn(part.module, part.start, part.end), ...this.completionsOf(part)]) this.reachRest(target);
  }

  /** Declares a function that stands in the rest, with a door to it. */
  private isDoor(part: Part): boolean {
    const [fn] = part.functions;
    return fn?.declares !== undefined && this.isCold(fn);
  }

  private firstText(module: Module): string {
    const parts = module.parts.filter((part) => this.inFirst.has(part));
    const used = new Set<string>();
    const texts = parts.map((part) => {
      const cold = part.functions.filter((fn) => this.doors.has(fn));
      for (const { name } of this.namesIn(module, part.start, part.end, cold)) if (module.imports.has(name)) used.add(name);
      return edited(module.code, part.start, part.end, cold.map((fn) => ({ from: fn.start, to: fn.end, text: this.doorText(fn) })));
    });
    // Everything is evaluated in the order of before.
    const lines = module.sources.map(({ file }) => `import ${JSON.stringify(file)};`);
    lines.push(...this.importLines(module, used, (target) => this.fileOf(target, false)));
    const hasDoor = parts.some((part) => part.functions.some((fn) => this.doors.has(fn)));
    if (hasDoor) lines.push(`import { doors as $doors } from ${JSON.stringify(this.doorsFile)};`);
    const last = module.file === this.doorsFile ? [`for (let i = 0; i < ${this.doors.size}; i++) doors.push(closed);`] : [];
    return [...lines, ...texts, ...last, exportLine(parts.flatMap((part) => part.declares))].join('\n');
  }

  private doorText(fn: Fn): string {
    const door = `$doors[${this.doors.get(fn) as number}]`;
    if (fn.shape === 'getter') return `() { return ${door}.call(this); }`;
    if (fn.shape === 'method') return `(...a) { return ${door}.apply(this, a); }`;
    if (fn.shape === 'declaration') return `function ${fn.declares as string}(...a) { return ${door}(...a); }`;
    return `(...a) => ${door}(...a)`;
  }

  private restText(module: Module): string | undefined {
    const parts = module.parts.filter((part) => this.inRest.has(part));
    const doors = module.parts.flatMap((part) => part.functions.filter((fn) => this.doors.has(fn)));
    if (parts.length === 0 && doors.length === 0) return undefined;
    const used = new Set<string>();
    const own = new Set(parts.flatMap((part) => part.declares));
    const stretches = [...parts, ...doors.filter((fn) => fn.declares === undefined)];
    for (const { start, end } of stretches) for (const { name } of this.namesIn(module, start, end)) if (!own.has(name)) used.add(name);
    const lines = this.importLines(module, used, (target) => this.fileOf(target, true));
    if (doors.length > 0) lines.push(`import { doors as $doors } from ${JSON.stringify(this.doorsFile)};`);
    const texts = parts.map((part) => module.code.slice(part.start, part.end));
    const filled = doors.map((fn) => {
      const text = module.code.slice(fn.start, fn.end);
      return `$doors[${this.doors.get(fn) as number}] = ${fn.declares ?? (fn.shape === 'method' || fn.shape === 'getter' ? `function ${text}` : text)};`;
    });
    return [...lines, ...texts, ...filled, exportLine([...own])].join('\n');
  }

  /** Where a part is to be imported from. */
  private fileOf(part: Part, byRest: boolean): string {
    return byRest && this.inRest.has(part) ? restOf(part.module.file) : part.module.file;
  }

  private importLines(module: Module, used: ReadonlySet<string>, fileOf: (part: Part) => string): string[] {
    const lines: string[] = [];
    for (const name of used) {
      const space = module.imports.get(name);
      if (space?.name === '*') {
        lines.push(...this.spaceLines(module, name, space.file, fileOf));
        continue;
      }
      const part = this.find(module, name) as Part;
      const original = this.originalName(module, name);
      lines.push(`import { ${original === name ? name : `${original} as ${name}`} } from ${JSON.stringify(fileOf(part))};`);
    }
    return lines;
  }

  /** `import * as space`: one object of what is used of it. */
  private spaceLines(module: Module, name: string, file: string, fileOf: (part: Part) => string): string[] {
    const members = [...new Set(module.names.flatMap((item) => (item.name === name ? [item.member as string] : [])))].filter((member) => {
      const part = this.findExport(file, member);
      return this.inFirst.has(part) || fileOf(part) !== part.module.file;
    });
    const imports = members.map((member) => `import { ${member} as ${name}$${member} } from ${JSON.stringify(fileOf(this.findExport(file, member)))};`);
    return [...imports, `const ${name} = { ${members.map((member) => `${member}: ${name}$${member}`).join(', ')} };`];
  }

  /** What a name of a module is called where it is declared. */
  private originalName(module: Module, name: string): string {
    if (this.owners.has(`${module.file} ${name}`)) return name;
    let { file, name: exported } = module.imports.get(name) as { file: string; name: string };
    for (;;) {
      const target = (this.modules.get(file) as Module).exports.get(exported) as string | { file: string; name: string };
      if (typeof target !== 'string') ({ file, name: exported } = target);
      else return this.originalName(this.modules.get(file) as Module, target);
    }
  }
}

const exportLine = (names: readonly string[]): string => `export { ${names.join(', ')} };`;
