/** The embedded store: one SQLite file for the graph and the accounts (docs/server/stores.md#sqlite). */
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { Failure } from '../../../core/errors.ts';
import { createCommitLog } from '../../../core/memory/commit-log.ts';
import type { IdMaker } from '../../../core/memory/rows.ts';
import type { GraphStore, UnitWrite } from '../../../core/memory/store.ts';
import { createLeaseHolder } from '../leases.ts';
import { createNodeIds } from '../node-ids.ts';
import { createAccounts } from './accounts.ts';
import { createAddedRows } from './added-rows.ts';
import { changedReads, checkUnit } from './check-unit.ts';
import { openDisk } from './disk.ts';
import type { SqliteDriver } from './driver.ts';
import { createEdgeIds } from './edge-ids.ts';
import { announce, watchForeign } from './foreign.ts';
import { createGraphReads, readRootsVersion } from './graph-reads.ts';
import { createCommitter, type Job, unavailable } from './group-commit.ts';
import { createKeys } from './keys.ts';
import { leasePlaces, requireFree } from './leases.ts';
import { movedMessage, movedTo } from './moving.ts';
import { openFile } from './open-file.ts';
import { createRowReader } from './read-rows.ts';
import { readMeta, SHARED_ROOT_KEY, SYSTEM_ROOT_KEY } from './schema.ts';
import { openSnapshot } from './snapshot.ts';
import { createSqlCache } from './sql-cache.ts';
import { createStoredTypes } from './stored-types.ts';
import { writeUnit } from './write-unit.ts';
import type { WriterDeps } from './writer-deps.ts';

export interface SqliteOptions {
  /** Absolute path; `:memory:` for none. */
  readonly file: string;
  /** `full`: an answered write survives power loss; `normal`: a killed process. */
  readonly durability: 'full' | 'normal';
  readonly driver?: SqliteDriver['package'];
  /** Several processes of one application use the file: changes of the others are looked for before every turn's first read. */
  readonly shared?: boolean;
  /** Largest size the file may grow to; then it behaves as a full disk does. */
  readonly maxBytes?: number;
  /** Milliseconds one sync of the disk takes; measured when absent. */
  readonly syncMs?: number;
  readonly nowMs?: () => number;
  /**
   * True for a store that is only looked at: nothing is written into the file, nobody is told that it is open. It must
   * be there.
   */
  readonly readOnly?: boolean;
}

export interface SqliteStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
  readonly driver: SqliteDriver['package'];
  /** Resolves with the name of the place to which everything went while this was open. */
  readonly moved: Promise<string>;
}

/** @throws Failure `SERVICE_UNAVAILABLE` (see open-file.ts); UnusableStore when everything has moved to another store */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const nowMs = options.nowMs ?? Date.now;
  const db = openFile({ file: options.file, driver: options.driver, nowMs });
  const isReadOnly = options.readOnly === true;
  if (isReadOnly) db.exec('PRAGMA query_only=ON');
  else {
    const to = db.prepare(movedTo).value() as string | null;
    if (to !== null) {
      db.close();
      const { UnusableStore } = await import('../unusable-store.ts');
      throw new UnusableStore(movedMessage(to));
    }
    announce(db);
  }
  const disk = openDisk(db, isReadOnly ? { file: options.file, durability: 'normal' } : options);
  db.exec('PRAGMA busy_timeout=50');
  if (options.maxBytes !== undefined) db.exec(`PRAGMA max_page_count=${Math.floor(options.maxBytes / 4096)}`);
  const sql = createSqlCache(db);
  const log = createCommitLog();
  const patiently = (work: () => void) => {
    db.exec('PRAGMA busy_timeout=5000');
    try {
      work();
    } finally {
      db.exec('PRAGMA busy_timeout=50');
    }
  };
  const keys = createKeys(sql, patiently);
  const types = createStoredTypes(sql, patiently);
  let gone: string | null = null;
  let tellMoved: (to: string) => void = () => {};
  const moved = new Promise<string>((resolve) => {
    tellMoved = resolve;
  });
  const lookAround = () => {
    types.reload();
    if (!isReadOnly) gone = sql(movedTo).value();
    if (gone !== null) tellMoved(gone);
  };
  const watch = watchForeign(db, lookAround, options.shared === true);
  const foreignChanges = () => {
    const count = watch.lately();
    if (gone !== null) throw new Failure('SERVICE_UNAVAILABLE', movedMessage(gone));
    return count;
  };
  const added = createAddedRows(db);
  const committer = createCommitter({
    db,
    log,
    disk,
    begun: () => keys.begun(watch.now()),
    flush: added.flush,
    undone() {
      added.clear();
      keys.discard();
    },
  });
  const nodeIds = createNodeIds(readMeta(db, 'node_secret')!);
  const nodeId: IdMaker = (key) => nodeIds.uidOf(key as number);
  const rows = createRowReader(sql, types.of, nodeId, nodeIds.keyOf);
  const edgeIds = createEdgeIds(readMeta(db, 'edge_secret')!);
  const rootsVersion = () => readRootsVersion(sql);
  const addRoot = (key: number) => {
    sql('INSERT INTO root (id) VALUES (?)').run(key);
    sql("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'roots_topo'").run();
  };
  const writer: WriterDeps = {
    sql,
    rows,
    added,
    log,
    types: types.all,
    nowMs,
    nextKey: keys.next,
    foreign: watch.known,
    rootsVersion,
    addRoot,
  };
  const leases = createLeaseHolder(leasePlaces(sql, committer.submit), nowMs);
  const jobOf = (unit: UnitWrite): Job => ({
    check() {
      checkUnit(writer, unit);
      if (watch.hasNeighbours()) requireFree(sql, leases, nowMs(), unit);
    },
    run: () => writeUnit(writer, unit),
    applied: unit.applied,
  });
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw unavailable(error);
    }
  };
  const reads = createGraphReads({ sql, rows, types, edgeIds, guard });
  const graph: GraphStore = {
    name: 'sqlite',
    durability: options.durability,
    isSync: true,
    types: types.all,
    log,
    systemRoot: SYSTEM_ROOT_KEY,
    sharedRoot: SHARED_ROOT_KEY,
    intern: (type) => guard(() => types.intern(type)),
    foreignChanges: () => guard(foreignChanges),
    ...reads,
    nodeId,
    reserveNode() {
      const key = guard(keys.next);
      return { key, uid: nodeId(key) };
    },
    edgeUid: (edge, source) => edgeIds.uidOf({ edge: edge as number, source: source as number }),
    commit: (unit) => committer.submit(jobOf(unit)),
    commitNow: (unit) => committer.now(jobOf(unit)),
    // Whoever is alone with the file is in nobody's way.
    lease: async (...wanted) => (watch.hasNeighbours() ? leases.lease(...wanted) : async () => {}),
    flush: () => committer.flush(),
    validate(reads) {
      if (watch.hasNeighbours()) watch.now();
      return guard(() => changedReads(writer, reads));
    },
    snapshot() {
      if (options.file === ':memory:') return undefined;
      const seen = guard(watch.now);
      const held = guard(() => openSnapshot(options.file, db.package));
      const heldSql = createSqlCache(held);
      const heldRows = createRowReader(heldSql, types.of, nodeId, nodeIds.keyOf);
      const then = createGraphReads({ sql: heldSql, rows: heldRows, types, edgeIds, guard });
      const store: GraphStore = { ...graph, log, ...then, foreignChanges: () => seen };
      return { store, end: () => held.close() };
    },
    quarantine(uid, reason, record) {
      const at = new Date(nowMs()).toISOString();
      guard(() =>
        sql('INSERT OR IGNORE INTO quarantine (id, reason, record, at) VALUES (?, ?, ?, ?)').run(
          uid,
          reason,
          record,
          at,
        ),
      );
    },
    async ping() {
      guard(() => sql('SELECT 1 AS v').value());
      guard(watch.now);
      if (gone !== null) throw new Failure('SERVICE_UNAVAILABLE', movedMessage(gone));
    },
    async close() {
      leases.close();
      if (!isReadOnly) {
        await committer.flush();
        mergeLog();
      }
      disk.close();
      db.close();
    },
  };
  /** After a clean end the file stands alone, so that a copy of it is a backup. Another process that reads keeps the log; nothing is lost then. */
  const mergeLog = (): void => {
    if (options.file === ':memory:') return;
    try {
      sql('PRAGMA wal_checkpoint(TRUNCATE)').row();
    } catch {
      // The log stays and is read at the next start.
    }
  };
  return {
    graph,
    accounts: createAccounts({
      sql,
      submit: committer.submit,
      nextKey: keys.next,
      addRoot,
      rootType: types.of(1),
      nowMs,
      guard,
    }),
    driver: db.package,
    moved,
  };
}
