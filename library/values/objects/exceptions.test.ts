import '../../modules/exception-groups.ts';
import { expect, test } from 'vitest';
import * as $ from '../index-of-runtime.ts';
import { $uncatchable } from './protocol.ts';

const caughtFrom = (run: () => unknown): any => {
  try {
    run();
  } catch (e) {
    return $.caught(e);
  }
  throw new Error('nothing was thrown');
};

test('text and repr', () => {
  const shown = (e: unknown) => [$.str(e), $.repr(e)];
  expect(shown(new $.ValueError())).toEqual(['', 'ValueError()']);
  expect(shown(new $.ValueError('x'))).toEqual(['x', "ValueError('x')"]);
  expect(shown(new $.ValueError('x', 1))).toEqual(["('x', 1)", "ValueError('x', 1)"]);
  expect(shown(new $.KeyError('k'))).toEqual(["'k'", "KeyError('k')"]);
  expect(shown($.call($.OSError, 2, 'No such file', 'f.txt'))).toEqual([
    "[Errno 2] No such file: 'f.txt'",
    "FileNotFoundError(2, 'No such file')",
  ]);
  const group = new $.ExceptionGroup('many', [new $.ValueError(1), new $.TypeError(2)]);
  expect(shown(group)).toEqual(['many (2 sub-exceptions)', "ExceptionGroup('many', [ValueError(1), TypeError(2)])"]);
  expect(group instanceof $.Exception).toBe(true);
  expect($.repr(group.subgroup($.ValueError))).toBe("ExceptionGroup('many', [ValueError(1)])");
});

test('attributes of an exception are the language ones', () => {
  const e = new $.ValueError('x', 2);
  expect($.repr($.getattr(e, 'args'))).toBe("('x', 2)");
  expect(['message', 'name', 'stack', 'cause'].map((name) => $.hasattr(e, name))).toEqual([false, false, false, false]);
  $.setattr(e, 'message', 'mine');
  expect($.getattr(e, 'message')).toBe('mine');
  expect($.getattr(new $.StopIteration(5), 'value')).toBe(5);
  expect($.getattr(new $.SystemExit(3), 'code')).toBe(3);
  expect($.getattr($.getattr(e, '__class__'), '__name__')).toBe('ValueError');
  e.add_note('look here');
  expect($.getattr(e, '__notes__')).toEqual(['look here']);
  expect(new $.ValueError('for logs').message).toBe('for logs');
});

test('raising', () => {
  expect($.raised($.ValueError)).toBeInstanceOf($.ValueError);
  const cause = new $.KeyError('k');
  const e: any = $.raised(new $.ValueError('v'), cause);
  expect([e.__cause__, e.__suppress_context__]).toEqual([cause, true]);
  expect(($.raised(new $.ValueError('v'), undefined, cause) as any).__context__).toBe(cause);
  expect(() => $.raised('text')).toThrow('exceptions must derive from BaseException');
  expect(() => $.raised(new $.ValueError(), 5)).toThrow('exception causes must derive from BaseException');
});

test('matching', () => {
  const e = new $.FileNotFoundError(2, 'x');
  expect([$.excMatch(e, $.OSError), $.excMatch(e, $.Exception), $.excMatch(e, $.ValueError)]).toEqual([
    true,
    true,
    false,
  ]);
  expect($.excMatch(e, $.tuple($.ValueError, $.OSError))).toBe(true);
  expect($.excMatch(new $.KeyboardInterrupt(), $.Exception)).toBe(false);
  expect(() => $.excMatch(e, 5)).toThrow('catching classes that do not inherit from BaseException is not allowed');
  class Own extends $.LookupError {}
  expect($.excMatch(new Own(), $.Exception)).toBe(true);
});

test('JavaScript errors become exceptions of the language, once each', () => {
  const typeError = new globalThis.TypeError('no');
  expect($.caught(typeError)).toBe($.caught(typeError));
  expect($.repr($.caught(typeError))).toBe("TypeError('no')");
  expect($.originalError($.caught(typeError))).toBe(typeError);
  expect($.repr($.caught(new RangeError('bad')))).toBe("ValueError('bad')");
  expect($.repr(caughtFrom(() => JSON.parse('{')))).toMatch(/^ValueError\(/);
  expect($.repr($.caught(Object.assign(new Error('e'), { code: 'ENOENT', path: 'p' })))).toBe(
    "FileNotFoundError(2, 'No such file or directory')",
  );
  expect($.repr($.caught(Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } })))).toBe(
    "ConnectionRefusedError(111, 'Connection refused')",
  );
  expect($.repr($.caught(new Error('other')))).toBe("Exception('other')");
  expect($.repr($.caught('text'))).toBe("Exception('text')");
  const recurse = (): unknown => recurse();
  expect($.repr(caughtFrom(recurse))).toBe("RecursionError('maximum recursion depth exceeded')");
  const nothing: any = null;
  expect($.repr(caughtFrom(() => nothing.title))).toBe(`AttributeError("'NoneType' object has no attribute 'title'")`);
  const signal = Object.assign(new Error('stop'), { [$uncatchable]: true });
  expect(() => $.caught(signal)).toThrow(signal);
});

test('names', () => {
  expect($.str(caughtFrom(() => $.unbound('x')))).toBe(
    "cannot access local variable 'x' where it is not associated with a value",
  );
  expect($.str(caughtFrom(() => $.undefinedName('y')))).toBe("name 'y' is not defined");
  expect(caughtFrom(() => $.unbound('x'))).toBeInstanceOf($.NameError);
  expect(() => $.raiseHandled()).toThrow('No active exception to reraise');
});
