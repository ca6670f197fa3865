/**
 * Specifications of declarations, which compiled (or hand-written TypeScript) code hands to the runtime. These records
 * are the single source for the served manifest, field binding, OpenAPI, persistence and `repr`; the compiler emits
 * them, `node()`, `walker()` … of the TypeScript API build them.
 */

/** A declared type at run time. `ref` resolves lazily because types may be declared later or in a cycle. */
export type TypeRef =
  | {
      readonly t:
        | 'any'
        | 'none'
        | 'str'
        | 'int'
        | 'bool'
        | 'bytes'
        | 'datetime'
        | 'date'
        | 'time'
        | 'timedelta'
        | 'uuid'
        | 'UploadFile'
        | 'object';
    }
  /** `bare`: in a program written in TypeScript, where integral floats are numbers like others. */
  | { readonly t: 'float'; readonly bare?: true }
  | { readonly t: 'list' | 'set' | 'frozenset' | 'iterator'; readonly of: TypeRef }
  /** `items` for `tuple[A, B]`; `of` for `tuple[A, ...]` and bare tuple. */
  | { readonly t: 'tuple'; readonly items: readonly TypeRef[] | undefined; readonly of: TypeRef | undefined }
  | { readonly t: 'dict'; readonly key: TypeRef; readonly value: TypeRef }
  /** `T | None` is a union with none; `named` when it is written `Optional[T]` or `Union[…]`. */
  | { readonly t: 'union'; readonly of: readonly TypeRef[]; readonly named?: true }
  | { readonly t: 'literal'; readonly values: readonly unknown[] }
  | { readonly t: 'ref'; readonly name: string; readonly get: () => unknown } // an archetype class or enum
  | { readonly t: 'unknown'; readonly text: string };

export type AccessTag = 'pub' | 'priv' | 'protect' | undefined;

export interface FieldSpec {
  readonly name: string;
  readonly type: TypeRef;
  /** Fresh value per instance; absent: the field is required (unless `postinit`). */
  readonly default?: () => unknown;
  /** The default when it is a literal, so that generated constructors need no call. */
  readonly literal?: string | number | boolean | null;
  readonly access?: AccessTag;
  /** True for a field that is no constructor parameter; `postinit` of the type assigns it. */
  readonly postinit?: boolean;
  /** True for a field that is given only by name in the constructor (`field(kw_only=True)`). */
  readonly keywordOnly?: boolean;
  /** True for a field that is only handed to `postinit`, not kept (`InitVar[int]`). */
  readonly initOnly?: boolean;
  /** A type that says what the field is, for `@dataclass`. */
  readonly form?: 'ClassVar' | 'InitVar' | 'KW_ONLY';
  /** True for a field that the generated `repr` does not show (`field(repr=False)`). */
  readonly hidden?: boolean;
  /** `static has`: one value per class. */
  readonly static?: boolean;
  /** The value is assigned to the class where the class stands in the text. */
  readonly late?: boolean;
  readonly doc?: string;
}

/**
 * One ability. `run` is called with `this` = the archetype that declares it and `(other, walk)`: in a walker's ability `other` is the
 * location (`here`), in a node's or edge's it is the walker (`visitor`). It may return a promise (async ability, or a wait).
 */
export interface AbilitySpec {
  readonly name: string;
  readonly when: 'entry' | 'exit';
  /** Absent: untyped. Resolves to a class or several classes (any of them matches). */
  readonly trigger?: () => unknown | readonly unknown[];
  /** `file:line:column` of the declaration. */
  readonly at?: string;
  readonly run: (this: any, other: any, walk: any) => unknown;
}

export type ArchetypeKind = 'obj' | 'class' | 'node' | 'edge' | 'walker';

export interface ArchetypeSpec {
  readonly kind: ArchetypeKind;
  readonly name: string;
  /** `__qualname__`, where it is another: of a class inside a class or a function. */
  readonly qualname?: string;
  readonly module: string;
  /** Declared in the program that is run: `__module__` is `__main__`. */
  readonly main?: boolean;
  readonly doc?: string;
  readonly access?: AccessTag;
  readonly async?: boolean; // async walker
  /** Own fields only, in declaration order; the runtime puts inherited ones in front. */
  readonly fields: readonly FieldSpec[];
  /** Own abilities only, in declaration order. */
  readonly abilities: readonly AbilitySpec[];
  /** Names of abstract methods declared here. */
  readonly abstract?: readonly string[];
  readonly sem?: Readonly<Record<string, string>>;
  /** `file:line:column` of the declaration. */
  readonly at?: string;
}

export interface ParamSpec {
  readonly name: string;
  /** Name of the parameter in the `impl`, understood in keyword arguments too. */
  readonly also?: string;
  /** `pos` before `/`, `any` positional or keyword, `kw` after `*`, `args` = *x, `kwargs` = **x. */
  readonly kind: 'pos' | 'any' | 'kw' | 'args' | 'kwargs';
  readonly type: TypeRef;
  /** Present when optional; evaluated once at definition, so it returns the same value each time (Python's rule). */
  readonly default?: () => unknown;
  /** The default as the runtime writes it for a function of its own; `default` gives `None` there. */
  readonly written?: string;
  readonly doc?: string;
}

export interface FunctionSpec {
  readonly name: string;
  readonly qualname: string;
  readonly module: string;
  /** Declared in the program that is run: `__module__` is `__main__`. */
  readonly main?: boolean;
  readonly params: readonly ParamSpec[];
  readonly result: TypeRef;
  readonly access?: AccessTag;
  /** Served though it has no access marker: client code of the program calls it, or `def` of the TypeScript API declares it. */
  readonly endpoint?: true;
  readonly async?: boolean; // async def: a call gives an awaitable
  readonly generator?: boolean;
  readonly waits?: boolean; // gives its value, or a promise where it has to wait: code for a debugger
  readonly ofClass?: boolean; // a class method
  readonly bare?: boolean; // method of a `class` or an enum with no parameters at all: works without a receiver too
  readonly doc?: string;
  readonly sem?: Readonly<Record<string, string>>;
  readonly at?: string;
}

/** Options of `@restspec` (docs/server/programs.md#restspec), as evaluated. */
export interface RestSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly protocol: 'HTTP' | 'WEBHOOK' | 'WEBSOCKET';
  readonly broadcast: boolean;
  readonly envelope: boolean;
  readonly produces: string;
  /** Service whose signatures are checked for WEBHOOK; empty: calls bring an API key. */
  readonly verify: '' | Sender;
  /** Reference `${NAME}` for `verify`: the variable with the secret that calls are signed with. */
  readonly secret: string;
}

/** Services that sign their webhook calls in ways of their own (decisions/0420). `none`: nothing is checked. */
export type Sender = 'github' | 'stripe' | 'slack' | 'standard' | 'none';
