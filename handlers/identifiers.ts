import { randomBytes } from 'node:crypto';

const poolBytes = 4096;

/** Makes random identifiers of 32 hexadecimal digits. Random bytes are drawn in blocks; each is used once. */
export function createIdSource(random: (count: number) => Buffer = randomBytes): () => string {
  let pool = '';
  let at = 0;
  return () => {
    if (at === pool.length) {
      pool = random(poolBytes).toString('hex');
      at = 0;
    }
    at += 32;
    return pool.slice(at - 32, at);
  };
}

/** Tells whether a client's `X-Request-ID` may be adopted (docs/server/answers.md#headers). */
export function isRequestId(given: string): boolean {
  return /^[A-Za-z0-9._-]{8,128}$/.test(given);
}

/** Trace id of a valid `traceparent` header (W3C Trace Context), else undefined. */
export function traceIdOf(traceparent: string): string | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(traceparent);
  if (match === null) return undefined;
  const [, version, traceId, parentId, rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId!) || /^0+$/.test(parentId!) ? undefined : traceId;
}
