/**
 * Types of the values that walks of a class may report, from the `report` statements that they may come to. Asked by rules
 * about client code, which reads what walks of the server report.
 */
import type * as ast from '../../1-parse/ast.ts';
import { forEachChild } from '../../2-resolve/children.ts';
import { any, isSubclass } from '../classes/type-values.ts';
import { functionRecord, nameOf } from '../functions/functions.ts';
import type { ClassRecord, FunctionNode, FunctionRecord, ModuleState, Program } from '../program.ts';
import type { ClassInfo, Type } from '../types.ts';
import { readFunction } from './function.ts';
import { plainType } from './plain-type.ts';
import { triggerClasses } from './triggers.ts';

export interface Reports {
  readonly byName: ReadonlyMap<string, readonly Reporting[]>;
  /** Abilities, each with the walkers it runs in the walks of; undefined: of all. */
  readonly abilities: readonly (readonly [Reporting, readonly ClassInfo[] | undefined])[];
  /** Types of all that a walk of a class may report, by class, where it has been asked for. */
  readonly inWalks: Map<ClassInfo, readonly Type[]>;
}

/** A function, method or ability of the program. */
interface Reporting {
  /** Place in the list of all. */
  readonly at: number;
  readonly name: string;
  /** Made when it is asked for, as the next is: few of all functions of a program report. */
  readonly record: FunctionRecord;
  readonly mentions: Mentions;
}

/** Parts of a function: what it reports, and where a walk may get to from there. Its text alone decides them. */
interface Mentions {
  readonly values: readonly ast.Expression[];
  /** Names in it: of functions and methods that it may call. */
  readonly names: ReadonlySet<string>;
  readonly spawns: boolean;
}

/** Types of all values that walks of the class may report. */
export function reportedTypes(program: Program, cls: ClassInfo): readonly Type[] {
  const reports = (program.reports ??= findReports(program));
  const known = reports.inWalks.get(cls);
  if (known !== undefined) return known;
  const types: Type[] = [];
  let isWhole = true;
  for (const { record, mentions } of reportingIn(program, cls, reports)) {
    for (const value of mentions.values) types.push(typeAt(program, record, value));
    // Types of what is being read, or lies too deep, are known later.
    if (mentions.values.length > 0 && record.progress !== 'done') isWhole = false;
  }
  if (isWhole) reports.inWalks.set(cls, types);
  return types;
}

/** All that may report in a walk of the class: its own members, abilities of nodes and edges, what those call by name, and nested walks. */
function reportingIn(program: Program, cls: ClassInfo, { abilities, byName }: Reports): ReadonlySet<Reporting> {
  const walkers = new Set([cls]);
  const found = new Set<Reporting>();
  const called = new Set<string>();
  let followed = 0;
  for (const walker of walkers) {
    for (const [one, runsIn] of abilities)
      if (runsIn === undefined || runsIn.some((other) => isRelated(walker, other))) found.add(one);
    // Functions found for an earlier walker have been followed.
    let at = 0;
    for (const one of found) {
      if (at++ < followed) continue;
      const { names, spawns } = one.mentions;
      const fresh = [...names].filter((name) => !called.has(name));
      for (const name of fresh) called.add(name);
      for (const other of fresh.flatMap((name) => byName.get(name) ?? []).sort((a, b) => a.at - b.at)) found.add(other);
      if (spawns) for (const nested of walkersNamed(program, names)) walkers.add(nested);
    }
    followed = found.size;
  }
  return found;
}

/** Lists the walkers that a function may start; where it names none, all of them. */
function walkersNamed(program: Program, names: ReadonlySet<string>): readonly ClassInfo[] {
  const walkers = [...program.classes.values()].filter(({ kind }) => kind === 'walker');
  const named = walkers.filter(({ name }) => names.has(name));
  return named.length > 0 ? named : walkers;
}

/** Lists the walkers in whose walks an ability runs, each with those below and above it; undefined: all. */
function walkersOf(program: Program, { owner, node, state }: FunctionRecord): readonly ClassInfo[] | undefined {
  if (owner === undefined || owner.kind === 'walker') return owner === undefined ? [] : [owner];
  const event =
    node.kind === 'Ability' ? (node.event.trigger ?? state.names.implOf(node)?.impl.event?.trigger) : undefined;
  const triggers = triggerClasses(program, state, event);
  const known = triggers.filter((one) => one !== undefined);
  return triggers.length === 0 || known.length < triggers.length ? undefined : known;
}

function isRelated(a: ClassInfo, b: ClassInfo): boolean {
  return isSubclass(a, b) || isSubclass(b, a);
}

function typeAt(program: Program, record: FunctionRecord, value: ast.Expression): Type {
  if (record.progress === 'new' && program.depth < 30) readFunction(program, record);
  return record.progress === 'done' ? (record.state.types.get(value) ?? plainType(program, record.state, value)) : any;
}

function findReports(program: Program): Reports {
  const all: Reporting[] = [];
  const byName = new Map<string, Reporting[]>();
  const add = (state: ModuleState, node: FunctionNode, owner: ClassRecord | undefined): Reporting => {
    const body = node.kind === 'FunctionDecl' || node.kind === 'Ability' ? state.names.implOf(node)?.body : undefined;
    const one: Reporting = {
      at: all.length,
      name: nameOf(node),
      get record() {
        return functionRecord(program, state, node, owner);
      },
      get mentions() {
        return mentionsOf(body ?? node);
      },
    };
    all.push(one);
    const same = byName.get(one.name);
    if (same === undefined) byName.set(one.name, [one]);
    else same.push(one);
    return one;
  };
  for (const state of program.modules.values()) {
    for (const element of state.module.tree.body) if (element.kind === 'FunctionDecl') add(state, element, undefined);
  }
  const abilities: Reporting[] = [];
  for (const cls of program.classes.values())
    for (const member of cls.memberNodes) {
      if (member.kind === 'FunctionDecl') add(cls.state, member, cls);
      else if (member.kind === 'Ability') abilities.push(add(cls.state, member, cls));
    }
  return { byName, abilities: abilities.map((one) => [one, walkersOf(program, one.record)]), inWalks: new Map() };
}

const knownMentions = new WeakMap<ast.Node, Mentions>();

function mentionsOf(code: ast.Node): Mentions {
  let known = knownMentions.get(code);
  if (known === undefined) knownMentions.set(code, (known = findMentions(code)));
  return known;
}

function findMentions(code: ast.Node): Mentions {
  const values: ast.Expression[] = [];
  const names = new Set<string>();
  let spawns = false;
  const look = (part: ast.Node): void => {
    if (part.kind === 'NameRef') names.add(part.name);
    else if (part.kind === 'Call' && part.callee.kind === 'Attribute') names.add(part.callee.name.text);
    else if (part.kind === 'Spawn') spawns = true;
    else if (part.kind === 'ReportStatement') values.push(part.value);
    forEachChild(part, look);
  };
  look(code);
  return { values, names, spawns };
}
