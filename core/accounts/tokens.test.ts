import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { fixtureConfig } from './fixture.ts';
import { loadTokenKeys } from './token-keys.ts';
import { type Claims, createTokens, type NewToken, type Refusal } from './tokens.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rules = { issuer: 'svc', lifetimeSeconds: 604_800, leewaySeconds: 30 };
const secret = 'svc-insecure-development-secret!';
const now = 1_767_225_600;
const ada: NewToken = {
  userId: '00000000-0000-4000-8000-000000000001',
  name: 'ada',
  role: 'user',
  authTime: now,
  tokenId: 'abc',
  sessionVersion: 0,
};
const plain = createTokens(loadTokenKeys(fixtureConfig()), rules);

function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** A token as somebody else would make it. */
function forge(
  payload: unknown,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
  key = secret,
  digest = 'sha256',
): string {
  const input = `${segment(header)}.${segment(payload)}`;
  return `${input}.${createHmac(digest, key).update(input).digest('base64url')}`;
}

const good = { sub: ada.userId, iat: now, exp: now + 60 };
const read = (token: string, at = now) => plain.read(token, at) as Claims | Refusal;

test('header and claims are those of the specification', () => {
  const [header, payload] = (plain.issue(ada, now) as string)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header as string)).toEqual({
    alg: 'HS256',
    typ: 'JWT',
    kid: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(JSON.parse(payload as string)).toEqual({
    iss: 'svc',
    sub: ada.userId,
    user_id: ada.userId,
    preferred_username: 'ada',
    role: 'user',
    type: 'access',
    iat: now,
    exp: now + 604_800,
    auth_time: now,
    jti: 'abc',
    sv: 0,
  });
});

test('its own tokens are read back', () => {
  expect(read(plain.issue({ ...ada, sessionVersion: 3, authTime: now - 9 }, now) as string)).toEqual({
    userId: ada.userId,
    issuedAt: now,
    expiresAt: now + 604_800,
    authTime: now - 9,
    tokenId: 'abc',
    sessionVersion: 3,
  });
});

test('tokens of older clients: no kid, no type, no id, no session version, only user_id', () => {
  expect(read(forge(good))).toMatchObject({ userId: ada.userId, sessionVersion: 0, authTime: now });
  const { sub, ...rest } = good;
  const claims = read(forge({ ...rest, user_id: sub })) as Claims;
  expect(claims.userId).toBe(sub);
  expect(claims.tokenId).toMatch(/^[\w-]{43}$/);
});

test.each<[string, string, Refusal]>([
  ['algorithm none', `${segment({ alg: 'none', typ: 'JWT' })}.${segment(good)}.`, 'invalid'],
  ['algorithm None with a signature', forge(good, { alg: 'None' }), 'invalid'],
  ['no algorithm', forge(good, { typ: 'JWT' }), 'invalid'],
  ['another algorithm of the family', forge(good, { alg: 'HS512' }, secret, 'sha512'), 'invalid'],
  ['algorithm as a list', forge(good, { alg: ['HS256'] }), 'invalid'],
  ['critical extensions', forge(good, { alg: 'HS256', crit: ['exp'] }), 'invalid'],
  ['wrong key', forge(good, undefined, 'another-secret-of-thirty-two-bytes'), 'invalid'],
  ['an embedded key', forge(good, { alg: 'HS256', jwk: { kty: 'oct', k: 'eA' }, kid: '../../x' }, 'x'), 'invalid'],
  ['signature cut off', forge(good).slice(0, -1), 'invalid'],
  ['no signature', forge(good).replace(/[^.]+$/, ''), 'invalid'],
  ['two segments', 'a.b', 'invalid'],
  ['four segments', `${forge(good)}.x`, 'invalid'],
  ['not a token', 'not.a.token', 'invalid'],
  ['empty', '', 'invalid'],
  ['too long', forge({ ...good, pad: 'x'.repeat(4096) }), 'invalid'],
  ['payload is a list', forge([]), 'invalid'],
  ['payload is not JSON', forge('{'), 'invalid'],
  ['no expiry', forge({ sub: ada.userId, iat: now }), 'invalid'],
  ['expiry as text', forge({ ...good, exp: '4102444800' }), 'invalid'],
  ['expired', forge({ ...good, exp: now - 31 }), 'expired'],
  ['issued in the future', forge({ ...good, iat: now + 31 }), 'invalid'],
  ['not before a later time', forge({ ...good, nbf: now + 31 }), 'invalid'],
  ['another issuer', forge({ ...good, iss: 'else' }), 'invalid'],
  ['an audience, which no token of ours has', forge({ ...good, aud: 'somebody' }), 'invalid'],
  ['several audiences', forge({ ...good, aud: ['svc', 'else'] }), 'invalid'],
  ['type api_key', forge({ ...good, type: 'api_key' }), 'wrong_type'],
  ['type refresh', forge({ ...good, type: 'refresh' }), 'wrong_type'],
  ['only a username', forge({ username: 'ghost', iat: now, exp: now + 60 }), 'invalid'],
  ['two subjects', forge({ ...good, user_id: 'other' }), 'invalid'],
  ['subject is a number', forge({ ...good, sub: 1 }), 'invalid'],
  ['session version as text', forge({ ...good, sv: '0' }), 'invalid'],
])('refused: %s', (_name, token, reason) => {
  expect(read(token)).toBe(reason);
});

test('a signature has one spelling', () => {
  const token = forge(good);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) as string);
  const twin = token.slice(0, -1) + alphabet[last ^ 1];
  expect(Buffer.from(twin.split('.')[2] as string, 'base64url')).toEqual(
    Buffer.from(token.split('.')[2] as string, 'base64url'),
  );
  expect(read(token)).toMatchObject({ userId: ada.userId });
  expect(read(twin)).toBe('invalid');
  expect(read(`${token}=`)).toBe('invalid');
});

test('clocks may differ by the leeway', () => {
  expect(read(forge({ ...good, exp: now - 30 }))).toMatchObject({ userId: ada.userId });
  expect(read(forge({ ...good, iat: now + 30, nbf: now + 30 }))).toMatchObject({ userId: ada.userId });
});

test('a period of grace is for expiry only', () => {
  const old = forge({ ...good, exp: now - 100 });
  expect(plain.read(old, now, 100)).toMatchObject({ userId: ada.userId });
  expect(plain.read(old, now, 69)).toBe('expired');
  expect(plain.read(forge({ ...good, exp: now - 100, type: 'x' }), now, 100)).toBe('wrong_type');
});

test('rotation: tokens of the old secret hold while it is listed', () => {
  const old = plain.issue(ada, now) as string;
  const fresh = 'a-new-secret-of-thirty-two-bytes!';
  const rotated = createTokens(
    loadTokenKeys(fixtureConfig({ jwt: { secret: fresh, previousSecrets: [secret] } })),
    rules,
  );
  expect(rotated.read(old, now)).toMatchObject({ userId: ada.userId });
  expect(rotated.read(forge(good), now)).toMatchObject({ userId: ada.userId });
  expect(rotated.read(rotated.issue(ada, now) as string, now)).toMatchObject({ userId: ada.userId });
  const retired = createTokens(loadTokenKeys(fixtureConfig({ jwt: { secret: fresh } })), rules);
  expect(retired.read(old, now)).toBe('invalid');
});

describe.each(['HS256', 'HS384', 'HS512'] as const)('%s as jose has it', (algorithm) => {
  const tokens = createTokens(loadTokenKeys(fixtureConfig({ jwt: { algorithm } })), rules);
  const key = new TextEncoder().encode(secret);
  const strict = {
    algorithms: [algorithm],
    issuer: 'svc',
    typ: 'JWT',
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    currentDate: new Date(now * 1000),
  };
  const claims = {
    sub: ada.userId,
    iat: now,
    exp: now + 60,
    iss: 'svc',
    jti: 'made-by-jose',
    sv: 2,
    auth_time: now - 5,
  };
  const made = (payload: object = claims, header: object = {}, signedWith = key) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg: algorithm, typ: 'JWT', ...header }).sign(signedWith);

  test('jose verifies ours, and refuses it where it should', async () => {
    const token = await tokens.issue(ada, now);
    const { payload, protectedHeader } = await jwtVerify(token, key, strict);
    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT', kid: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(payload).toMatchObject({ sub: ada.userId, iat: now, exp: now + 604_800, jti: 'abc', sv: 0 });
    const code = (options: object, other = key) =>
      jwtVerify(token, other, { ...strict, ...options }).then(
        () => 'accepted',
        (error) => error.code,
      );
    expect(await code({}, new TextEncoder().encode('another-secret-of-thirty-two-bytes'))).toBe(
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    );
    expect(await code({ currentDate: new Date((now + 604_800) * 1000) })).toBe('ERR_JWT_EXPIRED');
    expect(await code({ issuer: 'else' })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED');
    expect(await code({ audience: 'somebody' })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED');
    expect(await code({ algorithms: ['RS256'] })).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
  });

  test('a token that jose made is read as ours are', async () => {
    expect(await tokens.read(await made(), now)).toEqual({
      userId: ada.userId,
      issuedAt: now,
      expiresAt: now + 60,
      authTime: now - 5,
      tokenId: 'made-by-jose',
      sessionVersion: 2,
    });
    const { kid } = decodeProtectedHeader(await tokens.issue(ada, now));
    expect(await tokens.read(await made(claims, { kid }), now)).toMatchObject({ userId: ada.userId });
  });

  const others = { HS256: 'HS384', HS384: 'HS512', HS512: 'HS256' } as const;
  test.each<[string, Refusal, () => string | Promise<string>]>([
    [
      'another secret',
      'invalid',
      () => made(claims, {}, new TextEncoder().encode('another-secret-of-thirty-two-bytes')),
    ],
    ['alg none', 'invalid', () => new UnsecuredJWT({ ...claims }).encode()],
    ['another digest of the same secret', 'invalid', () => made(claims, { alg: others[algorithm] }, key)],
    ['expired', 'expired', () => made({ ...claims, exp: now - 31 })],
    ['not valid yet', 'invalid', () => made({ ...claims, nbf: now + 31 })],
    ['for somebody else', 'invalid', () => made({ ...claims, aud: 'somebody' })],
    ['of another issuer', 'invalid', () => made({ ...claims, iss: 'else' })],
    ['a refresh token', 'wrong_type', () => made({ ...claims, type: 'refresh' })],
  ])('refused, made by jose: %s', async (_name, reason, make) => {
    expect(await tokens.read(await make(), now)).toBe(reason);
  });
});

test.each(['HS384', 'HS512'] as const)('%s', (algorithm) => {
  const tokens = createTokens(loadTokenKeys(fixtureConfig({ jwt: { algorithm } })), rules);
  expect(tokens.read(tokens.issue(ada, now) as string, now)).toMatchObject({ userId: ada.userId });
  expect(tokens.read(plain.issue(ada, now) as string, now)).toBe('invalid');
});

const pairs = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

test.each(['RS256', 'ES256', 'EdDSA'] as const)(
  '%s: signs, verifies, and refuses the public key as a secret',
  async (algorithm) => {
    const { privateKey, publicKey } = pairs[algorithm]();
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    writeFileSync(join(folder, `${algorithm}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(folder, `${algorithm}.pub`), publicPem);
    const config = fixtureConfig({
      projectDir: folder,
      jwt: { algorithm, privateKeyFile: `${algorithm}.pem`, publicKeyFile: `${algorithm}.pub` },
    });
    const tokens = createTokens(loadTokenKeys(config), rules);
    const token = await tokens.issue(ada, now);
    expect(JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString())).toMatchObject({
      alg: algorithm,
    });
    expect(await tokens.read(token, now)).toMatchObject({ userId: ada.userId, tokenId: 'abc' });
    expect(await tokens.read(`${token.slice(0, -8)}AAAAAAAA`, now)).toBe('invalid');
    expect(await tokens.read(forge(good, { alg: 'HS256' }, publicPem), now)).toBe('invalid');
    expect(await tokens.read(forge(good, { alg: algorithm }, publicPem), now)).toBe('invalid');

    const next = pairs[algorithm]();
    writeFileSync(join(folder, 'next.pem'), next.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const rotated = createTokens(
      loadTokenKeys(
        fixtureConfig({
          projectDir: folder,
          jwt: { algorithm, privateKeyFile: 'next.pem', previousSecrets: [publicPem] },
        }),
      ),
      rules,
    );
    expect(await rotated.read(token, now)).toMatchObject({ userId: ada.userId });
  },
);

test('keys that do not fit the algorithm are refused at start', () => {
  const { publicKey, privateKey } = pairs.ES256();
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  expect(() => loadTokenKeys(fixtureConfig({ jwt: { previousSecrets: [pem] } }))).toThrow('HS algorithm');
  writeFileSync(join(folder, 'ec.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const config = fixtureConfig({ projectDir: folder, jwt: { algorithm: 'RS256', privateKeyFile: 'ec.pem' } });
  expect(() => loadTokenKeys(config)).toThrow('RS256 needs a key of type rsa');
});

test('secret "auto" is made once and kept private', () => {
  const config = fixtureConfig({ projectDir: folder, jwt: { secret: 'auto' } });
  const first = loadTokenKeys(config);
  expect(loadTokenKeys(config).kid).toBe(first.kid);
  const path = join(folder, '.svc', 'secrets', 'jwt');
  expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, '.svc', 'secrets')).mode & 0o777).toBe(0o700);
  writeFileSync(path, 'short');
  expect(() => loadTokenKeys(config)).toThrow('not a secret');
});
