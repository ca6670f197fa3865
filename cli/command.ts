import type { CliOption, OptionValues } from './cli-option.ts';
import type { Terminal } from './terminal.ts';

/** One `svc` command. A file in `commands/` exports one as `command`; `main.ts` lists it. */
export interface Command {
  readonly name: string;
  /** Operands as help shows them: `<app_file>`, `[files...]`. */
  readonly operands: string;
  /** Fewest and most operands; what follows is a usage error. */
  readonly arity: readonly [min: number, max: number];
  /** One sentence that fits a line of help. */
  readonly about: string;
  /** Two command lines and what they do. */
  readonly examples: readonly [CommandExample, CommandExample];
  readonly options: readonly CliOption[];
  /** Further paragraphs of the help text. */
  readonly notes?: readonly string[];
  /** Resolves with the exit code (docs/server/commands.md#exit-codes). */
  run(args: CommandArgs): Promise<number>;
}

export type CommandExample = readonly [line: string, does: string];

export interface CommandArgs {
  readonly operands: readonly string[];
  /** Arguments behind `--`. */
  readonly rest: readonly string[];
  readonly options: OptionValues;
  readonly terminal: Terminal;
}
