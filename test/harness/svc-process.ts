/** A `svc` process whose output can be waited for, for tests of what people see. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder, svcBin } from './server.ts';

export interface SvcProcess extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the match once the output (both streams, in order of arrival) after the last match contains it. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Answers later questions on standard input. */
  type(text: string): void;
  /** Ends standard input. */
  end(): void;
  kill(signal?: NodeJS.Signals): void;
}

export function spawnSvc(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): SvcProcess {
  const child = spawn(process.execPath, [svcBin, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let all = '';
  let seen = 0;
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    all += chunk;
    wake();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    all += chunk;
    wake();
  });
  let ended = false;
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      ended = true;
      wake();
      resolve(code);
    });
  });
  return {
    pid: child.pid!,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(all.slice(seen));
        if (match !== null) {
          seen += match.index + match[0].length;
          // Text that the other stream was given before has arrived as well, and is read in this turn.
          await new Promise(setImmediate);
          return match;
        }
        if (ended) throw new Error(`ended before ${pattern} was printed:\n${all}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    type: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Puts another text into a file that keeps its length, as a cache of compiled modules goes by it. */
export function replaceWithin(path: string, text: string): void {
  const bytes = readFileSync(path).length;
  if (text.length > bytes) throw new Error(`${path} is shorter than ${text.length} bytes`);
  writeFileSync(path, text.padEnd(bytes));
}

/** A temporary folder with these files; removed when disposed of. */
export function folderWith(files: Readonly<Record<string, string>>): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'svc-cli-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => removeFolder(path) };
}
