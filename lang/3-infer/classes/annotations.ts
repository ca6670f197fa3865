/** Types of annotations. They are hints: nothing here is `sure`. */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding, Scope } from '../../2-resolve/names.ts';
import type { ClassRecord, ModuleState, Program } from '../program.ts';
import type { Type } from '../types.ts';
import { classOfDecl, runtimeClass } from './classes.ts';
import { parseTypeText, type TypeTree } from './type-text.ts';
import { any, claimed, doubted, hinted, instanceOf, none, unionOf } from './type-values.ts';

interface Place {
  readonly program: Program;
  readonly state: ModuleState;
  /** The class whose body the annotation is in, for `Self`. */
  readonly owner: ClassRecord | undefined;
}

export function annotationType(
  program: Program,
  state: ModuleState,
  e: ast.Expression | undefined,
  owner?: ClassRecord | undefined,
): Type {
  if (e === undefined) return any;
  let type = state.annotations.get(e);
  if (type === undefined) {
    state.annotations.set(e, any); // an alias that names itself
    type = read({ program, state, owner }, e);
    state.annotations.set(e, type);
  }
  return type;
}

function read(place: Place, e: ast.Expression): Type {
  switch (e.kind) {
    case 'NameRef':
      return ofBinding(place, place.state.names.binding(e), []);
    case 'Constant':
      return e.value === null ? none : any;
    case 'SpecialRef':
      return e.word === 'root' ? rootInstance(place.program) : any;
    case 'Binary':
      return e.op === '|' ? unionOf(barred(e).map((part) => nested(place, part))) : any;
    case 'Index':
      return generic(place, e.object, e.index);
    case 'Attribute':
      return ofAttribute(place, e);
    case 'StringLiteral':
      return ofTree(place, parseTypeText(e.value), place.state.names.module);
    case 'Borrow':
      return nested(place, e.expr);
    default:
      return any;
  }
}

/** The members of `A | B | C`. */
function barred(e: ast.Expression): readonly ast.Expression[] {
  const parts: ast.Expression[] = [];
  let left = e;
  for (; left.kind === 'Binary' && left.op === '|'; left = left.left) parts.push(left.right);
  return [...parts, left].reverse();
}

function nested(place: Place, e: ast.Expression): Type {
  return annotationType(place.program, place.state, e, place.owner);
}

function generic(place: Place, object: ast.Expression, index: ast.Expression): Type {
  const args = index.kind === 'TupleExpr' ? index.items : [index];
  const name = genericName(place, object);
  if (name === 'Literal') return unionOf(args.map(literalType));
  if (name === undefined) return nested(place, object);
  return ofBuiltin(
    place,
    name,
    args.map((arg) => (arg.kind === 'Constant' && arg.value === 'ellipsis' ? 'ellipsis' : nested(place, arg))),
  );
}

/** `list` of `list[int]`, `Optional` of `typing.Optional[int]`; undefined for classes of the program. */
function genericName(place: Place, object: ast.Expression): string | undefined {
  if (object.kind === 'Attribute' && object.object.kind === 'NameRef') {
    const binding = place.state.names.binding(object.object);
    const isTyping = 'import' in binding && binding.import?.of === 'builtin';
    return isTyping ? object.name.text : undefined;
  }
  if (object.kind !== 'NameRef') return undefined;
  return builtinName(place, place.state.names.binding(object));
}

function builtinName(place: Place, binding: Binding): string | undefined {
  if (binding.sort === 'builtin') return binding.name;
  if (binding.sort === 'unresolved' || binding.import === undefined) return undefined;
  const origin = place.program.names.origin(binding.import);
  return origin?.of === 'builtin' || origin?.of === 'erased' ? origin.member : undefined;
}

function literalType(arg: ast.Expression): Type {
  switch (arg.kind) {
    case 'StringLiteral':
      return arg.bytes ? hinted.bytes : hinted.str;
    case 'NumberLiteral':
      return arg.float ? hinted.float : hinted.int;
    case 'Constant':
      return arg.value === null ? none : arg.value === 'ellipsis' ? any : hinted.bool;
    default:
      return any;
  }
}

function ofBinding(place: Place, binding: Binding, args: readonly Arg[]): Type {
  const { program, state } = place;
  const builtin = builtinName(place, binding);
  if (builtin !== undefined) return ofBuiltin(place, builtin, args);
  if ((binding.sort === 'local' || binding.sort === 'module') && binding.import?.of === 'js') {
    const { specifier, member } = binding.import;
    return member === undefined ? any : claimed(doubted(place.program.foreign.named(specifier, member)));
  }
  if (binding.sort === 'local') {
    if (binding.decl?.kind === 'TypeAlias') return nested(place, binding.decl.type);
    if (binding.decl?.kind === 'Archetype' || binding.decl?.kind === 'EnumDecl')
      return ofClass(place, state, binding.decl);
    if (binding.import?.of !== 'member') return any;
    const target = program.names.of(binding.import.module).bindings.get(binding.import.member);
    return target === undefined ? any : ofBinding(place, target, args);
  }
  if (binding.sort !== 'module') return any;
  const target = program.names.follow(binding);
  if (target === undefined) return any;
  const home = program.modules.get(target.module) ?? state;
  if (target.decl?.kind === 'Archetype' || target.decl?.kind === 'EnumDecl') return ofClass(place, home, target.decl);
  if (target.decl?.kind === 'TypeAlias') return annotationType(program, home, target.decl.type);
  return any;
}

function ofClass(place: Place, home: ModuleState, decl: ast.Archetype | ast.EnumDecl): Type {
  return instanceOf(classOfDecl(place.program, home, decl), false);
}

function ofAttribute(place: Place, e: ast.Attribute): Type {
  if (e.object.kind !== 'NameRef') return any;
  const binding = place.state.names.binding(e.object);
  if (binding.sort === 'builtin' || binding.sort === 'unresolved') return any;
  if (binding.import?.of === 'module') {
    const target = place.program.modules.get(binding.import.module)?.names.bindings.get(e.name.text);
    return target === undefined ? any : ofBinding(place, target, []);
  }
  return binding.import?.of === 'builtin' && /^(typing|builtins|collections)/.test(binding.import.module)
    ? ofBuiltin(place, e.name.text, [])
    : any;
}

type Arg = Type | 'ellipsis';

function ofBuiltin(place: Place, name: string, args: readonly Arg[]): Type {
  const at = (i: number): Type => {
    const arg = args[i];
    return arg === undefined || arg === 'ellipsis' ? any : arg;
  };
  switch (name) {
    case 'int':
    case 'float':
    case 'str':
    case 'bool':
    case 'bytes':
    case 'range':
      return hinted[name];
    case 'list':
    case 'List':
    case 'MutableSequence':
      return { t: 'list', of: at(0), sure: false };
    case 'set':
    case 'Set':
      return { t: 'set', of: at(0), sure: false };
    case 'frozenset':
    case 'FrozenSet':
      return { t: 'frozenset', of: at(0), sure: false };
    case 'dict':
    case 'Dict':
    case 'Mapping':
    case 'MutableMapping':
      return { t: 'dict', key: at(0), value: at(1), sure: false };
    case 'tuple':
    case 'Tuple': {
      if (args.length === 0 || args[1] === 'ellipsis') return { t: 'tuple', items: undefined, of: at(0), sure: false };
      const items = args.map((_, i) => at(i));
      return { t: 'tuple', items, of: unionOf(items), sure: false };
    }
    case 'Iterable':
    case 'Iterator':
    case 'Generator':
    case 'Sequence':
    case 'Collection':
      return { t: 'iterator', of: at(0), sure: false };
    case 'Optional':
      return unionOf([at(0), none]);
    case 'Union':
      return unionOf(args.map((_, i) => at(i)));
    case 'Annotated':
    case 'ClassVar':
    case 'Final':
      return at(0);
    case 'Awaitable':
    case 'Coroutine':
      return { t: 'awaitable', of: at(args.length === 3 ? 2 : 0), sure: false };
    case 'Self':
      return place.owner === undefined ? any : instanceOf(place.owner, false);
    default: {
      if (/^[iu](8|16|32|64)$/.test(name)) return hinted.int;
      if (/^f(32|64)$/.test(name)) return hinted.float;
      const cls = runtimeClass(place.program, name);
      return cls === undefined || name === 'object' ? any : instanceOf(cls, false);
    }
  }
}

function rootInstance(program: Program): Type {
  return instanceOf(runtimeClass(program, 'Root')!, false);
}

/** A type written as text, its names looked up in `scope`. */
function ofTree(place: Place, tree: TypeTree | undefined, scope: Scope): Type {
  if (tree === undefined) return any;
  if (tree.kind === 'none') return none;
  if (tree.kind === 'union') return unionOf(tree.of.map((one) => ofTree(place, one, scope)));
  if (tree.kind !== 'name' || tree.name.includes('.')) return any;
  const binding = place.state.names.lookup(tree.name, scope);
  const args = tree.args.map((arg): Arg => (arg.kind === 'ellipsis' ? 'ellipsis' : ofTree(place, arg, scope)));
  return ofBinding(place, binding, args);
}
