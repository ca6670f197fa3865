/** Each limit of a platform has a row in the table of its page (`UPDATE=1` writes the tables anew) and a test that it is held. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { options } from '../../core/config/options.ts';
import { cloudRunLimits } from '../../core/platforms/cloud-run-limits.ts';
import type { PlatformLimit } from '../../core/platforms/platform-limit.ts';
import { awsLimits } from './aws-limits.ts';

/** Files, and in each the title of a test. */
type Tests<Table> = Readonly<Record<keyof Table, readonly [file: string, title: string]>>;

const root = join(import.meta.dirname, '../..');

const onGoogle = 'test/journeys/emulated-cloud-run.test.ts';
const googleChecked = 'infra/targets/google/check-google.test.ts';
const ends = 'a call ends with 504 at its time, still keeps its place in the instance, and beyond all places it is 429';

const ofGoogle: Tests<typeof cloudRunLimits> = {
  requestBytes: [onGoogle, 'a request above 32 MiB is refused, told by its length or not'],
  responseBytes: [onGoogle, 'an answer above 32 MiB is none'],
  headerBytes: ['infra/limits/platform-limits.test.ts', 'heads of requests: the server takes less'],
  targetBytes: ['infra/limits/platform-limits.test.ts', 'heads of requests: the server takes less'],
  concurrency: [onGoogle, ends],
  requestSeconds: [onGoogle, ends],
  socketSeconds: [onGoogle, 'a socket ends with its request, 1001'],
  startSeconds: [googleChecked, 'probes leave as much time to start as there is'],
  stopSeconds: [onGoogle, 'an instance ends within ten seconds'],
  variables: [googleChecked, 'values and names that are too large'],
  variableBytes: [googleChecked, 'values and names that are too large'],
  secretBytes: [googleChecked, 'values and names that are too large'],
  secretName: [googleChecked, 'values and names that are too large'],
  serviceName: [googleChecked, 'names of services stay below what is allowed'],
  cpu: [googleChecked, 'settings that Cloud Run would refuse'],
  memoryBytes: [googleChecked, 'settings that Cloud Run would refuse'],
  minMemoryBytes: [googleChecked, 'settings that Cloud Run would refuse'],
};

const emulated = 'adapters/hosts/emulated/emulated.test.ts';
const checked = 'infra/targets/cloud/check-cloud.test.ts';
const stored = 'adapters/stores/dynamodb/limits.test.ts';
const bodies = 'bodies: bytes stay what they were; above 6 MB as an event we refuse, above 10 MB the gateway does';
const frames = 'sockets: frames of 32 KB and messages of 128 KB pass, larger ones close with 1009';
const silence = 'sockets: silent and old connections are closed by the gateway';
const settings = 'settings that AWS would refuse';
const streams = 'streams that are told in a way the service refuses';

const ofAws: Tests<typeof awsLimits> = {
  payloadBytes: [emulated, bodies],
  resultBytes: ['adapters/hosts/lambda/http-handler.test.ts', 'an answer above 6 MB, as it would be sent, is refused'],
  streamedBytes: [emulated, 'an answer that streams is cut off above 200 MB'],
  functionSeconds: [checked, 'functions whose names or times are too long'],
  startSeconds: ['adapters/hosts/lambda/parameters.test.ts', 'a service that stays busy is asked five times'],
  memoryBytes: [checked, settings],
  minMemoryBytes: [checked, settings],
  environmentBytes: [
    'test/journeys/cli-build-needs.test.ts',
    'an environment larger than functions may have is refused',
  ],
  unpackedBytes: ['infra/cloud/service.test.ts', 'a function above the limit is told'],
  directBytes: [checked, 'archives come from a bucket, whatever their size'],
  imageBytes: ['infra/cloud/service.test.ts', 'functions in one image count together'],
  functionName: [checked, 'functions whose names or times are too long'],
  streamRecords: [checked, streams],
  streamAgeSeconds: [checked, streams],
  streamFilters: [checked, streams],
  filterCharacters: [checked, streams],
  gatewayBodyBytes: [emulated, bodies],
  gatewayHeadBytes: [emulated, 'heads: above 10,240 bytes the gateway refuses them'],
  gatewaySeconds: ['infra/cloud/service.test.ts', 'the gateway waits 30 seconds: functions behind it end before'],
  routes: [checked, 'too many routes and integrations of an API'],
  integrations: [checked, 'too many routes and integrations of an API'],
  messageBytes: [emulated, frames],
  frameBytes: [emulated, frames],
  idleSeconds: [emulated, silence],
  lifeSeconds: [emulated, silence],
  messageSeconds: [emulated, 'the configuration of functions keeps calls below their limits'],
  stageName: [checked, settings],
  itemBytes: ['adapters/stores/dynamodb/crash.test.ts', 'an object larger than an item can be is refused'],
  partitionKeyBytes: [stored, 'keys that are made of what people type'],
  transactionItems: [stored, 'a unit of more objects than a transaction takes goes in several'],
  transactionBytes: [stored, 'a unit above the size of a transaction goes in several, each below it'],
  batchItems: [stored, 'a unit of more objects than a transaction takes goes in several, and is read in batches'],
  pageBytes: [stored, 'a query of more than a page is read to its end'],
  tableName: [checked, 'names of tables that DynamoDB would refuse'],
  parameterBytes: [checked, 'secrets that are too large, or have too long names'],
  parameterName: [checked, 'secrets that are too large, or have too long names'],
  parameterPage: ['adapters/hosts/lambda/parameters.test.ts', 'parameters are read in pages'],
  templateBytes: [checked, 'a template that is too large'],
  resources: [checked, 'too many parts of a stack'],
  stackParameters: [checked, 'too many parts of a stack'],
  stackOutputs: [checked, 'too many parts of a stack'],
  stackName: [checked, settings],
  roleCharacters: [checked, 'policies of a role that are too long, with the names that they will have'],
  policyCharacters: [checked, 'the policy that is printed may be a policy of its own'],
  scheduleSeconds: [checked, 'a schedule that is too short'],
  bucketName: [checked, 'buckets that are made have names that the service takes'],
  metricValues: ['adapters/hosts/lambda/embedded-metrics.test.ts', 'labels stay bounded, and so does a record'],
};

interface Platform {
  readonly name: string;
  readonly limits: Readonly<Record<string, PlatformLimit>>;
  readonly tests: Readonly<Record<string, readonly [file: string, title: string]>>;
  readonly page: string;
  readonly least: number;
  readonly server: string;
}

describe.each<Platform>([
  {
    ...{ name: 'Cloud Run', limits: cloudRunLimits, tests: ofGoogle, least: 15 },
    ...{ page: 'docs/server/google-cloud.md', server: 'the server itself' },
  },
  {
    ...{ name: 'AWS', limits: awsLimits, tests: ofAws, least: 40 },
    ...{ page: 'docs/server/cloud.md', server: 'what runs in the functions' },
  },
])('limits of $name', ({ limits, tests, page: file, least, server }) => {
  test('there are as many as are promised', () => {
    expect(Object.keys(limits).length).toBeGreaterThanOrEqual(least);
  });

  test.each(Object.entries(tests))('%s has a test', (_, [path, title]) => {
    expect(readFileSync(join(root, path), 'utf8')).toContain(`'${title}`);
  });

  test('the page lists them', () => {
    const path = join(root, file);
    const page = readFileSync(path, 'utf8');
    const holders = { call: 'the emulation', server, deployment: 'a check before deploying' };
    const rows = Object.values(limits).map(
      (limit) => `| [${limit.about}](${limit.source}) | ${shown(limit)} | ${holders[limit.holds]} |\n`,
    );
    const written = page.replace(
      /(\| what \| at most \| held by \|\n\| --- \| --- \| --- \|\n)(\|.*\n)*/,
      (_, head) => head + rows.join(''),
    );
    if (process.env['UPDATE'] === '1') writeFileSync(path, written);
    expect(written).toContain(rows.join(''));
    expect(readFileSync(path, 'utf8')).toBe(written);
  });
});

test('heads of requests: the server takes less', () => {
  expect(options['serve.maxHeaderBytes'].default).toBeLessThanOrEqual(cloudRunLimits.headerBytes.value);
  expect(options['serve.maxUrlBytes'].default).toBeLessThanOrEqual(cloudRunLimits.targetBytes.value);
});

function shown({ value, unit }: PlatformLimit): string {
  const text = (number: number) => number.toLocaleString('en');
  if (unit !== 'bytes') return `${text(value)}${unit === 'number' ? '' : ` ${unit}`}`;
  const sizes = [
    [1024 ** 3, 'GiB'],
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
  ] as const;
  const [size, name] = sizes.find(([one]) => value >= one && value % one === 0) ?? [1, 'bytes'];
  return `${text(value / size)} ${name}`;
}
