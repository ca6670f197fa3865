/**
 * Handshakes: decide whether a socket may be opened, and for which caller (docs/server/sockets.md#handshake,
 * docs/server/sockets.md#authentication).
 */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { refusedToken, type TokenRefusal } from '../../core/accounts/refusals.ts';
import { Failure } from '../../core/errors.ts';
import type { Credential } from '../auth/credential.ts';
import { bearerToken, guest } from '../auth/identify.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { parseQuery } from '../http/body/read-query.ts';
import type { SocketTarget } from './socket-target.ts';

/** Forms of frames: with an envelope, or bare reports. */
export type FrameForm = 'full' | 'bare';

/** A handshake that was accepted. */
export interface Admission {
  readonly target: SocketTarget;
  /** Undefined: the first message has to bring a token. */
  readonly caller: Caller | undefined;
  /** Credential that identified the caller; undefined for guests. */
  readonly credential: Credential | undefined;
  readonly form: FrameForm;
  /** The subprotocol to answer with. */
  readonly subprotocol: string | undefined;
}

/** Ways in which a handshake says who opens the socket. */
export interface HandshakeAuth {
  identifyToken(token: string): MaybePromise<Caller | TokenRefusal>;
  /** Absent: there are no API keys. @throws Failure */
  identifyKey?: ((call: Call, target: SocketTarget) => MaybePromise<Caller & { readonly keyId?: string }>) | undefined;
}

const protocols: Readonly<Record<string, FrameForm>> = { 'svc.v1': 'full', 'svc.reports.v1': 'bare' };
const bearerPrefix = 'svc.bearer.';

/** @throws Failure `UNAUTHORIZED` for a bad token or key, on public targets too: in a handshake it claims an identity */
export function judgeHandshake(
  call: Call,
  target: SocketTarget,
  { identifyToken, identifyKey }: HandshakeAuth,
): MaybePromise<Admission> {
  const offered = (call.header('sec-websocket-protocol') ?? '').split(',').map((entry) => entry.trim());
  const subprotocol = offered.find((entry) => Object.hasOwn(protocols, entry));
  const form = subprotocol === undefined ? 'full' : protocols[subprotocol]!;
  const token = tokenOf(call, offered);
  if (token !== undefined) {
    return after(identifyToken(token), (caller) => {
      if (typeof caller === 'string') throw refusedToken(caller);
      return { target, caller, credential: { token }, form, subprotocol };
    });
  }
  const caller = target.served.isPublic ? guest : undefined;
  // Other parties have headers of this name too.
  if (identifyKey === undefined || call.header('x-api-key')?.startsWith('svck_') !== true)
    return { target, caller, credential: undefined, form, subprotocol };
  return after(identifyKey(call, target), (found) => {
    const credential = found.keyId === undefined ? undefined : { keyId: found.keyId };
    return { target, caller: found, credential, form, subprotocol };
  });
}

function tokenOf(call: Call, offered: readonly string[]): string | undefined {
  const inQuery = call.query === '' ? undefined : parseQuery(call.query).get('token')?.at(-1);
  if (inQuery !== undefined) return inQuery;
  const header = call.header('authorization');
  const inHeader = header === undefined ? undefined : bearerToken(header);
  return inHeader ?? offered.find((entry) => entry.startsWith(bearerPrefix))?.slice(bearerPrefix.length);
}

/** @throws Failure `FORBIDDEN` for a page of another origin */
export function requireOrigin(call: Call, isAllowed: (origin: string) => boolean): void {
  const origin = call.header('origin');
  if (origin === undefined || isAllowed(origin)) return;
  throw new Failure('FORBIDDEN', 'Sockets may not be opened from this origin.', { details: { reason: 'origin' } });
}
