import type { Graph, Place, StackFrame, Stop } from '../protocol.ts';

/** Says what stopped the program, and where. */
export function stopText({ reason, breakpoints, text }: Stop, frame: StackFrame | undefined): string {
  const where = frame === undefined ? 'outside of every function' : `at ${placeText(frame.place)} in ${frame.name}`;
  const numbers = breakpoints.join(', ');
  switch (reason) {
    case 'breakpoint':
      return `breakpoint ${numbers} ${where}`;
    case 'function breakpoint':
      return `breakpoint ${numbers}: enters ${text}, ${where}`;
    case 'data breakpoint':
      return `breakpoint ${numbers}: writes ${text}, ${where}`;
    case 'exception':
      return `exception ${text} ${where}`;
    case 'pause':
      return `paused ${where}`;
    default:
      return `stopped ${where}`;
  }
}

export function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Lines of a source around a place, with a mark at it. */
export function sourceText(source: string | undefined, line: number, around: number): string {
  const lines = source?.split(/\r\n|\n|\r/) ?? [];
  const [first, last] = [Math.max(1, line - around), Math.min(lines.length, line + around)];
  const width = String(last).length;
  let text = '';
  for (let at = first; at <= last; at++)
    text += `${at === line ? '>' : ' '} ${String(at).padStart(width)} | ${lines[at - 1]}\n`;
  return text;
}

/** The walk and the graph as text. */
export function graphText({ nodes, edges, here, walk, isCut }: Graph, address: string | undefined): string {
  const out: string[] = [];
  if (walk !== null) {
    out.push(`here     ${walk.here}`, `queue    ${listText(walk.queue, walk.queued)}`);
    out.push(`visited  ${listText(walk.visited.slice(-shownPlaces), walk.seen)}`);
  }
  const bySource = grouped(edges);
  for (const node of nodes) {
    out.push(`${node.id === here ? '*' : ' '} [${node.id}] ${node.label}`);
    for (const { to, label } of bySource.get(node.id) ?? [])
      out.push(`      ${label === '' ? '-->' : `-[${label}]->`} [${to}] ${nodes[to]?.label ?? ''}`);
  }
  if (isCut) out.push('  … there is more');
  if (address !== undefined) out.push(`graph view: ${address}`);
  return `${out.join('\n')}\n`;
}

function grouped(edges: Graph['edges']): Map<number, Graph['edges'][number][]> {
  const found = new Map<number, Graph['edges'][number][]>();
  for (const edge of edges) {
    const known = found.get(edge.from);
    if (known === undefined) found.set(edge.from, [edge]);
    else known.push(edge);
  }
  return found;
}

const shownPlaces = 10;

function listText(texts: readonly string[], count: number): string {
  if (count === 0) return '(empty)';
  const shown = texts.slice(0, shownPlaces).join(', ');
  return count > shownPlaces ? `${shown} (of ${count})` : shown;
}
