/** What root nodes are stored as: every store makes the two built-in ones when it is new. */
import '../archetypes/archetype.ts';
import { fingerprintOf } from '../archetypes/fingerprint.ts';
import { requireMeta } from '../archetypes/meta.ts';
import { Root } from '../graph/objects.ts';
import type { StoredType } from './rows.ts';

export function rootShape(): Omit<StoredType, 'id'> {
  return { kind: 'node', module: '', name: 'Root', schema: fingerprintOf(requireMeta(Root)) };
}
