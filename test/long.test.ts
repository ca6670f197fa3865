import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './harness/server.ts';
import long from './long.json' with { type: 'json' };

test('the list of long tests names files that are there, each once', () => {
  const files = [...Object.keys(long.always), ...Object.keys(long.onlyWithAll)];
  expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test('the gate leaves out none of them', () => {
  expect(readFileSync(join(repository, '.ci/run'), 'utf8')).toMatch(/^SVC_TEST_REPORT=\S+ npm test -- --all /m);
});
