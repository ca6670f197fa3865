/**
 * Kinds of the arguments that arrive in parameters without a type, for display (docs/language/values.md#floats,
 * decisions/0341): from the calls in the text, found by the name they call. A float where every argument that is plain
 * is a float. Read off the text, before any function is read.
 */
import type * as ast from '../../1-parse/ast.ts';
import { forEachChild } from '../../2-resolve/children.ts';
import type { Arrival, Arriving, ClassRecord, FunctionRecord, ModuleState, Program } from '../program.ts';
import { type Kind, kindOfValue } from './attribute-kinds.ts';

/** Gives the kind of the arguments for a parameter of `node` that has neither a type nor a default that tells. */
export function kindOfArriving(program: Program, node: ast.FunctionDecl, param: ast.Param): Kind {
  const arriving = (program.arriving ??= findArriving(program));
  if (arriving.kinds.has(param)) {
    const known = arriving.kinds.get(param);
    return known === 'unknown' ? undefined : known;
  }
  arriving.kinds.set(param, undefined);
  const record = program.functions.get(node);
  const at = record === undefined ? -1 : record.info.params.findIndex(({ name }) => name === param.name?.text);
  const kind = at < 0 || param.sort !== 'plain' ? undefined : kindOfArguments(program, record!, at, param.name!.text);
  arriving.kinds.set(param, kind ?? 'unknown');
  return kind;
}

function kindOfArguments(program: Program, record: FunctionRecord, at: number, name: string): Kind {
  let kind: Kind;
  for (const { state, args } of callsOf(program, record)) {
    const one = kindOfValue(program, state, argumentFor(args, at, name));
    if (one === 'other' || (one !== undefined && kind !== undefined && one !== kind)) return 'other';
    kind = one ?? kind;
  }
  return kind;
}

/** The calls that may be of the function, by what they call. */
export function callsOf(program: Program, record: FunctionRecord): readonly Arrival[] {
  const arriving = (program.arriving ??= findArriving(program));
  return namesOf(arriving, record).flatMap((name) =>
    (arriving.calls.get(name) ?? []).filter((call) => mayCall(call, record)),
  );
}

/**
 * Tells whether a call by this name may be one of the function: not where the callee is known to be something else, a
 * function of the same name or a method of another kind of value.
 */
function mayCall({ state, callee }: Arrival, { node, owner, info }: FunctionRecord): boolean {
  if (callee?.kind === 'NameRef') {
    const { decl } = state.names.binding(callee) as { decl?: ast.Node };
    return isConstructor(info.name) ? decl?.kind !== 'FunctionDecl' : decl?.kind !== 'FunctionDecl' || decl === node;
  }
  if (callee?.kind !== 'Attribute' || isConstructor(info.name)) return true;
  const object = state.types.get(callee.object);
  if (owner === undefined) return object === undefined || object.t === 'module' || object.t === 'any';
  if (object?.t !== 'instance' && object?.t !== 'class')
    return object === undefined || object.t === 'any' || object.t === 'union';
  const { cls } = object;
  return cls === owner || cls.bases.includes(owner) || owner.bases.includes(cls);
}

export function argumentFor(args: readonly ast.Argument[], at: number, name: string): ast.Expression | undefined {
  const named = args.find((arg) => arg.sort === 'keyword' && arg.name?.text === name);
  if (named !== undefined) return named.value;
  if (args.slice(0, at + 1).some((arg) => arg.sort !== 'positional')) return undefined;
  return args[at]?.value;
}

/** Lists the names by which a function is called: its own, or those of the classes that it constructs. */
function namesOf(arriving: Arriving, { owner, info }: FunctionRecord): readonly string[] {
  if (owner === undefined || !isConstructor(info.name)) return [info.name];
  return [owner.name, ...(arriving.heirs.get(owner.name) ?? [])];
}

function isConstructor(name: string): boolean {
  return name === 'init' || name === '__init__';
}

function findArriving(program: Program): Arriving {
  const calls = new Map<string, Arrival[]>();
  const heirs = new Map<string, string[]>();
  const add = (name: string, state: ModuleState, args: readonly ast.Argument[], callee?: ast.Expression) => {
    const list = calls.get(name);
    if (list === undefined) calls.set(name, [{ state, args, callee }]);
    else list.push({ state, args, callee });
  };
  for (const state of program.modules.values()) {
    for (const { callee, args } of state.names.calls) {
      if (callee.kind === 'NameRef') add(callee.name, state, args, callee);
      else if (callee.kind === 'Attribute' && !isConstructor(callee.name.text))
        add(callee.name.text, state, args, callee);
    }
  }
  for (const cls of program.classes.values()) {
    const own = constructorOf(cls);
    for (const base of cls.bases) {
      if (own !== undefined) forEachSuperCall(own, (args) => add(base.name, cls.state, args));
      else listed(heirs, base.name).push(cls.name);
      if (own !== undefined || base.methods.get('init')?.owner === base) break;
    }
  }
  return { calls, heirs, kinds: new Map() };
}

function listed(map: Map<string, string[]>, name: string): string[] {
  let list = map.get(name);
  if (list === undefined) map.set(name, (list = []));
  return list;
}

function constructorOf(cls: ClassRecord): ast.FunctionDecl | undefined {
  for (const member of cls.memberNodes)
    if (member.kind === 'FunctionDecl' && isConstructor(member.name?.text ?? '')) return member;
  return undefined;
}

/** `super().__init__(…)` and `super.init(…)` in a constructor. */
function forEachSuperCall(node: ast.Node, visit: (args: readonly ast.Argument[]) => void): void {
  if (node.kind === 'Call' && node.callee.kind === 'Attribute' && isConstructor(node.callee.name.text)) {
    const { object } = node.callee;
    const named = object.kind === 'Call' ? object.callee : object;
    if (named.kind === 'SpecialRef' && named.word === 'super') visit(node.args);
  }
  forEachChild(node, (child) => forEachSuperCall(child, visit));
}
