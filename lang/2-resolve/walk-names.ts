/** Notes of the walk over the tree for each name that is read or bound (docs/language/statements.md#scopes). */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding } from './names.ts';
import { type Frame, makeUse, type Use } from './records.ts';
import { type Builder, define, noteFirst, useOf } from './scope-builder.ts';

const rootType = makeUse('Root');
rootType.binding = { sort: 'builtin', name: 'Root' };

export function readName(b: Builder, node: ast.NameRef, name: string): void {
  if (b.typeParams !== undefined) {
    const param = b.typeParams.get(name);
    if (param !== undefined) {
      b.uses.set(node, param);
      return;
    }
  }
  if (b.inType > 0 && node.escaped && name === 'root') {
    b.uses.set(node, rootType);
    return;
  }
  let { frame } = b;
  let lazy = false;
  while (frame.kind === 'comprehension') {
    const target = frame.uses.get(name);
    if (target !== undefined) {
      target.read = true;
      if (lazy) target.captured = true;
      b.uses.set(node, target);
      return;
    }
    lazy ||= frame.lazy;
    frame = frame.parent!;
  }
  const use = isAhead(b, frame, name) ? earlierUse(frame, name) : useOf(frame, name);
  use.read = true;
  if (!use.assigned && b.inType === 0) {
    use.early = true;
    use.earlyHere = true;
  }
  if (lazy) use.captured = true;
  b.uses.set(node, use);
  if (use.first === undefined) noteFirst(b, use, node);
  if (frame.kind === 'module') noteReader(b, use);
}

/**
 * Tells whether a class body reads the name before the text that binds it there, or does not bind it. Annotations are
 * read later.
 */
function isAhead(b: Builder, frame: Frame, name: string): boolean {
  if (frame.kind !== 'class' || b.inType > 0) return false;
  return frame.ahead?.has(name) === true || frame.uses.get(name)?.assigned !== true;
}

function earlierUse(frame: Frame, name: string): Use {
  frame.earlier ??= new Map();
  let use = frame.earlier.get(name);
  if (use === undefined) frame.earlier.set(name, (use = makeUse(name)));
  return use;
}

function noteReader({ element }: Builder, use: Use): void {
  if (use.readers === undefined) use.readers = [element];
  else if (use.readers[use.readers.length - 1] !== element) use.readers.push(element);
}

export function bindName(
  b: Builder,
  node: ast.Node,
  name: string,
  role: LocalBinding['role'] | undefined,
  decl: ast.Node | undefined,
): Use {
  const { frame } = b;
  const use = useOf(frame, name);
  b.uses.set(node, use);
  use.assignments += 1;
  if (b.slotLoop !== undefined) (use.loops ??= []).push(b.slotLoop);
  if (use.assignments > 1 || frame.loops > 0) use.reassigned = true;
  // After `nonlocal x` whatever binds `x` here gives the outer one a value: a loop, `as`, an import, `def`.
  if (role === undefined || (use.directive !== undefined && role !== 'param')) {
    use.weak = true;
    if (decl !== undefined) use.decl ??= decl;
  } else if (use.role === undefined) {
    use.role = role;
    use.decl = decl;
  } else if (role === 'import' && decl !== undefined) (use.imports ??= []).push(decl);
  else if (use.role === 'import') use.weak = true;
  if (use.first === undefined) noteFirst(b, use, node);
  define(frame, use);
  return use;
}

/** A walrus in a comprehension binds in the function around it. */
export function bindWalrus(b: Builder, e: ast.Walrus): void {
  let home = b.frame;
  while (home.kind === 'comprehension') home = home.parent!;
  const use = useOf(home, e.name.text);
  b.uses.set(e.name, use);
  use.weak = true;
  use.assignments += 1;
  if (use.assignments > 1 || home.loops > 0 || home !== b.frame) use.reassigned = true;
  if (use.first === undefined) noteFirst(b, use, e.name);
  if (home === b.frame && home.maybe === 0) define(home, use);
}

export function walkSpecial(b: Builder, e: ast.SpecialRef): void {
  for (let frame: Frame | undefined = b.frame; frame !== undefined; frame = frame.parent) {
    const use = frame.uses.get(e.word);
    if (use === undefined || use.role !== 'param') continue;
    if (use.receiver) return;
    use.read = true;
    if (frame !== b.frame) use.captured = true;
    b.specials.set(e, use);
    return;
  }
}

export function nameInText(b: Builder, text: string): void {
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
    let { frame } = b;
    while (frame.kind === 'comprehension') frame = frame.parent!;
    useOf(frame, name).read = true;
  }
}

/** The arguments of `Literal["a"]` are values, not names. */
export function isLiteralType(e: ast.Expression): boolean {
  return e.kind === 'NameRef' && e.name === 'Literal';
}
