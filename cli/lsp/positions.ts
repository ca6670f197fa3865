/** Offsets of texts as positions of the protocol: lines from 0, characters in UTF-16 units. */
import type { Position, Range } from 'vscode-languageserver';
import { lineAt, lineStarts, type Source } from '../../lang/source.ts';

export function positionOf(source: Source, offset: number): Position {
  const line = lineAt(source, offset) - 1;
  return { line, character: Math.max(0, Math.min(offset, source.text.length) - lineStarts(source)[line]!) };
}

export function rangeOf(source: Source, { start, end }: { readonly start: number; readonly end: number }): Range {
  return { start: positionOf(source, start), end: positionOf(source, Math.max(start, end)) };
}

/** The offset of a position; one outside of the text counts as its nearest end. */
export function offsetOf(source: Source, { line, character }: Position): number {
  const starts = lineStarts(source);
  if (line < 0) return 0;
  const start = starts[line];
  if (start === undefined) return source.text.length;
  let end = starts[line + 1] ?? source.text.length;
  while (end > start && /[\r\n]/.test(source.text.charAt(end - 1))) end--;
  return Math.max(start, Math.min(start + character, end));
}
