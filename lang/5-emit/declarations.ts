/** The declarations of one module (`declare.ts`). What has no counterpart in TypeScript is `any`. */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { ModuleBinding, Names } from '../2-resolve/names.ts';
import type { ModuleTypes } from '../3-infer/infer.ts';
import type { ClassInfo, FunctionInfo, ParamInfo, Type } from '../3-infer/types.ts';
import { dirName, pathBelow } from '../project/paths.ts';
import type { ProjectModule } from '../project.ts';
import { identifier, property } from './identifiers.ts';

interface Writing {
  readonly module: ProjectModule;
  readonly names: Names;
  readonly types: ModuleTypes;
  readonly pathOf: (module: string) => string | undefined;
  /** Modules whose values are named, by id: the name they are imported under. */
  readonly imported: Map<string, string>;
}

/** `pathOf`: the file of a module of the project. */
export function moduleDeclarations(
  module: ProjectModule,
  names: Names,
  types: ModuleTypes,
  pathOf: Writing['pathOf'],
): string {
  const w: Writing = { module, names, types, pathOf, imported: new Map() };
  const lines = [...names.bindings.values()].flatMap((binding) => declaration(w, binding));
  const imports = [...w.imported].map(([id, name]) => `import * as ${name} from ${specifier(w, id)};`);
  return ["import * as $ from 'svc-scale';", ...imports, ...lines, 'export {};', ''].join('\n');
}

function declaration(w: Writing, binding: ModuleBinding): string[] {
  const { name } = binding;
  if (!/^[A-Za-z_]\w*$/.test(name)) return [];
  const local = identifier(name);
  const rename = local === name ? [] : [`export { ${local} as ${name} };`];
  const head = local === name ? 'export declare' : 'declare';
  switch (binding.role) {
    case 'archetype':
    case 'enum':
      return [
        ...classText(w, w.types.classOf(binding.decl as ast.Archetype | ast.EnumDecl), `${head} class ${local}`, local),
        ...rename,
      ];
    case 'function':
      return [`${head} function ${local}${functionText(w, binding.decl as ast.FunctionDecl)};`, ...rename];
    case 'alias':
      return binding.decl?.kind === 'TypeAlias'
        ? [`${head} type ${local} = ${typeText(w, w.types.annotation(binding.decl.type))};`, ...rename]
        : [];
    case 'import':
      return imported(w, binding, head, local, rename);
    default:
      return [`${head} const ${local}: ${typeText(w, w.types.ofBinding(binding))};`, ...rename];
  }
}

function imported(w: Writing, binding: ModuleBinding, head: string, local: string, rename: string[]): string[] {
  const target = binding.import;
  if (target?.of === 'member' && w.pathOf(target.module)?.endsWith('.svc'))
    return [`export { ${target.member} as ${binding.name} } from ${specifier(w, target.module)};`];
  return target === undefined || target.of === 'erased' ? [] : [`${head} const ${local}: any;`, ...rename];
}

// ---------------------------------------------------------------- classes

function classText(w: Writing, cls: ClassInfo, head: string, local: string): string[] {
  if (cls.kind === 'enum') return enumText(cls, head, local);
  const [base, ...more] = baseNames(w, cls);
  const members = [constructorText(w, cls), ...fieldTexts(w, cls), ...methodTexts(w, cls)];
  const lines = [`${head} extends ${base} {`, ...members.map((member) => `  ${member}`), '}'];
  if (more.length > 0)
    lines.push(`${head.startsWith('export') ? 'export ' : ''}interface ${local} extends ${more.join(', ')} {}`);
  return lines;
}

const runtimeBases = { obj: '$.Obj', class: '$.Obj', node: '$.Node', edge: '$.Edge', walker: '$.Walker' } as const;
const known = new Set(['Obj', 'Node', 'Edge', 'Walker', 'Root']);

/** Classes of the program that `cls` names as its bases; `bases` has their bases behind them. */
function baseNames(w: Writing, cls: ClassInfo): string[] {
  const inherited = new Set(cls.bases.flatMap((base) => base.bases));
  const direct = cls.bases.filter((base) => !inherited.has(base) && base.kind !== 'runtime' && base.kind !== 'enum');
  if (direct.length > 0) return direct.map((base) => className(w, base, true));
  if (cls.kind === 'walker') return [`$.Walker<${reportsOf(w, cls)}>`];
  return [runtimeBases[cls.kind as keyof typeof runtimeBases] ?? '$.Obj'];
}

/** Writes the type of a walker's reports, as far as its own abilities tell. */
function reportsOf(w: Writing, cls: ClassInfo): string {
  const found = new Set<string>();
  const look = (node: ast.Node): void => {
    if (node.kind === 'ReportStatement')
      found.add(typeText(w, w.types.of((node as unknown as { value: ast.Expression }).value)));
    if (node.kind === 'Ability') {
      const joined = w.names.implOf(node);
      if (joined?.body !== undefined) look(joined.body);
    }
    forEachChild(node, look);
  };
  if (cls.decl !== undefined) look(cls.decl);
  return found.size === 0 || found.size > 4 || found.has('any') ? 'any' : [...found].join(' | ');
}

function constructorText(w: Writing, cls: ClassInfo): string {
  if (cls.kind === 'class' && !cls.methods.has('init') && cls.constructorFields.length === 0)
    return 'constructor(...args: any[]);';
  const init = cls.methods.get('init');
  const params: readonly Pick<ParamInfo, 'name' | 'kind' | 'type' | 'optional'>[] =
    init?.params ??
    cls.constructorFields.map(({ name, type, hasDefault }) => ({ name, kind: 'any', type, optional: hasDefault }));
  return `constructor(${paramsText(w, params)});`;
}

function fieldTexts(w: Writing, cls: ClassInfo): string[] {
  return [...cls.fields.values()]
    .filter((field) => field.owner === cls && !(cls.kind === 'walker' && field.name === 'reports'))
    .map((field) => {
      const isStatic = field.static || cls.kind === 'class' ? 'static ' : '';
      const text = `${member(field.name)}: ${typeText(w, field.type)};`;
      // A `class` has its attributes on the class and on instances.
      return isStatic === '' || field.static ? isStatic + text : `static ${text} ${text}`;
    });
}

function methodTexts(w: Writing, cls: ClassInfo): string[] {
  return [...cls.methods.values()]
    .filter((fn) => fn.owner === cls && fn.name !== 'init' && fn.name !== 'postinit' && !/^__\w+__$/.test(fn.name))
    .map((fn) => {
      const isProperty = fn.decl?.kind === 'FunctionDecl' && fn.decl.decorators.length > 0;
      if (isProperty) return `${member(fn.name)}: any;`;
      const head = fn.receiver === 'self' ? '' : 'static ';
      const decl = fn.decl as ast.FunctionDecl;
      return `${head}${member(fn.name)}${functionText(w, decl)};`;
    });
}

function enumText(cls: ClassInfo, head: string, local: string): string[] {
  const value = cls.primitive === 'int' ? 'number' : cls.primitive === 'str' ? 'string' : 'any';
  return [
    `${head} {`,
    '  private constructor();',
    `  static [Symbol.iterator](): IterableIterator<${local}>;`,
    ...cls.members.map((name) => `  static readonly ${member(name)}: ${local};`),
    '  readonly name: string;',
    `  readonly value: ${value};`,
    '}',
  ];
}

function member(name: string): string {
  return property(name);
}

// ---------------------------------------------------------------- functions and types

function functionText(w: Writing, decl: ast.FunctionDecl): string {
  const fn = w.types.functionOf(decl);
  return `(${paramsText(w, fn.params)}): ${resultText(w, fn, w.types.suspends(decl))}`;
}

// Generated functions take slots: what `*args` and `**kwargs` take is one argument each.
function paramsText(w: Writing, params: readonly Pick<ParamInfo, 'name' | 'kind' | 'type' | 'optional'>[]): string {
  const lastRequired = params.findLastIndex(({ kind, optional }) => !optional && kind !== 'args' && kind !== 'kwargs');
  return params
    .map(({ name, kind, type, optional }, i) => {
      const text =
        kind === 'args'
          ? `readonly ${typeText(w, type.t === 'tuple' ? type.of : type)}[]`
          : kind === 'kwargs'
            ? '$.Dict<any>'
            : typeText(w, type);
      const isOptional = optional || kind === 'args' || kind === 'kwargs';
      // TypeScript has no required parameter behind an optional one.
      if (isOptional && i < lastRequired) return `${identifier(name)}: ${text} | undefined`;
      return `${identifier(name)}${isOptional ? '?' : ''}: ${text}`;
    })
    .join(', ');
}

function resultText(w: Writing, fn: FunctionInfo, suspends: boolean): string {
  const result = typeText(w, fn.result);
  if (fn.generator || fn.streams) return 'any';
  if (fn.async) return result.startsWith('Promise<') ? result : `Promise<${result}>`;
  return suspends ? `$.Waiting<${result}>` : result;
}

function typeText(w: Writing, type: Type): string {
  switch (type.t) {
    case 'none':
      return 'null';
    case 'bool':
      return 'boolean';
    case 'int':
    case 'float':
      return 'number';
    case 'str':
      return 'string';
    case 'bytes':
      return '$.Bytes';
    case 'list':
      return `Array<${typeText(w, type.of)}>`;
    case 'set':
    case 'frozenset':
      return `$.SetOf<${typeText(w, type.of)}>`;
    case 'iterator':
      return `Iterable<${typeText(w, type.of)}>`;
    case 'dict':
      return type.key.t === 'str' || type.key.t === 'any' ? `$.Dict<${typeText(w, type.value)}>` : 'any';
    case 'tuple': {
      const items = type.items?.map((item) => typeText(w, item));
      return items === undefined
        ? `{ readonly items: readonly ${typeText(w, type.of)}[] }`
        : `{ readonly items: readonly [${items.join(', ')}] }`;
    }
    case 'union': {
      const of = type.of.map((one) => typeText(w, one));
      return of.includes('any') ? 'any' : [...new Set(of)].join(' | ');
    }
    case 'instance':
      return className(w, type.cls, false);
    case 'class':
      return type.cls.kind === 'runtime' ? 'any' : `typeof ${className(w, type.cls, true)}`;
    case 'awaitable':
      return `Promise<${typeText(w, type.of)}>`;
    case 'function':
    case 'method':
      return '(...args: any[]) => any';
    case 'any':
      return type.claim === undefined ? 'any' : typeText(w, type.claim);
    default:
      return 'any';
  }
}

/** Gives the name of a class in this file: those of other modules through an import of the module. */
function className(w: Writing, cls: ClassInfo, isValue: boolean): string {
  if (cls.kind === 'foreign') return 'any';
  if (cls.kind === 'runtime' || cls.module === '') return known.has(cls.name) ? `$.${cls.name}` : 'any';
  const isOfModule = cls.decl !== undefined && hasName(w, cls);
  if (cls.module === w.module.id) return isOfModule ? identifier(cls.name) : 'any';
  if (w.pathOf(cls.module)?.endsWith('.svc') !== true) return 'any';
  if (!isValue) return `import(${specifier(w, cls.module)}).${cls.name}`;
  const name = w.imported.get(cls.module) ?? `$m${w.imported.size + 1}`;
  w.imported.set(cls.module, name);
  return `${name}.${cls.name}`;
}

// Classes inside of classes and functions have no name that others could write.
function hasName(w: Writing, cls: ClassInfo): boolean {
  return cls.module !== w.module.id || w.names.bindings.get(cls.name)?.decl === cls.decl;
}

function specifier(w: Writing, id: string): string {
  const from = dirName(w.module.path);
  const to = w.pathOf(id) ?? '';
  const way = relativePath(from, to);
  return JSON.stringify(way.startsWith('.') ? way : `./${way}`);
}

function relativePath(from: string, to: string): string {
  if (pathBelow(to, from) !== undefined) return to.slice(from.length + 1);
  let up = from;
  let steps = '';
  while (up !== '/' && !to.startsWith(`${up}/`)) {
    up = dirName(up);
    steps += '../';
  }
  return steps + to.slice(up === '/' ? 1 : up.length + 1);
}
