/** Routes of the files below `pages/`, in a browser against a real server. */
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
