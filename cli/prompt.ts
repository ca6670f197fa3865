/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline';
import { CommandFailure, usageFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Asks `Proceed? [y/N]`; anything but `y` or `yes` is no. @throws CommandFailure 2 when nobody is there to answer */
export async function confirmed(command: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInTerminal) throw usageFailure(command, 'standard input is not a terminal and --yes is absent');
  terminal.out('Proceed? [y/N] ');
  return /^\s*y(es)?\s*$/i.test((await firstLine()) ?? '');
}

/**
 * A new password: of the variable `SVC_USER_PASSWORD`, else asked for twice without showing it, else the first line of standard input. Never an
 * argument, which other users of the machine could see.
 */
export async function newPassword(terminal: Terminal): Promise<string> {
  const given = terminal.env['SVC_USER_PASSWORD'];
  if (given) return given;
  if (!terminal.isInTerminal) {
    const line = await firstLine();
    if (line) return line;
    throw usageFailure('password', 'there is none', ['set SVC_USER_PASSWORD, or write it to standard input']);
  }
  const password = await hiddenLine('Password: ', terminal);
  if (password !== (await hiddenLine('Again: ', terminal)))
    throw new CommandFailure(exitCodes.failure, 'password', 'the two differ');
  return password;
}

function firstLine(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin });
    process.stdin.once('error', reject);
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(undefined));
  });
}

/** Ctrl-C ends the command as a signal would. */
function hiddenLine(question: string, terminal: Terminal): Promise<string> {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  terminal.err(question);
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (done: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      terminal.err('\n');
      done();
    };
    const take = (typed: string) => {
      for (const character of typed) {
        if (character === '\r' || character === '\n' || character === '\u0004') return end(() => resolve(text));
        if (character === '\u0003') return end(() => process.exit(130));
        if (character === '\u007f' || character === '\b') text = text.slice(0, -1);
        else text += character;
      }
    };
    stdin.on('data', take);
    stdin.once('error', reject);
  });
}
