import {
  type FixtureClock,
  type FixtureLog,
  type FixtureStore,
  fixtureClock,
  fixtureConfig,
  fixtureLog,
  fixturePasswords,
  fixtureStore,
} from '../../core/accounts/fixture.ts';
import { Failure } from '../../core/errors.ts';
import type { Call } from '../call.ts';
import { type FixedRoute, isAnswer } from '../routes.ts';
import { type AccountAuth, type AuthDeps, createAuth } from './auth.ts';

/** The account endpoints without the rest of a server: what tests of this folder and of the account routes call. */
export interface AuthFixture {
  readonly auth: AccountAuth;
  readonly store: FixtureStore;
  readonly clock: FixtureClock;
  readonly log: FixtureLog;
  readonly passwords: ReturnType<typeof fixturePasswords>;
  send(method: FixedRoute['method'], path: string, options?: SendOptions): Promise<Sent>;
  /** Registers and gives the answer's data. */
  register(name: string, password?: string): Promise<Record<string, string>>;
}

interface SendOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly client?: string;
}

export interface Sent {
  readonly status: number;
  readonly data?: Record<string, any>;
  readonly code?: string;
  readonly message?: string;
  readonly details?: any;
  readonly headers: Readonly<Record<string, string>>;
}

export function callWith(authorization: string | undefined): Call {
  return { header: (name: string) => (name === 'authorization' ? authorization : undefined) } as unknown as Call;
}

export function authFixture(
  options: {
    readonly config?: Parameters<typeof fixtureConfig>[0];
    readonly isRemote?: boolean;
    readonly deps?: Partial<AuthDeps>;
  } = {},
): AuthFixture {
  const clock = fixtureClock();
  const store = fixtureStore(clock.now);
  store.isRemote = options.isRemote ?? false;
  const log = fixtureLog();
  const passwords = fixturePasswords();
  const auth = createAuth({
    accounts: store,
    config: fixtureConfig(options.config),
    clock,
    log,
    passwords,
    ...options.deps,
  });

  async function send(
    method: FixedRoute['method'],
    path: string,
    { body = {}, token, client = '192.0.2.1' }: SendOptions = {},
  ) {
    const route = auth.routes.find((candidate) => candidate.method === method && candidate.template === path);
    if (!route) throw new Error(`no route ${method} ${path}`);
    const call = callWith(token === undefined ? undefined : `Bearer ${token}`);
    try {
      const caller = await auth.identify(call, route.auth);
      const context = {
        call,
        caller,
        params: {},
        query: new Map(),
        requestId: 'r1',
        traceId: 't1',
        client,
        origin: 'http://x',
      };
      const result = await route.run({ ...context, body: JSON.parse(JSON.stringify(body)) });
      const { status, data } = isAnswer(result) ? result : { status: 200, data: result };
      return { status, data: data ?? {}, headers: {} };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { status, code, message, details, headers = {} } = error;
      return { status, code, message, details, headers };
    }
  }

  return {
    auth,
    store,
    clock,
    log,
    passwords,
    send,
    async register(name, password = 'correct horse 1') {
      const { data } = await send('POST', '/user/register', { body: { email: name, password } });
      return data as Record<string, string>;
    },
  };
}
