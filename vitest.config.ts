import { defineConfig } from 'vitest/config';

const report = process.env['SVC_TEST_REPORT'];

/** Files imported `with { type: 'text' }`, which esbuild knows by itself, as Vite calls them. */
const textFiles = {
  name: 'text-files',
  enforce: 'pre',
  transform: (code: string) => code.replace(/( from '[^']+)' with \{ type: 'text' \}/g, "$1?raw'"),
} as const;

export default defineConfig({
  plugins: [textFiles],
  test: {
    include: ['{base,lang,library,core,handlers,adapters,infra,cli,client,test,examples,editors}/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
