/** Reading nodes with a cache in front (server.md 15.1): a copy is used when it has the version the database has just told. */
import { type Key, NodeRow, type RowVersions } from '../../../core/memory/rows.ts';
import type { UnitWrite } from '../../../core/memory/store.ts';
import type { Payload, PayloadCache } from '../payload-cache.ts';
import type { StoredTypes } from '../stored-types.ts';

export interface CachedNodes {
  read(keys: readonly Key[], versions: RowVersions): Promise<(NodeRow | undefined)[]>;
  /** After a commit others can see: what it wrote is kept in its new version. */
  refresh(unit: UnitWrite): void;
}

export interface CachedNodesDeps {
  readonly cache: PayloadCache;
  /** Names the database. */
  readonly home: string;
  readonly types: StoredTypes;
  /** Reads nodes from the database itself. */
  readonly load: (keys: readonly Key[]) => Promise<(NodeRow | undefined)[]>;
  readonly onAsked: (isHit: boolean) => void;
}

export function createCachedNodes({ cache, home, types, load, onAsked }: CachedNodesDeps): CachedNodes {
  const rowOf = (copy: Payload | undefined, versions: RowVersions): NodeRow | undefined => {
    if (copy === undefined || copy.home !== home) return undefined;
    const version = versions.get(copy.id);
    if (version === undefined || version.rev !== copy.rev) return undefined;
    const { id, module, type: name, schema, owner, rev, access, data, attic } = copy;
    const type = types.know({ kind: 'node', module, name, schema });
    return new NodeRow(id, id, type, owner, rev, version.topo, access, data, attic);
  };
  return {
    async read(keys, versions) {
      const copies = await cache.get(keys.map(String));
      const rows = copies.map((copy) => rowOf(copy, versions));
      for (const row of rows) onAsked(row !== undefined);
      const missing = keys.filter((_, i) => rows[i] === undefined);
      if (missing.length === 0) return rows;
      const loaded = await load(missing);
      cache.put(loaded.flatMap((row) => (row === undefined ? [] : [payloadOf(row, home)])));
      let next = 0;
      return rows.map((row) => row ?? loaded[next++]);
    },
    refresh({ newNodes, nodeChanges, removedNodes }) {
      const made = newNodes.map(({ key, type, owner, access, data }) =>
        payloadOf({ key, type, owner: owner ?? key, rev: 1, access, data, attic: '' }, home),
      );
      const changed = nodeChanges.map(({ row, type, access, data, attic, merged }) =>
        payloadOf(merged ?? { key: row.key, owner: row.owner, rev: row.rev + 1, type, access, data, attic }, home),
      );
      cache.put([...made, ...changed]);
      cache.drop(removedNodes.map(({ row }) => String(row.key)));
    },
  };
}

type Parts = Pick<NodeRow, 'key' | 'type' | 'owner' | 'rev' | 'access' | 'data' | 'attic'>;

function payloadOf({ key, type, owner, rev, access, data, attic }: Parts, home: string): Payload {
  const { module, name, schema } = type;
  return { id: String(key), home, rev, module, type: name, schema, owner: String(owner), access, data, attic };
}
