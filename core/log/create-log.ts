import { formatAccessText, formatRecordText } from './format-text.ts';
import type { AccessRecord, Log, LogFields, LogLevel } from './log.ts';
import type { Redactor } from './redact.ts';

export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  readonly accessLog: boolean;
  readonly slowRequestMs: number;
  readonly colour: boolean;
}

export interface LogDeps {
  readonly settings: LogSettings;
  readonly redactor: Redactor;
  /** Text form: what stands below the line of a record about an error, in lines of their own. Left out: the stack. */
  readonly describeError?: (error: Error, colour: boolean) => string;
  /** Takes one record, its line break included. */
  readonly write: (line: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A log whose settings can change while it is in use (`--reload`); its children follow. */
export interface AdjustableLog extends Log {
  adjust(settings: Partial<LogSettings>, redactor?: Redactor): void;
}

const order: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, fatal: 4 };

export function createLog(deps: LogDeps): AdjustableLog {
  const shared = { settings: deps.settings, redactor: deps.redactor, lowest: order[deps.settings.level] };
  const timeText = createTimeText(deps.now);

  function record(level: LogLevel, message: string, bound: LogFields | undefined, fields: LogFields | undefined): void {
    if (order[level] < shared.lowest) return;
    const { redactor, settings } = shared;
    const clean: Record<string, unknown> = {};
    let below: string | undefined;
    for (const source of [bound, fields]) {
      for (const name in source) {
        const value = source[name];
        if (value === undefined) continue;
        clean[name] = redactor.field(name, value);
        if (settings.format === 'text' && value instanceof Error && deps.describeError !== undefined)
          below = `${below ?? ''}${redactor.text(deps.describeError(value, settings.colour))}`;
      }
    }
    const text = redactor.text(message);
    if (settings.format === 'json') deps.write(`${toJson({ time: timeText(), level, msg: text, ...clean })}\n`);
    else deps.write(formatRecordText(timeText(), level, text, clean, settings.colour, below));
  }

  function access(entry: AccessRecord, bound: LogFields | undefined): void {
    const { redactor, settings } = shared;
    if (settings.accessLog && shared.lowest <= order.info) {
      const path = redactor.text(entry.path);
      if (settings.format === 'json') deps.write(accessJson(timeText(), entry, path, redactor.text(entry.requestId)));
      else deps.write(formatAccessText(timeText(), entry, path, settings.colour));
    }
    const { durationMs, answeredMs = durationMs } = entry;
    if (settings.slowRequestMs > 0 && answeredMs > settings.slowRequestMs) {
      const { requestId, method, route } = entry;
      record('warn', 'slow request', bound, {
        request_id: requestId,
        method,
        route: route ?? entry.path,
        duration_ms: thousandths(durationMs),
      });
    }
  }

  function make(bound: LogFields | undefined): Log {
    return {
      debug: (message, fields) => record('debug', message, bound, fields),
      info: (message, fields) => record('info', message, bound, fields),
      warn: (message, fields) => record('warn', message, bound, fields),
      error: (message, fields) => record('error', message, bound, fields),
      fatal: (message, fields) => record('fatal', message, bound, fields),
      access: (entry) => access(entry, bound),
      enabled: (level) => order[level] >= shared.lowest,
      child: (fields) => make({ ...bound, ...fields }),
    };
  }

  return {
    ...make(undefined),
    adjust(settings, redactor) {
      shared.settings = { ...shared.settings, ...settings };
      shared.lowest = order[shared.settings.level];
      if (redactor !== undefined) shared.redactor = redactor;
    },
  };
}

/** Readers take these for line breaks too, and JSON lets them stand. */
const rareBreaks = /[\u0085\u2028\u2029]/g;

function jsonLine(record: unknown): string {
  const text = JSON.stringify(record);
  return text.replace(rareBreaks, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The text of the current millisecond, made once. */
function createTimeText(now: () => number): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const current = now();
    if (current !== last) {
      last = current;
      text = new Date(current).toISOString();
    }
    return text;
  };
}

function toJson(record: unknown): string {
  try {
    return jsonLine(record);
  } catch {
    return JSON.stringify({ level: 'error', msg: 'a log record could not be written' });
  }
}

// Members in the order of docs/server/observability.md#access-log. Methods and templates are the server's own and hold nothing to hide.
function accessJson(time: string, entry: AccessRecord, path: string, requestId: string): string {
  return `${jsonLine({
    time,
    level: 'info',
    msg: 'request',
    request_id: requestId,
    trace_id: entry.traceId,
    method: entry.method,
    route: entry.route,
    path,
    status: entry.status,
    duration_ms: thousandths(entry.durationMs),
    bytes_in: entry.bytesIn,
    bytes_out: entry.bytesOut,
    client: entry.client,
    user_id: entry.userId ?? undefined,
    target: entry.target,
    attempts: entry.attempts,
    error: entry.errorCode,
  })}\n`;
}

/** Milliseconds to the microsecond: further digits say nothing. */
function thousandths(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** A log that writes nothing, for tests and tools. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
  access: () => {},
  enabled: () => false,
  child: () => silentLog,
};
