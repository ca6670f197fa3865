import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { joinStart } from './join-start.ts';
import { readOutputs } from './outputs.ts';

const shared = {
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'external',
  outdir: '/',
} as const;

const sources = {
  'count.ts': `let n = 0;\nexport const next = () => ++n;\nexport default 'of count';`,
  'also.ts': `import { next } from './count.ts';\nexport const also = () => next();`,
  'lazy.ts': `import word, { next } from './count.ts';\nimport { also } from './also.ts';\nexport const twice = () => [next(), also(), word];`,
  'app.ts': `import { next } from './count.ts';\nexport const run = async () => [next(), ...(await import('./lazy.ts')).twice(), (await import('./also.ts')).also()];`,
  'one.ts': `import { also } from './also.ts';\nimport { run } from './app.ts';\nexport const handler = async () => [also(), ...(await run())];`,
  'two.ts': `import { also } from './also.ts';\nimport { run } from './app.ts';\nexport const handler = () => run().then((list) => [...list, also()]);`,
};

test('what several entries import is one file, which lazy parts share with them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-join-'));
  try {
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
    const entryPoints = { 'handlers/one': join(folder, 'one.ts'), 'handlers/two': join(folder, 'two.ts') };
    const banner = { js: '/* on the first line */' };
    const outputs = readOutputs(await build({ ...shared, entryPoints, banner }), banner.js);
    const joined = await joinStart(outputs, ['handlers/one.mjs', 'handlers/two.mjs'], shared);

    for (const [path, { text }] of Object.entries(joined)) {
      mkdirSync(join(folder, 'out', dirname(path)), { recursive: true });
      writeFileSync(join(folder, 'out', path), text);
    }
    const handlerOf = async (name: string) =>
      (await import(pathToFileURL(join(folder, `out/handlers/${name}.mjs`)).href)).handler;
    expect(await (await handlerOf('one'))()).toEqual([1, 2, 3, 4, 'of count', 5]);
    expect(await (await handlerOf('two'))()).toEqual([6, 7, 8, 'of count', 9, 10]);

    const imports = (path: string) => joined[path]!.imports.filter(({ isLazy }) => !isLazy).map((one) => one.path);
    expect(imports('handlers/one.mjs')).toEqual(['chunks/start.mjs']);
    expect(imports('chunks/start.mjs')).toEqual([]);
    const alone = await joinStart(outputs, ['handlers/one.mjs'], shared);
    expect(alone['handlers/one.mjs']!.imports.map(({ path }) => path)).toEqual(['chunks/start.mjs']);
    expect(Object.keys(joined).length).toBeLessThan(Object.keys(outputs).length);

    for (const [path, needle, source] of [
      ['chunks/start.mjs', 'run=async', 'app.ts'],
      ['handlers/two.mjs', 'handler=', 'two.ts'],
    ] as const) {
      const { text, map } = joined[path]!;
      const before = text.slice(0, text.indexOf(needle)).split('\n');
      const place = { line: before.length, column: before.at(-1)!.length };
      const found = originalPositionFor(new TraceMap(map!), place);
      expect([path, found.source?.endsWith(source), found.line]).toEqual([
        path,
        true,
        sources[source].split('\n').length,
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
