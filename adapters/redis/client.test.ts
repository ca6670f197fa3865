import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';

test('the client leaves the methods of texts as fast as they were', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const isFast = new Function('return %HasFastProperties(String.prototype)') as () => boolean;
  await import('ioredis');
  expect(isFast(), 'the client itself makes them slow').toBe(false);
  await import('./client.ts');
  expect(isFast()).toBe(true);
});
