/** The place on the disk for the ids of an archive's nodes (core/archive/known-nodes.ts). */
import type { KnownNodes } from '../../../core/archive/known-nodes.ts';
import { openScratch } from './scratch.ts';

// A key is what the store has: a number or a text. A column without a type takes it as it is.
const tables = `
CREATE TABLE node (id TEXT PRIMARY KEY, root INTEGER, owned INTEGER NOT NULL DEFAULT 0, key, type INTEGER) WITHOUT ROWID;
CREATE INDEX lone ON node (id) WHERE root AND NOT owned;
`;

/** `file`: absolute, and there is none. */
export function openKnownNodes(file: string): KnownNodes {
  const { sql, close } = openScratch(file, tables);
  return {
    add: (id, isRoot) => void sql('INSERT OR IGNORE INTO node (id, root) VALUES (?, ?)').run(id, isRoot ? 1 : 0),
    has: (id) => sql('SELECT 1 AS v FROM node WHERE id = ?').value(id) !== null,
    isRoot: (id) => sql('SELECT 1 AS v FROM node WHERE id = ? AND root').value(id) !== null,
    own: (root) => void sql('UPDATE node SET owned = 1 WHERE id = ?').run(root),
    loneRoot(apart) {
      const others = sql('SELECT id FROM node WHERE root AND NOT owned LIMIT ?').rows(apart.length + 1);
      return others.map(({ id }) => id as string).find((id) => !apart.includes(id));
    },
    put: (id, { key, type }) =>
      void sql(
        'INSERT INTO node (id, key, type) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET key = excluded.key, type = excluded.type',
      ).run(id, key, type),
    placeOf(id) {
      const row = sql('SELECT key, type FROM node WHERE id = ? AND key IS NOT NULL').row(id);
      return row === undefined ? undefined : { key: row['key'], type: row['type'] };
    },
    close,
  };
}
