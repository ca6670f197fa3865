/** Edge references as texts for people. */
import { metaOf } from '../../library/classes/meta.ts';
import type { Hop } from '../graph/hop.ts';

/** Edges in the spelling of the language: `->:Own:->`, `-->`, `<--`. */
export function edgesText(path: readonly Hop[]): string {
  return path.map(hopText).join(' ');
}

/** Filters of the last hop, as far as they have a text: class of the far end and conditions that a store understands. */
export function filterText(path: readonly Hop[]): string | undefined {
  const { nodeType, nodeWhere, where, edgeWhere, limit } = path.at(-1) ?? { dir: 'out' };
  const conditions = (where ?? []).map(({ field, op, value }) => `${field} ${op} ${JSON.stringify(value)}`);
  const parts = [
    ...(nodeType === undefined ? [] : [`?:${nameOf(nodeType)}`]),
    ...(conditions.length > 0 ? conditions : nodeWhere === undefined ? [] : ['condition']),
    ...(edgeWhere === undefined ? [] : ['condition on the edge']),
    ...(limit === undefined || !Number.isFinite(limit) ? [] : [`first ${limit}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function hopText({ dir, type }: Hop): string {
  if (type === undefined) return dir === 'out' ? '-->' : dir === 'in' ? '<--' : '<-->';
  const name = nameOf(type);
  return dir === 'out' ? `->:${name}:->` : dir === 'in' ? `<-:${name}:<-` : `<-:${name}:->`;
}

function nameOf(type: unknown): string {
  if (Array.isArray(type)) return type.map(nameOf).join(' | ');
  return metaOf(type)?.name ?? (type as { name?: string }).name ?? 'class';
}
