import { expect, test } from 'vitest';
import { createSlices } from '../../base/slices.ts';
import { callOf } from '../../test/harness/call-of.ts';
import { openExchange } from '../http/exchange.ts';
import { readSenderBody } from './read-sender-body.ts';

const limits = { maxBodyBytes: 1 << 20, maxJsonDepth: 64, slices: createSlices(5) };
const read = async (text: string, ...declares: string[]) => {
  const call = callOf('POST', '/webhook/Pay', text, { headers: { 'content-type': 'application/json' } });
  return (
    await readSenderBody(
      openExchange(call, () => 'id', 0),
      Buffer.from(text),
      new Set(declares),
      limits,
    )
  ).values;
};

test.each(['', 'x'.repeat(200_000)])(
  'an integer that is not exact is refused in a field of the walker, and passes beside its fields (%#)',
  async (padding) => {
    const text = `{"id": 9007199254740993, "note": "x", "padding": "${padding}"}`;
    expect(await read(text, 'note')).toMatchObject({ note: 'x' });
    await expect(async () => read(text, 'id')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ loc: ['body', 'id'], type: 'number_out_of_safe_range' })],
    });
  },
);
