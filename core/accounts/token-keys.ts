import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { AccountConfig, JwtConfig } from './account-config.ts';
import { keyFilePath, readJwtSecret } from './jwt-secret.ts';

/** The keys tokens are signed and checked with. One algorithm, pinned by configuration; keys of no other family come near it. */
export interface TokenKeys {
  readonly algorithm: JwtConfig['algorithm'];
  /** Names the key that signs. */
  readonly kid: string;
  /** Complete compact form of a payload. */
  sign(header: string, payload: string): MaybePromise<string>;
  /** Checks the signature of a token whose header named `kid`, or nothing. `input` is everything before the last dot. */
  verify(token: string, input: string, signature: string, kid: string | undefined): MaybePromise<boolean>;
}

/** Reads secrets and key files, so it is called once, at start. */
export function loadTokenKeys(config: AccountConfig): TokenKeys {
  const { algorithm } = config.scale.jwt;
  switch (algorithm) {
    case 'HS256':
    case 'HS384':
    case 'HS512':
      return sharedKeys(algorithm, readJwtSecret(config), config.scale.jwt.previousSecrets);
    default:
      return pairedKeys(algorithm, config);
  }
}

interface NamedKey {
  readonly kid: string;
  readonly key: KeyObject;
}

const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

function sharedKeys(algorithm: keyof typeof digests, secret: string, previous: readonly string[]): TokenKeys {
  const digest = digests[algorithm];
  const keys = [secret, ...previous.filter((old) => old !== '' && old !== secret)].map(sharedKey);
  const [current] = keys as [NamedKey];
  const signatureOf = (key: KeyObject, input: string) => createHmac(digest, key).update(input).digest('base64url');

  return {
    algorithm,
    kid: current.kid,
    sign(header, payload) {
      const input = `${header}.${payload}`;
      return `${input}.${signatureOf(current.key, input)}`;
    },
    verify(_token, input, signature, kid) {
      let isGenuine = false;
      // Compared as text, so that a signature has one spelling only; all candidates are tried, so that time does not tell which fits.
      for (const { key } of candidates(keys, kid)) {
        if (isSameText(signatureOf(key, input), signature)) isGenuine = true;
      }
      return isGenuine;
    },
  };
}

function sharedKey(secret: string): NamedKey {
  if (secret.includes('-----BEGIN')) {
    // A public key used as a shared secret would let everybody sign: the classic confusion of HS and RS.
    throw new Error('jwt: a PEM key cannot be the secret of an HS algorithm');
  }
  if (secret === '') throw new Error('jwt.secret must not be empty');
  const bytes = Buffer.from(secret, 'utf8');
  return { kid: keyName(bytes), key: createSecretKey(bytes) };
}

const keyTypes = { RS256: 'rsa', ES256: 'ec', EdDSA: 'ed25519' } as const;

/** Previous secrets are public keys here: PEM text, or paths of files with it. */
function pairedKeys(algorithm: keyof typeof keyTypes, config: AccountConfig): TokenKeys {
  const { privateKeyFile, publicKeyFile, previousSecrets } = config.scale.jwt;
  const readPem = (text: string) =>
    text.includes('-----BEGIN') ? text : readFileSync(keyFilePath(config, text), 'utf8');
  const privateKey = requireType(createPrivateKey(readPem(privateKeyFile)), algorithm);
  const current = publicKeyFile === '' ? createPublicKey(privateKey) : createPublicKey(readPem(publicKeyFile));
  const keys = [current, ...previousSecrets.map((old) => createPublicKey(readPem(old)))].map((key) => ({
    kid: keyName(requireType(key, algorithm).export({ type: 'spki', format: 'der' })),
    key,
  }));

  return {
    algorithm,
    kid: (keys[0] as NamedKey).kid,
    async sign(header, payload) {
      const { CompactSign } = await import('jose');
      const protectedHeader = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
      return new CompactSign(Buffer.from(payload, 'base64url')).setProtectedHeader(protectedHeader).sign(privateKey);
    },
    async verify(token, _input, _signature, kid) {
      const { compactVerify } = await import('jose');
      const tries = candidates(keys, kid).map(({ key }) =>
        compactVerify(token, key, { algorithms: [algorithm] }).then(
          () => true,
          () => false,
        ),
      );
      return (await Promise.all(tries)).includes(true);
    },
  };
}

function requireType(key: KeyObject, algorithm: keyof typeof keyTypes): KeyObject {
  if (key.asymmetricKeyType !== keyTypes[algorithm]) {
    throw new Error(`jwt: ${algorithm} needs a key of type ${keyTypes[algorithm]}, not ${key.asymmetricKeyType}`);
  }
  return key;
}

/** The key that is named, else all of them in turn. */
function candidates(keys: readonly NamedKey[], kid: string | undefined): readonly NamedKey[] {
  const named = kid === undefined ? undefined : keys.find((key) => key.kid === kid);
  return named ? [named] : keys;
}

function keyName(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 8);
}

function isSameText(expected: string, given: string): boolean {
  const bytes = Buffer.from(given);
  return expected.length === bytes.length && timingSafeEqual(Buffer.from(expected), bytes);
}
