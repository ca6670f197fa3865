/** Check of the store against the program, made before it is served (docs/server/storage.md#changing-types, decisions/0136). */

import type { Config } from '../../core/config/config.ts';
import { findStoredChanges, type StoredChanges } from '../../core/memory/stored-changes.ts';
import { snapshotClasses } from '../../library/classes/registry.ts';
import type { AppFile } from '../app-file.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { describeChange, isLosing } from './describe-change.ts';
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
