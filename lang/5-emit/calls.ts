/**
 * Calls (docs/language/expressions.md#calls). A known callee takes its arguments in slots: one per parameter in
 * declaration order, `undefined` for what is not given, `*args` as an array, `**kwargs` as a Dict. Everything else goes
 * through the dynamic protocol of the runtime.
 */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo, FunctionInfo, Slot } from '../3-infer/types.ts';
import { isProven, isSuper, superMember } from './access.ts';
import { builtinCall } from './builtin-calls.ts';
import { type Cx, mark, temp, withCodes } from './context.ts';
import { expr, inOrder, operatorKey, runtime, waited, wholeIterable, withOperators } from './expressions.ts';
import { methodName, property, quote } from './identifiers.ts';
import { methodOfKind } from './kind-methods.ts';
import { isSimple, isSure, typeOf } from './kinds.ts';
import { isMockedBuiltin } from './names.ts';

export function call(c: Cx, e: ast.Call): string {
  const { callee } = e;
  if (callee.kind === 'SpecialRef' && callee.word === 'root' && e.args.length === 0) return `${mark(c, e)}$.root()`;
  if (c.u.computed.has(callee)) return waited(c, e, dynamicCall(c, e));
  if (callee.kind === 'Attribute' && isSuper(c, callee.object)) return waited(c, e, superCall(c, e, callee));
  const operator =
    callee.kind === 'Attribute' && callee.name.text === 'setdefault' ? operatorKey(e.args[0]?.value) : undefined;
  if (operator === undefined || c.u.computed.has((callee as ast.Attribute).object)) return plannedCall(c, e);
  const { object } = callee as ast.Attribute;
  return withCodes(c, [[object, withOperators(expr(c, object), [operator])]], () => plannedCall(c, e));
}

function plannedCall(c: Cx, e: ast.Call): string {
  const { callee } = e;
  const plan = c.u.types.callPlan(e);
  switch (plan.how) {
    case 'direct':
      return waited(c, e, directCall(c, e, plan.fn, plan.slots));
    case 'construct':
      return waited(c, e, construction(c, e, plan.slots));
    case 'builtin':
      if (isMockedBuiltin(c.u, plan.name)) return waited(c, e, dynamicCall(c, e));
      return waited(c, e, builtinCall(c, e, plan.name));
    case 'method':
      return waited(c, e, methodOfKind(c, e, callee as ast.Attribute, plan.receiver, plan.name));
    default:
      return waited(c, e, dynamicCall(c, e));
  }
}

// ---------------------------------------------------------------- known callees

function directCall(c: Cx, e: ast.Call, fn: FunctionInfo, slots: readonly Slot[]): string {
  const { callee } = e;
  if (callee.kind === 'Attribute') {
    const type = typeOf(c, callee.object);
    if (type.t === 'class') return classCall(c, e, callee, fn, slots);
    if (fn.owner !== undefined) return methodCall(c, e, callee, fn, slots);
    // Perhaps a module, perhaps None: `if lazy is None { import tools; lazy = tools; } lazy.run();`
    if (type.t !== 'module') return dynamicCall(c, e);
  }
  const { before, list } = slotCodes(c, e.args, slots);
  const code = `${expr(c, callee)}(${list.join(', ')})`;
  return before === '' ? mark(c, e, fn.name) + code : `(${before}${mark(c, e, fn.name)}${code})`;
}

/** A static or class method through its class. */
function classCall(c: Cx, e: ast.Call, callee: ast.Attribute, fn: FunctionInfo, slots: readonly Slot[]): string {
  if (fn.receiver === 'self') return dynamicCall(c, e);
  const { before, list } = slotCodes(c, e.args, slots);
  const code = `${mark(c, callee.name)}${expr(c, callee.object)}.${methodName(fn.name)}(${list.join(', ')})`;
  return before === '' ? code : `(${before}${code})`;
}

function methodCall(c: Cx, e: ast.Call, callee: ast.Attribute, fn: FunctionInfo, slots: readonly Slot[]): string {
  const { object } = callee;
  const member = fn.receiver === 'self' ? methodName(fn.name) : `constructor.${methodName(fn.name)}`;
  // An attribute of that name is assigned somewhere: what is there may be no function any more.
  const isAssigned = c.u.types.isAssignedName(fn.name);
  if (isProven(c, object) && !isAssigned) {
    const { before, list } = slotCodes(c, e.args, slots);
    const code = `${expr(c, object)}.${member}(${list.join(', ')})`;
    return before === '' ? mark(c, callee.name) + code : `(${before}${mark(c, callee.name)}${code})`;
  }
  // Everything is evaluated first, because the arguments are written twice.
  const { before, codes } = inOrder(c, [object, ...e.args.map((arg) => arg.value)]);
  const self = codes[0]!;
  const list = fillSlots(codes.slice(1), e.args, slots);
  const fast = `${self}.${member}(${list.join(', ')})`;
  const slow = dynamicMethod(self, callee.name.text, e.args, codes.slice(1), runtime(c, e));
  // Instances of the program's classes have `$cid`. On None JavaScript itself raises, and `caught` words it as an AttributeError.
  // Modules and some objects of JavaScript have no constructor.
  const place = `${self}.${member.replace('constructor.', 'constructor?.')}`;
  const isThere = isAssigned ? `typeof ${place} === "function"` : `${place} !== undefined`;
  const test = `${isThere} && ${self}.$cid !== undefined`;
  return `(${before}${mark(c, callee.name)}${test} ? ${fast} : ${slow})`;
}

function construction(c: Cx, e: ast.Call, slots: readonly Slot[]): string {
  const { before, list } = slotCodes(c, e.args, slots);
  const code = `${mark(c, e)}${expr(c, e.callee)}.$new(${list.join(', ')})`;
  return before === '' ? code : `(${before}${code})`;
}

/** Argument codes in slot order; `before` evaluates arguments that are written in another order. */
function slotCodes(c: Cx, args: readonly ast.Argument[], slots: readonly Slot[]): { before: string; list: string[] } {
  const values = args.map((arg) => arg.value);
  const order = slots.flatMap((slot) => (slot === undefined ? [] : slot));
  const inSequence = order.every((index, i) => i === 0 || order[i - 1]! < index);
  if (inSequence)
    return {
      before: '',
      list: fillSlots(
        values.map((value) => expr(c, value)),
        args,
        slots,
      ),
    };
  const { before, codes } = inOrder(c, values);
  return { before, list: fillSlots(codes, args, slots) };
}

function fillSlots(codes: readonly string[], args: readonly ast.Argument[], slots: readonly Slot[]): string[] {
  const list = slots.map((slot) => {
    if (slot === undefined) return 'undefined';
    if (typeof slot === 'number') return codes[slot]!;
    if (slot.length === 0) return 'undefined';
    if (slot.some((i) => args[i]!.sort === 'keyword')) {
      return `$.Dict.of(${slot.map((i) => `${quote(args[i]!.name!.text)}, ${codes[i]}`).join(', ')})`;
    }
    return `[${slot.map((i) => codes[i]).join(', ')}]`;
  });
  while (list.at(-1) === 'undefined') list.pop();
  return list;
}

// ---------------------------------------------------------------- super

function superCall(c: Cx, e: ast.Call, callee: ast.Attribute): string {
  const name = methodName(callee.name.text);
  if (name === '__new__') return mark(c, callee.name) + dynamicFunction(c, `$.superNew(${c.cls?.code})`, e.args);
  const positional = e.args.every((arg) => arg.sort === 'positional');
  const info = c.cls?.info;
  const base = info?.bases[0];
  const fn = baseMethod(c, callee.name.text);
  if (name === 'init' && fn === undefined && base !== undefined && base.kind !== 'runtime' && info?.open === false) {
    return superFields(c, e, base);
  }
  if (name === 'postinit' && fn === undefined && info?.open === false) return 'null';
  const plan = c.u.types.callPlan(e);
  // Members that every object has are no members of a class.
  const ofObject = fn === undefined && (name === 'init' || name.startsWith('__'));
  const dynamic = c.u.options.traits.hasMixins || !c.canSuper || ofObject;
  // Nothing of that name is known: perhaps there is none.
  const isUnknown = fn === undefined && !ofObject && (dynamic || info?.open === false);
  if (isUnknown) return mark(c, callee.name) + dynamicFunction(c, superMember(c, callee), e.args);
  const target = dynamic ? `$.superMethod(${c.cls?.code}, ${c.self}, ${quote(name)})` : `super.${name}`;
  if (plan.how === 'direct') {
    const { before, list } = slotCodes(c, e.args, plan.slots);
    const code = `${mark(c, callee.name)}${target}(${list.join(', ')})`;
    return before === '' ? code : `(${before}${code})`;
  }
  if (positional && fn === undefined) {
    const args = e.args.map((arg) => expr(c, arg.value)).join(', ');
    // A base that is not known here may have it.
    if (!ofObject) {
      const all = args === '' ? (c.self ?? 'this') : `${c.self ?? 'this'}, ${args}`;
      return `${mark(c, callee.name)}(super.${name} ?? ${superMember(c, callee)}).call(${all})`;
    }
    return `${mark(c, callee.name)}${target}(${args})`;
  }
  const bound = `$.superMethod(${c.cls?.code}, ${c.self}, ${quote(name)})`;
  return mark(c, callee.name) + dynamicFunction(c, bound, e.args);
}

function baseMethod(c: Cx, name: string): FunctionInfo | undefined {
  const spelled = name === '__init__' ? 'init' : name === '__post_init__' ? 'postinit' : name;
  for (const base of c.cls?.info?.bases ?? []) {
    const fn = base.methods.get(spelled);
    if (fn !== undefined) return fn;
  }
  return undefined;
}

// `super.init(...)` where the base has a generated constructor: its fields are bound.
function superFields(c: Cx, e: ast.Call, base: ClassInfo): string {
  const parts = e.args.flatMap((arg, i) => {
    const field =
      arg.sort === 'keyword' ? arg.name!.text : arg.sort === 'positional' ? base.constructorFields[i]?.name : undefined;
    if (field === undefined) return [expr(c, arg.value)];
    return [`${c.self}.${property(field)} = ${expr(c, arg.value)}`];
  });
  return `(${[...parts, 'null'].join(', ')})`;
}

// ---------------------------------------------------------------- dynamic calls

export function dynamicCall(c: Cx, e: ast.Call): string {
  const { callee } = e;
  if (callee.kind === 'Attribute' && !c.u.computed.has(callee) && typeOf(c, callee.object).t !== 'module') {
    const self = expr(c, callee.object);
    return (
      mark(c, callee.name) + dynamicMethod(self, callee.name.text, e.args, argumentCodes(c, e.args), runtime(c, e))
    );
  }
  if (isProgramClass(c, callee) && !isMocked(c, callee)) return mark(c, e) + constructed(c, e);
  return mark(c, e) + dynamicFunction(c, expr(c, callee), e.args, runtime(c, e));
}

function isMocked(c: Cx, callee: ast.Expression): boolean {
  return callee.kind === 'NameRef' && c.u.types.mocked.has(callee.name);
}

function isProgramClass(c: Cx, callee: ast.Expression): boolean {
  const type = typeOf(c, callee);
  return type.t === 'class' && type.cls.decl?.kind === 'Archetype' && type.cls.decl.decorators.length === 0;
}

/** A class of the program with arguments that only the runtime can map. */
function constructed(c: Cx, e: ast.Call): string {
  const codes = argumentCodes(c, e.args);
  const keywords = keywordCode(e.args, codes);
  return `$.construct(${expr(c, e.callee)}, [${positionalCode(e.args, codes).join(', ')}]${keywords === undefined ? '' : `, ${keywords}`})`;
}

export function dynamicFunction(c: Cx, code: string, args: readonly ast.Argument[], rt = '$'): string {
  const codes = argumentCodes(c, args);
  const positional = positionalCode(args, codes);
  const keywords = keywordCode(args, codes);
  if (keywords === undefined) return `${rt}.call(${[code, ...positional].join(', ')})`;
  return `${rt}.callkw(${code}, [${positional.join(', ')}], ${keywords})`;
}

export function dynamicMethod(
  self: string,
  name: string,
  args: readonly ast.Argument[],
  codes: readonly string[],
  rt = '$',
): string {
  const positional = positionalCode(args, codes);
  const keywords = keywordCode(args, codes);
  if (keywords === undefined) return `${rt}.callMethod(${[self, quote(name), ...positional].join(', ')})`;
  return `${rt}.callMethodKw(${self}, ${quote(name)}, [${positional.join(', ')}], ${keywords})`;
}

function argumentCodes(c: Cx, args: readonly ast.Argument[]): string[] {
  return args.map((arg) => (arg.sort === 'star' ? wholeIterable(c, arg.value) : expr(c, arg.value)));
}

function positionalCode(args: readonly ast.Argument[], codes: readonly string[]): string[] {
  const given: string[] = [];
  args.forEach(({ sort }, i) => {
    if (sort === 'positional') given.push(codes[i]!);
    else if (sort === 'star') given.push(`...$.iter(${codes[i]})`);
  });
  return given;
}

/** Keyword arguments: pairs, or a Dict where `**d` takes part; undefined when there are none. */
export function keywordCode(args: readonly ast.Argument[], codes: readonly string[]): string | undefined {
  const given: { readonly arg: ast.Argument; readonly code: string }[] = [];
  args.forEach((arg, i) => {
    if (arg.sort === 'keyword' || arg.sort === 'doublestar') given.push({ arg, code: codes[i]! });
  });
  if (given.length === 0) return undefined;
  if (given.every(({ arg }) => arg.sort === 'keyword')) {
    return `[${given.map(({ arg, code }) => `[${quote(arg.name!.text)}, ${code}]`).join(', ')}]`;
  }
  return given.reduce(
    (dict, { arg, code }) =>
      `$.keywordSpread(${dict}, ${arg.sort === 'keyword' ? `$.Dict.of(${quote(arg.name!.text)}, ${code})` : code})`,
    'new $.Dict()',
  );
}

// ---------------------------------------------------------------- pipes

/**
 * `v |> f`, `f <| v` and their tight forms (docs/language/expressions.md#pipes). A tuple literal gives separate
 * arguments, names become keywords.
 */
export function pipe(c: Cx, e: ast.Pipe): string {
  const forward = e.op === '|>' || e.op === ':>';
  if (e.left === undefined) return waited(c, e, `${mark(c, e)}$.call(${expr(c, e.right)})`);
  const [value, callee] = forward ? [e.left, e.right] : [e.right, e.left];
  const args: ast.Argument[] = argumentsOf(value);
  let before = '';
  let code: string;
  if (isSimple(c, callee) || isSure(c, callee, 'builtin') || callee.kind === 'NameRef') code = expr(c, callee);
  else if (forward) {
    const t = temp(c);
    const values = args.map((arg) => arg.value);
    const ordered = inOrder(c, values);
    before = `${ordered.before}${t} = ${expr(c, callee)}, `;
    for (const [i, node] of values.entries()) c.u.computed.set(node, ordered.codes[i]!);
    const result = waited(c, e, `(${before}${mark(c, e)}${dynamicFunction(c, t, args, runtime(c, e))})`);
    for (const node of values) c.u.computed.delete(node);
    return result;
  } else code = expr(c, callee);
  return waited(c, e, mark(c, e) + dynamicFunction(c, code, args, runtime(c, e)));
}

function argumentsOf(value: ast.Expression): ast.Argument[] {
  if (value.kind !== 'TupleExpr') {
    return [{ kind: 'Argument', start: value.start, end: value.end, sort: 'positional', name: undefined, value }];
  }
  return value.items.map((item, i) => {
    const name = value.names?.[i];
    const starred = item.kind === 'Starred';
    return {
      kind: 'Argument',
      start: item.start,
      end: item.end,
      sort: name !== undefined ? 'keyword' : starred ? 'star' : 'positional',
      name,
      value: starred ? item.expr : item,
    };
  });
}
