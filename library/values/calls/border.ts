/**
 * The border between programs and JavaScript (decisions/0315). It is open in processes that import a package, a module of Node or a file in
 * JavaScript or TypeScript from an `.svc` module; what it does is in open-border.ts, which is read then.
 */
import type { DerivedLayout, Maker } from '../../classes/meta.ts';

type Pairs = readonly (readonly [string, unknown])[];

export interface Border {
  /** Calls a function or class without a signature: the arguments are given, the result is taken. Keywords are one more argument. */
  readonly call: (f: any, args: readonly unknown[], keywords: Pairs) => unknown;
  /** The same for a method of an object. */
  readonly apply: (method: any, self: object, args: readonly unknown[]) => unknown;
  /** Gives the function that `o.name` is where it is called, when its value is `f`. */
  readonly member: (o: any, f: any) => any;
  /** Does an object, function or class belong to JavaScript? */
  readonly isForeign: (x: any) => boolean;
  /** Gives the maker of instances for a class of the program that derives from a class of JavaScript. */
  readonly makerOf: (base: any, layout: DerivedLayout) => Maker;
  /** The value as JavaScript sees it. */
  readonly give: (x: unknown) => unknown;
  /** The value as the program sees it: what was given is itself again. */
  readonly take: (x: unknown) => unknown;
  /** An attribute that an object of JavaScript does not have itself; undefined when there is none. */
  readonly attribute: (o: object, name: string) => unknown;
  /**
   * Gives the value that an object of JavaScript is in the language: for a Map a dict that reads and writes its
   * entries; undefined when it is nothing else.
   */
  readonly meaning: (o: any) => any;
  /** Equality of objects one of which may come from JavaScript. */
  readonly equal: (a: object, b: object) => boolean;
}

export let border: Border | undefined;

/** Puts an open border in place; called by open-border.ts when it is read. */
export function setBorder(opened: Border): void {
  border = opened;
}

let read: () => Promise<unknown> = () => Promise.reject(new Error('nothing opens the border to JavaScript'));

/** Hands over what reads open-border.ts. */
export function setBorderReader(reader: () => Promise<unknown>): void {
  read = reader;
}

/** Opens the border; generated code calls it before anything else of a module that imports from JavaScript. */
export function openBorder(): unknown {
  return border ?? read();
}

/** Gives the value that an object of JavaScript is in the language, as `Border.meaning` does; undefined where the border is closed. */
export function meaningOf(x: unknown): any {
  return border?.meaning(x);
}

/** Tells whether an object is an object literal, or one without a prototype. */
export function isPlainObject(x: any): boolean {
  if (typeof x !== 'object' || x === null) return false;
  const prototype = Object.getPrototypeOf(x);
  return prototype === Object.prototype || (prototype === null && x[Symbol.toStringTag] !== 'Module');
}
