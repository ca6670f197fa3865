/**
 * Generated text carries its own source positions: a mark is a control character that no generated code contains (string literals are
 * escaped), a position in base 36, and a second control character. Emitters therefore compose plain strings in any order; `print`
 * takes the marks out again and gives the source map (language.md 8.5).
 */
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { lineAt, lineStarts, type Source } from '../source.ts';

export interface SourceMap {
  readonly version: 3;
  readonly file: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

const open = '\x01';
const close = '\x02';

/** A mark for offset `start` of file number `file`, to be put directly in front of the code it describes. */
export function markAt(file: number, start: number, name?: string): string {
  const position = file === 0 ? start.toString(36) : `${start.toString(36)},${file.toString(36)}`;
  return name === undefined ? open + position + close : `${open}${position};${name}${close}`;
}

/** Takes the marks out of `text`. `sources`: the module itself first, then its annexes. */
export function print(text: string, file: string, sources: readonly Source[]): { code: string; map: SourceMap } {
  const names = new Map<string, number>();
  const lines: SourceMapSegment[][] = [[]];
  let segments = lines[0]!;
  let lineStart = 0;
  let length = 0;
  let code = '';
  let at = 0;
  for (;;) {
    const mark = text.indexOf(open, at);
    const piece = mark < 0 ? text.slice(at) : text.slice(at, mark);
    let newline = piece.indexOf('\n');
    while (newline >= 0) {
      lineStart = length + newline + 1;
      segments = [];
      lines.push(segments);
      newline = piece.indexOf('\n', newline + 1);
    }
    code += piece;
    length += piece.length;
    if (mark < 0) break;
    const end = text.indexOf(close, mark);
    addSegment(segments, length - lineStart, text.slice(mark + 1, end), sources, names);
    at = end + 1;
  }
  const map: SourceMap = {
    version: 3,
    file,
    sources: sources.map((source) => source.path),
    sourcesContent: sources.map((source) => source.text),
    names: [...names.keys()],
    mappings: encode(lines),
  };
  return { code, map };
}

/** `text` without its marks. */
export function unmarked(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: marks are control characters
  return text.replace(/\x01[^\x02]*\x02/g, '');
}

function addSegment(
  segments: SourceMapSegment[],
  column: number,
  mark: string,
  sources: readonly Source[],
  names: Map<string, number>,
): void {
  const semicolon = mark.indexOf(';');
  const position = semicolon < 0 ? mark : mark.slice(0, semicolon);
  const comma = position.indexOf(',');
  const file = comma < 0 ? 0 : Number.parseInt(position.slice(comma + 1), 36);
  const offset = Number.parseInt(comma < 0 ? position : position.slice(0, comma), 36);
  const source = sources[file];
  if (source === undefined) return;
  const line = lineAt(source, offset) - 1;
  const segment: SourceMapSegment = [column, file, line, offset - lineStarts(source)[line]!];
  if (semicolon >= 0) {
    const name = mark.slice(semicolon + 1);
    let index = names.get(name);
    if (index === undefined) names.set(name, (index = names.size));
    segment.push(index);
  }
  const last = segments.at(-1);
  if (last !== undefined && last[0] === column) segments.pop();
  segments.push(segment);
}
