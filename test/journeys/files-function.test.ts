/** Files in a packaged function: uploads come in base64, local files lie in the instance's own folder, others in a bucket. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { startS3 } from '../harness/s3-server.ts';
import { removeFolder, repository, runSvc } from '../harness/server.ts';

const program = `
import from http { UploadFile }

walker:pub Keep {
  has file: UploadFile;

  can keep with Root entry {
    where = store().upload(self.file, "in/" + self.file.filename);
    report [where, self.file.size, store().download("in/" + self.file.filename).hex()[:16]];
  }
}
`;

/** Builds the program, unpacks its function for calls, and answers one event with it. */
async function invoke(toml: string, event: unknown, env: Readonly<Record<string, string>> = {}) {
  mkdirSync(join(repository, 'node_modules/.cache'), { recursive: true });
  // Below the repository, where packages that are not bundled are found.
  const folder = mkdtempSync(join(repository, 'node_modules/.cache/function-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(join(folder, 'svc.toml'), toml);
  const built = await runSvc(['build', 'main.svc', '--target', 'cloud', '--out', 'out'], { cwd: folder });
  expect(built.stderr).toBe('');
  const bundle = join(folder, 'bundle');
  for (const [path, contents] of Object.entries(unzipSync(readFileSync(join(folder, 'out/http.zip'))))) {
    mkdirSync(dirname(join(bundle, path)), { recursive: true });
    writeFileSync(join(bundle, path), contents);
  }
  const driver = `const { handler } = await import('./handlers/http.mjs');
const answer = await handler(${JSON.stringify(event)}, { awsRequestId: 'id', getRemainingTimeInMillis: () => 29000 });
process.stdout.write('answer ' + JSON.stringify(answer) + '\\n');
process.exit(0);`;
  writeFileSync(join(bundle, 'driver.mjs'), driver);
  const data = join(folder, 'data');
  const own = { SVC_ENV: 'test', SVC_DATABASE_STORE: 'sqlite', SVC_DATA_PATH: data };
  const child = spawn(process.execPath, ['driver.mjs'], { cwd: bundle, env: { ...process.env, ...own, ...env } });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (out += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  const line = out.split('\n').find((one) => one.startsWith('answer '));
  if (line === undefined) throw new Error(out);
  const answer = JSON.parse(line.slice('answer '.length));
  return { answer: JSON.parse(answer.body), out, data, bundle, [Symbol.dispose]: () => removeFolder(folder) };
}

async function uploadOf(content: Buffer): Promise<unknown> {
  const form = new FormData();
  form.append('file', new File([content], 'x.bin'));
  const request = new Request('http://id.example/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  return {
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath: '/walker/Keep',
    rawQueryString: '',
    headers: { 'content-type': request.headers.get('content-type'), 'content-length': String(body.length) },
    requestContext: {
      http: { method: 'POST', path: '/walker/Keep', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' },
      stage: '$default',
    },
    body: body.toString('base64'),
    isBase64Encoded: true,
  };
}

const content = randomBytes(2_000_000);
const start = content.toString('hex').slice(0, 16);

test('local files', async () => {
  using called = await invoke('', await uploadOf(content));
  expect(called.answer.reports).toEqual([['./storage/in/x.bin', content.length, start]]);
  expect(readFileSync(join(called.data, 'storage/in/x.bin')).equals(content)).toBe(true);
  expect(existsSync(join(called.bundle, 'storage'))).toBe(false);
  expect(called.out).toContain('local storage is not durable on this target');
});

test('files in a bucket', async () => {
  await using s3 = await startS3();
  const toml = `[storage]\nstorage_type = "s3"\n[storage.s3]\nbucket = "${s3.bucket}"\nendpoint = "${s3.endpoint}"\n`;
  const env = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'eu-west-1' };
  using called = await invoke(toml, await uploadOf(content), env);
  expect(called.answer.reports).toEqual([[`s3://${s3.bucket}/in/x.bin`, content.length, start]]);
  expect(called.out).not.toContain('not durable');
});
