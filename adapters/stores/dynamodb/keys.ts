/** Keys of the items (docs/server/stores.md#dynamodb). */
import type { Key } from '../../../core/memory/rows.ts';
import { edgeId, sequenceOf } from '../edge-names.ts';
import type { ItemKey } from './item.ts';

const whole = 'A';

export const nodeKey = (id: Key): ItemKey => ({ pk: `N#${id}`, sk: whole });
export const edgeKey = (id: string): ItemKey => ({ pk: `E#${id}`, sk: whole });
export const userKey = (id: string): ItemKey => ({ pk: `U#${id}`, sk: whole });
export const identityKey = (space: string, value: string): ItemKey => ({ pk: `L#${space}#${value}`, sk: whole });
export const apiKeyKey = (id: string): ItemKey => ({ pk: `K#${id}`, sk: whole });
export const revocationKey = (jti: string): ItemKey => ({ pk: `J#${jti}`, sk: whole });
export const counterKey = (key: string): ItemKey => ({ pk: `C#${key}`, sk: whole });
export const claimKey = (key: string): ItemKey => ({ pk: `Q#${key}`, sk: whole });
export const quarantineKey = (id: string): ItemKey => ({ pk: `X#${id}`, sk: whole });
export const markerKey = (unit: string): ItemKey => ({ pk: `W#${unit}`, sk: whole });

/** The list of roots, and in it the counter that changes with every new one. */
export const rootsList = 'R';
export const rootsCounter: ItemKey = { pk: rootsList, sk: '#' };
export const rootKey = (id: string): ItemKey => ({ pk: rootsList, sk: id });

/** One per version of a declared type (decisions/0055). */
export const typesList = 'T';
/** Units whose intents are not all settled (decisions/0055). */
export const unitsList = 'W';

const endsOf = 'I#';

/** All ends of edges at a node, or those that lead to nodes of one type. */
export function endPrefix(type?: string): string {
  return type === undefined ? endsOf : `${endsOf}${type}#`;
}

export function endKey(node: string, otherType: string, edge: string): ItemKey {
  return { pk: `N#${node}`, sk: `${endPrefix(otherType)}${sequenceOf(edge)}#${edgeId(edge)}` };
}

/** The store's key of an edge from the sort key of one of its ends. */
export function edgeOfEnd(sk: string): string {
  const [seq, id] = sk.split('#').slice(-2);
  return `${seq}${id}`;
}
