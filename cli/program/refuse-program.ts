import type { ProgramError } from '../../core/program/program.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Prints what keeps a program from being served (docs/server/programs.md#start-validation). @throws CommandFailure */
export function refuseProgram({ message, problems }: ProgramError, terminal: Terminal): never {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  terminal.err(`${message}\n`);
  throw new CommandFailure(exitCodes.invalid, 'the application cannot be served', `${count}, listed above`);
}
