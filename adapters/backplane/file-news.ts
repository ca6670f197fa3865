/**
 * Changes of accounts that a command of this machine made, told to the servers that run here (decisions/0067): a file
 * of the data directory gets a line for each, and every process that serves looks at it.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountNews } from '../../core/accounts/account-news.ts';

const fileName = 'accounts.changed';
/** Milliseconds between two looks at the file, after which a change is noticed. */
const lookMs = 250;
/** A file that grew beyond this begins anew. */
const longestBytes = 65_536;

export function newsFile(dataDir: string): string {
  return join(dataDir, fileName);
}

/** Tells that an account changed; resolves when processes that run have had the time to look. */
export async function tellByFile(dataDir: string, userId: string): Promise<void> {
  const file = newsFile(dataDir);
  mkdirSync(dataDir, { recursive: true });
  const line = `${userId}\n`;
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > longestBytes) writeFileSync(file, line, { mode: 0o600 });
  else appendFileSync(file, line, { mode: 0o600 });
  await sleep(2 * lookMs);
}

/** Adds what commands tell by file to what processes tell each other, by each of the ways there are. */
export function withFileNews(dataDir: string, ...others: readonly (AccountNews | undefined)[]): AccountNews {
  const ways = others.filter((way) => way !== undefined);
  const file = newsFile(dataDir);
  const listeners = new Set<(userId: string) => void>();
  let position = sizeOf(file);
  const look = () => {
    const size = sizeOf(file);
    if (size === position) return;
    const text = readFrom(file, size < position ? 0 : position);
    position = size;
    for (const userId of text.split('\n').filter((line) => line !== ''))
      for (const listener of listeners) listener(userId);
  };
  return {
    tell: async (userId) => void (await Promise.all(ways.map(({ tell }) => tell(userId)))),
    follow(listener) {
      if (listeners.size === 0) watchFile(file, { persistent: false, interval: lookMs }, look);
      listeners.add(listener);
      const unfollow = ways.map(({ follow }) => follow(listener));
      return () => {
        for (const end of unfollow) end();
        listeners.delete(listener);
        if (listeners.size === 0) unwatchFile(file, look);
      };
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readFrom(file: string, position: number): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(handle).size - position));
      readSync(handle, bytes, 0, bytes.length, position);
      return bytes.toString('utf8');
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}
