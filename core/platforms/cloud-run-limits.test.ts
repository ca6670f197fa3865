/** Each limit of Cloud Run has a row in docs/server/google-cloud.md#limits (`UPDATE=1` writes the table anew) and a test that it is held. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { options } from '../config/options.ts';
import { cloudRunLimits, type PlatformLimit } from './cloud-run-limits.ts';

const root = join(import.meta.dirname, '../..');
const emulated = 'test/journeys/emulated-cloud-run.test.ts';
const checked = 'infra/targets/google/check-google.test.ts';
const ends = 'a call ends with 504 at its time, still keeps its place in the instance, and beyond all places it is 429';

const tested: Readonly<Record<keyof typeof cloudRunLimits, readonly [file: string, title: string]>> = {
  requestBytes: [emulated, 'a request above 32 MiB is refused, told by its length or not'],
  responseBytes: [emulated, 'an answer above 32 MiB is none'],
  headerBytes: ['core/platforms/cloud-run-limits.test.ts', 'heads of requests: the server takes less'],
  targetBytes: ['core/platforms/cloud-run-limits.test.ts', 'heads of requests: the server takes less'],
  concurrency: [emulated, ends],
  requestSeconds: [emulated, ends],
  socketSeconds: [emulated, 'a socket ends with its request, 1001'],
  startSeconds: [checked, 'probes leave as much time to start as there is'],
  stopSeconds: [emulated, 'an instance ends within ten seconds'],
  variables: [checked, 'values and names that are too large'],
  variableBytes: [checked, 'values and names that are too large'],
  secretBytes: [checked, 'values and names that are too large'],
  secretName: [checked, 'values and names that are too large'],
  serviceName: [checked, 'names of services stay below what is allowed'],
  cpu: [checked, 'settings that Cloud Run would refuse'],
  memoryBytes: [checked, 'settings that Cloud Run would refuse'],
  minMemoryBytes: [checked, 'settings that Cloud Run would refuse'],
};

test.each(Object.entries(tested))('%s has a test', (_, [file, title]) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(`'${title}`);
});

test('heads of requests: the server takes less', () => {
  expect(options['serve.maxHeaderBytes'].default).toBeLessThanOrEqual(cloudRunLimits.headerBytes.value);
  expect(options['serve.maxUrlBytes'].default).toBeLessThanOrEqual(cloudRunLimits.targetBytes.value);
});

test('the page lists them', () => {
  const path = join(root, 'docs/server/google-cloud.md');
  const page = readFileSync(path, 'utf8');
  const holders = { call: 'the emulation', server: 'the server itself', deployment: 'a check before deploying' };
  const rows = Object.values(cloudRunLimits).map(
    (limit: PlatformLimit) => `| [${limit.about}](${limit.source}) | ${shown(limit)} | ${holders[limit.holds]} |\n`,
  );
  const written = page.replace(
    /(\| what \| at most \| held by \|\n\| --- \| --- \| --- \|\n)(\|.*\n)*/,
    (_, head) => head + rows.join(''),
  );
  if (process.env['UPDATE'] === '1') writeFileSync(path, written);
  expect(readFileSync(path, 'utf8')).toBe(written);
});

function shown({ value, unit }: PlatformLimit): string {
  if (unit !== 'bytes') return `${value.toLocaleString('en')}${unit === 'number' ? '' : ` ${unit}`}`;
  const [size, name] =
    value >= 1024 ** 3 ? [1024 ** 3, 'GiB'] : value >= 1024 ** 2 ? [1024 ** 2, 'MiB'] : [1024, 'KiB'];
  return `${value / size} ${name}`;
}
