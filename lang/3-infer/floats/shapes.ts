/**
 * Types of the values that arrive where nothing is declared, for display (docs/language/values.md#floats,
 * decisions/0365, 0377): in parameters whose type says nothing of floats and in attributes, joined over everything that
 * is given to them. A reading of the whole program tells these types, and the next one goes by them.
 */
import type * as ast from '../../1-parse/ast.ts';
import {
  any,
  anyFloat,
  hinted,
  isFloatShown,
  isLeftOpen,
  membersOf,
  never,
  sameType,
  shaped,
  shapeOf,
} from '../classes/type-values.ts';
import { signatureOf } from '../functions/functions.ts';
import type { Arrival, FunctionRecord, ModuleState, Program } from '../program.ts';
import { plainType } from '../read/plain-type.ts';
import type { FieldInfo, FunctionInfo, ParamInfo, Type } from '../types.ts';
import { argumentFor, callsOf } from './parameter-kinds.ts';

/** Types for display only: `any` with what it is shown as. Without an entry nothing is known. */
export interface Shapes {
  readonly params: ReadonlyMap<ast.Param, Type>;
  readonly attributes: ReadonlyMap<string, Type>;
}

/**
 * Value kept in an attribute by other means than an assignment: `x.total += v`, `x.rows[k] = v`, `x.rows.append(v)`.
 */
export interface Kept {
  readonly attribute: string;
  readonly type: Type;
}

export const noShapes: Shapes = { params: new Map(), attributes: new Map() };

/** Collects the types of a program that has been read. */
export function shapesOf(program: Program): Shapes {
  const params = new Map<ast.Param, Type>();
  for (const record of program.functions.values()) {
    if (record.node.kind !== 'FunctionDecl') continue;
    const open = signatureOf(record.state, record.node).params.filter((param) => isOpen(record, param));
    const calls = open.length === 0 ? [] : callsOf(program, record);
    for (const param of calls.length === 0 ? [] : open) {
      const type = shapeOfParam(program, record, param, calls);
      if (type !== any) params.set(param, type);
    }
  }
  const attributes = new Map<string, Type>();
  for (const [name, all] of attributesOf(program)) {
    const type = shaped(all);
    const isTold = type === anyFloat && program.attributeKinds.get(name) === 'float';
    if (type !== any && !isTold) attributes.set(name, type);
  }
  return { params, attributes };
}

export function sameShapes(a: Shapes, b: Shapes): boolean {
  return sameTypes(a.params, b.params) && sameTypes(a.attributes, b.attributes);
}

function sameTypes<K>(a: ReadonlyMap<K, Type>, b: ReadonlyMap<K, Type>): boolean {
  return a.size === b.size && [...a].every(([key, type]) => sameType(type, b.get(key)));
}

// ---------------------------------------------------------------- parameters

/** Tells whether a parameter has no type, or one that may hold anything: `any`, `dict`, `list[dict]`. */
function isOpen({ info }: FunctionRecord, { type, name }: ast.Param): boolean {
  const param = info.params.find((one) => one.name === name?.text);
  return param !== undefined && (type === undefined || isLeftOpen(param.type));
}

function shapeOfParam(program: Program, record: FunctionRecord, param: ast.Param, calls: readonly Arrival[]): Type {
  const at = record.info.params.findIndex(({ name }) => name === param.name?.text);
  const info = record.info.params[at]!;
  let all = param.value === undefined ? never : knownType(program, record.state, param.value);
  let isSettled = true;
  for (const call of calls) {
    const typeOf = (value: ast.Expression): Type => knownType(program, call.state, value);
    const types =
      info.kind === 'kwargs'
        ? [keywordsFor(record.info, call.args, typeOf)]
        : argumentsFor(call.args, at, info).map(typeOf);
    isSettled &&=
      types.every((type) => evidence(type).t !== 'never') && (types.length > 0 || param.value !== undefined);
    all = types.reduce(apart, all);
  }
  // A parameter that may be text or a number may be any number.
  if (membersOf(all).some(({ t }) => t === 'str' || t === 'bool')) return any;
  const type = shaped(all);
  // A parameter declared `any` means it: a float only where nothing else can be.
  return type === anyFloat && param.type !== undefined && !isSettled ? any : type;
}

function argumentsFor(args: readonly ast.Argument[], at: number, { kind, name }: ParamInfo): readonly ast.Expression[] {
  if (kind === 'args') return args.slice(at).flatMap(({ sort, value }) => (sort === 'positional' ? [value] : []));
  const value = argumentFor(args, at, name);
  return value === undefined ? [] : [value];
}

/** Gives the type of `**options` in a call: a dict of the keywords that are no parameters. */
function keywordsFor(
  { params }: FunctionInfo,
  args: readonly ast.Argument[],
  typeOf: (value: ast.Expression) => Type,
): Type {
  const entries = new Map<string, Type>();
  for (const { sort, name, value } of args) {
    const isOther = sort === 'keyword' && !params.some((param) => param.name === name!.text && param.kind !== 'pos');
    if (isOther) entries.set(name!.text, typeOf(value));
  }
  const value = [...entries.values()].reduce(apart, never);
  return { t: 'dict', key: hinted.str, value, entries, sure: false };
}

function knownType(program: Program, state: ModuleState, e: ast.Expression): Type {
  return state.types.get(e) ?? plainType(program, state, e);
}

// ---------------------------------------------------------------- attributes

function attributesOf(program: Program): ReadonlyMap<string, Type> {
  const all = new Map<string, Type>();
  const beginnings = new Set<string>();
  const keep = (name: string, type: Type) => all.set(name, apart(all.get(name) ?? never, type));
  for (const cls of program.classes.values()) {
    for (const field of cls.fields.values()) if (field.owner === cls && !field.property) keep(field.name, field.type);
  }
  for (const state of program.modules.values()) {
    for (const [target, by] of state.names.attributeAssignments) {
      if (by.type !== undefined || by.value === undefined) continue;
      const { name } = target;
      // A sum begins with this number: the values added to it tell its kind.
      if (by.value.kind === 'NumberLiteral' && !by.value.float) beginnings.add(name.text);
      else keep(name.text, knownType(program, state, by.value));
    }
  }
  const open = classesWithOpenFields(program);
  for (const state of program.modules.values()) {
    for (const call of state.names.calls) {
      keepOption(call, keep);
      keepFields(program, state, call, open, keep);
      for (const { name, value } of namespaceArguments(call)) keep(name!.text, knownType(program, state, value));
    }
  }
  for (const { attribute, type } of [...program.kept.values()].flat())
    keep(attribute, partOf(all.get(attribute), type));
  for (const name of beginnings) if (!all.has(name)) keep(name, hinted.int);
  return all;
}

type Keep = (name: string, type: Type) => void;

/** Classes that a call fills field by field, by their names; only containers that may hold anything are of interest. */
function classesWithOpenFields(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const cls of program.classes.values()) if (cls.constructorFields.some(isOpenContainer)) names.add(cls.name);
  return names;
}

function isOpenContainer({ type }: FieldInfo): boolean {
  return type.t !== 'any' && isLeftOpen(type);
}

/** `Row(data={"price": 2.0})` */
function keepFields(
  program: Program,
  state: ModuleState,
  { callee, args }: ast.Call,
  open: ReadonlySet<string>,
  keep: Keep,
): void {
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '';
  const type = open.has(name) ? knownType(program, state, callee) : any;
  if (type.t !== 'class' || type.cls.methods.has('init')) return;
  type.cls.constructorFields.forEach((field, at) => {
    const value = isOpenContainer(field) ? argumentFor(args, at, field.name) : undefined;
    if (value !== undefined) keep(field.name, knownType(program, state, value));
  });
}

/** `SimpleNamespace(rate=2.0)` makes an attribute `rate`. */
function namespaceArguments({ callee, args }: ast.Call): readonly ast.Argument[] {
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : undefined;
  return name === 'SimpleNamespace' ? args.filter((arg) => arg.sort === 'keyword') : [];
}

/** `parser.add_argument('--rate', type=float)` makes an attribute `rate`. */
function keepOption({ callee, args }: ast.Call, keep: Keep): void {
  if (callee.kind !== 'Attribute' || callee.name.text !== 'add_argument') return;
  const given = (name: string) => args.find((arg) => arg.name?.text === name)?.value;
  const made = given('type');
  if (made?.kind !== 'NameRef') return;
  const texts = args.flatMap(({ sort, value }) =>
    sort === 'positional' && value.kind === 'StringLiteral' ? [value.value] : [],
  );
  const named = given('dest');
  const name =
    named?.kind === 'StringLiteral' ? named.value : (texts.find((text) => text.startsWith('--')) ?? texts[0]);
  const type = made.name === 'float' ? hinted.float : hinted.int;
  keep(
    name?.replace(/^-+/, '').replaceAll('-', '_') ?? '',
    given('nargs') === undefined ? type : { t: 'list', of: type },
  );
}

/** `self.rows[i] = v` alone does not tell a list from a dict. */
function partOf(container: Type | undefined, part: Type): Type {
  const isList = part.t === 'dict' && membersOf(container ?? never).some(({ t }) => t === 'list');
  return isList ? { t: 'list', of: part.value } : part;
}

// ---------------------------------------------------------------- evidence

/** Both types, ints and floats kept apart; what is not known says nothing. */
function apart(a: Type, b: Type): Type {
  const [left, right] = [evidence(a), evidence(b)];
  if (left.t === 'never') return right;
  if (right.t === 'never') return left;
  if (left.t === 'union' || right.t === 'union') return membersOf(right).reduce(withMember, left);
  switch (left.t) {
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      if (right.t === left.t) return { t: left.t, of: apart(left.of, right.of), sure: false };
      break;
    case 'dict':
      if (right.t === 'dict') return dictsApart(left, right);
      break;
    case 'tuple':
      if (right.t === 'tuple') return tuplesApart(left, right);
      break;
    default:
      if (right.t === left.t) return left;
  }
  return { t: 'union', of: [left, right] };
}

function withMember(all: Type, member: Type): Type {
  const members = membersOf(all);
  const same = members.find(({ t }) => t === member.t);
  if (same === undefined) return { t: 'union', of: [...members, member] };
  const both = apart(same, member);
  return members.length === 1 ? both : { t: 'union', of: members.map((one) => (one === same ? both : one)) };
}

type DictType = Extract<Type, { t: 'dict' }>;
type TupleType = Extract<Type, { t: 'tuple' }>;

function dictsApart(a: DictType, b: DictType): Type {
  const [key, value] = [apart(a.key, b.key), apart(a.value, b.value)];
  return { t: 'dict', key, value, entries: entriesApart(a.entries, b.entries), sure: false };
}

function entriesApart(a: DictType['entries'], b: DictType['entries']): DictType['entries'] {
  if (a === undefined && b === undefined) return undefined;
  const entries = new Map(a);
  for (const [name, type] of b ?? []) entries.set(name, apart(entries.get(name) ?? never, type));
  return entries.size === 0 ? undefined : entries;
}

function tuplesApart(a: TupleType, b: TupleType): Type {
  if (saysNothing(a)) return b;
  if (saysNothing(b)) return a;
  const items =
    a.items !== undefined && a.items.length === b.items?.length
      ? a.items.map((item, i) => apart(item, b.items![i]!))
      : undefined;
  return { t: 'tuple', items, of: apart(itemsApart(a), itemsApart(b)), sure: false };
}

/** `tuple` alone, and the empty tuple, where a field begins. */
function saysNothing({ items, of }: TupleType): boolean {
  return items === undefined ? evidence(of).t === 'never' : items.length === 0;
}

function itemsApart({ items, of }: TupleType): Type {
  return items === undefined ? of : items.reduce(apart, never);
}

/** A type as what it tells: nothing of unknown values and None; of numbers that are shown by their value, that ints are among them. */
function evidence(type: Type): Type {
  switch (type.t) {
    case 'any':
      return type.float === true ? hinted.float : (type.shape ?? never);
    case 'none':
      return never;
    case 'float':
      if (isFloatShown(type)) return hinted.float;
      return type.endless === true && type.mixed !== true ? never : hinted.int;
    case 'union':
      return type.of.map(evidence).reduce(apart, never);
    default:
      return shapeOf(type);
  }
}
