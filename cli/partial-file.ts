/** Names of files that are still being written: whole ones are given their own name, what a killed command has left is found by the next one. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Ending of such a name: number of the process, and eight digits for this file alone; a database may have another one beside it. */
const partialEnding = /^\.(\d+)-[0-9a-f]{8}\.partial(-journal|-wal|-shm)?$/;

/** A path beside `path` that nobody else writes to. */
export function partialPath(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString('hex')}.partial`;
}

/** Removes what commands have left that were to write `path` and ended before it was complete; tells whether there was any. */
export function dropLeftOver(path: string): boolean {
  const [folder, name] = [dirname(path), basename(path)];
  if (!existsSync(folder)) return false;
  const left = readdirSync(folder).filter((each) => {
    const writer = each.startsWith(name) ? partialEnding.exec(each.slice(name.length))?.[1] : undefined;
    return writer !== undefined && (Number(writer) === process.pid || !isAlive(Number(writer)));
  });
  for (const each of left) rmSync(join(folder, each), { force: true });
  return left.length > 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
