import { expect, test } from 'vitest';
import { lastForwarded } from './last-forwarded.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['10.0.0.1, 203.0.113.7:50123', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['10.0.0.1,[2001:db8::1]:50123', '2001:db8::1'],
  ['', ''],
  [undefined, ''],
  [null, ''],
])('%s', (header, address) => {
  expect(lastForwarded(header)).toBe(address);
});
