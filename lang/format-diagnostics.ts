import { sourceFrame } from '../base/source-frame.ts';
import type { Diagnostic, Severity } from './diagnostics.ts';
import { lineText, positionAt, type Source } from './source.ts';

export interface FormatOptions {
  /** Text for the frames; without it a diagnostic is printed without frame and position. */
  readonly sourceOf: (path: string) => Source | undefined;
  /** Path as shown, relative to the working directory. Left out: as it is. */
  readonly showPath?: (path: string) => string;
  readonly colour?: boolean;
  /**
   * Number of findings printed, and the option that shows the others; left out: 50, and `--all`. `distinct`: of warnings
   * and notes that say the same of several places, the first is printed.
   */
  readonly shown?: { readonly most: number; readonly others: string; readonly distinct?: boolean };
  /** A line before the summary: where to read more. */
  readonly more?: string;
}

/**
 * One object per diagnostic as `--json` prints it (docs/language/diagnostics.md#format). Lines and columns count from
 * 1, the end is exclusive.
 */
export interface JsonDiagnostic {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly endLine: number;
  readonly endCol: number;
  readonly help: string | null;
  readonly related: readonly {
    readonly message: string;
    readonly file: string;
    readonly line: number;
    readonly col: number;
  }[];
}

const firstOnes: NonNullable<FormatOptions['shown']> = { most: 50, others: 'print them with --all' };

/**
 * Diagnostics in order, each with its code frame (docs/language/diagnostics.md#format), and a summary line. Not more
 * than `shown` says are printed, then how many are not. Nothing for an empty list. Ends without a line end.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  if (diagnostics.length === 0) return '';
  const { most, others, distinct } = options.shown ?? firstOnes;
  const shown = (distinct === true ? withoutRepeats(diagnostics) : diagnostics).slice(0, most);
  const parts = shown.map((diagnostic) => formatDiagnostic(diagnostic, options));
  const hidden = diagnostics.length - shown.length;
  if (hidden > 0) parts.push(`… and ${hidden} more (${others})`);
  parts.push(`${options.more === undefined ? '' : `${options.more}\n`}${summaryLine(diagnostics)}`);
  return parts.join('\n\n');
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ severity, message }) => {
    if (severity === 'error') return true;
    const isNew = !said.has(message);
    said.add(message);
    return isNew;
  });
}

/** `3 errors, 1 warning` */
function summaryLine(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const words = [
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('note'), 'note'),
  ];
  return words.filter((word) => word !== undefined).join(', ');
}

/** One diagnostic: headline, place, frame, help and notes. */
export function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions): string {
  const paint = options.colour === true ? painted : plain;
  const { severity, code, message } = diagnostic;
  const head = `${paint[severity](`${severity}[${code}]`)}${paint.strong(`: ${message}`)}`;
  const source = options.sourceOf(diagnostic.path);
  const path = showPath(diagnostic.path, options);
  const frame =
    source === undefined ? [` ${paint.edge('-->')} ${path}`] : placeAndFrame(source, diagnostic, path, paint);
  const gutter = ' '.repeat(source === undefined ? 1 : frameGutter(source, diagnostic));
  const notes: string[] = [];
  if (diagnostic.help !== undefined) notes.push(`${gutter} ${paint.edge('=')} help: ${diagnostic.help}`);
  for (const related of diagnostic.related ?? []) {
    notes.push(`${gutter} ${paint.edge('=')} note: ${related.message} (${relatedPlace(related, options)})`);
  }
  return [head, ...frame, ...notes].join('\n');
}

/**
 * Frame alone, from the empty edge line before the first source line to the one after the last: also what a run-time error shows
 * (docs/language/builtins.md#exceptions).
 */
export function codeFrame(
  source: Source,
  span: { readonly start: number; readonly end: number },
  colour = false,
): string {
  return frameLines(source, span, 'error', colour ? painted : plain).join('\n');
}

/** The object `--json` prints for a diagnostic. */
export function jsonDiagnostic(diagnostic: Diagnostic, options: Omit<FormatOptions, 'colour' | 'all'>): JsonDiagnostic {
  const source = options.sourceOf(diagnostic.path);
  const start = source === undefined ? noPlace : positionAt(source, diagnostic.start);
  const end = source === undefined ? noPlace : positionAt(source, diagnostic.end);
  return {
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    file: showPath(diagnostic.path, options),
    line: start.line,
    col: start.column,
    endLine: end.line,
    endCol: end.column,
    help: diagnostic.help ?? null,
    related: (diagnostic.related ?? []).map((related) => {
      const at = options.sourceOf(related.path);
      const place = at === undefined ? noPlace : positionAt(at, related.start);
      return { message: related.message, file: showPath(related.path, options), line: place.line, col: place.column };
    }),
  };
}

const noPlace = { line: 0, column: 0 };

type Paint = Record<Severity | 'strong' | 'edge', (text: string) => string>;

const asIs = (text: string) => text;
const escape = (code: string) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain: Paint = { error: asIs, warning: asIs, note: asIs, strong: asIs, edge: asIs };
const painted: Paint = {
  error: escape('1;31'),
  warning: escape('1;33'),
  note: escape('1;36'),
  strong: escape('1'),
  edge: escape('1;34'),
};

function placeAndFrame(source: Source, diagnostic: Diagnostic, path: string, paint: Paint): string[] {
  const { line, column } = positionAt(source, diagnostic.start);
  const gutter = ' '.repeat(frameGutter(source, diagnostic));
  return [
    `${gutter}${paint.edge('-->')} ${path}:${line}:${column}`,
    ...frameLines(source, diagnostic, diagnostic.severity, paint),
  ];
}

function frameLines(
  source: Source,
  span: { readonly start: number; readonly end: number },
  severity: Severity,
  paint: Paint,
): string[] {
  const from = positionAt(source, span.start);
  const to = positionAt(source, span.end);
  const width = frameGutter(source, span);
  const edge = paint.edge(`${' '.repeat(width)} |`);
  const first = Math.max(1, from.line - 1);
  const last = Math.max(from.line, Math.min(from.line + 1, lastLine(source)));
  const texts = Array.from({ length: last - first + 1 }, (_, i) => lineText(source, first + i));
  const end = to.line > from.line ? Number.POSITIVE_INFINITY : to.column - 1;
  const frame = sourceFrame(texts, { line: from.line - first, from: from.column - 1, to: end });
  const lines = frame.lines.flatMap((text, i) => [
    `${paint.edge(`${String(first + i).padStart(width)} |`)}${text === '' ? '' : ` ${text}`}`,
    ...(first + i === from.line ? [`${edge} ${frame.indent}${paint[severity](frame.carets)}`] : []),
  ]);
  return [edge, ...lines, edge];
}

/** Digits of the largest line number in the frame: the width of its left column. */
export function frameGutter(source: Source, span: { readonly start: number }): number {
  const { line } = positionAt(source, span.start);
  return String(Math.min(line + 1, lastLine(source))).length;
}

/** An empty line after the last line end is none to show. */
function lastLine(source: Source): number {
  const { line, column } = positionAt(source, source.text.length);
  return line > 1 && column === 1 ? line - 1 : line;
}

function showPath(path: string, options: Omit<FormatOptions, 'colour' | 'all'>): string {
  return options.showPath?.(path) ?? path;
}

function relatedPlace(related: { readonly path: string; readonly start: number }, options: FormatOptions): string {
  const source = options.sourceOf(related.path);
  if (source === undefined) return showPath(related.path, options);
  const { line, column } = positionAt(source, related.start);
  return `${showPath(related.path, options)}:${line}:${column}`;
}

function counted(count: number, word: string): string | undefined {
  return count === 0 ? undefined : `${count} ${word}${count === 1 ? '' : 's'}`;
}
