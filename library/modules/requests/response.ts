/** `requests.Response` */

import { nativeClass } from '../../builtins/native-class.ts';
import { GeneratorObject } from '../../values/calls/generators.ts';
import { Dict } from '../../values/containers/dict.ts';
import { LookupError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr, $truth } from '../../values/objects/protocol.ts';
import { truth } from '../../values/objects/truth.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { decodeBytes } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import type { TimeDelta } from '../datetime/timedelta.ts';
import { loads, JSONDecodeError as PlainJSONDecodeError } from '../json/json.ts';
import type { CaseInsensitiveDict } from './case-insensitive-dict.ts';
import { HTTPError, JSONDecodeError } from './exceptions.ts';

export interface ResponseParts {
  readonly status_code: number;
  readonly reason: string;
  readonly url: string;
  readonly headers: CaseInsensitiveDict;
  readonly cookies: Dict;
  readonly elapsed: TimeDelta;
  readonly request: unknown;
  readonly body: Uint8Array;
}

/** A whole reply: its content has been read. */
export class Response {
  declare status_code: number;
  declare reason: string;
  declare url: string;
  declare headers: CaseInsensitiveDict;
  declare cookies: Dict;
  declare elapsed: TimeDelta;
  declare request: unknown;
  encoding: string | null;
  history: Response[] = [];
  readonly $body: Uint8Array;

  constructor(parts: ResponseParts) {
    const { body, ...rest } = parts;
    Object.assign(this, rest);
    this.$body = body;
    this.encoding = charsetOf(String(parts.headers.get('content-type') ?? ''));
  }

  get ok(): boolean {
    return this.status_code < 400;
  }

  get content(): Bytes {
    return new Bytes(this.$body);
  }

  get apparent_encoding(): string {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(this.$body);
      return 'utf-8';
    } catch {
      return 'ISO-8859-1';
    }
  }

  get text(): string {
    return this.$body.length === 0 ? '' : decode(this.$body, this.encoding ?? this.apparent_encoding);
  }

  get is_redirect(): boolean {
    return this.headers.has('location') && [301, 302, 303, 307, 308].includes(this.status_code);
  }

  get is_permanent_redirect(): boolean {
    return this.headers.has('location') && [301, 308].includes(this.status_code);
  }

  /** `Link` headers by their relation. */
  get links(): Dict {
    const links = new Dict();
    for (const part of String(this.headers.get('link') ?? '').split(/,\s*(?=<)/)) {
      const found = /^<([^>]*)>(.*)$/s.exec(part.trim());
      if (found === null) continue;
      const link = Dict.of('url', found[1]);
      for (const param of found[2]!.matchAll(/;\s*([\w-]+)\s*=\s*"?([^";]*)"?/g)) link.set(param[1], param[2]);
      links.set(link.get('rel') ?? link.get('url'), link);
    }
    return links;
  }

  json(options?: Dict): unknown {
    const text = this.encoding === null ? decode(this.$body, 'utf-8') : this.text;
    try {
      return loads(text, ...(hooksOf(options) as []));
    } catch (e) {
      if (e instanceof PlainJSONDecodeError) throw new JSONDecodeError(e);
      throw e;
    }
  }

  raise_for_status(): null {
    const kind = this.status_code >= 500 ? 'Server' : 'Client';
    if (this.status_code < 400 || this.status_code >= 600) return null;
    const error: any = new HTTPError(`${this.status_code} ${kind} Error: ${this.reason} for url: ${this.url}`);
    error.response = this;
    error.request = this.request;
    throw error;
  }

  iter_content(chunkSize?: any, decodeUnicode?: unknown): GeneratorObject {
    const size = chunkSize === null ? this.$body.length : Number(chunkSize ?? 1);
    const asText = truth(decodeUnicode);
    return new GeneratorObject(chunks(asText ? this.text : this.$body, Math.max(1, size)));
  }

  iter_lines(_chunkSize?: unknown, decodeUnicode?: unknown, delimiter?: any): GeneratorObject {
    const source = truth(decodeUnicode) ? this.text : this.content;
    const lines: unknown[] =
      delimiter === undefined || delimiter === null
        ? callMethod(source, 'splitlines')
        : callMethod(source, 'split', delimiter);
    return new GeneratorObject(lines[Symbol.iterator]() as Iterator<unknown, undefined>);
  }

  close(): null {
    return null;
  }

  *[Symbol.iterator](): Generator<unknown> {
    yield* this.iter_content(128);
  }

  __enter__(): this {
    return this;
  }

  __exit__(): null {
    return null;
  }

  [$truth](): boolean {
    return this.ok;
  }

  [$repr](): string {
    return `<Response [${this.status_code}]>`;
  }
}
nativeClass(Response, {
  name: 'Response',
  module: 'requests.models',
  methods: {
    json: '**kwargs',
    raise_for_status: '',
    iter_content: 'chunk_size=1, decode_unicode=False',
    iter_lines: 'chunk_size=512, decode_unicode=False, delimiter=None',
    close: '',
    __exit__: '*args',
  },
});

function* chunks(content: Uint8Array | string, size: number): Generator<unknown, undefined> {
  for (let at = 0; at < content.length; at += size) {
    yield typeof content === 'string' ? content.slice(at, at + size) : new Bytes(content.slice(at, at + size));
  }
  return undefined;
}

// Parameters of `json.loads` after the text.
const loadOptions = ['cls', 'object_hook', 'parse_float', 'parse_int', 'parse_constant', 'object_pairs_hook'];
function hooksOf(options?: Dict): unknown[] {
  return options === undefined || options.size === 0 ? [] : loadOptions.map((name) => options.get(name));
}

// Gives the charset of a content type; text without one has that of RFC 2616, null for other types.
function charsetOf(contentType: string): string | null {
  const found = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType);
  if (found !== null) return found[1]!;
  const kind = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return kind.includes('text') ? 'ISO-8859-1' : kind === 'application/json' ? 'utf-8' : null;
}

function decode(data: Uint8Array, encoding: string): string {
  const text = textOf(encoding) ?? 'utf-8';
  try {
    return decodeBytes(data, text, 'replace');
  } catch (e) {
    if (e instanceof LookupError) return decodeBytes(data, 'utf-8', 'replace');
    throw e;
  }
}
