import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBaseLayout } from '../../test/harness/images/base-layout.ts';
import { removeFolder } from '../../test/harness/server.ts';
import { bytesOf } from './blob.ts';
import { buildFunctionImage } from './function-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-function-image-'));
const [base, bare] = [join(folder, 'base'), join(folder, 'bare')];
const architectures = ['amd64', 'arm64'];

beforeAll(async () => {
  const env = ['LAMBDA_TASK_ROOT=/var/task', 'LANG=C'];
  await writeBaseLayout(base, { architectures, hasNode: false, env });
  await writeBaseLayout(bare, { architectures, hasNode: false });
});
afterAll(() => removeFolder(folder));

const functions = ['http', 'sweeper'].map((name) => ({
  name,
  files: { [`handlers/${name}.mjs`]: Buffer.from(`// ${name}`) },
}));
const build = (from: string, platform = 'linux/arm64') =>
  buildFunctionImage({ name: 'demo', version: '1.0.0', functions, base: `oci:${from}`, platform, env: {} });

test('each function has a folder in one layer, and the base image starts as it did', async () => {
  const { images } = await build(base);
  const [image] = images;
  expect([images.length, image!.layers.length, image!.baseLayers]).toEqual([1, 2, 1]);
  const names = gunzipSync(await bytesOf(image!.layers[1]!)).toString();
  expect(names).toContain('var/task/http/handlers/http.mjs');
  expect(names).toContain('var/task/sweeper/handlers/sweeper.mjs');
  const { config, architecture } = JSON.parse((await bytesOf(image!.config)).toString());
  expect([architecture, config.Cmd, config.Env]).toEqual([
    'arm64',
    ['node'],
    ['PATH=/usr/local/bin:/usr/bin:/bin', 'LAMBDA_TASK_ROOT=/var/task', 'LANG=C'],
  ]);
});

test('the same functions are the same image; another processor is another', async () => {
  const [one, two, other] = [await build(base), await build(base), await build(base, 'linux/amd64')];
  expect(one.digest).toBe(two.digest);
  expect(other.digest).not.toBe(one.digest);
});

test('an image that runs no functions is refused', async () => {
  await expect(build(bare)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(/does not run functions of AWS: it has no LAMBDA_TASK_ROOT$/),
    hints: [expect.stringContaining('public.ecr.aws/lambda/nodejs:22')],
  });
});
