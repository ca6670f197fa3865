/**
 * Messages between the primary process and its workers about serving; broadcasts, counts and metrics have topics of
 * their own.
 */
import type { Config } from '../../core/config/config.ts';
import type { BuildStatus } from '../../handlers/deps.ts';
import type { ReadyFacts } from './announce.ts';
import type { Refusal, Runnable } from './reload.ts';

/** Answer to the question of a worker whether it may load the program. */
export interface Begin {
  readonly compiled: Runnable;
  readonly config: Config;
  /** Port that the others listen on; undefined for the first, which finds one. */
  readonly port: number | undefined;
  readonly buildStatus: BuildStatus;
}

/** Message of a worker that serves. */
export interface Ready extends ReadyFacts {
  /** The port that was in use, where another one was taken. */
  readonly wantedPort: number | undefined;
  readonly warnings: readonly string[];
}

/** Request of the primary process to serve these modules from now on. Null, or why not. */
export interface Reload {
  readonly compiled: Runnable;
  readonly config: Config;
}
export type Reloaded = Refusal | null;

/** Message of the primary process to finish and end. */
export interface Drain {
  readonly delayMs: number;
}
