/** Entries of a block of declarations: its names, its exports and where links lead. */
export interface Entry {
  readonly kind: 'function' | 'variable' | 'class' | 'interface' | 'alias' | 'enum' | 'namespace';
  readonly name: string;
  /** Start of the name; for a namespace of its body. */
  readonly start: number;
  readonly end: number;
  readonly isAsync: boolean;
}

/** A name of another module: `member` is undefined for all of it. */
export interface Link {
  readonly specifier: string;
  readonly member: string | undefined;
}

export type Export = { readonly of: 'local'; readonly path: readonly string[] } | ({ readonly of: 'link' } & Link);

export interface Block {
  readonly text: string;
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly imports: ReadonlyMap<string, Link>;
  readonly exports: ReadonlyMap<string, Export>;
  /** `export * from`. */
  readonly stars: readonly string[];
  /** `export = a.b`. */
  readonly assigned: readonly string[] | undefined;
  /** Bodies of `declare module 'x'`. */
  readonly modules: ReadonlyMap<string, readonly Entry[]>;
  /** Declarations without code. */
  readonly isAmbient: boolean;
  /** True in declarations without a list of exports: every declaration counts as exported. */
  readonly exportsAll: boolean;
}
