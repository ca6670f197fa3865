import { hash as addOnHash } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { argon2Derivation, loadArgon2 } from './argon2.ts';
import { createPasswords } from './passwords.ts';
import { parsePhc } from './phc.ts';

const argon2id = createPasswords({ preferred: 'argon2id' });
const scrypt = createPasswords({ preferred: 'scrypt' });

test('argon2id: round trip, format and salt', async () => {
  const stored = await argon2id.hash('correct horse 1');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await argon2id.verify('correct horse 1', stored)).toBe(true);
  expect(await argon2id.verify('correct horse 2', stored)).toBe(false);
  expect(await argon2id.hash('correct horse 1')).not.toBe(stored);
  expect(await argon2id.isWeaker(stored)).toBe(false);
});

test('scrypt: round trip and format', async () => {
  const stored = await scrypt.hash('correct horse 1');
  expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await scrypt.verify('correct horse 1', stored)).toBe(true);
  expect(await scrypt.verify('correct horse 2', stored)).toBe(false);
  expect(await scrypt.isWeaker(stored)).toBe(false);
});

test('hashes of other implementations verify', async () => {
  // RFC 7914, section 12.
  const key = `7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
    d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887`.replace(/\s/g, '');
  const base64 = (text: string, encoding: BufferEncoding) =>
    Buffer.from(text, encoding).toString('base64').replace(/=+$/, '');
  const stored = `$scrypt$ln=14,r=8,p=1$${base64('SodiumChloride', 'utf8')}$${base64(key, 'hex')}`;
  expect(await scrypt.verify('pleaseletmein', stored)).toBe(true);
  expect(await scrypt.isWeaker(stored)).toBe(true);
  const made = await addOnHash('pleaseletmein', { memoryCost: 64, timeCost: 1, parallelism: 1 });
  expect(parsePhc(made)).toMatchObject({ id: 'argon2id', version: 19, params: { m: 64, t: 1, p: 1 } });
  expect(await argon2id.verify('pleaseletmein', made)).toBe(true);
  expect(await argon2id.isWeaker(made)).toBe(true);
});

test('both formats are verified whichever is preferred', async () => {
  expect(await scrypt.verify('x', await argon2id.hash('x'))).toBe(true);
  expect(await argon2id.verify('x', await scrypt.hash('x'))).toBe(true);
});

test('composed and decomposed spellings are one password', async () => {
  expect(await argon2id.verify('re\u0301sume\u0301', await argon2id.hash('r\u00e9sum\u00e9'))).toBe(true);
});

test('weaker parameters and scrypt are to be hashed anew, argon2id is never taken back', async () => {
  const salt = 'AAAAAAAAAAAAAAAAAAAAAA';
  const key = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  expect(await argon2id.isWeaker(`$argon2id$v=19$m=19456,t=1,p=1$${salt}$${key}`)).toBe(true);
  expect(await argon2id.isWeaker(`$argon2id$v=19$m=4096,t=3,p=1$${salt}$${key}`)).toBe(true);
  expect(await argon2id.isWeaker(`$argon2id$v=19$m=65536,t=3,p=4$${salt}$${key}`)).toBe(false);
  expect(await argon2id.isWeaker(`$scrypt$ln=15,r=8,p=3$${salt}$${key}`)).toBe(true);
  expect(await scrypt.isWeaker(`$scrypt$ln=14,r=8,p=1$${salt}$${key}`)).toBe(true);
  expect(await scrypt.isWeaker(`$argon2id$v=19$m=4096,t=1,p=1$${salt}$${key}`)).toBe(false);
  expect(await argon2id.isWeaker('something else')).toBe(true);
});

test('without a driver for argon2id, scrypt takes over and says so once', async () => {
  const onFallback = vi.fn();
  const passwords = createPasswords({ preferred: 'argon2id', onFallback, loadArgon2: async () => undefined });
  const stored = await passwords.hash('x');
  expect(stored).toContain('$scrypt$');
  expect(await passwords.verify('x', stored)).toBe(true);
  expect(await passwords.isWeaker(stored)).toBe(false);
  expect(onFallback).toHaveBeenCalledTimes(1);
  await expect(passwords.verify('x', await argon2id.hash('x'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('verifying nothing does the work of a real verification', async () => {
  const driver = await loadArgon2();
  const derive = vi.fn(driver!.derive);
  const passwords = createPasswords({ preferred: 'argon2id', loadArgon2: async () => argon2Derivation(derive) });
  expect(await passwords.verifyNothing('x')).toBe(false);
  const stored = await passwords.hash('y');
  await passwords.verify('x', stored);
  const [nothing, , real] = derive.mock.calls.map(([, salt, params, length]) => ({
    salt: salt.length,
    params,
    length,
  }));
  expect(nothing).toEqual(real);
});

test('hashes wait for their turn and the queue is bounded', async () => {
  let running = 0;
  let most = 0;
  const slow = argon2Derivation(async (_password, _salt, _params, length) => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return Buffer.alloc(length);
  });
  const passwords = createPasswords({ preferred: 'argon2id', concurrent: 2, queue: 4, loadArgon2: async () => slow });
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => passwords.hash('x')));
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

test('parameters beyond reason are not computed', async () => {
  const key = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const huge = `$argon2id$v=19$m=4000000000,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$${key}`;
  await expect(argon2id.verify('x', huge)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(scrypt.verify('x', `$scrypt$ln=30,r=8,p=1$AAAA$${key}`)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});
