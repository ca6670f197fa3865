/** Versions of types as they occur in a store that several processes share: numbered anew by each process, named in every record. */
import type { StoredType } from '../../core/memory/rows.ts';
import { typeName } from './edge-names.ts';

export type TypeShape = Omit<StoredType, 'id'>;

/** A record's words for its type: `module`, `type`, `schema`; an entry of the list has `kind` too. */
export type TypeFields = { readonly [name: string]: unknown };

/** The store's list of all versions there have been. */
export interface TypeList {
  /** `name` is the same for the same version, whoever enters it. */
  add(name: string, fields: Readonly<Record<'kind' | 'module' | 'type' | 'schema', string>>): Promise<void>;
  read(): Promise<readonly TypeFields[]>;
}

export interface StoredTypes {
  readonly all: ReadonlyMap<number, StoredType>;
  /** The type of a record. */
  of(kind: 'node' | 'edge', record: TypeFields): StoredType;
  /** Gives it a number in this process. */
  know(type: TypeShape): StoredType;
  /** Also enters it into the list. */
  intern(type: TypeShape): StoredType | Promise<StoredType>;
  /** Learns what other processes have entered. */
  load(): Promise<void>;
}

export function createStoredTypes(list: TypeList): StoredTypes {
  const all = new Map<number, StoredType>();
  const byName = new Map<string, StoredType>();
  const entered = new Set<string>();
  const entering = new Map<string, Promise<StoredType>>();
  const know = (type: TypeShape): StoredType => {
    const name = nameOf(type);
    let known = byName.get(name);
    if (known === undefined) {
      const { kind, module, name: typeName, schema } = type;
      known = { id: all.size + 1, kind, module, name: typeName, schema };
      all.set(known.id, known);
      byName.set(name, known);
    }
    return known;
  };
  const enter = async (type: TypeShape, name: string): Promise<StoredType> => {
    const { kind, module, schema } = type;
    await list.add(name, { kind, module, type: type.name, schema });
    entered.add(name);
    return know(type);
  };
  return {
    all,
    know,
    of: (kind, record) => know(shapeOf(kind, record)),
    intern(type) {
      const name = nameOf(type);
      if (entered.has(name)) return know(type);
      let work = entering.get(name);
      if (work === undefined) {
        work = enter(type, name).finally(() => entering.delete(name));
        entering.set(name, work);
      }
      return work;
    },
    async load() {
      for (const fields of await list.read()) {
        const known = know(shapeOf(fields['kind'] === 'edge' ? 'edge' : 'node', fields));
        entered.add(nameOf(known));
      }
    },
  };
}

function nameOf({ kind, module, name, schema }: TypeShape): string {
  return `${kind}#${typeName({ module, name })}#${schema}`;
}

function shapeOf(kind: 'node' | 'edge', { module, type, schema }: TypeFields): TypeShape {
  return { kind, module: String(module ?? ''), name: String(type), schema: String(schema) };
}
