/** `str()`, `list(str())`, `optional(date())` …: the types of fields and parameters. An argument at the end is the default. */
import type { TypeRef } from '../../library/classes/spec.ts';
import { $about } from '../../library/values/objects/protocol.ts';
import { className } from '../../library/values/objects/type-name.ts';
import type {
  AnyClass,
  Bytes,
  CalendarDate,
  DateTime,
  Dict,
  Field,
  FieldShape,
  GivenOf,
  SetOf,
  UploadFile,
  ValueOf,
} from './types.ts';

interface Scalar<T, Given = T> {
  (): Field<T, false, Given>;
  (fallback: Given): Field<T, true, Given>;
}

export const str = scalar<string>('str');
/** Whole numbers; a fraction is refused. */
export const int = scalar<number>('int');
export const float = scalar<number>('float', { t: 'float', bare: true });
export const bool = scalar<boolean>('bool');
export const bytes = scalar<Bytes, Bytes | Uint8Array>('bytes');
export const datetime = scalar<DateTime, DateTime | Date>('datetime');
/** A day, `2030-01-31` in requests. */
export const date = scalar<CalendarDate, CalendarDate | Date>('date');
/** Whatever JSON can say. */
export const any = scalar<any>('any');

/** A file of a request; cannot be stored. */
export function upload(): Field<UploadFile> {
  return field({ t: 'UploadFile' }, undefined);
}

/** A default is copied for every instance. */
export function list<F extends Field<any, boolean, any>>(of: F): Field<ValueOf<F>[], false, readonly GivenOf<F>[]>;
export function list<F extends Field<any, boolean, any>>(
  of: F,
  fallback: readonly GivenOf<F>[],
): Field<ValueOf<F>[], true, readonly GivenOf<F>[]>;
export function list(of: Field<any, boolean, any>, fallback?: readonly unknown[]): Field<any, any, any> {
  return field({ t: 'list', of: typeOf(of) }, fallback && (() => [...fallback]));
}

/** A mapping from texts. A default is copied for every instance. */
export function dict<F extends Field<any, boolean, any>>(
  of: F,
): Field<Dict<ValueOf<F>>, false, Dict<ValueOf<F>> | Readonly<Record<string, GivenOf<F>>>>;
export function dict<F extends Field<any, boolean, any>>(
  of: F,
  fallback: Readonly<Record<string, GivenOf<F>>>,
): Field<Dict<ValueOf<F>>, true, Dict<ValueOf<F>> | Readonly<Record<string, GivenOf<F>>>>;
export function dict(of: Field<any, boolean, any>, fallback?: Readonly<Record<string, unknown>>): Field<any, any, any> {
  return field({ t: 'dict', key: { t: 'str' }, value: typeOf(of) }, fallback && (() => ({ ...fallback })));
}

/** A default is copied for every instance. */
export function set<F extends Field<any, boolean, any>>(of: F): Field<SetOf<ValueOf<F>>, false, Iterable<GivenOf<F>>>;
export function set<F extends Field<any, boolean, any>>(
  of: F,
  fallback: Iterable<GivenOf<F>>,
): Field<SetOf<ValueOf<F>>, true, Iterable<GivenOf<F>>>;
export function set(of: Field<any, boolean, any>, fallback?: Iterable<unknown>): Field<any, any, any> {
  return field({ t: 'set', of: typeOf(of) }, fallback && (() => new Set(fallback)));
}

/** The type or null, which is the default. */
export function optional<F extends Field<any, boolean, any>>(of: F): Field<ValueOf<F> | null, true, GivenOf<F> | null> {
  return field({ t: 'union', of: [typeOf(of), { t: 'none' }] }, () => null);
}

/** One of these texts or numbers. */
export function oneOf<const T extends readonly (string | number)[]>(values: T): Field<T[number]>;
export function oneOf<const T extends readonly (string | number)[]>(
  values: T,
  fallback: NoInfer<T[number]>,
): Field<T[number], true>;
export function oneOf(values: readonly (string | number)[], fallback?: string | number): Field<any, any> {
  return field({ t: 'literal', values }, fallback === undefined ? undefined : () => fallback);
}

/** An object of a class of the program. The class is named by a function because it may be declared later. */
export function ref<I>(find: () => AnyClass<I>): Field<I> {
  const get = () => find();
  return field(
    {
      t: 'ref',
      get name() {
        const cls: any = get();
        return cls[$about]?.qualname ?? className(cls);
      },
      get,
    },
    undefined,
  );
}

/** A member of an enumeration made with `enumeration`. */
export function member<M>(of: { readonly members: readonly M[] }): Field<M>;
export function member<M>(of: { readonly members: readonly M[] }, fallback: NoInfer<M>): Field<M, true>;
export function member(of: { readonly members: readonly unknown[] }, fallback?: unknown): Field<any, any> {
  const cls = of as any;
  const type = { t: 'ref', name: cls[$about]?.qualname ?? className(cls), get: () => cls } as const;
  return field(type, fallback === undefined ? undefined : () => fallback);
}

/** The runtime's description of a field's type. */
export function typeOf(of: Field<any, boolean, any>): TypeRef {
  return of.spec.type as TypeRef;
}

function scalar<T, Given = T>(
  t: 'str' | 'int' | 'float' | 'bool' | 'bytes' | 'datetime' | 'date' | 'any',
  type: TypeRef = { t },
) {
  return ((...given: [fallback?: Given]) => field(type, given.length === 0 ? undefined : () => given[0])) as Scalar<
    T,
    Given
  >;
}

function field(type: TypeRef, fallback: (() => unknown) | undefined): Field<any, any, any> {
  return fieldOf({ type, fallback, access: undefined, doc: undefined });
}

function fieldOf(spec: FieldShape): Field<any, any, any> {
  return {
    spec,
    private: () => fieldOf({ ...spec, access: 'priv' }),
    protected: () => fieldOf({ ...spec, access: 'protect' }),
    describe: (doc) => fieldOf({ ...spec, doc }),
  };
}
