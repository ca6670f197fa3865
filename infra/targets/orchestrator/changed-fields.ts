import type { LiveObject } from '../../cluster/kinds.ts';
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
  const found: FieldChange[] = [];
  compare(before, after, '', found);
  return found
    .filter(({ path }) => !ownOfCluster.some((pattern) => pattern.test(path)))
    .map((change) => (hidden && /^(binaryD|d)ata\./.test(change.path) ? sized(change) : change));
}

function compare(before: unknown, after: unknown, path: string, found: FieldChange[]): void {
  if (isTable(before) && isTable(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) compare(before[name], after[name], path === '' ? name : `${path}.${name}`, found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let at = 0; at < Math.max(before.length, after.length); at++)
      compare(before[at], after[at], `${path}[${nameOf(after[at] ?? before[at]) ?? at}]`, found);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) found.push({ path, from: textOf(before), to: textOf(after) });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(item: unknown): string | undefined {
  return isTable(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
}

const longest = 200;

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function sized({ path, from, to }: FieldChange): FieldChange {
  const size = (text: string | undefined) => (text === undefined ? undefined : '(hidden)');
  return {
    path,
    from: size(from),
    to: to === undefined ? undefined : from === undefined ? '(hidden)' : '(hidden, another)',
  };
}
