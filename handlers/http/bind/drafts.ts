import type { ClassMeta } from '../../../library/classes/meta.ts';

/** A plain object whose fields fit. It is constructed inside the unit, anew for every attempt. */
export class ObjectDraft {
  readonly meta: ClassMeta;
  /** One value per constructor parameter; undefined = not given. */
  readonly args: readonly unknown[];

  constructor(meta: ClassMeta, args: readonly unknown[]) {
    this.meta = meta;
    this.args = args;
  }
}

/** A node or edge named by its id. It is loaded inside the unit, with the caller's rights. */
export class ReferenceDraft {
  readonly meta: ClassMeta;
  readonly id: string;
  readonly loc: readonly (string | number)[];

  constructor(meta: ClassMeta, id: string, loc: readonly (string | number)[]) {
    this.meta = meta;
    this.id = id;
    this.loc = loc;
  }
}
