/** Imports at the head of a file in order: of the language, of npm, of the project; each sorted, without names that nobody uses. */
import type * as ast from '../1-parse/ast.ts';
import { textOf } from './symbols.ts';
import { elementsOf, type View } from './view.ts';

export interface TextEdit extends ast.Span {
  readonly text: string;
}

/** The edit that puts a run of imports in order, the first or the one around `at`; undefined when they are, or when a comment stands among them. */
export function organiseImports(view: View, at?: number): TextEdit | undefined {
  const isAround = ({ start, end }: ast.Node) => at !== undefined && start <= at && at <= end;
  const around = elementsOf(view).find(isAround);
  const elements = around?.kind === 'PlacedBlock' ? around.body : elementsOf(view);
  const found = elements.findIndex((node) => isImport(node) && (at === undefined || isAround(node)));
  if (found < 0) return undefined;
  let [first, last] = [found, found];
  while (first > 0 && isImport(elements[first - 1]!)) first--;
  while (last + 1 < elements.length && isImport(elements[last + 1]!)) last++;
  const imports = elements.slice(first, last + 1).filter(isImport);
  const [start, end] = [imports[0]!.start, imports.at(-1)!.end];
  const before = view.source.text.slice(start, end);
  if (/#/.test(before.replace(/"[^"]*"/g, '')) || imports.some(({ doc }) => doc !== undefined)) return undefined;
  const unused = unusedNames(view);
  const lines = imports.flatMap((node) => importLines(view, node, unused));
  const groups = [0, 1, 2].map((group) => [
    ...new Set(
      lines
        .filter((line) => line.group === group)
        .sort(compare)
        .map(({ text }) => text),
    ),
  ]);
  const indent = /[ \t]*$/.exec(view.source.text.slice(0, start))![0];
  const text = groups.flat().join('\n').replaceAll('\n', `\n${indent}`);
  return text === before ? undefined : { start, end, text };
}

interface Line {
  readonly group: number;
  readonly path: string;
  readonly text: string;
}

type ImportNode = ast.ImportFrom | ast.ImportModules | ast.Include;

function isImport(node: ast.Node): node is ImportNode {
  return node.kind === 'ImportFrom' || node.kind === 'ImportModules' || node.kind === 'Include';
}

/** Places of names that the rule for unused imports told. */
function unusedNames({ analysis, source }: View): ReadonlySet<number> {
  return new Set(
    analysis.diagnostics.filter(({ code, path }) => code === 'W0404' && path === source.path).map(({ start }) => start),
  );
}

function importLines(view: View, node: ImportNode, unused: ReadonlySet<number>): readonly Line[] {
  const marker = node.placement === undefined ? '' : `${node.placement} `;
  const whole = textOf(view, node);
  if (node.kind === 'Include') return [{ group: groupOf(view, node.path), path: textOf(view, node.path), text: whole }];
  if (node.kind === 'ImportModules') {
    const items = node.items.filter(({ alias, path }) => !unused.has((alias ?? path.segments[0])?.start ?? -1));
    if (items.length === 0) return [];
    if (node.items.length === 1)
      return [{ group: groupOf(view, items[0]!.path), path: textOf(view, items[0]!.path), text: whole }];
    return items.map((item) => ({
      group: groupOf(view, item.path),
      path: textOf(view, item.path),
      text: `${marker}import ${textOf(view, item)};`,
    }));
  }
  const items = node.items.filter(({ alias, name }) => !unused.has((alias ?? name)?.start ?? -1));
  if (items.length === 0 && node.items.length > 0) return [];
  const names = items.map((item) => textOf(view, item)).sort((a, b) => nameOrder(a, b));
  const path = textOf(view, node.path);
  const semicolon = view.source.text.charAt(node.end - 1) === ';' ? ';' : '';
  const type = node.typeOnly ? 'type ' : '';
  const line = `${marker}import ${type}from ${path} { ${names.join(', ')} }${semicolon}`;
  const isLong = line.length > 100;
  const text = isLong
    ? `${marker}import ${type}from ${path} {\n${names.map((name) => `    ${name}`).join(',\n')}\n}${semicolon}`
    : line;
  return [{ group: groupOf(view, node.path), path, text }];
}

function nameOrder(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : a < b ? -1 : 1;
}

function compare(a: Line, b: Line): number {
  return a.path === b.path ? 0 : a.path.replace(/"/g, '') < b.path.replace(/"/g, '') ? -1 : 1;
}

function groupOf({ module }: View, path: ast.ModulePath): number {
  const target = module.imports.get(path);
  if (target?.of === 'standard' || target?.of === 'nothing') return 0;
  if (target?.of === 'project' || path.level > 0 || /^\.|^\//.test(path.quoted?.value ?? '')) return 2;
  return target === undefined && path.quoted === undefined ? 2 : 1;
}
