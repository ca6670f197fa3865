/** One source text. `path` is what diagnostics show; `text` is as read, a byte order mark included. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A place as people count: both from 1, columns in Unicode code points (docs/language/lexical.md#source-text). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const lineTables = new WeakMap<Source, Uint32Array>();

/** Offset of the first character of every line. Lines end with LF, CRLF or CR. Made at the first question, then kept. */
export function lineStarts(source: Source): Uint32Array {
  let table = lineTables.get(source);
  if (table === undefined) {
    table = findLineStarts(source.text);
    lineTables.set(source, table);
  }
  return table;
}

/** Line, from 1, of a UTF-16 offset. Offsets outside the text count as its nearest end. */
export function lineAt(source: Source, offset: number): number {
  const starts = lineStarts(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Line and column of a UTF-16 offset into `source.text`. */
export function positionAt(source: Source, offset: number): Position {
  const { text } = source;
  const line = lineAt(source, offset);
  const end = Math.min(Math.max(offset, 0), text.length);
  let column = 1;
  for (let i = lineStarts(source)[line - 1]!; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
    const isByteOrderMark = unit === 0xfeff && i === 0;
    if (!isSecondHalf && !isByteOrderMark) column++;
  }
  return { line, column };
}

/** Text of a line, from 1, without its line end and without a byte order mark. */
export function lineText(source: Source, line: number): string {
  const starts = lineStarts(source);
  const { text } = source;
  let start = starts[line - 1] ?? text.length;
  let end = starts[line] ?? text.length;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
  if (start === 0 && text.charCodeAt(0) === 0xfeff) start = Math.min(1, end);
  return text.slice(start, end);
}

function findLineStarts(text: string): Uint32Array {
  const starts = [0];
  if (!text.includes('\r')) {
    // The search for one character is far quicker than a look at each.
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return Uint32Array.from(starts);
  }
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) starts.push(i + 1);
  }
  return Uint32Array.from(starts);
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}
