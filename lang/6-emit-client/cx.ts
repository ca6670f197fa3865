/** Knowledge of the client emitter while it writes a module (`Unit`) and a function of it (`Cx`). */
import type * as ast from '../1-parse/ast.ts';
import type { ClientPlan } from '../2-resolve/client-plan.ts';
import type { LocalBinding, ModuleBinding, Names } from '../2-resolve/names.ts';
import type { Types } from '../3-infer/types.ts';
import { markAt } from '../5-emit/printer.ts';
import type { ProjectModule } from '../project.ts';

export interface ClientOptions {
  /** `development`: elements know where they were written. */
  readonly mode: 'development' | 'production';
  /** `svc test`: test blocks are emitted. */
  readonly tests?: boolean;
  /** Name of the component that is the application: `app` unless it is said. */
  readonly app?: string;
}

/** Answers that emitting a module needs about the others. */
export interface ClientLink {
  readonly plan: ClientPlan;
  readonly options: ClientOptions;
  /** Folder of the project. */
  readonly root: string;
  /** Ids of modules that have a `default`. */
  readonly byScripts: ReadonlySet<string>;
  /** The declaration an import leads to, through re-exports. */
  follow(binding: ModuleBinding): ModuleBinding | undefined;
  module(id: string): ProjectModule | undefined;
  namesOf(id: string): Names;
  typesOf(id: string): Types;
}

/** A name that is imported: `member` is `*` for the whole module, '' for a module that is only run. */
export interface Import {
  readonly specifier: string;
  readonly member: string;
  readonly local: string;
  used: boolean;
}

export interface Unit {
  readonly module: ProjectModule;
  readonly names: Names;
  readonly types: Types;
  readonly link: ClientLink;
  /** Imports of the module, in the order of the text; helpers come as they are used. */
  readonly imports: Import[];
  /** Imports that the text of the module writes outside of functions, by the variable they fill. */
  readonly importOf: Map<ModuleBinding, Import>;
  /** Variables that are spelled otherwise than in the source. */
  readonly renamed: Map<LocalBinding | ModuleBinding, string>;
  /** State cells with the code of their setters. */
  readonly setters: Map<LocalBinding, string>;
  /** Statements that declare a variable by giving it its first value. */
  readonly declaredAt: Map<LocalBinding, ReadonlySet<ast.Node>>;
  /** Variables that more than one place gives a value. */
  readonly changed: Set<LocalBinding>;
  /** Counters of loops, which begin at zero: places they name are none from the end. */
  readonly counters: Set<LocalBinding>;
  /** Names that functions of the module use for variables, so that imports get others. */
  readonly taken: Set<string>;
  /** Texts of class names that are another in the page, by their literals. */
  readonly scopedTexts: Map<ast.Node, string>;
  /** Lines for the head of the module: descriptors of walkers and functions of the server, classes of its types. */
  readonly descriptors: Map<string, { readonly local: string; readonly code: string }>;
  /** Names of the walkers and functions of the server that the module asks for. */
  readonly asks: Set<string>;
  /** Undefined where nothing is updated in place. */
  readonly refresh: Refresh | undefined;
  /** Keys of values of the module that an update keeps (`refresh.ts`). */
  readonly kept: Map<ModuleBinding, string>;
  /** Offsets of the words of all that waits or yields, in order, those of all files of the module: where none is, nothing does. */
  readonly pauses: readonly number[];
  /** Parts of long chains that are computed one after the other (1-parse/spines.ts), by the variable that holds each where the rest is written. */
  readonly computed: Map<ast.Expression, string>;
  /** Values of defaults that are computed once, for the function or class being written. `waits`: what is computed waits for its first use. */
  held: {
    readonly waits: boolean;
    readonly values: { readonly variable: string; readonly value: string | undefined }[];
  };
  readonly fileOf: (node: ast.Node) => number;
  file: number;
  depth: number;
  serial: number;
}

/** Calls of Fast Refresh that a module is given (`refresh.ts`). */
export interface Refresh {
  /** Functions of the module with hooks: the variable of the signature, and its further arguments. */
  readonly signatures: Map<ast.Node, { readonly name: string; readonly rest: string }>;
  /** Names of components. */
  readonly components: string[];
}

/** A hook that the function being written calls. */
export interface HookCall {
  /** The same as long as its state may be kept. */
  readonly key: string;
  /** Code of a hook that is not React's: its own signature counts, too. */
  readonly custom?: string;
}

/** The function being written. */
export interface FunctionCx {
  temps: number;
  /** Names of variables to declare at its head. */
  readonly hoisted: string[];
  /** Hooks that it calls, in the order of the text. */
  readonly hooks: HookCall[];
  /** The declaration of a component or hook: where `self.x` and `props` mean its state and its properties. */
  readonly component: { readonly node: ast.FunctionDecl; readonly props: string | undefined } | undefined;
  readonly isAsync: boolean;
  /** Ends without a value whatever its last expression is. */
  readonly isVoid: boolean;
  /** Gives elements to be rendered: `return;` gives none. */
  readonly isRender?: boolean;
  /** In the constructor of a class of JavaScript: what gives the fields their first values once the object is there. */
  readonly defaults?: readonly string[];
  /** Is an effect of React, which takes a function or nothing from it. */
  readonly isEffect?: boolean;
}

export interface Cx {
  readonly u: Unit;
  readonly fn: FunctionCx;
  readonly parent: Cx | undefined;
  /** In a slot of markup: the array that elements go to. */
  readonly slot: string | undefined;
  /** Code of `self`; undefined where there is none. */
  readonly self: string | undefined;
  /** Code of the class around, for `super`. */
  readonly cls: ast.Archetype | undefined;
  /** Variable of the exception that the enclosing `except` handles. */
  readonly caught: string | undefined;
  /** Enclosing loops and switches whose `break` needs a label or a flag. */
  readonly loops: readonly Loop[];
}

export interface Loop {
  readonly kind: 'loop' | 'switch';
  readonly label: string;
  /** Set where the label was used. */
  used: boolean;
  /** Set where `break` leaves it. */
  broken: boolean;
  /** Variable that `break` clears, for the `else` of the loop. */
  readonly completed: string | undefined;
}

export function moduleCx(u: Unit): Cx {
  const fn: FunctionCx = { temps: 0, hoisted: [], hooks: [], component: undefined, isAsync: true, isVoid: true };
  return { u, fn, parent: undefined, slot: undefined, self: undefined, cls: undefined, caught: undefined, loops: [] };
}

/** A context for a function inside of `c`. */
export function inner(c: Cx, fn: Partial<FunctionCx>, more: Partial<Cx> = {}): Cx {
  const component = c.fn.component;
  return {
    ...c,
    parent: c,
    slot: undefined,
    caught: undefined,
    loops: [],
    ...more,
    fn: { temps: 0, hoisted: [], hooks: [], component, isAsync: false, isVoid: false, ...fn },
  };
}

/** A variable of the compiler's own in the current function. */
export function temp(c: Cx): string {
  c.u.serial += 1;
  const name = `$${c.u.serial}`;
  c.fn.hoisted.push(name);
  return name;
}

export function unique(u: Unit, stem: string): string {
  u.serial += 1;
  return `$${stem}${u.serial}`;
}

export function mark(c: Cx, node: ast.Span, name?: string): string {
  return markAt(c.u.file, node.start, name);
}

export function newline(c: Cx): string {
  return `\n${'  '.repeat(c.u.depth)}`;
}

export function line(c: Cx, code: string): string {
  return newline(c) + code;
}

export function indented<T>(c: Cx, write: () => T): T {
  c.u.depth += 1;
  try {
    return write();
  } finally {
    c.u.depth -= 1;
  }
}

/** Writes code that may come from another file of the module (an `impl` in an annex). */
export function inFile<T>(u: Unit, node: ast.Node, write: () => T): T {
  const before = u.file;
  u.file = u.fileOf(node);
  try {
    return write();
  } finally {
    u.file = before;
  }
}

/** The local name of an import; the same for every use. `as` is the name that is wished for. */
export function imported(u: Unit, specifier: string, member: string, as: string): string {
  let found = u.imports.find((one) => one.specifier === specifier && one.member === member);
  if (found === undefined) {
    let local = as;
    for (let count = 2; u.taken.has(local); count += 1) local = `${as}$${count}`;
    u.taken.add(local);
    u.imports.push((found = { specifier, member, local, used: true }));
  }
  found.used = true;
  return found.local;
}

/** A helper of the language in the browser. */
export function lang(u: Unit, name: string): string {
  return imported(u, '@svc/runtime/lang', name, `$${name}`);
}

export function wire(u: Unit, name: string): string {
  return imported(u, '@svc/runtime/wire', name, `$${name}`);
}

/** A hook of React under its own name, which Fast Refresh knows hooks by. */
export function hook(u: Unit, name: string): string {
  return imported(u, 'react', name, name);
}

/** Does anything beyond its declaration give the variable a value? */
export function isChanged(c: Cx, name: ast.NameRef): boolean {
  const binding = c.u.names.binding(name);
  return binding.sort === 'local' && (c.u.changed.has(binding) || binding.assignedInside);
}
