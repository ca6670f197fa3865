/** Endpoint `POST /traverse`, which the graph page calls too. */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Failure } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/graph/ids.ts';
import { lookUp, oid } from '../../../core/graph/lookup.ts';
import type { Edge, GraphObject } from '../../../core/graph/objects.ts';
import { shownType, type Traversal, type TraverseOptions, traverse } from '../../../core/graph/traverse.ts';
import { chain } from '../../../core/memory/chain.ts';
import { currentContext } from '../../../core/memory/context.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import { type Caller, runUnit } from '../../../core/memory/unit.ts';
import { type FieldProblem, refuseProblems } from '../../../core/problems.ts';
import { textOf } from '../serialize/put-value.ts';
import { makeScratch } from '../serialize/scratch.ts';
import { makeWriter } from '../serialize/writer.ts';
import { SessionView } from './view.ts';

export interface TraverseParts {
  readonly runtime: Runtime;
  readonly maxDepth: number;
  readonly maxObjects: number;
  readonly withPrivate: boolean;
}

/** @throws Failure `VALIDATION_ERROR`, `NODE_NOT_FOUND` */
export function answerTraverse(
  parts: TraverseParts,
  caller: Caller,
  body: Readonly<Record<string, unknown>>,
): MaybePromise<Readonly<Record<string, unknown>>> {
  const asked = readBody(body, parts);
  return traverseAs(parts.runtime, caller, asked.source, asked, (found) => ({
    ...described(found, asked.isDetailed, parts.withPrivate),
    ...(found.truncated && { next_offset: asked.offset + found.nodes.length + found.edges.length }),
  }));
}

/**
 * Traverses in a unit of the caller's own, which writes nothing.
 *
 * @throws Failure `NODE_NOT_FOUND` for a start that is unknown or not readable
 */
export function traverseAs<T>(
  runtime: Runtime,
  caller: Caller,
  source: string,
  options: TraverseOptions,
  use: (found: Traversal) => T,
): MaybePromise<T> {
  return runUnit(runtime, caller, () =>
    chain(lookUp(source), (start) => {
      if (start === null) throw new Failure('NODE_NOT_FOUND', 'No such node or edge.');
      return chain(traverse(start, options), use);
    }),
  );
}

function described({ nodes, edges, truncated }: Traversal, isDetailed: boolean, withPrivate: boolean) {
  const incident = new Map<GraphObject, string[]>();
  for (const edge of edges) {
    for (const end of new Set([edge.$src, edge.$dst])) {
      const ids = incident.get(end);
      if (ids === undefined) incident.set(end, [oid(edge)]);
      else ids.push(oid(edge));
    }
  }
  const detail = isDetailed ? detailsIn(withPrivate) : () => ({});
  return {
    nodes: nodes.map((node) => ({
      id: oid(node),
      type: shownType(node),
      edges: incident.get(node) ?? [],
      ...detail(node),
    })),
    edges: edges.map((edge) => ({
      id: oid(edge),
      type: shownType(edge),
      source: endId(edge, 'source'),
      target: endId(edge, 'target'),
      undirected: edge.undirected,
      ...detail(edge),
    })),
    truncated,
  };
}

function endId(edge: Edge, end: 'source' | 'target'): string | null {
  const node = edge[end];
  return node === null ? null : oid(node);
}

/**
 * Objects as an answer shows them; what they refer to is only named, since it may be in the answer in its own place
 * (docs/server/inspection.md#traverse).
 */
function detailsIn(withPrivate: boolean): (x: GraphObject) => { archetype: unknown } {
  const view = new SessionView(currentContext().session);
  const scratch = makeScratch();
  return (object) => {
    const graph = {
      isReadable: (x: GraphObject) => x === object,
      idOf: (x: GraphObject) => view.idOf(x),
      storedFields: (x: GraphObject) => view.storedFields(x),
    };
    return { archetype: JSON.parse(textOf(object, makeWriter(scratch, graph, withPrivate))) };
  };
}

interface Asked extends TraverseOptions {
  readonly source: string;
  readonly isDetailed: boolean;
}

/** Every problem at once. @throws Failure `VALIDATION_ERROR` */
function readBody(body: Readonly<Record<string, unknown>>, { maxDepth, maxObjects }: TraverseParts): Asked {
  const problems: FieldProblem[] = [];
  const own = (name: string) => (Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined);
  const asked = {
    source: readSource(own('source'), ['body', 'source'], problems),
    depth: readCount(own('depth'), { name: 'depth', usual: 1, min: -1, max: maxDepth }, problems),
    isDetailed: readFlag(own('detailed'), 'detailed', problems),
    nodeTypes: readNames(own('node_types'), 'node_types', problems),
    edgeTypes: readNames(own('edge_types'), 'edge_types', problems),
    limit: readCount(own('limit'), { name: 'limit', usual: maxObjects, min: 1, max: maxObjects }, problems),
    offset: readCount(own('offset'), { name: 'offset', usual: 0, min: 0, max: maxObjects * pages }, problems),
  };
  refuseProblems(problems);
  return asked;
}

/** Number of full answers that the offset of a traversal may skip: each page walks again from the start. */
const pages = 10;

/** An id in any spelling, or `root`. */
export function readSource(value: unknown, loc: FieldProblem['loc'], problems: FieldProblem[]): string {
  if (value === undefined || value === 'root') return 'root';
  const id = typeof value === 'string' ? canonicalId(value) : undefined;
  if (id !== undefined) return id;
  if (typeof value === 'string') problems.push({ loc, type: 'uuid_parsing', msg: 'must be an id or "root"' });
  else problems.push({ loc, type: 'string_type', msg: 'must be a string' });
  return '';
}

function readCount(
  value: unknown,
  {
    name,
    usual,
    min,
    max,
  }: { readonly name: string; readonly usual: number; readonly min: number; readonly max: number },
  problems: FieldProblem[],
): number {
  const loc = ['body', name];
  if (value === undefined) return usual;
  const count = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) {
    problems.push({ loc, type: 'int_type', msg: 'must be an integer' });
  } else if (count < min) problems.push({ loc, type: 'greater_than_equal', msg: `must be at least ${min}` });
  else if (count > max) problems.push({ loc, type: 'less_than_equal', msg: `must be at most ${max}` });
  else return count;
  return usual;
}

function readFlag(value: unknown, name: string, problems: FieldProblem[]): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  problems.push({ loc: ['body', name], type: 'bool_type', msg: 'must be true or false' });
  return false;
}

function readNames(value: unknown, name: string, problems: FieldProblem[]): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const loc = ['body', name];
  if (!Array.isArray(value)) {
    problems.push({ loc, type: 'list_type', msg: 'must be a list of type names' });
    return undefined;
  }
  if (value.length > mostNames) {
    problems.push({ loc, type: 'value_error', msg: `must have at most ${mostNames} names` });
    return undefined;
  }
  for (const [i, item] of value.entries()) {
    if (typeof item !== 'string') problems.push({ loc: [...loc, i], type: 'string_type', msg: 'must be a string' });
  }
  return value;
}

const mostNames = 100;
