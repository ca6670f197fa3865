/** A node type, and the caller whose root it hangs on, for tests of stores whose processes die. */
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import * as $ from '../../core/runtime.ts';

export class Entry extends $.Node {
  declare n: number;
}
$.archetype(Entry, {
  kind: 'node',
  name: 'Entry',
  module: 'crash',
  fields: [{ name: 'n', type: { t: 'int' } }],
  abilities: [],
});

export const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };

/** A new one at the caller's root. */
export function addEntry(n: number): void {
  $.connect($.root(), (Entry as any).$new(n), 'out');
}

/** In order of creation. At once where the store can. */
export function entriesNow(): Entry[] {
  return $.hops($.root(), 'node', [{ dir: 'out', nodeType: Entry }]) as Entry[];
}

export async function entries(): Promise<Entry[]> {
  return await entriesNow();
}
