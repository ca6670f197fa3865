/**
 * Types as they occur in the database. Their numbers there are made of their names (decisions/0696): so a hop names the
 * types it wants without having asked for them, and finds what another process stored of one a moment ago.
 */
import { createHash } from 'node:crypto';
import type { StoredType } from '../../../core/memory/rows.ts';
import { createStoredTypes, type StoredTypes, type TypeShape } from '../stored-types.ts';
import { statement } from './line.ts';
import type { Source } from './pool.ts';

export interface TypeNumber {
  /** Number of this version of the type. */
  readonly id: number;
  /** Number that all versions of the type share. */
  readonly named: number;
}

/** 53 bits of a digest: numbers that JavaScript holds exactly, and that no two of some thousand names share. */
function numberOf(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11);
}

const numbers = new WeakMap<TypeShape, TypeNumber>();

export function typeNumber(type: TypeShape): TypeNumber {
  let known = numbers.get(type);
  if (known === undefined) {
    const name = `${type.kind}#${type.module}.${type.name}`;
    known = { id: numberOf(`${name}#${type.schema}`), named: numberOf(name) };
    numbers.set(type, known);
  }
  return known;
}

export interface Types extends StoredTypes {
  /** Undefined until it is loaded. */
  byNumber(id: string): StoredType | undefined;
  /** Numbers of the names of stored types, as an array of the database. */
  named(ids: readonly number[]): string;
}

const add = statement(
  'INSERT INTO svc_type (id, kind, module, name, schema, named) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
);
const readAll = statement('SELECT id, kind, module, name, schema FROM svc_type');

export function createTypes(source: Source): Types {
  const byNumber = new Map<string, StoredType>();
  const lists = new WeakMap<readonly number[], string>();
  const note = (type: StoredType): StoredType => {
    byNumber.set(String(typeNumber(type).id), type);
    return type;
  };
  const types = createStoredTypes({
    async add(_, { kind, module, type, schema }) {
      const { id, named } = typeNumber({ kind: kind as 'node' | 'edge', module, name: type, schema });
      await source.ask(add, [id, kind, module, type, schema, named]);
    },
    async read() {
      const found = await source.ask(readAll, []);
      return found.map(([, kind, module, type, schema]) => ({ kind, module, type, schema }));
    },
  });
  const know = (type: TypeShape) => note(types.know(type));
  return {
    all: types.all,
    of: (kind, record) => note(types.of(kind, record)),
    know,
    intern(type) {
      const made = types.intern(type);
      return made instanceof Promise ? made.then(note) : note(made);
    },
    async load() {
      await types.load();
      for (const type of types.all.values()) note(type);
    },
    byNumber: (id) => byNumber.get(id),
    named(ids) {
      let list = lists.get(ids);
      if (list === undefined) {
        list = `{${[...new Set(ids.map((id) => typeNumber(types.all.get(id)!).named))].join()}}`;
        lists.set(ids, list);
      }
      return list;
    },
  };
}
