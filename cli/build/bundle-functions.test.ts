import { expect, test } from 'vitest';
import { findTooLarge } from '../../infra/cloud/sizes.ts';
import { digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import { folderWith } from '../../test/harness/svc-process.ts';
import { bundleFunctions } from './bundle-functions.ts';
import { checkSizes } from './check-limits.ts';

test('a bundle says which packages it consists of, and functions only what was asked for', async () => {
  using folder = folderWith({
    'node_modules/@big/data/package.json': '{"name": "@big/data", "main": "index.mjs"}',
    'node_modules/@big/data/index.mjs': `export const data = ${JSON.stringify('x'.repeat(3_000_000))};`,
    'main.mjs': `import { data } from '@big/data';\nconsole.log(data);\n`,
  });
  const request = {
    compiled: {
      directory: folder.path,
      entryFile: 'main.mjs',
      entryId: 'main',
      hasScripts: false,
      isTemporary: false,
      labels: [],
      diagnostics: [],
      modules: [],
      wasCached: false,
    },
    configFile: undefined,
    database: { store: '', databaseUrl: '', docdbUri: '', kvcacheUrl: '' } as never,
    node: '22',
  };
  const alone = await bundleFunctions({ ...request, functions: ['http'] });
  expect(alone.functions.map(({ name }) => name)).toEqual(['http']);
  const { functions } = await bundleFunctions({ ...request, functions: ['http', 'sweeper'] });
  expect(functions.map(({ name }) => name)).toEqual(['http', 'sweeper']);
  const [http, sweeper] = functions;
  expect(http!.packages.get('@big/data')).toBeGreaterThan(3_000_000);
  expect(sweeper!.packages.has('@big/data')).toBe(false);
  const mapped = await bundleFunctions({ ...request, functions: ['http', 'sweeper'], hasMaps: true });
  expect(Object.keys(mapped.maps)).toEqual(expect.arrayContaining(['handlers/http.mjs.map', 'app/main.mjs.map']));
  expect(mapped.functions.map(({ files }) => digestOfFiles(files))).toEqual(
    functions.map(({ files }) => digestOfFiles(files)),
  );
  for (const { packages } of functions) {
    expect([...packages.keys()]).toEqual(expect.arrayContaining(['the runtime', '@aws-lambda-powertools/logger']));
  }
  expect(http!.packages.has('the program')).toBe(true);
  expect(() => checkSizes(functions, false)).not.toThrow();
  const unpackedBytes = Object.values(http!.files).reduce((sum, { length }) => sum + length, 0);
  const known = [...http!.packages.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(known / unpackedBytes).toBeGreaterThan(0.95);
  const found = findTooLarge([{ ...http!, unpackedBytes }], 2 * 1024 * 1024)!;
  expect(found.problem).toMatch(/^handler http is \d MB unpacked, limit 2 MB$/);
  expect(found.largest[0]).toBe('2.9 MB  @big/data');
});
