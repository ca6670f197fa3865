/**
 * Kinds of values as far as the types prove them: where the operator of JavaScript does what the language means, it is written as it is
 * (client reference, operators). Annotations count: a value that breaks one behaves as it does in JavaScript.
 */
import type * as ast from '../1-parse/ast.ts';
import { isEnumClass } from '../2-resolve/enum-classes.ts';
import type { Type } from '../3-infer/types.ts';
import type { Cx } from './cx.ts';

export type Kind =
  | 'number'
  | 'str'
  | 'bool'
  | 'list'
  | 'dict'
  | 'set'
  | 'none'
  | 'function'
  | 'element'
  | 'object'
  /** A member of an enum, which may equal a plain value. */
  | 'member'
  | 'unknown';

export function kindOf(c: Cx, e: ast.Expression): Kind {
  switch (e.kind) {
    case 'NumberLiteral':
      return 'number';
    case 'StringLiteral':
      return e.bytes ? 'unknown' : 'str';
    case 'Joined':
      return 'str';
    case 'Constant':
      return e.value === null ? 'none' : e.value === 'ellipsis' ? 'unknown' : 'bool';
    case 'NameRef':
      return (
        (c.u.names.binding(e).sort === 'unresolved' ? scriptWords[e.name] : undefined) ?? kindOfType(c.u.types.of(e))
      );
    case 'Lambda':
    case 'FunctionExpr':
      return 'function';
    case 'Markup':
      return 'element';
    case 'ListExpr':
    case 'TupleExpr':
      return 'list';
    case 'DictExpr':
      return 'dict';
    case 'Compare':
      return 'bool';
    case 'Unary':
      return e.op === 'not' ? 'bool' : kindOf(c, e.operand);
    case 'Await':
    case 'Spawn':
      return 'unknown';
    case 'Call': {
      const { callee } = e;
      if (callee.kind === 'NameRef' && c.u.names.binding(callee).sort === 'builtin')
        return builtinKinds[callee.name] ?? kindOfType(c.u.types.of(e));
      const known = kindOfType(c.u.types.of(e));
      if (known === 'unknown' && isOfStandardClass(c, callee)) return 'object';
      return known === 'unknown' ? scriptKind(c, callee) : known;
    }
    case 'Attribute': {
      const known = kindOfType(c.u.types.of(e));
      return known === 'unknown' && e.name.text === 'length' ? 'number' : known;
    }
    default:
      return kindOfType(c.u.types.of(e));
  }
}

/** `timedelta(days=1)` */
function isOfStandardClass(c: Cx, callee: ast.Expression): boolean {
  const binding = callee.kind === 'NameRef' ? c.u.names.binding(callee) : undefined;
  const target = binding?.sort === 'module' || binding?.sort === 'local' ? binding.import : undefined;
  return target?.of === 'builtin' && target.module === 'datetime' && target.member !== undefined;
}

/** Kinds of the results of JavaScript's functions: `Object.keys`, `Math.floor`, `text.trim()`, `items.filter(…)`. */
function scriptKind(c: Cx, callee: ast.Expression): Kind {
  if (callee.kind === 'NameRef')
    return c.u.names.binding(callee).sort === 'unresolved' ? (globalKinds[callee.name] ?? 'unknown') : 'unknown';
  if (callee.kind !== 'Attribute' || callee.safe) return 'unknown';
  const { object, name } = callee;
  if (object.kind === 'NameRef' && c.u.names.binding(object).sort === 'unresolved') {
    if (object.name === 'Math') return 'number';
    const found = globalKinds[`${object.name}.${name.text}`];
    if (found !== undefined) return found;
  }
  if (textMembers.has(name.text)) return 'str';
  if (kindOf(c, object) === 'list' && listMembers.has(name.text)) return 'list';
  return 'unknown';
}

const globalKinds: Readonly<Record<string, Kind>> = {
  String: 'str',
  Number: 'number',
  Boolean: 'bool',
  parseInt: 'number',
  parseFloat: 'number',
  isNaN: 'bool',
  'Object.keys': 'list',
  'Object.values': 'list',
  'Object.entries': 'list',
  'Object.fromEntries': 'dict',
  'Array.from': 'list',
  'Array.isArray': 'bool',
  'JSON.stringify': 'str',
  'Date.now': 'number',
};

/** Members that only texts have, or that give a text wherever they are. */
const textMembers: ReadonlySet<string> = new Set(
  'trim trimStart trimEnd toLowerCase toUpperCase toFixed toString toISOString toLocaleString toLocaleDateString toLocaleTimeString padStart padEnd substring charAt'.split(
    ' ',
  ),
);

const listMembers: ReadonlySet<string> = new Set('map filter slice concat flat flatMap toSorted toReversed'.split(' '));

const scriptWords: Readonly<Record<string, Kind>> = { true: 'bool', false: 'bool', null: 'none', undefined: 'none' };

const builtinKinds: Readonly<Record<string, Kind>> = {
  len: 'number',
  str: 'str',
  repr: 'str',
  int: 'number',
  float: 'number',
  round: 'number',
  abs: 'number',
  ord: 'number',
  chr: 'str',
  bool: 'bool',
  isinstance: 'bool',
  callable: 'bool',
  hasattr: 'bool',
  any: 'bool',
  all: 'bool',
  list: 'list',
  sorted: 'list',
  range: 'list',
  enumerate: 'list',
  zip: 'list',
  reversed: 'list',
  map: 'list',
  filter: 'list',
  dict: 'dict',
  set: 'set',
};

function kindOfType(type: Type): Kind {
  switch (type.t) {
    case 'int':
    case 'float':
      return 'number';
    case 'str':
    case 'bool':
    case 'list':
    case 'dict':
    case 'none':
    case 'function':
      return type.t;
    case 'set':
    case 'frozenset':
      return 'set';
    case 'tuple':
      return 'list';
    case 'instance':
      return elementTypes.has(type.cls.name)
        ? 'element'
        : type.cls.kind === 'enum' || isEnumClass(type.cls.decl)
          ? 'member'
          : 'object';
    case 'union': {
      const [first, ...rest] = type.of.map(kindOfType);
      return first !== undefined && rest.every((kind) => kind === first) ? first : 'unknown';
    }
    default:
      return 'unknown';
  }
}

const elementTypes: ReadonlySet<string> = new Set(['JsxElement', 'JsxPage', 'JsxLayout']);

/** Does `if (x)` ask what the language asks? Empty lists and dicts are false there, and true in JavaScript. */
export function isTruthNative(kind: Kind): boolean {
  return !mayBeFalse.has(kind);
}

const mayBeFalse: ReadonlySet<Kind> = new Set(['unknown', 'member', 'list', 'dict', 'set', 'object']);

/** May the value be an object whose class says itself what `a - b` means? */
export function mayHaveOperators(c: Cx, kind: Kind): boolean {
  return kind === 'object' || (kind === 'unknown' && c.u.link.plan.hasOperators);
}

/** May the value be an object whose class says itself what `o[k]` means? */
export function mayHaveItems(c: Cx, kind: Kind): boolean {
  return c.u.link.plan.hasItems && (kind === 'object' || kind === 'unknown');
}
