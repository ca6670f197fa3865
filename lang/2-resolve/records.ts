/** The records behind names.ts while and after scopes are built. Internal to phases 2 to 4. */
import type * as ast from '../1-parse/ast.ts';
import type { Source } from '../source.ts';
import type { Binding, ImportTarget, LocalBinding, ModuleBinding, Scope, ScopeNode } from './names.ts';

const noLocals: ReadonlyMap<string, LocalBinding> = new Map();

/** A scope whose table of locals is made with the first of them: most comprehensions and many functions have none. */
class ScopeRecord implements Scope {
  readonly node: ScopeNode;
  readonly kind: Scope['kind'];
  readonly parent: Scope | undefined;
  private found: Map<string, LocalBinding> | undefined;

  constructor(node: ScopeNode, kind: Scope['kind'], parent: Scope | undefined) {
    this.node = node;
    this.kind = kind;
    this.parent = parent;
    this.found = undefined;
  }

  get locals(): ReadonlyMap<string, LocalBinding> {
    return this.found ?? noLocals;
  }

  add(binding: LocalBinding): void {
    this.found ??= new Map();
    this.found.set(binding.name, binding);
  }
}

/** One name in one scope: everything the text of that scope does with it. Becomes a binding when all scopes are known. */
export interface Use {
  readonly name: string;
  /** Binding of the name. Undefined until the scopes are complete. */
  binding: Binding | undefined;
  /**
   * Role that makes it a local of this scope whatever the outer ones hold (docs/language/statements.md#scopes);
   * undefined: plain assignments and reads only.
   */
  role: LocalBinding['role'] | undefined;
  decl: ast.Node | undefined;
  import: ImportTarget | undefined;
  /** Further imports that bind it, behind `decl`. */
  imports: ast.Node[] | undefined;
  /** A plain assignment, augmented assignment or walrus. */
  weak: boolean;
  /** `global x` / `nonlocal x` in this scope. */
  directive: 'global' | 'nonlocal' | undefined;
  receiver: boolean;
  read: boolean;
  captured: boolean;
  assignments: number;
  /** Loops in slots of markup that bind it, one for each assignment that stands in one. */
  loops: ast.Span[] | undefined;
  /** Number of its assignments that are augmented, as in `x += 1`. */
  augmented: number;
  reassigned: boolean;
  /** Definitely assigned at the point the walk has reached. */
  assigned: boolean;
  /** Read, here or by an inner function made here, where it was not definitely assigned. */
  early: boolean;
  /** Read in the scope's own code where it was not definitely assigned. */
  earlyHere: boolean;
  deleted: boolean;
  /** Number of branches of the join in progress that assign it. */
  branches: number;
  /** First reference, for E0301. */
  first: ast.Node | undefined;
  firstSource: Source | undefined;
  firstElement: ast.Node | undefined;
  /** Elements whose own code, at module level, reads it. */
  readers: ast.Node[] | undefined;
  /** A typed declaration that came after other uses (E0302). */
  late: ast.Node | undefined;
  /** A plain assignment stood before that declaration. */
  assignedBeforeLate: boolean;
}

/** A scope while it is built. */
export interface Frame {
  readonly node: ScopeNode;
  readonly kind: Scope['kind'];
  readonly parent: Frame | undefined;
  readonly scope: ScopeRecord;
  readonly uses: Map<string, Use>;
  /**
   * Uses of a class body before the text that binds the name there. Means something outside, if there is such a name.
   */
  earlier: Map<string, Use> | undefined;
  /** Names of types and methods of a class body whose text is still to come. */
  ahead: Set<string> | undefined;
  /** Uses in the order they became definitely assigned. */
  readonly trail: Use[];
  /** A generator expression: runs later, so what it reads is captured. */
  readonly lazy: boolean;
  readonly awaits: boolean;
  /** Nobody goes through what the function gives: a constructor, a setter. */
  readonly givesNothing: boolean;
  /** Imports with `*` inside a function; of the module's frame, those in its entry blocks. */
  stars: (ast.ImportFrom | ast.Include)[] | undefined;
  dead: boolean;
  loops: number;
  /** Number of `switch` cases around the place. */
  switches: number;
  /** Number of `except` clauses around the place. */
  handlers: number;
  /** In a clause of `except*`: the loops and switches around it, which `break` and `continue` may not leave it for. */
  starClause: { readonly loops: number; readonly switches: number } | undefined;
  /** Number of `try` blocks around the place that handle NameError. */
  nameErrors: number;
  /** Number of expressions around the place that may not be evaluated. */
  maybe: number;
}

export interface LocalRecord extends LocalBinding {
  /** Number of the local among those of the function (comprehension targets count with the function around them). */
  readonly slot: number;
  /** The scope of that function (the module's for code at module level). */
  readonly home: Scope;
  import: ImportTarget | undefined;
}

export type ModuleRecord = { -readonly [K in keyof ModuleBinding]: ModuleBinding[K] } & {
  /** Number of a variable that only code at module level assigns, among that code's variables. -1: none. */
  slot: number;
  assignedInside: boolean;
};

export function makeUse(name: string): Use {
  return {
    name,
    binding: undefined,
    role: undefined,
    decl: undefined,
    import: undefined,
    imports: undefined,
    weak: false,
    directive: undefined,
    receiver: false,
    read: false,
    captured: false,
    assignments: 0,
    loops: undefined,
    augmented: 0,
    reassigned: false,
    assigned: false,
    early: false,
    earlyHere: false,
    deleted: false,
    branches: 0,
    first: undefined,
    firstSource: undefined,
    firstElement: undefined,
    readers: undefined,
    late: undefined,
    assignedBeforeLate: false,
  };
}

export function makeFrame(
  node: ScopeNode,
  kind: Scope['kind'],
  parent: Frame | undefined,
  options: { lazy?: boolean; awaits?: boolean; givesNothing?: boolean } = {},
): Frame {
  return {
    node,
    kind,
    parent,
    scope: new ScopeRecord(node, kind, parent?.scope),
    uses: new Map(),
    earlier: undefined,
    ahead: undefined,
    trail: [],
    lazy: options.lazy ?? false,
    awaits: options.awaits ?? false,
    givesNothing: options.givesNothing ?? false,
    stars: undefined,
    dead: false,
    loops: 0,
    switches: 0,
    handlers: 0,
    starClause: undefined,
    nameErrors: 0,
    maybe: 0,
  };
}

export function makeModuleRecord(
  module: string,
  name: string,
  role: ModuleBinding['role'],
  decl: ast.Node | undefined,
  access?: ast.Access,
  target?: ImportTarget,
): ModuleRecord {
  return {
    sort: 'module',
    name,
    module,
    role,
    decl,
    import: target,
    access,
    reassigned: false,
    mayBeUnbound: false,
    used: false,
    slot: -1,
    assignedInside: false,
  };
}
