import type { CommandArgs } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The terminal for what is told of work: standard error where standard output is manifests or events for other programs. */
export function progressTerminal({ terminal, options }: CommandArgs): Terminal {
  const isRead = ['dry-run', 'plan', 'json'].some((name) => options[name] === true);
  return isRead ? { ...terminal, out: terminal.err } : terminal;
}
