import type { Revision } from './target.ts';

/** `node main.Task has other fields`: what the code of the target sees in data that the present code wrote. */
export function schemaChanges(from: Revision['schema'], to: Revision['schema']): string[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted().flatMap((name) => {
    if (from[name] === to[name]) return [];
    if (to[name] === undefined) return [`${name} is not known there; what is stored of it stays, unread`];
    return from[name] === undefined ? [`${name} is known there only`] : [`${name} has other fields there`];
  });
}
