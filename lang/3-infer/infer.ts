/**
 * Phase 3: a type for every expression, a plan for every call, and what may wait. The whole program at once, because results and
 * suspension cross modules; every module has its own tables.
 */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import type { Names } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import { NodeMap } from '../node-map.ts';
import type { Project, ProjectModule } from '../project.ts';
import { annotationType } from './classes/annotations.ts';
import { classOfDecl } from './classes/classes.ts';
import { MethodIndex } from './classes/method-index.ts';
import { makeRuntimeClasses } from './classes/runtime-classes.ts';
import { createForeignTypes } from './foreign/types.ts';
import type { BuiltinSignatures } from './functions/builtin-signatures.ts';
import { functionRecord } from './functions/functions.ts';
import { mockedNames, setsGlobals } from './functions/mocked-names.ts';
import { indexProgram, linkWalks } from './index-program.ts';
import type { BrowserHalf, ClassRecord, FunctionNode, FunctionRecord, ModuleState, Program } from './program.ts';
import { type ProgramTraits, programTraits } from './program-traits.ts';
import { readFunction, readModule } from './read/function.ts';
import type { ArgumentProblem } from './read/map-arguments.ts';
import { bindingType, plainType } from './read/plain-type.ts';
import { reportedTypes } from './read/reported.ts';
import { makePoint, markCircles, spread } from './suspension/suspension.ts';
import type { ClassInfo, Type, Types } from './types.ts';

export interface InferOptions {
  /** Form of graph operations: `async` ones may wait (a store that answers later). */
  readonly graph: 'sync' | 'async';
  /** The browser's half is read instead of the server's. */
  readonly browser?: BrowserHalf;
  /** Modules that are asked about: of the others no more is read than these need. All when absent. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The only element that is asked about, of the only module: a declaration other than an `impl`. */
  readonly element?: ast.Node | undefined;
}

/** Types of every module of a project. */
export interface ProjectTypes {
  of(module: string): ModuleTypes;
  /** Gives the types of what walks of a class of the program may report. */
  reportsOf(walker: ClassInfo): readonly Type[] | undefined;
  /** Worked out anew by each call: only the emitter asks, once. */
  traits(): ProgramTraits;
}

/** Questions that rules may ask beyond `Types`. */
export interface ModuleTypes extends Types {
  /** Finds the reason why the arguments of a call cannot be right; undefined: they may be. */
  argumentProblem(call: ast.Call): ArgumentProblem | undefined;
  /** The class record with what only rules need. */
  classRecord(decl: ast.Archetype | ast.EnumDecl): ClassRecord;
  functionRecord(node: FunctionNode): FunctionRecord | undefined;
  readonly program: Program;
}

/** Infers a whole project. Reports nothing: rules (phase 4) read the tables. */
export function infer(
  project: Project,
  names: ProjectNames,
  builtins: BuiltinSignatures,
  options: InferOptions,
): ProjectTypes {
  const program = makeProgram(project, names, builtins, options);
  indexProgram(program);
  // An importer comes before what it imports, so the last first: what is imported is mostly known then.
  const states = [...program.modules.values()].reverse();
  for (const state of states) if (isAsked(state, options.only)) readModule(program, state);
  settleGlobals(program);
  linkWalks(program);
  spread(program.points.always);
  const types = oncePer((state: ModuleState) => makeTypes(program, state));
  return {
    of: (module) => types(program.modules.get(module)!),
    reportsOf: ({ decl, module }) => {
      const state = program.modules.get(module);
      return decl === undefined || state === undefined
        ? undefined
        : reportedTypes(program, classOfDecl(program, state, decl));
    },
    traits: () => programTraits(program.project, program.names),
  };
}

function makeProgram(
  project: Project,
  names: ProjectNames,
  builtins: BuiltinSignatures,
  options: InferOptions,
): Program {
  const modules = new Map<string, ModuleState>();
  for (const module of project.modules.values()) modules.set(module.id, makeState(module, names.of(module.id)));
  return {
    project,
    names,
    builtins,
    foreign: createForeignTypes(project.declarations),
    graph: options.graph,
    browser: options.browser,
    isPartial: options.only !== undefined,
    element: options.element,
    leftOut: new Map(),
    modules,
    classes: new Map(),
    runtimeClasses: makeRuntimeClasses(),
    functions: new Map(),
    globals: new Map(),
    stale: new Set(),
    methods: new MethodIndex(),
    answering: new Set(),
    derivedTypes: new Set([...modules.values()].flatMap((state) => [...state.names.derivedTypes])),
    mockedNames: mockedNames(project, names),
    points: {
      always: makePoint(),
      functionValue: makePoint(),
      anyWalk: makePoint(),
      anyIterator: makePoint(),
      decoratingManager: makePoint(),
      methods: new Map(),
      properties: new Map(),
      constructions: new Map(),
      walks: new Map(),
      unusedWalks: new Map(),
      nodes: new Map(),
      modules: new Map(),
      memberNames: new Set(),
      assignedNames: new Set(),
      standardMethods: new Map(),
    },
    reports: undefined,
    hasCircles: false,
    depth: 0,
    proving: false,
  };
}

function makeState(module: ProjectModule, names: Names): ModuleState {
  return {
    module,
    names,
    types: new NodeMap(),
    plans: new NodeMap(),
    problems: new NodeMap(),
    waits: new NodeMap(),
    unusedSpawns: new Set(),
    truths: new NodeMap(),
    wholes: new Map(),
    annotations: new NodeMap(),
    settled: new Map(),
  };
}

/** Classes inside of functions are there for the whole program once these are read. */
function isAsked({ module, names }: ModuleState, only: ReadonlySet<string> | undefined): boolean {
  return only === undefined || only.has(module.id) || names.hasInnerClasses;
}

/** Reads functions again that read a module variable before its type was complete. Twice is enough but for chains; then types stay wide. */
function settleGlobals(program: Program): void {
  for (let round = 0; round < 3 && program.stale.size > 0; round++) {
    const stale = [...program.stale];
    program.stale.clear();
    for (const record of stale) {
      // Module-level code reads its functions again too.
      if (record.progress === 'done') readFunction(program, record);
    }
  }
}

function makeTypes(program: Program, state: ModuleState): ModuleTypes {
  const { types, plans, waits, truths } = state;
  return {
    program,
    of: (e) => types.get(e) ?? plainType(program, state, e),
    isAssignedName: (name) => program.points.assignedNames.has(name),
    ofBinding: (binding) => bindingType(program, state, binding),
    classOf: (decl) => classOfDecl(program, state, decl),
    classRecord: (decl) => classOfDecl(program, state, decl),
    functionOf: (decl) => functionOf(program, state, decl).info,
    functionRecord: (node) => program.functions.get(node),
    callPlan: (call) => plans.get(call) ?? { how: 'dynamic' },
    annotation: (e) => annotationType(program, state, e),
    argumentProblem: (call) => state.problems.get(call),
    suspends: (node) => suspends(program, state, node),
    recurs: (node) => recurs(program, state, node),
    waits: (node) => waits.get(node)?.suspends === true,
    isUnusedSpawn: (spawn) => state.unusedSpawns.has(spawn),
    asksWaiting: (node) => truths.get(node)?.suspends === true,
    mocked: program.mockedNames,
    setsGlobals: setsGlobals(state.module),
    answering: program.answering,
  };
}

function functionOf(program: Program, state: ModuleState, decl: FunctionNode): FunctionRecord {
  return program.functions.get(decl) ?? functionRecord(program, state, decl, undefined);
}

function recurs(program: Program, state: ModuleState, node: ast.Node): boolean {
  const decl = node.kind === 'ImplDecl' ? state.names.declOf(node) : node.kind === 'FunctionExpr' ? node.decl : node;
  const point = program.functions.get(decl as FunctionNode)?.point;
  if (point === undefined) return false;
  if (!program.hasCircles) {
    program.hasCircles = true;
    markCircles([...program.functions.values()].map((record) => record.point));
  }
  return point.recurs;
}

function suspends(program: Program, state: ModuleState, node: ast.Node): boolean {
  const { functions, points } = program;
  if (node.kind === 'Module') return points.modules.get(state.module.id)?.suspends === true;
  if (node.kind === 'ImplDecl') {
    const decl = state.names.declOf(node);
    return decl !== undefined && suspends(program, state, decl);
  }
  if (node.kind === 'FunctionExpr') return suspends(program, state, node.decl);
  const record = functions.get(node as FunctionNode);
  const point = record?.point ?? points.nodes.get(node);
  return point?.suspends === true;
}
