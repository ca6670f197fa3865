/** Gives the stored type of root nodes: every store makes the two built-in ones when it is new. */
import '../../library/classes/archetype.ts';
import { requireMeta } from '../../library/classes/meta.ts';
import { Root } from '../graph/objects.ts';
import { fingerprintOf } from '../stored/fingerprint.ts';
import type { StoredType } from './rows.ts';

export function rootShape(): Omit<StoredType, 'id'> {
  return { kind: 'node', module: '', name: 'Root', schema: fingerprintOf(requireMeta(Root)) };
}
