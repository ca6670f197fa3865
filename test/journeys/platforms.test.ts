/** `svc build --target function --platform`: what is written for platforms besides the HTTP API (docs/guide/deploy/other-functions.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { packageWithOsls, templateErrors } from '../harness/cloud-template.ts';
import { openDocumentDatabase } from '../harness/mongo/document-database.ts';
import { startAzureHost } from '../harness/platforms/azure-host.ts';
import { serveAzure } from '../harness/platforms/azure-server.ts';
import { startS3 } from '../harness/s3-server.ts';
import { post, register, runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
node Note { has text: str; }
walker Add { has text: str; can add with Root entry { report here ++> Note(text=self.text); } }
walker Texts { can look with Root entry { report [note.text for note in [-->[?:Note]]]; } }
`;

const socketed = `
walker:pub Hello { can go with Root entry { report 1; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Chat { can say with Root entry { report 1; } }
`;

const toml = '[project]\nname = "small"\n[plugins.scale.secrets]\nAPI_TOKEN = "${API_TOKEN:-x}"\n';

const secret = 'a key of the tests, long enough: 0123456789';

async function build(folder: string, platform: string, env: Readonly<Record<string, string>> = {}) {
  const args = ['build', 'main.svc', '--target', 'function', '--platform', platform, '--out', platform];
  return await runSvc(args, { cwd: folder, env });
}

test.each([
  ['aws-v1', /^AWS::(ApiGateway|ElasticLoadBalancing)/, 'AWS::ApiGateway::RestApi', {}],
  ['alb', /^AWS::(ApiGateway|ElasticLoadBalancing)/, 'AWS::ElasticLoadBalancingV2::ListenerRule', listener()],
] as const)(
  '%s: one function that takes every call, and a stack that its checker accepts',
  async (platform, gateways, type, env) => {
    const own = { [`${platform}/README.md`]: 'mine', [`${platform}/notes/mine.txt`]: 'mine' };
    using folder = folderWith({ 'main.svc': socketed, 'svc.toml': toml, ...own });
    const { code, stderr } = await build(folder.path, platform);
    expect([code, stderr]).toEqual([0, `note: there are no sockets with ${platform}: Chat answer 404 there\n`]);
    const out = join(folder.path, platform);
    const made = ['DEPLOY.md', 'http.zip', 'maps', 'serverless.yml', 'sweeper.zip'];
    expect(readdirSync(out).sort()).toEqual([...made, 'README.md', 'notes'].sort());
    for (const [path, text] of Object.entries(own)) expect(readFileSync(join(folder.path, path), 'utf8')).toBe(text);
    const { resources, ofType } = packageWithOsls(out, env);
    expect(templateErrors(out)).toEqual([]);
    const types = new Set(Object.values(resources).map(({ Type }) => Type));
    expect(types).toContain(type);
    expect([...types].filter((one) => gateways.test(one) && !one.startsWith(type.split('::', 2).join('::')))).toEqual(
      [],
    );
    expect(ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.Handler)).toEqual([
      'handlers/http.handler',
      'handlers/sweeper.handler',
    ]);
    const steps = readFileSync(join(out, 'DEPLOY.md'), 'utf8');
    expect(steps).toContain('aws ssm put-parameter --type SecureString --name /small-prod/JWT_SECRET');
    expect(steps).toContain('/small-prod/API_TOKEN');
    if (platform === 'aws-v1')
      expect(ofType('AWS::ApiGateway::RestApi')[0]!.Properties.BinaryMediaTypes).toEqual(['*/*']);
    else
      expect(ofType('AWS::ElasticLoadBalancingV2::TargetGroup')[0]!.Properties.TargetGroupAttributes).toContainEqual({
        Key: 'lambda.multi_value_headers.enabled',
        Value: true,
      });
  },
);

function listener() {
  const arn = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/app/my/50dc6c495c0c9188/f2f7dc8efc522ab2';
  return { ALB_LISTENER_ARN: arn };
}

test('Azure: a whole application over a document database, which a second start finds again', async () => {
  using folder = folderWith({ 'main.svc': program, 'svc.toml': toml });
  await using database = await openDocumentDatabase();
  const store = { DOCDB_URI: database.uri };
  const { code, stderr } = await build(folder.path, 'azure', store);
  expect([code, stderr]).toEqual([0, '']);
  const archive = join(folder.path, 'azure/azure.zip');
  const files = unzipSync(readFileSync(archive));
  const jsonOf = (name: string) => JSON.parse(Buffer.from(files[name]!).toString());
  expect(jsonOf('host.json')).toEqual({
    version: '2.0',
    functionTimeout: '00:00:29',
    extensions: { http: { routePrefix: '' } },
  });
  expect(files[jsonOf('package.json').main]).toBeDefined();
  // Nothing of a table is in it, and no secret.
  expect(Object.values(files).some((bytes) => Buffer.from(bytes).includes('AmazonDynamoDB'))).toBe(false);
  expect(readFileSync(join(folder.path, 'azure/DEPLOY.md'), 'utf8')).toContain('JWT_SECRET="…" API_TOKEN="…"');

  const env = {
    ...store,
    SVC_ENV: 'production',
    JWT_SECRET: secret,
    API_TOKEN: 'x',
  };
  let token = '';
  {
    await using host = await startAzureHost(archive, env);
    expect(host.functions.map(({ name }) => name)).toEqual(['http']);
    token = (await register(host.base, 'ada')).token;
    expect((await post(host.base, '/walker/Add', { text: 'milk' }, token)).ok).toBe(true);
    const { headers } = await fetch(`${host.base}/walker/Texts`, { method: 'POST' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="svc"');
    await expect.poll(() => host.output()).toMatch(/"function_request_id":"invocation-\d+"/);
  }
  await using again = await startAzureHost(archive, env);
  expect((await post(again.base, '/walker/Texts', {}, token)).reports).toEqual([['milk']]);
});

test('Azure over a table of AWS: its packages are in the archive, and a timer settles what broke off', async () => {
  using folder = folderWith({ 'main.svc': program, 'svc.toml': toml });
  await using host = await serveAzure(folder.path, { SVC_ENV: 'production', JWT_SECRET: secret, API_TOKEN: 'x' });
  expect(host.functions.map(({ name }) => name)).toEqual(['http', 'sweeper']);
  const [, sweeper] = host.functions;
  const [[name, timer]] = Object.entries(sweeper!.bindings) as [[string, { type: string; schedule: string }]];
  expect(timer).toMatchObject({ type: 'timerTrigger', schedule: '0 */5 * * * *' });
  const past = { ScheduleStatus: { Last: '2026-01-01T00:00:00', Next: '2026-01-01T00:05:00' }, IsPastDue: false };
  const request = { inputData: [{ name, data: { json: JSON.stringify(past) } }] };
  expect(await host.invoke('sweeper', request)).toMatchObject({ invocationId: expect.stringContaining('invocation') });
  const headers = { 'x-forwarded-for': '198.51.100.9' };
  await fetch(`${host.base}/walker/Texts`, { method: 'POST', headers });
  // The address that the front end saw, not one that a caller made up.
  await expect.poll(() => host.output()).toContain('127.0.0.1');
  expect(host.output()).not.toContain('198.51.100.9');
});

test('a platform that is none, and options for other targets', async () => {
  using folder = folderWith({ 'main.svc': socketed });
  const wrong = await build(folder.path, 'gcf');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('of functions is one of aws-v1, alb, azure')]);
});

test('Azure: an answer goes out as it is made', async () => {
  const streams = `walker:pub Tell { can tell with Root entry { report lines(); } }
def lines -> object { yield "first"; time.sleep(0.5); yield "second"; }
`;
  using folder = folderWith({ 'main.svc': `import time;\n${streams}`, 'svc.toml': '[project]\nname = "small"\n' });
  await using host = await serveAzure(folder.path, { SVC_ENV: 'production', JWT_SECRET: secret });
  const { body, headers } = await fetch(`${host.base}/walker/Tell`, { method: 'POST' });
  expect(headers.get('content-type')).toContain('text/event-stream');
  const pieces: string[] = [];
  for await (const piece of body!) pieces.push(Buffer.from(piece).toString());
  expect(pieces.findIndex((one) => one.includes('first'))).toBeLessThan(
    pieces.findIndex((one) => one.includes('second')),
  );
  expect(pieces.find((one) => one.includes('first'))).not.toContain('second');
});

test('Azure: a client that goes away ends what is made for it', async () => {
  const streams = `walker:pub Tell { can tell with Root entry { report lines(); } }
def lines -> object {
    try { while True { yield "again"; time.sleep(0.02); } } finally { print("the stream has ended"); }
}
`;
  using folder = folderWith({ 'main.svc': `import time;\n${streams}`, 'svc.toml': '[project]\nname = "small"\n' });
  await using host = await serveAzure(folder.path, { SVC_ENV: 'production', JWT_SECRET: secret });
  const client = new AbortController();
  const answer = await fetch(`${host.base}/walker/Tell`, { method: 'POST', signal: client.signal });
  await answer.body!.getReader().read();
  expect(host.output()).not.toContain('the stream has ended');
  client.abort();
  await expect.poll(() => host.output()).toContain('the stream has ended');
  expect(host.output()).not.toMatch(/\n {4}at /);
});

test('Azure: files in a bucket', async () => {
  await using s3 = await startS3();
  const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const files = `import io;
walker:pub Keep { has text: str; can keep with Root entry { store().upload(io.BytesIO(self.text.encode()), "a.txt"); report "kept"; } }
walker:pub Look { can look with Root entry { report store().download("a.txt").decode(); } }
`;
  const storage = `[storage]\nstorage_type = "s3"\n[storage.s3]\nbucket = "${s3.bucket}"\nendpoint = "${s3.endpoint}"\n`;
  using folder = folderWith({ 'main.svc': files, 'svc.toml': `[project]\nname = "small"\n${storage}` });
  await using host = await serveAzure(folder.path, { ...keys, SVC_ENV: 'production', JWT_SECRET: secret });
  const kept = await post(host.base, '/walker/Keep', { text: 'in a bucket' }, '');
  expect(kept.reports, JSON.stringify(kept) + host.output()).toEqual(['kept']);
  expect((await post(host.base, '/walker/Look', {}, '')).reports).toEqual(['in a bucket']);
});
