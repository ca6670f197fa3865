/** Versions of types as they occur in the table: numbered anew by each process, named in every record. */
import type { StoredType } from '../../../core/memory/rows.ts';
import { typeName } from '../edge-names.ts';
import type { Item } from './item.ts';
import { typesList } from './keys.ts';
import type { Table } from './table.ts';

export type TypeShape = Omit<StoredType, 'id'>;

export interface StoredTypes {
  readonly all: ReadonlyMap<number, StoredType>;
  /** The type of a record. */
  of(kind: 'node' | 'edge', item: Item): StoredType;
  /** Gives it a number in this process. */
  know(type: TypeShape): StoredType;
  /** Also enters it into the list of the table. */
  intern(type: TypeShape): StoredType | Promise<StoredType>;
  /** Learns what other processes have entered. */
  load(): Promise<void>;
}

export function createStoredTypes(table: Table): StoredTypes {
  const all = new Map<number, StoredType>();
  const byText = new Map<string, StoredType>();
  const entered = new Set<string>();
  const textOf = ({ kind, module, name, schema }: TypeShape) => `${kind}#${typeName({ module, name })}#${schema}`;
  const know = (type: TypeShape): StoredType => {
    const text = textOf(type);
    let known = byText.get(text);
    if (known === undefined) {
      const { kind, module, name, schema } = type;
      known = { id: all.size + 1, kind, module, name, schema };
      all.set(known.id, known);
      byText.set(text, known);
    }
    return known;
  };
  const entering = new Map<string, Promise<StoredType>>();
  const enter = (type: TypeShape): Promise<StoredType> => {
    const text = textOf(type);
    let work = entering.get(text);
    if (work === undefined) {
      work = write(type, text).finally(() => entering.delete(text));
      entering.set(text, work);
    }
    return work;
  };
  const write = async (type: TypeShape, text: string): Promise<StoredType> => {
    const { kind, module, name, schema } = type;
    await table.write({ key: { pk: typesList, sk: text }, put: { kind, module, type: name, schema }, when: [] });
    entered.add(text);
    return know(type);
  };
  return {
    all,
    know,
    of: (kind, item) =>
      know({ kind, module: String(item['module'] ?? ''), name: String(item['type']), schema: String(item['schema']) }),
    intern: (type) => (entered.has(textOf(type)) ? know(type) : enter(type)),
    async load() {
      for (const { sk, kind, module, type, schema } of await table.query({ pk: typesList })) {
        entered.add(String(sk));
        know({
          kind: kind === 'edge' ? 'edge' : 'node',
          module: String(module ?? ''),
          name: String(type),
          schema: String(schema),
        });
      }
    },
  };
}
