/** Single sign-on from a page and back: a real server, a certified provider, Chromium. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OidcProvider, startOidcProvider } from '../harness/oidc-provider.ts';
import { freePort } from '../harness/ports.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

const clientSecret = 'a client secret of the provider+:%';
const program = (runtime: string) => `
import from "${runtime}" { Router, Routes, Route, AuthGuard, useLocation, svcSsoLogin, svcIsLoggedIn }

walker WhoAmI { can go with Root entry { report "somebody"; } }

def:pub Login() -> JsxElement {
    return <main>
        <p role="alert">{URLSearchParams(useLocation().search).get("message")}</p>
        <button onClick={lambda { svcSsoLogin("corp"); }}>Sign in</button>
    </main>;
}
def:pub Deep() -> JsxElement {
    has who: str = "";
    at = useLocation();
    async can with entry { who = (root spawn WhoAmI()).reports[0]; }
    return <p id="deep">{who} at {at.pathname}{at.search}</p>;
}
def:pub app() -> JsxElement {
    return <Router><Routes>
        <Route path="/" element={<p id="home">{"in" if svcIsLoggedIn() else "out"}<button onClick={lambda { svcSsoLogin("corp"); }}>Sign in</button></p>} />
        <Route path="/login" element={<Login />} />
        <Route element={<AuthGuard />}><Route path="/team/:id" element={<Deep />} /></Route>
    </Routes></Router>;
}
`;

describe.skipIf(chromium === undefined).each([
  ['history', '@svc/runtime', '', ''],
  ['history, below a path of the host', '@svc/runtime', '', '/app'],
  ['the part behind #', '@svc-client/utils', '#', ''],
])('single sign-on with a router by %s', (_, runtime, mark, path) => {
  let folder: ReturnType<typeof folderWith>;
  let server: RunningServer;
  let provider: OidcProvider;
  let pages: Pages;
  /** Under this name nobody may be returned to unasked: it is the server's own pages that are. */
  let base: string;
  beforeAll(async () => {
    const providerPort = await freePort();
    const settings = `[plugins.scale.sso.corp]\nissuer = "http://127.0.0.1:${providerPort}"\nclient_id = "svc"\nclient_secret = "${clientSecret}"\nallow_private_issuer = true\n`;
    const port = path === '' ? 0 : await freePort();
    const address = path === '' ? '' : `[serve]\nbase_url = "http://localhost:${port}${path}"\n`;
    folder = folderWith({ 'main.svc': program(runtime), 'svc.toml': address + settings });
    server = await startServer({ folder: folder.path, args: ['--port', String(port)] });
    base = `http://localhost:${server.port}${path}`;
    provider = await startOidcProvider({
      port: providerPort,
      redirectUris: [`${base}/sso/corp/login/callback`],
      clientSecret,
    });
    pages = await startPages();
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await server?.stop();
    await provider?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  });

  async function signIn(page: Page): Promise<void> {
    await page.click('button');
    await page.fill('[name=login]', 'ada');
    await page.fill('[name=password]', 'x');
    await page.click('[type=submit]');
    await page.waitForSelector('[name=login]', { state: 'detached' });
    await page.click('[type=submit]');
  }

  test('the person is where they were, and no token is in the address', async () => {
    const { page } = await pages.open(`${base}/${mark}`);
    await signIn(page);
    await page.waitForSelector('#home:has-text("in")');
    expect(page.url()).toBe(`${base}/`);
  });

  test('the page that wanted an account is shown', async () => {
    const { page } = await pages.open(`${base}/${mark === '' ? '' : '#/'}team/7?tab=open`);
    await signIn(page);
    await page.waitForSelector('#deep:text-is("somebody at /team/7?tab=open")');
  });

  test('a refusal is told where the person began, and another try leads on', async () => {
    const { page } = await pages.open(`${base}/${mark === '' ? '' : '#/'}team/8`);
    await page.click('button');
    await page.click('text=/cancel/i');
    await page.waitForSelector('[role=alert]:text("Invalid credentials")');
    await page.click('button');
    await page.waitForSelector('[name=login]');
    await page.goto(`${base}/sso/corp/login/callback?code=x&state=forged`);
    await page.waitForSelector('[role=alert]:text("Start again")');
    await signIn(page);
    await page.waitForSelector('#deep:text-is("somebody at /team/8")');
  });
});
