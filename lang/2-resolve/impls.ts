/** Joins `impl` blocks to what they implement (docs/language/implementations.md#impl). */
import type * as ast from '../1-parse/ast.ts';
import { placeParams, type Reporter } from '../diagnostics.ts';
import type { ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';
import { findByWord } from './find-by-word.ts';
import type { JoinedImpl, JoinedParam } from './names.ts';

export interface Impls {
  /** The impl joined to a declaration without a body. */
  of(decl: ast.Node): ast.ImplDecl | undefined;
  declOf(impl: ast.ImplDecl): ast.Node | undefined;
  /** The file an impl was written in. */
  sourceOf(impl: ast.ImplDecl): Source;
  joined(decl: ast.Node): JoinedImpl | undefined;
}

type Target = ast.FunctionDecl | ast.Ability | ast.Accessor | ast.Archetype | ast.EnumDecl;

/** Joins the impls of a module and reports E0203, E0501, W0503 and W0504. */
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
      const reporter = module.reporterOf(source);
      const first = target === undefined ? undefined : byDecl.get(target);
      if (target === undefined) {
        reporter.at('E0501', targetSpan(node), { name: targetName(node) }, { blocking: false });
      } else if (first !== undefined || hasBody(target)) {
        // The body there is: of the declaration, or in an impl, which may stand in another file.
        const [from, span] =
          first === undefined ? [module.sourceOf(target), target] : [sources.get(first)!, targetSpan(first)];
        const related = [{ message: 'first defined here', path: from.path, start: span.start, end: span.end }];
        const params = { name: targetName(node), ...placeParams(from, span.start) };
        const code = first === undefined && keepsBody(target) ? 'W0504' : 'E0203';
        reporter.at(code, targetSpan(node), params, { related });
      } else {
        byDecl.set(target, node);
        byImpl.set(node, target);
        checkNames(node, target, reporter);
        checkStatements(node, target, reporter);
      }
    }
  }
  const joined = new Map<ast.Node, JoinedImpl>();
  return {
    of: (decl) => byDecl.get(decl),
    declOf: (impl) => byImpl.get(impl),
    sourceOf: (impl) => sources.get(impl) ?? module.source,
    joined(decl) {
      const impl = byDecl.get(decl);
      if (impl === undefined) return undefined;
      let found = joined.get(decl);
      if (found === undefined) {
        found = { impl, signature: joinedSignature(signatureOf(decl), impl.signature), body: impl.body.block };
        joined.set(decl, found);
      }
      return found;
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
      // The sort of an accessor is found as in the declaration (docs/language/archetypes.md#properties).
      const sort = accessorNames[name] ?? name;
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

const accessorNames: Readonly<Record<string, string>> = { get: 'getter', set: 'setter', del: 'deleter' };

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

/** Tells whether a declaration keeps its own body whatever an impl says; an abstract function and a type do not. */
function keepsBody(target: Target): boolean {
  return target.kind !== 'Archetype' && target.kind !== 'EnumDecl' && target.body?.kind !== 'AbstractBody';
}

/**
 * Joins the signature of a declaration with that of its impl: the one by which the body is given its arguments. Its own
 * names for the parameters are those it sees, callers go by the declared ones; defaults are the declaration's
 * (docs/language/implementations.md#impl). Parameters of other number or kind than the declared ones take their place.
 */
function joinedSignature(own: ast.Signature | undefined, given: ast.Signature | undefined): ast.Signature | undefined {
  if (own === undefined || given === undefined || given.params.length === 0) return own ?? given;
  const result = own.result ?? given.result;
  const [declared, mine] =
    own.params.length === given.params.length
      ? [own.params, given.params]
      : ([own, given].map(withoutSelf) as [readonly ast.Param[], readonly ast.Param[]]);
  if (
    own.params.length === 0 ||
    declared.length !== mine.length ||
    declared.some(({ sort }, i) => sort !== mine[i]!.sort)
  )
    return { ...given, params: given.params.map((param) => withDefault(param, own.params)), result };
  const receiver = own.params.slice(0, own.params.length - declared.length);
  return { ...given, params: [...receiver, ...mine.map((param, i) => joinedParam(declared[i]!, param))], result };
}

function joinedParam(declared: ast.Param, given: ast.Param): ast.Param {
  const { name } = declared;
  const joined: JoinedParam = {
    ...given,
    type: declared.type ?? given.type,
    value: declared.value ?? given.value,
    declared: name?.text,
  };
  return name?.text === given.name?.text ? declared : joined;
}

function withDefault(param: ast.Param, declared: readonly ast.Param[]): ast.Param {
  const value = param.value ?? declared.find(({ name }) => name?.text === param.name?.text)?.value;
  return value === param.value ? param : { ...param, value };
}

function withoutSelf({ params }: ast.Signature): readonly ast.Param[] {
  return params[0]?.name?.text === 'self' ? params.slice(1) : params;
}

/** W0503: where both spell parameters, the names agree. */
function checkNames(impl: ast.ImplDecl, target: Target, reporter: Reporter): void {
  const declared = signatureOf(target);
  const given = impl.signature;
  if (declared === undefined || given === undefined || given.params.length === 0 || declared.params.length === 0)
    return;
  const names = (signature: ast.Signature) => withoutSelf(signature).map((param) => param.name?.text ?? param.sort);
  const mine = names(given);
  const theirs = names(declared);
  if (mine.length === theirs.length && mine.every((name, i) => name === theirs[i])) return;
  const help = `the declaration has (${theirs.join(', ')})`;
  reporter.at('W0503', given, { name: targetName(impl) }, { help });
}

/** `impl f { with entry { … } }` reads as members of a type, and is the body of a function. */
function checkStatements(impl: ast.ImplDecl, target: Target, reporter: Reporter): void {
  if (target.kind === 'Archetype' || target.kind === 'EnumDecl') return;
  for (const member of impl.body.members ?? [])
    if (member.kind === 'EntryBlock')
      reporter.at('E0110', member, { expected: 'a statement', got: 'an entry block' }, { blocking: false });
}

function targetName(impl: ast.ImplDecl): string {
  return impl.target.map((name) => name.text).join('.');
}

function targetSpan(impl: ast.ImplDecl): ast.Span {
  return { start: impl.target[0]?.start ?? impl.start, end: impl.target[impl.target.length - 1]?.end ?? impl.end };
}
