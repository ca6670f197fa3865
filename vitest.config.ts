import { defineConfig } from 'vitest/config';
import { leftOut } from './test/left-out.ts';
import { LongestFirst } from './test/long.ts';

const report = process.env['SVC_TEST_REPORT'];

/** Files imported `with { type: 'text' }`, which esbuild knows by itself, as Vite calls them. */
const textFiles = {
  name: 'text-files',
  enforce: 'pre',
  transform: (code: string) => code.replace(/( from '[^']+)' with \{ type: 'text' \}/g, "$1?raw'"),
} as const;

/** Rooms whose tests share a process and what it has imported: importing the compiler anew for each file takes longer than most of them. */
const sharing = '{base,lang,library,core,handlers,infra}/**/*.test.ts';

/** Tests of what a process has loaded or registered, which those before them change. */
const ownProcess = [
  'lang/5-emit/foreign-types.test.ts',
  'core/typescript.test.ts',
  'library/registry.test.ts',
  'library/signatures/modules-reference.test.ts',
  'core/program/load.test.ts',
  'handlers/webhook/webhook-route.test.ts',
];

export default defineConfig({
  plugins: [textFiles],
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Events that tests wait for take longer on a busy machine than the second that is usual.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['{adapters,cli,client,editors,test,examples}/**/*.test.ts', ...ownProcess],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          isolate: false,
          // An exclusion here would take the place of those on the command line.
          include: [sharing, ...ownProcess.map((file) => `!${file}`)],
        },
      },
    ],
    reporters: report === undefined ? ['default', leftOut] : ['default', 'json', leftOut],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
