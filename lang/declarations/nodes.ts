/** Nodes of TypeScript declarations: types as written, without meaning yet. */

export type TypeNode =
  /** `unknown` covers everything that is valid and means nothing to the language. */
  | { readonly k: 'unknown' }
  | { readonly k: 'plain'; readonly of: 'str' | 'number' | 'int' | 'bool' | 'none' }
  /** A string that is one certain text. */
  | { readonly k: 'text'; readonly value: string }
  | { readonly k: 'name'; readonly path: readonly string[]; readonly args: readonly TypeNode[] }
  | {
      readonly k: 'import';
      readonly specifier: string;
      readonly path: readonly string[];
      readonly args: readonly TypeNode[];
      readonly isValue: boolean;
    }
  | { readonly k: 'typeof'; readonly path: readonly string[] }
  | { readonly k: 'list'; readonly of: TypeNode }
  | { readonly k: 'union' | 'both'; readonly of: readonly TypeNode[] }
  | { readonly k: 'function'; readonly signature: Signature }
  | { readonly k: 'object'; readonly members: Members }
  | { readonly k: 'this' };

export interface Signature {
  /** Names of type parameters: what has such a type is unknown. */
  readonly generics: readonly string[];
  readonly params: readonly Param[];
  /** Undefined when it is not written. */
  readonly result: TypeNode | undefined;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  readonly hasBody: boolean;
}

export interface Param {
  readonly name: string;
  readonly type: TypeNode | undefined;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

export interface Member {
  readonly name: string;
  readonly isStatic: boolean;
  readonly isOptional: boolean;
  /** Type of a field; undefined when it is not written. */
  readonly type: TypeNode | undefined;
  /** Signature of a method, overloads one by one. */
  readonly signature: Signature | undefined;
}

export interface Members {
  readonly all: readonly Member[];
  readonly constructors: readonly Signature[];
  readonly calls: readonly Signature[];
  /** `[name: string]: T` */
  readonly index: TypeNode | undefined;
  /** True when the type has members whose names are not known. */
  readonly isOpen: boolean;
}

export type Declaration =
  | { readonly k: 'function'; readonly signature: Signature }
  | { readonly k: 'variable'; readonly type: TypeNode | undefined }
  | { readonly k: 'alias'; readonly generics: readonly string[]; readonly type: TypeNode }
  | {
      readonly k: 'class' | 'interface';
      readonly generics: readonly string[];
      /** `extends`: names; undefined for an expression. */
      readonly bases: readonly (TypeNode | undefined)[];
      readonly members: Members;
    }
  | { readonly k: 'enum'; readonly members: readonly string[]; readonly of: 'str' | 'number' | 'mixed' };

export const unknown: TypeNode = { k: 'unknown' };
