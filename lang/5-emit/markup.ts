import type * as ast from '../1-parse/ast.ts';
import { type Cx, indented, line, mark, nested, standardModule, tempList, unique } from './context.ts';
import { expr } from './expressions.ts';
import { containsWait } from './functions.ts';
import { quote } from './identifiers.ts';
import { statement } from './statements.ts';

/** Markup on the server: a JsxElement of tag, properties and children (docs/language/expressions.md#markup). */
export function markup(c: Cx, e: ast.Markup): string {
  const tag = e.tag === undefined ? 'null' : typeof e.tag === 'string' ? quote(e.tag) : expr(c, e.tag);
  let props = '';
  let flat: string[] = [];
  const group = () => (flat.length === 0 ? 'new $.Dict()' : `$.Dict.of(${flat.join(', ')})`);
  for (const { name, value } of e.attributes) {
    if (name !== undefined)
      flat.push(quote(name === 'class' ? 'className' : name), value === undefined ? 'true' : expr(c, value));
    else if (value !== undefined) {
      props = `$.dictUpdate(${props === '' ? group() : flat.length > 0 ? `$.dictUpdate(${props}, ${group()})` : props}, ${expr(c, value)})`;
      flat = [];
    }
  }
  if (props === '') props = group();
  else if (flat.length > 0) props = `$.dictUpdate(${props}, ${group()})`;
  const children = e.children.flatMap((child) => {
    if (child.kind === 'MarkupText') return [quote(child.value)];
    if (child.kind === 'Markup') return [markup(c, child)];
    if (child.expr !== undefined) return [expr(c, child.expr)];
    return child.statements === undefined ? [] : [`...${slot(c, child.statements)}`];
  });
  return `${mark(c, e)}${standardModule(c.u, 'svclang.markup')}.jsxElement(${tag}, ${props}, [${children.join(', ')}])`;
}

/**
 * `{for x in xs { <li>{x}</li> }}`: statements that give children, in a function of their own which `skip` leaves
 * (docs/language/client.md#slots).
 */
function slot(c: Cx, list: readonly ast.Statement[]): string {
  const isAsync = c.isAsync && list.some((s) => containsWait(c, s));
  const out = unique(c.u, 's');
  const inner: Cx = { ...nested(c, isAsync, 'void', { scope: c.scope }), slot: out };
  const text = indented(inner, () => list.map((s) => statement(inner, s)).join(''));
  const temps = tempList(inner);
  const head = temps.length === 0 ? '' : `let ${temps.join(', ')};`;
  const code = `${standardModule(c.u, 'svclang.markup')}.slot(${isAsync ? 'async ' : ''}(${out}) => {${head}${text}${line(c, '})')}`;
  return isAsync ? `(await ${code})` : code;
}
