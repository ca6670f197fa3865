/** The types a TypeScript program works with. They name what the runtime's own classes offer an author and nothing else. */

/** A value, or a promise of it where a store has to be asked. `await` takes both. */
export type Waiting<T> = T | Promise<T>;

/** On the type level only: what an archetype is, so that a node is not taken for an edge. */
export declare const kind: unique symbol;
/** On the type level only: the fields a class was declared with. */
export declare const fieldsOf: unique symbol;

export interface Obj {
  readonly [kind]: 'obj';
}

export interface Node {
  readonly [kind]: 'node';
}

/** The root of a user's graph, or of everybody's (`sharedRoot`). */
export interface Root extends Node {
  readonly isRoot?: true;
}

export interface Edge {
  readonly [kind]: 'edge';
  /** Null until the edge joins two nodes. */
  readonly source: Node | null;
  readonly target: Node | null;
  readonly undirected: boolean;
}

/** A walker that reports values of type `R`. */
export interface Walker<R = unknown> {
  readonly [kind]: 'walker';
  /** Values reported by the last walk. */
  reports: R[];
  /** Adds to the reports, and so to the answer of the call. */
  report(value: R): void;
  /**
   * Queues places to go to, at the end or at `index` of the queue; says whether there were any. An ability that does not await it is
   * not over before it is.
   */
  visit(places: Waiting<Place | readonly Place[] | null>, index?: number): Waiting<boolean>;
  /** Ends the walk once the running ability returns. */
  disengage(): void;
}

/** Places that a walker can be at. */
export type Place = Node | Edge;
export type Archetype = Obj | Node | Edge | Walker<any>;

/** A class made with `has`: `new` takes its fields by name. */
export interface ArchetypeClass<I, F> {
  new (...fields: ConstructorArguments<F>): I;
  readonly prototype: I;
  readonly [fieldsOf]: F;
}

/** Any class, abstract ones and those of `.svc` modules included. */
export type AnyClass<I = any> = abstract new (...args: any) => I;

/** A type as stored, served and described. */
export interface Field<T, Optional extends boolean = false, Given = T> {
  readonly spec: FieldShape;
  /** Never there: it carries the types. */
  readonly types?: { readonly value: T; readonly optional: Optional; readonly given: Given };
  /** Left out of requests and answers. */
  private(): Field<T, Optional, Given>;
  /** Left out of requests and answers; for the type and those that extend it. */
  protected(): Field<T, Optional, Given>;
  /** Sets the field's description in the description of the API. */
  describe(text: string): Field<T, Optional, Given>;
}

/** Declaration of a field as data. */
export interface FieldShape {
  readonly type: { readonly t: string };
  readonly fallback: (() => unknown) | undefined;
  readonly access: 'priv' | 'protect' | undefined;
  readonly doc: string | undefined;
}

export type Fields = Readonly<Record<string, Field<any, boolean, any>>>;
export type ValueOf<F> = F extends Field<infer T, boolean, any> ? T : never;
export type GivenOf<F> = F extends Field<any, boolean, infer G> ? G : never;

/** Fields as members of an instance. */
export type Values<F> = { -readonly [K in keyof F]: ValueOf<F[K]> };

type OptionalNames<F> = { [K in keyof F]: F[K] extends Field<any, true, any> ? K : never }[keyof F];

/** Fields as a constructor takes them. */
export type Given<F> = { [K in Exclude<keyof F, OptionalNames<F>>]: GivenOf<F[K]> } & {
  [K in OptionalNames<F>]?: GivenOf<F[K]> | undefined;
};

export type ConstructorArguments<F> = Record<never, never> extends Given<F> ? [fields?: Given<F>] : [fields: Given<F>];

/** `F` with the fields of `G` on top. */
export type Merged<F, G> = Omit<F, keyof G> & G;

/** A mapping by text, in order of insertion. */
export interface Dict<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  delete(key: string): boolean;
  clear(): void;
  entries(): IterableIterator<[string, V]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<V>;
}

/** A set, in order of insertion; equal values are one. */
export interface SetOf<T> extends Iterable<T> {
  readonly size: number;
  has(value: T): boolean;
  add(value: T): void;
  delete(value: T): boolean;
  clear(): void;
}

export interface Bytes {
  readonly data: Uint8Array;
}

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface DateTime extends CalendarDate {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

/** A file of a `multipart/form-data` request. */
export interface UploadFile {
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  readonly file: UploadedBytes;
  read(size?: number): Bytes;
  seek(offset: number, whence?: 0 | 1 | 2): number;
  /** Writes the whole content to a path on the server. */
  save(path: string): null;
}

/** The bytes of an uploaded file, until its call ends. Lines are what going through it gives. */
export interface UploadedBytes extends Iterable<Bytes> {
  read(size?: number): Bytes;
  readline(size?: number): Bytes;
  /** `whence` 0: from the start, 1: from here, 2: from the end. */
  seek(offset: number, whence?: 0 | 1 | 2): number;
  tell(): number;
  close(): null;
}

/** Everybody's right to an object, or one root's. */
export type Level = 'NO_ACCESS' | 'READ' | 'CONNECT' | 'WRITE';
export type Access = 'pub' | 'protect' | 'priv';

/** Options by which a walker or function is served (docs/server/programs.md#restspec). */
export interface Served {
  /** `pub`: no token needed. Without it one is. `priv`: only where this file is the one that is started. */
  readonly access?: Access;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Instead of `/walker/<name>` or `/function/<name>`; `{field}` segments are taken from the address. */
  readonly path?: string;
  readonly protocol?: 'HTTP' | 'WEBHOOK' | 'WEBSOCKET';
  /** True for WEBSOCKET targets that send to everybody connected. */
  readonly broadcast?: boolean;
  /** Service that calls a WEBHOOK target, by its own signatures instead of API keys. */
  readonly verify?: 'github' | 'stripe' | 'slack' | 'standard' | 'none';
  /** Reference `'${NAME}'` for `verify`: the variable with the secret that calls are signed with. */
  readonly secret?: string;
  /** False: the value alone, without the envelope. */
  readonly envelope?: boolean;
  /** Content type of the answer. */
  readonly produces?: string;
  /** Text for the description of the API; by default the comment above the declaration. */
  readonly doc?: string;
}
