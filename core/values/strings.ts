/**
 * Strings count code points. Almost all text has no surrogates, and then a JavaScript index is a code point index; whether it has is
 * remembered for the last string asked about, so indexing in a loop scans once.
 */

const surrogate = /[\ud800-\udfff]/;

let lastText = '';
let lastWide = false;
let lastChars: readonly string[] | undefined;

/** Does the text hold characters outside the basic plane (or lone surrogates)? */
export function isWide(text: string): boolean {
  if (text.length < 24) {
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit >= 0xd800 && unit <= 0xdfff) return true;
    }
    return false;
  }
  if (text !== lastText) {
    lastText = text;
    lastWide = surrogate.test(text);
    lastChars = undefined;
  }
  return lastWide;
}

/** The characters, one code point each. */
export function charsOf(text: string): readonly string[] {
  if (text.length < 24) return Array.from(text);
  if (text !== lastText || lastChars === undefined) {
    lastText = text;
    lastWide = surrogate.test(text);
    lastChars = Array.from(text);
  }
  return lastChars;
}

/** `len(text)` */
export function lengthOf(text: string): number {
  return isWide(text) ? charsOf(text).length : text.length;
}

/** Code point index for a UTF-16 index. */
export function pointIndex(text: string, unitIndex: number): number {
  if (unitIndex <= 0 || !isWide(text)) return unitIndex;
  return lengthOf(text.slice(0, unitIndex));
}

/** UTF-16 index for a code point index within `0..len`. */
export function unitIndex(text: string, point: number): number {
  if (!isWide(text)) return point;
  const chars = charsOf(text);
  let at = 0;
  for (let i = 0; i < point && i < chars.length; i += 1) at += chars[i]!.length;
  return at;
}
