/** Names in statements. */
import type * as ast from '../1-parse/ast.ts';
import { ambientName } from './ambient.ts';
import { inSlotLoop } from './bare-keys.ts';
import { hasBreak, isIrrefutable } from './reachability.ts';
import type { Frame } from './records.ts';
import {
  type Builder,
  branches,
  loop,
  note,
  noteAttribute,
  noteFirst,
  perhaps,
  requireAsync,
  useOf,
} from './scope-builder.ts';
import { walkAbility, walkArchetype, walkEnum, walkFunction, walkImport } from './walk-declarations.ts';
import { walk, walkObject, walkType } from './walk-expressions.ts';
import { bindName, readName } from './walk-names.ts';
import { walkPattern } from './walk-patterns.ts';

export function walkBody(b: Builder, block: ast.Block | undefined): void {
  if (block !== undefined) walkBlock(b, block);
}

export function walkBlock(b: Builder, block: ast.Block): void {
  for (const statement of block.statements) walkStatement(b, statement);
}

export function walkStatement(b: Builder, s: ast.Statement): void {
  switch (s.kind) {
    case 'ExprStatement':
      walk(b, s.expr);
      return;
    case 'AssignStatement':
      walkAssign(b, s);
      return;
    case 'AugAssign':
      walk(b, s.value);
      if (s.target.kind === 'NameRef') {
        readName(b, s.target, s.target.name);
        bindName(b, s.target, s.target.name, undefined, undefined).augmented++;
      } else if (s.target.kind === 'Attribute') {
        b.assignedAttributes.add(s.target.name.text);
        walkObject(b, s.target);
      } else walkTarget(b, s.target, undefined, undefined);
      return;
    case 'IfStatement':
      walkIf(b, s);
      return;
    case 'ReturnStatement':
      if (s.value !== undefined) walk(b, s.value);
      if (b.frame.starClause !== undefined) noteLeaving(b, s, 'return');
      b.frame.dead = true;
      return;
    case 'ForIn':
      if (s.async) requireAsync(b, s);
      walk(b, s.iter);
      loop(b, () => {
        inSlotLoop(b, s, () => {
          walkTarget(b, s.target, 'local', undefined);
          walkBlock(b, s.body);
        });
      });
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'WhileStatement': {
      if (s.test !== undefined) walk(b, s.test);
      loop(b, () => walkBlock(b, s.body));
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      const endless = s.test === undefined || (s.test.kind === 'Constant' && s.test.value === true);
      if (endless && !hasBreak(s.body)) b.frame.dead = true;
      return;
    }
    case 'ForCount':
      inSlotLoop(b, s, () => {
        walkAssign(b, s.init, 'local');
        walk(b, s.test);
        loop(b, () => {
          walkBlock(b, s.body);
          walkStatement(b, s.step);
        });
      });
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'VisitStatement':
      if (s.index !== undefined) walk(b, s.index);
      walk(b, s.what);
      if (s.orElse !== undefined) perhaps(b, () => walkBlock(b, s.orElse!));
      return;
    case 'ReportStatement':
      walk(b, s.value);
      return;
    case 'CtrlStatement':
      checkControl(b, s);
      b.frame.dead = true;
      return;
    case 'RaiseStatement':
      if (s.value !== undefined) walk(b, s.value);
      else if (b.frame.handlers === 0) b.asksForHandled = true;
      if (s.from !== undefined) walk(b, s.from);
      b.frame.dead = true;
      return;
    case 'TryStatement':
      walkTry(b, s);
      return;
    case 'WithStatement':
      if (s.async) requireAsync(b, s);
      for (const item of s.items) {
        walk(b, item.expr);
        if (item.target !== undefined) walkTarget(b, item.target, 'local', undefined);
      }
      // The context manager may swallow an exception, so what the body binds is not certain.
      perhaps(b, () => walkBlock(b, s.body));
      return;
    case 'MatchStatement':
      walk(b, s.subject);
      walkCases(b, s.cases);
      return;
    case 'SwitchStatement':
      walk(b, s.subject);
      b.frame.switches += 1;
      for (const one of s.cases) {
        perhaps(b, () => {
          if (one.pattern !== undefined) walkPattern(b, one.pattern);
          walkBlock(b, one.body);
        });
      }
      b.frame.switches -= 1;
      return;
    case 'AssertStatement':
      walk(b, s.test);
      if (s.message !== undefined) perhaps(b, () => walk(b, s.message!));
      return;
    case 'DeleteStatement':
      for (const target of s.targets) walkDelete(b, target);
      return;
    case 'ScopeStatement':
      for (const name of s.names) {
        const use = useOf(b.frame, name.text);
        use.directive ??= s.word;
        if (s.word === 'global') b.globals.push(use);
        b.uses.set(name, use);
        noteFirst(b, use, name);
      }
      return;
    case 'GlobDecl':
      walkNestedGlob(b, s);
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      walkImport(b, s);
      return;
    case 'FunctionDecl':
      if (s.name !== undefined) bindName(b, s.name, s.name.text, 'def', s);
      walkFunction(b, s, undefined);
      return;
    case 'Archetype':
      bindName(b, s.name, s.name.text, 'type', s);
      walkArchetype(b, s);
      return;
    case 'EnumDecl':
      bindName(b, s.name, s.name.text, 'type', s);
      walkEnum(b, s);
      return;
    case 'TypeAlias':
      bindName(b, s.name, s.name.text, 'type', s);
      walkType(b, s.type);
      return;
    case 'HasDecl':
      if (s.static || s.items.some(({ accessors }) => accessors !== undefined)) {
        const got = s.static ? '`static`' : 'a property';
        note(b, 'E0110', s, { expected: 'a variable', got }, { help: 'only types have them' });
      }
      for (const item of s.items) {
        if (item.type !== undefined) walkType(b, item.type);
        if (item.value !== undefined) walk(b, item.value);
        noteLate(b, item.name, item.name.text);
        bindName(b, item.name, item.name.text, 'local', item);
      }
      return;
    case 'Ability': {
      const help = 'an ability belongs to a walker, node or edge; in a component of the client it is an effect';
      note(b, 'E0121', s.name ?? s, { kw: 'can', parent: 'type' }, { help, blocking: false });
      walkAbility(b, s);
      return;
    }
    case 'TypedContext':
      if (s.type !== undefined) walkType(b, s.type);
      perhaps(b, () => walkBlock(b, s.body));
      return;
    case 'Region':
      walk(b, s.region);
      walkBlock(b, s.body);
      return;
    case 'Block':
      walkBlock(b, s);
      return;
    case 'ImplDecl':
    case 'InlineForeign':
      return;
  }
}

/** A clause of `except*` comes to its end, so that the clauses behind it and what no clause took have their turn (PEP 654). */
function noteLeaving(b: Builder, s: ast.Statement, word: string): void {
  note(b, 'E0110', s, { expected: 'a statement that stays in its `except*`', got: `\`${word}\`` });
}

function checkControl(b: Builder, s: ast.CtrlStatement): void {
  const { starClause, loops, switches } = b.frame;
  if (starClause !== undefined) {
    const staysIn = loops > starClause.loops && (s.word === 'break' || s.word === 'continue');
    if (!staysIn && !(s.word === 'break' && switches > starClause.switches)) noteLeaving(b, s, s.word);
    return;
  }
  if ((s.word !== 'break' && s.word !== 'continue') || b.frame.loops > 0) return;
  if (s.word === 'break' && b.frame.switches > 0) return;
  note(b, 'E0121', s, { kw: s.word, parent: 'loop' });
}

/** The arms of an `if` with all its `elif`s at once: such chains can be longer than the stack is deep. */
function walkIf(b: Builder, s: ast.IfStatement): void {
  walk(b, s.test);
  const arms = [() => walkBlock(b, s.body)];
  let at = s.orElse;
  for (; at?.kind === 'IfStatement'; at = at.orElse) {
    const { test, body } = at;
    arms.push(() => {
      walk(b, test);
      walkBlock(b, body);
    });
  }
  const last = at;
  arms.push(() => {
    if (last !== undefined) walkBlock(b, last);
  });
  branches(b, arms, true);
}

function noteAttributes(b: Builder, target: ast.Expression): void {
  if (target.kind === 'Attribute') b.attributeAssignments.push(target);
  else if (target.kind === 'TupleExpr') for (const item of target.items) noteAttributes(b, item);
}

function walkAssign(b: Builder, s: ast.AssignStatement, role?: 'local'): void {
  for (const target of s.targets) noteAttributes(b, target);
  if (s.type !== undefined) walkType(b, s.type);
  if (s.value !== undefined) walk(b, s.value);
  const strong = role ?? (s.let || s.type !== undefined ? 'local' : undefined);
  for (const target of s.targets) {
    if (s.type !== undefined && !s.let && target.kind === 'NameRef') noteLate(b, target, target.name);
    walkTarget(b, target, strong, s.type !== undefined ? s : undefined);
  }
}

/** E0302, if the name turns out to mean something outside. */
function noteLate(b: Builder, target: ast.Node, name: string): void {
  const use = b.frame.uses.get(name);
  if (b.frame.kind !== 'function' || use === undefined || use.role !== undefined || use.first === undefined) return;
  if (use.late === undefined) use.assignedBeforeLate = use.weak;
  use.late ??= target;
}

export function walkTarget(b: Builder, e: ast.Expression, role: 'local' | undefined, decl: ast.Node | undefined): void {
  switch (e.kind) {
    case 'NameRef':
      // The `self` of a method around it is not meant: that is no variable.
      bindName(b, e, e.name, role ?? (e.name === 'self' ? 'local' : undefined), decl);
      return;
    case 'TupleExpr':
    case 'ListExpr':
      for (const item of e.items) walkTarget(b, item, role, decl);
      return;
    case 'Starred':
      walkTarget(b, e.expr, role, decl);
      return;
    case 'SpecialRef':
      assignSpecial(b, e);
      return;
    case 'Attribute':
      noteAttribute(b, e.name.text);
      walkObject(b, e);
      return;
    default:
      walk(b, e);
  }
}

/**
 * `here`, `visitor` and their kin are variables only where a parameter is called so
 * (docs/language/lexical.md#assigned-words).
 */
function assignSpecial(b: Builder, e: ast.SpecialRef): void {
  walk(b, e);
  const param = b.specials.get(e);
  if (param !== undefined) {
    param.assignments += 1;
    param.reassigned = true;
    return;
  }
  const params = { expected: 'something that can be assigned to', got: `\`${e.word}\`` };
  note(b, 'E0110', e, params, { help: `a variable of that name is written \`\` \`${e.word} \`\`` });
}

function walkDelete(b: Builder, e: ast.Expression): void {
  if (e.kind === 'TupleExpr') {
    for (const item of e.items) walkDelete(b, item);
  } else if (e.kind === 'NameRef') {
    readName(b, e, e.name);
    const use = b.uses.get(e);
    if (use !== undefined) use.deleted = true;
  } else {
    if (e.kind === 'Attribute') b.deletedAttributes.add(e.name.text);
    walk(b, e);
  }
}

function walkNestedGlob(b: Builder, s: ast.GlobDecl): void {
  for (const item of s.items) {
    if (item.type !== undefined) walkType(b, item.type);
    if (item.value !== undefined) walk(b, item.value);
    for (const name of [item.name, ...item.chained]) {
      const use = useOf(b.frame, name.text);
      use.directive = 'global';
      b.globals.push(use);
      if (item.value !== undefined) {
        bindName(b, name, name.text, undefined, undefined);
        use.decl ??= item;
      } else {
        b.uses.set(name, use);
        noteFirst(b, use, name);
      }
    }
  }
}

function walkTry(b: Builder, s: ast.TryStatement): void {
  if (s.awaiting !== undefined) perhaps(b, () => walkBlock(b, s.awaiting!));
  const arms: (() => void)[] = [
    () => {
      const handled = s.handlers.some(({ type }) => type !== undefined && namesNameError(type)) ? 1 : 0;
      b.frame.nameErrors += handled;
      walkBlock(b, s.body);
      b.frame.nameErrors -= handled;
      if (s.orElse !== undefined) walkBlock(b, s.orElse);
    },
  ];
  for (const handler of s.handlers) arms.push(() => walkHandler(b, handler, s.splitsGroups));
  branches(b, arms, true);
  if (s.finally === undefined) return;
  const { dead } = b.frame;
  b.frame.dead = false;
  walkBlock(b, s.finally);
  b.frame.dead ||= dead;
}

function namesNameError(type: ast.Expression): boolean {
  if (type.kind === 'TupleExpr') return type.items.some(namesNameError);
  return type.kind === 'NameRef' && (type.name === 'NameError' || type.name === 'UnboundLocalError');
}

function walkHandler(b: Builder, handler: ast.ExceptClause, isStarred: boolean): void {
  const { type, name } = handler;
  if (type?.kind === 'NameRef' && name === undefined && isBareCatch(b, type)) {
    bindName(b, type, type.name, 'local', handler);
    note(b, 'W0136', type, { name: type.name }, { help: `write \`except Exception as ${type.name}\`` });
  } else if (type !== undefined) walk(b, type);
  if (name !== undefined) bindName(b, name, name.text, 'local', handler);
  const { frame } = b;
  const { starClause } = frame;
  if (isStarred) frame.starClause = { loops: frame.loops, switches: frame.switches };
  frame.handlers += 1;
  walkBlock(b, handler.body);
  frame.handlers -= 1;
  frame.starClause = starClause;
}

/** `except e { }` with `e` an unbound lower-case name (docs/language/statements.md#exceptions). */
function isBareCatch(b: Builder, type: ast.NameRef): boolean {
  if (!/^[a-z_]/.test(type.name) || b.declared.has(type.name) || ambientName(type.name) !== undefined) return false;
  for (let frame: Frame | undefined = b.frame; frame !== undefined; frame = frame.parent) {
    const use = frame.uses.get(type.name);
    if (use !== undefined && (use.role !== undefined || use.weak) && use.decl?.kind !== 'ExceptClause') return false;
  }
  return true;
}

function walkCases(b: Builder, cases: readonly ast.MatchCase[]): void {
  const isTotal = cases.some((one) => one.guard === undefined && isIrrefutable(one.pattern));
  const arms = cases.map((one) => () => {
    walkPattern(b, one.pattern);
    if (one.guard !== undefined) walk(b, one.guard);
    walkBlock(b, one.body);
  });
  branches(b, isTotal ? arms : [...arms, () => undefined], true);
}
