/** Versions of types as they occur in the database: numbered anew by each process, named in every record. */
import type { StoredType } from '../../../core/memory/rows.ts';
import { typeName } from '../edge-names.ts';
import type { Collections, Stored } from './collections.ts';
import { asked } from './trouble.ts';

export type TypeShape = Omit<StoredType, 'id'>;

export interface StoredTypes {
  readonly all: ReadonlyMap<number, StoredType>;
  /** The type of a record. */
  of(kind: 'node' | 'edge', record: Stored): StoredType;
  /** Gives it a number in this process. */
  know(type: TypeShape): StoredType;
  /** Also enters it into the list of the database (`svc_meta`). */
  intern(type: TypeShape): StoredType | Promise<StoredType>;
  /** Learns what other processes have entered. */
  load(): Promise<void>;
}

export function createStoredTypes({ meta }: Pick<Collections, 'meta'>): StoredTypes {
  const all = new Map<number, StoredType>();
  const byText = new Map<string, StoredType>();
  const entered = new Set<string>();
  const entering = new Map<string, Promise<StoredType>>();
  const textOf = ({ kind, module, name, schema }: TypeShape) => `type:${kind}#${typeName({ module, name })}#${schema}`;
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
  const write = async (type: TypeShape, text: string): Promise<StoredType> => {
    const { kind, module, name, schema } = type;
    await asked(meta.updateOne({ _id: text }, { $set: { kind, module, type: name, schema } }, { upsert: true }));
    entered.add(text);
    return know(type);
  };
  return {
    all,
    know,
    of: (kind, { module, type, schema }) =>
      know({ kind, module: String(module ?? ''), name: String(type), schema: String(schema) }),
    intern(type) {
      const text = textOf(type);
      if (entered.has(text)) return know(type);
      let work = entering.get(text);
      if (work === undefined) {
        work = write(type, text).finally(() => entering.delete(text));
        entering.set(text, work);
      }
      return work;
    },
    async load() {
      const listed = await asked(meta.find({ _id: { $gte: 'type:', $lt: 'type;' } }).toArray());
      for (const { _id, kind, module, type, schema } of listed) {
        entered.add(_id);
        know({
          kind: kind === 'edge' ? 'edge' : 'node',
          module: String(module),
          name: String(type),
          schema: String(schema),
        });
      }
    },
  };
}
