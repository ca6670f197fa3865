/** Named tuples: `collections.namedtuple`, `typing.NamedTuple`, and the records standard modules give. */
import { Dict } from '../values/containers/dict.ts';
import { itemsOf } from '../values/containers/iteration.ts';
import { Tuple } from '../values/containers/tuple.ts';
import { AttributeError, TypeError, ValueError } from '../values/objects/exceptions.ts';
import { $matchArgs, $repr, key, type ReprState } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { className } from '../values/objects/type-name.ts';
import { splitWords } from '../values/text/whitespace.ts';
import { nativeClass } from './native-class.ts';

export interface NamedTupleOptions {
  readonly defaults?: readonly unknown[];
  /** Defaults that are known later than the class, by field. */
  readonly lateDefaults?: ReadonlyMap<string, () => unknown>;
  readonly module?: string;
  /** First word of `repr`; the name when absent. */
  readonly label?: string;
  /** Made from one sequence of all fields, as the records of the system are. */
  readonly takesSequence?: boolean;
}

/** @throws ValueError for what cannot be the name of a class */
export function requireTypeName(name: string): string {
  if (!isIdentifier.test(name))
    throw new ValueError(`Type names and field names must be valid identifiers: ${reprOf(name)}`);
  if (keywords.has(name)) throw new ValueError(`Type names and field names cannot be a keyword: ${reprOf(name)}`);
  return name;
}

const isIdentifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export function makeNamedTuple(name: string, fields: readonly string[], options: NamedTupleOptions = {}): any {
  const { defaults = [] } = options;
  const label = options.label ?? name;
  const firstDefault = fields.length - defaults.length;
  class Named extends Tuple {
    [$repr](state: ReprState): string {
      const shown = this.constructor === Named ? label : className(this.constructor);
      return `${shown}(${fields.map((field, i) => `${field}=${reprOf(this.items[i], state)}`).join(', ')})`;
    }

    _asdict(): Dict {
      return Dict.from(fields.map((field, i) => [field, this.items[i]] as const));
    }

    _replace(changes?: Dict): Tuple {
      const unknown = [...(changes?.keys() ?? [])].filter((one) => !fields.includes(one as string));
      if (unknown.length > 0) throw new ValueError(`Got unexpected field names: ${reprOf(unknown)}`);
      const items = fields.map((field, i) => changes?.get(field) ?? this.items[i]);
      return new (this.constructor as typeof Named)(items);
    }
  }
  Object.defineProperty(Named, 'name', { value: name });
  const defaultOf = (i: number) => options.lateDefaults?.get(fields[i]!)?.() ?? defaults[i - firstDefault];
  const params = fields.map((field, i) => (i < firstDefault ? field : `${field}=None`)).join(', ');
  nativeClass(Named, {
    name,
    constructorName: '__new__',
    module: options.module ?? '__main__',
    ...(options.takesSequence === true
      ? { params: 'iterable, /', make: (cls, items) => new cls(fieldsIn(items, label, fields.length)) }
      : {
          params,
          make: (cls, ...slots) => new cls(slots.map((slot, i) => (slot === undefined ? defaultOf(i) : slot))),
        }),
    doc: `${name}(${fields.join(', ')})`,
    methods: { _asdict: '', _replace: '**kwargs' },
    classMethods: {
      _make: [
        'iterable, /',
        (cls: any, items: unknown) => {
          const values = itemsOf(items);
          if (values.length !== fields.length)
            throw new TypeError(`Expected ${fields.length} arguments, got ${values.length}`);
          return new cls(values.slice());
        },
      ],
    },
    values: {
      _fields: new Tuple(fields),
      _field_defaults: Dict.from(defaults.map((value, i) => [fields[firstDefault + i], value] as const)),
    },
  });
  Object.defineProperty(Named, $matchArgs, { value: fields });
  fields.forEach((field, i) => {
    Object.defineProperty(Named.prototype, key(field), {
      configurable: true,
      get(this: Tuple) {
        return this.items[i];
      },
      set() {
        throw new AttributeError("can't set attribute");
      },
    });
  });
  return Named;
}

function fieldsIn(sequence: unknown, label: string, count: number): unknown[] {
  const items = itemsOf(sequence);
  if (items.length === count) return items.slice();
  throw new TypeError(`${label}() takes a ${count}-sequence (${items.length}-sequence given)`);
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Field names as `namedtuple` takes them: a list, or text with spaces or commas. @throws ValueError */
export function fieldNames(given: unknown, rename: boolean): string[] {
  const names = (typeof given === 'string' ? splitWords(given.replaceAll(',', ' '), -1) : itemsOf(given)) as string[];
  const seen = new Set<string>();
  return names.map((name, i) => {
    const valid =
      typeof name === 'string' &&
      isIdentifier.test(name) &&
      !name.startsWith('_') &&
      !keywords.has(name) &&
      !seen.has(name);
    seen.add(name);
    if (valid) return name;
    if (rename) return `_${i}`;
    if (typeof name === 'string' && name.startsWith('_'))
      throw new ValueError(`Field names cannot start with an underscore: ${reprOf(name)}`);
    if (names.indexOf(name) !== i) throw new ValueError(`Encountered duplicate field name: ${reprOf(name)}`);
    if (keywords.has(name)) throw new ValueError(`Type names and field names cannot be a keyword: ${reprOf(name)}`);
    throw new ValueError(`Type names and field names must be valid identifiers: ${reprOf(name)}`);
  });
}
