/** Bodies of requests: forms, JSON, files, and what is sent as it is. */

import { nodeCrypto } from '../../node-parts.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { bytesOf } from '../../values/text/bytes.ts';
import { encodeText } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { dumps } from '../json/json.ts';
import { pairsOfQuery, quotePlus } from '../urllib/url-quoting.ts';

export interface Body {
  readonly data: Uint8Array | undefined;
  readonly contentType: string | undefined;
}

/** Parts of a query or form: None is left out, lists repeat their name. */
export function formText(data: unknown): string {
  const text = textOf(data);
  if (text !== undefined) return text;
  const out: string[] = [];
  for (const [name, value] of pairsOfQuery(data)) {
    for (const one of Array.isArray(value) || value instanceof Tuple ? itemsOf(value) : [value]) {
      if (one !== null) out.push(`${piece(name)}=${piece(one)}`);
    }
  }
  return out.join('&');
}

const piece = (x: unknown): string => quotePlus(bytesOf(x) === undefined ? strOf(x) : x);

export function makeBody(data: unknown, json: unknown, files: unknown): Body {
  if (truth(files)) return multipart(data, files);
  if (!truth(data) && json !== undefined && json !== null) {
    return { data: encodeText(dumps(json, undefined, undefined, undefined, false)), contentType: 'application/json' };
  }
  if (!truth(data)) return { data: undefined, contentType: undefined };
  const plain = contentOf(data);
  if (plain !== undefined) return { data: plain, contentType: typeof data === 'string' ? undefined : undefined };
  return { data: encodeText(formText(data)), contentType: 'application/x-www-form-urlencoded' };
}

// Text, bytes, and files, which are read to their end.
function contentOf(data: any): Uint8Array | undefined {
  const text = textOf(data);
  if (text !== undefined) return encodeText(text);
  const bytes = bytesOf(data);
  if (bytes !== undefined) return bytes;
  return typeof data?.read === 'function' ? contentOf(callMethod(data, 'read')) : undefined;
}

function multipart(data: unknown, files: unknown): Body {
  const boundary = nodeCrypto().randomBytes(16).toString('hex');
  const parts: Buffer[] = [];
  const add = (head: string, content: Uint8Array) =>
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n'));
  if (truth(data)) {
    if (typeof data === 'string') throw new TypeError('Data must not be a string.');
    for (const [name, value] of pairsOfQuery(data)) {
      for (const one of Array.isArray(value) || value instanceof Tuple ? itemsOf(value) : [value]) {
        if (one !== null)
          add(`Content-Disposition: form-data; name="${strOf(name)}"`, bytesOf(one) ?? encodeText(strOf(one)));
      }
    }
  }
  for (const [name, value] of pairsOfQuery(files)) addFile(strOf(name), value, add);
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { data: new Uint8Array(Buffer.concat(parts)), contentType: `multipart/form-data; boundary=${boundary}` };
}

// A file, its content, or `(name, file[, type[, headers]])`.
function addFile(name: string, value: unknown, add: (head: string, content: Uint8Array) => void): void {
  const [filename, source, type, headers] =
    value instanceof Tuple || Array.isArray(value) ? itemsOf(value) : [guessName(value) ?? name, value];
  const content = contentOf(source);
  if (content === undefined) throw new TypeError(`a bytes-like object is required, not '${typeName(source)}'`);
  const lines = [
    `Content-Disposition: form-data; name="${name}"${truth(filename) ? `; filename="${strOf(filename)}"` : ''}`,
  ];
  if (truth(type)) lines.push(`Content-Type: ${strOf(type)}`);
  if (headers instanceof Dict) for (const [header, text] of headers.entries()) lines.push(`${header}: ${text}`);
  add(lines.join('\r\n'), content);
}

function guessName(file: any): string | undefined {
  const name = typeof file === 'object' && file !== null ? file.name : undefined;
  return typeof name === 'string' && !name.startsWith('<') ? name.slice(name.lastIndexOf('/') + 1) : undefined;
}
