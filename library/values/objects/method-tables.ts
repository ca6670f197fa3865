/** The method table of every built-in kind. Filled by the files that define the methods, read by attribute access and `callMethod`. */

import type { MethodTable } from '../calls/signature.ts';
import { $methods } from './protocol.ts';

interface Tables {
  str: MethodTable;
  list: MethodTable;
  int: MethodTable;
  float: MethodTable;
}

const empty: MethodTable = Object.create(null);

/** Kinds that are JavaScript primitives or arrays; classes carry their table on the prototype. */
export const tables: Tables = { str: empty, list: empty, int: empty, float: empty };

/** Puts a table on a class of the runtime. */
export function setMethods(cls: { prototype: any }, table: MethodTable): void {
  cls.prototype[$methods] = table;
  cls.prototype[$corePrototype] = cls.prototype;
}

/** On the prototype of a runtime class: that prototype. An instance whose own prototype is another one is of a subclass. */
export const $corePrototype: unique symbol = Symbol('svc.corePrototype');
