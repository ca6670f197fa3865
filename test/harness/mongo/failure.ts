/** Refusals as a MongoDB server words them. */
import type { Doc } from './wire.ts';

export class Refusal extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];
  readonly extra: Doc;
  constructor(code: number, codeName: string, message: string, labels: readonly string[] = [], extra: Doc = {}) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.labels = labels;
    this.extra = extra;
  }
}

export function replyOf(refusal: Refusal): Doc {
  const { code, codeName, message, labels, extra } = refusal;
  return { ok: 0, errmsg: message, code, codeName, ...(labels.length === 0 ? {} : { errorLabels: labels }), ...extra };
}

/** Another transaction was first; the whole transaction may be tried again. */
export function writeConflict(): Refusal {
  const message = 'Write conflict during plan execution and yielding is disabled. Please retry your operation';
  return new Refusal(112, 'WriteConflict', message, ['TransientTransactionError']);
}

export function noSuchTransaction(): Refusal {
  const message = 'Transaction with this number has been aborted or has never begun';
  return new Refusal(251, 'NoSuchTransaction', message, ['TransientTransactionError']);
}

export function duplicateKey(place: string, index: string, keyPattern: Doc, keyValue: Doc): Refusal {
  const message = `E11000 duplicate key error collection: ${place} index: ${index} dup key: ${JSON.stringify(keyValue)}`;
  return new Refusal(11000, 'DuplicateKey', message, [], { keyPattern, keyValue });
}

export function badValue(message: string): Refusal {
  return new Refusal(9, 'FailedToParse', message);
}
