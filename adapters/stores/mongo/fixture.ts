/** A few units for tests of this store. */
import { createRuntime, type RuntimeSettings } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { addEntry, entries, guest } from '../../../test/harness/entry-node.ts';
import { holdsMoments } from '../../../test/harness/mongo/document-database.ts';
import { type MongoOptions, type MongoStore, openMongoStore } from './store.ts';

export interface Opened extends AsyncDisposable {
  run<T>(work: () => T | Promise<T>): Promise<T>;
  add(count: number): Promise<void>;
  /** The numbers of all entries, in order of creation. */
  numbers(): Promise<number[]>;
  bump(): Promise<void>;
}

export async function opened(
  options: MongoOptions,
  settings: Partial<RuntimeSettings> = {},
  onCacheAsked?: (isHit: boolean) => void,
): Promise<Opened> {
  const { graph } = await openMongoStore(options);
  if (onCacheAsked !== undefined) graph.watchCache?.(onCacheAsked);
  const runtime = createRuntime({ store: graph, settings: () => settings });
  const run = async <T>(work: () => T | Promise<T>) => runUnit(runtime, guest, work);
  return {
    run,
    add: (count) =>
      run(() => {
        for (let n = 0; n < count; n++) addEntry(n);
      }),
    numbers: () => run(async () => (await entries()).map(({ n }) => n)),
    bump: () =>
      run(async () => {
        (await entries())[0]!.n += 1;
      }),
    [Symbol.asyncDispose]: () => graph.close(),
  };
}

/** A store; without moments where the server's sessions hold none. */
export async function openTested(options: MongoOptions): Promise<MongoStore> {
  const opened = await openMongoStore(options);
  if (holdsMoments) return opened;
  const { snapshot: _, ...graph } = opened.graph;
  return { ...opened, graph };
}
