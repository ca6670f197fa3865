/** What the program makes of what is stored, told before it is served (server.md 15.9, decisions/0136). */
import { snapshotClasses } from '../../core/archetypes/registry.ts';
import type { Config } from '../../core/config/config.ts';
import { findStoredChanges, losing, type StoredChange, type StoredChanges } from '../../core/memory/stored-changes.ts';
import type { AppFile } from '../app-file.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { loadTypes, requireStoredGraph } from './load-types.ts';
import { openRuntime } from './open-runtime.ts';
import { openStores, storeName } from './open-stores.ts';

export interface CheckStored {
  readonly file: AppFile;
  readonly config: Config;
  readonly env: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/** Prints a line per change and gives the exit code: 3 where `on_incompatible = "fail"` would refuse the start. */
export async function checkStored({ file, config, env, json }: CheckStored, terminal: Terminal): Promise<number> {
  requireStoredGraph(config, 'check', terminal);
  if (!(await loadTypes(file, config, env, terminal))) return exitCodes.failure;
  const classes = snapshotClasses();
  const stores = await openStores(config, terminal, true, true);
  try {
    const runtime = openRuntime(() => config, { store: stores.graph, classes: () => classes });
    const found = await findStoredChanges(runtime);
    if (json) for (const change of found.changes) terminal.out(`${JSON.stringify(change)}\n`);
    else terminal.out(`${textOf(found, storeName(config, terminal))}\n`);
    const isRefused = config.schema.onIncompatible === 'fail' && found.changes.some(isLosing);
    return isRefused ? exitCodes.invalid : exitCodes.success;
  } finally {
    await stores.close();
  }
}

/** Objects are not there for the program, or a value is of a member its enum no longer has. */
export function isLosing({ change, examples }: StoredChange): boolean {
  return losing.has(change) || (change === 'default_used' && examples.some(({ before }) => isMember(before)));
}

function isMember(value: unknown): boolean {
  return value !== null && typeof value === 'object' && (value as { $t?: unknown }).$t === 'enum';
}

/** One change in words. */
export function describeChange({ type, field, change, count, now }: StoredChange): string {
  const place = field === undefined ? type : `${type}.${field}`;
  return `${place}: ${count} object${count === 1 ? '' : 's'} ${sentences[change](count === 1, now)}`;
}

const sentences: Readonly<Record<StoredChange['change'], (one: boolean, now: string | undefined) => string>> = {
  added: (one) => `${one ? 'gets' : 'get'} the default of the new field`,
  kept_aside: (one) => `${one ? 'keeps' : 'keep'} the value of a field that is gone beside it`,
  restored: (one) => `${one ? 'gets' : 'get'} back a value that was kept beside it`,
  renamed: (one, now) =>
    now === undefined ? `${one ? 'has' : 'have'} it under its old name` : `${one ? 'is' : 'are'} read as ${now}`,
  converted: (one) => `${one ? 'is' : 'are'} converted without loss`,
  default_used: (one) => `${one ? 'gets' : 'get'} the default, the value does not fit and is kept beside it`,
  gone: (one) => `${one ? 'is' : 'are'} left aside, the program has no such type`,
  undecodable: (one) => `${one ? 'is' : 'are'} left aside, the record cannot be decoded`,
};

function textOf({ nodes, edges, changes }: StoredChanges, store: string): string {
  const all = `${nodes} node${nodes === 1 ? '' : 's'} and ${edges} edge${edges === 1 ? '' : 's'} in ${store}`;
  if (changes.length === 0) return `${all} are read as they are`;
  const lines = changes.flatMap((change) => [
    describeChange(change),
    ...change.examples.map(({ id, before, after }) => `    ${id}${exampleText(before, after)}`),
  ]);
  return [...lines, `${all} were read; nothing was changed`].join('\n');
}

function exampleText(before: unknown, after: unknown): string {
  if (before === undefined) return after === undefined ? '' : `  ${short(after)}`;
  return after === undefined ? `  ${short(before)}` : `  ${short(before)} -> ${short(after)}`;
}

const longest = 60;

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
