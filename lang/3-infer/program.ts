/**
 * State of inference while it works: the program, its modules, and the function being read. Internal to phases 3 and 4.
 */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding, ModuleBinding, Names, Scope } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { NodeMap } from '../node-map.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { MethodIndex } from './classes/method-index.ts';
import type { RuntimeClasses } from './classes/runtime-classes.ts';
import type { ForeignTypes } from './foreign/types.ts';
import type { BuiltinSignatures } from './functions/builtin-signatures.ts';
import type { ArgumentProblem } from './read/map-arguments.ts';
import type { Reports } from './read/reported.ts';
import type { Point } from './suspension/suspension.ts';
import type { CallPlan, ClassInfo, FunctionInfo, Type } from './types.ts';

/** Reading of code for a browser: spawns ask the server there, and `has` in a function is a cell of state. */
export interface BrowserHalf {
  /** Is an element emitted for the browser? */
  reads(element: ast.Node): boolean;
  /** Types of what a walker of the server reports; undefined when they are not known. */
  reportsOf(walker: ClassInfo): readonly Type[] | undefined;
}

export interface Program {
  readonly project: Project;
  readonly names: ProjectNames;
  readonly builtins: BuiltinSignatures;
  readonly foreign: ForeignTypes;
  readonly graph: 'sync' | 'async';
  /** Set when the browser's half is read. */
  readonly browser: BrowserHalf | undefined;
  /** Some modules are read only as far as others need them. */
  readonly isPartial: boolean;
  /** Set when only one element is asked about: of its module, other functions are read only as far as it needs them. */
  readonly element: ast.Node | undefined;
  /** Functions of modules that were left out so, by module. */
  readonly leftOut: Map<string, FunctionRecord[]>;
  readonly modules: Map<string, ModuleState>;
  readonly classes: Map<ast.Node, ClassRecord>;
  readonly runtimeClasses: RuntimeClasses;
  readonly functions: Map<ast.Node, FunctionRecord>;
  readonly globals: Map<ModuleBinding, GlobalRecord>;
  /** Functions to read again because the type of a module variable they read has changed. */
  readonly stale: Set<FunctionRecord>;
  readonly methods: MethodIndex;
  /** Methods for comparisons that may answer something other than a bool; `!=` when there are any for it. */
  readonly answering: Set<string>;
  /** Built-in types that classes of the program derive from, by the word of their `Type`. */
  readonly derivedTypes: ReadonlySet<string>;
  /** Names of methods that a test may put a mock in the place of: no call of them is planned. */
  readonly mockedNames: ReadonlySet<string>;
  readonly points: Points;
  /** Functions and abilities with what they report; found when first asked for. */
  reports: Reports | undefined;
  /** The functions that depend on themselves are marked, which happens when that is first asked. */
  hasCircles: boolean;
  /** Number of functions that are being read because another asked for their result. */
  depth: number;
  /** The condition of a predicate is being read (predicates.ts): one in it tells nothing more. */
  proving: boolean;
}

export interface Points {
  readonly always: Point;
  /** Calling some function value of unknown origin. */
  readonly functionValue: Point;
  /** Spawning some walker of unknown class. */
  readonly anyWalk: Point;
  /** Stepping some iterator of unknown origin. */
  readonly anyIterator: Point;
  /** Entering and leaving a manager of `contextlib` around each call of a function that it decorates. */
  readonly decoratingManager: Point;
  /** Calling a method of this name on a value of unknown type; likewise reading a property. */
  readonly methods: Map<string, Point>;
  readonly properties: Map<string, Point>;
  /** Constructing an instance; walking. */
  readonly constructions: Map<ClassInfo, Point>;
  readonly walks: Map<ClassInfo, Point>;
  /**
   * Spawns whose value nobody uses, by the class that is known; undefined: of unknown class. They wait for asynchronous
   * walkers too (docs/language/walkers.md#async-walkers).
   */
  readonly unusedWalks: Map<ClassInfo | undefined, Point>;
  /** Nodes that are no function but may be asked about. */
  readonly nodes: Map<ast.Node, Point>;
  /** Initialising a module. */
  readonly modules: Map<string, Point>;
  /** Names under which functions may hide in values: fields and assigned attributes. */
  readonly memberNames: Set<string>;
  /** Names of attributes that are assigned anywhere: a module may be what they are assigned to. */
  readonly assignedNames: Set<string>;
  /** Names of methods of standard objects that wait, with the imported modules that make such objects. */
  readonly standardMethods: Map<string, Set<string>>;
}

export interface ModuleState {
  readonly module: ProjectModule;
  readonly names: Names;
  readonly types: NodeMap<Type>;
  readonly plans: NodeMap<CallPlan>;
  readonly problems: NodeMap<ArgumentProblem>;
  readonly waits: NodeMap<Point>;
  /** Spawns whose value nobody uses. */
  readonly unusedSpawns: Set<ast.Spawn>;
  /** Points that asking for the truth of an expression may wait for, by expression. */
  readonly truths: NodeMap<Point>;
  /** Types of locals over their whole life, by function scope and slot. */
  readonly wholes: Map<Scope, (Type | undefined)[]>;
  readonly annotations: NodeMap<Type>;
  /** Types of parts of the long chain that is being read (1-parse/spines.ts). */
  readonly settled: Map<ast.Expression, Type>;
}

export interface ClassRecord extends ClassInfo {
  readonly state: ModuleState;
  readonly scope: Scope;
  /** Direct bases as written, undefined where unknown. */
  readonly direct: readonly (ClassInfo | undefined)[];
  /** True when no C3 order exists (E0526); `bases` is then a plain order. */
  readonly inconsistent: boolean;
  /** Members of the declaration and of an impl joined to it. */
  readonly memberNodes: readonly ast.Member[];
}

export type FunctionNode =
  | ast.FunctionDecl
  | ast.Lambda
  | ast.Ability
  | ast.Accessor
  | ast.TestBlock
  | ast.Module
  | ast.EntryBlock;

export interface FunctionRecord {
  readonly node: FunctionNode;
  readonly state: ModuleState;
  readonly scope: Scope;
  readonly owner: ClassRecord | undefined;
  readonly info: FunctionInfo;
  readonly point: Point;
  readonly declaredResult: Type | undefined;
  /** The reader of the function around it, for captured variables. */
  outer: Reader | undefined;
  progress: 'new' | 'running' | 'done';
  /** Type of the values that `return` and the tail give, joined. */
  result: Type;
  /** Types for parameters without annotation, from where a lambda is passed. */
  hints: readonly Type[] | undefined;
}

export interface GlobalRecord {
  declared: Type | undefined;
  type: Type;
  readonly readers: Set<FunctionRecord>;
}

/** Types by slot. */
export interface Env extends Array<Type | undefined> {
  /** Types that tests have shown of places other than locals (places.ts); never changed once it is made. */
  places?: ReadonlyMap<string, Type> | undefined;
}

/** The reading of one function (or module-level code): where it is and what it knows there. */
export interface Reader {
  readonly program: Program;
  readonly state: ModuleState;
  readonly record: FunctionRecord;
  readonly scope: Scope;
  readonly outer: Reader | undefined;
  /** Types of the function's locals by slot, at this place; undefined: not assigned. */
  env: Env;
  /** The same, over the whole function. */
  readonly whole: Env;
  declared: Map<LocalBinding, Type> | undefined;
  /** Types of variables shared with inner functions as they were read last, by slot. */
  shared: Map<number, Type> | undefined;
  /** This place is not reached. */
  dead: boolean;
  self: Type;
  here: Type;
  visitor: Type;
  /** Point that waits at this place: the function, or a comprehension or default value in it. */
  point: Point;
  /** The statement whose value the function gives. */
  readonly result: ast.Statement | undefined;
  readonly loops: LoopRecord[];
  /** Environments of enclosing `try` bodies: what their handlers may see. */
  readonly tries: Env[];
  /** Nested functions to read when this one is done. */
  readonly pending: FunctionRecord[];
  /** Number of repeated readings under way, with better knowledge: entries of tables are overwritten then. */
  again: number;
  /** Type of the expression statement read last. */
  last: Type;
}

export interface LoopRecord {
  readonly breaks: Env[];
  readonly continues: Env[];
}
