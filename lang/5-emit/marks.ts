/** Code for stories: a module that is compiled for them says which statement runs (`handlers/http/stories/mark.ts`), where something may come of it that is told. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { type Cx, line, type Unit } from './context.ts';
import { quote } from './identifiers.ts';

/** Head of a module that says it. */
export function markHead(u: Unit): string {
  if (u.options.marks !== true) return '';
  return '\nconst $at = (globalThis[Symbol.for("svc.at")] ??= { place: undefined });';
}

/** The line in front of a statement; nothing where no stories are kept. */
export function markLine(c: Cx, s: ast.Statement): string {
  if (c.u.options.marks !== true || !containsNode(s, (node) => telling.has(node.kind))) return '';
  const { path, line: row, column } = c.u.position(c.u.file, s.start);
  return line(c, `$at.place = ${quote(`${path}:${row}:${column}`)};`);
}

/** Kinds of code that read or change objects, follow edges, report, or call what does. */
const telling: ReadonlySet<string> = new Set<ast.Node['kind']>([
  'Attribute',
  'Call',
  'DeleteStatement',
  'EdgeRef',
  'ReportStatement',
  'VisitStatement',
]);
