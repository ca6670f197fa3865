/**
 * One transaction for all units that commit in one turn of the event loop, and for those that queue up while the disk is busy with the last
 * one (performance.md 12.7). A job that fails is taken out and the others are written without it. Nobody is answered before the
 * disk has everything.
 */

import { Failure } from '../../../core/errors.ts';
import { type CommitLog, ConflictError } from '../../../core/memory/store.ts';
import type { Disk } from './disk.ts';
import { type SqliteDriver, troubleOf } from './driver.ts';

export interface Job {
  /** Throws to be left out of the transaction. Reads only. */
  readonly check?: () => void;
  /** Writes; may run again when another job of the group failed. */
  readonly run: () => void;
  /** The transaction is visible to others. */
  readonly applied: () => void;
}

export interface Committer {
  /** Resolves when the job is durable. */
  submit(job: Job): Promise<void>;
  /** Writes one job at once and does not wait for the disk. */
  now(job: Job): void;
  /** Resolves when everything submitted is written and durable. */
  flush(): Promise<void>;
}

interface Waiting extends Job {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds to go on trying while another process holds the write lock, and to wait in between. */
const lockTimeoutMs = 5000;
const lockRetryMs = 5;

export interface CommitterDeps {
  readonly db: SqliteDriver;
  readonly log: CommitLog;
  readonly disk: Disk;
  /** The write lock is held. */
  readonly begun: () => unknown;
  /** Writes what jobs have left waiting. */
  readonly flush: () => void;
  /** A transaction was undone. */
  readonly undone: () => void;
}

export function createCommitter({ db, log, disk, begun, flush, undone }: CommitterDeps): Committer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const undo = db.prepare('ROLLBACK');
  let queue: Waiting[] = [];
  let armed = false;
  let syncing: Promise<void> | undefined;
  let lockedSince = 0;

  const arm = () => {
    if (armed || syncing !== undefined || queue.length === 0) return;
    armed = true;
    setImmediate(turn);
  };
  const turn = () => {
    armed = false;
    const group = queue;
    queue = [];
    let written: Waiting[];
    try {
      written = write(group);
    } catch (error) {
      if (troubleOf(error) === 'busy' && waitForLock(group)) return;
      lockedSince = 0;
      const failure = troubleOf(error) === 'busy' ? new ConflictError([], true) : unavailable(error);
      for (const job of group) job.reject(failure);
      return;
    }
    lockedSince = 0;
    settle(written);
  };
  const waitForLock = (group: Waiting[]): boolean => {
    if (lockedSince === 0) lockedSince = Date.now();
    if (Date.now() - lockedSince > lockTimeoutMs) return false;
    queue = [...group, ...queue];
    armed = true;
    setTimeout(turn, lockRetryMs);
    return true;
  };
  /** The jobs that were written. Those that failed have been told. */
  const write = (group: readonly Waiting[]): Waiting[] => {
    const told = new Set<Waiting>();
    const refuse = (job: Waiting, error: unknown) => {
      told.add(job);
      job.reject(isAnswer(error) || troubleOf(error) === 'other' ? error : unavailable(error));
    };
    // When something fails it is not known whose rows it was about, until each job has its own written.
    for (let oneByOne = group.length === 1; ; oneByOne = true) {
      const rest = group.filter((job) => !told.has(job));
      if (rest.length === 0) return rest;
      begin.run();
      begun();
      const position = log.position;
      const failed = runAll(rest, refuse, oneByOne, flush);
      if (failed === undefined) {
        commitOrUndo(position);
        const written = rest.filter((job) => !told.has(job));
        for (const job of written) job.applied();
        return written;
      }
      // A part of the job may have been written: start over without it.
      rollBack(position);
      if (isDisk(failed.error)) throw failed.error;
      if (failed.job !== undefined && oneByOne) refuse(failed.job, failed.error);
    }
  };
  const commitOrUndo = (position: number) => {
    try {
      disk.commit(end.run);
    } catch (error) {
      rollBack(position);
      throw error;
    }
  };
  const rollBack = (position: number) => {
    log.truncate(position);
    undone();
    try {
      undo.run();
    } catch {
      // A full disk or a broken file may have ended the transaction already.
    }
  };
  const syncOrFail = (): Promise<void> | undefined => {
    try {
      return disk.sync();
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const settle = (written: readonly Waiting[]) => {
    if (written.length === 0) {
      arm();
      return;
    }
    const synced = syncOrFail();
    if (synced === undefined) {
      for (const job of written) job.resolve();
      arm();
      return;
    }
    const over = () => {
      syncing = undefined;
      arm();
    };
    syncing = synced.then(
      () => {
        for (const job of written) job.resolve();
        over();
      },
      (error) => {
        for (const job of written) job.reject(unavailable(error));
        over();
      },
    );
  };
  return {
    submit: (job) =>
      new Promise((resolve, reject) => {
        queue.push({ ...job, resolve, reject });
        arm();
      }),
    now(job) {
      let failed: unknown;
      const reject = (error: unknown) => {
        failed = error;
      };
      try {
        disk.relaxed(() => void write([{ ...job, resolve: () => {}, reject }]));
      } catch (error) {
        throw troubleOf(error) === 'busy' ? new ConflictError([], true) : unavailable(error);
      }
      if (failed !== undefined) throw failed;
    },
    async flush() {
      while (armed || syncing !== undefined || queue.length > 0) {
        if (syncing !== undefined) await syncing;
        else await new Promise((resolve) => setImmediate(resolve));
      }
      await disk.sync(true);
    },
  };
}

/** Runs the jobs one after the other; those whose check says no are refused. Gives the first one that broke off, where that is known. */
function runAll(
  jobs: readonly Waiting[],
  refuse: (job: Waiting, error: unknown) => void,
  oneByOne: boolean,
  flush: () => void,
): { readonly job: Waiting | undefined; readonly error: unknown } | undefined {
  for (const job of jobs) {
    try {
      job.check?.();
    } catch (error) {
      if (!isAnswer(error)) return { job, error };
      refuse(job, error);
      continue;
    }
    try {
      job.run();
      if (oneByOne) flush();
    } catch (error) {
      return { job, error };
    }
  }
  try {
    flush();
  } catch (error) {
    return { job: undefined, error };
  }
  return undefined;
}

/** Tells an error of ours, for the caller, from one of the driver. */
function isAnswer(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof Failure;
}

/** Tells an error after which nothing can be written at present, whoever asks. */
function isDisk(error: unknown): boolean {
  return ['full', 'io', 'readonly', 'corrupt', 'busy'].includes(troubleOf(error));
}

const sentences: Readonly<Record<string, string>> = {
  full: 'the disk of the store is full',
  io: 'the store cannot reach its disk',
  corrupt: 'the store is damaged',
  readonly: 'the store cannot be written',
};

/** The failure a caller gets for a driver's error. */
export function unavailable(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = sentences[troubleOf(error)] ?? 'the store is not available';
  return new Failure('SERVICE_UNAVAILABLE', message, { cause: error, headers: { 'Retry-After': '1' } });
}
