/**
 * Changes of the tables as streams tell them to their function: in order, one batch at a time, again when it failed (docs/server/cloud.md#emulation).
 * They are those of this process, which is the only one.
 */
import { throwOutside } from '../../../base/throw-outside.ts';
import { createCommitFeed } from '../../../core/live/commit-feed.ts';
import type { Log } from '../../../core/log/log.ts';
import type { GraphStore } from '../../../core/memory/store.ts';
import type { LiveTable, TableChanges } from '../../../handlers/table/live-table.ts';
import { keysChanged } from '../../../handlers/table/read-keys.ts';
import type { RowTable, RowWrite } from '../../../handlers/table/rows.ts';
import { newsOf, type TopicNews } from '../../../handlers/table/table-topics.ts';

/** A table whose changes can be followed. */
export interface FollowedRows extends RowTable {
  /** Called with what topics tell, in the order in which it was written. */
  follower: ((news: readonly TopicNews[]) => void) | undefined;
}

export function followRows(table: RowTable): FollowedRows {
  const tell = (writes: readonly RowWrite[]) => {
    const news = writes.flatMap(({ key, put }) => (put === undefined ? [] : (newsOf({ ...put, ...key }) ?? [])));
    if (news.length > 0) followed.follower?.(news);
  };
  const followed: FollowedRows = {
    ...table,
    follower: undefined,
    async transact(writes, token) {
      const refused = await table.transact(writes, token);
      if (refused === undefined) tell(writes);
      return refused;
    },
  };
  return followed;
}

export interface ChangesEmulation {
  readonly live: LiveTable;
  readonly rows: FollowedRows;
  readonly store: GraphStore;
  readonly log: Log;
}

interface Pending {
  keys: Set<string>;
  news: TopicNews[];
  users: Set<string>;
  tokens: Set<string>;
}

const retryMs = 500;
const mostTries = 10;

export function emulateChanges({ live, rows, store, log }: ChangesEmulation) {
  let pending = nothingYet();
  let isBusy = false;

  async function pump(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let batch = take(); batch !== undefined; batch = take()) await serve(batch);
    isBusy = false;
  }

  function take(): Pending | undefined {
    const { keys, news, users, tokens } = pending;
    if (keys.size + news.length + users.size + tokens.size === 0) return undefined;
    const batch = pending;
    pending = nothingYet();
    return batch;
  }

  async function serve(batch: Pending): Promise<void> {
    for (let attempt = 0; attempt < mostTries; attempt++) {
      try {
        return await live.changed(batch);
      } catch (error) {
        log.warn('changes were not told, they are told again', { error });
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  function tell(changes: Partial<TableChanges>): void {
    for (const key of changes.keys ?? []) pending.keys.add(key);
    for (const user of changes.users ?? []) pending.users.add(user);
    for (const token of changes.tokens ?? []) pending.tokens.add(token);
    pending.news.push(...(changes.news ?? []));
    pump().catch(throwOutside);
  }

  rows.follower = (news) => tell({ news });
  createCommitFeed(store.log, false).listen((notices) => {
    if (notices !== undefined) tell({ keys: keysChanged(notices, store) });
  });
  return { tell };
}

function nothingYet(): Pending {
  return { keys: new Set(), news: [], users: new Set(), tokens: new Set() };
}
