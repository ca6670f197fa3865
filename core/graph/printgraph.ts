/** `printgraph`: the graph around a node as text for drawing tools (language.md 5.13). */
import { writeFileSync } from 'node:fs';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { chain } from '../memory/chain.ts';
import { currentContext } from '../memory/context.ts';
import { rootOf } from '../memory/session-rows.ts';
import { hops } from './hops.ts';
import { type Edge, GenericEdge, Node } from './objects.ts';

const colours =
  '#FFE9E9 #F0FFF0 #F5E5FF #FFFFE0 #D2FEFF #E8FFD7 #FFDEAD #FFF0F5 #F5FFFA #FFC0CB #7FFFD4 #C0C0C0 #ADD8E6 #FFFAF0 #f4f3f7 #f5efff #b5d7fd #ffc0cb #FFC0CB #e1d4c0 #FCDFFF #F0FFFF #F0F8FF #F8F8FF #F0FFFF'.split(
    ' ',
  );

interface Picture {
  readonly nodes: { readonly node: Node; readonly depth: number }[];
  readonly edges: { readonly from: number; readonly to: number; readonly edge: Edge }[];
}

/**
 * Text in `dot`, `mermaid` or `json` form; also written to `file` when that is given. Edges are followed in both directions,
 * with `traverse` only as a walk would, away from the node; `depth` below zero means no limit; `edge_type` keeps edges of these types (classes or names); `bfs` false goes into depth first. `node` and `dot_file` are
 * earlier names of `nd` and `file`, `as_json` an earlier way to say `format="json"`.
 */
export function printgraph(
  nd?: unknown,
  depth: unknown = -1,
  traverse: unknown = false,
  edge_type?: unknown,
  bfs: unknown = true,
  edge_limit: unknown = 512,
  node_limit: unknown = 512,
  file?: unknown,
  format: unknown = 'dot',
  node?: unknown,
  dotFile?: unknown,
  asJson?: unknown,
): MaybePromise<string> {
  const start = nd ?? node ?? rootOf(currentContext().session);
  if (!(start instanceof Node)) throw new TypeError(`a node is needed to print a graph, not '${typeName(start)}'`);
  const write = writers[truth(asJson) ? 'json' : String(format)];
  if (write === undefined) throw new ValueError(`unknown graph format: ${reprOf(format)}`);
  const picture = collect(start, {
    depth: Number(depth ?? -1),
    edges: Number(edge_limit ?? 512),
    nodes: Number(node_limit ?? 512),
    onlyOut: truth(traverse),
    breadthFirst: truth(bfs),
    admits: admitter(edge_type),
  });
  return chain(picture, (found) => {
    const text = write(found);
    const path = file ?? dotFile;
    if (typeof path === 'string') writeFileSync(path, text);
    return text;
  });
}

interface Options {
  readonly depth: number;
  readonly edges: number;
  readonly nodes: number;
  readonly onlyOut: boolean;
  readonly breadthFirst: boolean;
  readonly admits: (edge: Edge) => boolean;
}

/** A class or its name, with its subtypes; or a list of them. */
function admitter(type: unknown): (edge: Edge) => boolean {
  if (type === undefined || type === null) return () => true;
  if (Array.isArray(type)) {
    const any = type.map(admitter);
    return (edge) => any.some((admits) => admits(edge));
  }
  if (typeof type === 'string') return (edge) => edge.$meta.mro.some((cls) => metaOf(cls)?.name === type);
  return (edge) => edge.$meta.mroSet.has(type);
}

interface OpenNode {
  readonly node: Node;
  readonly depth: number;
  edges: readonly Edge[] | undefined;
  /** Edges that have been followed. */
  followed: number;
}

/** Nodes in the order they are visited, and the edges between them. */
function collect(start: Node, options: Options): MaybePromise<Picture> {
  const picture: Picture = { nodes: [], edges: [] };
  const numbers = new Map<Node, number>();
  const seen = new Set<Edge>();
  const open: OpenNode[] = [];
  let first = 0;

  const visit = (node: Node, depth: number): number | undefined => {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const number = picture.nodes.length;
    if (number >= options.nodes) return undefined;
    numbers.set(node, number);
    picture.nodes.push({ node, depth });
    open.push({ node, depth, edges: undefined, followed: 0 });
    return number;
  };
  const edgesOf = ({ node, depth }: OpenNode): MaybePromise<readonly Edge[]> =>
    options.depth >= 0 && depth >= options.depth ? [] : hops(node, 'edge', [{ dir: options.onlyOut ? 'out' : 'any' }]);
  const follow = ({ node, depth }: OpenNode, edge: Edge): void => {
    if (seen.has(edge) || !options.admits(edge) || picture.edges.length >= options.edges) return;
    seen.add(edge);
    const here = numbers.get(node)!;
    const isOut = edge.$src === node;
    const far = visit(isOut ? edge.$dst : edge.$src, depth + 1);
    if (far !== undefined) picture.edges.push(isOut ? { from: here, to: far, edge } : { from: far, to: here, edge });
  };
  // The first open node goes on in breadth, the last one in depth.
  const walk = (): MaybePromise<Picture> => {
    for (;;) {
      const at = options.breadthFirst ? open[first] : open.at(-1);
      if (at === undefined) return picture;
      if (at.edges === undefined) {
        const edges = edgesOf(at);
        if (edges instanceof Promise) {
          return edges.then((list) => {
            at.edges = list;
            return walk();
          });
        }
        at.edges = edges;
      }
      const edge = at.edges[at.followed++];
      if (edge !== undefined) follow(at, edge);
      else if (options.breadthFirst) first++;
      else open.pop();
    }
  };
  visit(start, 0);
  return walk();
}

const writers: Readonly<Record<string, (picture: Picture) => string>> = { dot, mermaid, json };

function edgeLabel(edge: Edge): string {
  return edge instanceof GenericEdge ? '' : reprOf(edge);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}

function dot({ nodes, edges }: Picture): string {
  const lines = ['digraph {', 'node [style="filled", shape="ellipse", fillcolor="invis", fontcolor="black"];'];
  for (const { from, to, edge } of edges) lines.push(`${from} -> ${to} [label="${escapeHtml(edgeLabel(edge))}"];`);
  nodes.forEach(({ node, depth }, i) => {
    const colour = colours[Math.min(depth, colours.length - 1)];
    lines.push(`${i} [label="${escapeHtml(reprOf(node))}"fillcolor="${colour}"];`);
  });
  return `${lines.join('\n')}\n}`;
}

function mermaid({ nodes, edges }: Picture): string {
  // Mermaid's own way to write a quotation mark in a quoted text.
  const quoted = (text: string) => `"${text.replaceAll('"', '#quot;')}"`;
  const lines = ['flowchart LR'];
  for (const { from, to, edge } of edges) {
    const label = edgeLabel(edge);
    lines.push(label === '' ? `${from} -->${to}` : `${from} -->|${quoted(label)}| ${to}`);
  }
  for (const [i, { node }] of nodes.entries()) lines.push(`${i}[${quoted(reprOf(node))}]`);
  return lines.join('\n');
}

/** Spaced as `json.dumps` does. */
function json({ nodes, edges }: Picture): string {
  const shown = nodes.map(({ node }, i) => `{"id": ${i}, "label": ${JSON.stringify(reprOf(node))}}`);
  const links = edges.map(({ from, to, edge }) => {
    const label = edgeLabel(edge);
    return `{"from": ${from}, "to": ${to}${label === '' ? '' : `, "label": ${JSON.stringify(label)}`}}`;
  });
  return `{"version": "1.0", "nodes": [${shown.join(', ')}], "edges": [${links.join(', ')}]}`;
}
