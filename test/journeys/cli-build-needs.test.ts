/**
 * `svc build --target cloud` makes what a program needs, and refuses what could not be deployed
 * (docs/server/programs.md#start-validation, docs/server/cloud.md#resources, docs/server/cloud.md#environment).
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { linkPackages } from '../harness/link-packages.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { runSvc } from '../harness/server.ts';
import { answerOf } from '../harness/stream-runtime.ts';
import { folderWith } from '../harness/svc-process.ts';

const hello = `walker:pub Hello {
    has n: int = 2;
    can go with Root entry { report [i for i in range(self.n)]; report count(self.n); }
}
def count(n: int) -> object { for i in range(n) { yield {"n": i}; } }
`;

test('functions are built when they are needed, and those of an earlier build go', async () => {
  using folder = folderWith({
    'main.svc': `import os;\n${hello}with entry { print(os.environ.get("GREETING", "started")); }\n`,
    '.env': 'GREETING=set up\n',
    'svc.toml': '[project]\nname = "small"\n[plugins.scale.cloud]\nstream_function_url = true\n',
    'out/websocket.zip': 'of an earlier build',
  });
  const { code, stdout, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, 'set up\n']);
  const built = readdirSync(join(folder.path, 'out')).sort();
  expect(built).toEqual(['http.zip', 'maps', 'serverless.yml', 'stream.zip', 'sweeper.zip']);
  for (const name of ['http.zip', 'stream.zip', 'sweeper.zip', 'serverless.yml'])
    expect(stdout).toMatch(new RegExp(`^ {2}out/${name.replace('.', '\\.')} {2}\\d+ KB$`, 'm'));

  using stream = unpackFunction(join(folder.path, 'out/stream.zip'), 'stream');
  const answers = await stream.call([
    httpEvent('POST', '/walker/Hello', {}),
    httpEvent('POST', '/walker/Nope', {}),
    httpEvent('GET', '/healthz/live'),
  ]);
  const [streamed, unknown, health] = answers.map((bytes) => answerOf(Buffer.from(bytes, 'base64'))!);
  expect(streamed).toMatchObject({
    head: { statusCode: 200, headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } },
    body: 'data: [0,1]\n\ndata: {"n":0}\n\ndata: {"n":1}\n\nevent: end\ndata: {}\n\n',
  });
  expect([unknown!.head.statusCode, JSON.parse(unknown!.body).error.code]).toEqual([404, 'NOT_FOUND']);
  expect(health!.head.statusCode).toBe(200);

  // Nothing names the interface of connections, so there are none to sweep and no table of them is asked for.
  const dynamo = await startDynamo();
  try {
    const env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    using sweeper = unpackFunction(join(folder.path, 'out/sweeper.zip'), 'sweeper', env);
    expect(await sweeper.call([{}])).toEqual([null]);
    expect(await tablesOf(dynamo.endpoint)).toEqual([expect.stringMatching(/graph$/)]);
  } finally {
    await dynamo.stop();
  }
});

async function tablesOf(endpoint: string): Promise<string[]> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

test('pages that follow what is not deployed are told of', { timeout: 120_000 }, async () => {
  const page = `import from "@svc/runtime" { live }
walker:pub Numbers { can go with Root entry { report 1; } }
cl { def:pub app() -> JsxElement { numbers = live(root spawn Numbers()); return <p>{numbers.reports}</p>; } }
`;
  using folder = folderWith({ 'main.svc': page, 'svc.toml': '[project]\nname = "small"\n' });
  linkPackages(folder.path);
  const build = (env = {}) => runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path, env });
  const bare = await build();
  expect([bare.code, bare.stderr]).toEqual([
    0,
    'warning: pages use live() or subscribe(), which is not deployed: set live = true under [plugins.scale.cloud]\n',
  ]);
  const deployed = await build({ SVC_CLOUD_LIVE: 'true' });
  expect([deployed.code, deployed.stderr]).toEqual([0, '']);
});

test('the parameters that webhooks are verified with are named; a function without one does not start', async () => {
  const hook = `@restspec(protocol=APIProtocol.WEBHOOK, verify="stripe", secret="\${STRIPE_HOOK}")
walker Paid { has id: str = ""; can go with Root entry { report self.id; } }
`;
  using folder = folderWith({ 'main.svc': hook, 'svc.toml': '[project]\nname = "small"\n' });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr]).toEqual([
    0,
    'note: webhooks are verified with STRIPE_HOOK: put it into the parameter /small-prod/STRIPE_HOOK\n',
  ]);
  const toml = '[project]\nname = "small"\n[plugins.scale.secrets]\nSTRIPE_HOOK = "${STRIPE_HOOK}"\n';
  writeFileSync(join(folder.path, 'svc.toml'), toml);
  // A deployment makes the parameter itself.
  const dry = ['start', 'main.svc', '--scale', '--target', 'cloud', '--dry-run', '--offline'];
  const plan = await runSvc(dry, { cwd: folder.path, env: { STRIPE_HOOK: 'whsec_1' } });
  expect([plan.code, plan.stderr]).toEqual([0, expect.stringContaining('+ Parameter /small-prod/STRIPE_HOOK\n')]);
  expect(plan.stderr).not.toContain('put it into');
  const path = join(folder.path, 'out/webhook.zip');
  const payload = '{"id":"evt_1"}';
  const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret: 'whsec_1' });
  const plain = httpEvent('POST', '/webhook/Paid', JSON.parse(payload));
  const event = { ...plain, headers: { ...plain.headers, 'stripe-signature': signature } };
  const env = { SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(40) };
  using open = unpackFunction(path, 'webhook', { ...env, STRIPE_HOOK: 'whsec_1' });
  const [answer] = await open.call([event]);
  expect([answer.statusCode, JSON.parse(answer.body).reports]).toEqual([200, ['evt_1']]);
  using closed = unpackFunction(path, 'webhook', env);
  await expect(closed.call([event])).rejects.toThrow('environment variable STRIPE_HOOK is not set');
});

test('what cannot be served is not built, all of it told', async () => {
  using folder = folderWith({
    'main.svc': `@restspec(broadcast=True)
walker:pub Shout { can go with Root entry { report 1; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
walker:pub Chat { can go with Root entry { report 1; } }
`,
  });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([code, stderr.match(/^svc: .*/gm)]).toEqual([
    3,
    ['svc: the application cannot be served: 2 problems, listed above'],
  ]);
  expect(stderr).toContain('Shout: broadcast requires protocol WEBSOCKET\nChat: a WEBSOCKET walker must be async\n');
  expect(existsSync(join(folder.path, 'out'))).toBe(false);
});

test('names that cannot be deployed are refused with their places', async () => {
  using folder = folderWith({
    'main.svc': hello,
    'svc.toml': '[project]\nname = "My shop"\n[plugins.scale.cloud.env]\n"a-b" = "x"\n',
  });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect(code).toBe(3);
  expect(stderr).toMatch(/^svc\.toml: orchestrator\.app_name: 'My shop' is not a name of a deployment/m);
  expect(stderr).toMatch(/^svc\.toml:3:1: cloud\.env\.a-b: is not a name of an environment variable$/m);
});

test('start-up code that does not run here leaves nothing out', async () => {
  using folder = folderWith({ 'main.svc': `${hello}with entry { raise ValueError("only in the cloud"); }\n` });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Error: ValueError: only in the cloud\n --> main\.svc:/);
  expect(stderr).toMatch(/^warning: .*all functions are built$/m);
  const built = readdirSync(join(folder.path, 'out')).sort();
  expect(built).toEqual([
    'http.zip',
    'live.zip',
    'maps',
    'serverless.yml',
    'sweeper.zip',
    'webhook.zip',
    'websocket.zip',
  ]);
});

test('an environment larger than functions may have is refused before anything is written', async () => {
  using folder = folderWith({
    'main.svc': hello,
    'svc.toml': '[plugins.scale.cloud.env]\nTEXT = "${TEXT}"\n',
  });
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], {
    cwd: folder.path,
    env: { TEXT: 'x'.repeat(4096) },
  });
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/^svc: the environment of handler http is 4\d\d\d bytes, limit 4096\n {2}hint: /),
  ]);
  expect(existsSync(join(folder.path, 'out'))).toBe(false);
});

const withDatabase = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
glob cache = kvstore("shop", "kvcache");
with entry { shop.insert_one("seen", {"_id": 1}); print(shop.find_one("seen", {"_id": 1})); }
walker:pub Put { has k: str; can go with Root entry { shop.insert_one("things", {"k": self.k}); report shop.find("things", {}); } }
`;

test('a database of the program is only looked at by name, and one that functions will miss is told', async () => {
  using folder = folderWith({ 'main.svc': withDatabase });
  const missing = (kind: string, variable: string) =>
    `warning: kvstore of kind ${kind} has no address: functions have no disk to keep its data on; set ${variable} for them\n`;
  const built = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect([built.code, built.stderr]).toEqual([
    0,
    `{'_id': 1}\n${missing('docdb', 'DOCDB_URI')}${missing('kvcache', 'KVCACHE_URL')}`,
  ]);
  expect(readdirSync(join(folder.path, 'out'))).not.toContain('webhook.zip');
  // Nobody listens there: nothing is connected.
  const env = { DOCDB_URI: 'mongodb://127.0.0.1:1/', KVCACHE_URL: 'redis://127.0.0.1:1' };
  const named = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path, env });
  expect([named.code, named.stderr]).toEqual([0, "{'_id': 1}\n"]);
  const planned = await runSvc(['start', 'main.svc', '--scale', '--dry-run'], { cwd: folder.path });
  expect(planned.code).toBe(0);
  expect(planned.stderr).not.toMatch(/Error|URI|start-up code/);
  expect(existsSync(join(folder.path, '.svc/data'))).toBe(false);
  // The emulated cloud has no disk either.
  const emulated = await runSvc(['start', 'main.svc', '--emulate', '--port', '0'], { cwd: folder.path });
  expect(emulated.code).toBe(1);
  expect(emulated.stderr).toContain('ValueError: No docdb URI configured\n');
  expect(emulated.stderr).toContain('main.svc:2:13');
});
