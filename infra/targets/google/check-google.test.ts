/** Configurations that Cloud Run would refuse are refused before anything is made (docs/server/google-cloud.md#limits). */
import { expect, test } from 'vitest';
import { resolveConfig } from '../../../core/config/resolve.ts';
import { cloudRunLimits as limits } from '../../../core/platforms/cloud-run-limits.ts';
import { googleSettings, tooLarge } from './check-google.ts';
import type { GoogleApp } from './google-app.ts';
import { accountId } from './place.ts';
import { serviceTemplate } from './service-template.ts';

const { config } = resolveConfig({
  ...{ file: undefined, env: {}, mode: 'production', profile: undefined, flags: {}, projectDir: '/', dataDir: '/data' },
});
const problems = (gcp: Partial<typeof config.scale.gcp>) =>
  googleSettings({ ...config, scale: { ...config.scale, gcp: { ...config.scale.gcp, ...gcp } } }).map(
    ({ key, path, problem }) => `${key ?? path.replace('scale.gcp.', '')}: ${problem}`,
  );

test.each([
  [{ cpu: '3' }, "cpu: '3' is not 1, 2, 4, 6, 8 or a part of one from 0.08"],
  [{ cpu: '16' }, "cpu: '16' is not 1, 2, 4, 6, 8 or a part of one from 0.08"],
  [{ cpu: '0.5' }, 'cpu: less than 1 takes one call at once: concurrency = 1'],
  [{ cpu: '0.5', concurrency: 1, cpuAlways: true }, 'cpu: less than 1 works while calls last: not with cpu_always'],
  [{ memory: '64Gi' }, "memory: '64Gi' is not 128Mi to 32Gi"],
  [{ memory: '64Mi' }, "memory: '64Mi' is not 128Mi to 32Gi"],
  [{ memory: '1 GB' }, "memory: '1 GB' is not 128Mi to 32Gi"],
  [{ concurrency: 1001 }, 'concurrency: at most 1000'],
  [{ timeoutSeconds: 3601 }, 'timeoutSeconds: at most 3600'],
  [{ minInstances: 11 }, 'minInstances: is more than max_instances, 10'],
  [{ region: 'Belgium' }, "region: 'Belgium' is not a region: europe-west1"],
  [{ cloudSqlInstance: 'db' }, "cloudSqlInstance: 'db' is not project:region:name"],
  [{ env: { PORT: '1' } }, 'gcp.env.PORT: is set by the service'],
  [{ env: { SVC_ENV: 'test' } }, 'gcp.env.SVC_ENV: is production in every deployment'],
])('settings that Cloud Run would refuse: %o', (gcp, problem) => {
  expect(problems(gcp)).toEqual([problem]);
});

test('settings as they are, and at their limits, are none of them', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ cpu: '8', memory: '32Gi', concurrency: 1000, timeoutSeconds: 3600 })).toEqual([]);
  expect(problems({ cpu: '0.08', concurrency: 1, memory: '128Mi' })).toEqual([]);
});

test('values and names that are too large', () => {
  const text = (bytes: number) => 'x'.repeat(bytes);
  expect(tooLarge({ A: text(limits.variableBytes.value) }, { B: text(limits.secretBytes.value) })).toEqual([]);
  expect(tooLarge({ A: text(32_769) }, { B: text(65_537), C: '', [text(210)]: 'x' })).toEqual([
    'the variable A is larger than 32768 bytes',
    'the secret B is larger than 65536 bytes',
    `the name of the secret ${text(210)} is too long`,
    'the secret C is empty, which Secret Manager does not take',
  ]);
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`A${i}`, '']));
  expect(tooLarge(many, {})).toEqual(['1001 variables: at most 1000']);
});

test('names of services stay below what is allowed', () => {
  // infra/check-deployment.ts takes 40 characters; accounts are cut to 30.
  expect(40).toBeLessThanOrEqual(limits.serviceName.value);
  expect(['a', 'demo', 'b'.repeat(27), 'c'.repeat(40)].map(accountId)).toEqual([
    ...['a-svc-run', 'demo-run'],
    expect.stringMatching(/^b{21}-[0-9a-f]{4}-run$/),
    expect.stringMatching(/^c{21}-[0-9a-f]{4}-run$/),
  ]);
});

test('probes leave as much time to start as there is', () => {
  const app = { name: 'a', version: '1', env: {}, secrets: {}, settings: config.scale.gcp } as unknown as GoogleApp;
  const { startupProbe } = serviceTemplate(app, 'p', 'i', {}).containers[0]!;
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(limits.startSeconds.value);
});
