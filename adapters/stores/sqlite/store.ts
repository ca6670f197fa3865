/** The embedded store: one SQLite file for the graph and the accounts (server.md 15.6). */
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { createCommitLog } from '../../../core/memory/commit-log.ts';
import { EdgeRow, type IdMaker, type StoredType } from '../../../core/memory/rows.ts';
import { type GraphStore, RECORD, REVERSED, UNDIRECTED, type UnitWrite } from '../../../core/memory/store.ts';
import { createAccounts } from './accounts.ts';
import { changedReads, checkUnit } from './check-unit.ts';
import { openDisk } from './disk.ts';
import type { SqliteDriver } from './driver.ts';
import { createEdgeIds, type EdgePlace } from './edge-ids.ts';
import { findLink, type LinkPlace } from './find-link.ts';
import { announce, watchForeign } from './foreign.ts';
import { createCommitter, type Job, unavailable } from './group-commit.ts';
import { createKeys } from './keys.ts';
import { createNodeIds } from './node-ids.ts';
import { openFile } from './open-file.ts';
import { readLinks } from './read-links.ts';
import { createRowReader } from './read-rows.ts';
import { readMeta, SHARED_ROOT_KEY, SYSTEM_ROOT_KEY } from './schema.ts';
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
}

export interface SqliteStore {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
  readonly driver: SqliteDriver['package'];
}

/** @throws Failure `SERVICE_UNAVAILABLE` (see open-file.ts) */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const nowMs = options.nowMs ?? Date.now;
  const db = openFile({ file: options.file, driver: options.driver, nowMs });
  announce(db);
  const disk = openDisk(db, options);
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
  const watch = watchForeign(db, types.reload, options.shared === true);
  const committer = createCommitter({ db, log, disk, begun: () => keys.begun(watch.now()), undone: keys.discard });
  const nodeIds = createNodeIds(readMeta(db, 'node_secret')!);
  const nodeId: IdMaker = (key) => nodeIds.uidOf(key as number);
  const rows = createRowReader(sql, types.of, nodeId, nodeIds.keyOf);
  const edgeIds = createEdgeIds(readMeta(db, 'edge_secret')!);
  const rootsVersion = () => Number(sql("SELECT value AS v FROM meta WHERE key = 'roots_topo'").value());
  const addRoot = (key: number) => {
    sql('INSERT INTO root (id) VALUES (?)').run(key);
    sql("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'roots_topo'").run();
  };
  const writer: WriterDeps = {
    sql,
    rows,
    log,
    types: types.all,
    nowMs,
    nextKey: keys.next,
    foreign: watch.known,
    rootsVersion,
    addRoot,
  };
  const jobOf = (unit: UnitWrite): Job => ({
    check: () => checkUnit(writer, unit),
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
  const graph: GraphStore = {
    name: 'sqlite',
    durability: options.durability,
    isSync: true,
    types: types.all,
    log,
    systemRoot: SYSTEM_ROOT_KEY,
    sharedRoot: SHARED_ROOT_KEY,
    intern: (type) => guard(() => types.intern(type)),
    foreignChanges: () => guard(watch.lately),
    nodes: (wanted) => guard(() => rows.nodes(wanted as readonly number[])),
    nodesByUid: (uids) => guard(() => rows.nodesByUid(uids)),
    edges: (wanted) => guard(() => rows.edges(wanted as readonly number[])),
    edgeByUid: (uid) => guard(() => rows.edgeByUid(uid) ?? edgeByPlace(uid)),
    nodeId,
    reserveNode() {
      const key = guard(keys.next);
      return { key, uid: nodeId(key) };
    },
    edgeUid: (edge, source) => edgeIds.uidOf({ edge: edge as number, source: source as number }),
    neighbours: (query) => guard(() => readLinks(sql, query, types.all)),
    roots: () =>
      guard(() => ({
        keys: numbersOf(sql("SELECT '[' || group_concat(id) || ']' AS v FROM root").value()),
        version: rootsVersion(),
      })),
    ownedBy: (root) =>
      guard(() =>
        numbersOf(
          sql("SELECT '[' || group_concat(id) || ']' AS v FROM node WHERE owner = ?1 AND id <> ?1").value(
            root as number,
          ),
        ),
      ),
    commit: (unit) => committer.submit(jobOf(unit)),
    commitNow: (unit) => committer.now(jobOf(unit)),
    flush: () => committer.flush(),
    validate(reads) {
      if (watch.hasNeighbours()) watch.now();
      return guard(() => changedReads(writer, reads));
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
    },
    async close() {
      await committer.flush();
      mergeLog();
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
  /** An edge by an id that was worked out, with or without a record. */
  const edgeByPlace = (uid: string): EdgeRow | undefined => {
    const place = edgeIds.placeOf(uid);
    const link = place === undefined ? undefined : findLink(sql, types.all, 'adj', place.source, place.edge);
    if (place === undefined || link === undefined || (link.x & REVERSED) !== 0) return undefined;
    return (link.x & RECORD) !== 0 ? rows.edges([place.edge])[0] : plainEdge(place, link, types.of(link.etype));
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
  };
}

function plainEdge(place: EdgePlace, link: LinkPlace, type: StoredType): EdgeRow {
  return new EdgeRow({
    key: place.edge,
    uid: '',
    type,
    source: place.source,
    target: link.far,
    undirected: (link.x & UNDIRECTED) !== 0,
    owner: undefined,
    rev: 0,
    access: '',
    data: '',
    attic: '',
    hasRecord: false,
  });
}

/** A list of numbers from one query. */
function numbersOf(text: unknown): number[] {
  return text === null ? [] : (JSON.parse(text as string) as number[]);
}
