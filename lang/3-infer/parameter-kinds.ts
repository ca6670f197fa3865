/**
 * What parameters without a type are given, for display (language.md 6.3, decisions/0341): by the calls that stand in the text, found by the
 * name of what they call. A float where every argument that is plain is a float. Read off the text, before any function is read.
 */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { type Kind, kindOfValue } from './attribute-kinds.ts';
import type { Arrival, Arriving, ClassRecord, FunctionRecord, ModuleState, Program } from './program.ts';

/** Of a parameter of `node` that has neither a type nor a default that tells. */
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
  for (const called of namesOf(program.arriving!, record)) {
    for (const { state, args } of program.arriving!.calls.get(called) ?? []) {
      const one = kindOfValue(program, state, argumentFor(args, at, name));
      if (one === 'other' || (one !== undefined && kind !== undefined && one !== kind)) return 'other';
      kind = one ?? kind;
    }
  }
  return kind;
}

function argumentFor(args: readonly ast.Argument[], at: number, name: string): ast.Expression | undefined {
  const named = args.find((arg) => arg.sort === 'keyword' && arg.name?.text === name);
  if (named !== undefined) return named.value;
  if (args.slice(0, at + 1).some((arg) => arg.sort !== 'positional')) return undefined;
  return args[at]?.value;
}

/** What a call of the function is called by: its own name, or those of the classes that it constructs. */
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
  const add = (name: string, state: ModuleState, args: readonly ast.Argument[]) => {
    const list = calls.get(name);
    if (list === undefined) calls.set(name, [{ state, args }]);
    else list.push({ state, args });
  };
  for (const state of program.modules.values()) {
    for (const { callee, args } of state.names.calls) {
      if (callee.kind === 'NameRef') add(callee.name, state, args);
      else if (callee.kind === 'Attribute' && !isConstructor(callee.name.text)) add(callee.name.text, state, args);
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
