/** Names of what live runs read and commits change, the same in all processes of an application (docs/server/cloud.md#live). */
import type { LiveReads } from '../../core/live/live-reads.ts';
import type { Notice } from '../../core/live/notice.ts';
import type { Key, StoredType } from '../../core/memory/rows.ts';
import { ANY_VERSION, GONE, type GraphStore } from '../../core/memory/store.ts';

export const recordOf = (key: Key) => `n:${key}`;
export const linksOf = (key: Key) => `l:${key}`;
/** The end of a node that a run only met. */
export const endOf = (key: Key) => `g:${key}`;
export const edgeOf = (uid: string) => `e:${uid}`;
export const typeOf = ({ module, name }: Pick<StoredType, 'module' | 'name'>) => `t:${module}.${name}`;
export const rootsName = 'roots';
/** Anything: a run that asked for an object that there is not. */
export const anythingName = 'any';

type Naming = Pick<GraphStore, 'name' | 'types' | 'edgeUid'>;

/** Items of edges are known by the id alone. */
function edgeKeyOf(key: Key, store: Naming): string {
  return edgeOf(store.name === 'dynamodb' ? store.edgeUid(key, key) : String(key));
}

export function keysRead(reads: LiveReads, store: Naming): readonly string[] {
  const keys = new Set<string>();
  for (const [key, rev] of reads.nodes) keys.add(rev === ANY_VERSION ? endOf(key) : recordOf(key));
  // Edges that were only met belong to lists that were read.
  for (const [key, rev] of reads.edges) if (rev !== ANY_VERSION) keys.add(edgeKeyOf(key, store));
  for (const key of reads.listed.keys()) keys.add(linksOf(key));
  for (const id of reads.types) keys.add(typeOf(store.types.get(id)!));
  if (reads.roots !== undefined) keys.add(rootsName);
  if (reads.missed) keys.add(anythingName);
  for (const name of reads.kept) keys.add(`k:${name}`);
  return [...keys];
}

/** The same of commits of this process. */
export function keysChanged(notices: readonly Notice[], store: Naming): Set<string> {
  const keys = new Set<string>();
  for (const { revs, edgeRevs, topos, hasRoots, touched, kept } of notices) {
    for (const { key, version } of revs) {
      keys.add(recordOf(key));
      if (version === GONE) keys.add(endOf(key)).add(linksOf(key));
    }
    for (const { key } of edgeRevs) keys.add(edgeKeyOf(key, store));
    for (const { key } of topos) keys.add(linksOf(key));
    const types = touched.includes(-1) ? [...store.types.values()] : touched.map((id) => store.types.get(id)!);
    for (const type of types) keys.add(typeOf(type));
    if (hasRoots) keys.add(rootsName);
    if (touched.length > 0) keys.add(anythingName);
    for (const name of kept) keys.add(`k:${name}`);
  }
  return keys;
}
