/** Reactive state: `has` in a component or hook is a cell of React. */
import type * as ast from '../1-parse/ast.ts';
import { isRefCell, setterOf } from '../2-resolve/components.ts';
import type { LocalBinding, ScopeNode } from '../2-resolve/names.ts';
import { unmarked } from '../5-emit/printer.ts';
import { type Cx, hook, line, mark } from './cx.ts';
import { apart, expr } from './expressions.ts';
import { identifier } from './identifier.ts';
import { kindOf } from './kinds.ts';
import { noteHook } from './refresh.ts';

/** Tells which variables of a function are cells, before anything of it is written. */
export function noteState(c: Cx, node: ScopeNode, cells: ReadonlySet<ast.HasItem>): void {
  const { locals } = c.u.names.scope(node);
  for (const item of cells) {
    const cell = locals.get(item.name.text);
    if (cell === undefined || isRefCell(item)) continue;
    c.u.setters.set(cell, setterName(item.name.text, locals));
  }
}

/** `setCount` of `count`. A function of the program with that name wins, and the setter gets another. */
function setterName(name: string, locals: ReadonlyMap<string, LocalBinding>): string {
  const setter = setterOf(name);
  const own = locals.get(setter);
  return own === undefined || own.role === 'local' ? setter : `${setter}$`;
}

export function declareState(c: Cx, s: ast.HasDecl): string {
  return s.items.map((item) => declareCell(c, item)).join('');
}

function declareCell(c: Cx, item: ast.HasItem): string {
  const name = identifier(item.name.text);
  const at = mark(c, item, item.name.text);
  if (isRefCell(item)) {
    noteHook(c, { key: 'useRef' });
    return line(c, `${at}const ${name} = ${hook(c.u, 'useRef')}(${refValue(c, item)});`);
  }
  const binding = c.u.names.binding(item.name);
  const setter = (binding.sort === 'local' ? c.u.setters.get(binding) : undefined) ?? `set${name}`;
  const first = initial(c, item.value);
  noteHook(c, { key: `useState ${name} ${unmarked(first)}` });
  return line(c, `${at}const [${name}, ${setter}] = ${hook(c.u, 'useState')}(${first});`);
}

/** Only literals are cheap enough to be made at each render. */
function initial(c: Cx, value: ast.Expression | undefined): string {
  if (value === undefined) return 'null';
  const written = apart(c, value);
  if (isLiteral(value) || isPlainName(c, value)) return written;
  return `() => ${written.startsWith('{') ? `(${written})` : written}`;
}

/** A variable whose value is no function for certain: React would call one. */
function isPlainName(c: Cx, e: ast.Expression): boolean {
  return e.kind === 'NameRef' && ['number', 'str', 'bool', 'list', 'dict', 'set'].includes(kindOf(c, e));
}

function isLiteral(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
      return true;
    case 'ListExpr':
      return e.items.every(isLiteral);
    case 'DictExpr':
      return e.entries.every(
        ({ key, value }) => (key === undefined || key.kind === 'StringLiteral') && isLiteral(value),
      );
    case 'Unary':
      return isLiteral(e.operand);
    default:
      return false;
  }
}

function refValue(c: Cx, { value }: ast.HasItem): string {
  if (value?.kind !== 'Call') return value === undefined ? 'null' : expr(c, value);
  const [first] = value.args;
  return first === undefined ? 'null' : expr(c, first.value);
}
