import { expect, test, vi } from 'vitest';
import type { LiveObject } from '../../cluster/kinds.ts';
import { destroy, planDestroy } from './destroy.ts';
import type { Place } from './place.ts';

// Two minutes of waiting are none here.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

const objects: LiveObject[] = (
  [
    ['StatefulSet', 'demo-docdb'],
    ['Service', 'demo-docdb-service'],
    ['Service', 'demo-service'],
    ['Deployment', 'demo'],
    ['Secret', 'demo-secrets'],
    ['ServiceAccount', 'demo'],
  ] as const
).map(([kind, name]) => ({
  ...{ apiVersion: 'v1', kind, spec: {} },
  metadata: { name, uid: name, labels: { app: 'demo', managed: 'svc-scale' } },
}));

/** A cluster in which a pod never ends. */
function clusterWith(removed: string[], sent: any[]): Place {
  const pod = { kind: 'Pod', metadata: { name: 'demo-7d9f-x2', uid: 'p', labels: {} } };
  const client = {
    access: { context: 'here' },
    nowMs: Date.now,
    list: async (kind: string) => (kind === 'Pod' ? [pod] : objects.filter((one) => one.kind === kind)),
    get: async () => undefined,
    async request({ path, body }: any) {
      sent.push(body);
      return path.endsWith('selfsubjectaccessreviews') ? { status: { allowed: true } } : body;
    },
    remove: async (kind: string, _: string, name: string) => void removed.push(`${kind} ${name}`),
  };
  return { client, namespace: 'default', app: 'demo', signal: new AbortController().signal } as unknown as Place;
}

const silent = {
  begin: () => {},
  detail: () => {},
  note: () => {},
  step: async (_: string, work: any) => await work(),
};

test('the application goes before its databases, and what is there after two minutes is named', async () => {
  const [removed, sent]: [string[], any[]] = [[], []];
  const place = clusterWith(removed, sent);
  const plan = await planDestroy(place, { component: 'all', purgeData: true });
  expect(plan.deleted).toEqual([
    ...['Service demo-service', 'Deployment demo', 'Secret demo-secrets', 'ServiceAccount demo'],
    ...['Service demo-docdb-service', 'StatefulSet demo-docdb'],
  ]);
  await expect(destroy(place, plan, 'ada@laptop', silent)).rejects.toMatchObject({
    kind: 'failed',
    message: '1 objects are still there after 120 s',
    output: ['Pod demo-7d9f-x2'],
  });
  expect(removed.slice(0, 6)).toEqual(plan.deleted);
  const [lease] = sent.filter((body) => body?.kind === 'Lease');
  expect(lease.metadata.labels).toEqual({
    ...{ app: 'demo', managed: 'svc-scale' },
    ...{ 'app.kubernetes.io/name': 'demo', 'app.kubernetes.io/managed-by': 'svc-scale' },
  });
});
