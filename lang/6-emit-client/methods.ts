/** Calls of members. Where a name means different things in Python and JavaScript, the kind of the receiver decides, at run time where it must. */

import type * as ast from '../1-parse/ast.ts';
import { conventionOf, isComponent } from '../2-resolve/components.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { quote } from '../5-emit/identifiers.ts';
import {
  args,
  construction,
  declarationOf,
  isClassName,
  isConstructedGlobal,
  namedObject,
  plainCall,
  positional,
  withoutSelf,
} from './calls.ts';
import { isOfClass } from './classes.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, lang, mark } from './cx.ts';
import { entriesOf, expr, gen, helperOn, iterated, keysOf, mayEnd } from './expressions.ts';
import { type Kind, kindOf } from './kinds.ts';
import { isExceptionName } from './names.ts';
import { ownOfComponent, propertyCode } from './properties.ts';
import { argumentsWithoutForm, withTypedTexts } from './typed-texts.ts';

// Methods of str, list, dict, set and bytes. Any other name is a member of JavaScript.
const names = {
  str:
    'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit ' +
    'isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace ' +
    'rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  list: 'append clear copy count extend index insert pop remove reverse sort',
  dict: 'clear copy get items keys pop popitem setdefault update values',
  set:
    'add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove ' +
    'symmetric_difference union update',
  bytes: 'decode hex',
};

const python: ReadonlySet<string> = new Set(Object.values(names).flatMap((list) => list.split(' ')));

// Those of them that stand apart from the others in the runtime.
const rare: ReadonlySet<string> = new Set('expandtabs format_map isprintable istitle translate'.split(' '));

// Methods of numbers.
const ofNumbers: ReadonlySet<string> = new Set(['bit_length', 'bit_count', 'is_integer', 'as_integer_ratio']);

const own: Partial<Record<Kind, ReadonlySet<string>>> = {
  str: new Set(names.str.split(' ')),
  list: new Set(names.list.split(' ')),
  dict: new Set(names.dict.split(' ')),
  set: new Set(names.set.split(' ')),
};

export function methodCall(c: Cx, e: ast.Call, callee: ast.Attribute): Code {
  return withTypedTexts(c, argumentsWithoutForm(e), () => memberCall(c, e, callee));
}

/** `str.strip`, `dict.fromkeys`: a method of a built-in type as a function. */
export function methodOfType(c: Cx, { object, name }: ast.Attribute): string | undefined {
  if (object.kind !== 'NameRef' || c.u.names.binding(object).sort !== 'builtin') return undefined;
  if (object.name === 'dict' && name.text === 'fromkeys') return lang(c.u, 'fromkeys');
  if (object.name === 'str' && name.text === 'maketrans') return lang(c.u, 'maketrans');
  const isMethod = own[object.name as Kind]?.has(name.text) === true;
  return isMethod ? `${lang(c.u, 'unbound')}(${quote(name.text)})` : undefined;
}

function memberCall(c: Cx, e: ast.Call, callee: ast.Attribute): Code {
  const { object } = callee;
  const name = callee.name.text;
  const cell = ownOfComponent(c, callee);
  if (cell !== undefined) return plainCall(c, e, cell);
  const unbound = methodOfType(c, callee);
  if (unbound !== undefined) return plainCall(c, e, unbound);
  if (isSuper(object)) return superCall(c, e, name);
  const decl = memberDeclaration(c, callee);
  if (decl?.kind === 'FunctionDecl' && isComponent(decl) && conventionOf(decl, c.u.link.plan) === 'parts')
    return plainCall(c, { ...e, args: [] }, `${at(propertyCode(c, callee), P.call)}`);
  const receiver = gen(c, object);
  if (
    object.kind === 'NameRef' &&
    isConstructedGlobal(object.name) &&
    name === 'new' &&
    c.u.names.binding(object).sort === 'unresolved'
  )
    return code(`new ${object.name}(${args(c, e.args)})`, P.call);
  if (name === 'new' && object.kind === 'NameRef' && (/^[A-Z]/.test(object.name) || isScriptExport(c, object)))
    return code(`new ${at(receiver, P.call)}(${args(c, e.args)})`, P.call);
  const kind = kindOf(c, object);
  const isNamed = e.args.some(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  const isSafe = callee.safe || mayEnd(object);
  if (!isNamed && !isSafe) {
    const direct = directly(c, kind, name, e, receiver);
    if (direct !== undefined) return direct;
  }
  const list = (): string[] => (e.args.length === 0 ? [] : [args(c, e.args)]);
  if (generatorNames.has(name) && !isNamed && !callee.safe && mayBeGenerator(c, object))
    return helperOn(c, 'generatorMethod', object, receiver, [quote(name), ...list()], isSafe);
  if (ofNumbers.has(name) && e.args.length === 0 && /^(number|bool|unknown)$/.test(kind))
    return helperOn(c, 'numberMethod', object, receiver, [quote(name)], isSafe);
  const method = methodOfClass(c, object, name);
  if (method !== undefined) {
    const given = positional(c, withoutSelf(method), e.args);
    return code(`${at(receiver, P.call)}${callee.safe ? '?.' : '.'}${mark(c, callee.name)}${name}(${given})`, P.call);
  }
  const mayBePython =
    python.has(name) &&
    !isScript(c, object) &&
    (kind === 'unknown' || kind === 'member' || own[kind]?.has(name) === true || kind === 'none');
  // A call with keywords keeps the object: functions of JavaScript ask for their `this`.
  if (isNamed) {
    const positions = e.args.filter(({ sort }) => sort === 'positional' || sort === 'star');
    const named = namedObject(
      c,
      e.args.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar'),
    );
    return helperOn(c, 'methodKw', object, receiver, [quote(name), `[${args(c, positions)}]`, named], isSafe);
  }
  if (mayBePython)
    return helperOn(c, rare.has(name) ? 'rareMethod' : 'method', object, receiver, [quote(name), ...list()], isSafe);
  const member = `${at(receiver, P.call)}${callee.safe ? '?.' : '.'}${mark(c, callee.name)}${name}`;
  const holder = foreignHolder(c, object, name);
  if (holder === undefined || (holder === 'object' && callee.safe)) return plainCall(c, e, member);
  const [invoke, ...called] =
    holder === 'module' ? ['invoke', member] : ['invokeMember', at(receiver, P.assign), quote(name)];
  return code(`${lang(c.u, invoke!)}(${[...called, ...list()].join(', ')})`, P.call);
}

const generatorNames: ReadonlySet<string> = new Set(['send', 'throw', 'close']);

/** In a module without `yield` a value of unknown type is taken for none. */
function mayBeGenerator(c: Cx, e: ast.Expression): boolean {
  const { t } = c.u.types.of(e);
  return t === 'iterator' || (t === 'any' && c.u.module.sources.some(({ text }) => /\byield\b/.test(text)));
}

/** `THREE.Scene()`, `datetime.date(…)`, `Phaser.Game(…)`: what a module, or an object of one, calls so may be a class, which is constructed without `new` here. */
function foreignHolder(c: Cx, object: ast.Expression, name: string): 'module' | 'object' | undefined {
  if (object.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(object);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  if (target?.of === 'builtin') return target.member === undefined && isClassName(name) ? 'module' : undefined;
  if (target?.of !== 'js' || !/^[A-Z]/.test(name)) return undefined;
  return target.member === undefined || target.member === '*' ? 'module' : 'object';
}

/** A module of JavaScript or a global of the browser: `fs.get`, `localStorage.get`. What a module exports may be a list, a text or a dict. */
function isScript(c: Cx, e: ast.Expression): boolean {
  if (e.kind !== 'NameRef') return false;
  const binding = c.u.names.binding(e);
  if (binding.sort === 'unresolved') return true;
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  if (target?.of === 'js') return target.member === undefined || target.member === '*';
  return target?.of === 'builtin';
}

/** Is it an export of JavaScript, as `jsPDF` of `jspdf`, whose name says nothing about its kind? */
function isScriptExport(c: Cx, e: ast.NameRef): boolean {
  const binding = c.u.names.binding(e);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  return target?.of === 'js' && target.member !== undefined && target.member !== '*';
}

/** A method as a value, `onClick={store.add}`, `key=prices.get`: it keeps its object. A dict may have a field of the name instead. */
export function boundMethod(c: Cx, e: ast.Attribute): Code | undefined {
  if (e.safe) return undefined;
  const name = e.name.text;
  const kind = kindOf(c, e.object);
  const isBuiltIn = kind === 'dict' ? name === 'get' : own[kind]?.has(name) === true;
  if (isBuiltIn) return code(`${lang(c.u, 'boundOfType')}(${expr(c, e.object)}, ${quote(name)})`, P.call);
  const method = methodOfClass(c, e.object, name);
  if (method === undefined || isSuper(e.object) || !takesObject(c, e.object, method)) return undefined;
  return code(`${lang(c.u, 'bound')}(${expr(c, e.object)}, ${mark(c, e.name)}${quote(name)})`, P.call);
}

/** Does a call of the method by itself miss the object, or the class, that it is of? A property is no method, and objects give those of their class as values. */
function takesObject(c: Cx, object: ast.Expression, method: ast.FunctionDecl): boolean {
  const sort = isOfClass(method);
  if (sort === 'static' || method.decorators.some(isAccessor)) return false;
  return (sort === 'class') === (c.u.types.of(object).t === 'class');
}

function isAccessor(e: ast.Expression): boolean {
  return e.kind === 'Attribute' || (e.kind === 'NameRef' && e.name === 'property');
}

/** Methods of values of a known kind that JavaScript has under another name, or does just so. */
function directly(c: Cx, kind: Kind, name: string, e: ast.Call, receiver: Code): Code | undefined {
  const owner = at(receiver, P.call);
  const given = e.args.map(({ value }) => expr(c, value));
  if (e.args.some(({ sort }) => sort !== 'positional')) return undefined;
  const [first] = given;
  const count = given.length;
  if (kind === 'str') {
    const same = sameInText[name];
    const isAffix = name === 'startswith' || name === 'endswith';
    if (isAffix && e.args[0] !== undefined && kindOf(c, e.args[0].value) === 'list') return undefined;
    if (same !== undefined && count === (isAffix ? 1 : 0)) return code(`${owner}.${same}(${given.join(', ')})`, P.call);
    if (name === 'replace' && count === 2) return code(`${owner}.replaceAll(${given.join(', ')})`, P.call);
    if (name === 'join' && count === 1) return code(`${listOf(c, e.args[0]!.value)}.join(${owner})`, P.call);
  }
  if (kind === 'number' && name === 'is_integer') return code(`Number.isInteger(${at(receiver, P.assign)})`, P.call);
  if (kind === 'list') {
    if (name === 'append' && count === 1) return code(`${owner}.push(${first})`, P.call);
    if (name === 'pop' && count === 0) return code(`${owner}.pop()`, P.call);
    if (name === 'copy' && count === 0) return code(`[...${owner}]`, P.primary);
  }
  if (kind === 'dict') {
    if (name === 'keys' && count === 0) return code(keysOf(c, (e.callee as ast.Attribute).object), P.call);
    if (name === 'values' && count === 0) return code(`Object.values(${at(receiver, P.assign)})`, P.call);
    if (name === 'items' && count === 0) return code(entriesOf(c, (e.callee as ast.Attribute).object), P.call);
  }
  return undefined;
}

/** Code of the array that a text joins, to be followed by a member. */
function listOf(c: Cx, e: ast.Expression): string {
  if (e.kind === 'Comprehension' && e.sort === 'generator') return at(gen(c, { ...e, sort: 'list' }), P.call);
  const kind = kindOf(c, e);
  if (kind === 'list') return at(gen(c, e), P.call);
  return kind === 'unknown' ? `${lang(c.u, 'array')}(${expr(c, e)})` : `[...${iterated(c, e)}]`;
}

const sameInText: Readonly<Record<string, string>> = {
  upper: 'toUpperCase',
  lower: 'toLowerCase',
  strip: 'trim',
  lstrip: 'trimStart',
  rstrip: 'trimEnd',
  startswith: 'startsWith',
  endswith: 'endsWith',
};

function isSuper(e: ast.Expression): boolean {
  return (
    (e.kind === 'SpecialRef' && e.word === 'super') ||
    (e.kind === 'Call' && e.callee.kind === 'SpecialRef' && e.callee.word === 'super')
  );
}

/** `super.init(…)` is the constructor of the base: its `init`, or the one that takes its fields. */
function superCall(c: Cx, e: ast.Call, name: string): Code {
  const base = c.cls === undefined ? undefined : c.u.types.classOf(c.cls).bases[0];
  const isInit = name === 'init' || name === '__init__';
  const method = (isInit ? (base?.methods.get('init') ?? base?.methods.get('__init__')) : base?.methods.get(name))
    ?.decl;
  const list = method?.kind === 'FunctionDecl' ? positional(c, withoutSelf(method), e.args) : args(c, e.args);
  if (!isInit) {
    const isText = name === '__str__' && method === undefined && isException(c);
    return isText ? code('this.message', P.call) : code(`super.${name}(${list})`, P.call);
  }
  if (c.fn.defaults !== undefined) {
    const begins = [`super(${list})`, ...c.fn.defaults];
    return code(begins.join(', '), begins.length > 1 ? P.comma : P.call);
  }
  if (isExceptionAbove(c)) return code(`super.$args(${list})`, P.call);
  const [written] = c.cls?.bases ?? [];
  if (method !== undefined || base?.decl?.kind !== 'Archetype' || written === undefined)
    return code(`super.$init(${list})`, P.call);
  const fields = construction(c, base.decl, at(gen(c, written), P.call), e.args);
  return code(`Object.assign(this, ${at(fields, P.assign)})`, P.call);
}

/** Does `super.init` lead past classes of the program to an exception of the language? */
function isExceptionAbove({ u, cls }: Cx): boolean {
  const bases = cls === undefined ? [] : u.types.classOf(cls).bases;
  const hasInit = bases.some(({ decl }) => decl?.kind === 'Archetype' && (decl.members ?? []).some(isInit));
  return !hasInit && bases.some(isExceptionBase);
}

/** Is the class an exception? */
function isException({ u, cls }: Cx): boolean {
  return cls !== undefined && u.types.classOf(cls).bases.some(isExceptionBase);
}

function isExceptionBase({ kind, name }: ClassInfo): boolean {
  return kind === 'runtime' && isExceptionName(name);
}

function isInit(member: ast.Member): boolean {
  return member.kind === 'FunctionDecl' && (member.name?.text === 'init' || member.name?.text === '__init__');
}

/** The declaration that `kit.show` of a module means. */
function memberDeclaration(c: Cx, e: ast.Attribute): ast.Node | undefined {
  if (e.object.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e.object);
  if (binding.sort !== 'module' || binding.import?.of !== 'module') return undefined;
  const member = c.u.link.namesOf(binding.import.module).bindings.get(e.name.text);
  return member === undefined ? undefined : declarationOf(c, member);
}

function methodOfClass(c: Cx, object: ast.Expression, name: string): ast.FunctionDecl | undefined {
  if (object.kind === 'SpecialRef' && object.word === 'self' && c.cls !== undefined) {
    const found = c.u.types.classOf(c.cls).methods.get(name)?.decl;
    return found?.kind === 'FunctionDecl' ? found : undefined;
  }
  const type = c.u.types.of(object);
  const cls = type.t === 'instance' || type.t === 'class' ? type.cls : undefined;
  const decl = cls?.methods.get(name)?.decl;
  return decl?.kind === 'FunctionDecl' ? decl : undefined;
}
