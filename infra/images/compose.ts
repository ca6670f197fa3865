/** An application with its databases as a file of Docker Compose: https://github.com/compose-spec/compose-spec */
import type { Config } from '../../core/config/config.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import { appDirectory } from '../orchestrator/deployment.ts';
import { kvcacheScript } from '../orchestrator/objects/kvcache.ts';

export interface ComposeRequest {
  readonly config: Config;
  /** Names of the variables that hold secrets. */
  readonly secrets: readonly string[];
  readonly name: string;
  readonly image: string;
  /** Absolute path of stored files in the image. */
  readonly filesPath: string;
}

/** Values of secrets are in no file of ours: Compose takes them from its environment or `.env`, and says which are missing. */
export function composeFile({ config, secrets, name, image, filesPath }: ComposeRequest): object {
  const { containerPort: port, docdb, kvcache } = config.scale.orchestrator;
  const databases = { ...(docdb.enabled ? { docdb } : {}), ...(kvcache.enabled ? { kvcache } : {}) };
  const waits = Object.fromEntries(Object.keys(databases).map((one) => [one, { condition: 'service_healthy' }]));
  return {
    name,
    services: {
      app: {
        image,
        restart: 'unless-stopped',
        ...rights,
        tmpfs: ['/tmp'],
        ports: [`127.0.0.1:${port}:${port}`],
        environment: environmentOf(config, secrets),
        volumes: [`svc:${appDirectory}/.svc`, `files:${filesPath}`],
        networks: ['default', 'data'],
        ...(Object.keys(waits).length === 0 ? {} : { depends_on: waits }),
      },
      ...(docdb.enabled ? { docdb: documents(docdb.image) } : {}),
      ...(kvcache.enabled ? { kvcache: keyValues(kvcache.image) } : {}),
    },
    // Nothing but the application reaches the databases, and they reach nothing.
    networks: { data: { internal: true } },
    volumes: {
      svc: {},
      files: {},
      ...Object.fromEntries(Object.keys(databases).map((one) => [one, {}])),
    },
  };
}

const rights = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

function environmentOf({ scale }: Config, names: readonly string[]): Record<string, string> {
  const { docdb, kvcache } = scale.orchestrator;
  const { algorithm, secret } = scale.jwt;
  const hasOwn = !algorithm.startsWith('HS') || names.includes('JWT_SECRET') || secret === 'auto';
  return {
    SVC_ENV: 'production',
    // Made at the first start and kept in the volume, unless one is given.
    ...(hasOwn ? {} : { JWT_SECRET: secret === defaultJwtSecret ? '${JWT_SECRET:-auto}' : required('JWT_SECRET') }),
    ...(docdb.enabled ? { DOCDB_URI: 'mongodb://docdb:27017/?replicaSet=rs0' } : {}),
    ...(kvcache.enabled ? { KVCACHE_URL: `redis://:${required('KVCACHE_PASSWORD')}@kvcache:6379/0` } : {}),
    ...Object.fromEntries(names.map((one) => [one, required(one)])),
  };
}

function required(name: string): string {
  return `\${${name}:?set it in .env beside this file}`;
}

const user = '999:999';

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

const often = { interval: '5s', timeout: '5s', retries: 30 };
