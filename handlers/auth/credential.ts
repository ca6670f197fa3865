/** The credential that a connection was opened with, and whether it still counts. */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Caller } from '../caller.ts';
import type { KeyGate } from './key-gate.ts';

/** A token, or the id of an API key whose text was checked. */
export type Credential = { readonly token: string } | { readonly keyId: string };

/** Gives the caller that a credential stands for now, or the reason why it no longer does. */
export type Recheck = (credential: Credential) => MaybePromise<Caller | TokenRefusal>;

export function createRecheck(
  auth: { identifyToken(token: string): MaybePromise<Caller | TokenRefusal> },
  keys: KeyGate | undefined,
): Recheck {
  return (credential) => {
    if ('token' in credential) return auth.identifyToken(credential.token);
    return keys === undefined ? 'revoked' : after(keys.again(credential.keyId), (caller) => caller ?? 'revoked');
  };
}
