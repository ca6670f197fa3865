import { expect, test } from 'vitest';
import { invalidUtf8 } from './invalid-utf8.ts';

test('the first byte that is not UTF-8, past replacement characters that are written out', () => {
  const written = new TextEncoder().encode('\ufeffé \ufffd €');
  expect(invalidUtf8(written)).toBeUndefined();
  expect(invalidUtf8(Uint8Array.of(...written, 0xe9, 0x22))).toEqual({ byte: 13, at: 6 });
  expect(invalidUtf8(Uint8Array.of(0x61, 0xe2, 0x82))).toEqual({ byte: 1, at: 1 });
  expect(invalidUtf8(Uint8Array.of(0xef, 0xbf, 0xbd, 0xef, 0xbf))).toEqual({ byte: 3, at: 1 });
});
