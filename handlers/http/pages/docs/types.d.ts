/** Values that the scripts of `/docs` and `/redoc` read out of the description, and those they hand each other. */

/** `/openapi.json`, as far as the pages look at it. */
export interface Spec {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly security?: readonly Security[];
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, Scheme>>;
  };
  readonly 'x-svc-websockets'?: readonly Socket[];
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type PathItem = Readonly<Partial<Record<Method, DescribedOperation>>> & {
  readonly parameters?: readonly Parameter[];
};

/** Names of schemes; an empty record says that no credentials are an option too. */
export type Security = Readonly<Record<string, readonly string[]>>;

export interface Scheme {
  readonly type?: string;
  readonly in?: string;
  readonly name?: string;
  readonly description?: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly uniqueItems?: boolean;
  readonly 'x-svc-type'?: string;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** A body of a request, or an answer. */
export interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Content;
}

interface DescribedOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Described;
  readonly responses?: Readonly<Record<string, Described>>;
  readonly security?: readonly Security[];
  /** The service whose signature a webhook checks. */
  readonly 'x-svc-verify'?: string;
  /** An API key may stand for the token. */
  readonly 'x-svc-api-key'?: boolean;
  /** The member of a frame that follows it. */
  readonly 'x-svc-live'?: { readonly walker?: string; readonly function?: string };
}

export interface Socket {
  readonly kind: string;
  readonly target: string;
  readonly path: string;
  readonly access: string;
  readonly broadcast?: boolean;
  readonly message: Schema;
  readonly summary?: string;
  readonly description?: string;
}

/** One entry of the pages: a path with a method, or a socket. */
export interface Operation extends DescribedOperation {
  readonly id: string;
  readonly path: string;
  /** Lower case; `ws` for sockets. */
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly socket?: Socket;
}

export interface Group {
  readonly name: string;
  readonly description?: string;
  readonly operations: Operation[];
}

/** A call as it is sent. */
export interface CallRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** A text, or the fields of a form. */
  readonly body?: string | FormFields | undefined;
}

export type FormFields = [name: string, value: string | File][];

export interface BodyEditor {
  readonly view: HTMLElement | null;
  read(): { readonly type?: string; readonly text?: string; readonly fields?: FormFields };
}

export interface Inputs {
  readonly view: HTMLElement | null;
  readonly rows: readonly {
    readonly parameter: Parameter;
    readonly schema: Schema;
    readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
    readonly view: HTMLElement;
  }[];
}

/** The secret shared with the sender of a webhook: empty where there is none. */
export interface Secret {
  readonly view: HTMLElement | null;
  readonly value: string;
}

/** Attributes of an element: functions become listeners; null, undefined and false are left out. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | URL | null | undefined | ((event: Event) => unknown)>
>;

export type PageLink = [text: string, path: string, isHere: boolean];

/** Content of an element: what is null, undefined or false is left out. */
export type Child = Node | string | number | null | undefined | false | readonly Child[];
