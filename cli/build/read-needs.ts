import type { Config } from '../../core/config/config.ts';
import { secretVariables } from '../../core/program/missing-secrets.ts';
import { type Needs, needsOf } from '../../infra/cloud/needs.ts';
import { readDeclared } from '../program/read-declared.ts';
import type { Runnable } from '../start/reload.ts';
import type { Terminal } from '../terminal.ts';

/**
 * What a program needs of the cloud, read off what it declares (decisions/0175). Where its start-up code does not run here, everything.
 *
 * @throws CommandFailure when what it declares cannot be served (server.md 2.4)
 */
export async function readNeeds(compiled: Runnable, config: Config, terminal: Terminal): Promise<Needs> {
  const program = await readDeclared(compiled, config, terminal);
  if (program === undefined)
    terminal.err(
      'warning: what the program declares is not known without its start-up code: all functions are built\n',
    );
  for (const name of program === undefined ? [] : secretVariables(program))
    terminal.err(
      `note: webhooks are verified with ${name}: put it into the parameter /${config.scale.cloud.stackName}/${name}\n`,
    );
  return needsOf(program, config);
}
