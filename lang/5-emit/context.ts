/**
 * State of an emitter: `Unit` is the module being written, `Cx` the JavaScript function being written. Emitters take
 * the `Cx` first and return text (with marks, see printer.ts).
 */
import type * as ast from '../1-parse/ast.ts';
import type { ImportTarget, LocalBinding, Names, Scope } from '../2-resolve/names.ts';
import type { ProgramTraits } from '../3-infer/program-traits.ts';
import type { ClassInfo, Types } from '../3-infer/types.ts';
import type { Debugging } from './debug-tables.ts';
import { quote } from './identifiers.ts';
import type { Interval } from './intervals.ts';
import { markAt } from './printer.ts';

export interface EmitOptions {
  readonly target: 'server';
  /** Form of graph operations: `async` ones may give promises. */
  readonly graph: 'sync' | 'async';
  /** Specifier from which generated modules import `$`. */
  readonly runtime: string;
  /** Module specifier of another project module, as seen from this one. */
  readonly moduleSpecifier: (id: string) => string;
  /** Is this base of a class of the module a variable, or a class on one? */
  readonly isLateBase?: ((base: ast.Expression) => boolean) | undefined;
  /** Project modules that are imported in front of all others, for the order in which classes are defined. */
  readonly importsFirst?: readonly string[] | undefined;
  /** Specifier of a JavaScript module; absent: as written. */
  readonly foreignSpecifier?: ((specifier: string) => string) | undefined;
  /** This module is the program: it initialises itself, others are initialised by their importers. */
  readonly isEntry: boolean;
  /** Facts of phase 3 that hold for the whole program. */
  readonly traits: ProgramTraits;
  /** Labelled entry blocks that run in place, in textual order (`__main__`); others are only exported in `$entries`. */
  readonly entryLabel?: string | undefined;
  /** `test` and undefined export `$tests`; the others leave tests out. */
  readonly mode?: 'run' | 'serve' | 'test' | undefined;
  /** Entry blocks of the entry module are left out. */
  readonly withoutEntries?: boolean | undefined;
  /** The module tells a debugger of its statements (debugging.ts). */
  readonly debug?: boolean | undefined;
  /** The text is evaluated among the variables of a module that was compiled for a debugger. */
  readonly isEvaluated?: boolean | undefined;
  /** The module says which statement runs, for stories (marks.ts). */
  readonly marks?: boolean | undefined;
  /** Does initialising this project module give a promise? */
  readonly waitsForModule?: ((id: string) => boolean) | undefined;
  /** Has the server nothing of this module, so that nobody has to load it? */
  readonly isHollow?: (id: string) => boolean;
  /** True when another module has private walkers, which this one may not spawn (docs/server/programs.md#private-walkers). */
  readonly checksSpawns?: boolean | undefined;
  /** Is the function an endpoint because client code calls it (docs/server/functions.md#served)? */
  readonly isRemote?: ((decl: ast.Node) => boolean) | undefined;
  /** Members of other modules that client code names, for the entry of a served program. */
  readonly remote?: readonly { readonly module: string; readonly name: string }[] | undefined;
  /** The declaration that a member of a project module is, through re-exports. */
  readonly member?: ((module: string, name: string) => Member | undefined) | undefined;
  /** Gives the target of an import outside of the project, through re-exports. */
  readonly origin?: ((target: ImportTarget) => ImportTarget | undefined) | undefined;
  /**
   * Gives the text of another project module, as far as it is known: an alias of a type is read where it is declared.
   */
  readonly home?: ((module: string) => Home) | undefined;
}

export interface Home {
  readonly names: Names;
  readonly types: Types;
}

export interface Member {
  readonly module: string;
  readonly name: string;
  readonly role: 'glob' | 'function' | 'archetype' | 'enum' | 'alias' | 'entry' | 'import';
  readonly decl: ast.Node | undefined;
}

export interface Unit {
  readonly id: string;
  /** Path shown to people (`at`); `__file__` is the whole of it. */
  readonly path: string;
  readonly names: Names;
  readonly types: Types;
  readonly options: EmitOptions;
  /** Number of the file a declaration was written in. */
  readonly fileOf: (node: ast.Node) => number;
  /** `line:column` of an offset. */
  readonly position: (file: number, offset: number) => { path: string; line: number; column: number };
  /** Module-level constants, in front of everything. */
  readonly constants: string[];
  /** Code of the module's own variables and declarations, by name. */
  readonly moduleNames: Map<string, string>;
  /** Descriptions given with `sem`, by dotted target. */
  readonly sem: Map<string, string>;
  /** Constants that hold the records of functions a model answers. */
  readonly described: Map<ast.Node, string>;
  /** Project modules imported as namespaces, by id, and JavaScript modules by specifier. */
  readonly namespaces: Map<string, string>;
  readonly foreign: Map<string, string>;
  /** Standard modules the code of this module names. */
  readonly standard: Set<string>;
  /** Names that a local got instead of its own (comprehension variables written into the surrounding function). */
  readonly renamed: Map<LocalBinding, string>;
  /** Classes that code of this module can name, by declaration. */
  readonly classCode: Map<ast.Node, string>;
  /** Variables that hold the defaults of parameters, where functions tell them. */
  readonly defaults: Map<ast.Param, string>;
  /** Expressions that were computed in front of their statement. */
  readonly computed: Map<ast.Node, string>;
  /** Parts of long chains that are computed one after the other (1-parse/spines.ts). */
  readonly spines: ast.Spines;
  /** Null-safe links whose receiver has been tested already. */
  readonly guarded: Set<ast.Node>;
  /** Variables that the loop being written sums up (sums.ts). */
  readonly sums: Map<LocalBinding, SumPath>;
  /** Variables known to be small integers. */
  readonly counters: Map<LocalBinding, Interval>;
  /** Limits of the loop whose test is being written: the constant with the value, or NaN where that is no JavaScript number. */
  readonly limits: Map<LocalBinding, string>;
  /** Modules to initialise in front of everything, because a function that cannot wait imports them. */
  readonly late: Set<string>;
  /** Items of declarations that are not emitted for the server. */
  readonly clientNodes: Set<ast.Node>;
  /** Does `:=` occur in the module, or a statement in markup? Then assignments hide in expressions. */
  readonly hasWalrus: boolean;
  readonly hasYield: boolean;
  /** Tables for a debugger; undefined where nobody debugs. */
  readonly debugging: Debugging | undefined;
  /** Text of `__doc__`. */
  readonly doc: string | undefined;
  file: number;
  serial: number;
  depth: number;
  /** Temporaries of code that runs when the module is loaded. */
  topTemps: number;
}

/** Variables of a sum: whether it is on the bare path, and its number there (sums.ts). */
export interface SumPath {
  readonly isBare: string;
  readonly number: string;
}

export interface Cx {
  readonly u: Unit;
  readonly parent: Cx | undefined;
  readonly isAsync: boolean;
  /** At module level: what is written here runs when the module is loaded, before `$init`. */
  readonly isTop: boolean;
  /** Name of the list that markup as a statement goes to, in a slot of markup. */
  readonly slot?: string | undefined;
  /** Label by which `return` leaves an entry block; undefined elsewhere. */
  readonly exit: { readonly label: string; used: boolean } | undefined;
  /** `plain`: results matter; `void`: returns leave without a value (abilities, constructors); `module`: initialisation code. */
  readonly result: 'plain' | 'void' | 'module';
  /** `__qualname__` of the function; '' at module level. */
  readonly qualname: string;
  readonly cls: ClassCx | undefined;
  readonly scope: Scope | undefined;
  /** Code of `self`, `here`, `visitor` and the running walk; undefined: there is none in scope. */
  readonly self: string | undefined;
  readonly here: string | undefined;
  readonly visitor: string | undefined;
  readonly walk: string | undefined;
  /** Is `self` (the location, for `here`) an instance of its static type for certain? */
  readonly ability: 'walker' | 'location' | undefined;
  /** Can `super.x` be written here (methods and arrow functions in them)? */
  readonly canSuper: boolean;
  /** Temporaries: how many this statement uses, and the most any statement used. */
  temps: number;
  mostTemps: number;
  /** Variables of this function whose being a list is tested once, with the name of the answer. Made with the first of them. */
  listTests: Map<LocalBinding, string> | undefined;
  listMarks: Set<LocalBinding> | undefined;
  /** Enclosing loops and switches, innermost last. */
  readonly jumps: Jump[];
  /** Variables of the enclosing `except` clauses, innermost last. */
  readonly caught: Caught[];
}

/** Variable of the exception of a clause; that of the group an `except*` clause takes its part of. */
export interface Caught {
  readonly code: string;
  readonly group: string | undefined;
}

export interface ClassCx {
  readonly name: string;
  /** Receiver of the method being written: `Self` is its class. */
  readonly receives?: 'instance' | 'class' | undefined;
  /** A class inside a method: variable of the receiver around it, which `self` means where the class has none of that name. */
  readonly outerSelf?: string | undefined;
  /** Code of `self` in a method whose receiver has another name. */
  readonly selfWord?: string | undefined;
  readonly info: ClassInfo | undefined;
  readonly kind: ast.ArchetypeKind | 'enum';
  readonly qualname: string;
  /** Code of the class itself. */
  readonly code: string;
  readonly hasBase: boolean;
  readonly baseCode: string;
}

export interface Jump {
  readonly of: 'loop' | 'switch';
  /** Set when a plain `break` or `continue` would not do; `used` tells whether the label must be written. */
  readonly breakLabel: string | undefined;
  readonly continueLabel: string | undefined;
}

/** Parts of a context that say which objects are around a function. */
export type Surroundings = Pick<Cx, 'cls' | 'self' | 'here' | 'visitor' | 'walk' | 'ability' | 'canSuper'>;

interface NestedOptions {
  readonly scope?: Scope | undefined;
  readonly around?: Surroundings | undefined;
  readonly canSuper?: boolean | undefined;
  readonly isTop?: boolean;
  readonly qualname?: string | undefined;
}

/** A context for a function nested in `c`. */
export function nested(
  c: Cx,
  isAsync: boolean,
  result: 'plain' | 'void',
  { scope = c.scope, around = c, canSuper = around.canSuper, isTop = false, qualname = c.qualname }: NestedOptions = {},
): Cx {
  return {
    u: c.u,
    parent: c,
    isAsync,
    isTop,
    exit: undefined,
    result,
    qualname,
    cls: around.cls,
    scope,
    self: around.self,
    here: around.here,
    visitor: around.visitor,
    walk: around.walk,
    ability: around.ability,
    canSuper,
    temps: 0,
    mostTemps: 0,
    listTests: undefined,
    listMarks: undefined,
    jumps: [],
    caught: [],
  };
}

/** `__qualname__` of a function that the code at `c` makes. */
export function localName(c: Cx, name: string): string {
  if (c.scope?.kind === 'class' && c.cls !== undefined) return `${c.cls.qualname}.${name}`;
  return c.qualname === '' ? name : `${c.qualname}.<locals>.${name}`;
}

/** A temporary of the current function, free again after the statement. */
export function temp(c: Cx): string {
  c.temps += 1;
  if (c.temps > c.mostTemps) c.mostTemps = c.temps;
  return `$${c.temps}`;
}

/** A name of the compiler's own, used once in the module. */
export function unique(u: Unit, stem: string): string {
  u.serial += 1;
  return `$${stem}${u.serial}`;
}

/** `let $1, $2;` for the temporaries that were used, or nothing. */
export function tempList(c: Cx): string[] {
  const names: string[] = [];
  for (let i = 1; i <= c.mostTemps; i += 1) names.push(`$${i}`);
  return names;
}

/** Hands the temporaries of a class body's own code to where that code runs. */
export function adoptTemps(c: Cx, inner: Cx): void {
  if (c.isTop) c.u.topTemps = Math.max(c.u.topTemps, inner.mostTemps);
  else c.mostTemps = Math.max(c.mostTemps, inner.mostTemps);
}

/** Position mark for a node. */
export function mark(c: Cx, node: ast.Span, name?: string): string {
  return markAt(c.u.file, node.start, name);
}

/** A name as it stands in the source: private ones mean a longer one. */
export function spelling({ text, start, end }: ast.Name): string {
  return text.length > end - start ? text.slice(start - end) : text;
}

export function newline(c: Cx): string {
  return indents[c.u.depth] ?? `\n${'  '.repeat(c.u.depth)}`;
}

const indents = Array.from({ length: 16 }, (_, i) => `\n${'  '.repeat(i)}`);

/** A line of code at the current depth. */
export function line(c: Cx, code: string): string {
  return newline(c) + code;
}

/** Writes with one more level of indentation. */
export function indented<T>(c: Cx, write: () => T): T {
  c.u.depth += 1;
  try {
    return write();
  } finally {
    c.u.depth -= 1;
  }
}

/** Writes code that comes from another file of the module (an `impl` in an annex). */
export function inFile<T>(u: Unit, node: ast.Node, write: () => T): T {
  const before = u.file;
  u.file = u.fileOf(node);
  try {
    return write();
  } finally {
    u.file = before;
  }
}

/** A module-level constant with the given code; gives its name. */
export function constant(u: Unit, stem: string, code: string): string {
  const name = unique(u, stem);
  u.constants.push(`const ${name} = ${code};`);
  return name;
}

/** A standard module; the head of the generated module makes it ready. */
export function standardModule(u: Unit, name: string): string {
  u.standard.add(name);
  return `$.std(${quote(name)})`;
}

/** A member that an import takes from a standard module; undefined until the import complains when there is none. */
export function standardMember(u: Unit, name: string, member: string): string {
  u.standard.add(name);
  return `$.stdMember(${quote(name)}, ${quote(member)})`;
}

/** Namespace under which a project module is imported. */
export function namespaceOf(u: Unit, id: string): string {
  let name = u.namespaces.get(id);
  if (name === undefined) u.namespaces.set(id, (name = `$m${u.namespaces.size + 1}`));
  return name;
}

export function foreignOf(u: Unit, specifier: string): string {
  let name = u.foreign.get(specifier);
  if (name === undefined) u.foreign.set(specifier, (name = `$j${u.foreign.size + 1}`));
  return name;
}

/** Gives the result of `write`, during which the code of some expressions stands for them. */
export function withCodes<T>(c: Cx, codes: readonly (readonly [ast.Node, string])[], write: () => T): T {
  const { computed } = c.u;
  const before = codes.map(([node]) => [node, computed.get(node)] as const);
  for (const [node, code] of codes) computed.set(node, code);
  const written = write();
  for (const [node, code] of before) {
    if (code === undefined) computed.delete(node);
    else computed.set(node, code);
  }
  return written;
}
