/** Reads one function: its parameters, its body, what it gives. */
import type * as ast from '../../1-parse/ast.ts';
import type { Binding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import { any, deepest, depthOf, doubted, instanceOf, join, never, none, sameType } from '../classes/type-values.ts';
import { functionRecord, modelOf, receiverParam, signatureOf, streamsAnswer } from '../functions/functions.ts';
import type { ClassRecord, Env, FunctionRecord, ModuleState, Program, Reader } from '../program.ts';
import { dependOn, pointOf } from '../suspension/suspension.ts';
import type { Type } from '../types.ts';
import { readElements } from './elements.ts';
import { slotIn } from './environments.ts';
import { typeOf } from './expressions.ts';
import { forgetName } from './places.ts';
import { readBlock } from './statements.ts';
import { triggerTypes } from './triggers.ts';

/** Reads a module that nobody has begun to read. */
export function readModule(program: Program, state: ModuleState): void {
  const record = functionRecord(program, state, state.module.tree, undefined);
  dependOn(pointOf(program.points.modules, state.module.id), record.point);
  if (record.progress === 'new') readFunction(program, record);
}

/** Reads a function's body and fills `result`, the tables of its module, and its point. */
export function readFunction(program: Program, record: FunctionRecord): void {
  if (record.progress === 'running') return;
  const again = record.progress === 'done' ? 1 : 0;
  record.progress = 'running';
  record.result = never;
  program.depth += 1;
  let reader = makeReader(program, record, again, []);
  for (let round = 0; ; round++) {
    bindParams(reader);
    readBody(reader);
    if (record.result.t === 'never') record.result = none;
    // A result is worked out from hints as often as from values, and the function may be replaced.
    record.result = depthOf(record.result) > deepest ? any : doubted(record.result);
    record.progress = 'done';
    for (const nested of reader.pending) {
      nested.outer = reader;
      if (record.node.kind === 'Module' && isLeftOut(program, nested)) continue;
      if (nested.progress === 'new' || reader.again > 0) readFunction(program, nested);
    }
    // Variables shared with inner functions: read again until what was read is what they hold.
    const { whole } = reader;
    if (reader.shared === undefined) break;
    const unsettled = [...reader.shared].filter(([slot, type]) => !sameType(type, whole[slot] ?? never));
    if (unsettled.length === 0 || round === 3) break;
    if (round === 2) for (const [slot] of unsettled) whole[slot] = any;
    record.progress = 'running';
    record.result = never;
    reader = makeReader(program, record, again + round + 1, whole);
  }
  program.depth -= 1;
}

/** Does the function belong to another element than the one that is asked about? */
function isLeftOut({ element, leftOut }: Program, record: FunctionRecord): boolean {
  const { node, state } = record;
  if (element === undefined || (node.start >= element.start && node.end <= element.end)) return false;
  const others = leftOut.get(state.module.id) ?? [];
  others.push(record);
  leftOut.set(state.module.id, others);
  return true;
}

/** Reads the functions of a module that were left out: one of them may assign what is asked for now. */
export function readLeftOut(program: Program, { module }: ModuleState): void {
  const others = program.leftOut.get(module.id) ?? [];
  program.leftOut.delete(module.id);
  for (const record of others) if (record.progress === 'new') readFunction(program, record);
}

function makeReader(program: Program, record: FunctionRecord, again: number, whole: Env): Reader {
  record.state.wholes.set(record.scope, whole);
  const { self, here, visitor } = surroundings(program, record);
  return {
    program,
    state: record.state,
    record,
    scope: record.scope,
    outer: record.outer,
    env: [],
    whole,
    declared: undefined,
    shared: undefined,
    dead: false,
    self,
    here,
    visitor,
    point: record.point,
    result: resultOf(record),
    loops: [],
    tries: [],
    pending: [],
    again,
    last: none,
  };
}

/**
 * The statement whose value the function gives: the tail expression (docs/language/functions.md#results), for lambdas
 * also a body of one expression statement (docs/language/expressions.md#lambdas). What an ability gives is discarded
 * (docs/language/statements.md#return).
 */
function resultOf({ node, state, declaredResult }: FunctionRecord): ast.Statement | undefined {
  if (node.kind === 'FunctionDecl' || node.kind === 'Accessor') return bodyOf(state, node)?.tail;
  if (node.kind !== 'Lambda' || node.body.kind !== 'Block') return undefined;
  const { statements, tail } = node.body;
  return tail ?? (statements.length === 1 && declaredResult?.t !== 'none' ? statements[0] : undefined);
}

function bodyOf(state: ModuleState, node: ast.FunctionDecl | ast.Ability | ast.Accessor): ast.Block | undefined {
  return state.names.implOf(node)?.body ?? (node.body?.kind === 'Block' ? node.body : undefined);
}

/**
 * Gives the types of `self`, `here` and `visitor` inside a function (docs/language/expressions.md#special-references).
 */
function surroundings(program: Program, record: FunctionRecord): { self: Type; here: Type; visitor: Type } {
  const { node, owner, outer } = record;
  if (owner === undefined || node.kind === 'Lambda') {
    return { self: outer?.self ?? any, here: outer?.here ?? any, visitor: outer?.visitor ?? any };
  }
  const { receiver } = record.info;
  const named = receiverParam(node, signatureOf(record.state, node), receiver, owner)?.name?.text ?? 'self';
  // A class inside a method: a method whose receiver has another name sees the `self` around the class.
  const around = named === 'self' ? undefined : outer?.record.owner && outer.self;
  const self = around ?? (receiver === 'self' ? instanceOf(owner, true) : any);
  if (node.kind !== 'Ability') return { self, here: any, visitor: any };
  const event = node.event.trigger ?? record.state.names.implOf(node)?.impl.event?.trigger;
  const other = triggerTypes(program, record.state, event);
  return owner.kind === 'walker' ? { self, here: other, visitor: self } : { self, here: self, visitor: other };
}

function bindParams(f: Reader): void {
  const { record, state } = f;
  const signature = signatureOf(state, record.node);
  const skipped = receiverParam(record.node, signature, record.info.receiver, record.owner);
  const { params } = record.info;
  for (const binding of f.scope.locals.values()) {
    const { name } = binding;
    if (binding.role !== 'param' || (binding as LocalRecord).home !== f.scope) continue;
    const isReceiver = skipped?.name?.text === name;
    const type = isReceiver
      ? receiverType(f, record.owner)
      : (params.find((param) => param.name === name)?.type ?? any);
    setSlot(f, binding, type);
    if (!isReceiver && binding.decl?.kind === 'Param' && binding.decl.type !== undefined)
      (f.declared ??= new Map()).set(binding, type);
  }
}

function receiverType(f: Reader, owner: ClassRecord | undefined): Type {
  if (owner === undefined) return any;
  return f.record.info.receiver === 'class' ? { t: 'class', cls: owner, sure: true } : instanceOf(owner, true);
}

function readBody(f: Reader): void {
  const { node } = f.record;
  switch (node.kind) {
    case 'Module':
      readElements(f, node.body);
      return;
    case 'EntryBlock':
    case 'TestBlock':
      readBlock(f, node.body);
      return;
    case 'Lambda':
      if (node.body.kind !== 'Block') giveResult(f, typeOf(f, node.body));
      else {
        readBlock(f, node.body);
        giveTail(f, f.result?.kind === 'ExprStatement' ? f.result : undefined);
      }
      return;
    default:
      readDeclared(f, node);
  }
}

function readDeclared(f: Reader, node: ast.FunctionDecl | ast.Ability | ast.Accessor): void {
  const block = bodyOf(f.state, node);
  if (f.record.info.async) dependOn(f.record.point, f.program.points.always);
  const model = modelOf(f.state, node);
  if (model !== undefined) {
    typeOf(f, model);
    dependOn(f.record.point, f.program.points.always);
    if (streamsAnswer(f.program, f.state, node)) dependOn(f.program.points.anyIterator, f.record.point);
    f.record.result = any;
    return;
  }
  if (block === undefined) {
    f.record.result = any;
    return;
  }
  readBlock(f, block);
  giveTail(f, block.tail);
}

function giveTail(f: Reader, tail: ast.Statement | undefined): void {
  if (!f.dead) giveResult(f, tail === undefined ? none : f.last);
}

export function giveResult(f: Reader, type: Type): void {
  f.record.result = join(f.record.result, type);
}

/** Notes that a local holds a value of this type from here on. */
export function setSlot(f: Reader, binding: Binding, type: Type): void {
  if (binding.sort === 'local' || binding.sort === 'module') forgetName(f, binding.name);
  const slot = slotIn(f, binding);
  if (slot < 0) {
    if (binding.sort === 'local') setOuter(f, binding as LocalRecord, type);
    return;
  }
  f.env[slot] = type;
  const before = f.whole[slot];
  f.whole[slot] = before === undefined ? type : join(before, type);
  for (const seen of f.tries) {
    const there = seen[slot];
    seen[slot] = there === undefined ? type : join(there, type);
  }
}

/** An assignment to a variable of an outer function. */
function setOuter(f: Reader, { slot, home }: LocalRecord, type: Type): void {
  for (let outer = f.outer; outer !== undefined; outer = outer.outer) {
    if (outer.scope !== home) continue;
    const before = outer.whole[slot];
    outer.whole[slot] = before === undefined ? type : join(before, type);
    return;
  }
}

/** A function met inside another one: read when the outer one is done, or at once when its result is asked for. */
export function nestedFunction(f: Reader, node: ast.FunctionDecl): FunctionRecord {
  const record = functionRecord(f.program, f.state, node, undefined);
  record.outer = f;
  if (!f.pending.includes(record)) f.pending.push(record);
  return record;
}
