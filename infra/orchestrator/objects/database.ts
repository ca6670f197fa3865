/** A database of a deployment as its objects and its addresses. */
import type { SecretValue, Volume, VolumeMount } from '../kubernetes.ts';

import type { Component } from './metadata.ts';

/** Part that one kind of database adds to those that all of them share. */
export interface Database {
  readonly component: Exclude<Component, 'app'>;
  readonly port: number;
  /** User id of the database in its official image. */
  readonly user: number;
  /** The variable that gives the application its address: also a key of the Secret. */
  readonly variable: string;
  values(host: string): Readonly<Record<string, SecretValue>>;
  readonly dataPath: string;
  readonly init?: Program;
  readonly main: Program;
  readonly check: readonly string[];
  /** Volumes besides the data and `/tmp`. */
  volumes(secretName: string): readonly Volume[];
}

export interface Program {
  readonly command: readonly string[];
  /** Variable -> key of the Secret. */
  readonly secretEnv: Readonly<Record<string, string>>;
  readonly mounts: readonly VolumeMount[];
}
