/** Tests of the browser half as one file that runs in Node, with everything it imports but the DOM. */
import { dirname, relative, resolve } from 'node:path';
import type { ClientJob } from './job.ts';
import { folderOfPackage, importPackage, placeOfPackage } from './packages.ts';
import { entryId } from './plugin.ts';
import { findRuntime } from './runtime-files.ts';
import { type Vite, viteConfig } from './vite-config.ts';

/** Packages that tests of components need besides those of the program. */
const needed = [
  'vite',
  'react',
  'react-dom',
  'happy-dom',
  '@testing-library/react',
  '@testing-library/dom',
  '@testing-library/user-event',
];

/** Names of the packages that are missing for tests of components. */
export function missingForTests(projectDir: string): readonly string[] {
  return needed.filter((name) => {
    const from = placeOfPackage(name, projectDir);
    return from === undefined || folderOfPackage(name, from) === undefined;
  });
}

/**
 * Builds `<directory>/tests.mjs` with its map beside it. It exports `files`: `{path, tests}` of each module, and `cleanup`.
 *
 * @throws what Vite throws; `describeFailure` takes it apart
 */
export async function buildTests(job: ClientJob, paths: readonly string[], directory: string): Promise<void> {
  const { projectDir } = job.config;
  const vite = await importPackage<Vite>('vite', projectDir);
  const entry = () => testsEntry(paths);
  const config = await viteConfig({ vite, command: 'build', job: () => job, runtime: findRuntime(), entry });
  await vite.build({
    ...config,
    mode: 'test',
    define: { ...config.define, 'process.env.NODE_ENV': '"test"' },
    resolve: { ...config.resolve, conditions: ['module', 'browser', 'development'] },
    logLevel: 'silent',
    build: {
      ...config.build,
      outDir: directory,
      emptyOutDir: false,
      assetsDir: '',
      sourcemap: true,
      minify: false,
      target: 'node20',
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        ...config.build?.rolldownOptions,
        checks: { pluginTimings: false, ...config.build?.rolldownOptions?.checks },
        input: { tests: entryId },
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: 'tests.mjs',
          codeSplitting: false,
          sourcemapPathTransform: (source, map) => relative(projectDir, resolve(dirname(map), source)),
        },
        onwarn: () => {},
      },
    },
  });
}

function testsEntry(paths: readonly string[]): string {
  const imports = paths.map((path, i) => `import { $tests as tests${i} } from ${JSON.stringify(path)};`);
  const files = paths.map((path, i) => `{ path: ${JSON.stringify(path)}, tests: tests${i} }`);
  return [
    ...imports,
    `export { cleanup } from '@svc/runtime/testing';`,
    `export const files = [${files.join(', ')}];`,
    '',
  ].join('\n');
}
