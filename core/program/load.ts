/** From loaded modules to a program: which walkers and functions clients can reach, by looking at what is registered (server.md 4.3). */
import { docOf } from '../archetypes/doc-of.ts';
import { isProgramFunction, specOf } from '../archetypes/func.ts';
import { type ClassMeta, metaOf } from '../archetypes/meta.ts';
import { type ClassTable, inOrder, snapshotClasses } from '../archetypes/registry.ts';
import type { AccessTag, FunctionSpec, RestSpec } from '../archetypes/spec.ts';
import { legacySpecsOf } from './legacy-specs.ts';
import { type FunctionTarget, type Program, ProgramError, type WalkerTarget } from './program.ts';
import { isScheduled, plainRest, restOf } from './rest-spec.ts';
import { claimedPaths, validateTargets } from './validate.ts';

export interface LoadOptions {
  /** Id of the entry module, as its declarations carry it. */
  readonly entry: string;
  /** What the entry module exports: its own declarations and those it imports or includes by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  /** Path of the metrics endpoint, which no target may claim. */
  readonly metricsEndpoint?: string;
}

/** @throws ProgramError with every problem of server.md 2.4 */
export function loadProgram({ entry, exports, metricsEndpoint = '/metrics' }: LoadOptions): Program {
  const values = [...new Set(Object.values(exports))];
  const metas = values.flatMap((value) => {
    const meta = metaOf(value);
    return meta?.kind === 'walker' && meta.module !== '' ? [meta] : [];
  });
  const fns = values.filter(isProgramFunction) as ((...args: any[]) => unknown)[];
  const warnings: string[] = [];
  const walkers = ownFirst(metas, (meta) => meta.spec, entry).flatMap((meta) => walkerTarget(meta, entry, warnings));
  const functions = ownFirst(fns, (fn) => specOf(fn)!, entry).flatMap((fn) =>
    functionTarget(fn, specOf(fn)!, entry, warnings),
  );
  const problems = validateTargets({ walkers, functions, metricsEndpoint });
  if (problems.length > 0) throw new ProgramError(problems);
  warnings.push(...claimedPaths([...walkers, ...functions]));
  const classes = snapshotClasses();
  warnings.push(...unexportedWalkers(classes, entry, metas));
  return { entry, walkers, functions, classes, warnings };
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

/** A private declaration belongs to its own module: imported, the network does not see it. */
function isServed(name: string, access: string, imported: boolean): boolean {
  return !name.startsWith('_') && !(access === 'priv' && imported);
}

function walkerTarget(meta: ClassMeta, entry: string, warnings: string[]): WalkerTarget[] {
  const { name, module, cls } = meta;
  const imported = module !== entry;
  const access = accessOf(meta.spec.access);
  const given = restOf(cls);
  const legacy = given === undefined ? legacySpecsOf(cls, name) : undefined;
  if (isScheduled(cls) || legacy?.isScheduled === true) warnings.push(`${name}: schedule is not run in this release`);
  if (legacy !== undefined) warnings.push(...legacy.warnings);
  if (legacy?.isHidden === true || !isServed(name, access, imported)) return [];
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

function functionTarget(
  fn: (...args: any[]) => unknown,
  spec: FunctionSpec,
  entry: string,
  warnings: string[],
): FunctionTarget[] {
  const { name, module } = spec;
  const imported = module !== entry;
  const access = accessOf(spec.access);
  if (isScheduled(fn)) warnings.push(`${name}: schedule is not run in this release`);
  if (spec.qualname !== name || !isServed(name, access, imported)) return [];
  const rest = restOf(fn) ?? plainRest;
  const isAsync = spec.async === true;
  const doc = docOf(spec) ?? '';
  const path = pathOf(rest, 'function', name);
  return [
    {
      kind: 'function',
      name,
      module,
      imported,
      access,
      isPublic: access === 'pub',
      isAsync,
      doc,
      rest,
      methods: [rest.method],
      path,
      queryFields: [],
      fn,
      spec,
    },
  ];
}

function pathOf(rest: RestSpec, kind: 'walker' | 'function', name: string): string {
  if (rest.protocol === 'WEBHOOK') return `/webhook/${name}`;
  if (rest.protocol === 'WEBSOCKET') return `/ws/${name}`;
  return rest.path === '' ? `/${kind}/${name}` : rest.path;
}
