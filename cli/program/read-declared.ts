import type { Config } from '../../core/config/config.ts';
import { loadProgram } from '../../core/program/load.ts';
import { type Program, ProgramError } from '../../core/program/program.ts';
import type { Runnable } from '../start/reload.ts';
import type { Terminal } from '../terminal.ts';
import { type LoadedAside, loadAside } from './load-aside.ts';
import { refuseProgram } from './refuse-program.ts';

export interface Declared {
  readonly program: Program;
  readonly databases: LoadedAside['databases'];
}

/**
 * Reads the declarations of a compiled program. Undefined when its start-up code does not run here, which has been
 * told.
 *
 * @throws CommandFailure when what it declares cannot be served (docs/server/programs.md#start-validation)
 */
export async function readDeclared(
  compiled: Runnable,
  config: Config,
  terminal: Terminal,
): Promise<Declared | undefined> {
  const loaded = await loadAside(compiled, config, terminal);
  if (loaded === undefined) return undefined;
  const { exports, databases } = loaded;
  try {
    const { endpoint } = config.scale.metrics;
    const program = loadProgram({
      entry: compiled.entryId,
      exports,
      metricsEndpoint: endpoint,
      functions: config.serve.functions,
    });
    for (const line of program.warnings) terminal.err(`warning: ${line}\n`);
    return { program, databases };
  } catch (error) {
    if (error instanceof ProgramError) return refuseProgram(error, terminal);
    throw error;
  }
}
