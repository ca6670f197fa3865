/** Requests of client code to the server: walks, calls of functions, and the types of what comes back. */
import type * as ast from '../1-parse/ast.ts';
import { deferred, deferring } from '../2-resolve/deferred-calls.ts';
import { quote } from '../5-emit/identifiers.ts';
import { args, declarationOf, namedObject } from './calls.ts';
import { type Code, code, P } from './code.ts';
import { type Cx, imported, type Unit, unique, wire } from './cx.ts';
import { endpointOf } from './endpoint.ts';
import { expr, member } from './expressions.ts';

/** Is the walk one of the server? Walkers that are declared on the client would run there. */
export function isRemoteSpawn(c: Cx, e: ast.Spawn): boolean {
  const { decl } = walkerSide(c, e);
  return decl === undefined || !c.u.link.plan.isHere(decl);
}

interface Sides {
  /** The construction of the walker, or what stands for one. */
  readonly walker: ast.Expression;
  readonly at: ast.Expression | undefined;
  readonly decl: ast.Archetype | undefined;
  readonly module: string;
}

function walkerSide(c: Cx, { left, right }: ast.Spawn): Sides {
  const [l, r] = [left === undefined ? undefined : namedWalker(c, left), namedWalker(c, right)];
  if (left !== undefined && l !== undefined && (l.decl !== undefined || r === undefined))
    return { walker: left, at: right, ...l };
  return { walker: right, at: left, decl: r?.decl, module: r?.module ?? c.u.module.id };
}

/** The walker that an operand names: a declaration of the program, or a name nobody declares, which the server may know. */
function namedWalker(c: Cx, e: ast.Expression): { decl: ast.Archetype | undefined; module: string } | undefined {
  const name = e.kind === 'Call' ? e.callee : e;
  if (name.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(name);
  if (binding.sort === 'unresolved') return e.kind === 'Call' ? { decl: undefined, module: c.u.module.id } : undefined;
  const declared =
    binding.sort === 'module'
      ? binding.role === 'import'
        ? c.u.link.follow(binding)
        : binding
      : binding.sort === 'local' && binding.import?.of === 'member'
        ? c.u.link.namesOf(binding.import.module).bindings.get(binding.import.member)
        : undefined;
  const decl = declared?.decl;
  return decl?.kind === 'Archetype' && decl.archetype === 'walker' ? { decl, module: declared!.module } : undefined;
}

export function spawn(c: Cx, e: ast.Spawn): Code {
  const spawned = wire(c.u, 'spawn');
  return code(`await ${walkCall(spawned, walkParts(c, e))}`, P.unary);
}

/** Code of what `async for` goes through: a walk may have ended without a stream, and gives its reports then. */
export function eachOf(c: Cx, e: ast.Expression): string {
  return e.kind === 'Call' ? expr(c, e) : `${wire(c.u, 'each')}(${expr(c, e)})`;
}

interface WalkParts {
  readonly descriptor: string;
  readonly fields: string;
  /** Place where it begins, empty for the root. */
  readonly place: string;
}

/** A walk as the runtime takes it. */
function walkParts(c: Cx, e: ast.Spawn): WalkParts {
  const { walker, at, decl, module } = walkerSide(c, e);
  const name = walker.kind === 'Call' ? walker.callee : walker;
  const descriptor =
    decl !== undefined
      ? walkerDescriptor(c.u, decl.name.text, decl, module)
      : name.kind === 'NameRef' && c.u.names.binding(name).sort === 'unresolved'
        ? unknownWalker(c.u, name.name)
        : expr(c, name);
  const fields = walker.kind === 'Call' ? fieldsOf(c, walker, decl, module) : '{}';
  const place = at === undefined || (at.kind === 'SpecialRef' && at.word === 'root') ? '' : expr(c, at);
  return { descriptor, fields, place };
}

function unknownWalker({ asks }: Unit, name: string): string {
  asks.add(name);
  return quote(name);
}

function walkCall(spawned: string, { descriptor, fields, place }: WalkParts): string {
  const rest = fields === '{}' && place === '' ? '' : `, ${fields}${place === '' ? '' : `, ${place}`}`;
  return `${spawned}(${descriptor}${rest})`;
}

/**
 * `live(…)` and `useAction(…)` of a walk, or of a call of a function of the server: hooks of the runtime that ask for
 * it themselves. Undefined where they are given anything else.
 */
export function deferredCall(c: Cx, e: ast.Call): Code | undefined {
  const word = deferring(c.u.names, e);
  const asked = word === undefined ? undefined : deferred(e)!;
  if (asked === undefined) return undefined;
  const decl = asked.kind === 'Call' ? remoteCallee(c, asked) : undefined;
  if (asked.kind === 'Call' && decl === undefined && word === 'live') return undefined;
  const run = hookOf(c, word === 'live' ? 'useLive' : 'useAction');
  const options = e.args.length === 1 ? '' : `, ${optionsOf(c, e.args.slice(1))}`;
  if (word === 'live') {
    const { descriptor, fields, place } =
      asked.kind === 'Spawn'
        ? walkParts(c, asked)
        : { descriptor: `{ function: ${quote(decl!.name!.text)} }`, fields: callFields(c, asked, decl!), place: '' };
    const at = place === '' ? (options === '' ? '' : ', undefined') : `, ${place}`;
    const given = fields === '{}' && at === '' && options === '' ? '' : `, ${fields}`;
    return code(`${run}(${descriptor}${given}${at}${options})`, P.call);
  }
  return code(`${run}(${actionOf(c, asked, decl)}${options})`, P.call);
}

/** The function that an action runs. What it is given takes the place of fields that were written. */
function actionOf(c: Cx, asked: ast.Spawn | ast.Call, decl: ast.FunctionDecl | undefined): string {
  if (asked.kind === 'Spawn') {
    const spawned = wire(c.u, 'spawn');
    const parts = walkParts(c, asked);
    return `($given) => ${walkCall(spawned, { ...parts, fields: withGiven(parts.fields) })}`;
  }
  if (decl === undefined) return `() => ${expr(c, asked)}`;
  return `($given) => ${expr(c, asked.callee, P.call)}(${wire(c.u, 'named')}(${withGiven(callFields(c, asked, decl))}))`;
}

function withGiven(fields: string): string {
  if (!fields.startsWith('{')) return `{ ...${fields}, ...$given }`;
  return fields === '{}' ? '$given' : `${fields.slice(0, -2)}, ...$given }`;
}

/** `items.optimistic(change, root spawn W())`: the change is shown before the answer, so that the walk itself is given. */
export function optimisticCall(c: Cx, e: ast.Call): Code | undefined {
  const { callee, args: given } = e;
  if (callee.kind !== 'Attribute' || callee.name.text !== 'optimistic') return undefined;
  const [change, write] = given.map(({ value }) => value);
  if (given.length !== 2 || write?.kind !== 'Spawn' || !isRemoteSpawn(c, write)) return undefined;
  const type = c.u.types.of(callee.object);
  // Types of the server's answers are claims, which code does not depend on.
  if (type.t === 'instance' && type.cls.kind !== 'foreign') return undefined;
  return code(
    `${expr(c, callee, P.call)}(${expr(c, change!)}, ${walkCall(wire(c.u, 'spawn'), walkParts(c, write))})`,
    P.call,
  );
}

function remoteCallee(c: Cx, { callee }: ast.Call): ast.FunctionDecl | undefined {
  const binding = callee.kind === 'NameRef' ? c.u.names.binding(callee) : undefined;
  const decl = binding === undefined ? undefined : declarationOf(c, binding);
  return decl?.kind === 'FunctionDecl' && isRemoteFunction(c, decl) ? decl : undefined;
}

/** Fields that a call sends, as an object. */
function callFields(c: Cx, { callee, args: list }: ast.Call, decl: ast.FunctionDecl): string {
  if (list.length === 0 || !isGathered(decl, list)) return byName(c, decl, list);
  return `${expr(c, callee, P.call)}.$fields(${sorted(c, list)})`;
}

function byName(c: Cx, decl: ast.FunctionDecl, list: readonly ast.Argument[]): string {
  const places = byPlace(decl);
  const named = list.map(
    (one, i): ast.Argument => (one.sort === 'positional' ? { ...one, sort: 'keyword', name: places[i]?.name } : one),
  );
  return namedObject(c, named);
}

/** Parameters that arguments by position fill. */
function byPlace({ signature: { params } }: ast.FunctionDecl): readonly ast.Param[] {
  const end = params.findIndex(({ sort }) => sort === 'star' || sort === 'bare' || sort === 'doublestar');
  return (end < 0 ? params : params.slice(0, end)).filter(({ sort }) => sort === 'plain');
}

/** Further arguments: an object of options, or keywords that make one. */
function optionsOf(c: Cx, list: readonly ast.Argument[]): string {
  const [first] = list;
  return list.length === 1 && first!.sort === 'positional' ? expr(c, first!.value) : namedObject(c, list);
}

function hookOf(c: Cx, name: string): string {
  return imported(c.u, '@svc/runtime/live', name, name);
}

function fieldsOf(c: Cx, e: ast.Call, decl: ast.Archetype | undefined, module: string): string {
  const order = decl === undefined ? [] : c.u.link.typesOf(module).classOf(decl).constructorFields;
  const parts = e.args.map(({ sort, name, value }, i) => {
    if (sort === 'doublestar') return `...${expr(c, value)}`;
    const key = name?.text ?? order[i]?.name ?? `arg${i}`;
    return member(key, expr(c, value));
  });
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** Is it a function that only the server has? */
export function isRemoteFunction(c: Cx, decl: ast.FunctionDecl): boolean {
  return !c.u.link.plan.isHere(decl) && !isNested(c, decl);
}

/** A function inside of another is where its owner is. */
function isNested(c: Cx, decl: ast.FunctionDecl): boolean {
  const { name } = decl;
  return name !== undefined && c.u.names.binding(name).sort === 'local';
}

/**
 * A call of a function that only the server has. Arguments by position go so, and the descriptor knows their names; keywords and `**` make an
 * object of names. Where parameters gather, the runtime finds out which argument is whose.
 */
export function remoteCall(c: Cx, name: string, decl: ast.FunctionDecl, list: readonly ast.Argument[]): string {
  if (isByPosition(list)) return `${name}(${args(c, list)})`;
  return isGathered(decl, list)
    ? `${name}.$kw(${sorted(c, list)})`
    : `${name}(${wire(c.u, 'named')}(${byName(c, decl, list)}))`;
}

function isByPosition(list: readonly ast.Argument[]): boolean {
  return list.every(({ sort }) => sort === 'positional' || sort === 'star');
}

/** Does it depend on the values which parameter takes which argument? */
function isGathered({ signature }: ast.FunctionDecl, list: readonly ast.Argument[]): boolean {
  const gathers = ({ sort }: { readonly sort: string }) => sort === 'star' || sort === 'doublestar';
  return signature.params.some(gathers) || list.some(({ sort }) => sort === 'star');
}

/** Arguments by position and those by name. */
function sorted(c: Cx, list: readonly ast.Argument[]): string {
  const byPosition = list.filter(({ sort }) => sort === 'positional' || sort === 'star');
  const others = list.filter(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  return `[${args(c, byPosition)}], ${namedObject(c, others)}`;
}

export function walkerDescriptor(u: Unit, name: string, decl: ast.Archetype, module: string): string {
  u.asks.add(name);
  return described(u, `walker ${module}.${name}`, name, () => {
    const fields = fieldNames(u, decl, module);
    const info = [...(fields === '' ? [] : [`fields: [${fields}]`]), ...endpointOf(u.link, module, decl)].join(', ');
    return `${wire(u, 'walker')}(${quote(name)}${info === '' ? '' : `, { ${info} }`})`;
  });
}

export function functionDescriptor(u: Unit, name: string, decl: ast.FunctionDecl, module: string): string {
  u.asks.add(name);
  return described(u, `function ${module}.${name}`, name, () => {
    const { params } = decl.signature;
    const places = byPlace(decl);
    const nameOf = (wanted: ast.Param['sort']) => params.find(({ sort }) => sort === wanted)?.name?.text;
    const [rest, more] = [nameOf('star'), nameOf('doublestar')];
    const byNameAlone = params.filter((param) => param.sort === 'plain' && !places.includes(param));
    const names = (list: readonly ast.Param[]) => `[${list.map(({ name }) => quote(name?.text ?? '')).join(', ')}]`;
    const info = [
      `params: ${names(places)}`,
      ...(more === undefined || byNameAlone.length === 0 ? [] : [`named: ${names(byNameAlone)}`]),
      ...(rest === undefined ? [] : [`rest: ${quote(rest)}`]),
      ...(more === undefined ? [] : [`more: ${quote(more)}`]),
      ...endpointOf(u.link, module, decl),
    ];
    return `${wire(u, 'remote')}(${quote(name)}, { ${info.join(', ')} })`;
  });
}

/** A class for objects of a type of the server, so that `isinstance` knows what came over the wire. */
export function typeStub(u: Unit, name: string, decl: ast.Archetype, module: string): string {
  return described(
    u,
    `type ${module}.${name}`,
    name,
    () => `${wire(u, 'stub')}(${quote(name)}, [${fieldNames(u, decl, module)}])`,
  );
}

/** The constant at the head of the module that stands for a declaration of the server, written at its first use. */
function described(u: Unit, key: string, name: string, write: () => string): string {
  const known = u.descriptors.get(key);
  if (known !== undefined) return known.local;
  const local = unique(u, name);
  u.descriptors.set(key, { local, code: `const ${local} = ${write()};` });
  return local;
}

function fieldNames(u: Unit, decl: ast.Archetype, module: string): string {
  const { constructorFields } = u.link.typesOf(module).classOf(decl);
  return constructorFields.map((field) => quote(field.name)).join(', ');
}
