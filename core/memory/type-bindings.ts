/** Classes of the running program for stored types (docs/server/storage.md#changing-types). */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { type ClassMeta, metaOf, typeKey } from '../../library/classes/meta.ts';
import type { ClassTable } from '../../library/classes/registry.ts';
import { convertFields, convertObjects, type JsonFields } from '../stored/drift.ts';
import { fingerprintOf } from '../stored/fingerprint.ts';
import { chain } from './chain.ts';
import type { Row, StoredType } from './rows.ts';
import type { GraphStore } from './store.ts';

export interface Binding {
  readonly meta: ClassMeta;
  /** Written by this very version of the type. */
  readonly isCurrent: boolean;
}

export interface TypeBindings {
  /** The class of a stored type; undefined while the program has none: its objects are invisible. */
  of(type: StoredType): Binding | undefined;
  /** The fields of a row in the shape of the class, as JSON. Shared; never changed. */
  fieldsOf(row: Row): JsonFields;
  /** Ids of the stored types whose class is one of these or inherits from one. */
  idsOf(classes: unknown, kind: 'node' | 'edge'): readonly number[];
  /** Are all these stored types in the shape of the program's classes? */
  allCurrent(ids: readonly number[]): boolean;
  /** Gives the stored type under which objects of a class are kept. */
  stored(meta: ClassMeta): MaybePromise<StoredType>;
  /** Is everything stored of the program's types, as it declares them? Then no record needs to be looked at. */
  areAllCurrent(): boolean;
  /** Fields of a stored type that have another name now: old name -> present one. */
  renames(type: StoredType): ReadonlyMap<string, string>;
  /** The class with this stored name, renames included. */
  classNamed(name: string): unknown;
  /** The program is about to be declared once more: classes are looked up anew. */
  forget(): void;
}

export interface BindingOptions {
  readonly classes: () => ClassTable;
  /** `[schema.aliases]` and `[schema.fields]`. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
}

export function createTypeBindings(store: GraphStore, options: BindingOptions): TypeBindings {
  const bound = new Map<number, Binding | undefined>();
  const ids = new Map<unknown, { readonly size: number; readonly ids: readonly number[] }>();
  const stored = new Map<ClassMeta, StoredType>();
  const warned = new Set<string>();
  const introduced = new Set<ClassMeta>();
  const aliases = new Map(Object.entries(options.aliases));
  const warnOnce = (message: string, fields: Record<string, unknown>) => {
    const line = `${message} ${JSON.stringify(fields)}`;
    if (warned.has(line)) return;
    warned.add(line);
    options.warn(message, fields);
  };
  const resolve = (module: string, name: string): unknown => {
    const classes = options.classes();
    const full = typeKey({ module, name });
    const alias = aliases.get(full) ?? aliases.get(name);
    if (alias !== undefined) return classes.named(alias) ?? only(classes.called(alias));
    return classes.named(full) ?? only(classes.called(name));
  };
  const bind = (type: StoredType): Binding | undefined => {
    const meta = metaOf(resolve(type.module, type.name));
    if (meta === undefined || meta.kind !== type.kind) {
      warnOnce('objects of a type the program does not have are left aside', { type: typeKey(type), kind: type.kind });
      return undefined;
    }
    return { meta, isCurrent: fingerprintOf(meta) === type.schema };
  };
  // A hop must find what another process stored a moment ago, also of a type this one has never seen stored.
  const introduce = (): void => {
    if (store.know === undefined) return;
    for (const cls of options.classes().all()) {
      const meta = metaOf(cls);
      if (meta === undefined || introduced.has(meta) || (meta.kind !== 'node' && meta.kind !== 'edge')) continue;
      introduced.add(meta);
      store.know(shapeOf(meta));
    }
  };
  const bindings: TypeBindings = {
    of(type) {
      if (bound.has(type.id)) return bound.get(type.id);
      const binding = bind(type);
      bound.set(type.id, binding);
      return binding;
    },
    fieldsOf(row) {
      if (row.fields !== undefined) return row.fields;
      const { meta, isCurrent } = bindings.of(row.type)!;
      const data = JSON.parse(row.data === '' ? '{}' : row.data) as JsonFields;
      if (isCurrent) row.fields = data;
      else {
        const attic = row.attic === '' ? {} : (JSON.parse(row.attic) as JsonFields);
        const note = (field: string, what: string) =>
          warnOnce(`stored objects lack a fitting value for a field: default used`, { type: meta.name, field, what });
        const present = row.data.includes('"$t":"obj"')
          ? (convertObjects(data, bindings.classNamed) as JsonFields)
          : data;
        const converted = convertFields(meta, present, attic, renamesOf(options.fields, row.type, meta), note);
        row.fields = converted.fields;
        row.newAttic = converted.attic;
      }
      return row.fields;
    },
    idsOf(classes, kind) {
      introduce();
      const known = ids.get(classes);
      if (known !== undefined && known.size === store.types.size) return known.ids;
      const wanted = Array.isArray(classes) ? classes : [classes];
      const found: number[] = [];
      for (const type of store.types.values()) {
        if (type.kind !== kind) continue;
        const set = bindings.of(type)?.meta.mroSet;
        if (set !== undefined && wanted.some((cls) => set.has(cls))) found.push(type.id);
      }
      ids.set(classes, { size: store.types.size, ids: found });
      return found;
    },
    allCurrent: (list) => list.every((id) => bindings.of(store.types.get(id)!)?.isCurrent === true),
    stored(meta) {
      const known = stored.get(meta);
      if (known !== undefined) return known;
      return chain(store.intern(shapeOf(meta)), (made) => {
        stored.set(meta, made);
        return made;
      });
    },
    areAllCurrent: () => [...store.types.values()].every((type) => bindings.of(type)?.isCurrent === true),
    renames(type) {
      const binding = bindings.of(type);
      return binding === undefined ? new Map() : renamesOf(options.fields, type, binding.meta);
    },
    classNamed(name) {
      const dot = name.lastIndexOf('.');
      return resolve(dot < 0 ? '' : name.slice(0, dot), name.slice(dot + 1));
    },
    forget() {
      bound.clear();
      ids.clear();
    },
  };
  return bindings;
}

function shapeOf(meta: ClassMeta): Omit<StoredType, 'id'> {
  return { kind: meta.kind as 'node' | 'edge', module: meta.module, name: meta.name, schema: fingerprintOf(meta) };
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** `"Type.old" = "new"`, where Type is the stored or the present name. */
function renamesOf(fields: Readonly<Record<string, string>>, stored: StoredType, meta: ClassMeta): Map<string, string> {
  const renames = new Map<string, string>();
  for (const [place, present] of Object.entries(fields)) {
    const dot = place.lastIndexOf('.');
    const owner = place.slice(0, dot);
    if (owner === stored.name || owner === typeKey(stored) || owner === meta.name)
      renames.set(place.slice(dot + 1), present);
  }
  return renames;
}
