import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { setOutput } from '../../builtins/output.ts';
import { noteHandled } from '../../values/calls/handled.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeLogging } from './logging.ts';
import { makeLoggingHandlers } from './more-handlers.ts';

let [out, err] = ['', ''];
let logging: any;
beforeEach(() => {
  [out, err] = ['', ''];
  setOutput({ out: (text) => (out += text), err: (text) => (err += text) });
  logging = makeModule('logging', makeLogging());
});

test('the module functions write to stderr in the basic format', () => {
  $.call(logging.info, 'hidden');
  $.call(logging.warning, 'low %s: %d', 'disk', 3);
  expect(err).toBe('WARNING:root:low disk: 3\n');
});

test('a logger without handlers writes warnings only', () => {
  const log = $.call(logging.getLogger, 'app');
  $.callMethod(log, 'info', 'no');
  $.callMethod(log, 'error', 'yes %(who)s', $.Dict.of('who', 'Ada'));
  expect(err).toBe('yes Ada\n');
});

test('levels, hierarchy and formats', () => {
  $.callkw(
    logging.basicConfig,
    [],
    [
      ['level', logging.DEBUG],
      ['format', '%(name)s|%(levelname)-8s|%(message)s'],
    ],
  );
  const log = $.call(logging.getLogger, 'a.b');
  expect($.callMethod(log, 'getEffectiveLevel')).toBe(10);
  expect($.getattr($.getattr(log, 'parent'), 'name')).toBe('root');
  $.call(logging.getLogger, 'a');
  expect($.getattr($.getattr(log, 'parent'), 'name')).toBe('a');
  $.callMethod(log, 'debug', 'one');
  $.callMethod(log, 'setLevel', 'ERROR');
  $.callMethod(log, 'warning', 'two');
  expect(err).toBe('a.b|DEBUG   |one\n');
  expect($.call(logging.getLogger, 'a.b')).toBe(log);
  expect($.repr(log)).toBe('<Logger a.b (ERROR)>');
  expect($.repr(logging.root)).toBe('<RootLogger root (DEBUG)>');
  expect(() => $.callMethod(log, 'setLevel', 'LOUD')).toThrow("Unknown level: 'LOUD'");
});

test('time, extra and the place of the call', () => {
  $.callkw(logging.basicConfig, [], {
    format: '%(asctime)s %(user)s %(filename)s %(message)s',
    level: 'INFO',
    datefmt: '%Y',
  });
  $.callkw(logging.info, ['hello'], { extra: $.Dict.of('user', 'ada') });
  expect(err).toBe(`${new Date().getFullYear()} ada logging.test.ts hello\n`);
  expect(() => $.callkw(logging.info, ['x'], { extra: $.Dict.of('name', 1) })).toThrow(
    "Attempt to overwrite 'name' in LogRecord",
  );
});

test('exceptions are shown with their text', () => {
  const error = $.caught(new $.ValueError('bad'));
  noteHandled(error);
  $.call(logging.exception, 'failed');
  expect(err).toMatch(
    /^ERROR:root:failed\nTraceback \(most recent call last\):\n {2}File ".*logging\.test\.ts", line \d+, in /,
  );
  expect(err).toMatch(/\nValueError: bad\n$/);
});

test('handlers of the program, filters and formatters', () => {
  const seen: string[] = [];
  class Own extends logging.Handler {
    emit(record: any) {
      seen.push((this as any).format(record));
    }
  }
  const log = $.call(logging.getLogger, 'own');
  log.propagate = false;
  const handler = $.call(Own);
  $.callMethod(handler, 'setFormatter', $.callkw(logging.Formatter, ['{levelname}:{message}'], { style: '{' }));
  $.callMethod(handler, 'addFilter', (record: any) => !record.getMessage().includes('secret'));
  $.callMethod(log, 'addHandler', handler);
  $.callMethod(log, 'error', 'one');
  $.callMethod(log, 'error', 'a secret');
  expect(seen).toEqual(['ERROR:one']);
  expect(err).toBe('');
});

test('a bad format is reported, not raised', () => {
  $.call(logging.error, 'x %d', 'text');
  expect(err).toContain('--- Logging error ---');
  expect(err).toContain("Arguments: ('text',)");
});

test('files, and files that are started anew', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-logging-'));
  const handlers = makeModule('logging.handlers', makeLoggingHandlers());
  const log = $.call(logging.getLogger, 'file');
  $.callMethod(log, 'setLevel', 10);
  const file = $.call(logging.FileHandler, join(folder, 'a.log'));
  $.callMethod(log, 'addHandler', file);
  $.callMethod(log, 'info', 'line');
  $.callMethod(file, 'close');
  expect(readFileSync(join(folder, 'a.log'), 'utf8')).toBe('line\n');
  $.callMethod(log, 'removeHandler', file);
  const rotating = $.callkw(handlers.RotatingFileHandler, [join(folder, 'r.log')], { maxBytes: 20, backupCount: 2 });
  $.callMethod(log, 'addHandler', rotating);
  for (const text of ['0123456789', 'abcdefghij', 'klm']) $.callMethod(log, 'info', text);
  expect(readdirSync(folder).sort()).toEqual(['a.log', 'r.log', 'r.log.1']);
});

test('adapters', () => {
  $.callkw(logging.basicConfig, [], { format: '%(request)s %(message)s' });
  const adapter = $.call(logging.LoggerAdapter, logging.root, $.Dict.of('request', 'r1'));
  $.callMethod(adapter, 'warning', 'n=%s', 1);
  expect(err).toBe('r1 n=1\n');
});

test('members that are not there', () => {
  expect(() => $.getattr(logging, 'nothing')).toThrow("module 'logging' has no attribute 'nothing'");
});
