/** `del` in all its forms (language.md 3.9). */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, line, mark, temp } from './context.ts';
import { awaitIfPromise, bounds, expr, inOrder } from './expressions.ts';
import { quote } from './identifiers.ts';
import { mainTypeOf, typeOf } from './kinds.ts';
import { nameValue } from './names.ts';

export function deleteStatement(c: Cx, s: ast.DeleteStatement): string {
  const wait = (code: string) => (c.isAsync && c.u.types.waits(s) ? awaitIfPromise(c, code) : code);
  return s.targets.map((target) => deleteTarget(c, s, target, wait)).join('');
}

function deleteTarget(c: Cx, s: ast.DeleteStatement, target: ast.Expression, wait: (code: string) => string): string {
  const at = mark(c, s);
  switch (target.kind) {
    case 'NameRef': {
      // Only variables can be unbound; declarations and imports stay, and a name without a meaning raises.
      if (!isVariable(c, target)) return line(c, `${at}${nameValue(c, target)};`);
      const code = nameValue(c, target, true);
      const destroy = canBeGraph(c, target) ? `${at}${wait(`$.destroy(${nameValue(c, target)})`)}; ` : '';
      return line(c, `${destroy}${destroy === '' ? at : ''}${code} = undefined;`);
    }
    case 'Attribute':
      return line(c, `${at}$.delattr(${expr(c, target.object)}, ${quote(target.name.text)});`);
    case 'Index': {
      if (target.index.kind === 'Slice') {
        return line(c, `${at}$.delslice(${expr(c, target.object)}, ${bounds(c, target.index)});`);
      }
      const { before, codes } = inOrder(c, [target.object, target.index]);
      const [object, key] = codes as [string, string];
      const head = before === '' ? '' : `${before.slice(0, -2)}; `;
      if (!mayHoldGraph(c, target)) return line(c, `${at}${head}$.delitem(${object}, ${key});`);
      const t = temp(c);
      const find = `${t} = $.optitem(${object}, ${key}); if ($.isGraphObject(${t})) ${wait(`$.destroy(${t})`)};`;
      return line(c, `${at}${head}${find} $.delitem(${object}, ${key});`);
    }
    case 'TupleExpr':
    case 'ListExpr':
      return target.items.map((item) => deleteTarget(c, s, item, wait)).join('');
    default:
      return line(c, `${at}${wait(`$.destroy(${expr(c, target)})`)};`);
  }
}

function isVariable(c: Cx, e: ast.NameRef): boolean {
  const binding = c.u.names.binding(e);
  if (binding.sort === 'local') return binding.role !== 'type';
  return binding.sort === 'module' && (binding.role === 'glob' || binding.role === 'entry');
}

const never = new Set([
  'int',
  'float',
  'str',
  'bool',
  'bytes',
  'dict',
  'set',
  'frozenset',
  'range',
  'function',
  'builtin',
  'class',
  'module',
  'none',
]);

function canBeGraph(c: Cx, e: ast.Expression): boolean {
  const type = typeOf(c, e);
  if (never.has(type.t)) return false;
  return !(type.t === 'list' && never.has(type.of.t));
}

// `del xs[i]` deletes a graph object at that place as well (D-24).
function mayHoldGraph(c: Cx, e: ast.Index): boolean {
  const type = mainTypeOf(c, e.object);
  if (type.t === 'list') return !never.has(type.of.t);
  if (type.t === 'dict') return !never.has(type.value.t);
  return type.t === 'any' || type.t === 'tuple';
}
