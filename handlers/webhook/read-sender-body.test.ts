import { expect, test } from 'vitest';
import { readSenderBody } from './read-sender-body.ts';

const read = (text: string, ...declares: string[]) =>
  readSenderBody('application/json', Buffer.from(text), new Set(declares), 64).values;

test('an integer that is not exact is refused in a field of the walker, and passes beside its fields', () => {
  const text = '{"id": 9007199254740993, "note": "x"}';
  expect(read(text, 'note')).toMatchObject({ note: 'x' });
  expect(() => read(text, 'id')).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ loc: ['body', 'id'], type: 'number_out_of_safe_range' })],
    }),
  );
});
