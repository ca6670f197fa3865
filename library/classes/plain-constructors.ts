/** The functions of a class where no text may be compiled: the same as `constructors.ts` writes out, in loops over the fields. */
import { boxed } from '../values/numbers/float-box.ts';
import { requireGiven } from './bind.ts';
import { wordsOf } from './closed-fields.ts';
import { isFloatPlace } from './float-places.ts';
import { filled, type Generated, type Layout, membersOf, nextNumber, waitingSlots } from './layout.ts';
import type { Field } from './meta.ts';
import { LAZY } from './state.ts';

export function makePlainly(layout: Layout): Generated {
  const { cls, fields, constructorFields, params } = layout;
  const words = wordsOf(fields);
  const { front, back, isNumbered, hasReports } = membersOf(layout);
  const slots = waitingSlots(layout);
  const create = (values: readonly unknown[]): any => {
    const self = Object.create(cls.prototype);
    Object.assign(self, front);
    for (const word of words) self[word] = -1;
    for (let i = 0; i < fields.length; i++) self[fields[i]!.slot] = values[i];
    if (hasReports) self.reports = [];
    Object.assign(self, back);
    if (isNumbered) self.$no = nextNumber();
    return self;
  };
  const whenFilled = (self: any, rest: () => unknown): unknown => {
    const later = slots.length === 0 ? undefined : filled(self, slots);
    return later === undefined ? rest() : later.then(rest);
  };
  const make = (...args: unknown[]): unknown => {
    if (layout.hasInit) {
      const self = create(fields.map(defaultOf));
      const given = Array.from({ length: layout.initSlots }, (_, i) => args[i]);
      return whenFilled(self, () => finish(layout, self, self.init(...given), () => []));
    }
    const lacks = (field: Field, i: number) => field.default === undefined && args[i] === undefined;
    if (constructorFields.some(lacks))
      requireGiven(
        layout.initName,
        params,
        constructorFields.map((_, i) => args[i]),
      );
    const valueOf = (field: Field): unknown => {
      const at = constructorFields.indexOf(field);
      return at < 0 || (args[at] === undefined && field.default !== undefined) ? defaultOf(field) : args[at];
    };
    const self = create(fields.map(valueOf));
    const handed = () => constructorFields.filter((field) => field.initOnly === true).map(valueOf);
    return whenFilled(self, () => finish(layout, self, undefined, handed));
  };
  return { make, blank: () => create(fields.map(() => null)), load: loader(fields) };
}

function finish(layout: Layout, self: any, r: unknown, handed: () => unknown[]): unknown {
  if (!layout.hasPostinit) return r instanceof Promise ? r.then(() => self) : self;
  const postinit = () => self.postinit(...handed());
  if (r instanceof Promise) return r.then(postinit).then(() => self);
  const p = postinit();
  return p instanceof Promise ? p.then(() => self) : self;
}

function defaultOf({ literal, default: make }: Field): unknown {
  if (literal !== undefined) return literal;
  return make === undefined ? null : make();
}

function loader(fields: readonly Field[]): Generated['load'] {
  const plain = fields.filter((field) => field.bit === 0);
  const floats = plain.map((field) => isFloatPlace(field.type));
  return (n, row, session) => {
    n.$st &= ~LAZY;
    for (let i = 0; i < plain.length; i++) {
      const { name, slot } = plain[i]!;
      const value = row[name];
      if (value !== null && typeof value === 'object') n[slot] = session.openPlain(n, value);
      else n[slot] = floats[i] ? boxed(value as number) : value;
    }
  };
}

/** Accessors of a node's or edge's fields, in their order. */
export function plainAccessors(fields: readonly Field[]): PropertyDescriptor[] {
  return fields.map((field, i) => {
    const { name, slot, word, bit } = field;
    return {
      get(this: any) {
        if (bit === 0) {
          if (this.$st & LAZY) this.$s.hydrate(this);
        } else if ((this[word] & bit) === 0) this.$s.unfold(this, i);
        return this[slot];
      },
      set(this: any, value: unknown) {
        if (this.$s !== null && !this.$s.touch(this, name)) return;
        if (bit !== 0) this[word] |= bit;
        this[slot] = value;
      },
    };
  });
}
