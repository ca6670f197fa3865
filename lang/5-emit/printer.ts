/**
 * Generated text carries its own source positions: a mark is a control character that no generated code contains (string literals are
 * escaped), a position in base 36, and a second control character. Emitters therefore compose plain strings in any order; `print`
 * takes the marks out again and gives the source map (docs/language/generated-code.md#contracts).
 */
import { lineAt, lineStarts, type Source } from '../source.ts';
import type { DebugTables } from './debug-tables.ts';
import { createMappings, type Mappings } from './mappings.ts';

export interface SourceMap {
  readonly version: 3;
  readonly file: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
  /** Statements and functions, of a module that a debugger runs. */
  readonly x_svc_debug?: DebugTables;
}

const open = '\x01';
const close = '\x02';

/** A mark for offset `start` of file number `file`, to be put directly in front of the code it describes. */
export function markAt(file: number, start: number, name?: string): string {
  const position = file === 0 ? start.toString(36) : `${start.toString(36)},${file.toString(36)}`;
  return name === undefined || name === '' ? open + position + close : `${open}${position};${name}${close}`;
}

/** A piece of code without its marks. */
export function unmarked(code: string): string {
  return code.replace(/\x01[^\x02]*\x02/g, '');
}

/** Takes the marks out of a text that comes in parts. `sources`: the module itself first, then its annexes. */
export function print(
  parts: readonly string[],
  file: string,
  sources: readonly Source[],
): { code: string; map: SourceMap } {
  const printer: Printer = {
    sources,
    starts: sources.map(lineStarts),
    lines: sources.map(() => 0),
    names: new Map(),
    mappings: createMappings(),
    column: 0,
  };
  const code = parts.map((part) => printPart(printer, part)).join('');
  const map: SourceMap = {
    version: 3,
    file,
    sources: sources.map((source) => source.path),
    sourcesContent: sources.map((source) => source.text),
    names: [...printer.names.keys()],
    mappings: printer.mappings.text(),
  };
  return { code, map };
}

interface Printer {
  readonly sources: readonly Source[];
  readonly starts: readonly Uint32Array[];
  /** Line of each source that was asked for last: the next one is mostly near. */
  readonly lines: number[];
  readonly names: Map<string, number>;
  readonly mappings: Mappings;
  /** Length of the line so far. */
  column: number;
}

function printPart(p: Printer, text: string): string {
  let code = '';
  let at = 0;
  let newline = text.indexOf('\n');
  for (let mark = text.indexOf(open); ; mark = text.indexOf(open, at)) {
    const end = mark < 0 ? text.length : mark;
    let lineStart = at;
    for (; newline >= 0 && newline < end; newline = text.indexOf('\n', newline + 1)) {
      lineStart = newline + 1;
      p.column = 0;
      p.mappings.nextLine();
    }
    p.column += end - lineStart;
    code += text.slice(at, end);
    if (mark < 0) return code;
    at = addSegment(p, text, mark + 1);
  }
}

const [comma, semicolon, last] = [44, 59, 2];

// Reads the mark whose content begins at `at`; gives the place behind it.
function addSegment(p: Printer, text: string, at: number): number {
  let offset = 0;
  let file = 0;
  let code = text.charCodeAt(at);
  for (; code !== comma && code !== semicolon && code !== last; code = text.charCodeAt(++at))
    offset = offset * 36 + digit(code);
  if (code === comma) {
    for (code = text.charCodeAt(++at); code !== semicolon && code !== last; code = text.charCodeAt(++at))
      file = file * 36 + digit(code);
  }
  let name = -1;
  if (code === semicolon) {
    const end = text.indexOf(close, at);
    name = nameIndex(p.names, text.slice(at + 1, end));
    at = end;
  }
  const starts = p.starts[file];
  if (starts !== undefined) {
    const row = rowOf(p, file, starts, offset);
    p.mappings.add(p.column, file, row, offset - starts[row]!, name);
  }
  return at + 1;
}

function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

function nameIndex(names: Map<string, number>, name: string): number {
  let index = names.get(name);
  if (index === undefined) names.set(name, (index = names.size));
  return index;
}

// Counted from 0.
function rowOf(p: Printer, file: number, starts: Uint32Array, offset: number): number {
  let row = p.lines[file]!;
  for (let steps = 0; steps < 8 && starts[row]! <= offset; steps += 1, row += 1) {
    if (row + 1 === starts.length || starts[row + 1]! > offset) return (p.lines[file] = row);
  }
  return (p.lines[file] = lineAt(p.sources[file]!, offset) - 1);
}
