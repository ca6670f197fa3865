/**
 * Files that a packaged function reads before its first answer. Nobody measures time here: what is read is what a cold
 * start takes.
 */
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { copyApp, removeFolder, repository, runSvc } from '../harness/server.ts';

let app: string;

beforeAll(async () => {
  app = copyApp(join(repository, 'examples/todo'));
  const built = await runSvc(['build', 'main.svc', '--target', 'cloud', '--out', 'out'], { cwd: app });
  expect([built.code, built.stderr]).toEqual([0, expect.stringMatching(/^note: secrets stay out/)]);
});
afterAll(() => removeFolder(app));

interface Read {
  /** Files of the archive, chunks without their hash. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Packages outside the archive. */
  readonly packages: ReadonlySet<string>;
  /** Parts of Node. */
  readonly parts: ReadonlySet<string>;
  readonly lines: readonly Record<string, unknown>[];
}

const tellParts = `process.on('exit',()=>console.log('parts '+process.moduleLoadList.join(',')))`;

/** Runs the function for these events in a process of its own. */
async function readFor(events: readonly unknown[], env: Readonly<Record<string, string>> = {}): Promise<Read> {
  const coverage = mkdtempSync(join(tmpdir(), 'svc-cold-start-'));
  try {
    using fn = unpackFunction(join(app, 'out/http.zip'), 'http', {
      NODE_V8_COVERAGE: coverage,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellParts)}`,
      SVC_ENV: 'production',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      SVC_LOGGING_LEVEL: 'info',
      JWT_SECRET: 'x'.repeat(64),
      ...env,
    });
    for (const { statusCode } of await fn.call(events)) expect(statusCode).toBe(200);
    const printed = fn.printed();
    const [file] = readdirSync(coverage);
    const { result } = JSON.parse(readFileSync(join(coverage, file!), 'utf8')) as { result: { url: string }[] };
    const paths = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
    const own = paths.flatMap((path) => /\/function-[^/]*\/((?:chunks|handlers|app)\/.*)$/.exec(path)?.[1] ?? []);
    const folder = paths.find((path) => path.endsWith('/handlers/http.mjs'))!.replace(/handlers\/http\.mjs$/, '');
    const parts = printed.find((line) => line.startsWith('parts '))!.slice('parts '.length);
    return {
      files: own.map((path) => path.replace(/(-[A-Za-z0-9]{8})+\.mjs$/, '.mjs')).sort(),
      bytes: own.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0),
      packages: new Set(paths.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/.]+)\//.exec(path)?.[1] ?? [])),
      parts: new Set(parts.split(',').map((part) => part.replace(/^NativeModule /, ''))),
      lines: printed.filter((line) => line.startsWith('{"level"')).map((line) => JSON.parse(line)),
    };
  } finally {
    removeFolder(coverage);
  }
}

const alive = httpEvent('GET', '/healthz/live');
/** Modules of Node that nothing on the way to a first answer needs. */
const heavy = ['http', 'https', 'tls', 'dns/promises', 'zlib', 'worker_threads', 'internal/deps/undici/undici'];

test('before its first answer a function reads one file of the runtime, its entry, the program and the store', async () => {
  const { files, bytes, packages, parts, lines } = await readFor([alive]);
  expect(files.filter((path) => !/^chunks\/(store|chunk)\.mjs$/.test(path))).toEqual([
    'app/main.mjs',
    'chunks/start.mjs',
    'handlers/http.mjs',
  ]);
  expect(files.length).toBeLessThan(8);
  expect(bytes).toBeLessThan(950_000);
  expect(heavy.filter((part) => parts.has(part))).toEqual([]);
  expect([...packages].filter((name) => !/libsql|neon-rs|detect-libc/.test(name))).toEqual([]);
  expect(lines).toEqual([]);
});

test('a call of the program needs no more files; the description and the pages are read when they are asked for', async () => {
  const [start, called, described] = [
    await readFor([alive]),
    await readFor([alive, httpEvent('GET', '/visits')]),
    await readFor([httpEvent('GET', '/openapi.json'), httpEvent('GET', '/docs')]),
  ];
  expect(called.files).toEqual(start.files);
  expect(heavy.filter((part) => called.parts.has(part))).toEqual([]);
  expect(called.lines.at(-1)).toMatchObject({ message: 'request', path: '/visits' });
  expect(called.lines.filter((line) => line['cold_start'] !== false)).toEqual([]);
  expect(described.files).toEqual(expect.arrayContaining(['chunks/openapi.mjs', 'chunks/docs-files.mjs']));
  expect(described.lines[0]).toMatchObject({ message: 'request', cold_start: true });
});

test('over DynamoDB it reads the client of that, and nothing of other stores', async () => {
  const dynamo = await startDynamo();
  try {
    const env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    const { bytes, packages, parts } = await readFor([alive], env);
    expect(bytes).toBeLessThan(950_000);
    expect(packages).toContain('@aws-sdk/client-dynamodb');
    expect([...packages].filter((name) => /libsql|ioredis|mongodb|client-s3|prom-client/.test(name))).toEqual([]);
    expect(parts.has('sqlite')).toBe(false);
  } finally {
    await dynamo.stop();
  }
});
