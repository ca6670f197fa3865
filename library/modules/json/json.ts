/** Module `json`. */

import { functions, type Members } from '../../builtins/module.ts';
import { look } from '../../limits/look.ts';
import { meaningOf } from '../../values/calls/border.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { boxed, isFloat } from '../../values/numbers/float-box.ts';
import { floatRepr } from '../../values/numbers/float-text.ts';
import { demote } from '../../values/numbers/numbers.ts';
import { nameException, RecursionError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { lt } from '../../values/objects/ordering.ts';
import { $primitive } from '../../values/objects/protocol.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { bytesOf } from '../../values/text/bytes.ts';
import { decodeBytes } from '../../values/text/codecs.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { JSONDecoder, JSONEncoder } from './classes.ts';

export class JSONDecodeError extends ValueError {
  declare msg: string;
  declare doc: string;
  declare pos: number;
  declare lineno: number;
  declare colno: number;

  constructor(msg: string, doc: string, pos: number) {
    const before = doc.slice(0, pos);
    const lineno = before.split('\n').length;
    const colno = pos - before.lastIndexOf('\n');
    super(`${msg}: line ${lineno} column ${colno} (char ${pos})`);
    Object.assign(this, { msg, doc, pos, lineno, colno });
  }
}
nameException(JSONDecodeError, 'JSONDecodeError', 'json.decoder');

interface WriteOptions {
  readonly ascii: boolean;
  readonly indent: string | undefined;
  readonly itemMark: string;
  readonly keyMark: string;
  readonly sortKeys: boolean;
  readonly skipKeys: boolean;
  readonly allowNan: boolean;
  readonly fallback: unknown;
  readonly active: Set<object>;
}

/** `json.dumps` */
export function dumps(
  x: unknown,
  skipkeys?: unknown,
  ensureAscii?: unknown,
  _checkCircular?: unknown,
  allowNan?: unknown,
  cls?: unknown,
  indent?: unknown,
  separators?: any,
  fallback?: unknown,
  sortKeys?: unknown,
): string {
  if (cls !== undefined && cls !== null) {
    const given = [skipkeys, ensureAscii, _checkCircular, allowNan, indent, separators, fallback, sortKeys];
    return callMethod(callkw(cls, [], namedOptions(given)), 'encode', x);
  }
  const marks =
    separators === undefined || separators === null
      ? undefined
      : separators instanceof Tuple
        ? separators.items
        : separators;
  const step =
    indent === undefined || indent === null
      ? undefined
      : typeof indent === 'string'
        ? indent
        : ' '.repeat(Math.max(0, Number(indent)));
  return write(
    x,
    {
      ascii: ensureAscii === undefined || truth(ensureAscii),
      indent: step,
      itemMark: marks?.[0] ?? (step === undefined ? ', ' : ','),
      keyMark: marks?.[1] ?? ': ',
      sortKeys: truth(sortKeys),
      skipKeys: truth(skipkeys),
      allowNan: allowNan === undefined || truth(allowNan),
      fallback: fallback ?? undefined,
      active: new Set(),
    },
    '\n',
  );
}

const optionNames = [
  'skipkeys',
  'ensure_ascii',
  'check_circular',
  'allow_nan',
  'indent',
  'separators',
  'default',
  'sort_keys',
];

// Collects the options for an encoder class of the program: only those that were given, since it may know fewer.
function namedOptions(slots: readonly unknown[]): Dict {
  return Dict.from(
    optionNames
      .map((name, i) => [name, slots[i]] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

function write(x: any, o: WriteOptions, line: string): string {
  switch (typeof x) {
    case 'string':
      return quoteJson(x, o.ascii);
    case 'number':
      return Number.isSafeInteger(x) ? String(x) : floatJson(x, o);
    case 'boolean':
      return x ? 'true' : 'false';
    case 'bigint':
      return x.toString();
    case 'undefined':
      return 'null';
    case 'object':
      if (x === null) return 'null';
      return writeObject(x, o, line);
    default:
      return writeOther(x, o, line);
  }
}

function floatJson(x: number, o: WriteOptions): string {
  if (Number.isFinite(x)) return floatRepr(x);
  if (!o.allowNan) throw new ValueError('Out of range float values are not JSON compliant');
  return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity';
}

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** A JSON string literal. */
function quoteJson(text: string, ascii: boolean): string {
  if (plain.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  if (!ascii)
    return quoted.replace(/\\ud[89a-f][0-9a-f]{2}/g, (escape) =>
      String.fromCharCode(Number.parseInt(escape.slice(2), 16)),
    );
  return quoted.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function writeObject(x: any, o: WriteOptions, line: string): string {
  if (Array.isArray(x)) return writeList(x, x, o, line);
  if (x instanceof Tuple) return writeList(x, x.items, o, line);
  if (x instanceof Dict) return writeDict(x, o, line);
  const primitive = x[$primitive];
  if (primitive !== undefined) return isFloat(x) ? floatJson(primitive, o) : write(primitive, o, line);
  if (Object.getPrototypeOf(x) === Object.prototype) return writeDict(x, o, line, Object.entries(x));
  const meant = meaningOf(x);
  return meant instanceof Dict ? writeDict(meant, o, line) : writeOther(x, o, line);
}

function enter(x: object, o: WriteOptions): void {
  if (o.active.has(x)) throw new ValueError('Circular reference detected');
  if (o.active.size > 5000) throw new RecursionError('maximum recursion depth exceeded while encoding a JSON object');
  o.active.add(x);
}

function writeList(x: object, items: readonly unknown[], o: WriteOptions, line: string): string {
  if (items.length === 0) return '[]';
  enter(x, o);
  const inner = o.indent === undefined ? '' : line + o.indent;
  let text = `[${inner}`;
  for (let i = 0; i < items.length; i += 1) {
    if ($due) look();
    if (i > 0) text += o.itemMark + inner;
    text += write(items[i], o, inner);
  }
  o.active.delete(x);
  return `${text}${o.indent === undefined ? '' : line}]`;
}

function writeDict(x: any, o: WriteOptions, line: string, given?: [unknown, unknown][]): string {
  let entries: [unknown, unknown][] = given ?? [...x.entries()];
  if (entries.length === 0) return '{}';
  enter(x, o);
  if (o.sortKeys) entries = entries.sort(([a], [b]) => (lt(a, b) ? -1 : lt(b, a) ? 1 : 0));
  const inner = o.indent === undefined ? '' : line + o.indent;
  let text = '';
  for (const [k, v] of entries) {
    if ($due) look();
    const key = keyText(k, o);
    if (key === undefined) continue;
    text += `${text === '' ? `{${inner}` : o.itemMark + inner}${quoteJson(key, o.ascii)}${o.keyMark}${write(v, o, inner)}`;
  }
  o.active.delete(x);
  return text === '' ? '{}' : `${text}${o.indent === undefined ? '' : line}}`;
}

function keyText(k: any, o: WriteOptions): string | undefined {
  if (typeof k === 'string') return k;
  if (k === null || k === undefined) return 'null';
  if (typeof k === 'number' || typeof k === 'bigint' || typeof k === 'boolean') return write(k, o, '');
  const primitive = typeof k === 'object' ? k[$primitive] : undefined;
  if (primitive !== undefined) return isFloat(k) ? floatJson(primitive, o) : keyText(primitive, o);
  if (o.skipKeys) return undefined;
  throw new TypeError(`keys must be str, int, float, bool or None, not ${typeName(k)}`);
}

function writeOther(x: any, o: WriteOptions, line: string): string {
  if (o.fallback === undefined) throw new TypeError(`Object of type ${typeName(x)} is not JSON serializable`);
  enter(x, o);
  const text = write(call(o.fallback, x), o, line);
  o.active.delete(x);
  return text;
}

interface ReadOptions {
  readonly objectHook: unknown;
  readonly pairsHook: unknown;
  readonly parseFloat: unknown;
  readonly parseInt: unknown;
  readonly parseConstant: unknown;
  /** Are control characters in strings an error? */
  readonly strict: boolean;
}

/** `json.loads` */
export function loads(
  source: unknown,
  cls?: unknown,
  objectHook?: unknown,
  parseFloat?: unknown,
  parseInt?: unknown,
  parseConstant?: unknown,
  pairsHook?: unknown,
  strict?: unknown,
): unknown {
  const data = bytesOf(source);
  const text = data === undefined ? textOf(source) : decodeBytes(data, 'utf-8-sig');
  if (text === undefined)
    throw new TypeError(`the JSON object must be str, bytes or bytearray, not ${typeName(source)}`);
  if (text.startsWith('\ufeff')) throw new JSONDecodeError('Unexpected UTF-8 BOM (decode using utf-8-sig)', text, 0);
  if (cls !== undefined && cls !== null) return callMethod(callkw(cls, []), 'decode', text);
  const reader = readerOf(text, 0, [undefined, objectHook, parseFloat, parseInt, parseConstant, pairsHook, strict]);
  skipSpace(reader);
  const value = read(reader);
  skipSpace(reader);
  if (reader.at < text.length) throw new JSONDecodeError('Extra data', text, reader.at);
  return value;
}

/** The value that begins at `at`, and where it ends. */
export function loadPrefix(text: string, at: number, slots: readonly unknown[]): [unknown, number] {
  const reader = readerOf(text, at, slots);
  const value = read(reader);
  return [value, reader.at];
}

function readerOf(text: string, at: number, slots: readonly unknown[]): Reader {
  const [, objectHook, parseFloat, parseInt, parseConstant, pairsHook, strict] = slots.map((slot) => slot ?? undefined);
  const options = {
    objectHook,
    pairsHook,
    parseFloat,
    parseInt,
    parseConstant,
    strict: strict === undefined || truth(strict),
  };
  return { text, at, options };
}

interface Reader {
  readonly text: string;
  at: number;
  readonly options: ReadOptions;
}

function skipSpace(r: Reader): void {
  for (;;) {
    const unit = r.text.charCodeAt(r.at);
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
    r.at += 1;
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;

function read(r: Reader): unknown {
  const char = r.text[r.at];
  switch (char) {
    case '"':
      r.at += 1;
      return readString(r);
    case '{':
      return readDict(r);
    case '[':
      return readList(r);
    default:
      return readScalar(r);
  }
}

const words: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
];
const constants: readonly (readonly [string, number])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];

function readScalar(r: Reader): unknown {
  for (const [word, value] of words) {
    if (r.text.startsWith(word, r.at)) {
      r.at += word.length;
      return value;
    }
  }
  for (const [word, value] of constants) {
    if (r.text.startsWith(word, r.at)) {
      r.at += word.length;
      return r.options.parseConstant === undefined ? value : call(r.options.parseConstant, word);
    }
  }
  numberPattern.lastIndex = r.at;
  const found = numberPattern.exec(r.text);
  if (found === null) throw new JSONDecodeError('Expecting value', r.text, r.at);
  r.at += found[0].length;
  const isReal = found[1] !== undefined || found[2] !== undefined;
  const custom = isReal ? r.options.parseFloat : r.options.parseInt;
  if (custom !== undefined) return call(custom, found[0]);
  if (isReal) return boxed(Number(found[0]));
  const n = Number(found[0]);
  return Number.isSafeInteger(n) ? n : demote(BigInt(found[0]));
}

function readString(r: Reader): string {
  const start = r.at - 1;
  let out = '';
  let from = r.at;
  for (;;) {
    const unit = r.text.charCodeAt(r.at);
    if (unit === 34) {
      out += r.text.slice(from, r.at);
      r.at += 1;
      return out;
    }
    if (Number.isNaN(unit)) throw new JSONDecodeError('Unterminated string starting at', r.text, start);
    if (unit < 32 && r.options.strict) throw new JSONDecodeError('Invalid control character at', r.text, r.at);
    if (unit === 92) {
      out += r.text.slice(from, r.at) + readEscape(r, start);
      from = r.at;
    } else r.at += 1;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function readEscape(r: Reader, start: number): string {
  const char = r.text[r.at + 1];
  if (char === undefined) throw new JSONDecodeError('Unterminated string starting at', r.text, start);
  if (char === 'u') {
    const hex = r.text.slice(r.at + 2, r.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new JSONDecodeError('Invalid \\uXXXX escape', r.text, r.at + 1);
    r.at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  const plainChar = escapes[char];
  if (plainChar === undefined) throw new JSONDecodeError('Invalid \\escape', r.text, r.at);
  r.at += 2;
  return plainChar;
}

function readList(r: Reader): unknown[] {
  const items: unknown[] = [];
  r.at += 1;
  skipSpace(r);
  if (r.text[r.at] === ']') {
    r.at += 1;
    return items;
  }
  for (;;) {
    items.push(read(r));
    skipSpace(r);
    const char = r.text[r.at];
    if (char === ']') {
      r.at += 1;
      return items;
    }
    if (char !== ',') throw new JSONDecodeError("Expecting ',' delimiter", r.text, r.at);
    r.at += 1;
    skipSpace(r);
  }
}

function readDict(r: Reader): unknown {
  const pairs: [string, unknown][] = [];
  r.at += 1;
  skipSpace(r);
  if (r.text[r.at] === '}') {
    r.at += 1;
    return finishDict(r, pairs);
  }
  for (;;) {
    if (r.text[r.at] !== '"')
      throw new JSONDecodeError('Expecting property name enclosed in double quotes', r.text, r.at);
    r.at += 1;
    const name = readString(r);
    skipSpace(r);
    if (r.text[r.at] !== ':') throw new JSONDecodeError("Expecting ':' delimiter", r.text, r.at);
    r.at += 1;
    skipSpace(r);
    pairs.push([name, read(r)]);
    skipSpace(r);
    const char = r.text[r.at];
    if (char === '}') {
      r.at += 1;
      return finishDict(r, pairs);
    }
    if (char !== ',') throw new JSONDecodeError("Expecting ',' delimiter", r.text, r.at);
    r.at += 1;
    skipSpace(r);
  }
}

function finishDict(r: Reader, pairs: readonly [string, unknown][]): unknown {
  const { objectHook, pairsHook } = r.options;
  if (pairsHook !== undefined)
    return call(
      pairsHook,
      pairs.map((pair) => new Tuple(pair)),
    );
  const made = Dict.from(pairs);
  return objectHook === undefined ? made : call(objectHook, made);
}

const dumpParams =
  'obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False';

export function makeJson(): Members {
  return {
    JSONDecodeError,
    get JSONEncoder() {
      return JSONEncoder;
    },
    get JSONDecoder() {
      return JSONDecoder;
    },
    ...functions('json', {
      dumps: [dumpParams, dumps],
      dump: [
        dumpParams.replace('obj,', 'obj, fp,'),
        (x: unknown, file: unknown, ...options: any[]) => {
          callMethod(file, 'write', (dumps as any)(x, ...options));
          return null;
        },
      ],
      loads: [
        's, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, strict=True',
        loads,
      ],
      load: [
        'fp, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, strict=True',
        (file: unknown, ...options: any[]) => (loads as any)(callMethod(file, 'read'), ...options),
      ],
    }),
  };
}
