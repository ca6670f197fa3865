import type { ReadConfig } from '../../adapters/config/read-config.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** One thing the doctor looked at. */
export interface Finding {
  /** Name of the check, one word, for programs. */
  readonly check: string;
  /** `bad` keeps `svc start` from working as it should, `note` is worth knowing. */
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
  readonly hint?: string;
  /** Exit code of the command for `bad` (docs/server/commands.md#exit-codes); default: a prerequisite is missing. */
  readonly exitCode?: number;
}

export interface Patient {
  readonly read: ReadConfig;
  readonly terminal: Terminal;
}

/** A check gives what it found, several at once or nothing. */
export type Check = (patient: Patient) => Finding[] | Promise<Finding[]>;

/** Gives the exit code: of several reasons the one that stands first in the way of a start. */
export function exitCodeOf(findings: readonly Finding[]): number {
  const codes = findings.flatMap(({ state, exitCode }) =>
    state === 'bad' ? [exitCode ?? exitCodes.prerequisite] : [],
  );
  for (const code of [exitCodes.invalid, exitCodes.prerequisite, exitCodes.cannotBind]) {
    if (codes.includes(code)) return code;
  }
  return codes.length > 0 ? exitCodes.failure : exitCodes.success;
}
