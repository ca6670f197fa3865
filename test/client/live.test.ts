/** Pages that follow the server, in a browser against a real server: values, actions, optimistic changes, sign-in, a network that is lost. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CuttingProxy, startProxy } from '../harness/cutting-proxy.ts';
import { linkPackages } from '../harness/link-packages.ts';
import { copyApp, post, type RunningServer, removeFolder, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

describe.skipIf(chromium === undefined)('a page that follows the server', () => {
  const folder = copyApp(join(import.meta.dirname, 'live'));
  let server: RunningServer;
  let proxy: CuttingProxy;
  let pages: Pages;
  beforeAll(async () => {
    linkPackages(folder);
    [server, pages] = await Promise.all([startServer({ folder }), startPages()]);
    proxy = await startProxy(server.port);
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
    await server?.stop();
    removeFolder(folder);
  });
  beforeEach(async () => {
    await call('Clear', {});
  });

  interface Watched {
    readonly page: Page;
    /** Frames of `/live` so far: `>` sent, `<` received, without heartbeats. */
    readonly frames: string[];
    readonly sockets: string[];
  }

  async function open(path = '/'): Promise<Watched> {
    const { page } = await pages.open('about:blank');
    const frames: string[] = [];
    const sockets: string[] = [];
    page.on('websocket', (socket) => {
      sockets.push(new URL(socket.url()).pathname);
      const note = (sign: string) => (frame: { readonly payload: string | Buffer }) => {
        const text = String(frame.payload);
        if (!/"type":"p[io]ng"/.test(text)) frames.push(sign + text);
      };
      socket.on('framesent', note('>'));
      socket.on('framereceived', note('<'));
    });
    await page.goto(proxy.base + path);
    return { page, frames, sockets };
  }
  const call = async (walker: string, fields: object, token?: string) => {
    expect((await post(server.base, `/walker/${walker}`, fields, token)).status).toBe(200);
  };
  const add = async (...titles: string[]) => {
    for (const title of titles) await call('AddTask', { title });
  };
  const shows = (page: Page, selector: string, text: string) =>
    page.waitForFunction(
      `document.querySelector(${JSON.stringify(selector)})?.textContent === ${JSON.stringify(text)}`,
    );
  const textOf = (page: Page, selector: string) => page.textContent(selector);

  test('shows what others change, over one connection for all that it follows', async () => {
    await add('first');
    const { page, sockets, frames } = await open();
    await shows(page, '#tasks', 'first');
    expect(await page.getAttribute('#tasks', 'aria-busy')).toBe('false');
    await add('second');
    await shows(page, '#tasks', 'firstsecond');
    await shows(page, '#count', '2');
    expect(await textOf(page, '#same')).toBe('same');
    expect(sockets).toEqual(['/live']);
    // Two components that ask for the same are one subscription.
    const asked = frames.filter((frame) => frame.startsWith('>') && frame.includes('subscribe')).join();
    expect(asked.match(/"walker":"ListTasks"/g)).toHaveLength(1);
    await page.click('text=first');
    await shows(page, '#tasks', 'first donesecond');
    await page.click('text=first');
    await shows(page, '#tasks', 'firstsecond');
  });

  test('is told what it cannot follow, and asks again by time', async () => {
    const { page } = await open();
    await shows(page, '#refused', 'NOT_READ_ONLY');
    await shows(page, '#mine', 'UNAUTHORIZED');
    await page.waitForFunction("document.querySelector('#clock').textContent !== ''");
    const before = await textOf(page, '#clock');
    await page.waitForFunction(`document.querySelector('#clock').textContent !== ${JSON.stringify(before)}`);
  });

  test('runs actions: pending, then the answer or the error', async () => {
    const { page } = await open();
    await shows(page, '#action', 'idle');
    await page.fill('input', 'third');
    await page.click('#add');
    await shows(page, '#action', 'third');
    await page.fill('input', 'bad');
    await page.click('#add');
    await shows(page, '#action', 'BAD_TITLE');
  });

  /** Tasks and the state of the action that the page has shown, one after the other, however short. */
  async function watch(page: Page): Promise<() => Promise<string[]>> {
    await page.evaluate(`{
      const textOf = () => document.querySelector('#tasks').textContent + ': ' + document.querySelector('#action').textContent;
      const seen = (window.seen = [textOf()]);
      new MutationObserver(() => {
        if (seen.at(-1) !== textOf()) seen.push(textOf());
      }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
    }`);
    return () => page.evaluate('window.seen') as Promise<string[]>;
  }

  test('shows a change at once, then what has become of it', async () => {
    await add('first');
    const { page } = await open();
    await shows(page, '#tasks', 'first');
    const seen = await watch(page);
    await page.click('#quick');
    await shows(page, '#action', 'soon');
    await page.click('#bad');
    await shows(page, '#action', 'BAD_TITLE');
    await shows(page, '#tasks', 'firstsoon');
    await page.click('#turn');
    await shows(page, '#action', 'later');
    await shows(page, '#tasks', 'firstsoonlater');
    const states = await seen();
    const places = [
      'firstsoon: pending',
      'firstsoon: soon',
      'firstsoonbad: pending',
      'firstsoon: BAD_TITLE',
      'firstsoonlater?: pending',
      'firstsoonlater: later',
    ].map((state) => states.indexOf(state));
    expect(places, states.join('\n')).toEqual([...new Set(places)].filter((at) => at >= 0).sort((a, b) => a - b));
    // Nothing came twice, nothing went and came back.
    expect(states.filter((text) => /soon.*soon.*:|later.*later.*:/.test(text))).toEqual([]);
  });

  test('shows a change at once for a walk that is spawned, and takes it back without an answer', async () => {
    await add('first');
    const { page } = await open();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await shows(page, '#tasks', 'first');
    const seen = await watch(page);
    const answered = page.waitForResponse(/AddTask/);
    await page.click('#plain');
    await answered;
    await shows(page, '#tasks', 'firstplain');
    await page.route(/AddTask/, (route) => route.abort());
    await page.click('#plain');
    await page.waitForFunction("window.seen.some((text) => text.startsWith('firstplainplain:'))");
    await shows(page, '#tasks', 'firstplain');
    expect([errors, await seen()]).toEqual([
      [],
      ['first: idle', 'firstplain: idle', 'firstplainplain: idle', 'firstplain: idle'],
    ]);
  });

  test('goes on where it was when the network was lost', async () => {
    await add('first', 'second');
    const { page, frames, sockets } = await open();
    await shows(page, '#count', '2');
    const before = frames.length;
    expect(proxy.cut()).toBeGreaterThan(0);
    await expect.poll(() => sockets.length).toBe(2);
    await expect.poll(() => frames.slice(before).some((frame) => frame.includes('"have":{'))).toBe(true);
    await add('third');
    await shows(page, '#count', '3');
    // An unchanged value was not sent again.
    const again = frames.slice(before).filter((frame) => frame.startsWith('<') && frame.includes('"type":"result"'));
    expect(again.filter((frame) => frame.includes('"result":2'))).toEqual([]);
    proxy.cut(true);
    await add('fourth');
    proxy.mend();
    await shows(page, '#count', '4');
  });

  test('follows who is signed in, without a new page', async () => {
    const { page, sockets, frames } = await open();
    await shows(page, '#mine', 'UNAUTHORIZED');
    await page.click('#up');
    await shows(page, '#mine', '');
    expect(frames.some((frame) => frame.startsWith('>{"type":"token"'))).toBe(true);
    expect(sockets).toHaveLength(1);
    const token: string = await page.evaluate('localStorage.svc_token');
    await call('AddMine', { text: 'secret' }, token);
    await shows(page, '#mine', 'secret');
    await page.click('#ben');
    await shows(page, '#mine', '');
    await page.click('#out');
    await shows(page, '#mine', 'UNAUTHORIZED');
  });

  test('carries nothing of it where nothing is followed', async () => {
    const scripts = async (program: string): Promise<string> => {
      using made = folderWith({ 'main.svc': program });
      const plain = made.path;
      linkPackages(plain);
      const { code, stderr } = await runSvc(['build', '--client', '--out', 'out'], { cwd: plain });
      expect([code, stderr.includes('error')]).toEqual([0, false]);
      const static_ = join(plain, 'out/static');
      const names = readdirSync(static_).filter((name) => name.endsWith('.js'));
      return names.map((name) => readFileSync(join(static_, name), 'utf8')).join();
    };
    const walker = 'walker:pub W { can go with Root entry { report 1; } }\n';
    const page = (code: string) => `def:pub app() -> JsxElement { ${code} return <p>hello</p>; }\n`;
    const asks = `${walker}${page('async can with entry { print((root spawn W()).reports); }')}`;
    const follows = `import from "@svc/runtime" { live }\n${walker}${page('value = live(root spawn W()); print(value.reports);')}`;
    expect(await scripts(follows)).toContain('/live');
    expect(await scripts(asks)).not.toContain('/live');
  });

  test('follows outside of components, too', async () => {
    await add('first', 'second');
    const { page } = await open('/outside');
    await page.waitForFunction("document.querySelector('#outside')?.textContent.startsWith('first,')");
    await add('outside');
    await page.waitForFunction("document.querySelector('#outside').textContent.endsWith(',outside')");
  });
});
