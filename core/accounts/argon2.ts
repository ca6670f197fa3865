import * as crypto from 'node:crypto';
import type { HashParams, KeyDerivation } from './key-derivation.ts';

type Derive = KeyDerivation['derive'];

/**
 * argon2id with m = 19456 KiB, t = 2, p = 1: the `@node-rs/argon2` add-on, else Node's own where this version of Node has it, which
 * takes three times as long. Undefined when neither can be had. Why it is the default: decisions/0002.
 */
export async function loadArgon2(): Promise<KeyDerivation | undefined> {
  const derive = (await addOnArgon2()) ?? nodeArgon2();
  return derive && argon2Derivation(derive);
}

/** @internal The rules of argon2id over some way of computing it. */
export function argon2Derivation(derive: Derive): KeyDerivation {
  return {
    id: 'argon2id',
    version: 19,
    params: { m: 19456, t: 2, p: 1 },
    accepts: ({ m = 0, t = 0, p = 0 }) => m >= 8 * p && m <= 1024 * 1024 && t >= 1 && t <= 64 && p >= 1 && p <= 64,
    isWeaker: ({ m = 0, t = 0 }) => m < 19456 || t < 2,
    derive,
  };
}

/**
 * Function `crypto.argon2` of Node 24.7 and newer, when its OpenSSL knows the algorithm. Not in the type declarations
 * of Node 20.
 */
type NodeArgon2 = (
  algorithm: 'argon2id',
  parameters: {
    readonly message: Buffer;
    readonly nonce: Buffer;
    readonly parallelism: number;
    readonly tagLength: number;
    readonly memory: number;
    readonly passes: number;
  },
  done: (error: Error | null, key: Buffer) => void,
) => void;

function nodeArgon2(): Derive | undefined {
  const { argon2, argon2Sync } = crypto as unknown as {
    argon2?: NodeArgon2;
    argon2Sync?: (...args: unknown[]) => Buffer;
  };
  if (typeof argon2 !== 'function' || typeof argon2Sync !== 'function') return undefined;
  try {
    argon2Sync('argon2id', nodeParameters(Buffer.alloc(1), Buffer.alloc(16), { m: 8, t: 1, p: 1 }, 16));
  } catch {
    return undefined; // linked against an OpenSSL without argon2
  }
  return (password, salt, params, length) =>
    new Promise((resolve, reject) => {
      argon2('argon2id', nodeParameters(password, salt, params, length), (error, key) => {
        if (error) reject(error);
        else resolve(Buffer.from(key));
      });
    });
}

function nodeParameters(message: Buffer, nonce: Buffer, { m = 0, t = 0, p = 0 }: HashParams, tagLength: number) {
  return { message, nonce, parallelism: p, tagLength, memory: m, passes: t };
}

async function addOnArgon2(): Promise<Derive | undefined> {
  try {
    const driver = await import('@node-rs/argon2');
    const algorithm = 2; // Algorithm.Argon2id: a const enum, which cannot be imported here
    return (password, salt, { m = 0, t = 0, p = 0 }, outputLen) =>
      driver.hashRaw(password, { algorithm, salt, memoryCost: m, timeCost: t, parallelism: p, outputLen });
  } catch {
    return undefined; // no prebuilt binary for this platform
  }
}
