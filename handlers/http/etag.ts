import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import { type Answer, answer } from '../routes.ts';

/** A body that changes seldom, prepared once. */
export interface TaggedBody {
  readonly contentType: string;
  readonly text: string;
  readonly etag: string;
  /** Further headers, flat. */
  readonly headers: readonly string[];
}

export function tagBody(contentType: string, text: string, headers: readonly string[] = []): TaggedBody {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { contentType, text, etag, headers };
}

/** The body, or 304 when the client has it already. */
export function answerTagged(call: Call, body: TaggedBody): Answer {
  const headers = ['ETag', body.etag, 'Cache-Control', 'no-cache', ...body.headers];
  if (hasTag(call.header('if-none-match'), body.etag)) {
    return answer({ status: 304, raw: { contentType: undefined, body: undefined }, headers });
  }
  return answer({ raw: { contentType: body.contentType, body: body.text }, headers });
}

/** Weak comparison, as `If-None-Match` asks for: a proxy that compresses makes tags weak. */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => {
    const given = entry.trim();
    return given === '*' || given === etag || given === `W/${etag}`;
  });
}
