/**
 * Comparisons that may give something other than a bool: those of programs whose methods for them do, as query builders
 * have.
 */
import type * as ast from '../../1-parse/ast.ts';
import { forEachChild } from '../../2-resolve/children.ts';
import { anyWithin } from '../../2-resolve/find-by-word.ts';
import type { Source } from '../../source.ts';
import type { ModuleState, Program } from '../program.ts';
import type { Type } from '../types.ts';

const asked: Readonly<Partial<Record<ast.CompareOp, readonly string[]>>> = {
  '==': ['__eq__'],
  '!=': ['__ne__'],
  '<': ['__lt__', '__gt__'],
  '>': ['__gt__', '__lt__'],
  '<=': ['__le__', '__ge__'],
  '>=': ['__ge__', '__le__'],
};

/** Does the comparison give what a method of the program answers, whatever that is? */
export function answersFreely(program: Program, op: ast.CompareOp, left: Type, right: Type): boolean {
  const { answering } = program;
  if (answering.size === 0 || asked[op]?.some((name) => answering.has(name)) !== true) return false;
  return mayBeInstance(left) || mayBeInstance(right);
}

function mayBeInstance({ t }: Type): boolean {
  return t === 'any' || t === 'union' || t === 'instance';
}

const written = /\bdef\s+__(?:eq|ne|lt|le|gt|ge)__/g;
const comparing = /^__(?:eq|ne|lt|le|gt|ge)__$/;

/** Registers the methods of a module that may answer anything; `!=` when there is a method for it at all. */
export function noteAnswering(program: Program, { module }: ModuleState): void {
  const places = new Map(module.sources.map((source) => [source, matchesIn(source)]));
  for (const element of module.tree.body) {
    const at = places.get(module.sourceOf(element))!;
    if (at.length > 0) noteWithin(program, element, at);
  }
}

const knownMatches = new WeakMap<Source, readonly number[]>();

function matchesIn(source: Source): readonly number[] {
  let known = knownMatches.get(source);
  if (known === undefined)
    knownMatches.set(source, (known = Array.from(source.text.matchAll(written), (match) => match.index)));
  return known;
}

/** Looks only at what is around one of the places. */
function noteWithin(program: Program, node: ast.Node, places: readonly number[]): void {
  if (!anyWithin(places, node.start, node.end)) return;
  if (node.kind === 'FunctionDecl' && node.name !== undefined && comparing.test(node.name.text)) {
    if (node.name.text === '__ne__') program.answering.add('!=');
    if (!answersBool(node)) program.answering.add(node.name.text);
  }
  forEachChild(node, (child) => noteWithin(program, child, places));
}

function answersBool(decl: ast.FunctionDecl): boolean {
  const { result } = decl.signature;
  if (result?.kind === 'NameRef' && result.name === 'bool') return true;
  if (decl.body.kind !== 'Block') return false;
  let closed = decl.body.tail === undefined || isBool(decl.body.tail.expr);
  const visit = (node: ast.Node): void => {
    if (node.kind === 'FunctionDecl' || node.kind === 'Lambda' || node.kind === 'Archetype') return;
    if (node.kind === 'ReturnStatement' && (node.value === undefined || !isBool(node.value))) closed = false;
    forEachChild(node, visit);
  };
  forEachChild(decl.body, visit);
  return closed;
}

const booleanCalls = new Set(['isinstance', 'issubclass', 'hasattr', 'callable', 'any', 'all', 'bool']);

function isBool(e: ast.Expression): boolean {
  switch (e.kind) {
    case 'Compare':
      return true;
    case 'Constant':
      return typeof e.value === 'boolean';
    case 'NameRef':
      return e.name === 'NotImplemented';
    case 'Unary':
      return e.op === 'not';
    case 'Logical':
      return isBool(e.left) && isBool(e.right);
    case 'Conditional':
      return isBool(e.then) && isBool(e.orElse);
    case 'Call':
      // Other methods for comparisons are looked at themselves.
      if (e.callee.kind === 'Attribute') return comparing.test(e.callee.name.text);
      return e.callee.kind === 'NameRef' && booleanCalls.has(e.callee.name);
    default:
      return false;
  }
}
