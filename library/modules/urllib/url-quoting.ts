/** Percent-encoding as `urllib.parse` has it. */

import { Dict } from '../../values/containers/dict.ts';
import { itemsOf, tryIter } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { bytesOf } from '../../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';

const unreserved = /[A-Za-z0-9_.~-]/;

export function quoteBytes(data: Uint8Array, safe: string): string {
  let out = '';
  for (const byte of data) {
    const char = String.fromCharCode(byte);
    out +=
      byte < 128 && (unreserved.test(char) || safe.includes(char))
        ? char
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** `quote(string, safe)`; text or bytes. @throws TypeError */
export function quoteUrl(x: unknown, safe = '/', encoding = 'utf-8', errors = 'strict'): string {
  const text = textOf(x);
  const data = text === undefined ? bytesOf(x) : encodeText(text, encoding, errors);
  if (data === undefined) throw new TypeError('quote_from_bytes() expected bytes');
  return quoteBytes(data, safe);
}

export function quotePlus(x: unknown, safe = '', encoding = 'utf-8', errors = 'strict'): string {
  const text = textOf(x);
  if (text !== undefined ? !text.includes(' ') : !bytesOf(x)?.includes(32)) return quoteUrl(x, safe, encoding, errors);
  return quoteUrl(x, `${safe} `, encoding, errors).replaceAll(' ', '+');
}

export function unquoteToBytes(x: unknown): Uint8Array {
  const data = bytesOf(x) ?? encodeText(textOf(x) ?? strOf(x));
  const out: number[] = [];
  for (let i = 0; i < data.length; i += 1) {
    const hex = data[i] === 37 ? String.fromCharCode(data[i + 1] ?? 0, data[i + 2] ?? 0) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      out.push(Number.parseInt(hex, 16));
      i += 2;
    } else out.push(data[i]!);
  }
  return Uint8Array.from(out);
}

export function unquoteUrl(x: unknown, encoding = 'utf-8', errors = 'replace'): string {
  const text = textOf(x);
  if (text === undefined) return decodeBytes(unquoteToBytes(x), encoding, errors);
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decodeBytes(unquoteToBytes(run), encoding, errors));
}

export function unquotePlus(x: unknown, encoding?: string, errors?: string): string {
  return unquoteUrl((textOf(x) ?? '').replaceAll('+', ' '), encoding, errors);
}

/** The pairs of a mapping or of a sequence of pairs. @throws TypeError */
export function pairsOfQuery(query: any): (readonly [unknown, unknown])[] {
  if (query instanceof Dict) return [...query.entries()];
  if (typeof query === 'string' || tryIter(query) === undefined)
    throw new TypeError('not a valid non-string sequence or mapping object');
  if (typeof query.items === 'function')
    return itemsOf(query.items()).map((pair) => itemsOf(pair) as [unknown, unknown]);
  return itemsOf(query).map((pair) => itemsOf(pair) as [unknown, unknown]);
}

/** `urlencode(query, doseq)`, with `quote_via` as a function of text and safe characters. */
export function encodeQuery(
  query: unknown,
  doSequences: unknown,
  safe: string,
  via: (x: unknown, safe: string) => string,
): string {
  const out: string[] = [];
  const part = (x: unknown) => via(bytesOf(x) === undefined ? strOf(x) : x, safe);
  for (const [name, value] of pairsOfQuery(query)) {
    const many = truth(doSequences) && (Array.isArray(value) || value instanceof Tuple || isCollection(value));
    for (const one of many ? itemsOf(value) : [value]) out.push(`${part(name)}=${part(one)}`);
  }
  return out.join('&');
}

function isCollection(x: unknown): boolean {
  return (
    typeof x === 'object' &&
    x !== null &&
    bytesOf(x) === undefined &&
    textOf(x) === undefined &&
    tryIter(x) !== undefined
  );
}
