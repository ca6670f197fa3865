import type { ReadConfig } from '../adapters/config/read-config.ts';
import { formatFinding } from '../core/config/finding.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints everything the configuration's check found.
 *
 * @throws CommandFailure with exit code 3 when any of it is an error
 */
export function reportConfig(read: Pick<ReadConfig, 'problems' | 'warnings'>, terminal: Terminal): void {
  for (const finding of [...read.problems, ...read.warnings]) terminal.err(`${formatFinding(finding)}\n`);
  const count = read.problems.length;
  if (count > 0) {
    throw new CommandFailure(
      exitCodes.invalid,
      'invalid configuration',
      `${count} ${count === 1 ? 'problem' : 'problems'}, listed above`,
    );
  }
}

/** Says what is set and has no effect: for commands that serve, check or deploy, which are the ones it was meant for. */
export function tellIdle({ notes }: Pick<ReadConfig, 'notes'>, terminal: Terminal): void {
  for (const finding of notes) terminal.err(`${formatFinding(finding)}\n`);
}
