import type { AccessRecord, LogLevel } from './log.ts';

const colours: Readonly<Record<LogLevel, string>> = {
  debug: '\x1b[2m',
  info: '\x1b[36m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
  fatal: '\x1b[41m',
};

/**
 * One line per record, for people: an id of a trace, which only machines follow, is left to the JSON form. What `below` says of an error, or
 * else the calls of its stack, follows on lines of its own.
 */
export function formatRecordText(
  time: string,
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
  colour: boolean,
  below?: string,
): string {
  let stack = '';
  let rest = '';
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'trace_id') continue;
    if (isErrorFields(value)) {
      const title = titleOfError(value);
      if (!message.endsWith(title)) rest += ` ${name}=${fieldText(title)}`;
      if (below === undefined) stack += stackLines(value.stack);
    } else rest += ` ${name}=${fieldText(value)}`;
  }
  const label = paint(level.padEnd(5), colours[level], colour);
  return `${clockPart(time)} ${label} ${oneLine(message)}${paint(rest, '\x1b[2m', colour && rest !== '')}\n${below ?? stack}`;
}

/** `12:01:33.250 POST   /walker/AddTask 200 3.1 ms`. */
export function formatAccessText(time: string, entry: AccessRecord, path: string, colour: boolean): string {
  const status = paint(String(entry.status), statusColour(entry.status), colour);
  const more =
    (entry.errorCode === undefined ? '' : ` ${entry.errorCode}`) +
    (entry.attempts && entry.attempts > 1 ? ` (${entry.attempts} attempts)` : '');
  return `${clockPart(time)} ${oneLine(entry.method).padEnd(6)} ${oneLine(path)} ${status} ${durationText(entry.durationMs)}${more}\n`;
}

function statusColour(status: number): string {
  if (status >= 500) return colours.error;
  return status >= 400 ? colours.warn : '\x1b[32m';
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function clockPart(time: string): string {
  return time.slice(11, 23);
}

function paint(text: string, code: string, colour: boolean): string {
  return colour ? `${code}${text}\x1b[0m` : text;
}

function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return /^[\w./:@+-]+$/.test(text) ? text : oneLine(typeof value === 'string' ? JSON.stringify(value) : text);
}

/** Line breaks and control characters, which could forge records or drive a terminal, as escapes. */
export function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (char) =>
    char === '\n'
      ? '\\n'
      : char === '\r'
        ? '\\r'
        : char === '\t'
          ? '\\t'
          : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isErrorFields(value: unknown): value is { name: string; message: string; stack?: string } {
  if (typeof value !== 'object' || value === null) return false;
  return 'message' in value && 'name' in value && ('stack' in value || 'frames' in value);
}

function titleOfError({ name, message }: { readonly name: string; readonly message: string }): string {
  return message === '' ? name : `${name}: ${message}`;
}

function stackLines(stack: string | undefined): string {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((line) => `    ${oneLine(line.trim())}\n`).join('');
}
