/** Exceptions of programs for errors of the driver and the server. */
import {
  cannotUpdate,
  duplicateKey,
  failedAt,
  indexDiffers,
  refusedBy,
  timedOut,
  tooLarge,
  unreachable,
} from '../../../core/kvstore/errors.ts';

export interface Asked {
  readonly place: string;
  readonly collection: string;
  /** Name of the index, for `createIndex`. */
  readonly index?: string;
}

/** Codes of updates that do not fit: bad value, wrong type, a path through a value, several changes of one place. */
const unfit = new Set([2, 9, 14, 28, 40, 52, 54, 66, 16837, 17280]);
const refused = new Set([13, 18, 31, 33, 8000]);
const timeouts = new Set([50, 89, 262]);
/** The server is there and is not the one, or is on its way out. */
const away = new Set([6, 7, 91, 189, 10107, 11600, 11602, 13435, 13436]);
const large = new Set([10334, 17419, 17420]);

export function asProgramsSeeIt(error: any, { place, collection, index }: Asked): Error {
  const code = codeOf(error);
  if (code === 11000) return duplicateKey(collection, indexOf(error) ?? index ?? '_id_');
  if ((code === 85 || code === 86) && index !== undefined) return indexDiffers(index);
  if (
    large.has(code) ||
    /larger than the maximum size|BSONObj size|"offset" is out of range/.test(error?.message ?? '')
  )
    return tooLarge();
  if (unfit.has(code)) return cannotUpdate();
  if (refused.has(code)) return refusedBy('docdb', place, error);
  const name = String(error?.name);
  // Sometimes the socket's own error comes through.
  if (/^E(CONN|PIPE|HOST|NET|AI_|NOTFOUND)/.test(String(error?.code))) return unreachable('docdb', place, error);
  if (timeouts.has(code) || /Timeout/.test(name)) return timedOut('docdb', place, error);
  if (away.has(code) || /^Mongo(ServerSelection|Network|TopologyClosed|NotConnected|PoolCleared)/.test(name))
    return isRefusal(error) ? refusedBy('docdb', place, error) : unreachable('docdb', place, error);
  return failedAt('docdb', place, error);
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 11000;
}

function codeOf(error: any): number {
  return Number(error?.code ?? error?.writeErrors?.[0]?.code ?? Number.NaN);
}

// Credentials that are wrong show while connecting, wrapped.
function isRefusal(error: any): boolean {
  return refused.has(Number(error?.cause?.code)) || /auth/i.test(String(error?.cause?.codeName));
}

function indexOf(error: any): string | undefined {
  return /index: (?:\S+\$)?(\S+)/.exec(String(error?.errmsg ?? error?.message))?.[1];
}
