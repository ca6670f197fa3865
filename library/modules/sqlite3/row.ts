/** `sqlite3.Row`: a row whose values are reached by place and by the name of their column. */

import { nativeClass } from '../../builtins/native-class.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import type { Tuple } from '../../values/containers/tuple.ts';
import { same } from '../../values/objects/equality.ts';
import { IndexError } from '../../values/objects/exceptions.ts';
import { hashOf } from '../../values/objects/hashing.ts';
import { $eq, $hash } from '../../values/objects/protocol.ts';

export class SqlRow {
  readonly $names: readonly string[];
  readonly $values: Tuple;

  constructor(cursor: any, values: Tuple) {
    this.$names = cursor.$columns;
    this.$values = values;
  }

  keys(): string[] {
    return [...this.$names];
  }

  __getitem__(index: unknown): unknown {
    if (typeof index !== 'string') return getitem(this.$values, index);
    const wanted = index.toLowerCase();
    const at = this.$names.findIndex((name) => name.toLowerCase() === wanted);
    if (at < 0) throw new IndexError('No item with that key');
    return this.$values.items[at];
  }

  __len__(): number {
    return this.$values.items.length;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.$values.items[Symbol.iterator]();
  }

  [$eq](other: unknown): boolean {
    return other instanceof SqlRow && same(this.$values, other.$values) && same(this.$names, other.$names);
  }

  [$hash](): string {
    return hashOf(this.$values) as string;
  }
}
nativeClass(SqlRow, { name: 'Row', module: 'sqlite3', params: 'cursor, data, /', countedAs: ['Sequence'] });
