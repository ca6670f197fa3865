/** The server's part of signing in with SCRAM-SHA-256 (RFC 5802, RFC 7677), one for each connection. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Binary } from 'mongodb';
import type { Doc } from './wire.ts';

export interface SignIn {
  /** Answers a command that belongs to signing in; undefined for others that may be done, a refusal for those that may not. */
  answer(name: string, command: Doc): Doc | undefined;
}

/** `passwordOf`: that of a user, undefined where there is no such user. */
export function createSignIn(passwordOf: (user: string) => string | undefined): SignIn {
  let isIn = false;
  let begun:
    | { readonly user: string; readonly first: string; readonly server: string; readonly salt: Buffer }
    | undefined;
  const refused = (code: number, codeName: string) => ({ ok: 0, code, codeName, errmsg: codeName });
  const start = (client: string): Doc => {
    const first = client.replace(/^n,,/, '');
    const [, user = '', nonce = ''] = /^n=([^,]*),r=(.*)$/.exec(first) ?? [];
    const salt = randomBytes(28);
    const server = `r=${nonce}${randomBytes(18).toString('base64')},s=${salt.toString('base64')},i=${iterations}`;
    begun = { user, first, server, salt };
    return said(server, false);
  };
  const finish = (client: string): Doc => {
    const password = begun === undefined ? undefined : passwordOf(begun.user);
    if (begun === undefined || password === undefined) return refused(18, 'AuthenticationFailed');
    const [withoutProof, proof] = client.split(',p=') as [string, string];
    const salted = pbkdf2Sync(password, begun.salt, iterations, 32, 'sha256');
    const message = `${begun.first},${begun.server},${withoutProof}`;
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
    const expected = Buffer.from(clientKey.map((byte, at) => byte ^ signature[at]!));
    if (expected.toString('base64') !== proof) return refused(18, 'AuthenticationFailed');
    isIn = true;
    return said(`v=${hmac(hmac(salted, 'Server Key'), message).toString('base64')}`, true);
  };
  return {
    answer(name, command) {
      if (name === 'saslStart') return start(command['payload'].toString('utf8'));
      if (name === 'saslContinue') return finish(command['payload'].toString('utf8'));
      return isIn || name === 'ping' || name === 'endSessions' ? undefined : refused(13, 'Unauthorized');
    },
  };
}

const iterations = 4096;

function said(text: string, done: boolean): Doc {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(text)), ok: 1 };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
