/** `del` in all its forms (docs/language/statements.md#del). */
import type * as ast from '../1-parse/ast.ts';
import type { Binding } from '../2-resolve/names.ts';
import type { Type } from '../3-infer/types.ts';
import { type Cx, line, mark } from './context.ts';
import { awaitIfPromise, bounds, expr, runtime } from './expressions.ts';
import { quote } from './identifiers.ts';
import { mainTypeOf, typeOf } from './kinds.ts';
import { nameValue } from './names.ts';

export function deleteStatement(c: Cx, s: ast.DeleteStatement): string {
  const wait = (code: string) => (c.isAsync && c.u.types.waits(s) ? awaitIfPromise(c, code) : code);
  return s.targets.map((target) => deleteTarget(c, s, target, wait)).join('');
}

function deleteTarget(c: Cx, s: ast.DeleteStatement, target: ast.Expression, wait: (code: string) => string): string {
  const at = mark(c, s);
  const rt = runtime(c, s);
  const taken = (act: string, place: string) => {
    const code = wait(`${rt}.${act}(${place})`);
    return act.startsWith('take') ? wait(`$.destroy(${code})`) : code;
  };
  switch (target.kind) {
    case 'NameRef': {
      const binding = c.u.names.binding(target);
      // Deletion of a name that is no variable of the program raises.
      if (binding.sort === 'builtin') return line(c, `${at}$.undefinedName(${quote(target.name)});`);
      if (!isVariable(binding)) return line(c, `${at}${nameValue(c, target)};`);
      if (binding.sort === 'local' && binding.scope.kind === 'class')
        return line(c, `${at}$.delattr(${c.cls?.code}, ${quote(target.name)});`);
      const code = nameValue(c, target, true);
      const destroy = mayHoldGraph(typeOf(c, target)) ? `${at}${wait(`$.destroy(${nameValue(c, target)})`)}; ` : '';
      return line(c, `${destroy}${destroy === '' ? at : ''}${code} = undefined;`);
    }
    case 'Attribute': {
      const main = mainTypeOf(c, target.object);
      const isProperty = main.t === 'instance' && main.cls.fields.get(target.name.text)?.property;
      const place = `${expr(c, target.object)}, ${quote(target.name.text)}`;
      const act = isProperty || !mayHoldGraph(typeOf(c, target)) ? 'delattr' : 'takeattr';
      return line(c, `${at}${taken(act, place)};`);
    }
    case 'Index': {
      const holds = mayHoldGraph(heldBy(mainTypeOf(c, target.object)));
      const { index } = target;
      const place = `${expr(c, target.object)}, ${index.kind === 'Slice' ? bounds(c, index) : expr(c, index)}`;
      const act = `${holds ? 'take' : 'del'}${index.kind === 'Slice' ? 'slice' : 'item'}`;
      return line(c, `${at}${taken(act, place)};`);
    }
    case 'TupleExpr':
    case 'ListExpr':
      return target.items.map((item) => deleteTarget(c, s, item, wait)).join('');
    default:
      return line(c, `${at}${wait(`$.destroy(${expr(c, target)})`)};`);
  }
}

function isVariable(binding: Binding): boolean {
  if (binding.sort === 'module') return binding.mayBeUnbound && binding.role !== 'alias';
  if (binding.sort !== 'local') return false;
  return binding.role !== 'type' || binding.decl?.kind === 'Archetype' || binding.decl?.kind === 'EnumDecl';
}

const never = new Set([
  'int',
  'float',
  'str',
  'bool',
  'bytes',
  'range',
  'function',
  'builtin',
  'class',
  'module',
  'none',
]);

// Tells whether a deleted value may be or hold nodes and edges: they are deleted along with it
// (docs/language/statements.md#del).
function mayHoldGraph(type: Type): boolean {
  switch (type.t) {
    case 'list':
    case 'set':
    case 'frozenset':
      return mayHoldGraph(type.of);
    case 'dict':
      return mayHoldGraph(type.value);
    case 'union':
      return type.of.some(mayHoldGraph);
    default:
      return !never.has(type.t);
  }
}

/** The type of what a subscript of such a value may give. */
function heldBy(type: Type): Type {
  if (type.t === 'list') return type.of;
  return type.t === 'dict' ? type.value : type;
}
