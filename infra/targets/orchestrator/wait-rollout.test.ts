/** The wait for a rollout by a clock that the cluster of the test sets: one look at each of the times given. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Place } from './place.ts';
import { waitForDatabase, waitForDeployment } from './wait-rollout.ts';

// A turn of the event loop, so that a wait that never ends is stopped by the time limit of its test.
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }));

afterEach(() => {
  vi.restoreAllMocks();
});

/** The findings of a look: words of the scheduler on the pod, the reason for which its container waits, a quota that is used up, or nothing wrong. */
interface Found {
  /** Time of the look, in seconds since the wait began. */
  readonly at: number;
  readonly noNode?: string;
  readonly waiting?: string;
  readonly quota?: true;
  readonly ready?: true;
}

/** A cluster in which each look finds the next of these things, and the last one from then on, a second later each time. */
function clusterWith(found: readonly Found[]): Place {
  const looks = [...found];
  let look = looks[0]!;
  let seconds = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => 5_000_000 + seconds * 1000);
  const next = () => {
    const { at } = look;
    look = looks.shift() ?? { ...look, at: at + 1 };
    seconds = look.at;
  };
  const deployment = () => ({
    metadata: { uid: 'd', generation: 1, annotations: { 'deployment.kubernetes.io/revision': '1' } },
    spec: { replicas: 1 },
    status: {
      ...{ observedGeneration: 1, replicas: 1, updatedReplicas: 1 },
      ...{ availableReplicas: look.ready ? 1 : 0, readyReplicas: look.ready ? 1 : 0 },
    },
  });
  const set = () => ({
    metadata: { ...deployment().metadata, namespace: 'default', uid: 's', ownerReferences: [{ uid: 'd' }] },
    status: {
      conditions: look.quota
        ? [{ type: 'ReplicaFailure', status: 'True', message: 'pods "demo-1" is forbidden: exceeded quota: none' }]
        : [],
    },
  });
  const pod = () => ({
    metadata: { name: 'demo-1', ownerReferences: [{ uid: 's' }] },
    status: {
      conditions:
        look.noNode === undefined
          ? []
          : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: look.noNode }],
      containerStatuses: look.waiting === undefined ? [] : [{ state: { waiting: { reason: look.waiting } } }],
    },
  });
  const client = {
    get: async () => (next(), deployment()),
    list: async (kind: string) => [kind === 'Pod' ? pod() : set()],
  };
  return { client, namespace: 'default', app: 'demo', signal: new AbortController().signal } as unknown as Place;
}

const end = async (timeoutSeconds: number, found: readonly Found[]): Promise<readonly [string, string]> =>
  await waitForDeployment(clusterWith(found), { timeoutMs: timeoutSeconds * 1000, detail: () => {}, hints: [] }).then(
    () => ['ready', ''] as const,
    ({ kind, message }) => [kind, message] as const,
  );
const noNode = '0/1 nodes are available: 1 Insufficient cpu.';

test('pods that find no node are given two minutes, from the look that first saw it', async () => {
  const late = [
    { at: 0, noNode },
    { at: 119.9, noNode },
  ];
  expect(await end(600, [...late, { at: 119.9, ready: true }])).toEqual(['ready', '']);
  expect(await end(600, [...late, { at: 120, noNode }, { at: 121, ready: true }])).toEqual([
    'failed',
    `pod demo-1 finds no node: ${noNode}`,
  ]);
  // The scheduler counts the nodes anew as they come.
  expect(await end(600, [...late, { at: 120, noNode: '0/3 nodes are available: 3 Insufficient cpu.' }])).toEqual([
    'failed',
    'pod demo-1 finds no node: 0/3 nodes are available: 3 Insufficient cpu.',
  ]);
  const databases = (found: readonly Found[]) => waitForDatabase(clusterWith(found), 'docdb', () => {});
  await databases([...late, { at: 119.9, ready: true }]);
  await expect(databases([...late, { at: 120, noNode }])).rejects.toThrow(`pod demo-1 finds no node: ${noNode}`);
});

test('the time that a trouble is given begins anew when it comes again', async () => {
  const again = [{ at: 0, quota: true }, { at: 1 }, { at: 100, quota: true }, { at: 104.9, quota: true }] as const;
  expect(await end(600, [...again, { at: 105, ready: true }])).toEqual(['ready', '']);
  expect(await end(600, [...again, { at: 105, quota: true }, { at: 106, ready: true }])).toEqual([
    'failed',
    'the quota of namespace default is used up: none',
  ]);
});

test('what happens first is the same however late a look comes', async () => {
  const tooLate = expect.stringMatching(/^demo did not become ready in 100 s/);
  for (const at of [100, 120, 500]) {
    expect(
      await end(100, [
        { at: 0, noNode },
        { at, noNode },
      ]),
    ).toEqual(['late', tooLate]);
    // A reason that is certain at once is said, and a rollout that is ready is ready.
    expect(await end(100, [{ at: 0 }, { at, waiting: 'InvalidImageName' }])).toEqual([
      'failed',
      expect.stringContaining('cannot pull image'),
    ]);
    expect(await end(100, [{ at: 0 }, { at, ready: true }])).toEqual(['ready', '']);
  }
  for (const at of [120, 150, 500])
    expect(
      (
        await end(150, [
          { at: 0, noNode },
          { at, noNode },
        ])
      )[0],
    ).toBe('failed');
});

test('setting the clock of this machine changes nothing', async () => {
  let clock = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => (clock += 3_600_000));
  expect(
    await end(100, [
      { at: 0, noNode },
      { at: 10, noNode },
      { at: 20, ready: true },
    ]),
  ).toEqual(['ready', '']);
});
