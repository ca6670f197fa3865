import { loadModules } from '../../adapters/modules/load-modules.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import { wireLiveValues } from '../../core/archetypes/codec.ts';
import { createLiveValues } from '../../core/archetypes/live-values.ts';
import { setPlaces } from '../../core/builtins/modules/stack-frames.ts';
import { setOutput } from '../../core/builtins/output.ts';
import type { Config } from '../../core/config/config.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import type { Terminal } from '../terminal.ts';
import { describeUncaught, uncaughtOptions } from '../uncaught.ts';
import { installRuntime, openRuntime } from './open-runtime.ts';
import { runScript } from './run-script.ts';

/**
 * Runs the modules of a program for what they declare: its store is empty and forgotten, what it prints goes to standard error. Gives what
 * the entry module exports; undefined when it does not run, which has been told.
 */
export async function loadAside(
  { directory, entryFile }: { readonly directory: string; readonly entryFile: string },
  config: Config,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const traces = createTraces(config.projectDir, directory);
  installRuntime();
  setPlaces(traces.place);
  wireLiveValues(createLiveValues());
  const before = setOutput({ out: terminal.err, err: terminal.err });
  try {
    const runtime = openRuntime(() => config, { store: openVolatileStore(), sharedIsOwn: true });
    let exports: Readonly<Record<string, unknown>> | undefined;
    await runScript(runtime, async () => {
      exports = await loadModules(directory, entryFile);
    });
    return exports;
  } catch (error) {
    terminal.err(describeUncaught(error, uncaughtOptions(traces, config.projectDir, terminal)));
    return undefined;
  } finally {
    setOutput(before);
    wireLiveValues(undefined);
  }
}
