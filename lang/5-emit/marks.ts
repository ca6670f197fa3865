/** Code for stories: a module that is compiled for them says which statement runs (`core/story/mark.ts`), where something may come of it that is told. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { type Cx, line, type Unit } from './context.ts';
import { placeOf } from './function-spec.ts';
import { quote } from './identifiers.ts';

/** Head of a module that says it. */
export function markHead(u: Unit): string {
  if (u.options.marks !== true) return '';
  return '\nconst $at = (globalThis[Symbol.for("svc.at")] ??= { place: undefined });';
}

/** The line in front of a statement; nothing where no stories are kept. */
export function markLine(c: Cx, s: ast.Statement): string {
  if (c.u.options.marks !== true || !containsNode(s, (node) => telling.has(node.kind))) return '';
  return line(c, `$at.place = ${quote(placeOf(c, s))};`);
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
