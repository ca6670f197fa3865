/** An application with its databases as a file of Docker Compose: https://github.com/compose-spec/compose-spec */
import type { Config } from '../../core/config/config.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import { appDirectory } from '../orchestrator/deployment.ts';
import { kvcacheScript } from '../orchestrator/objects/kvcache.ts';

export const composeDatabases = ['postgres', 'docdb', 'kvcache'] as const;
export type ComposeDatabase = (typeof composeDatabases)[number];

export interface ComposeRequest {
  readonly config: Config;
  /** Databases beside the application; `docdb` and `kvcache` have the images of the configuration. */
  readonly databases: readonly ComposeDatabase[];
  /** Names of the variables that hold secrets. */
  readonly secrets: readonly string[];
  readonly name: string;
  readonly image: string;
  /** Absolute path of stored files in the image. */
  readonly filesPath: string;
}

/** Values of secrets are in no file of ours: Compose takes them from its environment or `.env`, and says which are missing. */
export function composeFile(request: ComposeRequest): object {
  const { config, databases, name, image, filesPath } = request;
  const { containerPort: port } = config.scale.orchestrator;
  const waits = Object.fromEntries(databases.map((one) => [one, { condition: 'service_healthy' }]));
  return {
    name,
    services: {
      app: {
        image,
        restart: 'unless-stopped',
        ...rights,
        tmpfs: ['/tmp'],
        ports: [`127.0.0.1:${port}:${port}`],
        environment: environmentOf(request),
        volumes: [`svc:${appDirectory}/.svc`, `files:${filesPath}`],
        networks: ['default', 'data'],
        ...(Object.keys(waits).length === 0 ? {} : { depends_on: waits }),
      },
      ...Object.fromEntries(databases.map((one) => [one, services[one](config)])),
    },
    // Nothing but the application reaches the databases, and they reach nothing.
    networks: { data: { internal: true } },
    volumes: {
      svc: {},
      files: {},
      ...Object.fromEntries(databases.map((one) => [one, {}])),
    },
  };
}

const rights = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

function environmentOf({ config, databases, secrets: names }: ComposeRequest): Record<string, string> {
  const { algorithm, secret } = config.scale.jwt;
  const hasOwn = !algorithm.startsWith('HS') || names.includes('JWT_SECRET') || secret === 'auto';
  return {
    SVC_ENV: 'production',
    // Made at the first start and kept in the volume, unless one is given.
    ...(hasOwn ? {} : { JWT_SECRET: secret === defaultJwtSecret ? '${JWT_SECRET:-auto}' : required('JWT_SECRET') }),
    ...Object.fromEntries(databases.map((one) => addresses[one])),
    ...Object.fromEntries(names.map((one) => [one, required(one)])),
  };
}

function required(name: string): string {
  return `\${${name}:?set it in .env beside this file}`;
}

/** Variable and value by which the application finds a database. */
const addresses: Readonly<Record<ComposeDatabase, readonly [string, string]>> = {
  postgres: ['DATABASE_URL', `postgres://svc:${required('POSTGRES_PASSWORD')}@postgres:5432/svc`],
  docdb: ['DOCDB_URI', 'mongodb://docdb:27017/?replicaSet=rs0'],
  kvcache: ['KVCACHE_URL', `redis://:${required('KVCACHE_PASSWORD')}@kvcache:6379/0`],
};

const user = '999:999';
const often = { interval: '5s', timeout: '5s', retries: 30 };

const services: Readonly<Record<ComposeDatabase, (config: Config) => object>> = {
  postgres: () => rows,
  docdb: ({ scale }) => documents(scale.orchestrator.docdb.image),
  kvcache: ({ scale }) => keyValues(scale.orchestrator.kvcache.image),
};

const rows = {
  image: 'postgres:17',
  restart: 'unless-stopped',
  ...rights,
  user,
  tmpfs: ['/tmp', '/run/postgresql'],
  environment: { POSTGRES_USER: 'svc', POSTGRES_DB: 'svc', POSTGRES_PASSWORD: required('POSTGRES_PASSWORD') },
  // The server that prepares an empty volume listens on no address yet.
  healthcheck: { test: ['CMD', 'pg_isready', '-q', '-h', '127.0.0.1', '-U', 'svc', '-d', 'svc'], ...often },
  volumes: ['postgres:/var/lib/postgresql/data'],
  networks: ['data'],
};

function documents(image: string): object {
  const start = "try { rs.status() } catch { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'docdb:27017' }] }) }";
  const check = `${start}; quit(db.hello().isWritablePrimary ? 0 : 1)`;
  return {
    image,
    restart: 'unless-stopped',
    ...rights,
    user,
    tmpfs: ['/tmp'],
    command: ['mongod', '--replSet', 'rs0', '--bind_ip_all', '--dbpath', '/data/db'],
    healthcheck: { test: ['CMD', 'mongosh', '--quiet', '--norc', '--eval', check], ...often },
    volumes: ['docdb:/data/db'],
    networks: ['data'],
  };
}

function keyValues(image: string): object {
  const escaped = (script: string) => script.replaceAll('$', '$$$$');
  const check = 'REDISCLI_AUTH="$KVCACHE_PASSWORD" valkey-cli ping | grep -q PONG';
  return {
    image,
    restart: 'unless-stopped',
    ...rights,
    user,
    command: ['sh', '-c', escaped(kvcacheScript)],
    environment: { KVCACHE_PASSWORD: required('KVCACHE_PASSWORD') },
    healthcheck: { test: ['CMD', 'sh', '-c', escaped(check)], ...often },
    volumes: ['kvcache:/data'],
    networks: ['data'],
  };
}
