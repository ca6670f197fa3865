import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMac } from './mac.ts';

test('gives what createHmac gives, for keys and messages on both sides of a block and of the buffer', () => {
  for (const keyBytes of [0, 1, 32, 63, 64, 65, 81, 200]) {
    const key = randomBytes(keyBytes);
    const mac = createMac(key);
    for (const messageBytes of [0, 1, 55, 56, 64, 65, 1000, 4083, 4084, 4085, 4096, 4097, 20_000]) {
      const message = randomBytes(messageBytes);
      for (const prefix of ['', '1767225600.']) {
        const expected = createHmac('sha256', key).update(prefix).update(message).digest('hex');
        expect([keyBytes, messageBytes, mac.hex(prefix, message)]).toEqual([keyBytes, messageBytes, expected]);
      }
    }
  }
});

test('the vectors of RFC 4231, 4.2, 4.3 and 4.7', () => {
  const of = (key: Buffer, text: string) => createMac(key).hex('', Buffer.from(text));
  expect(of(Buffer.alloc(20, 0x0b), 'Hi There')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  );
  expect(of(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  expect(of(Buffer.alloc(131, 0xaa), 'Test Using Larger Than Block-Size Key - Hash Key First')).toBe(
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  );
});
