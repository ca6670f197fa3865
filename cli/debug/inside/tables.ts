import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DebugFunction, DebugStatement, DebugTables, LeftOut } from '../../../lang/5-emit/debug-tables.ts';
import type { GraphForm } from '../../program/compile-request.ts';
import type { Place } from '../protocol.ts';

/** A module of the program as its tables describe it. */
export interface DebuggedModule {
  readonly id: string;
  readonly tables: DebugTables;
  /** Paths from the project, by the number of a file. */
  readonly files: readonly string[];
  /** Form in which code for the program's store is compiled: `async` where that answers later. */
  readonly graph: GraphForm;
  /** Statements with something to look at are not 0. Looked at each time a statement runs. */
  readonly flags: Uint8Array;
}

/** Reads the tables of the modules of a compiled program. `.svc` modules that were not compiled for a debugger have none. */
export function readTables(directory: string, graph: GraphForm): Map<string, DebuggedModule> {
  const found = new Map<string, DebuggedModule>();
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.mjs.map')) continue;
    const { sources, x_svc_debug: tables } = JSON.parse(readFileSync(join(directory, path), 'utf8'));
    if (tables === undefined) continue;
    const id = path.slice(0, -'.mjs.map'.length).replaceAll('\\', '/').replaceAll('/', '.');
    found.set(id, { id, tables, files: sources, graph, flags: new Uint8Array(tables.statements.length) });
  }
  return found;
}

export function placeOf({ tables, files }: DebuggedModule, statement: number): Place {
  const { file, line, column } = tables.statements[statement]!;
  return { file: files[file]!, line, column };
}

export function functionOf({ tables }: DebuggedModule, statement: number): DebugFunction {
  return tables.functions[tables.statements[statement]!.fn]!;
}

export interface FoundStatement {
  readonly module: DebuggedModule;
  readonly number: number;
  readonly statement: DebugStatement;
}

/** The sort of the element that was left out of the program, for a line of a file in one. */
export function leftOutAt(modules: Iterable<DebuggedModule>, file: string, line: number): LeftOut['as'] | undefined {
  for (const { tables, files } of modules) {
    const found = tables.leftOut.find((one) => files[one.file] === file && one.first <= line && line <= one.last);
    if (found !== undefined) return found.as;
  }
  return undefined;
}

/** The statements of a file, in the order of their places. */
export function statementsOf(modules: Iterable<DebuggedModule>, file: string): FoundStatement[] {
  const found: FoundStatement[] = [];
  for (const module of modules)
    module.tables.statements.forEach((statement, number) => {
      if (module.files[statement.file] === file) found.push({ module, number, statement });
    });
  return found.sort((a, b) => a.statement.line - b.statement.line || a.statement.column - b.statement.column);
}

/**
 * The statements at which a breakpoint of a line stops: of each function the first one on the line, or on the next line that has any. With a
 * column the first statement from there on.
 */
export function statementsAt(
  modules: Iterable<DebuggedModule>,
  file: string,
  line: number,
  column?: number,
): readonly FoundStatement[] {
  const all = statementsOf(modules, file);
  const from = all.filter(
    ({ statement }) =>
      statement.line > line || (statement.line === line && (column === undefined || statement.column >= column)),
  );
  const [first] = from;
  if (first === undefined) return [];
  const same = from.filter(({ statement }) => statement.line === first.statement.line);
  if (column !== undefined) return [first];
  const functions = new Set<string>();
  return same.filter(({ module, statement }) => {
    const key = `${module.id}:${statement.fn}`;
    return functions.has(key) ? false : functions.add(key);
  });
}
