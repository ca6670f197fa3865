/**
 * First step of phase 2: one walk over a module that notes, scope by scope, which names the text reads, binds and deletes, and on
 * which paths a name is bound for certain. What a name refers to is decided afterwards (bind-scopes.ts), when all scopes are known.
 * The walk is in walk-declarations.ts, walk-statements.ts, walk-patterns.ts and walk-expressions.ts.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Code, Details, Params } from '../diagnostics.ts';
import { NodeMap } from '../node-map.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import { readBareKeys } from './bare-keys.ts';
import type { Impls } from './impls.ts';
import { type Frame, makeFrame, type Use } from './records.ts';
import { type Builder, define, useOf } from './scope-builder.ts';
import { walkElements } from './walk-declarations.ts';

/** Finding that is reported unless the element turns out to be client code. */
export interface Finding {
  readonly code: Code;
  readonly span: ast.Span;
  readonly params: Params | undefined;
  readonly details: Details | undefined;
  readonly source: Source;
  readonly element: ast.Node;
}

/** The scopes of one module, unbound. */
export interface Built {
  readonly module: ProjectModule;
  readonly impls: Impls;
  readonly frame: Frame;
  /** Every frame, outer before inner. */
  readonly frames: readonly Frame[];
  /** NameRef and binding Name nodes. */
  readonly uses: NodeMap<Use>;
  /** `self`, `here` … that name a parameter. */
  readonly specials: ReadonlyMap<ast.SpecialRef, Use>;
  /** The name behind a `here.` */
  readonly hereMembers: ReadonlyMap<ast.SpecialRef, string>;
  readonly scopes: NodeMap<Frame>;
  readonly findings: Finding[];
  /** Uses that `global` or a nested `glob` makes module variables. */
  readonly globals: readonly Use[];
  /** Names called in a spawn, each with the element that it stands in. */
  readonly spawned: readonly { readonly node: ast.NameRef; readonly element: ast.Node }[];
  /** Names of attributes assigned anywhere (`x.name = …`). */
  readonly assignedAttributes: ReadonlySet<string>;
  /** Assigned attributes that an assignment may have brought about: `x.name += 1` needs one that is there. */
  readonly createdAttributes: ReadonlySet<string>;
  /** Attributes that a statement assigns, in a tuple too. */
  readonly attributeAssignments: readonly ast.Attribute[];
  /** Names of attributes that `del` takes away. */
  readonly deletedAttributes: ReadonlySet<string>;
  /** Built-in types that classes derive from. */
  readonly derivedTypes: ReadonlySet<string>;
  /** Somewhere the text asks what exception is being handled: with `sys.exc_info`, or a bare `raise` outside of every `except` clause. */
  readonly asksForHandled: boolean;
  /** Every import statement; the statement around each import item. */
  readonly imports: readonly { readonly node: ImportNode; readonly source: Source }[];
  readonly statementOf: ReadonlyMap<ast.Node, ImportNode>;
}

export type ImportNode = ast.ImportModules | ast.ImportFrom | ast.Include;

/** Builds the scopes of a module. `declared`: the names its declarations bind. */
export function buildScopes(module: ProjectModule, impls: Impls, declared: ReadonlySet<string>): Built {
  const frame = makeFrame(module.tree, 'module', undefined, { awaits: true });
  const b: Builder = {
    module,
    impls,
    declared,
    frames: [frame],
    uses: new NodeMap(),
    specials: new Map(),
    hereMembers: new Map(),
    scopes: new NodeMap(),
    findings: [],
    globals: [],
    spawned: [],
    assignedAttributes: new Set(),
    createdAttributes: new Set(),
    attributeAssignments: [],
    deletedAttributes: new Set(),
    derivedTypes: new Set(),
    asksForHandled: false,
    imports: [],
    statementOf: new Map(),
    frame,
    source: module.source,
    element: module.tree,
    typeParams: undefined,
    walked: new Set(),
    inType: 0,
    inSlot: false,
    slotLoop: undefined,
    bareKeys: [],
  };
  b.scopes.set(module.tree, frame);
  for (const name of declared) define(frame, useOf(frame, name));
  walkElements(b, module.tree.body);
  readBareKeys(b);
  return { ...b, frame };
}
