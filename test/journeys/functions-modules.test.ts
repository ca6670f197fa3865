/** Standard modules in archives of functions: the rare ones are there when the program imports one of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

async function answers(program: string): Promise<{ reports: unknown; hasRare: boolean; bytes: number }> {
  using folder = folderWith({ 'main.svc': program });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  const archive = join(folder.path, 'out/http.zip');
  using fn = unpackFunction(archive, 'http', { JWT_SECRET: 'x'.repeat(64) });
  const [{ statusCode, body }] = await fn.call([httpEvent('POST', '/walker/Tell', {})]);
  expect(statusCode).toBe(200);
  const bytes = readFileSync(archive);
  const files = Object.entries(unzipSync(bytes));
  const hasRare = files.some(([path, { length }]) => path.includes('/rare-modules') && length > 10_000);
  return { reports: JSON.parse(body).data.reports, hasRare, bytes: bytes.length };
}

test('an archive has the rare standard modules only when the program imports one of them', async () => {
  const tell = (value: string) => `walker:pub Tell { can tell with Root entry { report ${value}; } }`;
  const usual = await answers(`import json;\nimport re;\n${tell('json.dumps(re.findall("[0-9]+", "a1b22"))')}`);
  expect(usual).toMatchObject({ reports: ['["1", "22"]'], hasRare: false });
  const rare = await answers(`import base64;\n${tell('base64.b64encode(b"rare").decode()')}`);
  expect(rare).toMatchObject({ reports: ['cmFyZQ=='], hasRare: true });
  expect(rare.bytes - usual.bytes).toBeGreaterThan(100_000);
  const named = await answers(tell('__import__("base64").b64encode(b"named").decode()'));
  expect(named).toMatchObject({ reports: ['bmFtZWQ='], hasRare: true });
});
