/** Calls: of functions and components of the program, of built-ins, of methods of values whose kind may not be known. */

import type * as ast from '../1-parse/ast.ts';
import { browserGlobals } from '../2-resolve/browser-globals.ts';
import { conventionOf, isComponent, isLiteralOfProperties, placedParams, takesAll } from '../2-resolve/components.ts';
import { isEnumClass } from '../2-resolve/enum-classes.ts';
import type { Binding } from '../2-resolve/names.ts';
import { quote } from '../5-emit/identifiers.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, lang, mark, wire } from './cx.ts';
import { effectFunction, isEffectCall } from './effects.ts';
import { expr, gen, hasNumbers, iterated, keysOf, member, property } from './expressions.ts';
import { methodCall } from './methods.ts';
import { takingNames } from './named.ts';
import { builtin, isExceptionName, reference } from './names.ts';
import { noteHookCall } from './refresh.ts';
import { deferredCall, isRemoteFunction, optimisticCall, remoteCall } from './remote.ts';
import { typedTextCall } from './typed-texts.ts';

export function call(c: Cx, e: ast.Call): Code {
  const [callback] = e.args;
  const byPosition = callback?.sort === 'positional' ? takingPositions(c, e.callee, callback.value) : undefined;
  if (byPosition !== undefined) c.u.computed.set(callback!.value, byPosition);
  const written = callCode(c, e);
  if (byPosition !== undefined) c.u.computed.delete(callback!.value);
  noteHookCall(c, e, written.text);
  return written;
}

/**
 * `columns.map(head)`, `map(head, columns)`: what a list gives to a function by position becomes the properties of one that takes these apart, as
 * in `head(column)`. A component, by its capital or as a tag somewhere, gets the item as its properties; parameters with a default keep it.
 * A class makes an object of each.
 */
function takingPositions(c: Cx, callee: ast.Expression, value: ast.Expression): string | undefined {
  const name = callee.kind === 'Attribute' ? callee.name.text : callee.kind === 'NameRef' ? callee.name : undefined;
  if ((name !== 'map' && name !== 'flatMap') || value.kind !== 'NameRef') return undefined;
  const decl = declarationOf(c, c.u.names.binding(value));
  if (decl?.kind === 'Archetype') {
    const given = callee.kind === 'NameRef' ? '...$0' : '$0';
    return `(${given}) => ${lang(c.u, 'construct')}(${reference(c, value)}, [${given}])`;
  }
  if (!/^[a-z]/.test(value.name)) return undefined;
  const { plan } = c.u.link;
  if (decl?.kind !== 'FunctionDecl' || !isComponent(decl) || plan.tags.has(decl)) return undefined;
  if (conventionOf(decl, plan) !== 'parts') return undefined;
  const { params } = decl.signature;
  const end = params.findIndex(({ sort, value: preset }) => sort !== 'plain' || preset !== undefined);
  const given = params.slice(0, end < 0 ? undefined : end).flatMap(({ name: key }) => key?.text ?? []);
  const taken = given.map((_, i) => `$${i}`);
  const props = given.map((key, i) => member(key, taken[i]!));
  return `(${taken.join(', ')}) => ${reference(c, value)}({ ${props.join(', ')} })`;
}

function callCode(c: Cx, e: ast.Call): Code {
  const { callee } = e;
  if (isEffectCall(e)) {
    const [first, ...rest] = e.args;
    const parts = [effectFunction(c, first!.value), ...rest.map(({ value }) => expr(c, value))];
    return code(`${expr(c, callee, P.call)}(${parts.join(', ')})`, P.call);
  }
  const asked = deferredCall(c, e) ?? optimisticCall(c, e);
  if (asked !== undefined) return asked;
  if (callee.kind === 'Attribute') return methodCall(c, e, callee);
  if (callee.kind === 'NameRef') return callOfName(c, e, callee);
  if (callee.kind === 'SpecialRef' && callee.word === 'super') return code('super', P.primary);
  const written = at(gen(c, callee), P.call);
  return callOfObject(c, e, written) ?? callOfValue(c, e, written) ?? plainCall(c, e, written);
}

/** A call of what may be a class or an object of the program, without keywords: with these the call finds out by itself. */
function callOfValue(c: Cx, e: ast.Call, callee: string): Code | undefined {
  if (e.args.some(({ sort }) => sort === 'keyword' || sort === 'doublestar')) return undefined;
  const type = c.u.types.of(e.callee);
  if (type.t === 'class' && type.cls.decl !== undefined) return constructed(c, callee, e.args);
  if (type.t !== 'any' && type.t !== 'union') return undefined;
  return c.u.link.plan.hasCallables ? invoked(c, callee, e.args) : undefined;
}

function invoked(c: Cx, callee: string, list: readonly ast.Argument[]): Code {
  const given = list.length === 0 ? '' : `, ${args(c, list)}`;
  return code(`${lang(c.u, 'invoke')}(${callee}${given})`, P.call);
}

/** `scale(3)` of an object whose class has `__call__`. */
function callOfObject(c: Cx, e: ast.Call, callee: string): Code | undefined {
  const type = c.u.types.of(e.callee);
  const decl = type.t === 'instance' ? type.cls.methods.get('__call__')?.decl : undefined;
  if (decl?.kind !== 'FunctionDecl') return undefined;
  return code(`${callee}.__call__(${positional(c, withoutSelf(decl), e.args)})`, P.call);
}

/** Built-ins that go through the keys of a dict. */
const goesThrough: ReadonlySet<string> = new Set(
  'enumerate filter frozenset iter list map max min reversed set sorted sum tuple zip'.split(' '),
);

function callOfName(c: Cx, e: ast.Call, callee: ast.NameRef): Code {
  const binding = c.u.names.binding(callee);
  if (binding.sort === 'builtin') {
    const dicts = goesThrough.has(binding.name) ? e.args.filter(({ value }) => hasNumbers(c, value)) : [];
    for (const { value } of dicts) c.u.computed.set(value, keysOf(c, value));
    const written = builtinCall(c, e, binding.name);
    for (const { value } of dicts) c.u.computed.delete(value);
    return written;
  }
  if (binding.sort === 'unresolved') return globalCall(c, e, callee);
  const decl = declarationOf(c, binding);
  const name = mark(c, callee, callee.name) + reference(c, callee);
  // `cls(…)` in a method of the class itself.
  if (binding.sort === 'local' && c.u.renamed.get(binding) === 'this') return constructed(c, name, e.args);
  if (decl?.kind === 'FunctionDecl') {
    if (isRemoteFunction(c, decl)) return code(remoteCall(c, name, decl, e.args), P.call);
    if (isComponent(decl)) {
      const convention = conventionOf(decl, c.u.link.plan);
      if (convention === 'parts' || (convention === 'none' && e.args.length > 0))
        return code(`${name}(${propsOf(c, decl, e.args)})`, P.call);
    }
    if (takesAll(decl.signature)) return plainCall(c, e, name);
    return code(`${name}(${positional(c, decl, e.args)})`, P.call);
  }
  if (decl?.kind === 'Archetype' && !isEnumClass(decl)) return construction(c, decl, name, e.args);
  if (decl?.kind === 'EnumDecl' || isEnumClass(decl))
    return code(`${lang(c.u, 'construct')}(${name}, [${args(c, e.args)}])`, P.call);
  // With keywords the call finds out by itself.
  const isNamed = e.args.some(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  if (!isNamed && isForeignClass(binding, callee.name)) return invoked(c, name, e.args);
  const isOfProgram = binding.sort === 'local' || binding.sort === 'module' ? binding.import === undefined : false;
  return callOfObject(c, e, name) ?? (isOfProgram ? callOfValue(c, e, name) : undefined) ?? plainCall(c, e, name);
}

/** Finds the declaration that a name leads to in the program. */
export function declarationOf(c: Cx, binding: Binding): ast.Node | undefined {
  if (binding.sort === 'local') {
    if (binding.import?.of === 'member')
      return c.u.link.namesOf(binding.import.module).bindings.get(binding.import.member)?.decl;
    return binding.role === 'def' || binding.role === 'type' ? binding.decl : undefined;
  }
  if (binding.sort !== 'module') return undefined;
  return (binding.role === 'import' ? c.u.link.follow(binding) : binding)?.decl;
}

/** A name that a standard module gives to a class. */
export function isClassName(name: string): boolean {
  return /^([A-Z]|(timedelta|datetime|date|time|timezone)$)/.test(name);
}

/** A capitalised name of a JavaScript module may be a class, which is constructed without `new` here. */
function isForeignClass(binding: Binding, name: string): boolean {
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  if (target?.of === 'builtin') return isClassName(target.member ?? name);
  return (
    target?.of === 'js' && /^[A-Z]/.test(name) && target.specifier !== '@svc/runtime' && target.specifier !== 'react'
  );
}

/** Arguments of a callee that is not known: keywords go as an object, which is what JavaScript functions take. */
export function plainCall(c: Cx, e: ast.Call, callee: string): Code {
  const named = e.args.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  if (named.length === 0) return code(`${callee}(${args(c, e.args)})`, P.call);
  const rest = e.args.filter(({ sort }) => sort === 'positional' || sort === 'star');
  return code(`${lang(c.u, 'kw')}(${callee}, [${args(c, rest)}], ${namedObject(c, named)})`, P.call);
}

export function args(c: Cx, list: readonly ast.Argument[]): string {
  return list.map(({ sort, value }) => (sort === 'star' ? `...${iterated(c, value)}` : expr(c, value))).join(', ');
}

export function namedObject(c: Cx, list: readonly ast.Argument[]): string {
  const parts = list.map(({ sort, name, value }) =>
    sort === 'doublestar' || name === undefined ? `...${expr(c, value)}` : member(name.text, expr(c, value)),
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** Properties of a component that is called as a function: positions become the names they stand for. */
function propsOf(c: Cx, decl: ast.FunctionDecl, list: readonly ast.Argument[]): string {
  const { params } = decl.signature;
  if (isLiteralOfProperties(decl, list)) return expr(c, list[0]!.value);
  const parts = list.map(({ sort, name, value }, i) => {
    if (sort === 'doublestar' || sort === 'star') return `...${expr(c, value)}`;
    const key = name?.text ?? params[i]?.name?.text ?? `arg${i}`;
    return member(key, expr(c, value));
  });
  return `{ ${parts.join(', ')} }`;
}

/** Arguments by position, keywords put where their parameters stand. */
export function positional(c: Cx, decl: ast.FunctionDecl, list: readonly ast.Argument[]): string {
  const signature = c.u.names.implOf(decl)?.signature ?? decl.signature;
  const params = placedParams(signature);
  if (list.every(({ sort }) => sort === 'positional' || sort === 'star')) return args(c, list);
  if (isPlacedLater(signature, params, list)) {
    const given = list.filter(({ sort }) => sort === 'positional' || sort === 'star');
    const named = list.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar');
    const names = takingNames(signature).map(quote).join(', ');
    return `...${lang(c.u, 'positions')}({ $params: [${names}] }, [${args(c, given)}], ${namedObject(c, named)})`;
  }
  const slots: string[] = [];
  const rest: string[] = [];
  list.forEach(({ sort, name, value }, i) => {
    if (sort === 'positional') slots[i] = expr(c, value);
    else if (sort === 'star') slots[i] = `...${iterated(c, value)}`;
    else if (name === undefined) rest.push(`...${expr(c, value)}`);
    else {
      const place = params.findIndex((param) => param.name?.text === name.text);
      if (place < 0) rest.push(`${property(name.text)}: ${expr(c, value)}`);
      else slots[place] = expr(c, value);
    }
  });
  const filled = Array.from(slots, (slot) => slot ?? 'undefined');
  if (takesAll(signature)) {
    if (rest.length > 0) filled.push(`${lang(c.u, 'keywordsOf')}({ ${rest.join(', ')} })`);
  } else if (rest.length > 0) {
    while (filled.length < params.length) filled.push('undefined');
    filled.push(`{ ${rest.join(', ')} }`);
  }
  return filled.join(', ');
}

/** Is it known only while the program runs where keywords stand? `f(*xs, c=1)`, and `f(1, **d)` where `d` may have what a parameter takes. */
function isPlacedLater(signature: ast.Signature, params: readonly ast.Param[], list: readonly ast.Argument[]): boolean {
  const named = new Set(list.flatMap(({ name }) => (name === undefined ? [] : [name.text])));
  const placed = list.findIndex(({ sort }) => sort !== 'positional');
  if (list.some(({ sort }) => sort === 'doublestar'))
    return params.slice(placed).some(({ sort, name }) => sort === 'plain' && !named.has(name?.text ?? ''));
  if (named.size === 0 || list.every(({ sort }) => sort !== 'star')) return false;
  return !takesAll(signature) || params.some(({ name }) => named.has(name?.text ?? ''));
}

/** An object of a class that is known only while the program runs. */
function constructed(c: Cx, cls: string, list: readonly ast.Argument[]): Code {
  const positions = list.filter(({ sort }) => sort === 'positional' || sort === 'star');
  const named = list.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  const rest = named.length === 0 ? '' : `, ${namedObject(c, named)}`;
  return code(`${lang(c.u, 'construct')}(${cls}, [${args(c, positions)}]${rest})`, P.call);
}

/** An object of a class of the program: its fields by name, or what its `init` takes. */
export function construction(c: Cx, decl: ast.Archetype, name: string, list: readonly ast.Argument[]): Code {
  const info = c.u.types.classOf(decl);
  const init = info.methods.get('init') ?? info.methods.get('__init__');
  if (init?.decl?.kind === 'FunctionDecl')
    return code(`new ${name}(${positional(c, withoutSelf(init.decl), list)})`, P.call);
  if (list.some(({ sort }) => sort === 'star'))
    return code(`${lang(c.u, 'construct')}(${name}, [${args(c, list)}])`, P.call);
  // Exceptions keep what they are given by position as their `args`.
  if (info.bases.some((base) => isExceptionName(base.name))) {
    const named = namedObject(
      c,
      list.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar'),
    );
    const given = args(
      c,
      list.filter(({ sort }) => sort === 'positional' || sort === 'star'),
    );
    return code(
      `new ${name}(${info.constructorFields.length === 0 ? given : `${named}${given === '' ? '' : `, ${given}`}`})`,
      P.call,
    );
  }
  const fields = info.constructorFields;
  if (fields.length === 0 && list.some(({ sort }) => sort === 'positional'))
    return code(`new ${name}(${args(c, list)})`, P.call);
  const parts = list.map(({ sort, name: key, value }, i) => {
    if (sort === 'doublestar') return `...${expr(c, value)}`;
    return member(key?.text ?? fields[i]?.name ?? `field${i}`, expr(c, value));
  });
  return code(parts.length === 0 ? `new ${name}()` : `new ${name}({ ${parts.join(', ')} })`, P.call);
}

export function withoutSelf(decl: ast.FunctionDecl): ast.FunctionDecl {
  const [first] = decl.signature.params;
  if (first?.name?.text !== 'self') return decl;
  return { ...decl, signature: { ...decl.signature, params: decl.signature.params.slice(1) } };
}

// Globals of JavaScript that are called as functions as well as constructed, or mean something else then.
const calledGlobals: ReadonlySet<string> = new Set(
  'String Number Boolean Array Object Symbol BigInt Function'.split(' '),
);

/** A class of the browser, which gives something useful only when it is constructed: `Date`, `EventTarget`. */
export function isConstructedGlobal(name: string): boolean {
  return /^[A-Z]/.test(name) && browserGlobals.has(name) && !calledGlobals.has(name);
}

function globalCall(c: Cx, e: ast.Call, callee: ast.NameRef): Code {
  const name = mark(c, callee) + reference(c, callee);
  if (callee.name === 'Ref') return code(`${lang(c.u, 'ref')}(${args(c, e.args)})`, P.call);
  if (isConstructedGlobal(callee.name)) return code(`new ${name}(${args(c, e.args)})`, P.call);
  return plainCall(c, e, name);
}

function builtinCall(c: Cx, e: ast.Call, name: string): Code {
  const [first, ...rest] = e.args;
  const isPlain = e.args.every(({ sort }) => sort === 'positional');
  if (name === 'print' && e.args.every(({ sort }) => sort === 'positional' || sort === 'star'))
    return code(`console.log(${printed(c, e.args)})`, P.call);
  if (name === 'new' && first !== undefined) {
    const decl = first.value.kind === 'NameRef' ? declarationOf(c, c.u.names.binding(first.value)) : undefined;
    if (decl?.kind === 'Archetype') return construction(c, decl, expr(c, first.value), rest);
    return code(`new ${at(gen(c, first.value), P.primary)}(${args(c, rest)})`, P.call);
  }
  if (name === 'unsafe_html' && first !== undefined)
    return code(`${lang(c.u, 'html')}(${expr(c, first.value)})`, P.call);
  if (name === 'isinstance' && rest[0] !== undefined && first !== undefined) {
    const type = rest[0].value;
    const types = type.kind === 'TupleExpr' ? `[${type.items.map((item) => expr(c, item)).join(', ')}]` : expr(c, type);
    return code(`${lang(c.u, 'isinstance')}(${expr(c, first.value)}, ${types})`, P.call);
  }
  if (name === 'iter' && isPlain && first !== undefined && rest.length === 0)
    return code(`${lang(c.u, 'iter')}(${expr(c, first.value)})[Symbol.iterator]()`, P.call);
  if (name === 'len' && isPlain && first !== undefined && rest.length === 0) return lengthOf(c, first.value);
  if (name === 'super') return code('super', P.primary);
  if (isConstructedGlobal(name)) return code(`new ${name}(${args(c, e.args)})`, P.call);
  if ((name === 'str' || name === 'repr') && isPlain && first !== undefined && rest.length === 0) {
    const typed = typedTextCall(c, first.value, expr(c, first.value));
    if (typed !== undefined) return code(typed, P.call);
  }
  const helper = name === 'pow' && e.args.length === 3 ? lang(c.u, 'powmod') : builtin(c, name);
  if (isExceptionName(name)) return code(`new ${helper}(${args(c, e.args)})`, P.call);
  if (isPlain || e.args.every(({ sort }) => sort === 'positional' || sort === 'star'))
    return code(`${helper}(${args(c, e.args)})`, P.call);
  const named = e.args.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  const positions = e.args.filter(({ sort }) => sort === 'positional' || sort === 'star');
  return code(`${helper}.$kw([${args(c, positions)}], ${namedObject(c, named)})`, P.call);
}

/** Arguments of `print`: the console itself would write floats and tuples as JavaScript does. */
function printed(c: Cx, list: readonly ast.Argument[]): string {
  return list
    .map((one) => {
      const written = args(c, [one]);
      return (one.sort === 'positional' ? typedTextCall(c, one.value, written) : undefined) ?? written;
    })
    .join(', ');
}

function lengthOf(c: Cx, e: ast.Expression): Code {
  const type = c.u.types.of(e);
  if (type.t === 'list' || type.t === 'tuple' || e.kind === 'ListExpr')
    return code(`${at(gen(c, e), P.call)}.length`, P.call);
  return code(`${lang(c.u, 'len')}(${expr(c, e)})`, P.call);
}

/** A call by its name that only the server knows how to answer. */
export function absent(c: Cx, name: string): string {
  return `${wire(c.u, 'absent')}(${quote(name)})`;
}
