/** Index of all classes and functions, made before the first one is read, and the conclusions when all are. */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import type { Source } from '../source.ts';
import { classOfDecl } from './classes/classes.ts';
import { functionRecord } from './functions/functions.ts';
import type { ClassRecord, FunctionNode, ModuleState, Points, Program } from './program.ts';
import { isAsyncWalker } from './read/spawn.ts';
import { triggerClasses } from './read/triggers.ts';
import { noteAnswering } from './suspension/answering-comparisons.ts';
import { dependOn, makePoint, type Point, pointOf } from './suspension/suspension.ts';
import type { ClassInfo } from './types.ts';

/** Registers every class that stands outside functions, its methods by name, and the names that may hide functions. */
export function indexProgram(program: Program): void {
  for (const state of program.modules.values()) {
    for (const name of state.names.assignedAttributes) {
      program.points.memberNames.add(name);
      program.points.assignedNames.add(name);
    }
    indexElements(program, state, state.module.tree.body);
    noteStandard(program, state);
    noteAnswering(program, state);
  }
}

function indexElements(program: Program, state: ModuleState, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'PlacedBlock') indexElements(program, state, element.body);
    else if (element.kind === 'Archetype' || element.kind === 'EnumDecl') indexClass(program, state, element);
  }
}

/** Called for classes inside functions too, when they are met. */
function indexClass(program: Program, state: ModuleState, decl: ast.Archetype | ast.EnumDecl): void {
  const cls = classOfDecl(program, state, decl);
  const { points } = program;
  for (const member of cls.memberNodes) {
    switch (member.kind) {
      case 'FunctionDecl':
        indexMethod(program, state, cls, member);
        break;
      case 'HasDecl':
        for (const item of member.items) indexField(program, state, cls, item);
        break;
      case 'Archetype':
      case 'EnumDecl':
        indexClass(program, state, member);
        break;
      case 'AssignStatement':
        for (const target of member.targets) {
          if (target.kind !== 'NameRef') continue;
          points.memberNames.add(target.name);
          // `__rmul__ = __mul__`
          if (target.name.startsWith('__') && member.value?.kind === 'NameRef')
            dependOn(pointOf(points.methods, target.name), pointOf(points.methods, member.value.name));
        }
        break;
      default:
    }
  }
}

function indexMethod(program: Program, state: ModuleState, cls: ClassRecord, member: ast.FunctionDecl): void {
  const { points } = program;
  const { info, point } = functionRecord(program, state, member, cls);
  const name = methodName(info.name);
  const isProperty = cls.fields.get(name)?.property === true && cls.methods.get(name) === undefined;
  if (isProperty) {
    dependOn(pointOf(points.properties, name), point);
    return;
  }
  program.methods.add(name, info);
  const byName = pointOf(points.methods, name);
  if (info.generator && !info.async) dependOn(points.anyIterator, point);
  else if (!info.async) dependOn(byName, point);
  if (name === '__iter__' || name === '__next__') dependOn(points.anyIterator, byName);
  if (name === 'init' || name === 'postinit') dependOn(pointOf(points.constructions, cls), point);
}

function methodName(name: string): string {
  return name === '__init__' ? 'init' : name === '__post_init__' ? 'postinit' : name;
}

function indexField(program: Program, state: ModuleState, cls: ClassRecord, item: ast.HasItem): void {
  const { points } = program;
  points.memberNames.add(item.name.text);
  for (const accessor of item.accessors ?? []) {
    const { point } = functionRecord(program, state, accessor, cls);
    dependOn(pointOf(points.properties, item.name.text), point);
  }
}

/** Modules of which a single kind of object has methods that wait, and a word of every program that makes one. */
const makersOfWaiting: ReadonlyMap<string, string> = new Map([
  ['requests', 'Session'],
  ['urllib.request', 'pener'],
  ['subprocess', 'Popen'],
]);

/** Methods that wait, of standard objects, count by name once the program imports their module. */
function noteStandard(program: Program, state: ModuleState): void {
  const { waitingMethods } = program.builtins;
  const add = (module: string): void => {
    const { standardMethods, anyIterator, always } = program.points;
    for (const name of waitingMethods.get(module) ?? []) {
      standardMethods.set(name, (standardMethods.get(name) ?? new Set()).add(module));
      if (name === '__iter__') dependOn(anyIterator, always);
    }
  };
  for (const target of state.module.imports.values()) {
    if (target.of !== 'standard') continue;
    if (target.name === 'contextlib') noteManagers(program.points);
    const maker = makersOfWaiting.get(target.name);
    if (maker !== undefined && !state.module.sources.some(({ text }) => text.includes(maker))) continue;
    add(target.name.endsWith('.testing') ? 'svclang.runtimelib.testing' : target.name);
  }
  if (state.module.sources.some(namesStore)) add('ambient.store');
}

const namesStore = oncePer(({ text }: Source) => /\bstore\s*\(|\bStorageFactory\b/.test(text));

/** Managers that decorate functions: those of a class of the program, below `ContextDecorator`, and generators under `@contextmanager`. */
function noteManagers({ decoratingManager, methods, anyIterator }: Points): void {
  for (const name of ['__enter__', '__exit__']) dependOn(decoratingManager, pointOf(methods, name));
  dependOn(decoratingManager, anyIterator);
}

// ---------------------------------------------------------------- after reading

/** Ties walks to the abilities that run in them, and inherited constructors to those of the bases. */
export function linkWalks(program: Program): void {
  const classes = [...program.classes.values()];
  const walkers = classes.filter((cls) => cls.kind === 'walker');
  const { points } = program;
  for (const record of program.functions.values()) {
    // Items that an `async def` yields are for `async for`; a plain loop over something unknown does not get them.
    if (record.info.generator && !record.info.async) dependOn(points.anyIterator, record.point);
  }
  for (const cls of classes) {
    for (const base of cls.bases) {
      if (base.kind !== 'runtime') dependOn(pointOf(points.constructions, cls), pointOf(points.constructions, base));
    }
  }
  const related = new Map<ClassInfo, ClassRecord[]>();
  const untyped = makePoint();
  dependOn(points.anyWalk, untyped);
  for (const walker of walkers) {
    const walk = pointOf(points.walks, walker);
    dependOn(walk, untyped);
    if (!isAsyncWalker(walker)) dependOn(points.anyWalk, walk);
    // A variable of a base may hold one.
    else for (const one of [undefined, ...walker.bases]) dependOn(pointOf(points.unusedWalks, one), points.always);
    for (const one of [walker, ...walker.bases]) {
      const same = related.get(one);
      if (same === undefined) related.set(one, [walker]);
      else same.push(walker);
      if (one.kind === 'walker') dependOnAbilities(program, walk, one as ClassRecord);
    }
  }
  for (const cls of classes) {
    if (cls.kind !== 'walker') linkLocation(program, cls, related, untyped);
  }
}

function dependOnAbilities(program: Program, walk: Point, cls: ClassRecord): void {
  for (const member of cls.memberNodes) {
    const point = member.kind === 'Ability' ? program.functions.get(member)?.point : undefined;
    if (point !== undefined) dependOn(walk, point);
  }
}

/** Abilities of nodes and edges run in the walks of the walkers that trigger them. */
function linkLocation(
  program: Program,
  cls: ClassRecord,
  related: ReadonlyMap<ClassInfo, readonly ClassRecord[]>,
  untyped: Point,
): void {
  const { points } = program;
  for (const member of cls.memberNodes) {
    if (member.kind !== 'Ability') continue;
    const point = program.functions.get(member as FunctionNode)?.point;
    if (point === undefined) continue;
    const event = member.event.trigger ?? cls.state.names.implOf(member)?.impl.event?.trigger;
    const triggers = triggerClasses(program, cls.state, event);
    if (triggers.length === 0 || triggers.includes(undefined)) dependOn(untyped, point);
    for (const trigger of triggers) {
      if (trigger === undefined) continue;
      // Walkers of the class and of subclasses; of its bases too, since a variable of theirs may hold one.
      for (const walker of related.get(trigger) ?? []) dependOn(pointOf(points.walks, walker), point);
      for (const base of trigger.bases) if (base.kind === 'walker') dependOn(pointOf(points.walks, base), point);
    }
  }
}
