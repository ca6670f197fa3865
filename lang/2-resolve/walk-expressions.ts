/** Names in expressions. */
import type * as ast from '../1-parse/ast.ts';
import { isPutOff } from './bare-keys.ts';
import { type Builder, inFrame, noteAttribute, perhaps, requireAsync, requireFunction } from './scope-builder.ts';
import { namesInSpawn } from './unimported.ts';
import { bindParams, walkFunction, walkSignature } from './walk-declarations.ts';
import { bindWalrus, isLiteralType, nameInText, readName, walkSpecial } from './walk-names.ts';
import { walkBlock, walkStatement, walkTarget } from './walk-statements.ts';

export function walkType(b: Builder, e: ast.Expression): void {
  b.inType += 1;
  walk(b, e);
  b.inType -= 1;
}

function walkAll(b: Builder, list: readonly ast.Expression[]): void {
  for (const e of list) walk(b, e);
}

/** The `a` of `a.b`. */
export function walkObject(b: Builder, { object, name }: ast.Attribute): void {
  if (object.kind === 'SpecialRef' && object.word === 'here') b.hereMembers.set(object, name.text);
  walk(b, object);
}

/** `sys.exc_info`, `sys.exception`: asked outside of a clause, or after another one has ended, they need to know what is handled there. */
function isHandledOfSys({ object, name }: ast.Attribute): boolean {
  return object.kind === 'NameRef' && object.name === 'sys' && isHandledName(name.text);
}

export function isHandledName(name: string): boolean {
  return name === 'exc_info' || name === 'exception';
}

export function walk(b: Builder, e: ast.Expression): void {
  const { spines } = b.module.tree;
  const below = spines.size === 0 ? undefined : spines.get(e);
  if (below === undefined) walkParts(b, e);
  else {
    for (const rest of [...below, e]) {
      if (b.walked.has(rest)) continue;
      walkParts(b, rest);
      b.walked.add(rest);
    }
  }
}

function walkParts(b: Builder, e: ast.Expression): void {
  switch (e.kind) {
    case 'NameRef':
      readName(b, e, e.name);
      return;
    case 'Attribute':
      if (isHandledOfSys(e)) b.asksForHandled = true;
      walkObject(b, e);
      return;
    case 'Call':
      walkCall(b, e);
      return;
    case 'NumberLiteral':
    case 'Constant':
    case 'Missing':
      return;
    case 'StringLiteral':
      if (b.inType > 0 && !e.bytes) nameInText(b, e.value);
      return;
    case 'SpecialRef':
      walkSpecial(b, e);
      return;
    case 'Binary':
      walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Compare':
      walk(b, e.operands[0]!);
      walk(b, e.operands[1]!);
      for (let i = 2; i < e.operands.length; i++) uncertain(b, e.operands[i]!);
      return;
    case 'Logical':
      walk(b, e.left);
      uncertain(b, e.right);
      return;
    case 'Unary':
      walk(b, e.operand);
      return;
    case 'Conditional':
      walk(b, e.test);
      uncertain(b, e.then);
      uncertain(b, e.orElse);
      return;
    case 'Joined':
      walkJoined(b, e);
      return;
    case 'Index':
      walk(b, e.object);
      if (b.inType > 0 && isLiteralType(e.object)) return;
      walk(b, e.index);
      return;
    case 'Slice':
      if (e.lower !== undefined) walk(b, e.lower);
      if (e.upper !== undefined) walk(b, e.upper);
      if (e.step !== undefined) walk(b, e.step);
      return;
    case 'ListExpr':
    case 'SetExpr':
    case 'TupleExpr':
      walkAll(b, e.items);
      return;
    case 'DictExpr':
      for (const entry of e.entries) {
        if (entry.key !== undefined && !isPutOff(b, entry.key)) walk(b, entry.key);
        walk(b, entry.value);
      }
      return;
    case 'Comprehension':
      walkComprehension(b, e);
      return;
    case 'Lambda':
      walkLambda(b, e);
      return;
    case 'FunctionExpr':
      walkFunction(b, e.decl, undefined);
      return;
    case 'EdgeRef':
      walkEdgeRef(b, e);
      return;
    case 'Connect':
      walk(b, e.left);
      walk(b, e.right);
      if (e.edge !== undefined) walk(b, e.edge);
      for (const field of e.fields) walk(b, field.value);
      return;
    case 'Disconnect':
      walk(b, e.left);
      walk(b, e.right);
      walkEdgeOp(b, e.op);
      return;
    case 'Spawn':
      for (const node of namesInSpawn(e)) b.spawned.push({ node, element: b.element });
      if (e.left !== undefined) walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Filter':
      walk(b, e.object);
      walkFilter(b, e.filter);
      return;
    case 'AssignTrailer':
      walk(b, e.object);
      for (const field of e.fields) {
        noteAttribute(b, field.name.text);
        walk(b, field.value);
      }
      return;
    case 'Walrus':
      walk(b, e.value);
      bindWalrus(b, e);
      return;
    case 'Await':
      requireAsync(b, e);
      walk(b, e.expr);
      return;
    case 'Cast':
      walk(b, e.expr);
      walkType(b, e.type);
      return;
    case 'Flow':
    case 'Starred':
    case 'Borrow':
      walk(b, e.expr);
      return;
    case 'By':
      walk(b, e.value);
      walk(b, e.model);
      return;
    case 'Pipe':
      if (e.left !== undefined) walk(b, e.left);
      walk(b, e.right);
      return;
    case 'Yield':
      requireFunction(b, e);
      if (e.value !== undefined) walk(b, e.value);
      return;
    case 'Markup':
      walkMarkup(b, e);
      return;
  }
}

function walkLambda(b: Builder, e: ast.Lambda): void {
  walkSignature(b, e.signature);
  inFrame(b, e, 'function', { awaits: true }, () => {
    bindParams(b, e.signature, false);
    if (e.body.kind === 'Block') walkBlock(b, e.body);
    else walk(b, e.body);
  });
}

function walkCall(b: Builder, e: ast.Call): void {
  const [, named] = e.args;
  if (e.callee.kind === 'NameRef' && e.callee.name === 'setattr' && named?.value.kind === 'StringLiteral')
    noteAttribute(b, named.value.value);
  walk(b, e.callee);
  const isInstance = e.callee.kind === 'NameRef' && (e.callee.name === 'isinstance' || e.callee.name === 'issubclass');
  for (let i = 0; i < e.args.length; i++) {
    const { value } = e.args[i]!;
    if (isInstance && i === 1) walkType(b, value);
    else walk(b, value);
  }
}

function walkJoined(b: Builder, e: ast.Joined): void {
  for (const part of e.parts) {
    if (part.kind !== 'FormatPart') continue;
    walk(b, part.expr);
    if (part.spec !== undefined && part.spec.kind === 'Joined') walkJoined(b, part.spec);
  }
}

function walkComprehension(b: Builder, e: ast.Comprehension): void {
  const first = e.clauses[0];
  if (first !== undefined) walk(b, first.iter);
  inFrame(b, e, 'comprehension', { lazy: e.sort === 'generator', awaits: true }, () => {
    for (const clause of e.clauses) {
      if (clause.async) requireAsync(b, clause, b.frame.parent);
      if (clause !== first) walk(b, clause.iter);
      walkTarget(b, clause.target, 'local', clause);
      walkAll(b, clause.conditions);
    }
    if (e.key !== undefined) walk(b, e.key);
    walk(b, e.value);
  });
}

function walkEdgeRef(b: Builder, e: ast.EdgeRef): void {
  if (e.origin !== undefined) walk(b, e.origin);
  for (const hop of e.hops) {
    walkEdgeOp(b, hop.op);
    if (hop.filter !== undefined) walkFilter(b, hop.filter);
    if (hop.only !== undefined) walk(b, hop.only);
  }
}

function walkEdgeOp(b: Builder, op: ast.EdgeOp): void {
  if (op.type !== undefined) walk(b, op.type);
  for (const condition of op.conditions) walk(b, condition.value);
}

function walkFilter(b: Builder, filter: ast.FilterSpec): void {
  if (filter.type !== undefined) walkType(b, filter.type);
  for (const condition of filter.conditions) walk(b, condition.value);
}

function walkMarkup(b: Builder, e: ast.Markup): void {
  if (typeof e.tag === 'object') walk(b, e.tag);
  for (const attribute of e.attributes) if (attribute.value !== undefined) walk(b, attribute.value);
  for (const child of e.children) {
    if (child.kind === 'Markup') walkMarkup(b, child);
    else if (child.kind === 'MarkupSlot') {
      if (child.expr !== undefined) walk(b, child.expr);
      const { statements } = child;
      if (statements !== undefined) {
        const { inSlot } = b;
        b.inSlot = true;
        perhaps(b, () => {
          for (const s of statements) walkStatement(b, s);
        });
        b.inSlot = inSlot;
      }
    }
  }
}

/** An operand that may not be evaluated: what it binds is not certain. */
function uncertain(b: Builder, e: ast.Expression): void {
  b.frame.maybe += 1;
  walk(b, e);
  b.frame.maybe -= 1;
}
