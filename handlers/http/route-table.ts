import { Failure } from '../../core/errors.ts';

/** Routes of one path by method, and what is known about the path besides. */
export interface PathEntry<R> {
  readonly methods: Map<string, R>;
  readonly paramNames: readonly string[];
  /**
   * Text that says where the target of this path is served instead; a wrong method is then 404 with it rather than 405.
   */
  elsewhere?: string;
}

export interface Match<R> {
  readonly entry: PathEntry<R>;
  /** Percent-decoded values of the path parameters, in template order. */
  readonly params: readonly string[];
}

/**
 * Paths to routes (docs/server/endpoints.md#paths): exact paths in one look-up, templates by a tree of segments in
 * which literal segments win over parameters. Matching is case-sensitive; one trailing slash is ignored; empty and dot
 * segments match nothing.
 */
export interface RouteTable<R> {
  /** The entry of a template, made when it is new. */
  entry(template: string): PathEntry<R>;
  /** @throws Failure `BAD_REQUEST` when a parameter is not valid percent-encoding */
  match(path: string): Match<R> | undefined;
}

interface TreeNode<R> {
  readonly literals: Map<string, TreeNode<R>>;
  parameter: TreeNode<R> | undefined;
  entry: PathEntry<R> | undefined;
}

const noParams: readonly string[] = [];

/** Makes an empty table. */
export function createRouteTable<R>(): RouteTable<R> {
  const exact = new Map<string, Match<R>>();
  const tree: TreeNode<R> = makeNode();

  return {
    entry(template) {
      const segments = splitPath(template);
      let node = tree;
      for (const segment of segments) node = childFor(node, segment);
      if (node.entry === undefined) {
        const paramNames = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
        node.entry = { methods: new Map(), paramNames };
        if (paramNames.length === 0) exact.set(template, { entry: node.entry, params: noParams });
      }
      return node.entry;
    },
    match(path) {
      const found = exact.get(path);
      if (found !== undefined) return found;
      if (path.charCodeAt(0) !== 0x2f) return undefined;
      const segments = splitPath(path);
      const params: string[] = [];
      const entry = descend(tree, segments, 0, params);
      return entry === undefined ? undefined : { entry, params };
    },
  };
}

/**
 * Gives the shape of a template: two templates of one shape claim the same paths, whatever the names of their
 * parameters.
 */
export function pathShape(template: string): string {
  return template.replace(/\{[^/]*\}/g, '{}');
}

function makeNode<R>(): TreeNode<R> {
  return { literals: new Map(), parameter: undefined, entry: undefined };
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

function childFor<R>(node: TreeNode<R>, segment: string): TreeNode<R> {
  if (isParameter(segment)) {
    node.parameter ??= makeNode();
    return node.parameter;
  }
  let child = node.literals.get(segment);
  if (child === undefined) node.literals.set(segment, (child = makeNode()));
  return child;
}

/** `/a/b/` and `/a/b` give `['a', 'b']`, `/` gives `[]`. */
function splitPath(path: string): string[] {
  const inner = path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined);
  return inner === '' ? [] : inner.split('/');
}

function descend<R>(
  node: TreeNode<R>,
  segments: readonly string[],
  at: number,
  params: string[],
): PathEntry<R> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.entry;
  const child = node.literals.get(segment) ?? (segment.includes('%') ? node.literals.get(decode(segment)) : undefined);
  const depth = params.length;
  const found = child === undefined ? undefined : descend(child, segments, at + 1, params);
  if (found !== undefined) return found;
  if (node.parameter === undefined || segment === '' || segment === '.' || segment === '..') return undefined;
  params.length = depth;
  params.push(decode(segment));
  return descend(node.parameter, segments, at + 1, params);
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Failure('BAD_REQUEST', 'The path is not valid percent-encoding.');
  }
}
