/** The life of a deployment, the same for every target: plan, apply, watch, go back, destroy. A target is a folder beside this file. */

import type { SchemaChange } from './schema-changes.ts';

export interface DeployTarget<App, Plan extends DeployPlan = DeployPlan, Destroy extends DestroyPlan = DestroyPlan> {
  /** Compares an application with what is there; changes nothing. */
  plan(app: App): Promise<Plan>;
  /** True when a plan changes nothing and what it wants serves. */
  isUpToDate(plan: Plan): Promise<boolean>;
  /** Applies a plan, waits until it serves, and removes what it replaces. A second run continues where one was interrupted. */
  apply(plan: Plan, request: ApplyRequest, progress: Progress): Promise<Deployed>;
  status(): Promise<DeployStatus>;
  logs(request: LogRequest, write: (line: LogLine) => void): Promise<void>;
  /** Finds the revision to go back to, and how it differs from the present one. */
  planRollback(to: number | undefined): Promise<RollbackPlan>;
  rollback(plan: RollbackPlan, progress: Progress): Promise<Deployed>;
  planDestroy(request: DestroyRequest): Promise<Destroy>;
  destroy(plan: Destroy, progress: Progress): Promise<void>;
  close(): void;
}

export interface DeployPlan {
  readonly place: string;
  readonly changes: readonly Change[];
  /** Hexadecimal SHA-256 of what is wanted: the same application gives the same on every machine. */
  readonly digest: string;
  /** Rights that applying needs: `create deployments.apps`. */
  readonly rights: readonly string[];
}

export interface Change {
  readonly kind: 'create' | 'change' | 'replace' | 'delete' | 'keep';
  /** `Deployment demo` */
  readonly object: string;
  readonly fields: readonly FieldChange[];
  /** True when stored data go with it. */
  readonly losesData: boolean;
}

/** Texts are those that may be shown; of secrets they are sizes. */
export interface FieldChange {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface ApplyRequest {
  /** Names of objects whose data may be lost. */
  readonly allowDataLoss: readonly string[];
  readonly revision: Omit<Revision, 'number' | 'time' | 'who' | 'planDigest'>;
}

export interface Progress {
  /** Number of steps that are to come. */
  begin(steps: number): void;
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Tells how far the present step is. */
  detail(text: string): void;
  note(text: string): void;
}

export interface Deployed {
  /** `context/namespace` */
  readonly place: string;
  readonly url: string | undefined;
  readonly notes: readonly string[];
}

/** One deployment as it is remembered; ten are. */
export interface Revision {
  readonly number: number;
  /** ISO 8601. */
  readonly time: string;
  /** Name and machine, never a credential. */
  readonly who: string;
  readonly version: string;
  readonly sourceDigest: string;
  readonly planDigest: string;
  /** Stored types by name: `node main.Task` -> fingerprint. */
  readonly schema: Readonly<Record<string, string>>;
  /** Their fields by name, each with its type as text. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The revision that this one went back to. */
  readonly rollbackTo?: number;
}

export interface DeployStatus {
  readonly name: string;
  readonly place: string;
  /** Undefined: nothing is deployed. */
  readonly revision: Revision | undefined;
  readonly version: string;
  readonly digest: string;
  readonly replicas: { readonly wanted: number; readonly updated: number; readonly ready: number };
  readonly isHealthy: boolean;
  readonly url: string | undefined;
  /** Time of the last deployment, ISO 8601. */
  readonly since: string;
  readonly pods: readonly PodStatus[];
  readonly lastError: string | undefined;
  /** Fields that differ from what was applied: `Deployment demo: spec.replicas`. */
  readonly drift: readonly string[];
  readonly revisions: readonly Revision[];
}

/** One of the parts that serve an application. */
export interface PodStatus {
  readonly kind: 'pod' | 'function' | 'revision';
  readonly name: string;
  readonly state: string;
  /** Absent where a platform does not count them. */
  readonly restarts?: number;
  readonly since: string;
}

export interface LogRequest {
  readonly follow: boolean;
  readonly sinceSeconds: number | undefined;
  readonly tailLines: number | undefined;
  readonly signal: AbortSignal;
  /** Tells why a log cannot be read. */
  note(text: string): void;
}

export interface LogLine {
  /** ISO 8601 in UTC with nine digits, by the clock of the machine that runs the pod. */
  readonly time: string;
  /** Pod or function. */
  readonly source: string;
  readonly text: string;
}

export interface RollbackPlan {
  readonly to: Revision;
  readonly from: Revision;
  /** Effects on what is stored. */
  readonly schemaChanges: readonly SchemaChange[];
  /** Things that go back with it or do not. */
  readonly notes: readonly string[];
}

export interface DestroyRequest {
  readonly component: 'all' | 'application' | 'docdb' | 'kvcache';
  readonly purgeData: boolean;
}

export interface DestroyPlan {
  readonly place: string;
  /** In the order of their deletion. */
  readonly deleted: readonly string[];
  /** Stay, and need `--purge-data` to go. */
  readonly kept: readonly string[];
}
