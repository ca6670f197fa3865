import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Slices } from '../../../base/slices.ts';
import type { Exchange } from '../exchange.ts';
import { type BodyKind, bodyKind, unsupported } from './media-type.ts';
import { readBody } from './read-body.ts';
import { decodeUtf8, type JsonObject, largeBytes, objectOf, parseJsonText, readLargeJson } from './read-json.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxJsonDepth: number;
  /** Slices in which long bodies are read. */
  readonly slices: Slices;
}

/**
 * Reads a request's JSON object. Command-line clients send JSON under the urlencoded type unless told otherwise, so a body of that
 * type that begins like JSON is taken as JSON.
 */
export function readJsonBody(exchange: Exchange, limits: BodyLimits): MaybePromise<JsonObject> {
  const { call } = exchange;
  const kind = bodyKind(call.header('content-type'), 'json');
  const bytes = readBody(call, limits.maxBodyBytes);
  return bytes instanceof Promise
    ? bytes.then((ready) => decodeJson(exchange, ready, kind, limits))
    : decodeJson(exchange, bytes, kind, limits);
}

function decodeJson(
  exchange: Exchange,
  bytes: Uint8Array,
  kind: BodyKind,
  limits: BodyLimits,
): MaybePromise<JsonObject> {
  if (kind === 'form' && !looksLikeJson(bytes)) throw unsupported('json');
  return parseBody(exchange, bytes, limits);
}

/** Parses a body that was read, in slices when it is long; notes in the exchange what it was. */
export function parseBody(exchange: Exchange, bytes: Uint8Array, limits: BodyLimits): MaybePromise<JsonObject> {
  exchange.bytesIn = bytes.length;
  exchange.body = bytes;
  if (bytes.length <= largeBytes) {
    const text = decodeUtf8(bytes);
    exchange.text = text;
    return parseJsonText(text, limits.maxJsonDepth);
  }
  return readLargeJson(bytes, limits.maxJsonDepth, limits.slices).then((reader) => {
    exchange.large = reader;
    return objectOf(reader);
  });
}

/** Forms never begin with a bracket: names are percent-encoded. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return byte === 0x7b || byte === 0x5b;
  }
  return true;
}
