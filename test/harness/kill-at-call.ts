/** A command that ends with `kill -9` at a system call that a test chooses: `strace` does it, so it happens there and nowhere else. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needTool } from './find-tool.ts';
import { svcBin } from './server.ts';

/** System calls by which files come to be and get their names. */
const watched = ['pwrite64', 'fsync', 'fdatasync', 'rename', 'link', 'unlink'];

export interface FileCall {
  readonly name: string;
  /** Line of strace, with the file's path. */
  readonly text: string;
  /** Number among the calls of its name, from 1. */
  readonly number: number;
}

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Calls of the main thread, in order: SQLite and what a command does with files run there. */
  readonly calls: readonly FileCall[];
}

/** `at`: the call that is not made any more. Their numbers are the same in every run of a command. */
export function runTraced(args: readonly string[], cwd: string, at?: Pick<FileCall, 'name' | 'number'>): Run {
  const log = join(cwd, 'strace.txt');
  const inject = at === undefined ? [] : ['-e', `inject=${at.name}:signal=KILL:when=${at.number}`];
  const trace = ['-f', '-qq', '-y', '-s', '0', '-o', log, '-e', `trace=${watched.join()}`, ...inject];
  const { status, signal, stderr } = spawnSync(
    needTool('strace', 'strace'),
    [...trace, process.execPath, svcBin, ...args],
    { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  );
  const lines = readFileSync(log, 'utf8').split('\n');
  const main = /^\d+/.exec(lines[0]!)![0];
  const counts = new Map<string, number>();
  const calls = lines.flatMap((line): FileCall[] => {
    const name = line.startsWith(main) ? /^\d+ +(\w+)\(/.exec(line)?.[1] : undefined;
    if (name === undefined) return [];
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return [{ name, text: line, number }];
  });
  return { code: status, signal, stderr, calls };
}
