import { defineConfig } from 'vitest/config';

const report = process.env['SVC_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['{base,lang,library,core,handlers,adapters,infra,cli,client,test,examples}/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
