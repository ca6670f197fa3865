import { metaOf } from '../../../library/classes/meta.ts';
import type { TypeRef } from '../../../library/classes/spec.ts';
import { boxed } from '../../../library/values/numbers/float-box.ts';
import { isEnumClass } from '../../../library/values/objects/enums.ts';
import { coerceAny, coerceDict, coerceList, coerceSet, coerceTuple } from './containers.ts';
import { coerceEnum } from './enums.ts';
import { type Bindable, bindablesOf, coerceObject, coerceReference } from './objects.ts';
import { type Place, refuse } from './place.ts';
import {
  type Coerce,
  coerceBool,
  coerceBytes,
  coerceFloat,
  coerceInt,
  coerceLiteral,
  coerceNone,
  coerceStr,
  coerceUnion,
  hasSteps,
  withSteps,
} from './scalars.ts';
import { coerceDate, coerceDatetime, coerceTime, coerceTimedelta, coerceUuid } from './temporal.ts';

/**
 * The coercer of a declared type (docs/server/requests.md#types). Types that refer to declarations are resolved when
 * the first value comes, because they may be declared later or in a cycle. JSON null fits only `None`, `any` and unions with `None`.
 */
export function coercerFor(type: TypeRef): Coerce {
  const coerce = bareCoercer(type);
  const isNullable = acceptsNull(type);
  const isContainer = takesSeveral(type);
  // A scalar given several times in a query takes the last value.
  const oneOf = (value: unknown, place: Place) =>
    !isContainer && place.isText && Array.isArray(value) ? value.at(-1) : value;
  const whole: Coerce = (value, place) => {
    if (value === null) return isNullable ? null : refuse(place, 'none_not_allowed');
    return coerce(oneOf(value, place), place);
  };
  const { steps, isShort } = coerce;
  if (steps === undefined) return whole;
  return withSteps(
    whole,
    function* (value, place) {
      if (value === null) return isNullable ? null : refuse(place, 'none_not_allowed');
      return yield* steps(oneOf(value, place), place);
    },
    isShort,
  );
}

function bareCoercer(type: TypeRef): Coerce {
  switch (type.t) {
    case 'str':
      return coerceStr;
    case 'int':
      return coerceInt;
    case 'float':
      return type.bare === true ? coerceFloat : (value, place) => boxed(coerceFloat(value, place));
    case 'bool':
      return coerceBool;
    case 'bytes':
      return coerceBytes;
    case 'none':
      return coerceNone;
    case 'datetime':
      return coerceDatetime;
    case 'date':
      return coerceDate;
    case 'time':
      return coerceTime;
    case 'timedelta':
      return coerceTimedelta;
    case 'uuid':
      return coerceUuid;
    case 'list':
    case 'iterator':
      return coerceList(coercerFor(type.of));
    case 'set':
    case 'frozenset':
      return coerceSet(coercerFor(type.of), type.t === 'frozenset');
    case 'tuple':
      return coerceTuple(type.items?.map(coercerFor), type.of === undefined ? coerceAny : coercerFor(type.of));
    case 'dict':
      return coerceDict(coercerFor(type.key), coercerFor(type.value));
    case 'literal':
      return coerceLiteral(type.values);
    case 'union':
      return unionCoercer(type.of);
    case 'UploadFile':
      return (_value, place) => refuse(place, 'file_required');
    case 'ref':
      return referenceCoercer(type.get);
    case 'any':
    case 'object':
    case 'unknown':
      return coerceAny;
  }
}

function unionCoercer(members: readonly TypeRef[]): Coerce {
  const values = members.filter((member) => member.t !== 'none');
  if (values.length === 0) return coerceNone;
  const acceptsEmptyText =
    members.some((member) => member.t === 'none') && !values.some((member) => member.t === 'str');
  const [only] = values;
  if (values.length === 1 && !acceptsEmptyText) return coercerFor(only!);
  return coerceUnion(values.map(coercerFor), acceptsEmptyText);
}

function referenceCoercer(get: () => unknown): Coerce {
  let resolved: Coerce | undefined;
  const coercer = () => (resolved ??= classCoercer(get()));
  return withSteps(
    (value, place) => coercer()(value, place),
    function* (value, place) {
      const coerce = coercer();
      return hasSteps(coerce, value, place) ? yield* coerce.steps(value, place) : coerce(value, place);
    },
    (value) => coercer().steps === undefined || coercer().isShort?.(value) === true,
  );
}

const classCoercers = new WeakMap<object, Coerce>();

function classCoercer(cls: unknown): Coerce {
  if (typeof cls !== 'function') return coerceAny;
  let known = classCoercers.get(cls);
  if (known === undefined) classCoercers.set(cls, (known = makeClassCoercer(cls)));
  return known;
}

function makeClassCoercer(cls: object): Coerce {
  if (isEnumClass(cls)) return coerceEnum(cls);
  const meta = metaOf(cls);
  if (meta === undefined) return coerceAny;
  if (meta.kind === 'node' || meta.kind === 'edge') return coerceReference(meta);
  let bindables: Bindable[] | undefined;
  return coerceObject(meta, () => (bindables ??= bindablesOf(meta, coercerFor)));
}

function acceptsNull(type: TypeRef): boolean {
  switch (type.t) {
    case 'none':
    case 'any':
    case 'object':
    case 'unknown':
      return true;
    case 'union':
      return type.of.some(acceptsNull);
    case 'literal':
      return type.values.includes(null);
    default:
      return false;
  }
}

function takesSeveral(type: TypeRef): boolean {
  switch (type.t) {
    case 'list':
    case 'iterator':
    case 'set':
    case 'frozenset':
    case 'tuple':
      return true;
    case 'union':
      return type.of.some(takesSeveral);
    default:
      return false;
  }
}
