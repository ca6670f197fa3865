import { expect, test } from 'vitest';
import { ExceptionGroup, IndexError, ValueError } from '../../library/values/objects/exceptions.ts';
import { readError, type SourceFrame, type StackReader } from './read-error.ts';

const frame: SourceFrame = { file: 'main.svc', line: 7, column: 5, function: 'pick' };

/** Finds a call of the program in these errors. */
function stacks(...ofProgram: readonly unknown[]): StackReader {
  return { frames: (error) => (ofProgram.includes(error) ? [frame] : []), mapStack: (stack) => `mapped ${stack}` };
}

test('an exception with its notes, what it was raised from and the members of a group', () => {
  const cause = new IndexError('list index out of range');
  const error = Object.assign(new ExceptionGroup('both', [new ValueError('a'), cause]), {
    __cause__: cause,
    __notes__: ['first', 'second'],
  });
  const inner = { name: 'IndexError', message: 'list index out of range', frames: [frame] };
  expect(readError(error, stacks(error, cause))).toEqual({
    name: 'ExceptionGroup',
    message: 'both (2 sub-exceptions)',
    notes: ['first', 'second'],
    frames: [frame],
    cause: inner,
    exceptions: [{ name: 'ValueError', message: 'a', frames: [] }, inner],
  });
});

test('errors of JavaScript that the program met have their name in the language', () => {
  const error = new globalThis.RangeError('Maximum call stack size exceeded');
  expect(readError(error, stacks(error))).toEqual({
    name: 'RecursionError',
    message: 'maximum recursion depth exceeded',
    frames: [frame],
  });
  expect(readError('text', stacks())).toEqual({ name: 'Exception', message: 'text', frames: [] });
});

test('calls of the runtime: on demand, and where nothing else says where the fault is', () => {
  const error = new ValueError('x');
  expect(readError(error, stacks(error))).not.toHaveProperty('stack');
  expect(readError(error, stacks(error), true).stack).toMatch(/^mapped /);
  const ours = new globalThis.TypeError('x is not a function');
  expect(readError(ours, stacks())).toMatchObject({ name: 'TypeError', stack: expect.stringMatching(/^mapped /) });
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(readError(refused, stacks())).toEqual({
    name: 'Error',
    message: 'connect ECONNREFUSED',
    error_code: 'ECONNREFUSED',
    frames: [],
  });
  const wrongCall = Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' });
  expect(readError(wrongCall, stacks())).toHaveProperty('stack');
});

test('chains and groups have an end', () => {
  const loop: any = new ValueError('loop');
  loop.__cause__ = loop;
  let depth = 0;
  for (let at: any = readError(loop, stacks()); at !== undefined; at = at.cause) depth++;
  expect(depth).toBe(6);
  const members = Array.from({ length: 50 }, (_, i) => new ValueError(String(i)));
  expect(readError(new ExceptionGroup('many', members), stacks()).exceptions).toHaveLength(10);
  let nested: unknown = new ValueError('x');
  for (let i = 0; i < 4; i++) nested = new ExceptionGroup('nested', Array(10).fill(nested));
  expect(JSON.stringify(readError(nested, stacks())).match(/"name"/g)).toHaveLength(50);
});

test('a text that repeats a whole request is cut, with its stack', () => {
  const { message, stack } = readError(new Error('x'.repeat(1_000_000)), stacks());
  expect(message).toMatch(/^x{3999}…$/);
  expect(stack!.length).toBeLessThan(20_000);
  expect(stack).toContain('read-error.test.ts');
});
