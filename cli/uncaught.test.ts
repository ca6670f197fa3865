import { expect, test } from 'vitest';
import { createTraces, type Traces } from '../adapters/modules/traces.ts';
import type { SourceFrame } from '../core/log/read-error.ts';
import { ExceptionGroup, IndexError, KeyError, ValueError } from '../library/values/objects/exceptions.ts';
import { describeUncaught } from './uncaught.ts';

const source = {
  path: 'main.svc',
  text: 'def inner(xs: list) -> any {\n    return xs[3];\n}\n\ndef outer { inner([1]); }\n',
};

function describe(error: unknown, frames: readonly SourceFrame[]): string {
  const traces: Traces = { ...createTraces(), frames: (of) => (of === error ? [...frames] : []) };
  return describeUncaught(error, { traces, sourceOf: () => source, showPath: (file) => `app/${file}`, colour: false });
}

const frames: SourceFrame[] = [
  { file: 'main.svc', line: 2, column: 12, function: 'inner' },
  { file: 'main.svc', line: 5, column: 13, function: 'outer' },
  { file: 'main.svc', line: 9, column: 1, function: undefined },
];

test('shows name, frame and calls', () => {
  const error = Object.assign(new IndexError('list index out of range'), { __notes__: ['a note'] });
  expect(describe(error, frames)).toBe(`Error: IndexError: list index out of range
a note
 --> app/main.svc:2:12
  |
1 | def inner(xs: list) -> any {
2 |     return xs[3];
  |            ^^
3 | }
  |
  at inner app/main.svc:2
  at outer app/main.svc:5
  at app/main.svc:9
`);
});

test('the text is what `str` gives, whatever the program keeps in `message`', () => {
  const error = Object.assign(new ValueError('said'), { message: { any: 'thing' }, name: 'Ada' });
  expect(describe(error, [])).toBe('Error: ValueError: said\n');
  const group = new ExceptionGroup('both', [new ValueError('a'), new KeyError('b')]);
  expect(describe(group, [])).toBe(`Error: ExceptionGroup: both (2 sub-exceptions)

Exception 1 of the group: ValueError: a

Exception 2 of the group: KeyError: 'b'
`);
});

test('shows what it was raised from, and only the ends of long chains', () => {
  const error = Object.assign(new ValueError(), { __cause__: new KeyError('inner') });
  const text = describe(
    error,
    Array.from({ length: 100 }, (_, i) => ({ ...frames[0]!, line: i + 1 })),
  );
  expect(text).toContain('Error: ValueError\n');
  expect(text).toContain("\nCaused by: KeyError: 'inner'\n");
  expect(text).toContain('  ... 75 more calls\n');
});

test('the same call over and over is shown three times', () => {
  const [inner, outer] = [frames[0]!, frames[1]!];
  expect(describe(new ValueError('deep'), [...Array.from({ length: 9 }, () => inner), outer])).toContain(`
  at inner app/main.svc:2
  at inner app/main.svc:2
  at inner app/main.svc:2
  ... 6 more of the same
  at outer app/main.svc:5
`);
});

test('something that is not an error', () => {
  expect(describe('boom', [])).toBe('Error: Exception: boom\n');
});
