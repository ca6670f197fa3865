/** Module `urllib.parse`. */

import { functions, type Members } from '../../builtins/module.ts';
import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { call } from '../../values/calls/calls.ts';
import { native } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf } from '../../values/containers/iteration.ts';
import { Tuple, tuple } from '../../values/containers/tuple.ts';
import { AttributeError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { Bytes, bytesOf } from '../../values/text/bytes.ts';
import { decodeBytes, encodeText } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { parse4, parse6 } from '../ipaddress/text.ts';
import {
  encodeQuery,
  quoteBytes,
  quotePlus,
  quoteUrl,
  unquotePlus,
  unquoteToBytes,
  unquoteUrl,
} from './url-quoting.ts';

const words = (text: string) => new Set(['', ...text.split(' ')]);
const usesRelative = words(
  'ftp http gopher nntp imap wais file https shttp mms prospero rtsp rtsps rtspu sftp svn svn+ssh ws wss',
);
const usesNetloc = words(
  'ftp http gopher nntp telnet imap wais file mms https shttp snews prospero rtsp rtsps rtspu rsync svn svn+ssh sftp nfs git git+ssh ws wss itms-services',
);
const usesParams = words('ftp hdl prospero http imap https shttp rtsp rtsps rtspu sip sips mms sftp tel');

const text = (x: unknown): string => {
  const data = bytesOf(x);
  return data === undefined ? (textOf(x) ?? '') : decodeBytes(data, 'ascii');
};

/**
 * Gives the result of `run` for texts; bytes are decoded for it and the result is encoded again. @throws TypeError
 * where they are mixed.
 */
function alike(given: readonly unknown[], run: (...texts: any[]) => unknown): unknown {
  const isText = textOf(given[0]) !== undefined;
  for (const other of given.slice(1))
    if (truth(other) && (textOf(other) !== undefined) !== isText)
      throw new TypeError('Cannot mix str and non-str arguments');
  for (const one of given)
    if (truth(one) && textOf(one) === undefined && bytesOf(one) === undefined)
      throw new AttributeError(`'${typeName(one)}' object has no attribute 'decode'`);
  const result = run(...given.map(text));
  return isText ? result : encoded(result);
}

function encoded(x: unknown): unknown {
  if (typeof x === 'string') return new Bytes(encodeText(x, 'ascii'));
  if (Array.isArray(x)) return x.map(encoded);
  if (x instanceof Dict)
    return Dict.from([...x.entries()].map(([name, value]) => [encoded(name), encoded(value)] as const));
  if (!(x instanceof Tuple)) return x;
  const items = x.items.map(encoded);
  const cls: any = counterparts.get(x.constructor);
  return cls === undefined ? new Tuple(items) : new cls(items);
}

interface Split {
  readonly scheme: string;
  readonly netloc: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

function split(given: unknown, scheme: unknown, allowFragments: unknown): Split {
  let url = text(given)
    .replace(/^[\0-\x20]+/, '')
    .replace(/[\t\r\n]/g, '');
  const parts = { scheme: text(scheme), netloc: '', query: '', fragment: '' };
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url);
  if (found !== null) {
    parts.scheme = found[1]!.toLowerCase();
    url = url.slice(found[0].length);
  }
  if (url.startsWith('//')) {
    const end = url.slice(2).search(/[/?#]/);
    parts.netloc = end < 0 ? url.slice(2) : url.slice(2, end + 2);
    url = end < 0 ? '' : url.slice(end + 2);
    if (parts.netloc.includes('[') !== parts.netloc.includes(']')) throw new ValueError('Invalid IPv6 URL');
    const bracketed = /\[(.*?)\]/.exec(parts.netloc)?.[1];
    if (bracketed !== undefined) checkBracketed(bracketed);
  }
  if (allowFragments === undefined || truth(allowFragments)) [url, parts.fragment] = cut(url, '#');
  [url, parts.query] = cut(url, '?');
  return { ...parts, path: url };
}

function checkBracketed(host: string): void {
  if (host.startsWith('v')) {
    if (!/^v[a-fA-F0-9]+\..+$/.test(host)) throw new ValueError('IPvFuture address is invalid');
    return;
  }
  try {
    parse4(host);
  } catch {
    try {
      parse6(host.replace(/%[^%]+$/, ''));
      return;
    } catch {
      throw new ValueError(`${reprOf(host)} does not appear to be an IPv4 or IPv6 address`);
    }
  }
  throw new ValueError('An IPv4 address cannot be in brackets');
}

function cut(url: string, mark: string): [string, string] {
  const at = url.indexOf(mark);
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function join(parts: Split): string {
  const { scheme, netloc, query, fragment } = parts;
  let url = parts.path;
  if (netloc !== '' || (scheme !== '' && usesNetloc.has(scheme) && !url.startsWith('//'))) {
    if (url !== '' && !url.startsWith('/')) url = `/${url}`;
    url = `//${netloc}${url}`;
  }
  if (scheme !== '') url = `${scheme}:${url}`;
  if (query !== '') url += `?${query}`;
  return fragment === '' ? url : `${url}#${fragment}`;
}

const splitFields = ['scheme', 'netloc', 'path', 'query', 'fragment'];
const parseFields = ['scheme', 'netloc', 'path', 'params', 'query', 'fragment'];
const named = (name: string, fields: readonly string[]) => makeNamedTuple(name, fields, { module: 'urllib.parse' });
const ofSplit = (self: unknown) => join(partsOfSplit(self));
const ofParse = (self: unknown) => join(partsOfParse(self));
const ofDefrag = (self: any) => {
  const [url, fragment] = self.items.map(text);
  return fragment === '' ? url : `${url}#${fragment}`;
};
const SplitResult = withNetloc(withUrl(named('SplitResult', splitFields), ofSplit));
const SplitResultBytes = withNetloc(withUrl(named('SplitResultBytes', splitFields), ofSplit));
const ParseResult = withNetloc(withUrl(named('ParseResult', parseFields), ofParse));
const ParseResultBytes = withNetloc(withUrl(named('ParseResultBytes', parseFields), ofParse));
const DefragResult = withUrl(named('DefragResult', ['url', 'fragment']), ofDefrag);
const DefragResultBytes = withUrl(named('DefragResultBytes', ['url', 'fragment']), ofDefrag);
const counterparts = new Map<unknown, unknown>([
  [SplitResult, SplitResultBytes],
  [ParseResult, ParseResultBytes],
  [DefragResult, DefragResultBytes],
]);
pairUp(SplitResult, SplitResultBytes);
pairUp(ParseResult, ParseResultBytes);
pairUp(DefragResult, DefragResultBytes);

// `encode()` and `decode()` of a result give the other kind.
function pairUp(ofText: any, ofBytes: any): void {
  ofText.prototype.encode = native(
    'encode',
    'encoding="ascii", errors="strict"',
    function encode(this: any, encoding: string = 'ascii', errors: string = 'strict') {
      return new ofBytes(this.items.map((item: string) => new Bytes(encodeText(item, encoding, errors))));
    },
  );
  ofBytes.prototype.decode = native(
    'decode',
    'encoding="ascii", errors="strict"',
    function decode(this: any, encoding: string = 'ascii', errors: string = 'strict') {
      return new ofText(this.items.map((item: unknown) => decodeBytes(bytesOf(item)!, encoding, errors)));
    },
  );
}

function withUrl(cls: any, geturl: (self: any) => string): any {
  cls.prototype.geturl = function geturlOf(this: any) {
    return alike([this.items[0]], () => geturl(this));
  };
  return cls;
}

function partsOfSplit(x: unknown): Split {
  const [scheme, netloc, path, query, fragment] = itemsOf(x).map(text) as [string, string, string, string, string];
  return { scheme, netloc, path, query, fragment };
}

function partsOfParse(x: unknown): Split {
  const [scheme, netloc, path, params, query, fragment] = itemsOf(x).map(text) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return { scheme, netloc, path: params === '' ? path : `${path};${params}`, query, fragment };
}

/** Adds what can be read from the network location. */
function withNetloc(cls: any): any {
  const getter = (name: string, get: (netloc: string) => unknown) =>
    Object.defineProperty(cls.prototype, name, {
      configurable: true,
      get(this: any) {
        return alike([this.items[1]], get);
      },
    });
  getter('username', (netloc) => userOf(netloc)?.[0] ?? null);
  getter('password', (netloc) => userOf(netloc)?.[1] ?? null);
  getter('hostname', (netloc) => hostOf(netloc)[0]?.replace(/^[^%]*/, (host) => host.toLowerCase()) ?? null);
  getter('port', (netloc) => portOf(hostOf(netloc)[1]));
  return cls;
}

function userOf(netloc: string): [string, string | undefined] | undefined {
  const at = netloc.lastIndexOf('@');
  if (at < 0) return undefined;
  const info = netloc.slice(0, at);
  const colon = info.indexOf(':');
  return colon < 0 ? [info, undefined] : [info.slice(0, colon), info.slice(colon + 1)];
}

function hostOf(netloc: string): [string | undefined, string | undefined] {
  const info = netloc.slice(netloc.lastIndexOf('@') + 1);
  const bracket = /^\[(.*)\](?::(.*))?$/.exec(info);
  const [host, port] = bracket === null ? cut(info, ':') : [bracket[1]!, bracket[2] ?? ''];
  return [host === '' ? undefined : host, port === '' ? undefined : port];
}

function portOf(port: string | undefined): number | null {
  if (port === undefined) return null;
  if (!/^[0-9]+$/.test(port)) throw new ValueError(`Port could not be cast to integer value as ${reprOf(port)}`);
  const value = Number(port);
  if (value > 65_535) throw new ValueError('Port out of range 0-65535');
  return value;
}

function urlsplit(url: unknown, scheme?: unknown, allowFragments?: unknown): unknown {
  return alike([url, scheme ?? ''], (given, fallback) => {
    const parts = split(given, fallback, allowFragments);
    return new SplitResult([parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment]);
  });
}

function parse(url: string, scheme: string, allowFragments: unknown): any {
  const parts = split(url, scheme, allowFragments);
  let [path, params] = [parts.path, ''];
  if (usesParams.has(parts.scheme) && path.includes(';')) {
    const at = path.indexOf(';', path.lastIndexOf('/') + 1);
    if (at >= 0) [path, params] = [path.slice(0, at), path.slice(at + 1)];
  }
  return new ParseResult([parts.scheme, parts.netloc, path, params, parts.query, parts.fragment]);
}

/** Resolves a reference against a base. */
export function joinUrls(base: string, url: string, allowFragments?: unknown): string {
  if (base === '') return url;
  if (url === '') return base;
  const from = parse(base, '', allowFragments).items as string[];
  const to = parse(url, from[0]!, allowFragments).items as string[];
  const [baseScheme, baseNetloc, basePath, baseParams, baseQuery] = from as [string, string, string, string, string];
  let [scheme, netloc, path, params, query, fragment] = to as [string, string, string, string, string, string];
  const made = () => join(partsOfParse([scheme, netloc, path, params, query, fragment]));
  if (scheme !== baseScheme || !usesRelative.has(scheme)) return url;
  if (usesNetloc.has(scheme)) {
    if (netloc !== '') return made();
    netloc = baseNetloc;
  }
  if (path === '' && params === '') {
    [path, params] = [basePath, baseParams];
    if (query === '') query = baseQuery;
    return made();
  }
  path = mergePaths(basePath, path);
  return made();
}

function mergePaths(base: string, path: string): string {
  const baseParts = base.split('/');
  if (baseParts.at(-1) !== '') baseParts.pop();
  let segments = path.startsWith('/') ? path.split('/') : [...baseParts, ...path.split('/')];
  if (!path.startsWith('/'))
    segments = segments.filter((part, i) => i === 0 || i === segments.length - 1 || part !== '');
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.') resolved.push(segment);
  }
  if (segments.at(-1) === '.' || segments.at(-1) === '..') resolved.push('');
  return resolved.join('/') || '/';
}

function parsePairs(
  query: unknown,
  keepBlank?: unknown,
  strict?: unknown,
  encoding?: any,
  errors?: any,
  most?: any,
  separator?: any,
): [string, string][] {
  const mark = text(separator ?? '&');
  if (mark === '') throw new ValueError('Separator must be of type string or bytes.');
  const parts = text(query).split(mark);
  if (most !== undefined && most !== null && parts.length > most) throw new ValueError('Max number of fields exceeded');
  const pairs: [string, string][] = [];
  for (const part of parts) {
    if (part === '' && !truth(strict)) continue;
    const at = part.indexOf('=');
    if (at < 0 && truth(strict)) throw new ValueError(`bad query field: ${reprOf(part)}`);
    if (at < 0 && !truth(keepBlank)) continue;
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    if (value === '' && !truth(keepBlank)) continue;
    pairs.push([unquotePlus(name, encoding, errors), unquotePlus(value, encoding, errors)]);
  }
  return pairs;
}

// Bytes are quoted as they are.
function checkedForQuote(x: unknown, encoding: unknown, errors: unknown): unknown {
  if (textOf(x) === undefined && (encoding ?? null) !== null)
    throw new TypeError("quote() doesn't support 'encoding' for bytes");
  if (textOf(x) === undefined && (errors ?? null) !== null)
    throw new TypeError("quote() doesn't support 'errors' for bytes");
  return x;
}

type Query = Parameters<typeof parsePairs>;
const queryParams =
  'qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"';

function parseQs(...given: Query): Dict {
  const found = new Dict();
  for (const [name, value] of parsePairs(...given)) {
    const known = found.get(name) as string[] | undefined;
    if (known === undefined) found.set(name, [value]);
    else known.push(value);
  }
  return found;
}

export function makeUrllibParse(): Members {
  return {
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
    ...functions('urllib.parse', {
      parse_qs: [queryParams, (qs: unknown, ...rest: any[]) => alike([qs], (given) => parseQs(given, ...rest))],
      parse_qsl: [
        queryParams,
        (qs: unknown, ...rest: any[]) =>
          alike([qs], (given) => parsePairs(given, ...rest).map((pair) => tuple(...pair))),
      ],
      quote: [
        'string, safe="/", encoding=None, errors=None',
        (x: unknown, safe?: any, encoding?: any, errors?: any) =>
          quoteUrl(checkedForQuote(x, encoding, errors), text(safe ?? '/'), encoding ?? undefined, errors ?? undefined),
      ],
      quote_from_bytes: [
        'bs, safe="/"',
        (x: unknown, safe?: any) => {
          const data = bytesOf(x);
          if (data === undefined) throw new TypeError('quote_from_bytes() expected bytes');
          return quoteBytes(data, text(safe ?? '/'));
        },
      ],
      quote_plus: [
        'string, safe="", encoding=None, errors=None',
        (x: unknown, safe?: any, encoding?: any, errors?: any) =>
          quotePlus(x, text(safe ?? ''), encoding ?? undefined, errors ?? undefined),
      ],
      unquote: [
        'string, encoding="utf-8", errors="replace"',
        (x: unknown, encoding?: any, errors?: any) => unquoteUrl(x, encoding ?? undefined, errors ?? undefined),
      ],
      unquote_plus: [
        'string, encoding="utf-8", errors="replace"',
        (x: unknown, encoding?: any, errors?: any) => unquotePlus(x, encoding ?? undefined, errors ?? undefined),
      ],
      unquote_to_bytes: ['string', (x: unknown) => new Bytes(unquoteToBytes(x))],
      urldefrag: [
        'url',
        (url: unknown) =>
          alike([url], (given) => {
            const parts = split(given, '', true);
            return new DefragResult([join({ ...parts, fragment: '' }), parts.fragment]);
          }),
      ],
      urlencode: [
        'query, doseq=False, safe="", encoding=None, errors=None, quote_via=None',
        (query: unknown, doseq?: unknown, safe?: any, _encoding?: unknown, _errors?: unknown, via?: any) =>
          encodeQuery(
            query,
            doseq,
            text(safe ?? ''),
            via === undefined || via === null ? quotePlus : (x, kept) => call(via, x, kept),
          ),
      ],
      urljoin: [
        'base, url, allow_fragments=True',
        (base: unknown, url: unknown, allow?: unknown) => {
          if (!truth(base)) return url;
          return truth(url) ? alike([base, url], (from, to) => joinUrls(from, to, allow)) : base;
        },
      ],
      urlparse: [
        'url, scheme="", allow_fragments=True',
        (url: unknown, scheme?: unknown, allow?: unknown) =>
          alike([url, scheme ?? ''], (given, fallback) => parse(given, fallback, allow)),
      ],
      urlsplit: ['url, scheme="", allow_fragments=True', urlsplit],
      urlunparse: ['components', (parts: unknown) => alike(itemsOf(parts), (...given) => join(partsOfParse(given)))],
      urlunsplit: ['components', (parts: unknown) => alike(itemsOf(parts), (...given) => join(partsOfSplit(given)))],
    }),
  };
}
