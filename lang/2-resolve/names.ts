/**
 * Result of phase 2: for every name a binding, for every function its locals. Keys are tree nodes.
 *
 * Scopes (docs/language/statements.md#scopes): module, function (def, can, lambda, accessor, impl, test), class body,
 * comprehension. Entry blocks assign module variables, so their scope is the module's; one inside an archetype or enum
 * assigns class attributes.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Source } from '../source.ts';
import type { Mentions } from './mentions.ts';

/** A node that opens a function-like scope. */
export type ScopeNode =
  | ast.Module
  | ast.FunctionDecl
  | ast.Ability
  | ast.Accessor
  | ast.ImplDecl
  | ast.Lambda
  | ast.TestBlock
  | ast.Comprehension
  | ast.Archetype
  | ast.EnumDecl;

export interface Scope {
  readonly node: ScopeNode;
  readonly kind: 'module' | 'function' | 'class' | 'comprehension';
  readonly parent: Scope | undefined;
  /** Locals in order of first appearance; parameters first. */
  readonly locals: ReadonlyMap<string, LocalBinding>;
}

/** A variable of one function, comprehension or class body. */
export interface LocalBinding {
  readonly sort: 'local';
  readonly name: string;
  readonly scope: Scope;
  readonly role: 'param' | 'local' | 'import' | 'def' | 'type';
  /** The declaration, for `def`, `type` (nested archetype, enum or alias), `import` and `param` (an ast.Param). */
  readonly decl: ast.Node | undefined;
  /** Target of the import for the role `import`. Undefined elsewhere. */
  readonly import: ImportTarget | undefined;
  /** Read or written by an inner function (a generator expression counts as one, other comprehensions do not). */
  captured: boolean;
  /** Some path may read it before it is bound (or after `del`), so reads need the UnboundLocalError check. */
  mayBeUnbound: boolean;
  /** Assigned after its first binding (a parameter: assigned at all), or in a loop. */
  reassigned: boolean;
  /** Assigned by an inner function. */
  assignedInside: boolean;
  /** Every assignment of its own scope is augmented (`x += 1`), so the first of them finds nothing. */
  readonly onlyAugmented: boolean;
  /** Used at all (read, or named by an inner function). */
  used: boolean;
}

/** A variable, function or type of a module (this one or, after following an import, the declaring one). */
export interface ModuleBinding {
  readonly sort: 'module';
  readonly name: string;
  /** Id of the module whose scope holds it (an import binding belongs to the importing module). */
  readonly module: string;
  /** `entry`: assigned by an entry block, or only by a function with `global`. */
  readonly role: 'glob' | 'function' | 'archetype' | 'enum' | 'alias' | 'entry' | 'import';
  readonly decl: ast.Node | undefined;
  /** Target of the import for the role `import`. */
  readonly import: ImportTarget | undefined;
  readonly access: ast.Access | undefined;
  /** Assigned more than once, or by a function. */
  reassigned: boolean;
  /**
   * True for an `entry` variable read by a function, or on a path where no entry block has assigned it; reads need the
   * NameError check.
   */
  mayBeUnbound: boolean;
  used: boolean;
}

export type ImportTarget =
  /**
   * A whole project module: `import a.b as x`, a submodule. `loads` is set when only the first segment is bound (`import a.b.c;`): the binding
   * is then the package `a` (perhaps a namespace without a file), and the modules of `loads` are loaded below it.
   */
  | { readonly of: 'module'; readonly module: string; readonly loads?: readonly string[] }
  /** A member of a project module, itself perhaps an import there: `ProjectNames.follow` leads to the declaration. */
  | { readonly of: 'member'; readonly module: string; readonly member: string }
  /**
   * A standard module (docs/language/standard-modules.md#modules) or one of its members: `module` is 'math', 'os.path',
   * 'svclang' …
   */
  | { readonly of: 'builtin'; readonly module: string; readonly member: string | undefined }
  /** A JavaScript module: `member` undefined for `* as x` and, with `isName`, for `import x`; 'default' for the default export. */
  | { readonly of: 'js'; readonly specifier: string; readonly member: string | undefined; readonly isName?: boolean }
  /** Module that is not available here (E0902, E0701): raises when the import executes. */
  | { readonly of: 'unavailable'; readonly module: string; readonly message: string }
  /** `import type` and `__future__`: nothing at run time. */
  | { readonly of: 'erased'; readonly module: string; readonly member: string | undefined };

export interface BuiltinBinding {
  readonly sort: 'builtin';
  readonly name: string; // canonical: `jid` becomes `oid`
}

export interface UnresolvedBinding {
  readonly sort: 'unresolved';
  readonly name: string;
}

export type Binding = LocalBinding | ModuleBinding | BuiltinBinding | UnresolvedBinding;

/** An `impl` joined to its declaration: emit uses `body` in place of the declaration's own. */
export interface JoinedImpl {
  readonly impl: ast.ImplDecl;
  /**
   * Signature by which the body is called: parameters of the impl's names that callers know by the declared ones are
   * `JoinedParam`s (docs/language/implementations.md#impl).
   */
  readonly signature: ast.Signature | undefined;
  /** The body to emit for a function, ability or accessor. */
  readonly body: ast.Block | undefined;
}

/** A parameter that an impl calls otherwise than the declaration does: `name` is what the body sees. */
export interface JoinedParam extends ast.Param {
  readonly declared: string | undefined;
}

/** Gives the name of a parameter that callers write in keyword arguments. */
export function declaredName(param: ast.Param): string | undefined {
  return (param as Partial<JoinedParam>).declared ?? param.name?.text;
}

/** Targets of an import statement (or `include`), item by item: parallel to `items` (one for `include`). */
export interface ImportPlan {
  /** The project modules it loads, those around the named ones included. */
  readonly loads: readonly string[];
  readonly targets: readonly ImportTarget[];
  /** The project module that `import from` and `include` name; the packages around it are among `loads` too. */
  readonly source?: string | undefined;
  /** Names that `*` or `include` of a project module brings. Parallel to `items`; empty for other items. */
  readonly stars: readonly (readonly ModuleBinding[])[];
}

export interface UnknownName {
  readonly name: string;
  readonly span: ast.Span;
  readonly source: Source;
  readonly help: string | undefined;
}

export interface Names {
  readonly module: Scope;
  /**
   * Gives the binding of a NameRef in any position, and of Name nodes that bind (params, targets, captures, import
   * aliases, def names).
   */
  binding(node: ast.NameRef | ast.Name): Binding;
  /**
   * `self`, `here`, `props` … when a parameter (other than a method's receiver) of that name is in scope: that parameter.
   * Otherwise undefined: the special meaning.
   */
  special(node: ast.SpecialRef): LocalBinding | undefined;
  /** The `x` of `here.x`, for that `here`. */
  memberOfHere(node: ast.SpecialRef): string | undefined;
  /** The same object for a declaration and the impl joined to it. */
  scope(node: ScopeNode): Scope;
  /** Module-level bindings by name. */
  readonly bindings: ReadonlyMap<string, ModuleBinding>;
  /** Finds the binding a name would have in a scope: for names inside string annotations, and W0540. */
  lookup(name: string, scope: Scope): Binding;
  /** Names that nothing declares, in code that only the browser has: the first use of each in a function. */
  readonly unknownNames: readonly UnknownName[];
  /** Some names of the module are not known: of a star import in vain, or behind a string without its end. */
  readonly isOpen: boolean;
  /** Gives the targets of an import statement. */
  importPlan(node: ast.ImportModules | ast.ImportFrom | ast.Include): ImportPlan;
  /** Gives the impl of a FunctionDecl, Ability, Accessor, Archetype or EnumDecl declared without body. */
  implOf(decl: ast.Node): JoinedImpl | undefined;
  /** Gives the mentions of other code in the text of an element or an impl. */
  mentions(element: ast.Node): Mentions;
  /** The declaration an impl was joined to. */
  declOf(impl: ast.ImplDecl): ast.Node | undefined;
  /** Placed on the server: emitted for it. Dual elements are both. Elements inside `cl { }` blocks are asked one by one. */
  isServer(element: ast.Node): boolean;
  isClient(element: ast.Node): boolean;
  /** Names of attributes assigned anywhere in the module (`x.name = …`). */
  readonly assignedAttributes: ReadonlySet<string>;
  /** Assigned attributes that an assignment may have brought about: `x.name += 1` needs one that is there. */
  readonly createdAttributes: ReadonlySet<string>;
  /** Attributes that a statement assigns, in a tuple too. */
  readonly attributeAssignments: readonly ast.Attribute[];
  /** Names of attributes that `del` takes away (`del x.name`). */
  readonly deletedAttributes: ReadonlySet<string>;
  /** Built-in types that classes of the module derive from: what is an instance of one may answer for itself. */
  readonly derivedTypes: ReadonlySet<string>;
  /** Somewhere the text asks what exception is being handled: with `sys.exc_info`, or a bare `raise` outside of every `except` clause. */
  readonly asksForHandled: boolean;
  /** Does a function of the module declare classes? */
  readonly hasInnerClasses: boolean;
}
