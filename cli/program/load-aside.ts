import { loadModules } from '../../adapters/modules/load-modules.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import type { Config } from '../../core/config/config.ts';
import type { DatabaseKind } from '../../core/kvstore/databases.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import { wireLiveValues } from '../../core/stored/codec.ts';
import { createLiveValues } from '../../core/stored/live-values.ts';
import { setOutput } from '../../library/builtins/output.ts';
import { setPlaces } from '../../library/values/calls/stack-frames.ts';
import type { Terminal } from '../terminal.ts';
import { describeUncaught, uncaughtOptions } from '../uncaught.ts';
import { openAsideDatabases } from './aside-databases.ts';
import { installRuntime, openRuntime } from './open-runtime.ts';
import { runScript } from './run-script.ts';

/** Exports of the entry module of a program, and the databases its start-up code asked for. */
export interface LoadedAside {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Kinds of databases that `kvstore` was asked for without an address of its own. */
  readonly databases: ReadonlySet<DatabaseKind>;
}

/**
 * Runs the modules of a program for what they declare: its stores are empty and forgotten, what it prints goes to standard error.
 * Undefined when it does not run, which has been told.
 */
export async function loadAside(
  { directory, entryFile }: { readonly directory: string; readonly entryFile: string },
  config: Config,
  terminal: Terminal,
): Promise<LoadedAside | undefined> {
  const traces = createTraces(config.projectDir, directory);
  installRuntime();
  setPlaces(traces.place);
  wireLiveValues(createLiveValues());
  const before = setOutput({ out: terminal.err, err: terminal.err });
  const databases = openAsideDatabases();
  try {
    const runtime = openRuntime(() => config, { store: openVolatileStore(), sharedIsOwn: true, databases });
    let exports: LoadedAside['exports'] = {};
    await runScript(runtime, async () => {
      exports = await loadModules(directory, entryFile);
    });
    return { exports, databases: databases.asked };
  } catch (error) {
    terminal.err(describeUncaught(error, uncaughtOptions(traces, config.projectDir, terminal)));
    return undefined;
  } finally {
    await databases.close();
    setOutput(before);
    wireLiveValues(undefined);
  }
}
