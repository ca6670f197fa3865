/**
 * Strings count code points. Almost all text has no surrogates, and then a JavaScript index is a code point index; whether it has is
 * remembered for the strings asked about last, so indexing in a loop scans once, also where the loop looks at two of them.
 */

const surrogate = /[\ud800-\udfff]/;

interface Known {
  readonly text: string;
  readonly wide: boolean;
  chars: readonly string[] | undefined;
  length: number | undefined;
  /** A place that was asked for, as UTF-16 index and as code point index: the next one is seldom far. */
  unit: number;
  point: number;
}

let last = about('');
let before = last;

function about(text: string): Known {
  return { text, wide: surrogate.test(text), chars: undefined, length: undefined, unit: 0, point: 0 };
}

function know(text: string): Known {
  if (text === last.text) return last;
  const known = text === before.text ? before : about(text);
  before = last;
  last = known;
  return known;
}

/** Does the text hold characters outside the basic plane (or lone surrogates)? */
export function isWide(text: string): boolean {
  if (text.length < 24) {
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit >= 0xd800 && unit <= 0xdfff) return true;
    }
    return false;
  }
  return know(text).wide;
}

/** The characters, one code point each. */
export function charsOf(text: string): readonly string[] {
  if (text.length < 24) return Array.from(text);
  const known = know(text);
  known.chars ??= Array.from(text);
  return known.chars;
}

/** `len(text)` */
export function lengthOf(text: string): number {
  if (!isWide(text)) return text.length;
  const known = know(text);
  known.length ??= known.chars?.length ?? countPoints(text);
  return known.length;
}

/** Code point index for a UTF-16 index. */
export function pointIndex(text: string, unitIndex: number): number {
  return unitIndex <= 0 || !isWide(text) ? unitIndex : walkTo(text, unitIndex, Number.POSITIVE_INFINITY).point;
}

/** UTF-16 index for a code point index within `0..len`. */
export function unitIndex(text: string, point: number): number {
  if (!isWide(text)) return point;
  return point >= lengthOf(text) ? text.length : walkTo(text, Number.POSITIVE_INFINITY, point).unit;
}

/** The last place of a text that is behind neither. */
function walkTo(text: string, unit: number, point: number): Known {
  const known = know(text);
  if (unit < known.unit || point < known.point) known.unit = known.point = 0;
  while (known.unit < unit && known.point < point && known.unit < text.length) {
    known.unit += text.codePointAt(known.unit)! > 0xffff ? 2 : 1;
    known.point += 1;
  }
  return known;
}

function countPoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}
