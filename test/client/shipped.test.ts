/** The built browser half in what is deployed: functions of the cloud, the files of a pod or image, a folder for any host. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareDeploy } from '../../cli/deploy/deploy-job.ts';
import { httpEvent, type PackagedFunction, unpackFunction } from '../harness/packaged-function.ts';
import { startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const files = {
  'main.svc': `import "./look.css";
import from "./picture.svg" { default as picture }
walker:pub Hi { can go with Root entry { report "hi"; } }
def:pub app() -> JsxElement { return <main><img src={picture} alt="a picture"/></main>; }
`,
  'look.css': "main { color: rgb(1, 2, 3); background: url('/static/assets/sign.svg'); }\n",
  'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><title>${'a long title '.repeat(500)}</title></svg>`,
  'assets/sign.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'public/robots.txt': 'User-agent: *\n',
  'public/deep/er.txt': 'deeper\n',
  'public/.hidden': 'canary',
  'svc.toml': '[project]\nname = "notes"\n',
};
const immutable = 'public, max-age=31536000, immutable';

/** Addresses of the page's script and sheet. */
function addressesIn(page: string): { script: string; sheet: string } {
  const [, sheet, script] = /stylesheet" href="([^"]+)"[\s\S]*src="([^"]+)"/.exec(page)!;
  return { script: script!, sheet: sheet! };
}

describe('functions of the cloud', () => {
  const folder = folderWith(files);
  let http: PackagedFunction;
  beforeAll(async () => {
    await spawnSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path }).exited;
    http = unpackFunction(join(folder.path, 'out', 'http.zip'), 'http');
  });
  afterAll(() => {
    http[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const [answer] = await http.call([{ ...httpEvent(method, path), headers: { host: 'id.example', ...headers } }]);
    return answer;
  };
  const bytesOf = ({ body, isBase64Encoded }: { body: string; isBase64Encoded?: boolean }) =>
    Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

  test('give files of the build packed, and for ever', async () => {
    const { script } = addressesIn((await ask('/')).body);
    const br = await ask(script, { 'accept-encoding': 'gzip, br' });
    const gz = await ask(script, { 'accept-encoding': 'gzip' });
    expect([br.headers['Content-Encoding'], gz.headers['Content-Encoding']]).toEqual(['br', 'gzip']);
    const text = brotliDecompressSync(bytesOf(br)).toString();
    expect(gunzipSync(bytesOf(gz)).toString()).toBe(text);
    const plain = await ask(script, {}, 'HEAD');
    for (const { headers } of [plain, br, gz])
      expect(headers).toMatchObject({ 'Cache-Control': immutable, Vary: 'Accept-Encoding' });
    const again = await ask(script, { 'if-none-match': plain.headers['ETag'] });
    expect(again.statusCode).toBe(304);
    const [, picture] = /(\/static\/picture\.[0-9a-f]{8}\.svg)/.exec(text)!;
    expect(bytesOf(await ask(picture!)).toString()).toBe(files['picture.svg']);
  });

  test('give the page at every address, but where the API, a file, or nothing is', async () => {
    const html = { accept: 'text/html' };
    const page = await ask('/');
    expect(page.headers['Cache-Control']).not.toBe(immutable);
    for (const path of ['/far', '/far/away']) expect((await ask(path, html)).body).toBe(page.body);
    expect((await ask('/far')).statusCode).toBe(404);
    expect((await ask('/far.png', html)).statusCode).toBe(404);
    expect((await ask('/cl/app', html)).body).toContain('"function":"app"');
    expect((await ask('/healthz', html)).headers['Content-Type']).toContain('json');
    expect(JSON.parse((await ask('/walker/Hi', {}, 'POST')).body).data.reports).toEqual(['hi']);
    for (const path of ['/static/.manifest.json', '/static/client.js.map', '/svc.toml', '/main.svc'])
      expect([path, (await ask(path)).statusCode]).toEqual([path, 404]);
  });

  test('give files of assets/ and public/', async () => {
    expect(bytesOf(await ask('/static/assets/sign.svg')).toString()).toBe(files['assets/sign.svg']);
    expect(bytesOf(await ask('/robots.txt')).toString()).toBe(files['public/robots.txt']);
    expect(bytesOf(await ask('/deep/er.txt')).toString()).toBe('deeper\n');
    expect((await ask('/.hidden')).statusCode).toBe(404);
  });
});

test('a pod or image has what was built, and serves it without building', async () => {
  const folder = folderWith(files);
  const there = folderWith({});
  let said = '';
  const terminal = {
    out: (text: string) => (said += text),
    err: (text: string) => (said += text),
    env: {},
    cwd: folder.path,
    isOutTerminal: false,
    isErrTerminal: false,
    isInTerminal: false,
    hasUnicode: true,
    elapsedMs: () => 0,
  };
  try {
    const { appFiles } = await prepareDeploy({ operands: ['main.svc'], rest: [], options: {}, terminal }, 'build');
    for (const [path, contents] of Object.entries(appFiles.files)) {
      mkdirSync(dirname(join(there.path, path)), { recursive: true });
      writeFileSync(join(there.path, path), contents);
    }
    const jwt = { JWT_SECRET: 'a secret that is long enough for production' };
    const env = { SVC_ENV: 'production', ...jwt, SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
    const server = await startServer({ folder: there.path, env });
    try {
      const { script, sheet } = addressesIn(await (await fetch(server.base)).text());
      const packed = await fetch(server.base + script, { headers: { 'Accept-Encoding': 'br' } });
      expect([packed.headers.get('content-encoding'), packed.headers.get('cache-control')]).toEqual(['br', immutable]);
      expect(await (await fetch(server.base + sheet)).text()).toContain('#010203');
      expect(await (await fetch(`${server.base}/robots.txt`)).text()).toBe(files['public/robots.txt']);
      expect((await fetch(`${server.base}/static/assets/sign.svg`)).status).toBe(200);
      expect((await fetch(`${server.base}/svc-client/.manifest.json`)).status).toBe(404);
      expect(existsSync(join(there.path, '.svc', 'client'))).toBe(false);
      expect(existsSync(join(there.path, 'node_modules'))).toBe(false);
      expect(server.output()).not.toContain('build them again');
    } finally {
      await server.stop();
    }
    const below = await startServer({
      folder: there.path,
      env: { ...env, SVC_SERVE_BASE_URL: 'https://example.org/app' },
    });
    await below.stop();
    expect(below.output()).toContain(
      'note: pages were built to load /static/ and base_url says otherwise: build them again with it',
    );
  } finally {
    folder[Symbol.dispose]();
    there[Symbol.dispose]();
  }
});

test('svc build --client leaves packed copies for hosts that give them, and asks an address with a path', async () => {
  const folder = folderWith({
    ...files,
    'svc.toml': `${files['svc.toml']}[plugins.client]\nbase_url = "https://example.org/api/"\n`,
  });
  try {
    await spawnSvc(['build', '--client', 'main.svc', '--out', 'site'], { cwd: folder.path }).exited;
    const site = join(folder.path, 'site');
    const page = readFileSync(join(site, 'index.html'), 'utf8');
    expect(page).toContain('"base_url":"https://example.org/api/"');
    const script = join(site, addressesIn(page).script);
    const text = readFileSync(script, 'utf8');
    expect(brotliDecompressSync(readFileSync(`${script}.br`)).toString()).toBe(text);
    expect(gunzipSync(readFileSync(`${script}.gz`)).toString()).toBe(text);
    expect(readdirSync(join(site, 'static')).filter((name) => /^\.|\.map$/.test(name))).toEqual([]);
  } finally {
    folder[Symbol.dispose]();
  }
});
