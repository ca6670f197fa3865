/** `svc start` of full-stack programs: the page, its files, its addresses, and what is built when. */
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';
import { chromium, type Pages, startPages } from './pages-of.ts';

const program = `import "./look.css";
import from "@svc/runtime" { Link, Route, Routes }
import from .parts.Below { Below }

glob server_secret: str = "canary-of-the-server";
node Note { has text: str; }
walker:pub Add { has text: str; can add with Root entry { here ++> Note(text=self.text); report server_secret[0:6] + self.text; } }
walker:pub about { can go with Root entry { report "from the API"; } }

def:pub Card(title: str = "none", children: any = None) -> JsxElement {
    return <article className="card">{title}: {children}</article>;
}
def:pub app() -> JsxElement {
    has said: str = "";
    async def add() -> None { r = root spawn Add(text="1"); said = r.reports[0]; }
    return <main>
        <h1>Notes</h1>
        <button onClick={add}>Add</button> <output>{said}</output>
        <Link to="/far">far</Link> <Below/>
        <Routes><Route path="/far" element={<p>far away</p>}/><Route path="*" element={<p>at home</p>}/></Routes>
    </main>;
}
`;
const toml = `[project]
name = "notes"
[client.app_meta_data]
title = "Notes & more"
description = "a <test>"
"og:title" = "Notes"
`;
const files = {
  'main.svc': program,
  'look.css': '.card { color: rgb(1, 2, 3); }\n',
  'parts/Below.svc': 'def:pub Below() -> JsxElement {\n    return <i>a part below</i>;\n}\n',
  'svc.toml': toml,
  'assets/sign.txt': 'an asset\n',
  'public/robots.txt': 'User-agent: *\n',
};

describe.skipIf(chromium === undefined)('a program with a page', () => {
  const folder = folderWith(files);
  let server: RunningServer;
  let pages: Pages;
  beforeAll(async () => {
    [server, pages] = await Promise.all([startServer({ folder: folder.path }), startPages()]);
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const built = () => join(folder.path, '.svc', 'client');
  const get = (path: string, headers: Record<string, string> = {}) => fetch(server.base + path, { headers });
  const html = { Accept: 'text/html' };

  test('is shown, calls its walkers, and routes without asking for the page again', async () => {
    const { page, errors } = await pages.open(server.base);
    await page.click('button');
    await page.waitForSelector('output:text-is("canary1")');
    await page.click('a');
    await page.waitForSelector('text=far away');
    expect([new URL(page.url()).pathname, errors]).toEqual(['/far', []]);
  });

  test('has a page at every address of its router, and none where the API or a file is', async () => {
    for (const path of ['/', '/far', '/some/where', '/users/ann.smith', '/v/1.2']) {
      const answer = await get(path, html);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
    expect((await get('/some/where')).status).toBe(404);
    for (const path of ['/some/file.png', '/assets/x.js', '/static/x.5'])
      expect([path, (await get(path, html)).status]).toEqual([path, 404]);
    expect((await get('/healthz', html)).headers.get('content-type')).toContain('json');
    expect(await (await get('/robots.txt')).text()).toBe(files['public/robots.txt']);
    for (const path of ['/static/assets/sign.txt', '/static/sign.txt', '/assets/sign.txt', '/compiled/assets/sign.txt'])
      expect(await (await get(path)).text()).toBe(files['assets/sign.txt']);
  });

  test('has the head that the configuration says, and facts that cannot end their script', async () => {
    const text = await (await get('/cl/Card?title=%3C/script%3E%26', html)).text();
    expect(text).toContain('<title>Notes &#38; more</title>');
    expect(text).toContain('<meta name="description" content="a &#60;test&#62;">');
    expect(text).toContain('<meta property="og:title" content="Notes">');
    const init = /<script id="__svc_init__" type="application\/json">(.*)<\/script>/.exec(text)![1]!;
    expect(init).not.toMatch(/[<>&]/);
    expect(JSON.parse(init)).toEqual({
      module: 'main',
      function: 'Card',
      args: { title: '</script>&' },
      argOrder: ['title'],
      globals: {},
      base_url: '',
    });
  });

  test('shows one component at /cl/{name}, and says which there are', async () => {
    const { page, errors } = await pages.open(`${server.base}/cl/Card?title=Hello`);
    await page.waitForSelector('.card');
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.card')).color");
    expect([await page.innerText('.card'), colour, errors]).toEqual(['Hello:', 'rgb(1, 2, 3)', []]);
    const answer = await get('/cl/Crad', html);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { message: 'There is no component "Crad". Did you mean Card?' },
    });
  });

  test('serves hashed files for ever, packed for those who take it, without maps or what the server knows', async () => {
    const script = /src="(\/static\/client\.[0-9a-f]+\.js)"/.exec(await (await get('/')).text())![1]!;
    const file = join(built(), script.slice('/static/'.length));
    await expect.poll(() => existsSync(`${file}.br`)).toBe(true);
    const plain = await get(script, { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    const text = await plain.text();
    for (const [asked, coding, ending] of [
      ['gzip, br', 'br', '.br'],
      ['gzip, br;q=0', 'gzip', '.gz'],
    ] as const) {
      const packed = await get(script, { 'Accept-Encoding': asked });
      expect(packed.headers.get('content-encoding')).toBe(coding);
      expect(Number(packed.headers.get('content-length'))).toBe(statSync(file + ending).size);
      expect(await packed.text()).toBe(text);
    }
    expect((await get('/static/client.js')).headers.get('cache-control')).toBe('no-cache');
    for (const path of [`${script}.map`, '/static/.manifest.json', '/static/.maps/x.map'])
      expect((await get(path)).status).toBe(404);
    for (const name of readdirSync(built()).filter((one) => one.endsWith('.js'))) {
      const code = readFileSync(join(built(), name), 'utf8');
      expect(code).not.toContain('canary-of-the-server');
      // The development half of a library.
      expect(code).not.toContain('react-router.development');
    }
  });

  test('takes errors of its pages: once each, by their place in the source, and not too many', async () => {
    const script = /src="(\/static\/client\.[0-9a-f]+\.js)"/.exec(await (await get('/')).text())![1]!;
    const code = readFileSync(join(built(), script.slice('/static/'.length)), 'utf8');
    const frameOf = (text: string) => {
      const at = code.indexOf(text);
      const [line, column] = [code.slice(0, at).split('\n').length, at - code.lastIndexOf('\n', at)];
      return `    at App (${server.base}${script}:${line}:${column})`;
    };
    const stack = `Error: x\n${frameOf('far away')}\n${frameOf('a part below')}`;
    const report = (message: string) =>
      fetch(`${server.base}/cl/__error__`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ message, stack }),
      });
    expect((await report('a fault of the page')).status).toBe(204);
    expect((await report('a fault of the page')).status).toBe(204);
    await expect.poll(() => server.output().split('a fault of the page').length - 1).toBe(1);
    const record = server
      .output()
      .split('\n')
      .find((one) => one.includes('a fault of the page'))!;
    const places = JSON.parse(record).frames.map((frame: { file: string; line: number }) => [frame.file, frame.line]);
    expect(places).toEqual([
      ['main.svc', 20],
      ['parts/Below.svc', 2],
    ]);
    expect((await report('x'.repeat(9000))).status).toBe(413);
    const statuses = await Promise.all(Array.from({ length: 40 }, async (_, i) => (await report(`more ${i}`)).status));
    expect(statuses).toContain(429);
  });
});

describe('what is built when', () => {
  test('an unchanged program is not built again; a changed sheet is', async () => {
    const folder = folderWith(files);
    const built = join(folder.path, '.svc', 'client');
    const start = async () => {
      const server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
      const page = await (await fetch(server.base)).text();
      await server.stop();
      return { page, at: statSync(join(built, '.manifest.json')).mtimeMs };
    };
    try {
      const first = await start();
      const again = await start();
      expect(again).toEqual(first);
      writeFileSync(join(folder.path, 'look.css'), '.card { color: rgb(4, 5, 6); }\n');
      const third = await start();
      expect(third.at).toBeGreaterThan(first.at);
      const sheet = readdirSync(built).find((name) => name.endsWith('.css'))!;
      expect(readFileSync(join(built, sheet), 'utf8')).toContain('#040506');
    } finally {
      folder[Symbol.dispose]();
    }
  });

  test('a build that fails leaves the API, and is told with its place in the terminal and in the page', async () => {
    const folder = folderWith({
      'main.svc':
        'walker:pub Hi { can go with Root entry { report 1; } }\ncl import from "no-such-package" { Thing }\ndef:pub app() -> JsxElement { return <Thing/>; }\n',
    });
    const server = await startServer({ folder: folder.path, env: { SVC_ENV: 'development' } });
    try {
      expect((await fetch(`${server.base}/walker/Hi`, { method: 'POST' })).status).toBe(200);
      const page = await (await fetch(server.base)).text();
      expect(page).toContain('could not be built');
      for (const text of [server.output(), page]) expect(text).toMatch(/main\.svc:2:\d+[\s\S]*no-such-package/);
    } finally {
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test('--no-client serves the API alone', async () => {
    const folder = folderWith(files);
    const server = await startServer({ folder: folder.path, args: ['--no-client'] });
    try {
      expect(await (await fetch(server.base)).json()).toMatchObject({ data: { name: 'notes' } });
      expect(existsSync(join(folder.path, '.svc', 'client'))).toBe(false);
    } finally {
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});

test('classes of a sheet beside a module are its own', async () => {
  const folder = folderWith({
    'main.svc':
      'cl import from .parts.Card { Card }\ndef:pub app() -> JsxElement { return <main className="card"><Card/></main>; }\n',
    'parts/Card.svc': 'def:pub Card() -> JsxElement { return <p className="card other">x</p>; }\n',
    'parts/Card.style.css': '.card { color: rgb(1, 2, 3); }\n:global(.far) { color: red; }\n',
  });
  const server = await startServer({ folder: folder.path });
  try {
    const built = (ending: string) =>
      readdirSync(join(folder.path, '.svc', 'client'))
        .filter((name) => name.endsWith(ending))
        .map((name) => readFileSync(join(folder.path, '.svc', 'client', name), 'utf8'))
        .join('');
    const [, scoped] = /\.(card_\w+)\{/.exec(built('.css'))!;
    expect(built('.css')).toContain('.far{');
    expect(built('.js')).toMatch(new RegExp(`["'\`]${scoped} other["'\`]`));
    expect(built('.js')).toMatch(/className:["'`]card["'`]/);
  } finally {
    await server.stop();
    folder[Symbol.dispose]();
  }
});

describe('built for elsewhere', () => {
  test('svc build --client writes a folder for any host, which asks the API it is told of', async () => {
    const folder = folderWith({
      ...files,
      'svc.toml': `${toml}[plugins.client]\nbase_url = "https://api.example.org"\n`,
    });
    try {
      await spawnSvc(['build', '--client', 'main.svc'], { cwd: folder.path }).exited;
      const dist = join(folder.path, 'dist');
      const page = readFileSync(join(dist, 'index.html'), 'utf8');
      expect(page).toContain('"base_url":"https://api.example.org"');
      for (const [, path] of page.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g))
        expect(existsSync(join(dist, path!))).toBe(true);
      expect(readFileSync(join(dist, '404.html'), 'utf8')).toBe(page);
      expect(readFileSync(join(dist, 'robots.txt'), 'utf8')).toBe(files['public/robots.txt']);
      expect(readFileSync(join(dist, 'static/assets/sign.txt'), 'utf8')).toBe(files['assets/sign.txt']);
      // The folder that a deployment carries is served without building anything.
      renameSync(join(folder.path, '.svc', 'client'), join(folder.path, 'svc-client'));
      const server = await startServer({ folder: folder.path });
      const script = /src="([^"]+)"/.exec(page)![1]!;
      expect(await (await fetch(server.base)).text()).toContain(script);
      expect((await fetch(server.base + script)).status).toBe(200);
      await server.stop();
      expect(existsSync(join(folder.path, '.svc', 'client'))).toBe(false);
    } finally {
      folder[Symbol.dispose]();
    }
  });

  test.skipIf(chromium === undefined)(
    'a host of files shows the pages, which ask the API of another origin',
    async () => {
      const folder = folderWith({
        'main.svc': `import from "@svc/runtime" { Link, Route, Routes, svcConnect, svcIsLoggedIn, svcLogin, svcSignup }
import from http { UploadFile }
walker Mine { can go with Root entry { report "mine"; } }
walker:pub Take { has file: UploadFile; can go with Root entry { report f"{self.file.filename} {len(self.file.read())}"; } }
def:pub ticks(n: int) -> Iterator[int] { for i in range(n) { yield i; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Chat { has text: str = ""; async can say with Root entry { report self.text.upper(); } }

def:pub Broken() -> JsxElement { raise ValueError("told from afar"); }
def:pub app() -> JsxElement {
    has said: list = [];
    def say(text: str) -> None { setSaid(lambda old: list -> list { return [*old, text]; }); }
    async def all() -> None {
        say("in" if await svcLogin("ann@example.com", "wrong") else "refused");
        say("account" if (await svcSignup("ann@example.com", "Secret-1234567"))["success"] else "none");
        say((root spawn Mine()).reports[0]);
        say((root spawn Take(file=File(["abc"], "a.txt"))).reports[0]);
        async for n in ticks(2) { say(str(n)); }
        svcConnect("Chat", {"onMessage": lambda m: any -> None { say(m.reports[0]); }}).send({"text": "hey"});
    }
    return <main>
        <button onClick={all}>Go</button><output>{" ".join(said)}</output>
        <Routes>
            <Route path="/far/away" element={<p>deep</p>}/> <Route path="/broken" element={<Broken/>}/>
            <Route path="*" element={<Link to="/broken">break</Link>}/>
        </Routes>
    </main>;
}
`,
      });
      const api = await startServer({
        folder: folder.path,
        args: ['--no-client'],
        env: { SVC_PLUGINS_CLIENT_BASE_URL: 'http://x' },
      });
      const host = createServer((request, answer) => {
        const file = join(folder.path, 'dist', new URL(request.url!, 'http://x').pathname);
        const isThere = existsSync(file) && statSync(file).isFile();
        const type = { '.js': 'text/javascript', '.css': 'text/css' }[extname(file)] ?? 'text/html';
        answer.writeHead(isThere ? 200 : 404, { 'Content-Type': type });
        answer.end(readFileSync(isThere ? file : join(folder.path, 'dist', '404.html')));
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      const pages = await startPages();
      try {
        const env = { SVC_PLUGINS_CLIENT_BASE_URL: api.base };
        await spawnSvc(['build', '--client', 'main.svc'], { cwd: folder.path, env }).exited;
        const { page } = await pages.open(`http://127.0.0.1:${(host.address() as AddressInfo).port}/far/away`);
        const given: string[] = [];
        page.on('requestfailed', (request) => given.push(request.url()));
        await page.waitForSelector('p:text-is("deep")');
        await page.click('button');
        await page.waitForSelector('output:text-is("refused account mine a.txt 3 0 1 HEY")');
        expect(given).toEqual([]);
        await page.goto(new URL('/', page.url()).href);
        await page.click('a');
        await page.waitForSelector('[role=alert]');
        await expect.poll(() => api.output()).toContain('ValueError: told from afar');
        const record = api
          .output()
          .split('\n')
          .find((line) => line.includes('told from afar'))!;
        expect(JSON.parse(record).frames[0]).toMatchObject({ file: 'main.svc', line: 9 });
      } finally {
        await pages[Symbol.asyncDispose]();
        host.close();
        await api.stop();
        folder[Symbol.dispose]();
      }
    },
  );

  test('functions of the cloud carry the pages and what they load', async () => {
    const folder = folderWith(files);
    try {
      await spawnSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path }).exited;
      using http = unpackFunction(join(folder.path, 'out', 'http.zip'), 'http');
      const event = (method: string, path: string, headers: Record<string, string> = {}) => ({
        ...httpEvent(method, path),
        headers: { host: 'id.example', ...headers },
      });
      const [page] = await http.call([event('GET', '/')]);
      const [, sheet, script] = /stylesheet" href="([^"]+)"[\s\S]*src="([^"]+)"/.exec(page.body)!;
      const [again, style, packed] = await http.call([
        event('GET', '/far', { accept: 'text/html' }),
        event('GET', sheet!),
        event('HEAD', script!, { 'accept-encoding': 'br' }),
      ]);
      expect([again.statusCode, again.body]).toEqual([200, page.body]);
      expect(style.body).toContain('#010203');
      expect([packed.statusCode, packed.headers['Content-Encoding']]).toEqual([200, 'br']);
    } finally {
      folder[Symbol.dispose]();
    }
  });
});
