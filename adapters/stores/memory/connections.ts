/** Connections that end with the process: the emulated gateway, tests. */
import {
  type ConnectionRecord,
  type ConnectionStore,
  connectionLifeSeconds,
  sequenceLockMs,
} from '../../../handlers/socket/connection-store.ts';

export function openMemoryConnections(nowMs: () => number = Date.now): ConnectionStore {
  const records = new Map<string, ConnectionRecord>();
  const locks = new Map<string, { readonly holder: string; readonly until: number }>();
  const isOver = ({ connectedAt }: ConnectionRecord) => connectedAt + connectionLifeSeconds * 1000 <= nowMs();
  const find = (cid: string) => {
    const record = records.get(cid);
    return record === undefined || isOver(record) ? undefined : record;
  };
  const change = (cid: string, part: Partial<ConnectionRecord>) => {
    const record = find(cid);
    if (record !== undefined) records.set(cid, { ...record, ...part });
    return record !== undefined;
  };
  async function* pages(fits: (record: ConnectionRecord) => boolean): AsyncIterable<readonly ConnectionRecord[]> {
    yield [...records.values()].filter(fits);
  }
  return {
    async add(record) {
      records.set(record.cid, record);
    },
    find: async (cid) => find(cid),
    signIn: async (cid, who) => change(cid, { ...who, authenticated: true }),
    async remove(cid) {
      locks.delete(cid);
      return records.delete(cid);
    },
    ofTarget: (target) => pages((record) => record.target === target && !isOver(record)),
    ofUser: (userId) => pages((record) => record.userId === userId && !isOver(record)),
    all: () => pages(() => true),
    async lock(cid, holder) {
      const held = locks.get(cid);
      if (find(cid) === undefined) return undefined;
      if (held !== undefined && held.holder !== holder && held.until > nowMs()) return undefined;
      locks.set(cid, { holder, until: nowMs() + sequenceLockMs });
      return find(cid);
    },
    async unlock(cid, holder, used) {
      if (locks.get(cid)?.holder !== holder) return;
      locks.delete(cid);
      if (used !== undefined) change(cid, used);
    },
    close: async () => records.clear(),
  };
}
