/** Formatting as edits: the lines that differ. */
import type { TextEdit } from 'vscode-languageserver';
import { formatSource } from '../../lang/format/format.ts';
import { lineStarts, type Source } from '../../lang/source.ts';
import { rangeOf } from './positions.ts';

/** Edits that lay out a file, or the lines from `start` to `end` of it; undefined for broken text. */
export function layoutEdits(
  source: Source,
  range?: { readonly start: number; readonly end: number },
): TextEdit[] | undefined {
  const result = formatSource(source);
  if (result.kind !== 'formatted') return undefined;
  const edits = lineEdits(source, result.text);
  if (range === undefined)
    return edits.map(({ start, end, text }) => ({ range: rangeOf(source, { start, end }), newText: text }));
  return edits
    .filter(({ start, end }) => start >= lineStart(source, range.start) && end <= lineEnd(source, range.end))
    .map(({ start, end, text }) => ({ range: rangeOf(source, { start, end }), newText: text }));
}

function lineStart({ text }: Source, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd({ text }: Source, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Runs of lines that differ. Formatting changes white space alone, so both texts have the same other characters in the same order: where
 * both are at the end of a line behind as many of them, they are in step.
 */
function lineEdits(source: Source, text: string): readonly Edit[] {
  if (source.text === text) return [];
  const [before, after] = [stepsOf(source.text, lineStarts(source)), stepsOf(text, lineStarts({ path: '', text }))];
  const edits: Edit[] = [];
  const at = new Map(after.map(({ solid, offset }) => [solid, offset]));
  let [from, to] = [0, 0];
  for (const { solid, offset } of before) {
    const other = at.get(solid);
    if (other === undefined) continue;
    if (source.text.slice(from, offset) !== text.slice(to, other))
      edits.push({ start: from, end: offset, text: text.slice(to, other) });
    [from, to] = [offset, other];
  }
  if (source.text.slice(from) !== text.slice(to))
    edits.push({ start: from, end: source.text.length, text: text.slice(to) });
  return edits;
}

/** Starts of lines, with the number of characters other than white space before each. */
function stepsOf(text: string, starts: Uint32Array): readonly { readonly solid: number; readonly offset: number }[] {
  const found: { solid: number; offset: number }[] = [];
  let [solid, at] = [0, 0];
  for (const offset of starts) {
    for (; at < offset; at++) if (!/\s/.test(text.charAt(at))) solid++;
    if (solid > 0 && found.at(-1)?.solid !== solid) found.push({ solid, offset });
  }
  return found;
}
