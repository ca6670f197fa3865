/**
 * Socket side of one version of a program: judges handshakes and runs messages (docs/server/sockets.md). No connection lives
 * here.
 */

import { didYouMean } from '../../base/did-you-mean.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { EndedSession } from '../../core/accounts/desk.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Config } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';
import { createRecheck, type Recheck } from '../auth/credential.ts';
import type { KeyGate } from '../auth/key-gate.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { createOriginCheck } from '../http/cors.ts';
import { unknownTarget } from '../http/introspection.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import type { CreateFindUnknown } from '../http/run/unknown-fields.ts';
import type { ServedTarget } from '../served-targets.ts';
import { type Admission, type HandshakeAuth, judgeHandshake, requireOrigin } from './handshake.ts';
import { createRunMessage, type RunMessage, type RunMessageParts } from './run-message.ts';
import { type SocketTarget, socketTargets } from './socket-target.ts';

/** Operations of the accounts that sockets need. */
export interface SocketAuth {
  /** The caller a bare token stands for, or why it is refused. */
  identifyToken(token: string): MaybePromise<Caller | TokenRefusal>;
  /** Follows sessions that end by logout or a password change in this process; gives a function that stops following. */
  onSessionEnd(listener: (ended: EndedSession) => void): () => void;
}

export interface SocketApp {
  /** @throws Failure `NOT_FOUND`, `FORBIDDEN`, `UNAUTHORIZED`, `SERVICE_UNAVAILABLE`: answered instead of the upgrade */
  admit(call: Call): MaybePromise<Admission>;
  target(key: string): SocketTarget | undefined;
  readonly again: Recheck;
  readonly run: RunMessage;
  readonly auth: SocketAuth;
}

export interface SocketAppParts extends RunMessageParts {
  readonly config: Config;
  readonly auth: SocketAuth;
  /** Undefined: there are no API keys. */
  readonly keys: KeyGate | undefined;
  readonly lifecycle: Lifecycle;
  /** Undefined in production. */
  readonly createFindUnknown: CreateFindUnknown | undefined;
}

export type CreateSocketApps = typeof createSocketApps;

/** Prepares what all versions of a program share; the function it gives makes that of one version. */
export function createSocketApps(parts: SocketAppParts): (targets: readonly ServedTarget[]) => SocketApp {
  const { config, lifecycle, auth, keys } = parts;
  const { allowedOrigins } = config.scale.websocket;
  const isAllowed = createOriginCheck(allowedOrigins.length > 0 ? allowedOrigins : config.scale.cors.allowOrigins);
  const run = createRunMessage(parts);
  const handshakeAuth: HandshakeAuth = {
    identifyToken: auth.identifyToken,
    identifyKey:
      keys &&
      ((call, { served }) => {
        const requestId = call.header('x-request-id') ?? '';
        return keys.identify({ call, requestId, target: served.name }, 'bearer');
      }),
  };

  return (served) => {
    const targets = socketTargets(served, {
      maxJsonDepth: config.serve.maxJsonDepth,
      createFindUnknown: parts.createFindUnknown,
    });
    const names = served.filter(({ rest }) => rest.protocol === 'WEBSOCKET').map(({ name }) => name);
    return {
      admit(call) {
        if (lifecycle.state !== 'ready') throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.');
        const target = targets.at(call.path);
        if (target === undefined) throw notFound(call.path);
        requireOrigin(call, isAllowed);
        return judgeHandshake(call, target, handshakeAuth);
      },
      target: targets.of,
      again: createRecheck(auth, keys),
      run,
      auth,
    };

    function notFound(path: string): Failure {
      const [, folder, name] = /^\/(ws)\/(?:walker\/|function\/)?([^/]+)$/.exec(path) ?? [];
      if (folder === undefined || name === undefined) {
        return new Failure('NOT_FOUND', 'There is nothing at this path.');
      }
      const nearest = didYouMean(name, names);
      return unknownTarget('socket', name, names, { nearest, tellsNames: config.mode !== 'production' });
    }
  };
}
