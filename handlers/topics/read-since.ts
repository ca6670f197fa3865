import { Failure } from '../../core/errors.ts';

/** Numbers of the last messages that a client has heard, by topic. */
export type Since = ReadonlyMap<string, number>;

/**
 * Reads the numbers of the messages that a client has heard (docs/server/topics.md#resuming). @throws Failure `INVALID_PAYLOAD`
 */
export function readSince(value: unknown): Since | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badSince();
  const since = new Map<string, number>();
  for (const [topic, seq] of Object.entries(value)) {
    if (!Number.isSafeInteger(seq) || seq < 0) throw badSince();
    since.set(topic, seq);
  }
  return since;
}

function badSince(): Failure {
  return new Failure('INVALID_PAYLOAD', '$since must be an object of topics and the numbers of their last messages.');
}
