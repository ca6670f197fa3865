/** Rows that end with the process: the emulated gateway over an embedded store, tests. */
import type { Row, RowFields, RowKey, RowRange, RowTable, RowTest, RowWrite } from '../../../handlers/table/rows.ts';

export function openMemoryRows(): RowTable {
  const parts = new Map<string, Map<string, Row>>();
  const find = ({ pk, sk }: RowKey) => parts.get(pk)?.get(sk);
  const fits = (write: RowWrite) => write.when.every((test) => holds(find(write.key), test));

  function apply({ key, put, change, isDelete }: RowWrite): void {
    const { pk, sk } = key;
    if (isDelete === true) {
      parts.get(pk)?.delete(sk);
      if (parts.get(pk)?.size === 0) parts.delete(pk);
      return;
    }
    if (put === undefined && change === undefined) return;
    const fields: Record<string, RowFields[string]> = { ...(put ?? { ...find(key), ...change?.set }) };
    for (const name of change?.remove ?? []) delete fields[name];
    const part = parts.get(pk) ?? new Map();
    parts.set(pk, part.set(sk, { ...fields, pk, sk }));
  }

  return {
    get: async (key) => find(key),
    getMany: async (keys) => keys.map(find),
    query: async (range) =>
      [...(parts.get(range.pk)?.values() ?? [])]
        .filter(({ sk }) => isIn(sk, range))
        .sort((a, b) => (a.sk < b.sk ? -1 : 1)),
    async write(write) {
      if (!fits(write)) return false;
      apply(write);
      return true;
    },
    async update(write) {
      if (!fits(write)) return undefined;
      apply(write);
      return find(write.key);
    },
    async transact(writes) {
      const refused = writes.flatMap((write, i) => (fits(write) ? [] : [i]));
      if (refused.length > 0) return refused;
      writes.forEach(apply);
      return undefined;
    },
  };
}

function isIn(sk: string, { prefix = '', above = '' }: RowRange): boolean {
  return sk.startsWith(prefix) && (above === '' || sk > above);
}

function holds(row: Row | undefined, test: RowTest): boolean {
  if (test[0] === 'any') return test[1].some((one) => holds(row, one));
  const value = row?.[test[1]];
  if (test[0] === 'absent') return value === undefined;
  if (test[0] === 'present') return value !== undefined;
  if (value === undefined || value === null) return false;
  const [, , given] = test;
  if (test[0] === '=') return value === given;
  if (test[0] === '<') return value < given!;
  return test[0] === '<=' ? value <= given! : value > given!;
}
