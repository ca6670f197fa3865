/** Pages that were loaded before a deployment: what they ask for of their own version comes from the artifact bucket, through the http function. */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDynamoStore } from '../../../adapters/stores/dynamodb/store.ts';
import { bucketName } from '../../../infra/targets/cloud/place.ts';
import { chromium, type Pages, startPages } from '../../client/pages-of.ts';
import { type DynamoServer, startDynamo } from '../../harness/dynamo-server.ts';
import { folderWith, spawnSvc } from '../../harness/svc-process.ts';
import { type Account, hasNoAccount, signed, startAccount } from './account.ts';
import { functionGateway } from './functions.ts';
import { type StackServer, serveStack } from './stack-server.ts';

const about = (word: string) => `def:pub page() -> JsxElement { return <h1>About ${word}</h1>; }\n`;
const files = {
  'main.svc': 'walker:pub Hello { can go with Root entry { report "hello"; } }\n',
  'pages/layout.svc': `import from "@svc/runtime" { Outlet, Link }
def:pub layout() -> JsxElement { return <section><Link to="/about">about</Link><Outlet/></section>; }
`,
  'pages/index.svc': 'def:pub page() -> JsxElement { return <h1>Home</h1>; }\n',
  'pages/about.svc': about('one'),
  'svc.toml': '[project]\nname = "demo"\n',
};
const stack = 'demo-prod';
const folderOfPages = `${stack}/static`;

describe.skipIf(hasNoAccount() || chromium === undefined)('pages of an earlier version', () => {
  const bucket = bucketName('123456789012', 'eu-west-1', stack);
  const folder = folderWith(files);
  let account: Account;
  let dynamo: DynamoServer;
  let bucketGate: Awaited<ReturnType<typeof openBucketGate>>;
  let front: Awaited<ReturnType<typeof openFront>>;
  let served: StackServer | undefined;
  let pages: Pages;
  /** Name of the file of the page `/about` in the first version. */
  let first = '';

  beforeAll(async () => {
    account = await startAccount();
    dynamo = await startDynamo();
    await (await openDynamoStore({ endpoint: dynamo.endpoint, tablePrefix: `${stack}-` })).graph.close();
    bucketGate = await openBucketGate(account.direct, `/${bucket}/${folderOfPages}/`);
    account.gateway = functionGateway({ account, bucket, stack, dynamo: dynamo.endpoint });
    front = await openFront();
    pages = await startPages();
  }, 300_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await served?.stop();
    front?.close();
    bucketGate?.close();
    await account?.[Symbol.asyncDispose]();
    await dynamo?.stop();
    folder[Symbol.dispose]();
  });

  const svc = async (...args: readonly string[]) => {
    const [command, ...more] = args;
    const line = [command!, 'main.svc', ...more, '--target', 'cloud'];
    await using child = spawnSvc(line, { cwd: folder.path, env: account.env });
    expect(await child.exited, child.stderr()).toBe(0);
    return child.stdout() + child.stderr();
  };
  /** Serves what is deployed now, at the same address as everything before. */
  const serve = async () => {
    await served?.stop();
    const s3 = { AWS_ENDPOINT_URL_S3: bucketGate.endpoint, AWS_ACCESS_KEY_ID: 'f', AWS_SECRET_ACCESS_KEY: 'f' };
    served = await serveStack({ account, bucket, stack, dynamo: dynamo.endpoint }, ['http'], {
      ...s3,
      AWS_REGION: 'eu-west-1',
    });
    front.to = served.base;
  };
  const puts = () =>
    account.asked.flatMap(({ action, resource }) =>
      action === 's3:PutObject' && resource.startsWith(folderOfPages) ? [resource] : [],
    );
  const headersOf = async (key: string) =>
    (await fetch(`${account.direct}/${bucket}/${key}`, { headers: { authorization: signed('s3')['authorization']! } }))
      .headers;
  const policyOf = (role: string) => JSON.stringify(account.executed!.Resources[role]!.Properties['Policies']);

  test('files that never change are in the bucket before the stack changes, and only the http function may read them', async () => {
    await svc('start', '--scale');
    const sent = puts();
    const [one = '', ...more] = sent.filter((key) => /about\.[0-9a-f]+\.js$/.test(key));
    expect(more).toEqual([]);
    first = one.slice(folderOfPages.length + 1);
    expect(sent.filter((key) => !/\.[0-9a-f]{8}\.\w+(\.br)?$/.test(key))).toEqual([]);
    const executed = account.asked.findIndex(({ action }) => action === 'cloudformation:ExecuteChangeSet');
    const last = account.asked.findLastIndex(({ resource }) => resource.startsWith(folderOfPages));
    expect(last).toBeLessThan(executed);
    const packed = await headersOf(sent.find((key) => /client\.\w+\.js\.br$/.test(key))!);
    expect(packed.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([packed.get('content-type'), packed.get('content-encoding')]).toEqual([
      expect.stringContaining('text/javascript'),
      'br',
    ]);
    expect(policyOf('HttpRole')).toContain(
      `{"Effect":"Allow","Action":"s3:GetObject","Resource":{"Fn::Sub":"arn:\${AWS::Partition}:s3:::\${ArtifactBucket}/${folderOfPages}/*"}}`,
    );
    expect(policyOf('SweeperRole')).not.toContain('s3:');
  }, 300_000);

  test('a page that was loaded before a deployment goes on; its version asks the bucket for nothing', async () => {
    await serve();
    const { page, errors } = await pages.open(front.base);
    await page.waitForSelector('h1:text-is("Home")');
    expect(bucketGate.asked).toEqual([]);
    writeFileSync(join(folder.path, 'pages/about.svc'), about('two'));
    account.asked.length = 0;
    await svc('start', '--scale');
    expect(puts().map((key) => key.replace(/^.*\/(\w+)\..*$/, '$1'))).toContain('about');
    await serve();
    await page.click('text=about');
    await page.waitForSelector('h1:text-is("About one")');
    expect(errors).toEqual([]);
    expect(bucketGate.asked.map((one) => one.replace(/\.[0-9a-f]+\./, '.'))).toContain('GET about.js');
    // A page that is loaded now is of the new version.
    bucketGate.asked.length = 0;
    const fresh = await pages.open(`${front.base}/about`);
    await fresh.page.waitForSelector('h1:text-is("About two")');
    expect(bucketGate.asked).toEqual([]);
  }, 300_000);

  test('headers are those of files of the archive; what nobody has made is not there', async () => {
    const answer = await fetch(`${front.base}/static/${first}`, { headers: { 'accept-encoding': 'identity' } });
    expect(bucketGate.asked).toEqual([`HEAD ${first}`, `GET ${first}`]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    const etag = answer.headers.get('etag')!;
    const again = await fetch(`${front.base}/static/${first}`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    bucketGate.asked.length = 0;
    expect((await fetch(`${front.base}/static/about.00000000.js`)).status).toBe(404);
    expect(bucketGate.asked).toEqual(['HEAD about.00000000.js']);
    for (const path of ['about.js', 'sub/%2e%2e/revisions/000001.json', '../revisions/000001.json'])
      expect((await fetch(`${front.base}/static/${path}`)).status, path).toBe(404);
    expect(bucketGate.asked).toEqual(['HEAD about.00000000.js']);
    bucketGate.state = 'busy';
    expect((await fetch(`${front.base}/static/about.00000001.js`)).status).toBe(503);
    bucketGate.state = 'open';
  }, 300_000);

  const keys = async (): Promise<string[]> => {
    const answer = await fetch(`${account.direct}/${bucket}?list-type=2&prefix=${folderOfPages}/`, {
      headers: { authorization: signed('s3')['authorization']! },
    });
    return [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!);
  };

  test('after a rollback pages of the version that was left go on', async () => {
    const { page, errors } = await pages.open(front.base);
    await page.waitForSelector('h1:text-is("Home")');
    await svc('rollback', '--yes');
    await serve();
    await page.click('text=about');
    await page.waitForSelector('h1:text-is("About two")');
    expect(errors).toEqual([]);
  }, 300_000);

  test('a version without pages has no right to them, and the end leaves none', async () => {
    rmSync(join(folder.path, 'pages'), { recursive: true });
    account.asked.length = 0;
    await svc('start', '--scale');
    expect(puts()).toEqual([]);
    expect(policyOf('HttpRole')).not.toContain('s3:');
    expect(await keys()).not.toEqual([]);
    await svc('destroy', '--yes', '--purge-data');
    expect(await keys()).toEqual([]);
  }, 300_000);
});

/** The bucket as a role sees it that may read what is below a path and list nothing. */
async function openBucketGate(account: string, below: string) {
  const asked: string[] = [];
  const gate = { asked, state: 'open' as 'open' | 'busy', endpoint: '', close };
  const refuse = (response: ServerResponse, status: number, code: string) =>
    void response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const { pathname } = new URL(url, 'http://x');
    asked.push(`${method} ${pathname.replace(below, '')}`);
    if (gate.state === 'busy') return refuse(response, 503, 'SlowDown');
    if (!/^(GET|HEAD)$/.test(method) || !pathname.startsWith(below)) return refuse(response, 403, 'AccessDenied');
    const onward = request(`${account}${url}`, { method, headers }, (answer) => {
      if (answer.statusCode === 404) return refuse(response, 403, 'AccessDenied');
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  function close() {
    server.closeAllConnections();
    server.close();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(gate, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** One address for whatever serves: `to`. */
async function openFront() {
  const front = { base: '', to: '', close: () => {} };
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = incoming;
    const onward = request(`${front.to}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  front.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  front.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return front;
}
