import { defaultJwtSecret } from '../../core/config/options.ts';
import { startDynamo } from '../harness/dynamo-server.ts';
import { startHono } from '../harness/hono-server.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startOffline } from '../harness/offline-server.ts';
import { serveAzure } from '../harness/platforms/azure-server.ts';
import { serveFunctions } from '../harness/platforms/function-server.ts';
import { startPostgres } from '../harness/postgres-server.ts';
import { startServer } from '../harness/server.ts';
import type { Gateway } from '../harness/socket-session.ts';
import { serveWorker } from '../harness/worker-server.ts';

/** A server under test. */
export interface Served {
  readonly base: string;
  /** Address of the sockets, when it is not that of calls. */
  readonly sockets?: string;
  stop(): Promise<unknown>;
}

type Env = Readonly<Record<string, string>>;

/** A server that the transcripts pass on. */
export interface Variant {
  readonly name: string;
  /** Serves the application in `folder`. `env`: what its configuration needs. */
  start(folder: string, env: Env): Promise<Served>;
  readonly gateway?: Partial<Gateway>;
  /** The gateway names the character set of JSON. */
  readonly addsCharset?: boolean;
  /** Transcripts that do not apply, with the reason. */
  readonly differs?: Readonly<Record<string, string>>;
  /** Plays transcripts with such ids alone: the others ask nothing of what this server is there for. */
  readonly only?: RegExp;
}

function svcStart(args: readonly string[], env: Env = {}): Variant['start'] {
  return (folder, needed) => startServer({ folder, args, env: { ...needed, ...env } });
}

/** Rows of docs/cloud.md#what-is-different-there; adapters/hosts/emulated has the tests of what happens instead. */
export const functionsDiffer = {
  'MET-01': 'metrics are off: nothing could scrape instances that come and go',
  'SYS-01': 'its description has the metrics endpoint',
  'GEN-10': 'the gateway reads a body before it calls the function',
  'WSK-06': 'a login that is late is noticed with the next frame or by the sweeper',
  'WSK-16': 'a cap refuses the handshake, because nothing can be posted before it is answered',
};

export const localVariants: readonly Variant[] = [
  { name: 'one process', start: svcStart([]) },
  { name: '2 workers', start: svcStart(['--workers', '2']) },
  {
    name: 'emulated functions',
    start: svcStart(['--emulate'], { SVC_EMULATE_JSON: '1' }),
    gateway: { closesWithOwnCodes: false },
    differs: functionsDiffer,
  },
];

/** Transcripts that differ for a host that speaks `Request` and `Response`. */
const asRequest = {
  'GEN-10': 'connections are those of the server around it, which decides when they close',
  'GEN-15': 'a Request has its dot segments resolved',
  ...Object.fromEntries(
    Array.from({ length: 18 }, (_, i) => [`WSK-${`${i + 1}`.padStart(2, '0')}`, 'a Request cannot become a socket']),
  ),
};

/** Mounted in a server of Hono, through `Request` and `Response`. */
export const honoVariants: readonly Variant[] = (['node', 'deno', 'bun'] as const).map((runtime) => ({
  name: `in a Hono server of ${runtime}`,
  start: (folder, env) => startHono(folder, env, '/', runtime),
  differs: asRequest,
}));

/** The worker of `svc build --target worker`, in workerd over the emulator of DynamoDB. */
export const workerVariant: Variant = {
  name: 'a worker in workerd over DynamoDB',
  start: (folder, env) =>
    serveWorker(folder, {
      SVC_ENV: 'test',
      JWT_SECRET: defaultJwtSecret,
      SSO_MOCK_CLIENT_SECRET: 'demo-client-secret-0123456789',
      ...env,
    }),
  differs: { 'MET-01': functionsDiffer['MET-01'], 'SYS-01': functionsDiffer['SYS-01'], ...asRequest },
};

/** Graph, accounts and connections in the emulator of DynamoDB. */
export const dynamoVariants: readonly Variant[] = [
  { name: 'one process over DynamoDB', start: overDynamo([]) },
  { name: '2 workers over DynamoDB', start: overDynamo(['--workers', '2']) },
  {
    name: 'emulated functions over DynamoDB',
    start: overDynamo(['--emulate'], { SVC_EMULATE_JSON: '1' }),
    gateway: { closesWithOwnCodes: false },
    differs: functionsDiffer,
  },
];

function overDynamo(args: readonly string[], env: Env = {}): Variant['start'] {
  return async (folder, needed) => {
    const dynamo = await startDynamo();
    const stored = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    try {
      const { base, stop } = await startServer({ folder, args, env: { ...needed, ...stored, ...env } });
      return { base, stop: () => stop().finally(dynamo.stop) };
    } catch (error) {
      await dynamo.stop();
      throw error;
    }
  };
}

/** Graph and accounts in a document database, a new one for each server. */
export const mongoVariants: readonly Variant[] = [
  { name: 'one process over MongoDB', start: overMongo([]) },
  { name: '2 workers over MongoDB', start: overMongo(['--workers', '2']) },
];

function overMongo(args: readonly string[]): Variant['start'] {
  return async (folder, needed) => {
    const database = await openDocumentDatabase();
    const end = () => database[Symbol.asyncDispose]();
    const stored = { DOCDB_URI: database.uri, SVC_DATABASE_DOCDB_NAME: `svc_wire_${Date.now().toString(36)}` };
    try {
      const { base, stop } = await startServer({ folder, args, env: { ...needed, ...stored } });
      return { base, stop: () => stop().finally(end) };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

/** Graph and accounts in PostgreSQL, a server for each. */
export const postgresVariants: readonly Variant[] = [
  { name: 'one process over PostgreSQL', start: overPostgres([]) },
  { name: '2 workers over PostgreSQL', start: overPostgres(['--workers', '2']) },
];

function overPostgres(args: readonly string[]): Variant['start'] {
  return async (folder, needed) => {
    const database = await startPostgres();
    const end = () => database[Symbol.asyncDispose]();
    try {
      const { base, stop } = await startServer({ folder, args, env: { ...needed, DATABASE_URL: database.url } });
      return { base, stop: () => stop().finally(end) };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

/** The archives of `svc build` under `osls offline`. */
export const offlineVariant: Variant = {
  name: 'packaged functions under osls offline',
  async start(folder, env) {
    // The archives hold no secret, not even one of svc.toml.
    const secrets = { SSO_MOCK_CLIENT_SECRET: 'demo-client-secret-0123456789' };
    const { base, socketBase, stop } = await startOffline({ folder, env: { ...env, ...secrets } });
    return { base, sockets: socketBase, stop };
  },
  gateway: { closesWithOwnCodes: false, hasPaths: false, frameWaitMs: 20_000 },
  addsCharset: true,
  differs: {
    ...functionsDiffer,
    // Work that serverless-offline does before or after the function; the other variants show the function's own
    // answers.
    'GEN-12': 'it answers preflights itself',
    'GEN-15': 'it resolves dot segments',
  },
};

/** Secrets that a bundle does not hold, and the mode in which the application of the transcripts runs. */
const bundled = {
  SVC_ENV: 'test',
  JWT_SECRET: defaultJwtSecret,
  SSO_MOCK_CLIENT_SECRET: 'demo-client-secret-0123456789',
  SVC_SECRETS_PATH: '',
};

/** Behind gateways that carry no sockets. */
const callsOnly = {
  'MET-01': functionsDiffer['MET-01'],
  'SYS-01': functionsDiffer['SYS-01'],
  'GEN-10': functionsDiffer['GEN-10'],
  ...Object.fromEntries(
    Array.from({ length: 18 }, (_, i) => [`WSK-${`${i + 1}`.padStart(2, '0')}`, 'there are no sockets']),
  ),
};

/** Archives of `svc build --target function` under the runtime client of the service, with sockets and without. */
export const lambdaVariants: readonly Variant[] = [
  {
    name: 'functions under their runtime client',
    start: (folder, env) => serveFunctions({ folder, env: { ...bundled, ...env }, format: 'http-api' }),
    gateway: { closesWithOwnCodes: false, hasPaths: false, frameWaitMs: 20_000 },
    differs: functionsDiffer,
  },
  {
    name: 'the function that streams under its runtime client',
    start: (folder, env) =>
      serveFunctions({ folder, env: { ...bundled, ...env }, format: 'http-api', calls: 'stream' }),
    differs: callsOnly,
    only: /^(GEN|USR|WLK|FUN)/,
  },
];

/** Archives of `svc build --target function --platform …`. */
export const platformVariants: readonly Variant[] = [
  ...(['aws-v1', 'alb'] as const).map((format) => ({
    name: `a function behind ${format} under its runtime client`,
    start: (folder: string, env: Env) => serveFunctions({ folder, env: { ...bundled, ...env }, format }),
    differs: callsOnly,
    only: /^(?!CON)/,
  })),
  {
    name: 'a function of Azure',
    start: (folder, env) => serveAzure(folder, { ...bundled, ...env }),
    differs: { ...callsOnly, ...asRequest },
  },
];
