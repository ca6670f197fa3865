import { readFileSync } from 'node:fs';

/** Process ids of the workers of a server, from Linux's list of a process's children. */
export function workerPids(primary: number): number[] {
  const text = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
