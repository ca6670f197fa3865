/** Nodes and edges as the graph page draws them (docs/server/inspection.md#graph-page). */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { oid } from '../../../core/graph/lookup.ts';
import type { GraphObject } from '../../../core/graph/objects.ts';
import { shownType, type Traversal } from '../../../core/graph/traverse.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import { type FieldProblem, refuseProblems } from '../../../core/problems.ts';
import { bare } from '../../../library/values/numbers/float-box.ts';
import type { RouteContext } from '../../routes.ts';
import { readSource, traverseAs } from './answer-traverse.ts';

/** @throws Failure `VALIDATION_ERROR`, `NODE_NOT_FOUND` */
export function drawGraph(runtime: Runtime, context: RouteContext): MaybePromise<Readonly<Record<string, unknown>>> {
  const { source, depth, limit } = readQuery(context);
  const options = { depth, limit, offset: 0, nodeTypes: undefined, edgeTypes: undefined };
  return traverseAs(runtime, context.caller, source, options, drawn);
}

const maxDepth = 32;
const maxLimit = 2000;

function readQuery({ query }: RouteContext): { source: string; depth: number; limit: number } {
  const problems: FieldProblem[] = [];
  const last = (name: string) => query.get(name)?.at(-1);
  const count = (name: string, usual: number, min: number, max: number): number => {
    const text = last(name);
    if (text === undefined) return usual;
    const loc = ['query', name];
    if (!/^-?\d{1,9}$/.test(text)) problems.push({ loc, type: 'int_parsing', msg: 'must be an integer' });
    else if (Number(text) < min) problems.push({ loc, type: 'greater_than_equal', msg: `must be at least ${min}` });
    else if (Number(text) > max) problems.push({ loc, type: 'less_than_equal', msg: `must be at most ${max}` });
    return Number(text);
  };
  const asked = {
    source: readSource(last('root'), ['query', 'root'], problems),
    depth: count('depth', 3, 0, maxDepth),
    limit: count('limit', 500, 1, maxLimit),
  };
  refuseProblems(problems);
  return asked;
}

function drawn({ nodes, edges, truncated }: Traversal) {
  return {
    nodes: nodes.map((node) => ({ id: oid(node), label: labelOf(node), type: shownType(node), color: colourOf(node) })),
    edges: edges.map((edge) => ({
      id: oid(edge),
      from: oid(edge.$src),
      to: oid(edge.$dst),
      label: shownType(edge) === 'Edge' ? '' : labelOf(edge),
    })),
    truncated,
  };
}

const labelLength = 40;

/** The type, and the first public field that says something in one line. */
function labelOf(x: GraphObject): string {
  for (const field of x.$meta.fields) {
    if (!field.isPublic || field.name.startsWith('_')) continue;
    const value = bare((x as any)[field.property]);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = [...String(value).replace(/\s+/g, ' ').trim()];
    if (text.length === 0) continue;
    const shown = text.length > labelLength ? `${text.slice(0, labelLength - 1).join('')}…` : text.join('');
    return `${shownType(x)}: ${shown}`;
  }
  return shownType(x);
}

const colours = '#dbeafe #dcfce7 #fef9c3 #fae8ff #ffe4e6 #ccfbf1 #ede9fe #ffedd5 #e0f2fe #ecfccb'.split(' ');

/** Gives the colour of a node by the name of its type, so that it is the same in every answer; roots stand out. */
function colourOf(x: GraphObject): string {
  const name = shownType(x);
  if (name === 'Root') return '#fecaca';
  let sum = 0;
  for (const char of name) sum = (sum * 31 + char.codePointAt(0)!) % 65_521;
  return colours[sum % colours.length]!;
}
