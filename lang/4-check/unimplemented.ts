import type * as ast from '../1-parse/ast.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0502: a declaration whose body is nowhere (docs/language/functions.md#bodies-elsewhere,
 * docs/language/implementations.md#impl).
 */
export const unimplementedRule: Rule = {
  name: 'unimplemented',
  half: 'both',
  visit: {
    FunctionDecl: visitBody,
    Ability: visitBody,
    Archetype: visitType,
    EnumDecl: visitType,
    Accessor: visitAccessor,
  },
};

function visitBody(node: ast.FunctionDecl | ast.Ability, c: RuleContext): void {
  if (node.body.kind !== 'NoBody' || c.names.implOf(node) !== undefined) return;
  if (isSuperseded(node, c) || isPromise(node, c)) return;
  c.report('E0502', node.name ?? node, { name: nameOf(node.name, c) }, { blocking: false });
}

function visitType(node: ast.Archetype | ast.EnumDecl, c: RuleContext): void {
  if (node.members !== undefined || c.names.implOf(node) !== undefined || isSuperseded(node, c)) return;
  if (node.kind === 'Archetype' && isWhole(node)) return;
  c.report('E0502', node.name, { name: nameOf(node.name, c) }, { blocking: false });
}

function visitAccessor(node: ast.Accessor, c: RuleContext): void {
  if (node.body === undefined && c.names.implOf(node) === undefined) {
    c.report('E0502', node, { name: nameOf(undefined, c) + node.sort }, { blocking: false });
  }
}

/** `obj A;` before `obj A { … }` is a forward declaration, and so is `def f;` before `def f { … }`. */
function isSuperseded(node: ast.Archetype | ast.EnumDecl | ast.FunctionDecl | ast.Ability, c: RuleContext): boolean {
  const name = node.name?.text;
  if (name === undefined) return false;
  if (c.parent === c.module.tree) return c.names.bindings.get(name)?.decl !== node;
  const members = c.parent.kind === 'Archetype' ? (c.parent.members ?? []) : [];
  const later = members.slice(members.indexOf(node as ast.Member) + 1);
  return later.some((other) => other.kind === node.kind && 'name' in other && other.name?.text === name);
}

/** Tells whether a function needs no body: one with `@overload` or `@abstractmethod`, and a member of a protocol. */
function isPromise(node: ast.FunctionDecl | ast.Ability, c: RuleContext): boolean {
  if (node.decorators.some((e) => /^(overload|abstractmethod)$/.test(lastName(e)))) return true;
  return c.parent.kind === 'Archetype' && c.parent.bases.some((base) => lastName(base) === 'Protocol');
}

function lastName(e: ast.Expression): string {
  if (e.kind === 'Index') return lastName(e.object);
  return e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '';
}

/**
 * `edge Likes;`, `node Place;`, `obj Missing(Exception);`: that there is such a type may be all there is to say
 * (docs/language/archetypes.md#without-a-body).
 */
function isWhole({ archetype, bases }: ast.Archetype): boolean {
  return archetype === 'edge' || archetype === 'node' || bases.length > 0;
}

function nameOf(name: ast.Name | undefined, c: RuleContext): string {
  const owner =
    c.parent.kind === 'Archetype' || c.parent.kind === 'EnumDecl' || c.parent.kind === 'HasItem'
      ? `${c.parent.name.text}.`
      : '';
  return owner + (name?.text ?? '');
}
