/**
 * Types of the values that walks of a class may report, from the `report` statements that they may come to. Asked by rules
 * about client code, which reads what walks of the server report.
 */
import type * as ast from '../../1-parse/ast.ts';
import { forEachChild } from '../../2-resolve/children.ts';
import { any, isSubclass } from '../classes/type-values.ts';
import { functionRecord } from '../functions/functions.ts';
import type { FunctionRecord, Program } from '../program.ts';
import type { ClassInfo, Type } from '../types.ts';
import { readFunction } from './function.ts';
import { plainType } from './plain-type.ts';
import { triggerClasses } from './triggers.ts';

export interface Reports {
  readonly all: readonly Reporting[];
  /** Code that may report in a walk of a class, by class, where it has been asked for. */
  readonly inWalks: Map<ClassInfo, ReadonlySet<Reporting>>;
}

/** A function, method or ability: what it reports, and where a walk may get to from there. */
interface Reporting {
  readonly record: FunctionRecord;
  readonly name: string;
  readonly values: readonly ast.Expression[];
  /** Names in it: of functions and methods that it may call. */
  readonly names: ReadonlySet<string>;
  readonly spawns: boolean;
}

/** Types of all values that walks of the class may report. */
export function reportedTypes(program: Program, cls: ClassInfo): readonly Type[] {
  const reports = (program.reports ??= { all: findReporting(program), inWalks: new Map() });
  let reporting = reports.inWalks.get(cls);
  if (reporting === undefined) reports.inWalks.set(cls, (reporting = reportingIn(program, cls, reports.all)));
  const types: Type[] = [];
  for (const { record, values } of reporting) for (const value of values) types.push(typeAt(program, record, value));
  return types;
}

/** All that may report in a walk of the class: its own members, abilities of nodes and edges, what those call by name, and nested walks. */
function reportingIn(program: Program, cls: ClassInfo, all: readonly Reporting[]): ReadonlySet<Reporting> {
  const walkers = new Set([cls]);
  const found = new Set<Reporting>();
  for (const walker of walkers) {
    for (const one of all) if (runsIn(program, walker, one.record)) found.add(one);
    for (const one of found) {
      for (const other of all) if (one.names.has(other.name)) found.add(other);
      if (one.spawns) for (const nested of walkersNamed(program, one.names)) walkers.add(nested);
    }
  }
  return found;
}

/** Lists the walkers that a function may start; where it names none, all of them. */
function walkersNamed(program: Program, names: ReadonlySet<string>): readonly ClassInfo[] {
  const walkers = [...program.classes.values()].filter(({ kind }) => kind === 'walker');
  const named = walkers.filter(({ name }) => names.has(name));
  return named.length > 0 ? named : walkers;
}

function runsIn(program: Program, cls: ClassInfo, { owner, node, state }: FunctionRecord): boolean {
  if (node.kind !== 'Ability' || owner === undefined) return false;
  if (owner.kind === 'walker') return isRelated(cls, owner);
  const event = node.event.trigger ?? state.names.implOf(node)?.impl.event?.trigger;
  const triggers = triggerClasses(program, state, event);
  return triggers.length === 0 || triggers.some((one) => one === undefined || isRelated(cls, one));
}

function isRelated(a: ClassInfo, b: ClassInfo): boolean {
  return isSubclass(a, b) || isSubclass(b, a);
}

function typeAt(program: Program, record: FunctionRecord, value: ast.Expression): Type {
  if (record.progress === 'new' && program.depth < 30) readFunction(program, record);
  return record.progress === 'done' ? (record.state.types.get(value) ?? plainType(program, record.state, value)) : any;
}

function findReporting(program: Program): readonly Reporting[] {
  const found: Reporting[] = [];
  for (const state of program.modules.values()) {
    for (const element of state.module.tree.body)
      if (element.kind === 'FunctionDecl') found.push(readNames(functionRecord(program, state, element, undefined)));
  }
  for (const cls of program.classes.values())
    for (const member of cls.memberNodes)
      if (member.kind === 'Ability' || member.kind === 'FunctionDecl')
        found.push(readNames(functionRecord(program, cls.state, member, cls)));
  return found;
}

function readNames(record: FunctionRecord): Reporting {
  const { node, state } = record;
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
  look((node.kind === 'FunctionDecl' || node.kind === 'Ability' ? state.names.implOf(node)?.body : undefined) ?? node);
  return { record, name: record.info.name, values, names, spawns };
}
