/**
 * Server output of one module: an ES module and its source map (decisions/0001,
 * docs/architecture.md#source-to-application; docs/language/generated-code.md#contracts).
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import type { Names } from '../2-resolve/names.ts';
import type { Types } from '../3-infer/types.ts';
import type { ProjectModule } from '../project.ts';
import { positionAt, type Source } from '../source.ts';
import type { EmitOptions, Unit } from './context.ts';
import { beginDebugging } from './debugging.ts';
import { moduleParts } from './module.ts';
import { print, type SourceMap } from './printer.ts';

export interface Emitted {
  readonly code: string;
  readonly map: SourceMap;
}

export interface EmittedServer extends Emitted {
  /** Ids of the modules of the project that it imports. */
  readonly imports: readonly string[];
}

/** Code of a project module. `file` is the name of the generated file, for its source map. */
export function emitServer(
  module: ProjectModule,
  names: Names,
  types: Types,
  options: EmitOptions,
  file: string,
): EmittedServer {
  const imports = new Set<string>();
  const moduleSpecifier = (id: string) => {
    imports.add(id);
    return options.moduleSpecifier(id);
  };
  const u = makeUnit(module, names, types, { ...options, moduleSpecifier });
  const printed = print(moduleParts(u, module.tree, module.submodules), file, module.sources);
  const { debugging } = u;
  const map = debugging === undefined ? printed.map : { ...printed.map, x_svc_debug: debugging.tables };
  return { ...printed, map, imports: [...imports] };
}

function makeUnit(module: ProjectModule, names: Names, types: Types, options: EmitOptions): Unit {
  const { sources } = module;
  const files = new Map(sources.map((source, i) => [source, i]));
  return {
    id: module.id,
    path: module.source.path,
    names,
    types,
    options,
    fileOf: sources.length === 1 ? () => 0 : (node) => files.get(module.sourceOf(node)) ?? 0,
    position: (number, offset) => {
      const source = sources[number] ?? module.source;
      const { line, column } = positionAt(source, offset);
      return { path: source.path, line, column };
    },
    constants: [],
    moduleNames: new Map(),
    sem: new Map(),
    described: new Map(),
    namespaces: new Map(),
    foreign: new Map(),
    standard: new Set(),
    renamed: new Map(),
    classCode: new Map(),
    defaults: new Map(),
    computed: new Map(),
    spines: module.tree.spines,
    guarded: new Set(),
    sums: new Map(),
    counters: new Map(),
    limits: new Map(),
    late: new Set(),
    clientNodes: clientNodes(module.tree.body, names),
    hasWalrus: sources.some((source) => source.text.includes(':=')) || holdsSlots(module.tree, sources),
    hasYield: sources.some((source) => source.text.includes('yield')),
    debugging: options.debug === true ? beginDebugging(module.tree) : undefined,
    doc: module.tree.doc?.value,
    file: 0,
    serial: 0,
    depth: 0,
    topTemps: 0,
  };
}

/** Statements in slots of markup assign, too. */
function holdsSlots(tree: ast.Module, sources: readonly Source[]): boolean {
  if (!sources.some(({ text }) => text.includes('/>') || text.includes('</'))) return false;
  return containsNode(tree, (node) => node.kind === 'MarkupSlot' && node.statements !== undefined);
}

function clientNodes(list: readonly ast.Element[], names: Names): Set<ast.Node> {
  const found = new Set<ast.Node>();
  const visit = (element: ast.Element): void => {
    if (element.kind === 'PlacedBlock') element.body.forEach(visit);
    else if (!names.isServer(element)) {
      found.add(element);
      if (element.kind === 'GlobDecl' || element.kind === 'ImportModules' || element.kind === 'ImportFrom') {
        for (const item of element.items) found.add(item);
      }
    }
  };
  list.forEach(visit);
  return found;
}
