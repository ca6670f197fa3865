/** Module `gettext`: texts in other languages, from the `.mo` files that GNU gettext makes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { pathOf } from '../builtins/path-of.ts';
import { call } from '../values/calls/calls.ts';
import { Dict } from '../values/containers/dict.ts';
import { itemsOf } from '../values/containers/iteration.ts';
import { FileNotFoundError, OSError } from '../values/objects/exceptions.ts';
import { callMethod } from '../values/objects/methods.ts';
import { truth } from '../values/objects/truth.ts';
import { requireBytes } from '../values/text/bytes.ts';
import { decodeBytes } from '../values/text/codecs.ts';

/** Gives texts back as they are, or asks another catalogue for them. */
export class NullTranslations {
  $fallback: any;
  $info = new Dict();
  $charset: string | null = null;

  constructor(file?: unknown) {
    this.init(file);
  }

  init(file?: unknown): void {
    this.$fallback = undefined;
    if (file !== undefined && file !== null) this.$read(Buffer.from(requireBytes(callMethod(file, 'read'))));
  }

  $read(_data: Buffer): void {}

  $find(_id: string): string | undefined {
    return undefined;
  }

  $plural(n: number): number {
    return n === 1 ? 0 : 1;
  }

  add_fallback(fallback: any): null {
    if (this.$fallback === undefined) this.$fallback = fallback;
    else this.$fallback.add_fallback(fallback);
    return null;
  }

  gettext(message: string): string {
    return this.$find(message) ?? (this.$fallback === undefined ? message : this.$fallback.gettext(message));
  }

  ngettext(one: string, many: string, n: unknown): string {
    const found = this.$find(`${one}\0${this.$plural(Number(n))}`);
    if (found !== undefined) return found;
    if (this.$fallback !== undefined) return this.$fallback.ngettext(one, many, n);
    return Number(n) === 1 ? one : many;
  }

  pgettext(context: string, message: string): string {
    const found = this.$find(`${context}\x04${message}`);
    return found ?? (this.$fallback === undefined ? message : this.$fallback.pgettext(context, message));
  }

  npgettext(context: string, one: string, many: string, n: unknown): string {
    const found = this.$find(`${context}\x04${one}\0${this.$plural(Number(n))}`);
    return found ?? (Number(n) === 1 ? one : many);
  }

  info(): Dict {
    return this.$info;
  }

  charset(): string | null {
    return this.$charset;
  }
}
const methods = {
  gettext: 'message',
  ngettext: 'msgid1, msgid2, n',
  pgettext: 'context, message',
  npgettext: 'context, msgid1, msgid2, n',
};
nativeClass(NullTranslations, { name: 'NullTranslations', module: 'gettext', params: 'fp=None', methods });

export class GNUTranslations extends NullTranslations {
  declare $catalog: Map<string, string>;
  declare $rule: ((n: number) => number) | undefined;

  override $read(data: Buffer): void {
    this.$catalog = new Map();
    this.$rule = undefined;
    const isBig = data.length >= 4 && data.readUInt32BE(0) === 0x950412de;
    if (!isBig && (data.length < 20 || data.readUInt32LE(0) !== 0x950412de)) throw new OSError('Bad magic number');
    const word = (at: number) => (isBig ? data.readUInt32BE(at) : data.readUInt32LE(at));
    const text = (at: number) => data.subarray(word(at + 4), word(at + 4) + word(at));
    const [count, ids, texts] = [word(8), word(12), word(16)];
    for (let i = 0; i < count; i += 1) {
      const [id, value] = [text(ids + i * 8), text(texts + i * 8)];
      if (id.length === 0) this.$readInfo(value);
      this.$keep(decodeBytes(id, this.$charset ?? 'utf-8'), decodeBytes(value, this.$charset ?? 'utf-8'));
    }
  }

  $keep(id: string, value: string): void {
    const [single, plural] = id.split('\0');
    if (plural === undefined) this.$catalog.set(id, value);
    else for (const [i, form] of value.split('\0').entries()) this.$catalog.set(`${single}\0${i}`, form);
  }

  $readInfo(header: Buffer): void {
    for (const line of header.toString('latin1').split('\n')) {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined) continue;
      this.$info.set(name.trim().toLowerCase(), value!.trim());
      if (/^content-type$/i.test(name)) this.$charset = /charset=(\S+)/.exec(value!)?.[1] ?? null;
      const rule = /^plural-forms$/i.test(name) ? /plural=([^;]+)/.exec(value!)?.[1] : undefined;
      // The expression is one of C, which JavaScript has too.
      if (rule !== undefined && /^[n\d\s()%!=<>&|?:+*/-]+$/.test(rule))
        this.$rule = new Function('n', `return +(${rule})`) as any;
    }
  }

  override $find(id: string): string | undefined {
    return this.$catalog?.get(id);
  }

  override $plural(n: number): number {
    return this.$rule?.(n) ?? super.$plural(n);
  }
}
nativeClass(GNUTranslations, { name: 'GNUTranslations', module: 'gettext', params: 'fp=None', methods });

const folders = new Map<string, string>();
let current = 'messages';

/** Languages in the order of choice: `de_AT.UTF-8` stands for `de_AT` and `de` too. */
function languagesOf(given: unknown): string[] {
  const { env } = process;
  const chosen =
    given === undefined || given === null
      ? (env['LANGUAGE'] || env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '').split(':')
      : (itemsOf(given) as string[]);
  return chosen.flatMap((name) => {
    const bare = name.replace(/[.@].*$/, '');
    return [...new Set([name, bare, bare.split('_')[0]!])];
  });
}

function find(domain: string, folder: unknown, languages: unknown, all: unknown): unknown {
  const base =
    folder === undefined || folder === null ? (folders.get(domain) ?? '/usr/share/locale') : String(pathOf(folder));
  const files = languagesOf(languages)
    .map((language) => join(base, language, 'LC_MESSAGES', `${domain}.mo`))
    .filter((file) => existsSync(file));
  return truth(all) ? files : (files[0] ?? null);
}

function translation(domain: string, folder: unknown, languages: unknown, cls: unknown, fallback: unknown): unknown {
  const files = find(domain, folder, languages, true) as string[];
  if (files.length === 0) {
    if (truth(fallback)) return new NullTranslations();
    throw call(FileNotFoundError, 2, 'No translation file found for domain', domain);
  }
  const [first, ...rest] = files.map((file): any => {
    const stream = { read: () => readFileSync(file) };
    return cls === undefined || cls === null ? new GNUTranslations(stream) : call(cls, stream);
  });
  for (const one of rest) first.add_fallback(one);
  return first;
}

export function makeGettext(): Members {
  const now = () => translation(current, undefined, undefined, undefined, true) as NullTranslations;
  return {
    NullTranslations,
    GNUTranslations,
    ...functions('gettext', {
      bindtextdomain: [
        'domain, localedir=None',
        (domain: string, folder: unknown) => {
          if (folder !== undefined && folder !== null) folders.set(domain, String(pathOf(folder)));
          return folders.get(domain) ?? '/usr/share/locale';
        },
      ],
      dgettext: [
        'domain, message',
        (domain: string, message: string) =>
          (translation(domain, undefined, undefined, undefined, true) as NullTranslations).gettext(message),
      ],
      find: ['domain, localedir=None, languages=None, all=False', find],
      gettext: ['message', (message: string) => now().gettext(message)],
      ngettext: ['msgid1, msgid2, n', (one: string, many: string, n: unknown) => now().ngettext(one, many, n)],
      npgettext: [
        'context, msgid1, msgid2, n',
        (context: string, one: string, many: string, n: unknown) => now().npgettext(context, one, many, n),
      ],
      pgettext: ['context, message', (context: string, message: string) => now().pgettext(context, message)],
      textdomain: [
        'domain=None',
        (domain: unknown) => {
          if (typeof domain === 'string') current = domain;
          return current;
        },
      ],
      translation: ['domain, localedir=None, languages=None, class_=None, fallback=False', translation],
    }),
  };
}
