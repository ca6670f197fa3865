/** Names, bidirectional classes, decompositions and combining classes of characters: unpacked when the first of them is asked for. */
import { brotliDecompressSync } from 'node:zlib';
import { packed } from './unicode-names.ts';

interface Data {
  readonly names: ReadonlyMap<number, string>;
  readonly codes: ReadonlyMap<string, number>;
  /** Values that hold from a character on, in order. */
  readonly bidirectional: readonly Run[];
  readonly combining: readonly Run[];
  readonly decompositions: ReadonlyMap<number, string>;
}
type Run = readonly [from: number, value: string];

let unpacked: Data | undefined;

function data(): Data {
  unpacked ??= unpack();
  return unpacked;
}

function unpack(): Data {
  const [names, bidirectional, decompositions, combining] = brotliDecompressSync(Buffer.from(packed, 'base64'))
    .toString('latin1')
    .split('\f') as [string, string, string, string];
  const named = new Map<number, string>();
  let code = -1;
  for (const line of names.split('\n')) {
    const gap = /^[0-9a-f]+ /.exec(line)?.[0] ?? '';
    code += 1 + (gap === '' ? 0 : Number.parseInt(gap, 16));
    named.set(code, line.slice(gap.length));
  }
  return {
    names: named,
    codes: new Map([...named].map(([at, name]) => [name, at])),
    bidirectional: runs(bidirectional),
    combining: runs(combining),
    decompositions: new Map(runs(decompositions)),
  };
}

function runs(text: string): Run[] {
  let at = 0;
  return text.split('\n').map((line) => {
    const end = line.indexOf(' ');
    at += Number.parseInt(line.slice(0, end), 16);
    return [at, line.slice(end + 1)];
  });
}

function valueAt(list: readonly Run[], code: number): string | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]![0] <= code) low = middle + 1;
    else high = middle;
  }
  return list[low - 1]?.[1];
}

// ---------------------------------------------------------------- names that follow from the number

const numbered: readonly (readonly [prefix: string, from: number, to: number])[] = [
  ['CJK UNIFIED IDEOGRAPH-', 0x3400, 0x4dbf],
  ['CJK UNIFIED IDEOGRAPH-', 0x4e00, 0x9fff],
  ['CJK UNIFIED IDEOGRAPH-', 0x20000, 0x2a6df],
  ['CJK UNIFIED IDEOGRAPH-', 0x2a700, 0x2b738],
  ['CJK UNIFIED IDEOGRAPH-', 0x2b740, 0x2b81d],
  ['CJK UNIFIED IDEOGRAPH-', 0x2b820, 0x2cea1],
  ['CJK UNIFIED IDEOGRAPH-', 0x2ceb0, 0x2ebe0],
  ['CJK UNIFIED IDEOGRAPH-', 0x30000, 0x3134a],
  ['CJK COMPATIBILITY IDEOGRAPH-', 0xf900, 0xfa6d],
  ['CJK COMPATIBILITY IDEOGRAPH-', 0xfa70, 0xfad9],
  ['CJK COMPATIBILITY IDEOGRAPH-', 0x2f800, 0x2fa1d],
  ['KHITAN SMALL SCRIPT CHARACTER-', 0x18b00, 0x18cd5],
  ['NUSHU CHARACTER-', 0x1b170, 0x1b2fb],
];

const leads = 'G GG N D DD R M B BB S SS  J JJ C K T P H'.split(' ');
const vowels = 'A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I'.split(' ');
const tails = ' G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H'.split(' ');
const firstSyllable = 0xac00;

/** The name of a character; undefined for what has none. */
export function nameOf(code: number): string | undefined {
  const at = code - firstSyllable;
  if (at >= 0 && at < leads.length * vowels.length * tails.length) {
    const lead = leads[Math.floor(at / (vowels.length * tails.length))];
    const vowel = vowels[Math.floor(at / tails.length) % vowels.length];
    return `HANGUL SYLLABLE ${lead}${vowel}${tails[at % tails.length]}`;
  }
  const block = numbered.find(([, from, to]) => code >= from && code <= to);
  return block === undefined ? data().names.get(code) : block[0] + code.toString(16).toUpperCase();
}

/** The character of a name in capitals; undefined where there is none. */
export function codeOf(name: string): number | undefined {
  const syllable = /^HANGUL SYLLABLE ([^AEIOUWY]*)([AEIOUWY]+)([^AEIOUWY]*)$/.exec(name);
  if (syllable !== null) {
    const [lead, vowel, tail] = [
      leads.indexOf(syllable[1]!),
      vowels.indexOf(syllable[2]!),
      tails.indexOf(syllable[3]!),
    ];
    if (lead < 0 || vowel < 0 || tail < 0) return undefined;
    return firstSyllable + (lead * vowels.length + vowel) * tails.length + tail;
  }
  const code = Number.parseInt(/-([0-9A-F]{4,5})$/.exec(name)?.[1] ?? '', 16);
  return nameOf(code) === name ? code : data().codes.get(name);
}

/** `L`, `R`, `EN` …; '' for characters that are not assigned. */
export function bidirectionalOf(code: number): string {
  const value = valueAt(data().bidirectional, code);
  return value === undefined || value === '-' ? '' : value;
}

export function combiningOf(code: number): number {
  return Number(valueAt(data().combining, code) ?? 0);
}

export function decompositionOf(code: number): string {
  return data().decompositions.get(code) ?? '';
}
