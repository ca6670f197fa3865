/**
 * Loader of programs: finds the walkers and functions that clients can reach by looking at those registered
 * (docs/server/programs.md#access).
 */
import { docOf } from '../../library/classes/doc-of.ts';
import { isProgramFunction, specOf } from '../../library/classes/func.ts';
import { type ClassMeta, metaOf } from '../../library/classes/meta.ts';
import { type ClassTable, inOrder, snapshotClasses } from '../../library/classes/registry.ts';
import type { AccessTag, FunctionSpec, RestSpec } from '../../library/classes/spec.ts';
import { legacySpecsOf } from './legacy-specs.ts';
import { type FunctionTarget, type Program, ProgramError, type WalkerTarget } from './program.ts';
import { isScheduled, plainRest, restOf } from './rest-spec.ts';
import { claimedPaths, validateTargets } from './validate.ts';

export interface LoadOptions {
  /** Id of the entry module, as its declarations carry it. */
  readonly entry: string;
  /** Exports of the entry module: its own declarations and those it imports or includes by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  /** Path of the metrics endpoint, which no target may claim. */
  readonly metricsEndpoint?: string;
  /** Functions that are served: `marked` ones, or `all` without an underscore in front, as older programs expect. */
  readonly functions?: 'marked' | 'all';
}

/** @throws ProgramError with every problem of docs/server/programs.md#start-validation */
export function loadProgram(options: LoadOptions): Program {
  const { entry, exports, metricsEndpoint = '/metrics' } = options;
  const named = namedByClient(exports);
  const values = [...new Set([...Object.values(exports), ...named])];
  const metas = values.flatMap((value) => {
    const meta = metaOf(value);
    return meta?.kind === 'walker' && meta.module !== '' ? [meta] : [];
  });
  const fns = values.filter(isProgramFunction) as ((...args: any[]) => unknown)[];
  const warnings: string[] = [];
  const walkers = ownFirst(metas, (meta) => meta.spec, entry)
    .filter((meta) => isServedWalker(meta, entry, named))
    .flatMap((meta) => walkerTarget(meta, entry, warnings));
  const declared = ownFirst(fns, (fn) => specOf(fn)!, entry)
    .filter((fn) => specOf(fn)!.qualname === specOf(fn)!.name)
    .map((fn) => functionTarget(fn, specOf(fn)!, entry));
  const functions = declared.filter((target) => isServedFunction(target, options.functions ?? 'marked'));
  for (const { fn, name } of declared) if (isScheduled(fn)) warnings.push(notScheduled(name));
  const problems = validateTargets({ walkers, functions, metricsEndpoint });
  if (problems.length > 0) throw new ProgramError(problems);
  warnings.push(...claimedPaths([...walkers, ...functions]));
  const classes = snapshotClasses();
  warnings.push(...unexportedWalkers(classes, entry, metas));
  const internal = declared.filter((target) => !functions.includes(target)).map(({ name }) => name);
  return { entry, walkers, functions, internal, classes, warnings };
}

/** Functions and walkers of other modules that only client code of the program names (`$remote`, lang/5-emit/remote.ts). */
function namedByClient({ $remote }: LoadOptions['exports']): readonly unknown[] {
  return typeof $remote === 'function' ? ($remote() as readonly unknown[]) : [];
}

/** TypeScript serves what it exports: `@walker class Ask` without `export` is easily forgotten. */
function unexportedWalkers(classes: ClassTable, entry: string, exported: readonly ClassMeta[]): string[] {
  return [...classes.all()].flatMap((cls) => {
    const meta = metaOf(cls);
    const isOwn = meta?.kind === 'walker' && meta.module === entry && /\.[cm]?tsx?:\d/.test(meta.spec.at ?? '');
    return isOwn && !exported.includes(meta) ? [`${meta.name}: not served, because its file does not export it`] : [];
  });
}

/** Declarations of the entry module in the order of its text, then imported ones in that of theirs. */
function ownFirst<T>(
  items: readonly T[],
  specOfItem: (item: T) => { readonly module: string; readonly at?: string },
  entry: string,
): T[] {
  const sorted = (list: readonly T[]) =>
    inOrder(list.map((item) => ({ item, ...place(specOfItem(item)) }))).map(({ item }) => item);
  const isOwn = (item: T) => specOfItem(item).module === entry;
  return [...sorted(items.filter(isOwn)), ...sorted(items.filter((item) => !isOwn(item)))];
}

function place({ at }: { readonly at?: string }): { readonly at?: string } {
  return at === undefined ? {} : { at };
}

function accessOf(tag: AccessTag): 'pub' | 'default' | 'protect' | 'priv' {
  return tag ?? 'default';
}

/** A private walker belongs to its own module: imported, only pages of the program that walk it see it over the network (docs/decisions/0965). */
function isServedWalker({ name, module, cls, spec }: ClassMeta, entry: string, named: readonly unknown[]): boolean {
  return !name.startsWith('_') && (spec.access !== 'priv' || module === entry || named.includes(cls));
}

function walkerTarget(meta: ClassMeta, entry: string, warnings: string[]): WalkerTarget[] {
  const { name, module, cls } = meta;
  const imported = module !== entry;
  const access = accessOf(meta.spec.access);
  const given = restOf(cls);
  const legacy = given === undefined ? legacySpecsOf(cls, name) : undefined;
  if (isScheduled(cls) || legacy?.isScheduled === true) warnings.push(notScheduled(name));
  if (legacy !== undefined) warnings.push(...legacy.warnings);
  if (legacy?.isHidden === true) return [];
  const rest = given ?? legacy?.rest ?? plainRest;
  return [
    {
      kind: 'walker',
      name,
      module,
      imported,
      access,
      isPublic: access === 'pub' || legacy?.isPublic === true,
      isAsync: meta.isAsync,
      doc: docOf(meta.spec) ?? '',
      rest: legacy?.path === undefined ? rest : { ...rest, path: legacy.path },
      methods: legacy?.methods ?? [rest.method],
      path: legacy?.path ?? pathOf(rest, 'walker', name),
      queryFields: legacy?.queryFields ?? [],
      excludedFields: legacy?.excludedFields,
      meta,
    },
  ];
}

/**
 * A function is an endpoint when it says so: by an access marker or `restspec`, or because client code of the program calls it. The same holds for
 * those of other modules, also with `:priv`, which is a marker here and not what it is for walkers (docs/server/functions.md#served).
 */
function isServedFunction({ name, access, fn, spec }: FunctionTarget, rule: 'marked' | 'all'): boolean {
  if (name.startsWith('_')) return false;
  return rule === 'all' || access !== 'default' || spec.endpoint === true || restOf(fn) !== undefined;
}

function functionTarget(fn: (...args: any[]) => unknown, spec: FunctionSpec, entry: string): FunctionTarget {
  const { name, module } = spec;
  const access = accessOf(spec.access);
  const rest = restOf(fn) ?? plainRest;
  return {
    kind: 'function',
    name,
    module,
    imported: module !== entry,
    access,
    isPublic: access === 'pub',
    isAsync: spec.async === true,
    doc: docOf(spec) ?? '',
    rest,
    methods: [rest.method],
    path: pathOf(rest, 'function', name),
    queryFields: [],
    fn,
    spec,
  };
}

function notScheduled(name: string): string {
  return `${name}: schedule is not run in this release`;
}

function pathOf(rest: RestSpec, kind: 'walker' | 'function', name: string): string {
  if (rest.protocol === 'WEBHOOK') return `/webhook/${name}`;
  if (rest.protocol === 'WEBSOCKET') return kind === 'walker' ? `/ws/${name}` : `/ws/function/${name}`;
  return rest.path === '' ? `/${kind}/${name}` : rest.path;
}
