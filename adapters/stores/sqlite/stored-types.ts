/** The table of types that occur in the file, each version of a declared type once. */
import type { StoredType } from '../../../core/memory/rows.ts';
import type { Sql } from './sql-cache.ts';

export interface StoredTypes {
  readonly all: ReadonlyMap<number, StoredType>;
  /** Also one that another process added. */
  of(id: number): StoredType;
  /** Adds it when it is new. */
  intern(type: Omit<StoredType, 'id'>): StoredType;
  reload(): void;
}

/** `patiently` waits for the write lock of another process. */
export function createStoredTypes(sql: Sql, patiently: (work: () => void) => void): StoredTypes {
  const all = new Map<number, StoredType>();
  const reload = () => {
    for (const { id, kind, module, name, schema } of sql('SELECT id, kind, module, name, schema FROM type').rows()) {
      if (!all.has(id)) all.set(id, { id, kind, module, name, schema });
    }
  };
  const find = (type: Omit<StoredType, 'id'>) => [...all.values()].find((known) => isSame(known, type));
  reload();
  return {
    all,
    of(id) {
      if (!all.has(id)) reload();
      return all.get(id)!;
    },
    intern(type) {
      const known = find(type);
      if (known !== undefined) return known;
      const insert = sql('INSERT OR IGNORE INTO type (kind, module, name, schema) VALUES (?, ?, ?, ?)');
      patiently(() => insert.run(type.kind, type.module, type.name, type.schema));
      reload();
      return find(type)!;
    },
    reload,
  };
}

function isSame(a: StoredType, b: Omit<StoredType, 'id'>): boolean {
  return a.kind === b.kind && a.module === b.module && a.name === b.name && a.schema === b.schema;
}
