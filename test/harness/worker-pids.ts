import { readFileSync } from 'node:fs';

/** Process ids of the workers of a server, from Linux's list of a process's children: those that `node:cluster` has numbered. */
export function workerPids(primary: number): number[] {
  const text = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number).filter(isWorker);
}

// The compiler's helper process is a child too.
function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes('NODE_UNIQUE_ID=');
  } catch {
    return false;
  }
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
