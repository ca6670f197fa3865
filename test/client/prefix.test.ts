/** A full-stack program below a path of its host, behind nginx that passes the path on, and behind nginx that takes it off. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTool } from '../harness/find-tool.ts';
import { answers, freePort } from '../harness/ports.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

/** Too large to be put into a sheet. */
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${' '.repeat(5000)}--><rect width="9" height="9" fill="${color}"/></svg>`;
const files = {
  'main.svc': `import from http { UploadFile }
walker Mine { can go with Root entry { report "mine"; } }
walker:pub Take { has file: UploadFile; can go with Root entry { report f"{self.file.filename} {len(self.file.read())}"; } }
def:pub ticks(n: int) -> Iterator[int] { for i in range(n) { yield i; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Chat { has text: str = ""; async can say with Root entry { report self.text.upper(); } }
`,
  'pages/layout.svc': `import "../look.css";
import from "@svc/runtime" { Link, Outlet }
def:pub layout() -> JsxElement {
    return <><nav><Link to="/about">about</Link> <Link to="/notes">notes</Link></nav><img src="/logo.svg"/><Outlet/></>;
}
`,
  'pages/index.svc': `import from ..main { Take, ticks, Chat }
import from "@svc/runtime" { svcConnect }
def:pub page() -> JsxPage {
    has said: list = [];
    def say(text: str) -> None { setSaid(lambda old: list -> list { return [*old, text]; }); }
    async def all() -> None {
        say((root spawn Take(file=File(["abc"], "a.txt"))).reports[0]);
        async for n in ticks(2) { say(str(n)); }
        svcConnect("Chat", {"onMessage": lambda m: any -> None { say(m.reports[0]); }}).send({"text": "hey"});
    }
    return <main><h1>start</h1><button onClick={all}>Go</button><output>{" ".join(said)}</output></main>;
}
`,
  'pages/about.svc': `import from "@svc/runtime" { navigate }
def:pub page() -> JsxPage { return <h1 onClick={lambda { navigate("/"); }}>about</h1>; }
`,
  'pages/login.svc': `import from "@svc/runtime" { svcSignup, useLocation, useNavigate }
def:pub page() -> JsxPage {
    at = useLocation();
    go = useNavigate();
    async def enter() -> None { await svcSignup(f"ann{location.port}", "Secret-1234567"); go(at.state["from"]); }
    return <h1 onClick={enter}>login</h1>;
}
`,
  'pages/(auth)/notes.svc': `import from ...main { Mine }
def:pub page() -> JsxPage {
    has said: str = "";
    async can with entry { said = (root spawn Mine()).reports[0]; }
    return <h1>notes {said}</h1>;
}
`,
  'pages/app.svc': 'def:pub page() -> JsxPage { return <h1>named as the path</h1>; }\n',
  'look.css': `nav { background: url(./assets/tile.svg); }
main { background: url(/logo.svg); }
`,
  'assets/tile.svg': picture('red'),
  'public/logo.svg': picture('blue'),
  'public/manual/index.html': '<p>manual</p>',
};
const nginx = findTool('nginx', 'nginx-light');

/** nginx with a port for each manner; what is not below the path is another application's. */
async function startProxies(folder: string, upstream: number, [kept, stripped]: readonly [number, number]) {
  const parts = `proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_buffering off;
    proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $up;`;
  const server = (port: number, to: string) => `server { listen 127.0.0.1:${port};
    location / { return 404 "another application"; }
    location = /app { ${parts} proxy_pass http://127.0.0.1:${upstream}${to}; }
    location /app/ { ${parts} proxy_pass http://127.0.0.1:${upstream}${to}; } }`;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/errors;\nevents {}\nhttp {\naccess_log off;\n${places.join('\n')}
map $http_upgrade $up { default upgrade; '' close; }\n${server(kept, '')}\n${server(stripped, '/')}\n}\n`,
  );
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')], { stdio: 'inherit' });
  await answers(`http://127.0.0.1:${kept}/`, () => child.exitCode === null);
  return child;
}

describe.skipIf(chromium === undefined || nginx === undefined).each([
  ['svc start', []],
  ['svc start --dev', ['--dev']],
])('%s of a program below a path', (_, args) => {
  const folder = folderWith(files);
  const place = folderWith({});
  const isDevelopment = args.length > 0;
  let server: RunningServer;
  let proxy: ChildProcess;
  let pages: Pages;
  let ports: readonly [number, number];
  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    writeFileSync(join(folder.path, 'svc.toml'), `[serve]\nbase_url = "http://127.0.0.1:${ports[0]}/app/"\n`);
    const env = { SVC_ENV: isDevelopment ? 'development' : 'test' };
    [server, pages] = await Promise.all([startServer({ folder: folder.path, args, env }), startPages()]);
    proxy = await startProxies(place.path, server.port, ports);
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    proxy?.kill();
    await server?.stop();
    for (const one of [folder, place]) one[Symbol.dispose]();
  });

  const shows = (page: Page, heading: string) => page.waitForSelector(`h1:text-is("${heading}")`);

  test.each([
    ['passes it on', 0],
    ['takes it off', 1],
  ])('all that a page does stays below it, behind a proxy that %s', async (__, i) => {
    const base = `http://127.0.0.1:${ports[i]}`;
    const { page, errors } = await pages.open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('websocket', (socket) => asked.push(socket.url().replace('ws:', 'http:')));
    await page.goto(`${base}/app`);
    await shows(page, 'start');
    await page.waitForFunction('document.querySelector("img").naturalWidth === 9');
    for (const name of ['nav', 'main']) {
      const at = await page.evaluate(`getComputedStyle(document.querySelector('${name}')).backgroundImage`);
      const picture = await fetch(/url\("(.*)"\)/.exec(at as string)![1]!);
      expect([picture.status, await picture.text()]).toEqual([200, expect.stringContaining('<svg')]);
    }
    await page.click('button');
    await page.waitForSelector('output:text-is("a.txt 3 0 1 HEY")');
    await page.click('nav a:text-is("about")');
    await shows(page, 'about');
    expect(page.url()).toBe(`${base}/app/about`);
    await page.reload();
    await page.click('h1:text-is("about")');
    await shows(page, 'start');
    expect(page.url()).toBe(`${base}/app`);
    await page.goto(`${base}/app/notes?tab=1`);
    await page.click('h1:text-is("login")');
    await shows(page, 'notes mine');
    expect(page.url()).toBe(`${base}/app/notes?tab=1`);
    await page.goto(`${base}/app/app`);
    await shows(page, 'named as the path');
    expect(errors).toEqual([]);
    await page.goto(`${base}/app/docs`);
    await expect.poll(() => page.innerText('#app')).toContain('Take');
    await page.goto(`${base}/app/graph`);
    await page.waitForSelector('#picture text');
    expect(asked.filter((url) => !url.startsWith(`${base}/app/`) && url !== `${base}/app`)).toEqual([]);
  });

  test('a page that is asked for without the path works as it is', async () => {
    const { page, errors } = await pages.open(`${server.base}/about`);
    await page.click('h1:text-is("about")');
    await shows(page, 'start');
    await page.click('button');
    await page.waitForSelector('output:text-is("a.txt 3 0 1 HEY")');
    expect([page.url(), errors]).toEqual([`${server.base}/`, []]);
  });

  test('the path is taken off once, where it ends with a name', async () => {
    const get = async (path: string) => {
      const answer = await fetch(server.base + path, { redirect: 'manual', headers: { Accept: 'text/html' } });
      return [
        answer.status,
        answer.headers.get('location') ?? ((await answer.text()).includes('__svc_init__') ? 'page' : ''),
      ];
    };
    for (const path of ['/app', '/app/', '/app?a=1', '/app/about', '/app/app'])
      expect([path, ...(await get(path))]).toEqual([path, 200, 'page']);
    for (const path of ['/app/healthz', '/healthz', '/app/docs', '/app/openapi.json'])
      expect([path, ...(await get(path))]).toEqual([path, 200, '']);
    for (const path of ['/app//about', '/appx.svg', '/app/app/logo.svg'])
      expect([path, (await get(path))[0]]).toEqual([path, 404]);
    expect(await get('/app/manual?a=1')).toEqual([301, '/app/manual/?a=1']);
    expect(await get('/app/manual/')).toEqual([200, '']);
  });

  if (!isDevelopment) return;
  test('what is saved is shown, through either proxy', async () => {
    const shown = await Promise.all(
      ports.map(async (port) => (await pages.open(`http://127.0.0.1:${port}/app/about`)).page),
    );
    for (const page of shown) {
      await shows(page, 'about');
      await page.evaluate('globalThis.isKept = true');
    }
    const file = join(folder.path, 'pages/about.svc');
    writeFileSync(file, readFileSync(file, 'utf8').replace('>about<', '>saved<'));
    for (const page of shown) {
      await shows(page, 'saved');
      expect(await page.evaluate('globalThis.isKept')).toBe(true);
    }
  });
});

test('pages for a host of files are for the path, and those that name another API for the root', async () => {
  using folder = folderWith({ ...files, 'svc.toml': '[serve]\nbase_url = "https://example.org/app"\n' });
  const built = async (env: Readonly<Record<string, string>>) => {
    await spawnSvc(['build', '--client', 'main.svc'], { cwd: folder.path, env }).exited;
    const dist = join(folder.path, 'dist');
    const sheet = readdirSync(join(dist, 'static')).find((name) => name.endsWith('.css'))!;
    return readFileSync(join(dist, 'index.html'), 'utf8') + readFileSync(join(dist, 'static', sheet), 'utf8');
  };
  const below = await built({});
  for (const part of ['"base_url":"/app"', 'src="/app/static/client.', 'url(/app/static/tile.', 'url(/app/logo.svg)'])
    expect(below).toContain(part);
  const other = await built({ SVC_PLUGINS_CLIENT_BASE_URL: 'https://example.org/app' });
  for (const part of [
    '"base_url":"https://example.org/app"',
    'src="/static/client.',
    'url(/static/tile.',
    'url(/logo.svg)',
  ])
    expect(other).toContain(part);
});
