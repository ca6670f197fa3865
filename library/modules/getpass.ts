/** Module `getpass`. */
import { userInfo } from 'node:os';
import { inputPort } from '../builtins/input.ts';
import { functions, type Members } from '../builtins/module.ts';
import { nodeProcesses } from '../node-parts.ts';
import { EOFError, nameException, UserWarning } from '../values/objects/exceptions.ts';
import { strOf } from '../values/objects/repr.ts';
import { writeTo } from './traceback.ts';

/** Turns the echo of the terminal on or off. */
function echo(on: boolean): Promise<void> {
  return new Promise((resolve) => {
    const child = nodeProcesses().spawn('stty', [on ? 'echo' : '-echo'], { stdio: ['inherit', 'ignore', 'ignore'] });
    child.on('close', () => resolve());
    child.on('error', () => resolve());
  });
}

async function getpass(prompt?: unknown, stream?: unknown): Promise<string> {
  const hidden = process.stdin.isTTY === true;
  writeTo(stream, prompt === undefined ? 'Password: ' : strOf(prompt));
  if (hidden) await echo(false);
  try {
    const line = await inputPort().line();
    if (line === '') throw new EOFError();
    return line.replace(/\r?\n$/, '');
  } finally {
    if (hidden) {
      await echo(true);
      writeTo(stream, '\n');
    }
  }
}

class GetPassWarning extends UserWarning {}
nameException(GetPassWarning, 'GetPassWarning', 'getpass');

export function makeGetpass(): Members {
  return {
    GetPassWarning,
    ...functions('getpass', {
      getpass: ['prompt="Password: ", stream=None', getpass],
      getuser: [
        '',
        () => {
          for (const name of ['LOGNAME', 'USER', 'LNAME', 'USERNAME']) {
            const value = process.env[name];
            if (value !== undefined && value !== '') return value;
          }
          return userInfo().username;
        },
      ],
    }),
  };
}
