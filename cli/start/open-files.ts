import { readFileSync } from 'node:fs';

/**
 * Number of open files that stay free for the store, uploads, and modules that are loaded when first used; of few
 * files, half.
 */
const keptFiles = 256;

/** Files and connections this process may have open; undefined where the system does not tell. */
export function openFilesLimit(limits = readLimits()): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Gives the number of `wanted` connections that leaves files for the rest of the process (decisions/0403). */
export function connectionsWithin(wanted: number, files = openFilesLimit()): number {
  if (files === undefined) return wanted;
  return Math.max(1, Math.min(wanted, files - Math.min(keptFiles, Math.ceil(files / 2))));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
