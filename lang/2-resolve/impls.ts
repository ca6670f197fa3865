/** Joins `impl` blocks to what they implement (language.md 2.9). */
import type * as ast from '../1-parse/ast.ts';
import { placeParams } from '../diagnostics.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import { findByWord } from './find-by-word.ts';
import type { JoinedImpl } from './names.ts';

export interface Impls {
  /** The impl joined to a declaration without a body. */
  of(decl: ast.Node): ast.ImplDecl | undefined;
  declOf(impl: ast.ImplDecl): ast.Node | undefined;
  /** The file an impl was written in. */
  sourceOf(impl: ast.ImplDecl): Source;
  joined(decl: ast.Node): JoinedImpl | undefined;
}

type Target = ast.FunctionDecl | ast.Ability | ast.Accessor | ast.Archetype | ast.EnumDecl;

/** Joins the impls of a module and reports E0203, E0501, E0502 and E0503. */
export function joinImpls(module: ProjectModule): Impls {
  const impls = findByWord(module.tree, module.sourceOf, /\bimpl\b/g, isImpl);
  const byDecl = new Map<ast.Node, ast.ImplDecl>();
  const byImpl = new Map<ast.ImplDecl, ast.Node>();
  const sources = new Map<ast.ImplDecl, Source>();
  if (impls.length > 0) {
    const roots = moduleTargets(module.tree);
    // Whole archetypes first: they hold members that others implement.
    const ordered = [...impls].sort((a, b) => a.node.target.length - b.node.target.length);
    for (const { node, source } of ordered) {
      sources.set(node, source);
      const target = findTarget(node.target, roots, byDecl);
      if (target === undefined) {
        module.reporterOf(source).at('E0501', targetSpan(node), { name: targetName(node) }, { blocking: false });
      } else if (hasBody(target) || byDecl.has(target)) {
        // The body there is: of the declaration, or in an impl, which may stand in another file.
        const first = byDecl.get(target);
        const [from, span] = first === undefined ? [module.source, target] : [sources.get(first)!, targetSpan(first)];
        const related = [{ message: 'first defined here', path: from.path, start: span.start, end: span.end }];
        const params = { name: targetName(node), ...placeParams(from, span.start) };
        module.reporterOf(source).at('E0203', targetSpan(node), params, { related });
      } else {
        byDecl.set(target, node);
        byImpl.set(node, target);
        checkNames(module, node, target, source);
      }
    }
  }
  return {
    of: (decl) => byDecl.get(decl),
    declOf: (impl) => byImpl.get(impl),
    sourceOf: (impl) => sources.get(impl) ?? module.source,
    joined(decl) {
      const impl = byDecl.get(decl);
      if (impl === undefined) return undefined;
      const own = signatureOf(decl);
      const useOwn = own !== undefined && (own.params.length > 0 || impl.signature === undefined);
      return { impl, signature: useOwn ? own : (impl.signature ?? own), body: impl.body.block };
    },
  };
}

function isImpl(node: ast.Node): node is ast.ImplDecl {
  return node.kind === 'ImplDecl';
}

function moduleTargets(tree: ast.Module): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  const visit = (element: ast.Element): void => {
    if (element.kind === 'PlacedBlock') element.body.forEach(visit);
    else if (element.kind === 'FunctionDecl' || element.kind === 'Archetype' || element.kind === 'EnumDecl') {
      const name = element.name?.text;
      const known = name === undefined ? undefined : targets.get(name);
      if (name !== undefined && (known === undefined || (hasBody(known) && !hasBody(element))))
        targets.set(name, element);
    }
  };
  tree.body.forEach(visit);
  return targets;
}

function findTarget(
  path: readonly ast.Name[],
  roots: ReadonlyMap<string, Target>,
  byDecl: ReadonlyMap<ast.Node, ast.ImplDecl>,
): Target | undefined {
  let at: Target | ast.HasItem | undefined = roots.get(path[0]?.text ?? '');
  for (let i = 1; i < path.length && at !== undefined; i++) at = findMember(at, path[i]!.text, byDecl);
  return at?.kind === 'HasItem' ? undefined : at;
}

function findMember(
  inside: Target | ast.HasItem,
  name: string,
  byDecl: ReadonlyMap<ast.Node, ast.ImplDecl>,
): Target | ast.HasItem | undefined {
  switch (inside.kind) {
    case 'Archetype': {
      const members = [...(inside.members ?? []), ...(byDecl.get(inside)?.body.members ?? [])];
      return pick(members.flatMap((member) => memberTarget(member, name)));
    }
    case 'EnumDecl':
      return pick(
        inside.body.flatMap((member) => (member.kind === 'FunctionDecl' && member.name?.text === name ? [member] : [])),
      );
    case 'HasItem': {
      // As in the declaration (decisions/0265).
      const sort = name === 'get' || name === 'set' ? `${name}ter` : name;
      return inside.accessors?.find((accessor) => accessor.sort === sort);
    }
    case 'FunctionDecl':
    case 'Ability': {
      const body = byDecl.get(inside)?.body.block ?? (inside.body.kind === 'Block' ? inside.body : undefined);
      return body === undefined ? undefined : pick(nestedTargets(body, name));
    }
    case 'Accessor':
      return undefined;
  }
}

function memberTarget(member: ast.Member, name: string): readonly (Target | ast.HasItem)[] {
  switch (member.kind) {
    case 'HasDecl':
      return member.items.filter((item) => item.name.text === name);
    case 'FunctionDecl':
    case 'Ability':
    case 'Archetype':
    case 'EnumDecl':
      return member.name?.text === name ? [member] : [];
    default:
      return [];
  }
}

/** The first without a body, else the first. */
function pick<T extends Target | ast.HasItem>(found: readonly T[]): T | undefined {
  return found.find((one) => one.kind === 'HasItem' || !hasBody(one)) ?? found[0];
}

/** Functions of that name declared in a block or the blocks in it. */
function nestedTargets(block: ast.Block, name: string): readonly Target[] {
  const found: Target[] = [];
  const visit = (statement: ast.Statement): void => {
    switch (statement.kind) {
      case 'FunctionDecl':
      case 'Archetype':
      case 'EnumDecl':
      case 'Ability':
        if (statement.name?.text === name) found.push(statement);
        return;
      case 'IfStatement':
        statement.body.statements.forEach(visit);
        if (statement.orElse !== undefined) visit(statement.orElse);
        return;
      case 'Block':
        statement.statements.forEach(visit);
        return;
      case 'ForIn':
      case 'WhileStatement':
      case 'ForCount':
      case 'WithStatement':
      case 'TryStatement':
        statement.body.statements.forEach(visit);
        return;
      default:
    }
  };
  block.statements.forEach(visit);
  return found;
}

export function hasBody(target: Target): boolean {
  switch (target.kind) {
    case 'FunctionDecl':
    case 'Ability':
      return target.body.kind !== 'NoBody';
    case 'Archetype':
    case 'EnumDecl':
      return target.members !== undefined;
    case 'Accessor':
      return target.body !== undefined;
  }
}

function signatureOf(decl: ast.Node): ast.Signature | undefined {
  return decl.kind === 'FunctionDecl' || decl.kind === 'Accessor' ? decl.signature : undefined;
}

/** E0503: where both spell parameters, the names agree. */
function checkNames(module: ProjectModule, impl: ast.ImplDecl, target: Target, source: Source): void {
  const declared = signatureOf(target);
  const given = impl.signature;
  if (declared === undefined || given === undefined || given.params.length === 0 || declared.params.length === 0)
    return;
  const names = (signature: ast.Signature) =>
    signature.params.filter((param) => param.name?.text !== 'self').map((param) => param.name?.text ?? param.sort);
  const mine = names(given);
  const theirs = names(declared);
  if (mine.length === theirs.length && mine.every((name, i) => name === theirs[i])) return;
  const help = `the declaration has (${theirs.join(', ')})`;
  module.reporterOf(source).at('E0503', given, { name: targetName(impl) }, { help });
}

function targetName(impl: ast.ImplDecl): string {
  return impl.target.map((name) => name.text).join('.');
}

function targetSpan(impl: ast.ImplDecl): ast.Span {
  return { start: impl.target[0]?.start ?? impl.start, end: impl.target[impl.target.length - 1]?.end ?? impl.end };
}
