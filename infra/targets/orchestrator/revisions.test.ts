import { expect, test } from 'vitest';
import type { Place } from './place.ts';
import { bundlesOf, nextNumber, readRevisions, type StoredRevision, writeRevision } from './revisions.ts';

/** A namespace that keeps what is applied to it last. */
function namespaceOfOne(): Place {
  let kept: any;
  const client = {
    get: async () => kept,
    request: async ({ body }: any) => (kept = body),
  };
  return { client, namespace: 'default', app: 'demo' } as unknown as Place;
}

const revision = (number: number): StoredRevision => ({
  ...{
    number,
    time: '2026-01-01T00:00:00.000Z',
    who: 'ada@laptop',
    version: '1.0.0',
    sourceDigest: `source-${number}`,
  },
  ...{ planDigest: `plan-${number}`, schema: {}, fields: {}, objects: [], bundle: [`demo-bundle-${number}-1`] },
});

test('the last ten revisions are remembered, newest first, and the bundles that they need', async () => {
  const place = namespaceOfOne();
  for (let count = 0; count < 12; count++) {
    const before = await readRevisions(place);
    await writeRevision(place, before, revision(nextNumber(before)));
  }
  const kept = await readRevisions(place);
  expect(kept.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(bundlesOf(kept)).toEqual(new Set(kept.map(({ number }) => `demo-bundle-${number}-1`)));
  expect(kept[0]).toEqual(revision(12));
});
