import type { LiveObject } from '../../cluster/kinds.ts';
import { differences } from '../differences.ts';
import type { FieldChange } from '../target.ts';

/** Members that the cluster writes, which say nothing of what is wanted. */
const ownOfCluster = [
  /^status(\.|$)/,
  /^metadata\.(managedFields|resourceVersion|generation|creationTimestamp|uid|selfLink)(\.|\[|$)/,
  /^metadata\.annotations\.deployment\.kubernetes\.io/,
];

/** Fields in which two states of an object differ. Of secrets and bundles only sizes are shown. */
export function changedFields(before: LiveObject, after: LiveObject): FieldChange[] {
  const hidden = before.kind === 'Secret' || before.kind === 'ConfigMap';
  return differences(before, after)
    .filter(({ path }) => !ownOfCluster.some((pattern) => pattern.test(path)))
    .map((change) => (hidden && /^(binaryD|d)ata\./.test(change.path) ? sized(change) : change));
}

function sized({ path, from, to }: FieldChange): FieldChange {
  const size = (text: string | undefined) => (text === undefined ? undefined : '(hidden)');
  return {
    path,
    from: size(from),
    to: to === undefined ? undefined : from === undefined ? '(hidden)' : '(hidden, another)',
  };
}
