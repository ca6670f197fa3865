/**
 * Static types and what phase 3 finds out. Types are hints: `any` is compatible both ways and a wrong annotation never
 * breaks generated code (docs/language/diagnostics.md#static-checks). A type serves (a) int/float tracking
 * (docs/language/values.md#integers, docs/language/values.md#floats), (b) direct instead of dispatched method calls,
 * (c) positional calls, (d) diagnostics, (e) suspension (decisions/0001).
 */
import type * as ast from '../1-parse/ast.ts';
import type { Binding } from '../2-resolve/names.ts';

/**
 * `sure` on a type: it follows from how the value was made (a literal, the result of an operator, `range`, `len` …),
 * not from an annotation, a field, or an element of a container. Generated code may leave out the run-time guard only
 * then; it speaks of the outermost value, never of elements. A union is sure when all its members are. A sure `int` may
 * still be a BigInt (docs/language/values.md#integers), a sure `float` is a number. Where an int meets a float (two
 * branches, `0` before a loop that adds floats) the type is `float`, not sure.
 */
export type Type =
  /**
   * Anything. `claim`: the type that a declaration of TypeScript gives it. Rules go by it; for generated code the value
   * is unknown all the same (decisions/0160).
   */
  | { readonly t: 'any'; readonly sure?: false; readonly claim?: Type }
  /** No value: an empty container's element, code that is not reached. */
  | { readonly t: 'never'; readonly sure?: boolean }
  | { readonly t: 'none'; readonly sure?: boolean }
  | { readonly t: 'bool' | 'int' | 'str' | 'bytes' | 'range'; readonly sure?: boolean }
  /**
   * `real`: the value is a float if it is a number at all, by how it was computed: the result of `/`, or of arithmetic
   * with such a float. A sure float is one too. Any other float may be an int as well: it was declared, or stands
   * beside ints (decisions/0341): `real` is false where ints were seen to arrive.
   */
  | { readonly t: 'float'; readonly sure?: boolean; readonly real?: boolean }
  | { readonly t: 'list' | 'set' | 'frozenset' | 'iterator'; readonly of: Type; readonly sure?: boolean }
  | { readonly t: 'tuple'; readonly items: readonly Type[] | undefined; readonly of: Type; readonly sure?: boolean }
  | {
      readonly t: 'dict';
      readonly key: Type;
      readonly value: Type;
      /** Types of the values under keys that are written as literal text, where displays and assignments tell. */
      readonly entries?: Entries | undefined;
      readonly sure?: boolean;
    }
  | { readonly t: 'union'; readonly of: readonly Type[]; readonly sure?: boolean }
  /** An instance of a class of the program or of the runtime ('Root', 'Node', exceptions …). */
  | { readonly t: 'instance'; readonly cls: ClassInfo; readonly sure?: boolean }
  | { readonly t: 'class'; readonly cls: ClassInfo; readonly sure?: boolean }
  | { readonly t: 'function'; readonly fn: FunctionInfo; readonly sure?: boolean }
  /** A bound method of a program class. */
  | { readonly t: 'method'; readonly fn: FunctionInfo; readonly owner: ClassInfo; readonly sure?: boolean }
  /** A built-in function or constructor by name (`len`, `print`, `str` the function …). */
  | { readonly t: 'builtin'; readonly name: string; readonly sure?: boolean }
  /** A project module (its id) or, with `std`, a standard one. */
  | { readonly t: 'module'; readonly module: string; readonly std: boolean; readonly sure?: boolean }
  /** A member of a standard module: a function, class or constant of it. */
  | { readonly t: 'std'; readonly module: string; readonly name: string; readonly sure?: boolean }
  | { readonly t: 'awaitable'; readonly of: Type; readonly sure?: boolean };

export type Entries = ReadonlyMap<string, Type>;

export interface ClassInfo {
  readonly name: string;
  /** Module id; '' for runtime classes. */
  readonly module: string;
  readonly kind: ast.ArchetypeKind | 'enum' | 'runtime' | 'foreign';
  readonly decl: ast.Archetype | ast.EnumDecl | undefined;
  /** C3 order without the class itself; stops at unknown bases (`open` is then true). */
  readonly bases: readonly ClassInfo[];
  /** A base is not known statically, or `__getattr__` is defined: unknown members are not errors. */
  readonly open: boolean;
  /** All fields, bases first (docs/language/archetypes.md#fields), static ones and properties included. */
  readonly fields: ReadonlyMap<string, FieldInfo>;
  /**
   * Constructor fields in order (docs/language/archetypes.md#fields): neither static, nor properties, nor postinit, nor
   * a walker's `reports`.
   */
  readonly constructorFields: readonly FieldInfo[];
  readonly methods: ReadonlyMap<string, FunctionInfo>; // own and inherited
  /** Abilities, own and inherited, by name; unnamed ones are not here. */
  readonly abilities: ReadonlyMap<string, ast.Ability>;
  /** Other attributes of the class: nested types, assignments in the class body. */
  readonly attributes: ReadonlyMap<string, ast.Node>;
  /** Enum members. */
  readonly members: readonly string[];
  /** `enum E: int` */
  readonly primitive: 'int' | 'str' | undefined;
}
export interface FieldInfo {
  readonly name: string;
  readonly type: Type;
  readonly declared: ast.Expression | undefined;
  readonly owner: ClassInfo;
  readonly hasDefault: boolean;
  readonly postinit: boolean;
  readonly static: boolean;
  readonly property: boolean;
  readonly access: ast.Access | undefined;
}
export interface ParamInfo {
  readonly name: string;
  /** Name of the parameter in the `impl`: understood in keyword arguments too. */
  readonly also?: string;
  readonly kind: 'pos' | 'any' | 'kw' | 'args' | 'kwargs';
  readonly type: Type;
  readonly optional: boolean;
}
export interface FunctionInfo {
  readonly name: string;
  readonly module: string;
  /** The class it is a method of. */
  readonly owner: ClassInfo | undefined;
  /**
   * Receiver that a call through an instance binds: `self`, the class (`class def`), or none (`static def`, plain
   * functions).
   */
  readonly receiver: 'self' | 'class' | undefined;
  /** Parameters without the receiver. */
  readonly params: readonly ParamInfo[];
  readonly result: Type;
  /** True when the declared result names `Self`, which is the class it is called through. */
  readonly givesSelf: boolean;
  readonly decl: ast.FunctionDecl | ast.Lambda | ast.Ability | undefined;
  /** False for decorated functions and those assigned to: they are called through the dynamic protocol. */
  readonly direct: boolean;
  /** `async def`: a call gives an awaitable and is not awaited implicitly. */
  readonly async: boolean;
  readonly generator: boolean;
  /** A model's answer in pieces, whatever the declared result says. */
  readonly streams: boolean;
}

/**
 * The argument for a parameter: its index in `call.args`; undefined for the default; for `*args` and `**kwargs` parameters the list of
 * indices (empty: none given).
 */
export type Slot = number | undefined | readonly number[];

/** Plan by which a call is compiled. */
export type CallPlan =
  /** Known callee, arguments mapped. The callee is a name, a module member, a method of a known class, or an immediate lambda. */
  | { readonly how: 'direct'; readonly fn: FunctionInfo; readonly slots: readonly Slot[] }
  /**
   * Constructor of a program class. Without `init`: slots follow `constructorFields`, through the generated constructor. With `init` (own or
   * inherited): slots follow its parameters.
   */
  | {
      readonly how: 'construct';
      readonly cls: ClassInfo;
      readonly init: FunctionInfo | undefined;
      readonly slots: readonly Slot[];
    }
  /** Built-in function by canonical name. */
  | { readonly how: 'builtin'; readonly name: string }
  /** Member of a standard module: `$.std(module).name(…)`. */
  | { readonly how: 'std'; readonly module: string; readonly name: string }
  /** Method of a value of known built-in kind: `xs.append(v)` with `receiver` 'list'. Guard unless the receiver's type is sure. */
  | {
      readonly how: 'method';
      readonly receiver: 'str' | 'list' | 'dict' | 'set' | 'tuple' | 'bytes';
      readonly name: string;
    }
  | { readonly how: 'dynamic' };

export interface Types {
  of(expr: ast.Expression): Type;
  /** Type of a local or module variable over its whole life. */
  ofBinding(binding: Binding): Type;
  classOf(decl: ast.Archetype | ast.EnumDecl): ClassInfo;
  functionOf(decl: ast.FunctionDecl | ast.Lambda | ast.Ability): FunctionInfo;
  callPlan(call: ast.Call): CallPlan;
  /** Is an attribute of that name assigned anywhere in the program? */
  isAssignedName(name: string): boolean;
  /**
   * Gives the type of an annotation: declared types of parameters, results, fields and variables. Names in strings are
   * looked up too.
   */
  annotation(expr: ast.Expression | undefined): Type;
  /**
   * Must the server form of this function (def, lambda, ability, accessor, entry block, test, comprehension, module body) be an async one? True when it contains
   * something that may wait, or calls what may wait (decisions/0001), or an explicit `await`.
   */
  suspends(node: ast.Node): boolean;
  /**
   * Tells whether calls of this function may lead to itself, as far as they are known. Calls of coroutines are not
   * followed.
   */
  recurs(node: ast.Node): boolean;
  /**
   * Tells whether evaluating this very node may give a promise that generated code must await. Calls, attributes
   * (property getters), subscripts, operators (special methods), edge references, spawn, connect, disconnect; for ForIn
   * and CompClause: each step of the iteration; for WithStatement: enter and exit; for AugAssign: the operation; for
   * DeleteStatement: the removal.
   */
  waits(node: ast.Node): boolean;
  /**
   * Does nobody use what the spawn gives? An asynchronous walker is awaited there
   * (docs/language/walkers.md#async-walkers).
   */
  isUnusedSpawn(spawn: ast.Spawn): boolean;
  /** Tells whether asking if the value of the expression is true may have to wait. */
  asksWaiting(node: ast.Expression): boolean;
  /** Methods for comparisons that may answer something other than a bool; `!=` when there are any for it. */
  readonly answering: ReadonlySet<string>;
  /** Names that a test may put something else in the place of while the program runs. */
  readonly mocked: ReadonlySet<string>;
  /** Variables of the module may be changed through `globals()`. */
  readonly setsGlobals: boolean;
}
