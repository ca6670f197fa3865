/** Log of the server (docs/server/observability.md#redaction): a port. Implementations redact before they serialise. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  fatal(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to each of its records. */
  child(fields: LogFields): Log;
  /** One record per finished request. Kept apart from `info` because it is on the hot path and has a form of its own in text mode. */
  access(record: AccessRecord): void;
  /** True when records of this level are written: lets callers skip the work of building one. */
  enabled(level: LogLevel): boolean;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** `error` may hold an Error: its name, message, stack and cause are written. Members that are undefined are left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Bodies, walker fields and function arguments are never part of it. */
export interface AccessRecord {
  readonly requestId: string;
  readonly traceId?: string | undefined;
  readonly method: string;
  /** The route's template, `/walker/{name}`; absent when nothing matched. */
  readonly route?: string | undefined;
  /** Path without the query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Milliseconds until the answer began, of one that comes in parts: whether it was slow is told from that. */
  readonly answeredMs?: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly client: string;
  readonly userId?: string | null | undefined;
  /** Walker or function that ran. */
  readonly target?: string | undefined;
  /** Times the call was run, above 1 after conflicts. */
  readonly attempts?: number | undefined;
  readonly errorCode?: string | undefined;
}
