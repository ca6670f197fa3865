import { exitCodes } from './exit-codes.ts';

/** Ends a command: printed as `svc: <what>: <why>` (without the second part when `why` is '') and its hints, then the process exits with `exitCode`. */
export class CommandFailure extends Error {
  readonly exitCode: number;
  readonly what: string;
  readonly why: string;
  readonly hints: readonly string[];

  constructor(exitCode: number, what: string, why: string, hints: readonly string[] = []) {
    super(why === '' ? what : `${what}: ${why}`);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.what = what;
    this.why = why;
    this.hints = hints;
  }
}

/** The failure of a wrong command line. */
export function usageFailure(what: string, why: string, hints: readonly string[] = []): CommandFailure {
  return new CommandFailure(exitCodes.usage, what, why, hints);
}

/** The line, and one indented line per hint. */
export function formatFailure(failure: CommandFailure): string {
  const why = failure.why.replace(/\s*\n\s*/g, ' ');
  const lines = [
    `svc: ${failure.what}${why === '' ? '' : `: ${why}`}`,
    ...failure.hints.map((hint) => `  hint: ${hint}`),
  ];
  return `${lines.join('\n')}\n`;
}
