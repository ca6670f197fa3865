/** The fixture application behind `app.handle`, with three users whose tokens are their names. */
import { openMemory } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { defaultConfig } from '../../core/config/resolve.ts';
import { Failure } from '../../core/errors.ts';
import { SHARED_ROOT_ID } from '../../core/graph/ids.ts';
import { silentLog } from '../../core/log/create-log.ts';
import type { Log } from '../../core/log/log.ts';
import { createRuntime } from '../../core/memory/runtime.ts';
import { type App, createApp } from '../../handlers/app.ts';
import type { Reply } from '../../handlers/call.ts';
import type { Caller } from '../../handlers/caller.ts';
import type { AppDeps } from '../../handlers/deps.ts';
import { graphRoutes } from '../../handlers/http/graph/routes.ts';
import { metricsRoute } from '../../handlers/http/metrics-route.ts';
import { telling } from '../../handlers/http/telling.ts';
import type { Auth } from '../../handlers/routes.ts';
import { createSocketApps } from '../../handlers/socket/socket-app.ts';
import { createWebhookRoutes } from '../../handlers/webhook/webhook-route.ts';
import { type CallOptions, callOf } from './call-of.ts';
import { loadFixture } from './fixture-program.ts';

export interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, streams to their end. */
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: any;
  readonly reply: Reply;
}

export interface FixtureApp {
  readonly app: App;
  send(method: string, target: string, body?: unknown, options?: SendOptions): Promise<Sent>;
  post(target: string, body?: unknown, options?: SendOptions): Promise<Sent>;
}

export interface SendOptions extends CallOptions {
  /** `ada`, `bob` or `cy2`; any other text is a bad token. */
  readonly as?: string;
}

export type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K];
};

export interface FixtureOptions {
  readonly config?: DeepPartial<Config>;
  readonly mode?: Config['mode'];
  readonly log?: Log;
  readonly deps?: Partial<AppDeps>;
}

const guest: Caller = { kind: 'guest', userId: null, rootId: SHARED_ROOT_ID, role: 'guest', ignoredToken: false };

export async function fixtureApp({
  config,
  mode = 'test',
  log = silentLog,
  deps = {},
}: FixtureOptions = {}): Promise<FixtureApp> {
  const stores = await openMemory();
  const users = new Map<string, Caller>();
  for (const [i, name] of ['ada', 'bob', 'cy2'].entries()) {
    const rootId = String(i + 1).repeat(32);
    users.set(name, { kind: 'user', userId: name, rootId, role: 'user', ignoredToken: false });
    await stores.accounts.createAccount({
      userId: name,
      rootId,
      role: 'user',
      passwordHash: null,
      profile: {},
      disabled: false,
      sessionVersion: 0,
      identities: [],
      createdAt: '',
      updatedAt: '',
      lastLoginAt: null,
      passwordChangedAt: null,
    });
  }
  const auth: Auth = {
    routes: [],
    identify(call, need) {
      const token = /^Bearer (.*)$/i.exec(call.header('authorization') ?? '')?.[1];
      const user = users.get(token ?? '');
      if (user !== undefined && need !== 'none') return user;
      if (need === 'bearer') {
        const reason = token === undefined ? 'missing' : 'invalid';
        throw new Failure('UNAUTHORIZED', 'Invalid or expired token', { details: { reason } });
      }
      return token === undefined ? guest : { ...guest, ignoredToken: true };
    },
  };
  const app = createApp(loadFixture(), {
    config: merge(defaultConfig(mode), config ?? {}) as Config,
    runtime: createRuntime({ store: stores.graph }),
    parts: {
      createSocketApps,
      createWebhookRoutes,
      metricsRoute,
      graphRoutes,
      ...(mode === 'production' ? {} : { telling }),
    },
    auth,
    log,
    accounts: stores.accounts,
    health: { store: stores.name, durability: stores.durability, ping: stores.ping },
    ...deps,
  });
  const send: FixtureApp['send'] = async (method, target, body, { as, ...options } = {}) => {
    const headers = as === undefined ? options.headers : { ...options.headers, authorization: `Bearer ${as}` };
    const reply = await app.handle(
      callOf(method, target, body, headers === undefined ? options : { ...options, headers }),
    );
    return readReply(reply);
  };
  return { app, send, post: (target, body, options) => send('POST', target, body, options) };
}

/** A reply with its body read to the end. */
export async function readReply(reply: Reply): Promise<Sent> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < reply.headers.length; i += 2) headers[reply.headers[i]!.toLowerCase()] = reply.headers[i + 1]!;
  let text = '';
  if (typeof reply.body === 'string') text = reply.body;
  else if (reply.body instanceof Uint8Array) text = Buffer.from(reply.body).toString();
  else if (reply.body !== undefined)
    for await (const chunk of reply.body) text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
  return { status: reply.status, headers, text, body: isJson ? JSON.parse(text) : undefined, reply };
}

function merge(base: any, over: any): unknown {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return over;
  const made = { ...base };
  for (const [name, value] of Object.entries(over)) made[name] = merge(base?.[name], value);
  return made;
}
