/**
 * Base classes of programs that know no graph; nodes, edges and walkers derive from them in core/graph/objects.ts. Hidden members begin with `$`: no name of the language does. Instances are made by a generated function
 * per class (`constructors.ts`), so that all instances of a class share one shape; `new C(…)` in TypeScript goes the same way.
 */

import { TypeError } from '../values/objects/exceptions.ts';
import { $construct, $repr, $typeName, $vars, attributeName, type ReprState } from '../values/objects/protocol.ts';
import { bareRepr, reprOf } from '../values/objects/repr.ts';
import { construct } from './construct.ts';
import type { ClassMeta } from './meta.ts';

export class Archetype {
  declare readonly $meta: ClassMeta;
  declare readonly $cid: number;
  declare [$typeName]: string;

  constructor(...args: any[]) {
    // biome-ignore lint/correctness/noConstructorReturn: the generated function makes the instance
    return (new.target as any).$new(...args);
  }

  /** One positional argument per constructor field, `undefined` = not given. Replaced when a class is registered. */
  static $new(..._args: any[]): any {
    throw new TypeError(`${this.name} is not a registered archetype`);
  }

  static [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    return construct(this, args, kwargs);
  }

  [$repr](state: ReprState): string {
    if (state.active.has(this)) return '...';
    state.active.add(this);
    try {
      const { kind, name, fields } = this.$meta;
      const shown = fields
        .filter((field) => field.hidden !== true)
        .map((field) => `${field.name}=${reprOf((this as any)[field.property], state)}`);
      // A `class` has no repr of its own (docs/language/archetypes.md), but may inherit that of an archetype.
      return kind === 'class' && shown.length === 0 ? bareRepr(this) : `${name}(${shown.join(', ')})`;
    } finally {
      state.active.delete(this);
    }
  }

  /** Text that `console.log` of TypeScript shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return reprOf(this);
  }

  *[$vars](): Generator<[string, unknown]> {
    const seen = new Set<string>();
    for (const field of this.$meta.fields) {
      seen.add(field.property);
      const value = (this as any)[field.property];
      if (value !== undefined) yield [field.name, value];
    }
    for (const property of Object.keys(this)) {
      if (property.charCodeAt(0) !== 36 && !seen.has(property))
        yield [attributeName(property), (this as any)[property]];
    }
  }
}

export class Obj extends Archetype {}
