import { expect, test } from 'vitest';
import { createLog, type LogSettings } from './create-log.ts';
import { createLineWriter } from './line-writer.ts';
import type { AccessRecord } from './log.ts';
import { createRedactor } from './redact.ts';

const entry: AccessRecord = {
  requestId: 'r1',
  method: 'POST',
  route: '/walker/Add',
  path: '/walker/Add',
  status: 200,
  durationMs: 3.25678,
  bytesIn: 10,
  bytesOut: 20,
  client: '127.0.0.1',
  userId: null,
  target: 'Add',
};

function logTo(settings: Partial<LogSettings> = {}, redactor = createRedactor()) {
  const lines: string[] = [];
  const all: LogSettings = {
    level: 'info',
    format: 'json',
    accessLog: true,
    slowRequestMs: 1000,
    colour: false,
    ...settings,
  };
  const log = createLog({
    settings: all,
    redactor,
    write: (line) => lines.push(line),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  });
  return { log, lines };
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const apiKey = `svck_${'a1'.repeat(16)}_${'B'.repeat(43)}`;

test('writes one JSON object per record, with the fields of its parents', () => {
  const { log, lines } = logTo();
  log.child({ request_id: 'r1' }).info('line one\nline two', { user_id: 'u', nothing: undefined });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.trimEnd()).not.toContain('\n');
  expect(JSON.parse(lines[0]!)).toEqual({
    time: '2026-01-02T03:04:05.006Z',
    level: 'info',
    msg: 'line one\nline two',
    request_id: 'r1',
    user_id: 'u',
  });
});

test('leaves out what is below its level, also after an adjustment', () => {
  const { log, lines } = logTo({ level: 'warn' });
  const child = log.child({});
  child.info('no');
  expect(log.enabled('info')).toBe(false);
  log.adjust({ level: 'debug' });
  child.debug('yes');
  expect(lines).toHaveLength(1);
});

test('hides values by name at any depth, whatever the case', () => {
  const { log, lines } = logTo({}, createRedactor({ names: ['X-My-Sig', 'pin'], values: ['hunter22'] }));
  log.info('x', {
    headers: { Authorization: 'Bearer abc', 'set-cookie': 'a', 'x-my-sig': 's', accept: 'json' },
    list: [{ PASSWORD: 'p', user: { Pin: 1, name: 'Ada' } }],
    DOCDB_URI: 'mongodb://me:pw@db.test/x',
    note: `token ${jwt} and ${apiKey}, also hunter22`,
  });
  expect(JSON.parse(lines[0]!)).toMatchObject({
    headers: { Authorization: '[redacted]', 'set-cookie': '[redacted]', 'x-my-sig': '[redacted]', accept: 'json' },
    list: [{ PASSWORD: '[redacted]', user: { Pin: '[redacted]', name: 'Ada' } }],
    DOCDB_URI: 'mongodb://[redacted]@db.test/x',
    note: 'token [redacted] and [redacted], also [redacted]',
  });
});

test('errors keep name, message, stack and cause; their texts are masked', () => {
  const { log, lines } = logTo();
  log.error('failed', { error: new TypeError(`bad ${jwt}`, { cause: new Error('inner') }) });
  const { error } = JSON.parse(lines[0]!);
  expect(error).toMatchObject({ name: 'TypeError', message: 'bad [redacted]', cause: { message: 'inner' } });
  expect(error.stack).not.toContain(jwt);
});

test('values that cannot be written as JSON do no harm', () => {
  const { log, lines } = logTo();
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  log.info('x', { loop, big: 10n, fn: () => 1, bytes: new Uint8Array(3), map: new Map([['token', 1]]) });
  expect(JSON.parse(lines[0]!)).toMatchObject({ big: '10', bytes: '[3 bytes]', map: { token: '[redacted]' } });
});

test('what separates lines elsewhere is escaped, a token given as a request id is masked', () => {
  const { log, lines } = logTo();
  log.info('a\u2028b\u0085c', { path: 'd\u2029e\r\nf' });
  log.access({ ...entry, path: '/\u0085x', requestId: jwt });
  for (const line of lines) expect(line.slice(0, -1)).not.toMatch(/[\u0085\u2028\u2029\r\n]/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'a\u2028b\u0085c', path: 'd\u2029e\r\nf' });
  expect(JSON.parse(lines[1]!)).toMatchObject({ path: '/\u0085x', request_id: '[redacted]' });
});

test('access records', () => {
  const { log, lines } = logTo();
  log.access({ ...entry, path: `/x/${jwt}` });
  expect(JSON.parse(lines[0]!)).toEqual({
    time: '2026-01-02T03:04:05.006Z',
    level: 'info',
    msg: 'request',
    request_id: 'r1',
    method: 'POST',
    route: '/walker/Add',
    path: '/x/[redacted]',
    status: 200,
    duration_ms: 3.257,
    bytes_in: 10,
    bytes_out: 20,
    client: '127.0.0.1',
    target: 'Add',
  });
  log.access({ ...entry, durationMs: 1500.1234567 });
  expect(JSON.parse(lines[2]!)).toMatchObject({ level: 'warn', msg: 'slow request', duration_ms: 1500.123 });
  log.access({ ...entry, durationMs: 60_000, answeredMs: 3 });
  expect(lines).toHaveLength(4);
  log.adjust({ accessLog: false });
  log.access(entry);
  expect(lines).toHaveLength(4);
});

test('text form: one line per record, nothing can forge a line', () => {
  const { log, lines } = logTo({ format: 'text' });
  log.access({ ...entry, path: '/a\r\nfake 200' });
  log.warn('hello\nworld', { name: 'a b\u001b[31m', n: 3 });
  expect(lines[0]).toBe('03:04:05.006 POST   /a\\r\\nfake 200 200 3.3 ms\n');
  expect(lines[1]).toBe('03:04:05.006 warn  hello\\nworld name="a b\\u001b[31m" n=3\n');
  log.error('failed', { error: new Error('a\nb') });
  expect(lines[2]).toMatch(/^03:04:05\.006 error failed error="Error: a\\\\?nb"\n( {4}at .*\n)+$/);
});

test('lines of one turn leave together', async () => {
  const sent: string[] = [];
  const writer = createLineWriter((text) => sent.push(text));
  writer.write('a\n');
  writer.write('b\n');
  expect(sent).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(['a\nb\n']);
  writer.write('c\n');
  writer.flush();
  expect(sent).toEqual(['a\nb\n', 'c\n']);
});
