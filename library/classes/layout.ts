/** Parts of the instances of a class, for the functions that make them. */
import { waitsInside } from '../values/calls/async-functions.ts';
import type { Field } from './meta.ts';
import type { ParamSpec } from './spec.ts';
import { FULL } from './state.ts';

/** Facts about a class from which its functions are generated. */
export interface Layout {
  readonly cls: any;
  readonly kind: string;
  readonly name: string;
  /** Name of the constructor in complaints about its arguments: `C.__init__`. */
  readonly initName: string;
  readonly fields: readonly Field[];
  readonly constructorFields: readonly Field[];
  readonly hasInit: boolean;
  readonly initSlots: number;
  readonly hasPostinit: boolean;
  readonly params: readonly ParamSpec[];
}

export interface Generated {
  /** `$new` of the class: one positional argument per constructor field (or per slot of `init`). */
  readonly make: (...args: any[]) => any;
  readonly blank: () => any;
  readonly load: (instance: any, row: any, session: any) => void;
}

/**
 * Hidden members of an instance. What a walk touches at every node or edge stands in front and together: it then lies in one cache line,
 * and memory is what a walk over a large graph waits for.
 */
const front: Record<string, Members> = {
  node: { $st: FULL, $s: null, $out: null },
  edge: { $st: FULL, $dst: null, $src: null, $s: null },
};
const back: Record<string, Members> = {
  node: { $in: null, $row: null, $id: '', $mk: 0 },
  edge: { $seq: 0, $row: null, $id: '' },
  walker: { $id: '' },
};
export type Members = Readonly<Record<string, number | string | null>>;

/** Members of instances that are no fields, in the order in which they stand there: `front`, fields, reports, `back`, number. */
export function membersOf({ kind, fields }: Layout) {
  return {
    front: front[kind] ?? {},
    back: back[kind] ?? {},
    isNumbered: kind === 'node',
    hasReports: kind === 'walker' && !fields.some((field) => field.name === 'reports'),
  };
}

let lastNumber = 0;

/** Nodes are numbered as they come into memory. */
export function nextNumber(): number {
  return ++lastNumber;
}

/** Slots of the fields whose defaults wait. */
export function waitingSlots({ fields }: Layout): string[] {
  return fields.filter((field) => waitsInside(field.default)).map((field) => field.slot);
}

export function filled(self: any, slots: readonly string[]): Promise<unknown> | undefined {
  const waiting = slots.filter((slot) => self[slot] instanceof Promise);
  if (waiting.length === 0) return undefined;
  return Promise.all(waiting.map(async (slot) => (self[slot] = await self[slot])));
}
