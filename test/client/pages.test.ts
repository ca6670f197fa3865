/** Routes of the files below `pages/`, in a browser against a real server. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Pages, startPages } from './pages-of.ts';

const files = {
  'main.svc': `walker:pub Hello { can go with Root entry { report "hello"; } }
def:pub app(children: any = None) -> JsxElement { return <div><header>Frame</header>{children}</div>; }
`,
  'lib/numbers.svc': 'def:pub twice(n: int) -> str { return f"twice is {n * 2}"; }\n',
  'pages/layout.svc': `import from "@svc/runtime" { Outlet, Link }
def:pub layout() -> JsxElement { return <section><Link to="/about">about</Link><Outlet/></section>; }
`,
  'pages/index.svc': `import from ..main { Hello }
def:pub page() -> JsxElement {
    has said: str = "";
    async can with entry { r = root spawn Hello(); said = r.reports[0]; }
    return <h1>Home {said}</h1>;
}
`,
  'pages/about.svc': 'def:pub page() -> JsxElement { return <h1>About us</h1>; }\n',
  'pages/users/[id].svc': `import from "@svc/runtime" { useParams }
import from ...lib.numbers { twice }
def:pub page() -> JsxElement {
    p = useParams();
    has text: str = "";
    async can with entry { text = await twice(int(p.id)); }
    return <h1>User {p.id}, {text}</h1>;
}
`,
  'pages/(plain)/terms/index.svc': 'def:pub Terms() -> JsxPage { return <h1>Terms</h1>; }\n',
  'pages/(auth)/secret.svc': 'def:pub page() -> JsxElement { return <h1>Secret</h1>; }\n',
  'pages/enter.svc': 'def:pub page() -> JsxElement { return <h1>Sign in</h1>; }\n',
  'pages/docs/[...rest].svc': `import from "@svc/runtime" { useParams }
def:pub page() -> JsxElement { p = useParams(); return <h1>Docs {p["*"]}</h1>; }
`,
  'pages/Plain.svc': 'def:pub Plain() -> JsxElement { return <h1>no page</h1>; }\n',
  'svc.toml': '[plugins.client.routing]\nauth_redirect = "/enter"\n',
};

describe.skipIf(chromium === undefined)('pages by files', () => {
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

  test.each([
    ['/', '/', 'Home hello'],
    ['/users/7', '/users/7', 'User 7, twice is 14'],
    ['/terms', '/terms', 'Terms'],
    ['/secret', '/enter', 'Sign in'],
    ['/docs/a/b', '/docs/a/b', 'Docs a/b'],
  ])('%s', async (asked, shown, heading) => {
    const { page } = await pages.open(server.base + asked);
    await page.waitForSelector(`h1:text-is(${JSON.stringify(heading)})`);
    expect(new URL(page.url()).pathname).toBe(shown);
    expect(await page.innerText('header')).toBe('Frame');
  });

  const failing = 'This part of the page failed.';
  test.each([
    ['that the server has no more is loaded anew, with the version that the server has', 1, 'h1:text-is("About us")'],
    ['that nobody has is loaded anew once, and fails', 9, `text=${failing}`],
  ])('a page %s', async (_, missing, shown) => {
    const { page } = await pages.open(server.base);
    await page.waitForSelector('h1:text-is("Home hello")');
    let asked = 0;
    await page.route('**/static/about.*.js', (route) =>
      ++asked > missing ? route.continue() : route.fulfill({ status: 404, body: '' }),
    );
    let loaded = 0;
    page.on('load', () => loaded++);
    await page.click('text=about');
    await page.waitForSelector(shown);
    expect([loaded, new URL(page.url()).pathname]).toEqual([1, '/about']);
  });

  test('without a network a page fails where it is, with what was written there', async () => {
    const { page } = await pages.open(server.base);
    await page.waitForSelector('h1:text-is("Home hello")');
    await page.evaluate(() => Object.assign(globalThis, { written: 'here' }));
    await page.context().setOffline(true);
    await page.click('text=about');
    await page.waitForSelector(`text=${failing}`);
    expect(await page.evaluate(() => (globalThis as any).written)).toBe('here');
  });

  test('a page comes with what it loads, but for what is behind a sign-in, and is shown at once', async () => {
    const loadsOf = async (path: string) => {
      const text = await (await fetch(server.base + path, { headers: { Accept: 'text/html' } })).text();
      return [...text.matchAll(/rel="modulepreload" href="\/static\/([\w[\]_-]+)\./g)].map(([, name]) => name);
    };
    expect(await loadsOf('/')).toEqual(expect.arrayContaining(['layout', 'pages']));
    expect(await loadsOf('/about')).toEqual(expect.arrayContaining(['layout', 'about']));
    expect(await loadsOf('/about')).not.toContain('pages');
    expect(await loadsOf('/users/7')).toContain('_id_');
    expect(await loadsOf('/secret')).not.toContain('secret');
    const { page } = await pages.open(`${server.base}/terms`);
    await page.addInitScript(`new MutationObserver((_, self) => {
      const shown = document.querySelector('#root')?.textContent ?? '';
      if (shown !== '') { globalThis.firstShown = shown; self.disconnect(); }
    }).observe(document, { childList: true, subtree: true });`);
    await page.goto(`${server.base}/about`);
    await page.waitForSelector('h1');
    expect(await page.evaluate('globalThis.firstShown')).toBe('FrameaboutAbout us');
  });

  test('another page is loaded when it is gone to, and only that one', async () => {
    const { page } = await pages.open(server.base);
    await page.waitForSelector('h1');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.click('a');
    await page.waitForSelector('h1:text-is("About us")');
    expect(asked).toEqual([expect.stringMatching(/^\/static\/about\.[0-9a-f]+\.js$/)]);
  });

  test('a component beside the pages of a program with an application is none', async () => {
    const { page } = await pages.open(`${server.base}/Plain`);
    await page.waitForSelector('header');
    expect(await page.$('h1')).toBe(null);
  });
});

/** Every row of the table of file-based routing, in a program that has no application of its own. */
const rows = {
  'main.svc': 'walker:pub Hello { can go with Root entry { report "hello"; } }\n',
  'pages/layout.svc': `import from "@svc/runtime" { Outlet, Link }
def:pub frame() -> JsxLayout {
    return <section><nav><Link to="/">start</Link> <Link to="/broken">broken</Link> <Link to="/inside/deep">deep</Link></nav><Outlet/></section>;
}
`,
  'pages/index.svc': 'def:pub Start() -> JsxElement { return <h1>Start</h1>; }\n',
  'pages/about.svc': `def helper() -> str { return "of us"; }
def:pub About() -> JsxElement { return <h1>About {helper()}</h1>; }
`,
  'pages/nothing.svc': 'def helper(n: int) -> int { return n; }\n',
  'pages/broken.svc': 'def:pub page() -> JsxElement { x: any = None; return <h1>{x.y.z}</h1>; }\n',
  'pages/users.svc': 'def:pub Users() -> JsxElement { return <h1>Users</h1>; }\n',
  'pages/users/new.svc': 'def:pub New() -> JsxElement { return <h1>New user</h1>; }\n',
  'pages/users/[id]/index.svc': `import from "@svc/runtime" { useParams }
def:pub One() -> JsxElement { return <h1>User {useParams().id}</h1>; }
`,
  'pages/users/[id]/[part].svc': `import from "@svc/runtime" { useParams }
def:pub Part() -> JsxElement { p = useParams(); return <h1>{p.part} of {p.id}</h1>; }
`,
  'pages/inside/frame.svc': `import from "@svc/runtime" { Outlet }
def:pub layout() -> JsxElement { return <article><Outlet/></article>; }
`,
  'pages/inside/deep.svc': 'def:pub Deep() -> JsxElement { return <h1>Deep</h1>; }\n',
  'pages/inside/[...more].svc': `import from "@svc/runtime" { useParams }
def:pub More() -> JsxElement { return <h1>More: {useParams()["*"]}</h1>; }
`,
  'pages/(shop)/layout.svc': `import from "@svc/runtime" { Outlet }
def:pub Shop() -> JsxElement { return <aside><Outlet/></aside>; }
`,
  'pages/(shop)/cart.svc': 'def:pub Cart() -> JsxElement { return <h1>Cart</h1>; }\n',
  'pages/(auth)/mine.svc': `impl page() -> JsxElement { return <h1>Mine</h1>; }
def:pub page() -> JsxElement;
`,
  'pages/admin/(auth)/(inner)/users.svc': 'def:pub Admin() -> JsxElement { return <h1>Admin</h1>; }\n',
  'pages/login.svc': `import from "@svc/runtime" { useLocation, useNavigate, svcSignup }
def:pub page() -> JsxElement {
    place = useLocation();
    go = useNavigate();
    async def enter() -> None {
        answer = await svcSignup("ada@example.com", "correct horse 1");
        if answer.success { go(place.state["from"], {replace: True}); }
    }
    return <><h1>Sign in</h1><button onClick={enter}>Enter</button></>;
}
`,
};

describe.skipIf(chromium === undefined)('pages that are the whole application', () => {
  const folder = folderWith(rows);
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

  test.each([
    ['/', 'Start', 'SECTION'],
    ['/about', 'About of us', 'SECTION'],
    ['/users', 'Users', 'SECTION'],
    ['/users/new', 'New user', 'SECTION'],
    ['/users/7', 'User 7', 'SECTION'],
    ['/users/7/name', 'name of 7', 'SECTION'],
    ['/users/7/report.pdf', 'report.pdf of 7', 'SECTION'],
    ['/inside/deep', 'Deep', 'ARTICLE'],
    ['/inside/a/b', 'More: a/b', 'ARTICLE'],
    ['/cart', 'Cart', 'ASIDE'],
  ])('%s is %s', async (path, heading, frame) => {
    const { page, errors } = await pages.open(server.base + path);
    await page.waitForSelector(`h1:text-is(${JSON.stringify(heading)})`);
    expect(await page.evaluate('document.querySelector("h1").parentElement.tagName')).toBe(frame);
    expect(await page.evaluate('document.querySelector("h1").closest("section") !== null')).toBe(true);
    expect(errors).toEqual([]);
  });

  test.each([
    ['/users/7/report.pdf', 'text/html', 200],
    ['/users/7/report.pdf', 'image/png', 404],
    ['/inside/report.pdf', 'text/html', 404],
    ['/report.pdf', 'text/html', 404],
  ])('%s for a browser that takes %s gives %i', async (path, accept, status) => {
    expect((await fetch(server.base + path, { headers: { accept } })).status).toBe(status);
  });

  test.each(['/mine', '/admin/users'])('%s wants a login, and is gone back to afterwards', async (path) => {
    const { page } = await pages.open(server.base + path);
    await page.waitForSelector('h1:text-is("Sign in")');
    expect(new URL(page.url()).pathname).toBe('/login');
    if (path !== '/mine') return;
    await page.click('button');
    await page.waitForSelector('h1:text-is("Mine")');
    expect(new URL(page.url()).pathname).toBe('/mine');
    // A token whose time is over is none.
    const over = `a.${Buffer.from('{"exp":1}').toString('base64url')}.c`;
    await page.evaluate(`localStorage.setItem("svc_token", ${JSON.stringify(over)})`);
    await page.reload();
    await page.waitForSelector('h1:text-is("Sign in")');
  });

  test.each(['/nowhere', '/users/7/name/more', '/nothing'])(
    '%s says that there is no page, in the frame',
    async (path) => {
      const { page, errors } = await pages.open(server.base + path);
      await page.waitForSelector('section [role=alert]');
      expect(await page.innerText('[role=alert]')).toBe('There is no page at this address.');
      await page.click('a:text-is("start")');
      await page.waitForSelector('h1:text-is("Start")');
      expect(errors).toEqual([]);
    },
  );

  test('a page that fails leaves its frame, and the next one is shown', async () => {
    const { page } = await pages.open(`${server.base}/inside/deep`);
    await page.click('a:text-is("broken")');
    await page.waitForSelector('section [role=alert]');
    await page.click('a:text-is("start")');
    await page.waitForSelector('h1:text-is("Start")');
    expect(await page.$('[role=alert]')).toBe(null);
    await expect.poll(() => server.output()).toMatch(/"msg":"in the browser: TypeError[^\n]*pages\/broken\.svc/);
  });
});

describe.skipIf(chromium === undefined)('pages that come and go while they are written', () => {
  test('are shown without another start', async () => {
    const folder = folderWith({
      'main.svc': 'walker:pub Hello { can go with Root entry { report "hello"; } }\n',
      'pages/index.svc': `import from "@svc/runtime" { Link }
def:pub page() -> JsxElement { return <><h1>Start</h1><Link to="/new">new</Link></>; }
`,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const args = ['--dev'];
    const server = await startServer({ folder: folder.path, args, env: { SVC_ENV: 'development' } });
    const pages = await startPages();
    const added = join(folder.path, 'pages/new.svc');
    try {
      const { page } = await pages.open(server.base);
      await page.click('a');
      await page.waitForSelector('[role=alert]:text-is("There is no page at this address.")');
      writeFileSync(added, 'def:pub page() -> JsxElement { return <h1>New</h1>; }\n');
      await page.waitForSelector('h1:text-is("New")');
      mkdirSync(join(folder.path, 'pages/new'));
      const twin = join(folder.path, 'pages/new/index.svc');
      writeFileSync(twin, 'def:pub page() -> JsxElement { return <h1>Twin</h1>; }\n');
      await page.waitForSelector('vite-error-overlay', { state: 'attached' });
      await expect.poll(() => server.output()).toMatch(/error\[E0610\][\s\S]*pages\/new\/index\.svc/);
      rmSync(twin);
      await page.waitForSelector('vite-error-overlay', { state: 'detached' });
      rmSync(added);
      await page.waitForSelector('[role=alert]:text-is("There is no page at this address.")');
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});
