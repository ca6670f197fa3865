/**
 * Mentions of other code in the text of an element, for those who follow what code uses through the program (client-plan.ts, browser-needs.ts,
 * client-uses.ts). It is found once for as long as the scopes of a module are kept.
 */
import type * as ast from '../1-parse/ast.ts';
import type { Built } from './build-scopes.ts';
import { forEachChild } from './children.ts';
import { mutators } from './mutators.ts';

/** A name, or a member of what has a name. */
export type Named = ast.NameRef | MemberOfName;

export type MemberOfName = ast.Attribute & { readonly object: ast.NameRef };

export interface Mentions {
  /**
   * Nodes that may lead out of the element, or ask for the server: names of anything but plain locals, members of modules, calls that change a
   * value or hand on keywords, tags, assignments, operations on the graph, and after its parts each declaration that an `impl` is joined to. The last parts come first. Of names and members that mean the same,
   * outside of `await`, there is one.
   */
  readonly nodes: readonly ast.Node[];
  /** Names of the module's variables, and what it does not declare, and members of these, each where it stands first, in textual order. */
  readonly named: readonly Named[];
  /** Texts that are or end with the path of a function or walker, `"/function/total"`, or with how such a path begins, in textual order. */
  readonly paths: readonly ast.StringLiteral[];
  /** Callees of `await f(…)`. */
  readonly awaited: ReadonlySet<ast.Node>;
  /** Names, but for plain locals, that stand as values which are handed on: given to calls, kept in variables and containers, returned. */
  readonly handed: readonly ast.NameRef[];
}

const known = new WeakMap<Built, Map<ast.Node, Mentions>>();

/** Finds what is mentioned in a node. To be asked when the names of the module are bound. */
export function mentionsIn(built: Built, node: ast.Node): Mentions {
  let ofModule = known.get(built);
  if (ofModule === undefined) known.set(built, (ofModule = new Map()));
  let found = ofModule.get(node);
  if (found === undefined) ofModule.set(node, (found = findMentions(built, node)));
  return found;
}

function findMentions(built: Built, element: ast.Node): Mentions {
  const nodes: ast.Node[] = [];
  const awaited = new Set<ast.Node>();
  const outward: Named[] = [];
  const paths: ast.StringLiteral[] = [];
  const handed: ast.NameRef[] = [];
  const isFirst = firstUses(built);
  const ended = new Set<ast.Node>();
  // Chains of operators may be longer than the stack is deep.
  const waiting: ast.Node[] = [element];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (ended.has(node)) {
      nodes.push(node);
      continue;
    }
    if (node.kind === 'Await' && node.expr.kind === 'Call') awaited.add(node.expr.callee);
    for (const value of handedBy(node)) if (value?.kind === 'NameRef' && isMention(built, value)) handed.push(value);
    if (isMention(built, node) && (awaited.has(node) || isFirst(node))) nodes.push(node);
    if (isOutward(built, node)) outward.push(node);
    else if (node.kind === 'StringLiteral' && endpointOfPath(node.value) !== undefined) paths.push(node);
    if (node !== element && built.impls.of(node) !== undefined) {
      ended.add(node);
      waiting.push(node);
    }
    forEachChild(node, (child) => waiting.push(child));
  }
  let named: readonly Named[] | undefined;
  return {
    nodes,
    awaited,
    handed,
    paths: paths.sort(byPlace),
    get named() {
      return (named ??= outward.sort(byPlace).filter(firstUses(built)));
    },
  };
}

function handedBy(node: ast.Node): readonly (ast.Expression | undefined)[] {
  switch (node.kind) {
    case 'Call':
      return node.callee.kind === 'NameRef' && isinstanceName.test(node.callee.name)
        ? none
        : node.args.map(({ value }) => value);
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return node.items;
    case 'DictExpr':
      return node.entries.map(({ value }) => value);
    case 'Conditional':
      return [node.then, node.orElse];
    case 'AssignStatement':
    case 'GlobItem':
    case 'HasItem':
    case 'Param':
    case 'ReturnStatement':
      return [node.value];
    default:
      return none;
  }
}

const none: readonly never[] = [];
const isinstanceName = /^is(instance|subclass)$/;

/** Orders nodes as they stand in the text, an outer one before those in it. */
const byPlace = (a: ast.Node, b: ast.Node): number => a.start - b.start || b.end - a.end;

/** Tells of a name, or a member of what has a name, whether that is a variable of the module or one that it does not declare. */
function isOutward({ uses }: Built, node: ast.Node): node is Named {
  const name = node.kind === 'NameRef' ? node : isMemberOfName(node) ? node.object : undefined;
  const sort = name && uses.get(name)?.binding?.sort;
  return sort === 'module' || sort === 'unresolved';
}

export interface EndpointPath {
  readonly kind: 'function' | 'walker';
  /** Undefined where the text ends before the name. */
  readonly name: string | undefined;
}

/** Gives what the path names that a text is or ends with. Names with an underscore in front never are endpoints. */
export function endpointOfPath(text: string): EndpointPath | undefined {
  const found = /\/(function|walker)\/(?:([^\W_]\w*)\/?(?:\?.*)?)?$/.exec(text);
  return found === null ? undefined : { kind: found[1] as EndpointPath['kind'], name: found[2] };
}

/** Kinds of expressions and statements that only the server has. */
export const serverKinds: ReadonlySet<string> = new Set([
  'EdgeRef',
  'Connect',
  'Disconnect',
  'Spawn',
  'VisitStatement',
  'ReportStatement',
  'InlineForeign',
  'By',
  'ByBody',
]);

const kinds: ReadonlySet<string> = new Set([...serverKinds, 'AssignStatement', 'DeleteStatement', 'SpecialRef']);

function isMention({ uses }: Built, node: ast.Node): boolean {
  switch (node.kind) {
    case 'NameRef': {
      const binding = uses.get(node)?.binding;
      return binding?.sort !== 'local' || binding.import !== undefined;
    }
    case 'Attribute': {
      const binding = isMemberOfName(node) ? uses.get(node.object)?.binding : undefined;
      return binding?.sort === 'module' && binding.import?.of === 'module';
    }
    case 'Markup':
      return typeof node.tag === 'object' && node.tag.kind === 'NameRef';
    case 'Call':
      return (
        (node.callee.kind === 'Attribute' && mutators.has(node.callee.name.text)) ||
        node.args.some(({ sort }) => sort === 'keyword' || sort === 'doublestar')
      );
    default:
      return kinds.has(node.kind);
  }
}

/** Tells of each name, and each member of what has a name, whether it is asked about for the first time. Other nodes are always first. */
function firstUses({ uses }: Built): (node: ast.Node) => boolean {
  const seen = new Map<unknown, Set<string>>();
  return (node) => {
    const name = node.kind === 'NameRef' ? node : isMemberOfName(node) ? node.object : undefined;
    if (name === undefined) return true;
    const binding = uses.get(name)?.binding;
    const meant = binding === undefined || binding.sort === 'unresolved' ? name.name : binding;
    let members = seen.get(meant);
    if (members === undefined) seen.set(meant, (members = new Set()));
    return members.size !== members.add(node.kind === 'Attribute' ? `.${node.name.text}` : '').size;
  };
}

function isMemberOfName(node: ast.Node): node is MemberOfName {
  return node.kind === 'Attribute' && node.object.kind === 'NameRef';
}
