/**
 * Commands in a client's messages: signing in, control frames, a run (docs/server/sockets.md#authentication,
 * docs/server/sockets.md#frames). The same whoever holds the connection.
 */
import { after } from '../../base/after.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Caller } from '../caller.ts';
import { type CloseReason, reasonOf } from './frames.ts';
import type { Message } from './message.ts';

/** A connection as its messages see it. `C`: what is known of a caller. */
export interface Speaker<C extends Caller> {
  /** Undefined until signed in, where that is needed; null: a guest. */
  readonly userId: string | null | undefined;
  identify(token: string): MaybePromise<C | TokenRefusal>;
  /** Makes the connection go on as this caller, who may need a seat first. False when the connection is over. */
  signIn(caller: C, token: string): MaybePromise<boolean>;
  /** Ends the connection. */
  refuseToken(reason: CloseReason): MaybePromise<void>;
  /** Sends a frame that is a JSON object, given as text, with the message's id. */
  say(text: string, id: string | undefined): MaybePromise<void>;
  run(message: Message): MaybePromise<void>;
  /** Unix milliseconds. */
  now(): number;
}

export function obey<C extends Caller>(speaker: Speaker<C>, message: Message): MaybePromise<void> {
  const { control, id } = message;
  if (speaker.userId === undefined) return begin(speaker, message);
  switch (control) {
    case 'ping':
      return speaker.say(`{"type":"pong","ts":${Math.floor(speaker.now() / 1000)}}`, id);
    case 'pong':
      return undefined;
    case 'auth':
    case 'refresh':
      return after(takeToken(speaker, message), (isTaken) =>
        isTaken ? speaker.say(acknowledgements[control], id) : undefined,
      );
    default:
      return speaker.run(message);
  }
}

const acknowledgements = {
  auth: '{"type":"authenticated","ok":true}',
  refresh: '{"type":"refreshed","ok":true}',
} as const;

/** The first message has to bring a token; it runs only when it brings fields as well. */
function begin<C extends Caller>(speaker: Speaker<C>, message: Message): MaybePromise<void> {
  return after(takeToken(speaker, message), (isTaken) => {
    if (!isTaken) return undefined;
    if (message.control === 'auth') return speaker.say(acknowledgements.auth, message.id);
    if (message.control !== undefined) return obey(speaker, message);
    return Object.keys(message.fields).length > 0 ? speaker.run(message) : undefined;
  });
}

/** A token of anybody where nobody has signed in, else of the same user. False when the connection is over. */
function takeToken<C extends Caller>(speaker: Speaker<C>, { token }: Message): MaybePromise<boolean> {
  if (typeof token !== 'string') return refuse(speaker, 'missing');
  return after(speaker.identify(token), (found) => {
    if (typeof found === 'string') return refuse(speaker, reasonOf(found));
    const { userId = null } = speaker;
    if (userId !== null && userId !== found.userId) return refuse(speaker, 'identity_mismatch');
    return speaker.signIn(found, token);
  });
}

function refuse(speaker: Pick<Speaker<Caller>, 'refuseToken'>, reason: CloseReason): MaybePromise<false> {
  return after(speaker.refuseToken(reason), () => false as const);
}
