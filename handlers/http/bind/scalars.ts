import type { Steps } from '../../../base/slices.ts';
import { wordList } from '../../../base/word-list.ts';
import type { Problems } from '../../../core/problems.ts';
import { Bytes } from '../../../library/values/text/bytes.ts';
import { type Place, refuse, refused } from './place.ts';

/** Turns an incoming value into one of the declared type, or notes why not (docs/server/requests.md#types). JSON null never reaches one. */
export interface Coerce {
  (value: unknown, place: Place): unknown;
  /** The same in steps, for types whose values can be long. */
  steps?: (value: unknown, place: Place) => Steps<unknown>;
  /** Tells whether a value is so short that it needs no steps, although others of its type do. */
  isShort?: ((value: unknown) => boolean) | undefined;
}

/** Tells whether a value is better coerced in steps. */
export function hasSteps(coerce: Coerce, value: unknown, place: Place): coerce is Required<Coerce> & Coerce {
  if (coerce.steps === undefined) return false;
  return place.isText || (typeof value === 'object' && value !== null && coerce.isShort?.(value) !== true);
}

/** A coercer that can pause. */
export function withSteps(coerce: Coerce, steps: NonNullable<Coerce['steps']>, isShort?: Coerce['isShort']): Coerce {
  return Object.assign(coerce, { steps, isShort });
}

const longestInteger = 4300;
const integerText = /^[+-]?[0-9]+$/;
const numberText = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const trueTexts = new Set(['true', '1', 'yes', 'on']);
const falseTexts = new Set(['false', '0', 'no', 'off']);

export function coerceStr(value: unknown, place: Place): unknown {
  return typeof value === 'string' ? value : refuse(place, 'string_type');
}

export function coerceInt(value: unknown, place: Place): unknown {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return refuse(place, 'int_from_float');
    if (!Number.isSafeInteger(value)) return place.knowsUnsafe ? refused : refuse(place, 'number_out_of_safe_range');
    return value === 0 ? 0 : value;
  }
  if (typeof value !== 'string') return refuse(place, 'int_type');
  if (place.isExact && !place.isText) return refuse(place, 'int_type');
  const text = value.trim();
  if (text.length > longestInteger || !integerText.test(text)) return refuse(place, 'int_parsing');
  const number = Number(text);
  return Number.isSafeInteger(number)
    ? number === 0
      ? 0
      : number
    : BigInt(text.startsWith('+') ? text.slice(1) : text);
}

export function coerceFloat(value: unknown, place: Place): unknown {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return refuse(place, 'float_type');
  if (place.isExact && !place.isText) return refuse(place, 'float_type');
  const text = value.trim();
  const number = numberText.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : refuse(place, 'float_parsing');
}

export function coerceBool(value: unknown, place: Place): unknown {
  if (typeof value === 'boolean') return value;
  if (place.isExact && !place.isText) return refuse(place, 'bool_type');
  if (value === 0 || value === 1) return value === 1;
  if (typeof value === 'number') return refuse(place, 'bool_parsing');
  if (typeof value !== 'string') return refuse(place, 'bool_type');
  const text = value.trim().toLowerCase();
  // A bare `?flag` switches the flag on.
  if (trueTexts.has(text) || (place.isText && text === '')) return true;
  return falseTexts.has(text) ? false : refuse(place, 'bool_parsing');
}

export function coerceBytes(value: unknown, place: Place): unknown {
  if (typeof value !== 'string') return refuse(place, 'bytes_base64');
  const text = value.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (text.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(text)) return refuse(place, 'bytes_base64');
  return new Bytes(Uint8Array.from(Buffer.from(text, 'base64')));
}

/** 32 lower-case hexadecimal digits of a dashed or bare UUID, else undefined. */
export function hexId(text: string): string | undefined {
  if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  const dashed = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i.exec(text);
  return dashed === null ? undefined : dashed.slice(1).join('').toLowerCase();
}

export function coerceNone(_value: unknown, place: Place): unknown {
  return refuse(place, 'value_error', 'must be null');
}

export function coerceLiteral(values: readonly unknown[]): Coerce {
  return (value, place) => {
    if (values.includes(value)) return value;
    const spelled = place.isText
      ? values.find((each) => String(each).toLowerCase() === String(value).toLowerCase())
      : undefined;
    return spelled ?? refuse(place, 'literal_error', `must be ${wordList(values.map((each) => JSON.stringify(each)))}`);
  };
}

/** The first member that takes the value as it is, else the first that converts it. */
export function coerceUnion(members: readonly Coerce[], acceptsEmptyText: boolean): Coerce {
  const rounds = (place: Place) => (place.isExact ? [true] : [true, false]);
  return withSteps(
    (value, place) => {
      if (value === '' && place.isText && acceptsEmptyText) return null;
      const trial = new Trial(place);
      for (const isExact of rounds(place)) {
        for (const member of members) {
          place.isExact = isExact;
          const result = member(value, place);
          if (trial.accepts(result, isExact)) return result;
        }
      }
      return trial.refuse(members.length);
    },
    function* (value, place) {
      if (value === '' && place.isText && acceptsEmptyText) return null;
      const trial = new Trial(place);
      for (const isExact of rounds(place)) {
        for (const member of members) {
          place.isExact = isExact;
          const result = hasSteps(member, value, place) ? yield* member.steps(value, place) : member(value, place);
          if (trial.accepts(result, isExact)) return result;
        }
      }
      return trial.refuse(members.length);
    },
  );
}

/** Tries the members of a union: what is wrong with the value as one of them is not wrong with the request. */
class Trial {
  private readonly place: Place;
  private readonly listedBefore: number;
  private readonly countBefore: number;
  private readonly wasExact: boolean;
  private first: Problems | undefined = undefined;

  constructor(place: Place) {
    this.place = place;
    this.listedBefore = place.problems.listed.length;
    this.countBefore = place.problems.count;
    this.wasExact = place.isExact;
  }

  /** Takes the outcome of one member; what it found is kept aside when it refused. */
  accepts(result: unknown, isExact: boolean): boolean {
    const { place, wasExact } = this;
    place.isExact = wasExact;
    if (result !== refused) return true;
    const { problems } = place;
    const found = { listed: problems.listed.splice(this.listedBefore), count: problems.count - this.countBefore };
    problems.count = this.countBefore;
    if (!isExact || wasExact) this.first ??= found;
    return false;
  }

  /**
   * Gives the refusal of a union: with one member beside null its own problem says most; with several none is the right
   * one.
   */
  refuse(members: number): typeof refused {
    if (members > 1) return refuse(this.place, 'value_error', 'does not fit any of the declared types');
    const { problems } = this.place;
    problems.listed.push(...this.first!.listed);
    problems.count += this.first!.count;
    return refused;
  }
}
