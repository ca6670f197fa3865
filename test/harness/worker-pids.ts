import { readFileSync } from 'node:fs';

/** Process ids of the workers of a server, from Linux's list of a process's children. It has others for a moment: a `git` that is asked, say. */
export function workerPids(primary: number): number[] {
  return childPids(primary).filter(isWorker);
}

/** All of them. */
export function childPids(parent: number): number[] {
  const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** `node:cluster` gives each worker its number. */
function isWorker(pid: number): boolean {
  try {
    return /(^|\0)NODE_UNIQUE_ID=/.test(readFileSync(`/proc/${pid}/environ`, 'utf8'));
  } catch {
    return false; // ended meanwhile
  }
}

/** Tells whether a process runs; one that has ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
