import { expect, test } from 'vitest';
import { openDataKey } from './data-key.ts';
import { fixtureConfig } from './fixture.ts';

const old = 'old secret of a sufficient length!!';
const fresh = 'new secret of a sufficient length!!';

test('what is sealed opens again, in its own context only', () => {
  const key = openDataKey(fixtureConfig({ jwt: { secret: fresh } }));
  const sealed = key.seal('whsec_x', 'k1');
  expect(sealed).not.toContain('whsec');
  expect(key.seal('whsec_x', 'k1')).not.toBe(sealed);
  expect(key.open(sealed, 'k1')).toEqual({ secret: 'whsec_x', isOld: false });
  expect(key.open(sealed, 'k2')).toBeUndefined();
  expect(key.open('', 'k1')).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  expect(key.open(bytes.toString('base64url'), 'k1')).toBeUndefined();
});

test('former secrets open, and say so; foreign ones do not', () => {
  const sealed = openDataKey(fixtureConfig({ jwt: { secret: old } })).seal('s', 'k');
  const rotated = openDataKey(fixtureConfig({ jwt: { secret: fresh, previousSecrets: ['', old] } }));
  expect(rotated.open(sealed, 'k')).toEqual({ secret: 's', isOld: true });
  expect(openDataKey(fixtureConfig({ jwt: { secret: fresh } })).open(sealed, 'k')).toBeUndefined();
});
