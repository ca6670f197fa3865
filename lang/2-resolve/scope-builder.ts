/** The state of the walk that builds scopes: where it is, which scope it fills, what is bound for certain there. */
import type * as ast from '../1-parse/ast.ts';
import type { Code, Details, Params } from '../diagnostics.ts';
import type { NodeMap } from '../node-map.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import type { BareKey } from './bare-keys.ts';
import type { Finding, ImportNode } from './build-scopes.ts';
import type { Impls } from './impls.ts';
import type { LocalBinding, ScopeNode } from './names.ts';
import { type Frame, makeFrame, makeUse, type Use } from './records.ts';
import { walkType } from './walk-expressions.ts';

export interface Builder {
  readonly module: ProjectModule;
  readonly impls: Impls;
  /** Names declared at module level, before the walk. */
  readonly declared: ReadonlySet<string>;
  readonly frames: Frame[];
  readonly uses: NodeMap<Use>;
  readonly specials: Map<ast.SpecialRef, Use>;
  readonly hereMembers: Map<ast.SpecialRef, string>;
  readonly scopes: NodeMap<Frame>;
  readonly findings: Finding[];
  readonly globals: Use[];
  readonly spawned: { readonly node: ast.NameRef; readonly element: ast.Node }[];
  readonly assignedAttributes: Set<string>;
  readonly createdAttributes: Set<string>;
  readonly attributeAssignments: ast.Attribute[];
  readonly imports: { readonly node: ImportNode; readonly source: Source }[];
  readonly statementOf: Map<ast.Node, ImportNode>;
  readonly deletedAttributes: Set<string>;
  readonly derivedTypes: Set<string>;
  asksForHandled: boolean;
  frame: Frame;
  source: Source;
  element: ast.Node;
  /** Names of type parameters in scope, innermost last. */
  typeParams: ReadonlyMap<string, Use> | undefined;
  /** Parts of long chains that were walked already (1-parse/spines.ts). */
  readonly walked: Set<ast.Expression>;
  /** The statements around the place, up to the next function, are those of a slot of markup; and the innermost loop among them. */
  inSlot: boolean;
  slotLoop: ast.Span | undefined;
  /** Bare keys of dict literals in client code, each with where it stands: read when all loops are known (bare-keys.ts). */
  readonly bareKeys: BareKey[];
  /** Number of annotations, triggers and filter types around the place. */
  inType: number;
}

interface FrameOptions {
  readonly awaits?: boolean;
  readonly lazy?: boolean;
  /** Nobody goes through what the function gives: a constructor, a setter. */
  readonly givesNothing?: boolean;
  /** An impl that has the same scope. */
  readonly also?: ast.ImplDecl | undefined;
  /** Take the file of this impl for the time of the walk. */
  readonly source?: ast.ImplDecl | undefined;
}

/** An assignment of this attribute, of whatever object. */
export function noteAttribute(b: Builder, name: string): void {
  b.assignedAttributes.add(name);
  b.createdAttributes.add(name);
}

export function inFrame(
  b: Builder,
  node: ScopeNode,
  kind: Frame['kind'],
  options: FrameOptions,
  walkInside: () => void,
): void {
  const around = b.frame;
  // A class body is no scope for the functions in it.
  const parent = kind === 'function' ? outsideClasses(around) : around;
  const frame = makeFrame(node, kind, parent, options);
  b.frames.push(frame);
  b.scopes.set(node, frame);
  if (options.also !== undefined) b.scopes.set(options.also, frame);
  b.frame = frame;
  const { inType, inSlot, slotLoop } = b;
  Object.assign(b, { inType: 0, inSlot: false, slotLoop: undefined });
  if (options.source === undefined) walkInside();
  else inSource(b, options.source, walkInside);
  Object.assign(b, { inType, inSlot, slotLoop });
  b.frame = around;
  if (kind !== 'comprehension') passOutward(frame, parent);
}

function outsideClasses(frame: Frame): Frame {
  let outer = frame;
  while (outer.kind === 'class' && outer.parent !== undefined) outer = outer.parent;
  return outer;
}

export function inSource(b: Builder, impl: ast.ImplDecl | undefined, walkInside: () => void): void {
  if (impl === undefined) return;
  const before = b.source;
  b.source = b.impls.sourceOf(impl);
  walkInside();
  b.source = before;
}

export function withTypeParams(b: Builder, params: readonly ast.TypeParam[], walkInside: () => void): void {
  if (params.length === 0) {
    walkInside();
    return;
  }
  const before = b.typeParams;
  const mine = new Map(before);
  for (const param of params) {
    if (param.bound !== undefined) walkType(b, param.bound);
    if (param.value !== undefined) walkType(b, param.value);
    const use = makeUse(param.name.text);
    use.role = 'type';
    use.decl = param;
    const binding: LocalBinding = {
      sort: 'local',
      name: param.name.text,
      scope: b.frame.scope,
      role: 'type',
      decl: param,
      import: undefined,
      captured: false,
      mayBeUnbound: false,
      reassigned: false,
      assignedInside: false,
      onlyAugmented: false,
      used: true,
    };
    use.binding = binding;
    b.uses.set(param.name, use);
    mine.set(param.name.text, use);
  }
  b.typeParams = mine;
  walkInside();
  b.typeParams = before;
}

export function useOf(frame: Frame, name: string): Use {
  let use = frame.uses.get(name);
  if (use === undefined) {
    use = makeUse(name);
    frame.uses.set(name, use);
  }
  return use;
}

export function noteFirst(b: Builder, use: Use, node: ast.Node): void {
  // A name that may be missing there is no mistake (docs/language/imports.md#handled-imports).
  if (b.frame.nameErrors === 0) use.first = node;
  use.firstSource = b.source;
  use.firstElement = b.element;
}

/**
 * Passes the uses of outer names outward when a scope is done: they must be bound there where the inner function is
 * made.
 */
function passOutward(frame: Frame, parent: Frame): void {
  if (parent.kind === 'module') return;
  if (frame.earlier !== undefined) for (const use of frame.earlier.values()) passUse(use, parent);
  for (const use of frame.uses.values()) passUse(use, parent);
}

function passUse(use: Use, parent: Frame): void {
  if (use.role !== undefined || use.directive === 'global') return;
  let outer = parent;
  while (outer.kind === 'comprehension') {
    const target = outer.uses.get(use.name);
    if (target !== undefined) {
      target.captured = true;
      target.read = true;
      break;
    }
    outer = outer.parent!;
  }
  if (outer.kind === 'comprehension' || outer.kind === 'module') return;
  const around = useOf(outer, use.name);
  if (!around.assigned) around.early = true;
  // A name that the inner function assigns becomes its own local when no outer one exists: it is not undefined out
  // here.
  if (around.first === undefined && !use.weak) {
    around.first = use.first;
    around.firstSource = use.firstSource;
    around.firstElement = use.firstElement;
  }
}

export function requireAsync(b: Builder, node: ast.Span, from: Frame | undefined = b.frame): void {
  let frame: Frame | undefined = from;
  while (frame !== undefined && (frame.kind === 'comprehension' || frame.node.kind === 'Lambda')) frame = frame.parent;
  if (frame === undefined || frame.awaits) return;
  const of = frame.node;
  const word = of.kind === 'FunctionDecl' ? 'def' : of.kind === 'Ability' ? 'can' : undefined;
  const name = word === undefined || !('name' in of) || of.name === undefined ? '' : ` ${of.name.text}`;
  note(b, 'E0310', node, undefined, word === undefined ? undefined : { help: `write \`async ${word}${name}\`` });
}

/** Checks that a `yield` is in a function. */
export function requireFunction(b: Builder, node: ast.Yield): void {
  let { frame } = b;
  while (frame.kind === 'comprehension' && frame.parent !== undefined) frame = frame.parent;
  if (frame.kind !== 'function' || frame.node.kind === 'TestBlock')
    note(b, 'E0121', node, { kw: 'yield', parent: 'function' });
  else if (frame.node.kind === 'Ability') {
    const help = 'with `yield` the ability never runs: `report` gives values, and generators are `def`s';
    note(b, 'E0110', node, { expected: '`report`', got: '`yield`' }, { help, blocking: false });
  } else if (frame.givesNothing) {
    const help = 'with `yield` the body never runs';
    note(b, 'E0110', node, { expected: 'a statement without result', got: '`yield`' }, { help, blocking: false });
  }
}

export function note(b: Builder, code: Code, span: ast.Span, params?: Params, details?: Details): void {
  b.findings.push({ code, span, params, details, source: b.source, element: b.element });
}

export function define(frame: Frame, use: Use): void {
  if (use.assigned) return;
  use.assigned = true;
  frame.trail.push(use);
}

/** Walks code that may not run: what it binds is not certain afterwards. */
export function perhaps(b: Builder, walkInside: () => void): void {
  const { frame } = b;
  const { dead } = frame;
  const mark = frame.trail.length;
  walkInside();
  while (frame.trail.length > mark) frame.trail.pop()!.assigned = false;
  frame.dead = dead;
}

export function loop(b: Builder, walkInside: () => void): void {
  b.frame.loops += 1;
  perhaps(b, walkInside);
  b.frame.loops -= 1;
}

/** Walks alternatives of which exactly one runs (`total`): bound is what every one binds that comes to its end. */
export function branches(b: Builder, arms: readonly (() => unknown)[], total: boolean): void {
  const { frame } = b;
  const { dead } = frame;
  const mark = frame.trail.length;
  let living = 0;
  const ends: Use[][] = [];
  for (const arm of arms) {
    frame.dead = false;
    arm();
    const bound = frame.trail.splice(mark);
    for (const use of bound) use.assigned = false;
    if (frame.dead) continue;
    living += 1;
    ends.push(bound);
  }
  frame.dead = dead || (total && living === 0);
  if (!total || living === 0) return;
  for (const bound of ends) for (const use of bound) use.branches = 0;
  for (const bound of ends) {
    for (const use of bound) {
      use.branches += 1;
      if (use.branches === living) define(frame, use);
    }
  }
}
