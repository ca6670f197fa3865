/**
 * Attributes, subscripts and null-safe chains (docs/language/expressions.md#attributes,
 * docs/language/expressions.md#subscripts).
 */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { call } from './calls.ts';
import { type Cx, mark, namespaceOf, standardMember, standardModule, temp, unique } from './context.ts';
import { bounds, expr, runtime, slice, spread, waited } from './expressions.ts';
import { assignTrailer, filterTrailer, pageOfReference } from './graph.ts';
import { exportName, property, quote } from './identifiers.ts';
import { interval } from './integers.ts';
import { isListCode, isSure, mainType, mainTypeOf, typeOf } from './kinds.ts';
import { importer, loadedModules } from './loaded-modules.ts';
import { liveMember } from './names.ts';
import { operand, operands } from './operators.ts';

// Properties that JavaScript values of other kinds have: a wrong hint must not read them.
const risky = new Set(
  (
    'length name message stack size map set get has add delete clear keys values items entries copy at call apply bind caller arguments ' +
    'start stop step index indexOf data odd next return throw send close args caused cause'
  ).split(' '),
);

/** Read by core/modules/svc-code.ts. */
const ofText = new Set(['__code__', '__defaults__', '__kwdefaults__']);

export function attribute(c: Cx, e: ast.Attribute): string {
  const name = e.name.text;
  const { object } = e;
  if (object.kind === 'SpecialRef' && object.word === 'root' && name === 'shared')
    return waited(c, e, `${mark(c, e)}$.sharedRoot()`);
  const type = typeOf(c, object);
  if (type.t === 'module' && !type.std) return moduleMember(c, e, type.module);
  const own = type.t === 'module' ? typeOf(c, e) : undefined;
  // `byllm` has a model called `llm` as well.
  if (own?.t === 'module' && own.module.startsWith('byllm.')) return standardModule(c.u, own.module);
  if (type.t === 'module' && type.module === 'sys' && name === 'modules') return loadedModules(c.u);
  if (type.t === 'module' && type.module === 'importlib' && name === 'import_module') return importer(c.u);
  if (isSuper(c, object)) return superMember(c, e);
  if (ofText.has(name))
    return `${mark(c, e)}${standardMember(c.u, 'svc_code', 'read')}(${expr(c, object)}, ${quote(name)})`;
  if (type.t === 'class' && type.cls.members.includes(name) && type.cls.kind === 'enum') {
    return `${expr(c, object)}.${property(name)}`;
  }
  const main = mainType(type);
  if (main.t === 'instance' && isField(main.cls, name)) return fieldRead(c, e, main.cls);
  return waited(c, e, `${mark(c, e.name)}${runtime(c, e)}.getattr(${expr(c, object)}, ${quote(name)})`);
}

function isField(cls: ClassInfo, name: string): boolean {
  const field = cls.fields.get(name);
  return field !== undefined && cls.kind !== 'runtime' && cls.kind !== 'enum' && !cls.methods.has('__getattribute__');
}

function fieldRead(c: Cx, e: ast.Attribute, cls: ClassInfo): string {
  const field = cls.fields.get(e.name.text)!;
  const key = property(e.name.text);
  // A base of the runtime may keep something of its own under the name.
  const isThere = !field.postinit && !mayBeDeleted(c, e.name.text, cls) && !(cls.open && risky.has(key));
  if (isThere && isProven(c, e.object)) return waited(c, e, `${mark(c, e.name)}${expr(c, e.object)}.${key}`);
  if (risky.has(key)) return waited(c, e, `${mark(c, e.name)}$.getattr(${expr(c, e.object)}, ${quote(e.name.text)})`);
  const { before, code } = operand(c, e.object);
  const t = temp(c);
  // On None JavaScript itself raises, and `caught` words it as an AttributeError.
  const test = `(${t} = ${code}.${key}) !== undefined`;
  return waited(c, e, `(${before}${mark(c, e.name)}${test} ? ${t} : $.getattr(${code}, ${quote(e.name.text)}))`);
}

/** A node or edge keeps the place of a deleted field (docs/language/statements.md#del). */
function mayBeDeleted(c: Cx, name: string, cls: ClassInfo): boolean {
  return cls.kind !== 'node' && cls.kind !== 'edge' && c.u.options.traits.deletedAttributes.has(name);
}

/** Is the value of `e` certainly an instance of its static class? */
export function isProven(c: Cx, e: ast.Expression): boolean {
  if (e.kind === 'SpecialRef') {
    if (c.u.names.special(e) !== undefined) return false;
    if (e.word === 'self') return c.self === 'this' && c.cls !== undefined && c.cls.selfWord === undefined;
    if (e.word === 'here') return c.here !== undefined && typeOf(c, e).t === 'instance';
    if (e.word === 'visitor') return c.visitor !== undefined && typeOf(c, e).t === 'instance';
    return false;
  }
  return typeOf(c, e).t === 'instance' && typeOf(c, e).sure === true;
}

function moduleMember(c: Cx, e: ast.Attribute, module: string): string {
  const type = typeOf(c, e);
  if (type.t === 'module' && !type.std) return namespaceOf(c.u, type.module);
  // A module object of JavaScript does not know what it is called.
  if (e.name.text === '__name__') return quote(module);
  const live = liveMember(c.u, module, e.name.text);
  const role = c.u.options.member?.(module, e.name.text)?.role;
  if (role === 'glob' || role === 'entry') return `${namespaceOf(c.u, module)}.${exportName(e.name.text)}`;
  return live ?? `${mark(c, e.name)}$.getattr(${namespaceOf(c.u, module)}, ${quote(e.name.text)})`;
}

/** `super`, `super()` and `super(C, self)` in the class `C`. */
export function isSuper(c: Cx, e: ast.Expression): boolean {
  if (e.kind === 'SpecialRef') return e.word === 'super';
  if (e.kind !== 'Call' || !isSuperName(e.callee)) return false;
  const [cls, self] = e.args.map((arg) => arg.value);
  if (e.args.length === 0) return true;
  return e.args.length === 2 && cls?.kind === 'NameRef' && cls.name === c.cls?.name && self?.kind === 'SpecialRef';
}

function isSuperName(e: ast.Expression): boolean {
  return (e.kind === 'SpecialRef' && e.word === 'super') || (e.kind === 'NameRef' && e.name === 'super');
}

// A method read through `super` without being called, bound to the instance.
export function superMember(c: Cx, e: ast.Attribute): string {
  return `${mark(c, e.name)}$.getattr($.superObject(${c.cls?.code ?? 'null'}, ${c.self ?? 'null'}), ${quote(e.name.text)})`;
}

// ---------------------------------------------------------------- subscripts

export function index(c: Cx, e: ast.Index): string {
  const { object } = e;
  if (e.index.kind === 'Slice') return sliced(c, e, e.index);
  const type = mainTypeOf(c, object);
  if (typeOf(c, object).t === 'class' || typeOf(c, object).t === 'builtin') return generic(c, e);
  const key = subscript(c, e.index);
  if (type.t === 'list' && mainTypeOf(c, e.index).t === 'int' && e.index.kind !== 'Unary') {
    const ops = operands(c, object, e.index);
    const guard = isSure(c, object, 'list') ? '' : `${listTest(c, object, ops.left)} && `;
    const place = interval(c, e.index);
    const zero = place !== undefined && place.low >= 0 ? '' : `${ops.right} >= 0 && `;
    const slow = waited(c, e, `${mark(c, e)}${runtime(c, e)}.getitem(${ops.left}, ${ops.right})`);
    const whole = wholeTest(c, e.index, ops.right);
    return `(${ops.before}${guard}${zero}${ops.right} < ${ops.left}.length${whole} ? ${ops.left}[${ops.right}] : ${slow})`;
  }
  if (type.t === 'dict') {
    const ops = operands(c, object, e.index);
    const guard = isSure(c, object, 'dict') ? '' : `${ops.left}?.constructor === $.Dict && `;
    const t = temp(c);
    const slow = waited(c, e, `${mark(c, e)}${runtime(c, e)}.getitem(${ops.left}, ${ops.right})`);
    if (runtime(c, e) !== '$') return `(${ops.before}${slow})`;
    return `(${ops.before}${guard}(${t} = ${ops.left}.get(${ops.right})) !== undefined ? ${t} : ${slow})`;
  }
  return waited(c, e, `${mark(c, e)}${runtime(c, e)}.getitem(${expr(c, object)}, ${key()})`);
}

/**
 * Gives the test behind the bounds of a place: a hint may be wrong, and a bool, a fraction or text is no place for
 * JavaScript.
 */
export function wholeTest(c: Cx, e: ast.Expression, code: string): string {
  return isSure(c, e, 'int') || interval(c, e) !== undefined ? '' : ` && ${code} >>> 0 === ${code}`;
}

/** Test for a list. For a variable that is bound once, the answer is kept beside it. */
export function listTest(c: Cx, e: ast.Expression, code: string): string {
  const binding = e.kind === 'NameRef' && !c.u.computed.has(e) ? c.u.names.binding(e) : undefined;
  if (
    binding?.sort !== 'local' ||
    binding.scope !== c.scope ||
    !canKeepListTest(binding) ||
    (binding.role === 'local' && c.listMarks?.has(binding) !== true)
  )
    return isListCode(c, code);
  const home = functionOf(c);
  home.listTests ??= new Map();
  let flag = home.listTests.get(binding);
  if (flag === undefined) home.listTests.set(binding, (flag = unique(c.u, 'q')));
  return flag;
}

/** The context of the function itself, for code in a function the compiler wrote around a part of it. */
function functionOf(c: Cx): Cx {
  let at = c;
  while (at.parent !== undefined && at.parent.scope === c.scope) at = at.parent;
  return at;
}

/** A parameter that nothing assigns, or a variable with one assignment, which is marked (`listMark`). */
export function canKeepListTest(binding: LocalBinding): boolean {
  if (binding.reassigned || binding.assignedInside || binding.mayBeUnbound) return false;
  return binding.role === 'param' || binding.role === 'local';
}

// `Box[int]` as a value: type parameters are erased. Built-in types keep theirs: `list[str]`.
function generic(c: Cx, e: ast.Index): string {
  const type = typeOf(c, e.object);
  if (type.t === 'builtin') return `${mark(c, e)}$.getitem(${expr(c, e.object)}, ${subscriptCode(c, e.index)})`;
  if ((type.t === 'class' && asksForItems(type.cls)) || e.index.kind === 'NumberLiteral')
    return `${mark(c, e)}$.getitem(${expr(c, e.object)}, ${expr(c, e.index)})`;
  return expr(c, e.object);
}

// In brackets behind an enum type is the name of a member. Types of the runtime may be enums, and so may a class with a base that is not known.
function asksForItems(cls: ClassInfo): boolean {
  if (cls.kind === 'enum' || cls.kind === 'runtime' || (cls.open && cls.kind === 'class')) return true;
  return [cls, ...cls.bases].some((one) => one.methods.has('__class_getitem__'));
}

function subscript(c: Cx, e: ast.Expression): () => string {
  return () =>
    e.kind === 'TupleExpr'
      ? `$.tuple(${e.items.map((item) => (item.kind === 'Slice' ? slice(c, item) : expr(c, item))).join(', ')})`
      : expr(c, e);
}

export function subscriptCode(c: Cx, e: ast.Expression): string {
  return subscript(c, e)();
}

function sliced(c: Cx, e: ast.Index, part: ast.Slice): string {
  const page = e.safe ? undefined : pageOfReference(c, e.object, part);
  if (page !== undefined) return page;
  return waited(c, e, `${mark(c, e)}${runtime(c, e)}.getslice(${expr(c, e.object)}, ${bounds(c, part)})`);
}

// ---------------------------------------------------------------- null-safe chains

type Trailer = ast.Call | ast.Attribute | ast.Index | ast.Filter | ast.AssignTrailer;

function receiver(e: ast.Expression): ast.Expression | undefined {
  switch (e.kind) {
    case 'Call':
      return e.callee;
    case 'Attribute':
    case 'Index':
    case 'Filter':
    case 'AssignTrailer':
      return e.object;
    default:
      return undefined;
  }
}

/** Does the chain that ends in `e` have a `?.` or `?[` that has not been dealt with? */
export function startsNullSafe(c: Cx, e: Trailer): boolean {
  return findSafe(c, e) !== undefined;
}

// The leftmost unhandled one.
function findSafe(c: Cx, e: Trailer): ast.Attribute | ast.Index | undefined {
  let found: ast.Attribute | ast.Index | undefined;
  for (let at: ast.Expression | undefined = e; at !== undefined; at = receiver(at)) {
    if (c.u.computed.has(at)) break;
    if ((at.kind === 'Attribute' || at.kind === 'Index') && at.safe && !c.u.guarded.has(at)) found = at;
  }
  return found;
}

/**
 * Writes a chain that stops at None (docs/language/expressions.md#null-safety): the receiver goes into a temporary, the
 * chain is written behind the test with the temporary in its place.
 */
export function nullSafe(c: Cx, e: Trailer): string {
  const { computed } = c.u;
  const safe = findSafe(c, e)!;
  const object = safe.object;
  const t = temp(c);
  const first = expr(c, object);
  computed.set(object, t);
  c.u.guarded.add(safe);
  const missing = temp(c);
  const value =
    safe.kind === 'Attribute'
      ? waited(c, safe, `${mark(c, safe.name)}${runtime(c, safe)}.optattr(${t}, ${quote(safe.name.text)})`)
      : waited(c, safe, `${mark(c, safe)}${runtime(c, safe)}.optitem(${t}, ${subscriptCode(c, safe.index)})`);
  const called = callOf(e, safe);
  let rest: string;
  if (e === safe) rest = value;
  else if (called !== undefined) {
    // A missing attribute makes the call that follows it None; what comes after the call applies to that.
    computed.set(safe, missing);
    const result = `((${missing} = ${value}) == null ? null : ${calledValue(c, called, missing)})`;
    if (called === e) rest = result;
    else {
      const after = temp(c);
      computed.set(called, after);
      rest = `(${after} = ${result}, ${expr(c, e)})`;
      computed.delete(called);
    }
    computed.delete(safe);
  } else {
    computed.set(safe, missing);
    rest = `(${missing} = ${value}, ${trailer(c, e)})`;
    computed.delete(safe);
  }
  computed.delete(object);
  c.u.guarded.delete(safe);
  return `((${t} = ${first}) == null ? null : ${rest})`;
}

function trailer(c: Cx, e: Trailer): string {
  if (startsNullSafe(c, e)) return nullSafe(c, e);
  switch (e.kind) {
    case 'Call':
      return call(c, e);
    case 'Attribute':
      return attribute(c, e);
    case 'Index':
      return index(c, e);
    case 'Filter':
      return filterTrailer(c, e);
    case 'AssignTrailer':
      return assignTrailer(c, e);
  }
}

function calledValue(c: Cx, e: ast.Call, code: string): string {
  const args = e.args.map((arg) => (arg.sort === 'star' ? `...${spread(c, arg.value)}` : expr(c, arg.value)));
  if (e.args.every((arg) => arg.sort === 'positional' || arg.sort === 'star')) {
    return waited(c, e, `${mark(c, e)}${runtime(c, e)}.call(${[code, ...args].join(', ')})`);
  }
  return call(c, e);
}

// The call directly behind `safe` in the chain that ends in `e`.
function callOf(e: Trailer, safe: ast.Expression): ast.Call | undefined {
  for (let at: ast.Expression | undefined = e; at !== undefined; at = receiver(at)) {
    if (at.kind === 'Call' && at.callee === safe) return at;
  }
  return undefined;
}
