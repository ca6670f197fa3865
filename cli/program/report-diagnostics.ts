import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, Mode } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { FormatOptions } from '../../lang/format-diagnostics.ts';
import type { Source } from '../../lang/source.ts';
import { hasColour, type Terminal } from '../terminal.ts';
import { shownPath } from './compile-app.ts';

export interface ReportOptions {
  readonly terminal: Terminal;
  readonly stream: 'out' | 'err';
  readonly projectDir: string;
  /** Greatest number of diagnostics printed, and the way to see the others. */
  readonly shown?: FormatOptions['shown'];
  readonly json?: boolean;
}

/** Prints diagnostics with their frames, or as one JSON object each (docs/language/diagnostics.md#format). */
export async function reportDiagnostics(diagnostics: readonly Diagnostic[], options: ReportOptions): Promise<void> {
  if (diagnostics.length === 0) return;
  const { formatDiagnostics, jsonDiagnostic } = await import('../../lang/format-diagnostics.ts');
  const { terminal, stream, projectDir } = options;
  const print = stream === 'out' ? terminal.out : terminal.err;
  // Output for programs ends as docs/language/diagnostics.md#format says.
  const isTerminal = stream === 'out' ? terminal.isOutTerminal : terminal.isErrTerminal;
  const format = {
    sourceOf: sourcesOf(projectDir),
    showPath: (path: string) => shownPath(projectDir, terminal.cwd, path),
    colour: hasColour(terminal, stream),
    ...(isTerminal ? { more: `svc explain ${firstCode(diagnostics)} says more about a code` } : {}),
    ...(options.shown === undefined ? {} : { shown: options.shown }),
  };
  if (options.json)
    for (const diagnostic of diagnostics) print(`${JSON.stringify(jsonDiagnostic(diagnostic, format))}\n`);
  else print(`${formatDiagnostics(diagnostics, format)}\n`);
}

/**
 * Selects the diagnostics that `svc run` and `svc start` print: errors that keep the program from running; else the
 * errors of a check, as warnings, since existing programs contain many of them and must run
 * (docs/language/diagnostics.md#principles).
 */
export function forRunning(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.some(({ blocking }) => blocking)) return errors.filter(({ blocking }) => blocking);
  return errors.map(asWarning);
}

function asWarning(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? { ...diagnostic, severity: 'warning' } : diagnostic;
}

/** Gives the code of the first error, or of the first diagnostic where there is no error. */
function firstCode(diagnostics: readonly Diagnostic[]): string {
  return (diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0])!.code;
}

/** Gives the settings of `[check]` that a start goes by; undefined outside of development. */
export function checksAtStart({ mode, check }: Config): Config['check'] | undefined {
  return mode === 'development' ? check : undefined;
}

/**
 * Selects the diagnostics that `svc start` prints in development: errors that keep the program from running; else
 * everything `svc check` would say, errors as warnings (docs/language/diagnostics.md#principles, decisions/0431).
 */
export function forStarting(diagnostics: readonly Diagnostic[], mode: Mode): readonly Diagnostic[] {
  if (mode !== 'development' || diagnostics.some(({ blocking }) => blocking)) return forRunning(diagnostics);
  return diagnostics.map(asWarning);
}

/** A start goes on, so it leaves most of the screen to what comes next. */
export const shownAtStart: FormatOptions['shown'] = { most: 10, others: 'svc check shows them', distinct: true };

/** Source files by the path diagnostics give them, read when asked for. */
export function sourcesOf(projectDir: string): (path: string) => Source | undefined {
  const sources = new Map<string, Source | undefined>();
  return (path) => {
    if (!sources.has(path)) sources.set(path, readSource(projectDir, path));
    return sources.get(path);
  };
}

function readSource(projectDir: string, path: string): Source | undefined {
  try {
    return { path, text: readFileSync(resolve(projectDir, path), 'utf8') };
  } catch {
    return undefined;
  }
}
