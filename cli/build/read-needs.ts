import type { Config } from '../../core/config/config.ts';
import { loadProgram } from '../../core/program/load.ts';
import { type Program, ProgramError } from '../../core/program/program.ts';
import { type Needs, needsOf } from '../../infra/cloud/needs.ts';
import { loadAside } from '../program/load-aside.ts';
import { refuseProgram } from '../program/refuse-program.ts';
import type { Runnable } from '../start/reload.ts';
import type { Terminal } from '../terminal.ts';

/**
 * What a program needs of the cloud, read off what it declares (decisions/0175). Where its start-up code does not run here, everything.
 *
 * @throws CommandFailure when what it declares cannot be served (server.md 2.4)
 */
export async function readNeeds(compiled: Runnable, config: Config, terminal: Terminal): Promise<Needs> {
  return needsOf(await readProgram(compiled, config, terminal), config);
}

async function readProgram(compiled: Runnable, config: Config, terminal: Terminal): Promise<Program | undefined> {
  const exports = await loadAside(compiled, config, terminal);
  if (exports === undefined) {
    terminal.err(
      'warning: what the program declares is not known without its start-up code: all functions are built\n',
    );
    return undefined;
  }
  try {
    const { endpoint } = config.scale.metrics;
    const program = loadProgram({ entry: compiled.entryId, exports, metricsEndpoint: endpoint });
    for (const line of program.warnings) terminal.err(`warning: ${line}\n`);
    return program;
  } catch (error) {
    if (error instanceof ProgramError) return refuseProgram(error, terminal);
    throw error;
  }
}
