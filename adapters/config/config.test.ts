import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatFinding } from '../../core/config/finding.ts';
import { type ConfigRequest, readConfig } from './read-config.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'config-test-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const read = (more: Partial<ConfigRequest> = {}) =>
  readConfig({ startDir: dir, cwd: dir, env: {}, isTerminal: true, ...more });

test('finds svc.toml above the application and puts data beside it', async () => {
  await writeFile(join(dir, 'svc.toml'), '[serve]\nport = 81\nprt = 1\n');
  await mkdir(join(dir, 'app', 'deep'), { recursive: true });
  const found = read({ startDir: join(dir, 'app', 'deep') });
  expect(found.config).toMatchObject({ projectDir: dir, dataDir: join(dir, '.svc', 'data'), serve: { port: 81 } });
  expect(found.warnings.map(formatFinding)[0]).toContain('svc.toml:3:1');
  expect(read({ env: { SVC_DATA_PATH: '/data' } }).config.dataDir).toBe('/data');
});

test('reads .env behind the process, and not in production', async () => {
  await writeFile(join(dir, '.env'), 'SVC_SERVE_PORT=81\nA=1\nB=2\n');
  const found = read({ env: { B: '3' } });
  expect(found.config.serve.port).toBe(81);
  expect(found.dotEnv).toEqual({ SVC_SERVE_PORT: '81', A: '1' });
  expect(found.env['B']).toBe('3');
  expect(read({ env: { SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(32) } }).config.serve.port).toBe(8000);
});

test('a byte order mark before the text is no part of it', async () => {
  await writeFile(join(dir, 'svc.toml'), '\ufeff[project]\nname = "a"\n');
  await writeFile(join(dir, '.env'), '\ufeffA=1\n');
  const found = read();
  expect([found.problems, found.config.project.name, found.dotEnv]).toEqual([[], 'a', { A: '1' }]);
});

test('files that are not UTF-8 are errors', async () => {
  await writeFile(join(dir, 'svc.toml'), Buffer.from('[project]\nname = "caf\xe9"\n', 'latin1'));
  await writeFile(join(dir, '.env'), Buffer.from('A=\xe9\n', 'latin1'));
  expect(read().problems.map(formatFinding)).toEqual(['.env: byte 2 is not UTF-8', 'svc.toml: byte 21 is not UTF-8']);
});

test('a named file must exist; the mode must be known', () => {
  expect(read({ configFile: 'other.toml' }).problems.map(formatFinding)).toEqual(['other.toml: no such file']);
  expect(read({ env: { SVC_ENV: 'prod' } }).problems.map(formatFinding)[0]).toContain("got 'prod'");
});
