/**
 * A JSON parser that can pause (decisions/0411): it reads long texts in slices, and tells of any text where it goes wrong and which integers
 * are too large to be exact. For everything else the built-in parser is the faster one (`read-json.ts`).
 */
import { mostListed } from '../../../core/problems.ts';

/** Fault in a JSON text: a message and its place (a character index). */
export interface JsonFault {
  readonly message: string;
  readonly position: number;
}

/** A place in a value: keys of objects and indexes of arrays. */
export type JsonLoc = readonly (string | number)[];

/** All members of an object that has very many: its table of keys would hold everybody up each time it grows. */
export interface Members {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
}

/** Members of objects beyond their first ones, by object. */
export type LargeObjects = ReadonlyMap<object, Members>;

/** Members of an object of a text that was read in slices. */
export function membersOf(object: object, large: LargeObjects | undefined): Members {
  const all = large?.get(object);
  if (all !== undefined) return all;
  const names = Object.keys(object);
  return { names, values: names.map((name) => (object as Record<string, unknown>)[name]) };
}

/** One member, undefined where there is none: JSON has no such value. */
export function memberOf(object: object, name: string, large: LargeObjects | undefined): unknown {
  if (Object.hasOwn(object, name)) return (object as Record<string, unknown>)[name];
  const all = large?.get(object);
  return all?.values[all.names.indexOf(name)];
}

class LargeObject implements Members {
  readonly names: string[];
  readonly values: unknown[];
  readonly seen: Set<string>;

  constructor(object: Readonly<Record<string, unknown>>) {
    this.names = Object.keys(object);
    this.values = Object.values(object);
    this.seen = new Set(this.names);
  }
}

interface Level {
  /** Undefined for an array, whose items wait in `JsonReader.items`. */
  readonly object: Record<string, unknown> | undefined;
  /** Index at which the items of an array begin. */
  readonly from: number;
  /** The member that is being read. */
  key: string;
  size: number;
  large: LargeObject | undefined;
}

/**
 * Token the reader expects next: a value; a value or `]`; a key; a key or `}`; a comma or a closing bracket; nothing.
 */
type Expects = 'value' | 'item' | 'key' | 'member' | 'next' | 'end';

const clockEvery = 128;
const manyMembers = 1000;
/** A string longer than this is searched for its end instead of read through. */
const nearChars = 32;

/** Reads one text. Ask for the results when `advance` has given true. */
export class JsonReader {
  value: unknown = undefined;
  fault: JsonFault | undefined = undefined;
  /** Places of integers outside ±(2^53−1): the first ones. */
  readonly unsafe: JsonLoc[] = [];
  unsafeCount = 0;
  readonly large = new Map<object, Members>();
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly levels: Level[] = [];
  /** Items of the arrays that are open. An array is made when it is complete: a growing one takes room for many. */
  private readonly items: unknown[] = [];
  private at = 0;
  private expects: Expects = 'value';

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  /** Goes on reading until `untilMs` on the monotonic clock, or to the end. True when there is nothing left to do. */
  advance(untilMs = Number.POSITIVE_INFINITY): boolean {
    for (let steps = 1; this.step(); steps++) {
      if (steps % clockEvery === 0 && performance.now() >= untilMs) return false;
    }
    return true;
  }

  /** True when the text is nothing but white space. */
  get isBlank(): boolean {
    return this.fault !== undefined && this.text.trim() === '';
  }

  /** Reads one token, or a key with its colon. False at the end and after a fault. */
  private step(): boolean {
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    switch (this.expects) {
      case 'next':
        return this.readNext(code);
      case 'member':
        if (code === 0x7d) return this.close();
        return this.readKey(code);
      case 'key':
        return this.readKey(code);
      case 'item':
        if (code === 0x5d) return this.close();
        return this.readValue(code);
      case 'value':
        return this.readValue(code);
      case 'end':
        return this.at < this.text.length && this.refuse('Unexpected text after the JSON value.');
    }
  }

  private readNext(code: number): boolean {
    const isArray = this.levels.at(-1)!.object === undefined;
    if (code === 0x2c) {
      this.at++;
      this.expects = isArray ? 'value' : 'key';
      return true;
    }
    if (code === (isArray ? 0x5d : 0x7d)) return this.close();
    return this.refuse(this.expected(isArray ? "',' or ']'" : "',' or '}'"));
  }

  private readKey(code: number): boolean {
    const start = this.at;
    if (code !== 0x22) return this.refuse(this.expected('a key in double quotes'));
    const key = this.readString();
    if (key === undefined) return false;
    const level = this.levels.at(-1)!;
    const isKnown = level.large === undefined ? Object.hasOwn(level.object!, key) : level.large.seen.has(key);
    if (isKnown) return this.refuse('The JSON object has a duplicate key.', start);
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== 0x3a) return this.refuse(this.expected("':'"));
    this.at++;
    level.key = key;
    this.expects = 'value';
    return true;
  }

  private readValue(code: number): boolean {
    switch (code) {
      case 0x7b:
        return this.open({});
      case 0x5b:
        return this.open(undefined);
      case 0x22: {
        const text = this.readString();
        return text !== undefined && this.put(text);
      }
      default:
        return Number.isNaN(code) ? this.refuse('The JSON text ends too early.') : this.readWord();
    }
  }

  private open(object: Level['object']): boolean {
    if (this.levels.length >= this.maxDepth) return this.refuse(`JSON nested deeper than ${this.maxDepth} levels.`);
    this.at++;
    this.levels.push({ object, from: this.items.length, key: '', size: 0, large: undefined });
    this.expects = object === undefined ? 'item' : 'member';
    return true;
  }

  private close(): boolean {
    this.at++;
    const { object, from } = this.levels.pop()!;
    if (object !== undefined) return this.put(object);
    const array = this.items.slice(from);
    this.items.length = from;
    return this.put(array);
  }

  private put(value: unknown): boolean {
    const level = this.levels.at(-1);
    if (level === undefined) {
      this.value = value;
      this.expects = 'end';
      return true;
    }
    this.expects = 'next';
    if (level.object === undefined) this.items.push(value);
    else this.putMember(level, level.object, value);
    return true;
  }

  private putMember(level: Level, object: Record<string, unknown>, value: unknown): void {
    const { key, large } = level;
    if (large !== undefined) {
      large.names.push(key);
      large.values.push(value);
      large.seen.add(key);
      return;
    }
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    else object[key] = value;
    if (++level.size === manyMembers) this.large.set(object, (level.large = new LargeObject(object)));
  }

  private readString(): string | undefined {
    const { text } = this;
    const start = this.at;
    let isPlain = true;
    let at = start + 1;
    for (const near = at + nearChars; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        isPlain = false;
        at++;
      } else if (!(code >= 0x20)) return this.badString(start);
      else if (at > near) {
        at = endOfString(text, at);
        break;
      }
    }
    this.at = at + 1;
    // A longer slice would keep the whole text alive.
    if (isPlain && at - start < 13) return text.slice(start + 1, at);
    try {
      return JSON.parse(text.slice(start, at + 1)) as string;
    } catch {
      return this.badString(start);
    }
  }

  /** Finds what is wrong with a string. */
  private badString(start: number): undefined {
    const good = /(?:[^"\\\u0000-\u001f]|\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])){1,1000}/y;
    good.lastIndex = start + 1;
    this.at = start + 1;
    while (good.test(this.text)) this.at = good.lastIndex;
    const isCut = this.at >= this.text.length;
    this.refuse(isCut ? 'The JSON text ends too early.' : 'Malformed string in JSON.');
    return undefined;
  }

  /** A number, `true`, `false` or `null`. */
  private readWord(): boolean {
    const { text } = this;
    let end = this.at;
    while (isWordCode(text.charCodeAt(end))) end++;
    const word = text.slice(this.at, end);
    const value = words.has(word) ? words.get(word) : number.test(word) ? Number(word) : undefined;
    if (value === undefined) return this.refuse('Unexpected character in JSON.');
    this.at = end;
    if (typeof value === 'number' && !isExact(value) && integer.test(word)) this.noteUnsafe();
    return this.put(value);
  }

  private noteUnsafe(): void {
    this.unsafeCount++;
    if (this.unsafe.length >= mostListed) return;
    const { levels, items } = this;
    const endOf = (i: number) => levels[i + 1]?.from ?? items.length;
    this.unsafe.push(levels.map(({ object, from, key }, i) => (object === undefined ? endOf(i) - from : key)));
  }

  private skipSpace(): void {
    const { text } = this;
    let { at } = this;
    for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; )
      code = text.charCodeAt(++at);
    this.at = at;
  }

  private expected(what: string): string {
    return this.at >= this.text.length ? 'The JSON text ends too early.' : `Expected ${what} in JSON.`;
  }

  private refuse(message: string, position = this.at): false {
    this.fault = { message, position };
    return false;
  }
}

/** Index of the `"` that ends a string, from some place in it on that is not escaped; the end of the text when there is none. */
export function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes > from && text.charCodeAt(end - escapes - 1) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const integer = /^-?[0-9]+$/;

/** Tells whether a number may stand for the digits it was written with (docs/server/requests.md#types). */
export function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}

/** Letters, digits and what else belongs to numbers. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x5f
  );
}
