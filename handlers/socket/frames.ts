/** Frames from server to client (docs/server/sockets.md#frames). */
import type { TokenRefusal } from '../../core/accounts/refusals.ts';
import type { Failure } from '../../core/errors.ts';
import { furtherMembers } from '../http/replies.ts';
import { plainText } from '../http/serialize/plain-text.ts';

/** The text of one frame. Hosts keep what they make of it, so that a text for many is encoded once. */
export interface FrameText {
  readonly text: string;
  /** The text as UTF-8 after `headRoom` free bytes, where it was written as bytes in the first place. */
  readonly roomy?: Buffer;
  /** The frame as bytes of the protocol, when a host has made them. */
  bytes?: Uint8Array;
}

/** One answer, in the form of each subprotocol. */
export interface Frame {
  /** Frame of `svc.v1`, without `id`. */
  readonly full: FrameText;
  /** Frames of `svc.reports.v1`: bare values. */
  readonly bare: readonly FrameText[];
  /** Errors are for the sender only. */
  readonly isError: boolean;
  readonly errorCode?: string;
}

/** Greatest number of bytes in the head of a frame (RFC 6455 5.2): hosts put it there instead of copying the text. */
export const headRoom = 10;

export function textFrame(text: string): FrameText {
  return { text };
}

/** The full form with the client's `$id`, given as JSON text. */
export function withId({ full }: Frame, id: string | undefined): FrameText {
  return id === undefined ? full : textFrame(addId(full.text, id));
}

/** A JSON object given as text, with one more member where there is an id. */
export function addId(text: string, id: string | undefined): string {
  return id === undefined ? text : `${text.slice(0, -1)},"id":${id}}`;
}

/** The texts that a connection gets of a frame, in the form of its subprotocol. */
export function framesFor(frame: Frame, form: 'full' | 'bare', id: string | undefined): readonly string[] {
  if (form === 'bare' && !frame.isError) return frame.bare.map(({ text }) => text);
  return [withId(frame, id).text];
}

export function chunkFrame(json: string): Frame {
  return { full: textFrame(`{"ok":true,"type":"chunk","data":${json}}`), bare: [textFrame(json)], isError: false };
}

export const doneFrame: Frame = { full: textFrame('{"ok":true,"type":"done"}'), bare: [], isError: false };

export interface FrameError {
  readonly code: string;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly details?: unknown;
  /** Members after the details, each with a comma before it. */
  readonly further?: string;
}

export function errorFrame(error: FrameError, type?: 'done'): Frame {
  const kind = type === undefined ? '' : `"type":"${type}",`;
  const full = textFrame(`{"ok":false,${kind}"error":${errorText(error)}}`);
  return { full, bare: [full], isError: true, errorCode: error.code };
}

/** An error as JSON text. */
export function errorText({ code, message, reason, details, further = '' }: FrameError): string {
  const members = [`"code":${JSON.stringify(code)}`, `"message":${JSON.stringify(message)}`];
  if (reason !== undefined) members.push(`"reason":${JSON.stringify(reason)}`);
  if (details !== undefined) members.push(`"details":${plainText(details)}`);
  return `{${members.join(',')}${further}}`;
}

/** A failure in the form of a frame: a lone reason stands beside the code. `hint`: in development. */
export function frameError(failure: Failure, hint?: string): FrameError {
  const { code, message, details } = failure;
  const further = furtherMembers(failure, hint);
  const reason = (details as { reason?: unknown } | undefined)?.reason;
  if (typeof reason !== 'string') return { code, message, details, further };
  const rest = Object.keys(details as object).length > 1 ? details : undefined;
  return { code, message, reason, details: rest, further };
}

export type CloseReason = 'missing' | 'invalid' | 'expired' | 'revoked' | 'identity_mismatch';

/** Gives the reason with which a connection ends whose token is refused (docs/server/sockets.md#close-codes). */
export function reasonOf(refusal: TokenRefusal): CloseReason {
  switch (refusal) {
    case 'expired':
    case 'revoked':
      return refusal;
    case 'disabled':
      return 'revoked';
    default:
      return 'invalid';
  }
}

export function tokenRefusal(reason: CloseReason): Frame {
  const message = reason === 'missing' ? 'Authentication is required.' : 'Invalid or expired token';
  return errorFrame({ code: 'UNAUTHORIZED', message, reason });
}

/** A cap of connections is reached (docs/server/sockets.md#caps). */
export const tooMany = errorFrame({ code: 'CAPACITY', message: 'There are too many connections.' });

export const tooFast = errorFrame({ code: 'RATE_LIMITED', message: 'Too many messages.' });

export function tooLarge(maxBytes: number): Frame {
  return errorFrame({ code: 'MESSAGE_TOO_LARGE', message: `A message may have ${maxBytes} bytes.` });
}
