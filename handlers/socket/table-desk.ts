/** Connections of the table as events see them: who is on one now, posting to it, its end (docs/server/cloud.md#sockets). */

import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Claims } from '../../core/accounts/tokens.ts';
import type { Log } from '../../core/log/log.ts';
import { guest, type TokenCaller } from '../auth/identify.ts';
import type { Caller } from '../caller.ts';
import type { ConnectionRecord, ConnectionStore, SignIn } from './connection-store.ts';
import { type CloseReason, errorText, type Frame, reasonOf, textFrame, tokenRefusal } from './frames.ts';
import type { PostToConnection } from './post-to-connection.ts';
import type { SocketApp } from './socket-app.ts';
import { endConnection } from './sweep-connections.ts';

/** Lookup of the caller that a token stands for, now and later. */
export interface TableAuth {
  identifyToken(token: string): MaybePromise<TokenCaller | TokenRefusal>;
  identifyClaims(claims: Claims): MaybePromise<TokenCaller | TokenRefusal>;
}

export interface TableDeskParts {
  /** The version that is served now. */
  readonly app: () => Pick<SocketApp, 'again'>;
  readonly auth: TableAuth;
  readonly connections: ConnectionStore;
  readonly gateway: PostToConnection;
  readonly log: Log;
}

export interface TableDesk {
  /** Gives who is on a connection now, or why nobody is any more. */
  callerOf(row: ConnectionRecord): Promise<Caller | CloseReason>;
  /** Tells whether somebody may still receive; one whose session is over is told so and ended. */
  isLive(row: ConnectionRecord): Promise<boolean>;
  /** False when the connection is gone, which is noted. */
  post(cid: string, text: string): Promise<boolean>;
  /** Ends a connection, with a last frame. */
  end(cid: string, frame?: Frame): Promise<void>;
}

/** Prefix of the id of an API key in the place of a token's id. */
export const keyMark = 'key:';

export function createTableDesk(parts: TableDeskParts): TableDesk {
  const { app, auth, connections, gateway } = parts;

  async function callerOf({ userId, sv, exp, jti }: ConnectionRecord): Promise<Caller | CloseReason> {
    if (userId === null || sv === null || exp === null || jti === null) return guest;
    if (jti.startsWith(keyMark)) {
      const caller = await app().again({ keyId: jti.slice(keyMark.length) });
      return typeof caller === 'string' ? reasonOf(caller) : caller;
    }
    const claims = { userId, sessionVersion: sv, expiresAt: exp, tokenId: jti, issuedAt: 0, authTime: 0 };
    const found = await auth.identifyClaims(claims);
    return typeof found === 'string' ? reasonOf(found) : found;
  }

  const end = (cid: string, frame?: Frame) => endConnection(parts, cid, frame);
  return {
    callerOf,
    async isLive(row) {
      const caller = await callerOf(row);
      if (typeof caller !== 'string') return true;
      await end(row.cid, isOver(row, caller));
      return false;
    },
    async post(cid, text) {
      const isThere = await gateway.post(cid, text);
      if (!isThere) await connections.remove(cid);
      return isThere;
    },
    end,
  };
}

/** Connections of `/live` have frames of their own (docs/server/live.md#frames). */
function isOver({ target }: ConnectionRecord, reason: CloseReason): Frame {
  if (target !== '/live') return tokenRefusal(reason);
  const error = errorText({ code: 'UNAUTHORIZED', message: 'Invalid or expired token', reason });
  const full = textFrame(`{"type":"error","error":${error}}`);
  return { full, bare: [full], isError: true };
}

export function signInOf({ userId, claims: { sessionVersion, expiresAt, tokenId } }: TokenCaller): SignIn {
  return { userId, sv: sessionVersion, exp: expiresAt, jti: tokenId };
}
