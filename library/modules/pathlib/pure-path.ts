/** `pathlib.PurePath`: paths as text, without touching the file system. POSIX rules on every platform. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { NotImplementedError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { compareStrings } from '../../values/objects/ordering.ts';
import { $eq, $hash, $repr, $str, $typeName } from '../../values/objects/protocol.ts';
import { NotImplemented } from '../../values/objects/singletons.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { quote } from '../../values/text/string-repr.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { filePattern } from './file-pattern.ts';

export class PurePath {
  readonly root: string;
  /** Components below the root. */
  readonly $tail: readonly string[];
  declare [$typeName]: string;

  constructor(...segments: unknown[]) {
    const joined = segments
      .map(segmentText)
      .reduce(
        (left, right) => (right.startsWith('/') || left === '' ? right : right === '' ? left : `${left}/${right}`),
        '',
      );
    this.root = /^\/\/(?!\/)/.test(joined) ? '//' : joined.startsWith('/') ? '/' : '';
    this.$tail = joined.split('/').filter((part) => part !== '' && part !== '.');
  }

  get $text(): string {
    return this.root === '' && this.$tail.length === 0 ? '.' : this.root + this.$tail.join('/');
  }

  get drive(): string {
    return '';
  }

  get anchor(): string {
    return this.root;
  }

  get parts(): Tuple {
    return new Tuple(this.root === '' ? this.$tail : [this.root, ...this.$tail]);
  }

  get name(): string {
    return this.$tail.at(-1) ?? '';
  }

  get suffix(): string {
    const at = this.name.lastIndexOf('.');
    return at > 0 && at < this.name.length - 1 ? this.name.slice(at) : '';
  }

  get suffixes(): string[] {
    if (this.name.endsWith('.')) return [];
    return this.name
      .replace(/^\.+/, '')
      .split('.')
      .slice(1)
      .map((part) => `.${part}`);
  }

  get stem(): string {
    return this.name.slice(0, this.name.length - this.suffix.length);
  }

  get parent(): this {
    return this.$tail.length === 0 ? this : this.$made(this.root, this.$tail.slice(0, -1));
  }

  get parents(): Tuple {
    return new Tuple(this.$tail.map((_, i) => this.$made(this.root, this.$tail.slice(0, this.$tail.length - 1 - i))));
  }

  /** A path of the same class. */
  $made(root: string, tail: readonly string[]): this {
    return new (this.constructor as any)(root + tail.join('/'));
  }

  with_segments(segments: unknown[]): this {
    return new (this.constructor as any)(...segments);
  }

  as_posix(): string {
    return this.$text;
  }

  as_uri(): string {
    if (!this.is_absolute()) throw new ValueError("relative path can't be expressed as a file URI");
    return `file://${encodeURIComponent(this.$text)
      .replaceAll('%2F', '/')
      .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
  }

  is_absolute(): boolean {
    return this.root !== '';
  }

  is_reserved(): boolean {
    return false;
  }

  joinpath(others: unknown[]): this {
    return new (this.constructor as any)(this, ...others);
  }

  is_relative_to(other: unknown, more: unknown[]): boolean {
    const base = new PurePath(other, ...more);
    return base.root === this.root && base.$tail.every((part, i) => part === this.$tail[i]);
  }

  relative_to(other: unknown, more: unknown[], walkUp?: unknown): this {
    const base = new PurePath(other, ...more);
    let common = 0;
    while (common < base.$tail.length && base.$tail[common] === this.$tail[common]) common += 1;
    if (base.root !== this.root)
      throw new ValueError(`${quote(this.$text)} and ${quote(base.$text)} have different anchors`);
    const up = base.$tail.slice(common);
    if (up.length > 0 && walkUp !== true)
      throw new ValueError(`${quote(this.$text)} is not in the subpath of ${quote(base.$text)}`);
    if (up.includes('..')) throw new ValueError(`'..' segment in ${quote(base.$text)} cannot be walked`);
    return this.$made('', [...up.map(() => '..'), ...this.$tail.slice(common)]);
  }

  match(pattern: unknown, _caseSensitive?: unknown): boolean {
    const wanted = new PurePath(pattern);
    if (wanted.$tail.length === 0 && wanted.root === '') throw new ValueError('empty pattern');
    if (wanted.root !== '' && (this.root !== wanted.root || wanted.$tail.length !== this.$tail.length)) return false;
    if (wanted.$tail.length > this.$tail.length) return false;
    const own = this.$tail.slice(this.$tail.length - wanted.$tail.length);
    return wanted.$tail.every((part, i) => filePattern(part).test(own[i]!));
  }

  with_name(name: unknown): this {
    const text = segmentText(name);
    if (this.name === '') throw new ValueError(`${this[$repr]()} has an empty name`);
    if (text === '' || text === '.' || text.includes('/')) throw new ValueError(`Invalid name ${quote(text)}`);
    return this.$made(this.root, [...this.$tail.slice(0, -1), text]);
  }

  with_stem(stem: unknown): this {
    return this.with_name(segmentText(stem) + this.suffix);
  }

  with_suffix(suffix: unknown): this {
    const text = segmentText(suffix);
    if (text.includes('/') || (text !== '' && !text.startsWith('.')) || text === '.')
      throw new ValueError(`Invalid suffix ${quote(text)}`);
    if (this.name === '') throw new ValueError(`${this[$repr]()} has an empty name`);
    return this.$made(this.root, [...this.$tail.slice(0, -1), this.stem + text]);
  }

  __truediv__(other: unknown): unknown {
    return isPathLike(other) ? new (this.constructor as any)(this, other) : NotImplemented;
  }

  __rtruediv__(other: unknown): unknown {
    return isPathLike(other) ? new (this.constructor as any)(other, this) : NotImplemented;
  }

  __fspath__(): string {
    return this.$text;
  }

  __bytes__(): Uint8Array {
    return Buffer.from(this.$text);
  }

  __lt__(other: unknown): unknown {
    return other instanceof PurePath ? order(this, other) < 0 : NotImplemented;
  }

  __le__(other: unknown): unknown {
    return other instanceof PurePath ? order(this, other) <= 0 : NotImplemented;
  }

  __gt__(other: unknown): unknown {
    return other instanceof PurePath ? order(this, other) > 0 : NotImplemented;
  }

  __ge__(other: unknown): unknown {
    return other instanceof PurePath ? order(this, other) >= 0 : NotImplemented;
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof PurePath ? this.$text === other.$text : undefined;
  }

  [$hash](): string {
    return `path:${this.$text}`;
  }

  [$str](): string {
    return this.$text;
  }

  [$repr](): string {
    return `${this[$typeName]}(${quote(this.$text)})`;
  }
}

export class PurePosixPath extends PurePath {}

// Compares paths by components, as they sort.
function order(a: PurePath, b: PurePath): number {
  const [left, right] = [a.parts.items as string[], b.parts.items as string[]];
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const found = compareStrings(left[i]!, right[i]!);
    if (found !== 0) return found;
  }
  return left.length - right.length;
}

function isPathLike(x: any): boolean {
  return textOf(x) !== undefined || typeof x?.__fspath__ === 'function';
}

function segmentText(x: any): string {
  const text = textOf(x) ?? (typeof x?.__fspath__ === 'function' ? textOf(x.__fspath__()) : undefined);
  if (text === undefined)
    throw new TypeError(
      `argument should be a str or an os.PathLike object where __fspath__ returns a str, not '${typeName(x)}'`,
    );
  return process.platform === 'win32' ? text.replaceAll('\\', '/') : text;
}

const methods = {
  with_segments: '*pathsegments',
  as_posix: '',
  as_uri: '',
  is_absolute: '',
  is_reserved: '',
  joinpath: '*pathsegments',
  is_relative_to: 'other, /, *_deprecated',
  relative_to: 'other, /, *_deprecated, walk_up=False',
  match: 'path_pattern, /, *, case_sensitive=None',
  with_name: 'name',
  with_stem: 'stem',
  with_suffix: 'suffix',
};
const make = (cls: any, segments: unknown[]) => new (cls === PurePath ? PurePosixPath : cls)(...segments);
nativeClass(PurePath, { name: 'PurePath', module: 'pathlib', params: '*args', make, methods });
nativeClass(PurePosixPath, { name: 'PurePosixPath', module: 'pathlib', params: '*args', make });

/** The steps of a pattern for `glob`. @throws ValueError, NotImplementedError */
export function patternSteps(pattern: unknown): string[] {
  const text = segmentText(pattern);
  if (text === '') throw new ValueError("Unacceptable pattern: ''");
  if (text.startsWith('/')) throw new NotImplementedError('Non-relative patterns are unsupported');
  return text.split('/').filter((part) => part !== '.' && part !== '');
}
