/** Calls of built-in functions: forms of their own where the compiler knows more than the runtime, else the function itself. */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { dynamicFunction } from './calls.ts';
import { anyAll, asList } from './comprehensions.ts';
import { type Cx, mark, standardMember, standardModule, temp, withCodes } from './context.ts';
import { expr, inOrder, runtime, waited, wholeIterable } from './expressions.ts';
import { hintOf, hintsOfItems } from './hints.ts';
import { quote } from './identifiers.ts';
import { interval } from './integers.ts';
import { guard } from './kind-methods.ts';
import { isFloat, isListCode, isNumber, isSure, mainTypeOf, typeOf } from './kinds.ts';
import { builtinValue, localCode } from './names.ts';
import { operand, operands, typeTest } from './operators.ts';
import { condition } from './truth.ts';
import { typeList, typeValue } from './type-values.ts';

type Form = (c: Cx, e: ast.Call, args: readonly ast.Expression[]) => string | undefined;

/** Called with positional arguments only; undefined: the general form. */
const forms: Readonly<Record<string, Form>> = {
  len: length,
  str: (c, e, args) => (args.length === 1 ? textOf(c, args[0]!, mark(c, e), e) : undefined),
  repr: (c, e, args) => (args.length === 1 ? hinted(c, `${mark(c, e)}${runtime(c, e)}.repr`, args[0]!) : undefined),
  ascii: (c, e, args) => (args.length === 1 ? hinted(c, `${mark(c, e)}${runtime(c, e)}.ascii`, args[0]!) : undefined),
  format: formatted,
  type: (c, e, args) => (args.length === 1 ? hinted(c, `${mark(c, e)}$.b.type`, args[0]!) : undefined),
  isinstance: isInstance,
  bool: (c, _e, args) => (args.length === 1 ? condition(c, args[0]!) : args.length === 0 ? 'false' : undefined),
  float: toFloat,
  abs: absolute,
  pow: (c, e, args) =>
    args.length === 2 && args.some((arg) => isFloat(c, arg)) ? `${mark(c, e)}$.powf(${codes(c, args)})` : undefined,
  min: (c, e, args) => extreme(c, e, args, '<'),
  max: (c, e, args) => extreme(c, e, args, '>'),
  range: (c, e, args) =>
    args.length >= 1 && args.length <= 3 ? `${mark(c, e)}${runtime(c, e)}.range(${codes(c, args)})` : undefined,
  any: (c, _e, args) => (args.length === 1 ? anyAll(c, args[0]!, true) : undefined),
  all: (c, _e, args) => (args.length === 1 ? anyAll(c, args[0]!, false) : undefined),
  hasattr: (c, e, args) =>
    args.length === 2 ? `${mark(c, e)}${runtime(c, e)}.hasattr(${ofAttribute(c, args)})` : undefined,
  getattr: (c, e, args) =>
    args.length === 2 ? `${mark(c, e)}${runtime(c, e)}.getattr(${ofAttribute(c, args)})` : undefined,
  setattr: (c, e, args) =>
    args.length === 3
      ? `(${waited(c, e, `${mark(c, e)}${runtime(c, e)}.setattr(${ofAttribute(c, args)})`)}, null)`
      : undefined,
  globals: (c, _e, args) => (args.length === 0 ? moduleVariables(c) : undefined),
  locals: (c, _e, args) => (args.length === 0 ? localVariables(c) : undefined),
  get_module_walkers: (c, e) => `${mark(c, e)}$.get_module_walkers(${quote(c.u.id)})`,
  get_module_functions: (c, e) => `${mark(c, e)}$.get_module_functions(${quote(c.u.id)})`,
  new: (c, e, args) =>
    args.length > 0 ? `${mark(c, e)}new (${expr(c, args[0]!)})(${codes(c, args.slice(1))})` : undefined,
  __import__: (c, _e, args) => (args[0]?.kind === 'StringLiteral' ? standardModule(c.u, args[0].value) : undefined),
};

/** Arguments whose second is the name of an attribute, which may be no text. */
function ofAttribute(c: Cx, args: readonly ast.Expression[]): string {
  const [object, name, ...more] = args.map((arg) => expr(c, arg));
  const isText = mainTypeOf(c, args[1]!).t === 'str';
  return [object, isText ? name : `$.attributeText(${name})`, ...more].join(', ');
}

/** A generator expression as only argument of these is the same as a list. */
const consumers = new Set(['list', 'set', 'frozenset', 'tuple', 'sum', 'sorted', 'min', 'max', 'dict']);

export function builtinCall(c: Cx, e: ast.Call, name: string): string {
  if (name === 'print') return printed(c, e);
  const positional = e.args.every((arg) => arg.sort === 'positional');
  const values = e.args.map((arg) => arg.value);
  if (positional) {
    const code = forms[name]?.(c, e, values);
    if (code !== undefined) return mark(c, e) + code;
  }
  const first = values[0];
  if (
    consumers.has(name) &&
    first?.kind === 'Comprehension' &&
    first.sort === 'generator' &&
    e.args[0]!.sort === 'positional'
  ) {
    // A loop in front of the statement may have made the list already.
    const known = c.u.computed.get(first);
    const list = known ?? asList(c, first);
    if (name === 'list' && values.length === 1) return list;
    c.u.computed.set(first, list);
    const code =
      mark(c, e) + (directCode(c, e, name) ?? dynamicFunction(c, builtinValue(c, name), e.args, runtime(c, e)));
    if (known === undefined) c.u.computed.delete(first);
    return code;
  }
  return mark(c, e) + (directCode(c, e, name) ?? dynamicFunction(c, builtinValue(c, name), e.args, runtime(c, e)));
}

/** Slots of built-in functions that are called without the dynamic protocol. */
interface Slots {
  /** Least and most positional arguments; `all`: they go into the first slot as an array. */
  readonly positional: readonly [number, number] | 'all';
  /** Names of the slots, undefined where only a position will do. */
  readonly names: readonly (string | undefined)[];
}

const one: Slots = { positional: [1, 1], names: [undefined] };
const optional: Slots = { positional: [0, 1], names: [undefined] };
const two: Slots = { positional: [2, 2], names: [undefined, undefined] };

const slots: Readonly<Record<string, Slots>> = {
  ...Object.fromEntries(
    'len abs hash id ord chr bin oct hex callable iter reversed any all repr'.split(' ').map((name) => [name, one]),
  ),
  ...Object.fromEntries('list tuple set frozenset dict input'.split(' ').map((name) => [name, optional])),
  ...Object.fromEntries('divmod filter map issubclass'.split(' ').map((name) => [name, two])),
  print: { positional: 'all', names: [undefined, 'sep', 'end', 'file', 'flush'] },
  min: { positional: 'all', names: [undefined, 'key', 'default'] },
  max: { positional: 'all', names: [undefined, 'key', 'default'] },
  zip: { positional: 'all', names: [undefined, 'strict'] },
  sorted: { positional: [1, 1], names: [undefined, 'key', 'reverse'] },
  sum: { positional: [1, 2], names: [undefined, 'start'] },
  enumerate: { positional: [1, 2], names: ['iterable', 'start'] },
  round: { positional: [1, 2], names: ['number', 'ndigits'] },
  pow: { positional: [2, 3], names: ['base', 'exp', 'mod'] },
  next: { positional: [1, 2], names: [undefined, undefined] },
  int: { positional: [0, 2], names: [undefined, 'base'] },
};

// Arguments that stand in slot order go straight into their slots.
function directCode(c: Cx, e: ast.Call, name: string): string | undefined {
  const known = slots[name];
  if (known === undefined || !Object.hasOwn(slots, name)) return undefined;
  const count = e.args.filter((arg) => arg.sort === 'positional').length;
  const { positional, names } = known;
  if (positional !== 'all' && (count < positional[0] || count > positional[1])) return undefined;
  const places: number[] = [];
  for (const [i, arg] of e.args.entries()) {
    if (arg.sort === 'positional') places.push(i);
    else if (arg.sort === 'keyword') places.push(names.indexOf(arg.name!.text));
    else return undefined;
  }
  const first = positional === 'all' ? count : 0;
  if (
    places
      .slice(first)
      .some((place, i, list) => place < (positional === 'all' ? 1 : 0) || (i > 0 && place <= list[i - 1]!))
  )
    return undefined;
  const values = e.args.map((arg) => expr(c, arg.value));
  const list: string[] = positional === 'all' ? [`[${values.slice(0, count).join(', ')}]`] : [];
  for (let i = first; i < values.length; i += 1) {
    while (list.length < places[i]!) list.push('undefined');
    list.push(values[i]!);
  }
  return `${calledBuiltin(c, e, name)}(${list.join(', ')})`;
}

function calledBuiltin(c: Cx, e: ast.Call, name: string): string {
  const code = builtinValue(c, name);
  return code.startsWith('$.b.') ? runtime(c, e) + code.slice(1) : code;
}

function codes(c: Cx, args: readonly ast.Expression[]): string {
  return args.map((arg) => expr(c, arg)).join(', ');
}

// All arguments are evaluated before the first is turned into text: `print(xs, xs.pop())` shows what is left.
function printed(c: Cx, e: ast.Call): string {
  const values = e.args.map((arg) => arg.value);
  const early = values.findIndex((value) => isMutableHint(hintOf(c, value)));
  if (early === -1 || !values.some((value, i) => i > early && mayChange(value))) return printedInTurn(c, e);
  const { before, codes } = e.args.some(({ sort }) => sort === 'star') ? inTurn(c, e) : inOrder(c, values);
  const pairs = values.map((value, i): [ast.Expression, string] => [value, codes[i]!]);
  return `(${before}${withCodes(c, pairs, () => printedInTurn(c, e))})`;
}

/** All arguments into variables, those with `*` as they are then. */
function inTurn(c: Cx, e: ast.Call): { before: string; codes: string[] } {
  let before = '';
  const codes = e.args.map(({ sort, value }) => {
    const t = temp(c);
    before += `${t} = ${sort === 'star' ? `[...$.iter(${wholeIterable(c, value)})]` : expr(c, value)}, `;
    return t;
  });
  return { before, codes };
}

/** Tells whether the hint is one of something that a later argument could change. */
function isMutableHint(hint: string | undefined): boolean {
  return hint !== undefined && /\{ (?:list|dict|set):/.test(hint);
}

const harmless = new Set(
  'len str repr type abs round sum sorted min max float int bool list tuple set dict isinstance id'.split(' '),
);

/** Could evaluating `node` change an object that another expression gave? Operators and attributes are taken to leave things alone. */
function mayChange(node: ast.Node): boolean {
  switch (node.kind) {
    case 'Call':
      if (node.callee.kind !== 'NameRef' || !harmless.has(node.callee.name)) return true;
      break;
    case 'Lambda':
    case 'FunctionExpr':
      return false;
    case 'Walrus':
    case 'Await':
    case 'Yield':
    case 'Flow':
    case 'Spawn':
    case 'Pipe':
    case 'Connect':
    case 'Disconnect':
      return true;
    default:
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= mayChange(child);
  });
  return found;
}

function printedInTurn(c: Cx, e: ast.Call): string {
  const shown = e.args.flatMap(({ sort, value }): [ast.Expression, string][] => {
    if (sort === 'positional') {
      const hint = hintOf(c, value);
      return hint === undefined ? [] : [[value, waited(c, e, `${runtime(c, e)}.str(${expr(c, value)}, ${hint})`)]];
    }
    const hints = sort === 'star' ? hintsOfItems(c, value) : undefined;
    return hints === undefined ? [] : [[value, `$.shown(${wholeIterable(c, value)}, ${hints})`]];
  });
  return withCodes(
    c,
    shown,
    () => mark(c, e) + (directCode(c, e, 'print') ?? dynamicFunction(c, '$.b.print', e.args, runtime(c, e))),
  );
}

/** `str(x)`, also for f-strings. */
export function textOf(c: Cx, e: ast.Expression, at = '', node: ast.Node = e): string {
  if (e.kind === 'StringLiteral' && !e.bytes) return quote(e.value);
  if (isSure(c, e, 'str')) return expr(c, e);
  // Other ints may have more digits than are written.
  if (interval(c, e) !== undefined) return `("" + ${expr(c, e)})`;
  const kind = mainTypeOf(c, e).t;
  if (kind === 'str') {
    const { before, code } = operand(c, e);
    return `(${before}${typeTest(code, 'string')} ? ${code} : ${waited(c, node, `${at}${runtime(c, node)}.str(${code})`)})`;
  }
  return waited(c, node, hinted(c, `${at}${runtime(c, node)}.str`, e));
}

/** A call with the float hint of the argument, if there is one. */
function hinted(c: Cx, code: string, e: ast.Expression): string {
  const hint = hintOf(c, e);
  return `${code}(${expr(c, e)}${hint === undefined ? '' : `, ${hint}`})`;
}

function formatted(c: Cx, e: ast.Call, args: readonly ast.Expression[]): string | undefined {
  if (args.length === 0 || args.length > 2) return undefined;
  const spec = args[1] === undefined ? '""' : expr(c, args[1]);
  const hint = hintOf(c, args[0]!);
  return `${mark(c, e)}${runtime(c, e)}.format(${expr(c, args[0]!)}, ${spec}${hint === undefined ? '' : `, ${hint}`})`;
}

function length(c: Cx, e: ast.Call, args: readonly ast.Expression[]): string | undefined {
  const [arg] = args;
  if (arg === undefined || args.length !== 1) return undefined;
  const at = mark(c, e);
  if (mainTypeOf(c, arg).t !== 'list') return `${at}${runtime(c, e)}.b.len(${expr(c, arg)})`;
  if (isSure(c, arg, 'list')) return `${expr(c, arg)}.length`;
  const { before, code } = operand(c, arg);
  return `(${before}${isListCode(c, code)} ? ${code}.length : ${at}${runtime(c, e)}.b.len(${code}))`;
}

// A class of the program is tested natively; everything else knows its own rule.
function isInstance(c: Cx, e: ast.Call, args: readonly ast.Expression[]): string | undefined {
  const [value, type] = args;
  if (value === undefined || type === undefined || args.length !== 2) return undefined;
  const classes = typeList(c, type, 'kept');
  if (classes.length === 1 && type.kind !== 'Index') {
    const known = typeOf(c, type);
    if (known.t === 'class' && known.cls.kind !== 'enum' && known.cls.kind !== 'runtime' && known.sure === true) {
      return `(${expr(c, value)} instanceof ${classes[0]})`;
    }
    const kind = ({ '$.b.str': 'str', '$.b.list': 'list', '$.b.dict': 'dict' } as const)[classes[0]!];
    if (kind !== undefined) {
      const { before, code } = operand(c, value);
      return `(${before}${guard(c, kind, code)} || ${mark(c, e)}$.b.isinstance(${code}, ${classes[0]}))`;
    }
  }
  const hint = hintOf(c, value);
  return `${mark(c, e)}$.b.isinstance(${expr(c, value)}, ${typeValue(c, type, 'kept')}${hint === undefined ? '' : `, ${hint}`})`;
}

function toFloat(c: Cx, e: ast.Call, args: readonly ast.Expression[]): string | undefined {
  if (args.length !== 1) return undefined;
  const { before, code } = operand(c, args[0]!);
  if (isNumber(c, args[0]!)) return before === '' ? code : `(${before}${code})`;
  return `(${before}${typeTest(code, 'number')} ? ${code} : ${mark(c, e)}${runtime(c, e)}.b.float(${code}))`;
}

function absolute(c: Cx, e: ast.Call, args: readonly ast.Expression[]): string | undefined {
  if (args.length !== 1) return undefined;
  const { before, code } = operand(c, args[0]!);
  return `(${before}${typeTest(code, 'number')} ? Math.abs(${code}) : ${mark(c, e)}${runtime(c, e)}.b.abs(${code}))`;
}

// `min(a, b)` and `max(a, b)` of numbers: the first of equal ones.
function extreme(c: Cx, e: ast.Call, args: readonly ast.Expression[], op: '<' | '>'): string | undefined {
  if (args.length !== 2) return undefined;
  const [left, right] = args as [ast.Expression, ast.Expression];
  const { before, left: l, right: r } = operands(c, left, right);
  const slow = `${mark(c, e)}${runtime(c, e)}.b.${op === '<' ? 'min' : 'max'}([${l}, ${r}])`;
  return `(${before}${typeTest(l, 'number')} && ${typeTest(r, 'number')} ? ${r} ${op} ${l} ? ${r} : ${l} : ${slow})`;
}

// ---------------------------------------------------------------- snapshots

function moduleVariables(c: Cx): string {
  const pairs = [`"__name__", ${builtinValue(c, '__name__')}`];
  for (const binding of c.u.names.bindings.values()) {
    if (binding.role === 'import' || binding.role === 'alias') continue;
    if (binding.decl !== undefined && !c.u.names.isServer(binding.decl)) continue;
    pairs.push(`${quote(binding.name)}, ${moduleVariable(c, binding.name)}`);
  }
  const now = `$.Dict.of(${pairs.join(', ')})`;
  return c.u.types.setsGlobals ? `${standardMember(c.u, 'svc_globals', 'live')}($names, ${now})` : now;
}

function moduleVariable(c: Cx, name: string): string {
  return c.u.moduleNames.get(name) ?? 'null';
}

function localVariables(c: Cx): string {
  if (c.scope === undefined || c.scope.kind === 'module') return moduleVariables(c);
  const { node } = c.scope;
  const receives = node.kind === 'FunctionDecl' && c.u.types.functionOf(node).receiver === 'self';
  const pairs = [...c.scope.locals.values()]
    .filter((binding) => binding.role !== 'type' && binding.role !== 'import')
    .map((binding) => {
      const isReceiver = receives && binding.role === 'param' && binding.name === 'self' && c.self !== undefined;
      const code = isReceiver ? c.self : localCode(c.u, binding);
      return `${code} === undefined ? [] : [[${quote(binding.name)}, ${code}]]`;
    });
  return `$.dict([${pairs.map((pair) => `...(${pair})`).join(', ')}])`;
}
