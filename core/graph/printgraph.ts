/** `printgraph`: the graph around a node as text for drawing tools (language.md 5.13). */
import { writeFileSync } from 'node:fs';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { type Edge, GenericEdge, Node } from '../archetypes/classes.ts';
import { currentContext } from '../context.ts';
import { chain } from '../memory/chain.ts';
import { TypeError, ValueError } from '../values/exceptions.ts';
import { reprOf } from '../values/repr.ts';
import { typeName } from '../values/type-name.ts';
import { hops } from './hops.ts';

const colours =
  '#FFE9E9 #F0FFF0 #F5E5FF #FFFFE0 #D2FEFF #E8FFD7 #FFDEAD #FFF0F5 #F5FFFA #FFC0CB #7FFFD4 #C0C0C0 #ADD8E6 #FFFAF0 #f4f3f7 #f5efff #b5d7fd #ffc0cb #FFC0CB #e1d4c0 #FCDFFF #F0FFFF #F0F8FF #F8F8FF #F0FFFF'.split(
    ' ',
  );

interface Picture {
  readonly nodes: { readonly node: Node; readonly depth: number }[];
  readonly edges: { readonly from: number; readonly to: number; readonly edge: Edge }[];
}

/**
 * Text in `dot`, `mermaid` or `json` form; also written to `file` when that is given. `depth` below zero means no limit; `traverse` follows
 * incoming edges too; `edge_type` keeps edges of one type (a class or its name).
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
): MaybePromise<string> {
  const start = nd ?? currentContext().session.root;
  if (!(start instanceof Node)) throw new TypeError(`a node is needed to print a graph, not '${typeName(start)}'`);
  const write = writers[String(format)];
  if (write === undefined) throw new ValueError(`unknown graph format: ${reprOf(format)}`);
  const limits = { depth: Number(depth), edges: Number(edge_limit), nodes: Number(node_limit) };
  const picture = collect(start, {
    ...limits,
    both: traverse === true,
    breadthFirst: bfs !== false,
    admits: admitter(edge_type),
  });
  return chain(picture, (found) => {
    const text = write(found);
    if (typeof file === 'string') writeFileSync(file, text);
    return text;
  });
}

interface Options {
  readonly depth: number;
  readonly edges: number;
  readonly nodes: number;
  readonly both: boolean;
  readonly breadthFirst: boolean;
  readonly admits: (edge: Edge) => boolean;
}

function admitter(type: unknown): (edge: Edge) => boolean {
  if (type === undefined || type === null) return () => true;
  return typeof type === 'string' ? (edge) => edge.$meta.name === type : (edge) => edge.$meta.mroSet.has(type);
}

/** Nodes in the order they are met, and the edges between them. */
function collect(start: Node, options: Options): MaybePromise<Picture> {
  const picture: Picture = { nodes: [], edges: [] };
  const numbers = new Map<Node, number>();
  const seen = new Set<Edge>();
  const pending: { node: Node; depth: number }[] = [];
  const add = (node: Node, depth: number): number | undefined => {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    if (picture.nodes.length >= options.nodes) return undefined;
    numbers.set(node, picture.nodes.length);
    picture.nodes.push({ node, depth });
    pending.push({ node, depth });
    return picture.nodes.length - 1;
  };
  add(start, 0);
  const step = (): MaybePromise<Picture> => {
    for (;;) {
      const next = options.breadthFirst ? pending.shift() : pending.pop();
      if (next === undefined) return picture;
      if (options.depth >= 0 && next.depth >= options.depth) continue;
      const edges = hops(next.node, 'edge', [{ dir: options.both ? 'any' : 'out' }]);
      if (edges instanceof Promise) {
        return edges.then((list) => {
          for (const edge of list) take(next, edge);
          return step();
        });
      }
      for (const edge of edges) take(next, edge);
    }
  };
  const take = ({ node, depth }: { node: Node; depth: number }, edge: Edge) => {
    if (seen.has(edge) || !options.admits(edge) || picture.edges.length >= options.edges) return;
    seen.add(edge);
    const far = edge.$src === node ? edge.$dst : edge.$src;
    const end = add(far, depth + 1);
    const here = numbers.get(node)!;
    if (end === undefined) return;
    picture.edges.push(edge.$src === node ? { from: here, to: end, edge } : { from: end, to: here, edge });
  };
  return step();
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
  const quoted = (text: string) => `"${text.replaceAll('"', "'")}"`;
  const lines = ['flowchart LR'];
  for (const { from, to, edge } of edges) {
    const label = edgeLabel(edge);
    lines.push(label === '' ? `${from} -->${to}` : `${from} -->|${quoted(label)}| ${to}`);
  }
  for (const [i, { node }] of nodes.entries()) lines.push(`${i}[${quoted(reprOf(node))}]`);
  return lines.join('\n');
}

function json({ nodes, edges }: Picture): string {
  const shown = nodes.map(({ node }, i) => ({ id: i, label: reprOf(node) }));
  const links = edges.map(({ from, to, edge }) => {
    const label = edgeLabel(edge);
    return label === '' ? { from, to } : { from, to, label };
  });
  return JSON.stringify({ version: '1.0', nodes: shown, edges: links });
}
