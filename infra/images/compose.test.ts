import { expect, test } from 'vitest';
import { resolveConfig } from '../../core/config/resolve.ts';
import { type ComposeDatabase, composeFile } from './compose.ts';

function compose(
  databases: readonly ComposeDatabase[],
  env: Readonly<Record<string, string>> = {},
  secrets: readonly string[] = [],
) {
  const { config } = resolveConfig({
    file: undefined,
    env,
    mode: 'production',
    flags: {},
    projectDir: '/app',
    dataDir: '/app/.svc/data',
  });
  return composeFile({ config, databases, secrets, name: 'shop', image: 'shop:1', filesPath: '/app/storage' }) as any;
}

test('an application alone has no database and makes its own key for tokens', () => {
  const { services, volumes } = compose([]);
  expect(Object.keys(services)).toEqual(['app']);
  expect(services.app).toMatchObject({
    image: 'shop:1',
    read_only: true,
    cap_drop: ['ALL'],
    ports: ['127.0.0.1:8000:8000'],
    volumes: ['svc:/app/.svc', 'files:/app/storage'],
  });
  expect(services.app.environment).toEqual({ SVC_ENV: 'production', JWT_SECRET: '${JWT_SECRET:-auto}' });
  expect(Object.keys(volumes)).toEqual(['svc', 'files']);
});

test('databases that are asked for are waited for, and are reached by the application only', () => {
  const file = compose(['docdb', 'kvcache'], { JWT_SECRET: 'canary'.repeat(8) }, ['API_TOKEN']);
  expect(Object.keys(file.services)).toEqual(['app', 'docdb', 'kvcache']);
  const { app, docdb, kvcache } = file.services;
  expect(Object.keys(app.depends_on)).toEqual(['docdb', 'kvcache']);
  expect([docdb.networks, kvcache.networks, docdb.ports, kvcache.ports]).toEqual([
    ['data'],
    ['data'],
    undefined,
    undefined,
  ]);
  expect(file.networks.data.internal).toBe(true);
  expect(app.environment).toMatchObject({
    JWT_SECRET: '${JWT_SECRET:?set it in .env beside this file}',
    API_TOKEN: '${API_TOKEN:?set it in .env beside this file}',
    DOCDB_URI: 'mongodb://docdb:27017/?replicaSet=rs0',
  });
  // A dollar sign that Compose leaves alone is written twice.
  expect(kvcache.command[2]).toContain('requirepass $$KVCACHE_PASSWORD');
  expect(JSON.stringify(file)).not.toContain('canary');
});

test('PostgreSQL has its password from the environment only, and a first start of its own', () => {
  const { services, volumes } = compose(['postgres']);
  const password = '${POSTGRES_PASSWORD:?set it in .env beside this file}';
  expect(services.app.environment['DATABASE_URL']).toBe(`postgres://svc:${password}@postgres:5432/svc`);
  expect(services.postgres).toMatchObject({
    environment: { POSTGRES_USER: 'svc', POSTGRES_DB: 'svc', POSTGRES_PASSWORD: password },
    ...{ read_only: true, user: '999:999', networks: ['data'], volumes: ['postgres:/var/lib/postgresql/data'] },
  });
  expect(Object.keys(volumes)).toEqual(['svc', 'files', 'postgres']);
});
