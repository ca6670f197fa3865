/** Functions of the program as `FunctionInfo`: parameters without the receiver, result, how they may be called. */
import type * as ast from '../../1-parse/ast.ts';
import { declaredName } from '../../2-resolve/names.ts';
import { isWrittenReceiver } from '../../2-resolve/written-receiver.ts';
import { annotationType } from '../classes/annotations.ts';
import { any, hinted, isLeftOpen, iteratorOf, never, none, unionOf, withEntries } from '../classes/type-values.ts';
import type { ClassRecord, FunctionNode, FunctionRecord, ModuleState, Program } from '../program.ts';
import { readFunction } from '../read/function.ts';
import { makePoint } from '../suspension/suspension.ts';
import type { ClassInfo, FunctionInfo, ParamInfo, Type } from '../types.ts';

const noSignature: ast.Signature = {
  kind: 'Signature',
  start: 0,
  end: 0,
  hasList: false,
  params: [],
  result: undefined,
};

/** The record of a function; the same each time. `owner`: the class it is a member of. */
export function functionRecord(
  program: Program,
  state: ModuleState,
  node: FunctionNode,
  owner: ClassRecord | undefined,
): FunctionRecord {
  const known = program.functions.get(node);
  if (known !== undefined) return known;
  const signature = signatureOf(state, node);
  const info = new FunctionModel(program, state, node, owner, signature);
  const record: FunctionRecord = {
    node,
    state,
    scope: node.kind === 'Module' || node.kind === 'EntryBlock' ? state.names.module : state.names.scope(node),
    owner,
    info,
    point: makePoint(),
    declaredResult:
      signature.result === undefined ? undefined : annotationType(program, state, signature.result, owner),
    outer: undefined,
    progress: 'new',
    result: never,
    hints: undefined,
  };
  info.record = record;
  program.functions.set(node, record);
  return record;
}

/** A class value so that its lazy parts are accessors of one prototype. */
class FunctionModel implements FunctionInfo {
  readonly name: string;
  readonly module: string;
  readonly owner: ClassRecord | undefined;
  readonly receiver: FunctionInfo['receiver'];
  readonly decl: FunctionInfo['decl'];
  readonly direct: boolean;
  readonly async: boolean;
  readonly generator: boolean;
  /** A model's answer in pieces, whatever the declared result says. */
  readonly streams: boolean;
  record: FunctionRecord | undefined;
  private readonly program: Program;
  private readonly signature: ast.Signature;
  private known: readonly ParamInfo[] | undefined;

  constructor(
    program: Program,
    state: ModuleState,
    node: FunctionNode,
    owner: ClassRecord | undefined,
    signature: ast.Signature,
  ) {
    this.program = program;
    this.signature = signature;
    this.name = nameOf(node);
    this.module = state.module.id;
    this.owner = owner;
    this.receiver = receiverOf(node, owner);
    this.decl = node.kind === 'FunctionDecl' || node.kind === 'Lambda' || node.kind === 'Ability' ? node : undefined;
    this.direct = isDirect(state, node, owner) && !program.mockedNames.has(this.name);
    this.async = (node.kind === 'FunctionDecl' || node.kind === 'Ability') && node.mods.async;
    this.generator = yields(state, node);
    this.streams = streamsAnswer(program, state, node);
    this.record = undefined;
    this.known = undefined;
  }

  get params(): readonly ParamInfo[] {
    this.known ??= paramsOf(this.program, this.record!.state, this.signature, this.receiver, this.owner, this.record!);
    return this.known;
  }

  get givesSelf(): boolean {
    return this.owner !== undefined && this.signature.result !== undefined && mentionsSelf(this.signature.result);
  }

  get result(): Type {
    if (this.streams) return any;
    return resultOf(this.program, this.record!, this.async, this.generator);
  }
}

function mentionsSelf(e: ast.Node): boolean {
  if (e.kind === 'NameRef') return e.name === 'Self';
  return anyChild(e, mentionsSelf);
}

/** Gives the result of a method when it is called through `cls`. */
export function resultThrough(fn: FunctionInfo, cls: ClassInfo): Type {
  const { result, owner } = fn;
  return owner === undefined || owner === cls || !fn.givesSelf ? result : withClass(result, owner, cls);
}

/** The type with one class in the place of another. */
function withClass(type: Type, from: ClassInfo, to: ClassInfo): Type {
  switch (type.t) {
    case 'instance':
      return type.cls === from ? { ...type, cls: to } : type;
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
    case 'awaitable':
      return { ...type, of: withClass(type.of, from, to) };
    case 'dict':
      return { ...type, value: withClass(type.value, from, to) };
    case 'union':
      return { ...type, of: type.of.map((one) => withClass(one, from, to)) };
    default:
      return type;
  }
}

/** The model behind `by`, of the declaration or of its implementation. */
export function modelOf(state: ModuleState, node: FunctionNode): ast.Expression | undefined {
  if (node.kind !== 'FunctionDecl' && node.kind !== 'Ability') return undefined;
  return state.names.implOf(node)?.impl.body.by ?? (node.body.kind === 'ByBody' ? node.body.model : undefined);
}

/**
 * `by llm(stream=True)`, or a model that was made with it: the call gives a generator (docs/language/delegation.md#by).
 */
export function streamsAnswer(program: Program, state: ModuleState, node: FunctionNode): boolean {
  const model = modelOf(state, node);
  return model !== undefined && streams(program, state, model, 0);
}

function streams(program: Program, state: ModuleState, model: ast.Expression, depth: number): boolean {
  if (depth > 4) return false;
  if (model.kind === 'Call') {
    const option = (name: string) => model.args.find((arg) => arg.name?.text === name)?.value;
    const value = option('stream') ?? entryOf(option('config'), 'stream');
    if (value !== undefined) return !(value.kind === 'Constant' && value.value === false);
    return streams(program, state, model.callee, depth + 1);
  }
  if (model.kind !== 'NameRef') return false;
  const binding = state.names.binding(model);
  const made = binding.sort === 'module' ? program.names.follow(binding) : undefined;
  const home = made === undefined ? undefined : program.modules.get(made.module);
  if (home === undefined || (made?.decl?.kind !== 'GlobItem' && made?.decl?.kind !== 'AssignStatement')) return false;
  return made.decl.value !== undefined && streams(program, home, made.decl.value, depth + 1);
}

function entryOf(dict: ast.Expression | undefined, key: string): ast.Expression | undefined {
  if (dict?.kind !== 'DictExpr') return undefined;
  const named = (e: ast.Expression | undefined) => e?.kind === 'StringLiteral' && e.value === key;
  return dict.entries.find((entry) => named(entry.key))?.value;
}

export function signatureOf(state: ModuleState, node: FunctionNode): ast.Signature {
  if (node.kind === 'FunctionDecl' || node.kind === 'Accessor') {
    return state.names.implOf(node)?.signature ?? node.signature;
  }
  return node.kind === 'Lambda' ? node.signature : noSignature;
}

export function nameOf(node: FunctionNode): string {
  switch (node.kind) {
    case 'FunctionDecl':
    case 'Ability':
      return node.name?.text ?? '';
    case 'Lambda':
      return '<lambda>';
    default:
      return '';
  }
}

function receiverOf(node: FunctionNode, owner: ClassRecord | undefined): FunctionInfo['receiver'] {
  if (owner === undefined || node.kind === 'Lambda') return undefined;
  if (node.kind !== 'FunctionDecl') return 'self';
  if (node.mods.static || node.name?.text === '__new__' || hasDecorator(node, 'staticmethod')) return undefined;
  return node.mods.class || hasDecorator(node, 'classmethod') ? 'class' : 'self';
}

/** The parameter that stands for the receiver, when it is written out (docs/language/archetypes.md#receiver). */
export function receiverParam(
  node: FunctionNode,
  signature: ast.Signature,
  receiver: FunctionInfo['receiver'],
  owner: ClassRecord | undefined,
): ast.Param | undefined {
  const first = signature.params[0];
  if (receiver === undefined || first?.sort !== 'plain') return undefined;
  const name = first.name?.text;
  // `class def` has `cls` without writing it; a function made one by `@classmethod` writes it, under any name.
  if (node.kind === 'FunctionDecl' && node.mods.class) return isWrittenReceiver(name) ? first : undefined;
  const isMethod = owner?.kind === 'class' && node.kind !== 'Accessor';
  return isMethod || name === 'self' || receiver === 'class' ? first : undefined;
}

function paramsOf(
  program: Program,
  state: ModuleState,
  signature: ast.Signature,
  receiver: FunctionInfo['receiver'],
  owner: ClassRecord | undefined,
  record: FunctionRecord,
): readonly ParamInfo[] {
  const params: ParamInfo[] = [];
  let keywordOnly = false;
  const skipped = receiverParam(record.node, signature, receiver, owner);
  for (const param of signature.params) {
    if (param === skipped) continue;
    if (param.sort === 'slash') {
      for (const [i, before] of params.entries()) if (before.kind === 'any') params[i] = { ...before, kind: 'pos' };
      continue;
    }
    if (param.sort === 'bare' || param.sort === 'star') keywordOnly = true;
    if (param.name === undefined) continue;
    const name = declaredName(param) ?? '';
    params.push({
      name,
      ...(name === param.name.text ? undefined : { also: param.name.text }),
      kind: param.sort === 'star' ? 'args' : param.sort === 'doublestar' ? 'kwargs' : keywordOnly ? 'kw' : 'any',
      type: paramType(program, state, param, owner, record, params.length),
      optional: param.value !== undefined || param.sort !== 'plain',
    });
  }
  return params;
}

function paramType(
  program: Program,
  state: ModuleState,
  param: ast.Param,
  owner: ClassRecord | undefined,
  record: FunctionRecord,
  index: number,
): Type {
  const declared = annotationType(program, state, param.type, owner);
  if (param.sort === 'star')
    return { t: 'tuple', items: undefined, of: param.type === undefined ? any : declared, sure: true };
  if (param.sort === 'doublestar') return { t: 'dict', key: hinted.str, value: declared, sure: true };
  if (param.type === undefined) return record.hints?.[index] ?? any;
  return param.value !== undefined && isNone(param.value) ? unionOf([declared, none]) : declared;
}

function isNone(e: ast.Expression): boolean {
  return e.kind === 'Constant' && e.value === null;
}

function resultOf(program: Program, record: FunctionRecord, isAsync: boolean, isGenerator: boolean): Type {
  const { declaredResult } = record;
  let result = declaredResult ?? any;
  if (declaredResult === undefined || isLeftOpen(declaredResult)) {
    // Chains of functions without annotation are followed so far and no further.
    if (record.progress === 'new' && program.depth < 30) readFunction(program, record);
    const found = record.progress === 'new' || isAbstract(record.node) ? any : record.result;
    result = declaredResult === undefined ? found : withEntries(declaredResult, found);
  }
  if (isGenerator) {
    if (declaredResult === undefined) return iteratorOf(any);
    const of = result.t === 'iterator' || result.t === 'list' ? result.of : any;
    return iteratorOf(of);
  }
  return isAsync ? { t: 'awaitable', of: result, sure: true } : result;
}

/** Tells whether a function is abstract: the classes below decide about its result. */
export function isAbstract(node: ast.Node | undefined): boolean {
  if (node?.kind !== 'FunctionDecl') return false;
  return node.decorators.some(
    (e) => (e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '') === 'abstractmethod',
  );
}

/** Decorators that give the function back as it is, so that calls need not go through their result. */
const neutralDecorators = new Set([
  'restspec',
  'schedule',
  'staticmethod',
  'classmethod',
  'override',
  'overload',
  'abstractmethod',
  'final',
]);

export function isNeutralDecorator(decorator: ast.Expression): boolean {
  const callee = decorator.kind === 'Call' ? decorator.callee : decorator;
  return callee.kind === 'NameRef' && neutralDecorators.has(callee.name);
}

function hasDecorator(node: ast.FunctionDecl, name: string): boolean {
  return node.decorators.some((decorator) => decorator.kind === 'NameRef' && decorator.name === name);
}

function isDirect(state: ModuleState, node: FunctionNode, owner: ClassRecord | undefined): boolean {
  if (node.kind === 'Lambda') return true;
  if (node.kind !== 'FunctionDecl') return false;
  const joined = state.names.implOf(node)?.impl;
  if (![...node.decorators, ...(joined?.decorators ?? [])].every(isNeutralDecorator)) return false;
  if (owner !== undefined || node.name === undefined) return true;
  const binding = state.names.binding(node.name);
  if (binding.sort === 'module') return binding.decl === node && !binding.reassigned;
  return binding.sort === 'local' && binding.decl === node && !binding.reassigned;
}

/** Tells whether the function's own body contains `yield`. */
function yields(state: ModuleState, node: FunctionNode): boolean {
  if (node.kind !== 'FunctionDecl' && node.kind !== 'Lambda') return false;
  const body = state.names.implOf(node)?.body ?? node.body;
  const { text } = state.module.source;
  const isLocal = body === node.body && state.module.sources.length === 1;
  if (isLocal && !textHas(text, 'yield', body.start, body.end)) return false;
  return hasYield(body);
}

function textHas(text: string, word: string, start: number, end: number): boolean {
  return text.slice(start, end).includes(word);
}

function hasYield(node: ast.Node): boolean {
  if (node.kind === 'Yield') return true;
  if (node.kind === 'FunctionDecl' || node.kind === 'Lambda' || node.kind === 'Archetype') return false;
  return anyChild(node, hasYield);
}

function anyChild(value: object, test: (node: ast.Node) => boolean): boolean {
  for (const part of Object.values(value)) {
    if (typeof part !== 'object' || part === null) continue;
    if ('kind' in part ? test(part as ast.Node) : anyChild(part as object, test)) return true;
  }
  return false;
}
