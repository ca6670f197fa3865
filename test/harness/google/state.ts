/** State of the stand-in for Google Cloud. */
export const project = 'demo-project';
export const region = 'europe-west1';

export interface State {
  readonly services: Map<string, any>;
  readonly revisions: Map<string, any>;
  readonly repositories: Map<string, any>;
  /** Packages of repositories: `projects/…/packages/demo`. */
  readonly packages: Set<string>;
  readonly secrets: Map<string, any>;
  /** Contents of versions by `projects/demo/secrets/demo-TOKEN`; undefined where destroyed. */
  readonly versions: Map<string, (string | undefined)[]>;
  readonly accounts: Map<string, any>;
  readonly policies: Map<string, any>;
  readonly operations: Map<string, Operation>;
  readonly apisOff: Set<string>;
  readonly logs: any[];
  /** Permissions that are missing. */
  readonly denied: Set<string>;
  /** Says why a revision does not become ready. */
  notReady: (revision: any) => string | undefined;
  /** Looks until an operation ends. */
  looks: number;
  /** Tokens that are taken; a new one comes with each sign-in. */
  tokens: Set<string>;
  /** False: nobody may sign in. */
  signsIn: boolean;
  /** `127.0.0.1:1234/demo/svc` */
  registry: string;
  forbidsEverybody: boolean;
  tick: number;
}

export interface Operation {
  readonly name: string;
  left: number;
  /** Carried out at the end; gives the response, or an error. */
  readonly end: () => {
    readonly response?: object;
    readonly error?: { readonly code: number; readonly message: string };
  };
  result?: object;
}

export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly reason: string | undefined;
  constructor(status: number, code: string, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.reason = reason;
  }
}

export function newState(): State {
  return {
    services: new Map(),
    revisions: new Map(),
    repositories: new Map(),
    packages: new Set(),
    secrets: new Map(),
    versions: new Map(),
    accounts: new Map(),
    policies: new Map(),
    operations: new Map(),
    apisOff: new Set(),
    logs: [],
    denied: new Set(),
    notReady: () => undefined,
    looks: 1,
    tokens: new Set(),
    signsIn: true,
    registry: '',
    forbidsEverybody: false,
    tick: 0,
  };
}
