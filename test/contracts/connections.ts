/** Contract of `ConnectionStore`, for every implementation (docs/server/cloud.md#sockets). */
import { describe, expect, test } from 'vitest';
import {
  type ConnectionRecord,
  type ConnectionStore,
  connectionLifeSeconds,
  sequenceLockMs,
} from '../../handlers/socket/connection-store.ts';

const start = 1_790_000_000_000;
const rate = { tokens: 2.5, at: start };

function connection(cid: string, part: Partial<ConnectionRecord> = {}): ConnectionRecord {
  const plain = { userId: null, sv: null, exp: null, jti: null, authenticated: false, subprotocol: null, rate };
  return { cid, target: 'walker Chat', connectedAt: start, lastSeen: start, ...plain, ...part };
}

export function describeConnections(name: string, open: (nowMs: () => number) => Promise<ConnectionStore>): void {
  const it = (what: string, body: (store: ConnectionStore, pass: (ms: number) => void) => Promise<void>) =>
    test(what, async () => {
      let now = start;
      const store = await open(() => now);
      try {
        await body(store, (ms) => {
          now += ms;
        });
      } finally {
        await store.close();
      }
    });
  const ids = async (pages: AsyncIterable<readonly ConnectionRecord[]>) => {
    const found: string[] = [];
    for await (const page of pages) found.push(...page.map(({ cid }) => cid));
    return found.sort();
  };

  describe(`connections: ${name}`, () => {
    it('a connection is found with everything known of it, until it is removed', async (store) => {
      const full = connection('a', {
        userId: 'u',
        sv: 3,
        exp: 1_800_000_000,
        jti: 't',
        authenticated: true,
        subprotocol: 'svc',
      });
      await store.add(full);
      await store.add(connection('b'));
      expect(await store.find('a')).toEqual(full);
      expect(await store.find('b')).toEqual(connection('b'));
      expect(await store.find('c')).toBe(undefined);
      expect([await store.remove('a'), await store.remove('a')]).toEqual([true, false]);
      expect(await store.find('a')).toBe(undefined);
    });

    it('connections are listed by target and by user', async (store) => {
      await store.add(connection('a', { userId: 'ann' }));
      await store.add(connection('b', { userId: 'bob' }));
      await store.add(connection('c', { userId: 'ann', target: 'walker News' }));
      await store.add(connection('d'));
      expect(await ids(store.ofTarget('walker Chat'))).toEqual(['a', 'b', 'd']);
      expect(await ids(store.ofTarget('walker News'))).toEqual(['c']);
      expect(await ids(store.ofTarget('walker None'))).toEqual([]);
      expect(await ids(store.ofUser('ann'))).toEqual(['a', 'c']);
    });

    it('signing in changes a connection that is there, and make none', async (store) => {
      await store.add(connection('a'));
      expect(await store.signIn('a', { userId: 'ann', sv: 1, exp: 5, jti: 't' })).toBe(true);
      const signedIn = { userId: 'ann', sv: 1, exp: 5, jti: 't', authenticated: true };
      expect(await store.find('a')).toEqual(connection('a', signedIn));
      expect(await ids(store.ofUser('ann'))).toEqual(['a']);
      expect(await store.signIn('x', { userId: 'ann', sv: 1, exp: 5, jti: 't' })).toBe(false);
      expect(await store.find('x')).toBe(undefined);
    });

    it('what has outlived its time is gone for everybody but the sweeper', async (store, pass) => {
      await store.add(connection('a', { userId: 'ann' }));
      pass(connectionLifeSeconds * 1000 - 1000);
      expect(await ids(store.ofTarget('walker Chat'))).toEqual(['a']);
      pass(2000);
      expect(await store.find('a')).toBe(undefined);
      expect(await ids(store.ofTarget('walker Chat'))).toEqual([]);
      expect(await ids(store.ofUser('ann'))).toEqual([]);
      expect(await ids(store.all())).toEqual(['a']);
      expect(await store.remove('a')).toBe(true);
      expect(await ids(store.all())).toEqual([]);
    });

    it('one message of a connection runs at a time, and a lock that is forgotten ends', async (store, pass) => {
      await store.add(connection('a'));
      const all = await Promise.all(['1', '2', '3', '4'].map((holder) => store.lock('a', holder)));
      expect(all.filter((has) => has !== undefined)).toEqual([connection('a')]);
      const holder = String(all.findIndex((has) => has !== undefined) + 1);
      expect(await store.lock('a', holder)).toEqual(connection('a'));
      await store.unlock('a', 'somebody else', { rate: { tokens: 9, at: 9 }, lastSeen: 9 });
      expect(await store.lock('a', 'next')).toBe(undefined);
      const used = { rate: { tokens: 1.25, at: start + 7 }, lastSeen: start + 7 };
      await store.unlock('a', holder, used);
      expect(await store.lock('a', 'next')).toEqual(connection('a', used));
      pass(sequenceLockMs - 1);
      expect(await store.lock('a', 'last')).toBe(undefined);
      pass(1);
      expect(await store.lock('a', 'last')).toEqual(connection('a', used));
      expect(await store.lock('nobody', 'x')).toBe(undefined);
    });

    it('more connections than fit a page are all listed', async (store) => {
      const padded = 'p'.repeat(20_000);
      await Promise.all(Array.from({ length: 120 }, (_, i) => store.add(connection(`c${i}`, { subprotocol: padded }))));
      expect(await ids(store.ofTarget('walker Chat'))).toHaveLength(120);
      expect(await ids(store.all())).toHaveLength(120);
    });
  });
}
