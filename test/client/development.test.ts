/** `svc start --dev`: what a person sees in the page while a program is written. */
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, openLate, type Page, type Pages, startPages } from './pages-of.ts';

const files = {
  'main.svc': `import from .card { Card }
import from .tally { Tally } import from .badge { Badge, tones } import from .shade { Shaded }
def:pub wrong() -> int { return "wrong"; }
walker:pub Say { can go with Root entry { report "first"; } }
walker:pub Other { can go with Root entry { report "other"; } }
def:pub app() -> JsxElement {
    has text: str = "", said: str = "";
    async def ask() -> None { r = root spawn Say(); said = r.reports[0]; }
    return <main>
        <input value={text} onChange={lambda e: any -> None { text = e.target.value; }}/>
        <button onClick={ask}>Ask</button><output>{said}</output>
        <Card/><Tally/><Badge/><Shaded/><s>{tones.plain}</s>
    </main>;
}
`,
  'card.svc': `import "./card.css";
def:pub Card() -> JsxElement {
    has n: int = 0;
    def fail() -> None { x = None; x.member.of(); }
    return <p onClick={fail}>one</p>;
}
`,
  'tally.svc': `import from react { memo, useState }
cl {
    def useTally() -> any { has n: int = 0; return {"n": n, "more": lambda -> None { n += 1; }}; }
    glob Framed = memo(lambda (props: any) { (n, setN) = useState(0); return <b onClick={lambda: setN(n + 1)}>framed {n}</b>; });
}
def:pub Tally() -> JsxElement {
    tally = useTally();
    return <div><i onClick={tally.more}>tally {tally.n}</i><Framed/></div>;
}
`,
  'shade.svc': `import from react { createContext, useContext, useState }
glob Shade = createContext("none");
def Shown() -> JsxElement { (n, setN) = useState(0); return <u onClick={lambda { setN(n + 1); }}>shade {useContext(Shade)} {n}</u>; }
def:pub Shaded() -> JsxElement { return <><Shade.Provider value="dark"><Shown/></Shade.Provider><Default/></>; }
def Default() -> JsxElement { return <small>{useContext(Shade)}</small>; }
`,
  // Exports a constant beside a component, so that those who import it are updated instead.
  'badge.svc': `cl glob:pub tones = {"plain": "grey"};
def:pub Badge() -> JsxElement { return <em>new</em>; }
`,
  'card.css': 'p { color: rgb(1, 1, 1); }\n',
  'assets/sign.txt': 'a sign',
  'svc.toml': '[serve]\nbase_url = "https://dev.example.org:8443"\n[plugins.client]\nport = 0\n',
};

describe.skipIf(chromium === undefined)('a page that is being written', () => {
  const folder = folderWith(files);
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  beforeAll(async () => {
    [server, pages] = await Promise.all([
      startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
    ({ page } = await pages.open(server.base));
    await page.waitForSelector('p');
    await page.fill('input', 'kept');
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const edit = (name: string, from: string, to: string) => {
    const text = readFileSync(join(folder.path, name), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder.path, name), text.replace(from, to));
  };
  const ask = async () => {
    const [answer] = await Promise.all([page.waitForResponse('**/walker/Say'), page.click('button')]);
    expect(answer.status()).toBe(200);
  };

  test('shows a changed component, and keeps what was typed', async () => {
    edit('card.svc', '>one<', '>two<');
    await page.waitForSelector('p:text-is("two")');
    expect(await page.inputValue('input')).toBe('kept');
  });

  const counted = async () => [await page.innerText('i'), await page.innerText('b')];

  test('keeps the state of a component until its hooks are others', async () => {
    const told = server.output().length;
    const more = async () => {
      for (const name of ['i', 'b']) await page.click(name);
    };
    await more();
    await page.click('b');
    edit('tally.svc', 'tally {', 'count {');
    await page.waitForSelector('i:has-text("count")');
    expect(await counted()).toEqual(['count 1', 'framed 2']);
    const ofHook = ['has n: int = 0;', 'has more: int = 5, n: int = more;'] as const;
    const ofValue = ['(n, setN) =', '(other, setOther) = useState(7); (n, setN) ='] as const;
    for (const [[from, to], shown] of [
      [ofHook, ['count 5', 'framed 0']],
      [ofValue, ['count 6', 'framed 0']],
    ] as const) {
      edit('tally.svc', from, to);
      await expect.poll(counted).toEqual(shown);
      await more();
      expect(await page.isVisible('vite-error-overlay')).toBe(false);
      expect(server.output().slice(told)).not.toContain('error in the browser');
      expect(await page.inputValue('input')).toBe('kept');
    }
  });

  test('keeps what stands on a context of the module, until the text of the context is another one', async () => {
    await page.click('u');
    edit('shade.svc', '>shade {', '>tint {');
    await page.waitForSelector('u:text-is("tint dark 1")');
    edit('shade.svc', 'createContext("none")', 'createContext("light")');
    await page.waitForSelector('small:text-is("light")');
    expect(await page.inputValue('input')).toBe('kept');
  });

  test('keeps what was typed when a module changes that exports more than components', async () => {
    edit('badge.svc', '>new<', '>newer<');
    await page.waitForSelector('em:text-is("newer")');
    edit('badge.svc', '"grey"', '"blue"');
    await page.waitForSelector('s:text-is("blue")');
    expect(await page.inputValue('input')).toBe('kept');
  });

  test('shows a component that was added later by its name', async () => {
    edit('badge.svc', 'def:pub Badge', 'def:pub Later() -> JsxElement { return <em>later</em>; }\ndef:pub Badge');
    await page.waitForSelector('em:text-is("newer")');
    await expect
      .poll(async () => {
        const { page: other } = await pages.open(`${server.base}/cl/Later`);
        return other.locator('em').allInnerTexts();
      })
      .toEqual(['later']);
  });

  test('shows a changed sheet', async () => {
    edit('card.css', 'rgb(1, 1, 1)', 'rgb(2, 2, 2)');
    await page.waitForFunction('getComputedStyle(document.querySelector("p")).color === "rgb(2, 2, 2)"');
    expect(await page.inputValue('input')).toBe('kept');
  });

  test('stays when code of the server changes, and gets answers of the new code', async () => {
    await ask();
    await page.waitForSelector('output:text-is("first")');
    edit('main.svc', 'report "first"', 'report "second"');
    const said = async () => {
      await page.click('button');
      return await page.innerText('output');
    };
    await expect.poll(said).toBe('second');
    expect(await page.inputValue('input')).toBe('kept');
  });

  test.each([
    ['card.svc', '</p>', '</q>'],
    ['main.svc', 'report "other";', 'report "other'],
  ])('covers itself with an error of %s until there is none', async (file, right, wrong) => {
    edit(file, right, wrong);
    await page.waitForSelector('vite-error-overlay', { state: 'attached' });
    const shown = String(await page.evaluate('document.querySelector("vite-error-overlay").shadowRoot.textContent'));
    expect(shown).toMatch(new RegExp(`${file.replace('.', '\\.')}:\\d+:\\d+`));
    expect(shown).toContain(wrong);
    await expect
      .poll(() => server.output())
      .toMatch(new RegExp(`error\\[E\\d+\\][\\s\\S]*${file.replace('.', '\\.')}`));
    const late = (await pages.open(server.base)).page;
    await late.waitForSelector('vite-error-overlay', { state: 'attached' });
    edit(file, wrong, right);
    await page.waitForSelector('vite-error-overlay', { state: 'detached' });
    expect(await page.inputValue('input')).toBe('kept');
  });

  test.each([
    ['a wrong type', 'card.svc', '</p>', '{"two".size}</p>', /E0413.*card\.svc:5:40/s],
    ['a name that nobody knows', 'card.svc', 'x = None', 'x = nobody', /W0641.*card\.svc:4:30/s],
    ['a wrong type on the server', 'main.svc', 'report "other"', 'report "other" - 1', /E0414.*main\.svc:5:/s],
  ])(
    'is covered by %s, which keeps nothing from being shown, until it is mended',
    async (_, file, right, wrong, told) => {
      const text = await page.innerText('p');
      edit(file, right, wrong);
      const shown = 'document.querySelector("vite-error-overlay")?.shadowRoot.textContent ?? ""';
      await expect.poll(() => page.evaluate(shown)).toMatch(told);
      edit(file, wrong, right);
      await page.waitForSelector('vite-error-overlay', { state: 'detached' });
      await page.waitForSelector(`p:text-is("${text}")`);
      expect(await page.inputValue('input')).toBe('kept');
    },
  );

  test('is not covered by mistakes that were there from the start', async () => {
    await expect.poll(() => server.output()).toContain('E0411');
    const text = await page.innerText('p');
    edit('card.svc', '</p>', '!</p>');
    await page.waitForSelector(`p:text-is("${text}!")`);
    edit('card.svc', '!</p>', '</p>');
    await page.waitForSelector(`p:text-is("${text}")`);
    expect(await page.isVisible('vite-error-overlay')).toBe(false);
  });

  test('shows what is saved while a page is loaded', async () => {
    const late = await openLate(pages, server.base, '**/card.svc*', async () => {
      edit('card.svc', '>two<', '>three<');
      await page.waitForSelector('p:text-is("three")');
    });
    await late.waitForSelector('p:text-is("three")');
    edit('card.svc', '>three<', '>two<');
    await page.waitForSelector('p:text-is("two")');
    await late.waitForSelector('p:text-is("two")');
    expect(await page.inputValue('input')).toBe('kept');
    await late.close();
  });

  test('is not loaded anew for a file that is no module of it, such as a log that is written while it is loaded', async () => {
    const late = await openLate(pages, server.base, '**/@vite/client', async () => {
      writeFileSync(join(folder.path, 'server.log'), 'a line\n');
      await new Promise((end) => setTimeout(end, 500));
    });
    await late.waitForSelector('p');
    expect(await late.evaluate('performance.getEntriesByType("navigation")[0].type')).toBe('navigate');
    await late.close();
  });

  test('tells errors of the page in the terminal, by their place in the source', async () => {
    await page.click('p');
    await expect.poll(() => server.output()).toMatch(/error in the browser: TypeError[\s\S]*card\.svc:4:\d+/);
  });

  test('gives away neither the text of the server nor its data', async () => {
    for (const path of [
      '/static/main.svc?raw',
      '/static/main.svc?import&raw',
      `/static/@fs${folder.path}/main.svc?raw`,
      '/static/.svc/data/svc.db',
      '/static/svc.toml?raw',
    ]) {
      const answer = await fetch(server.base + path);
      expect([path, answer.status === 200 ? await answer.text() : '']).toEqual([
        path,
        expect.not.stringMatching(/report|SQLite|plugins/),
      ]);
    }
  });

  test('has files of `assets/` at all of their addresses', async () => {
    for (const path of ['/static/assets/sign.txt', '/static/sign.txt', '/assets/sign.txt', '/compiled/assets/sign.txt'])
      expect(await (await fetch(`${server.base}${path}`)).text()).toBe('a sign');
  });

  test('comes through a proxy under the name of `base_url`, and no other', async () => {
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        get(`${server.base}/static/@vite/client`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    expect(await Promise.all(['dev.example.org:8443', 'dev.example.org', 'example.org'].map(statusFor))).toEqual([
      200, 200, 403,
    ]);
    await expect
      .poll(() => server.output())
      .toMatch(/pages at example\.org stay empty[\s\S]*base_url = "https:\/\/example\.org"/);
    expect(server.output()).not.toContain('pages at dev.example.org');
  });

  test('goes on after an address that is none', async () => {
    expect((await fetch(`${server.base}/static/%E0%A4%A.svc?t=1`)).ok).toBe(false);
    await ask();
    expect(server.output()).not.toContain('URI malformed');
  });
});

test.skipIf(chromium === undefined)(
  'a page shows what was saved while a slow plug-in was at the text before',
  async () => {
    const slow = `export default { plugins: [{ name: 'slow', async transform(code, id) {
    if (id.endsWith('card.svc') && code.includes('"two"')) await new Promise((end) => setTimeout(end, 1500));
  } }] };`;
    const card = (text: string) => `def:pub Card() -> JsxElement { return <p>{"${text}"}</p>; }\n`;
    using folder = folderWith({
      'main.svc': 'import from .card { Card }\ndef:pub app() -> JsxElement { return <Card/>; }\n',
      'card.svc': card('one'),
      'vite.config.mjs': slow,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const server = await startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } });
    await using pages = await startPages();
    const { page } = await pages.open(server.base);
    await page.waitForSelector('p:text-is("one")');
    const isAsked = page.waitForRequest(/card\.svc\?.*t=/);
    writeFileSync(join(folder.path, 'card.svc'), card('two'));
    await isAsked;
    writeFileSync(join(folder.path, 'card.svc'), card('three'));
    await page.waitForSelector('p:text-is("three")');
    await server.stop();
  },
);

test.skipIf(chromium === undefined)(
  'a page that comes when an error has been mended is not covered by it',
  async () => {
    const card = (end: string) => `def:pub Card() -> JsxElement { return <p>card</${end}>; }\n`;
    using folder = folderWith({
      'main.svc': 'import from .card { Card }\ndef:pub app() -> JsxElement { return <Card/>; }\n',
      'card.svc': card('p'),
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    await using server = await startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } });
    await using pages = await startPages();
    const told = server.output().length;
    writeFileSync(join(folder.path, 'card.svc'), card('q'));
    await expect.poll(() => server.output().slice(told)).toContain('still serving');
    writeFileSync(join(folder.path, 'card.svc'), card('p'));
    await expect.poll(() => server.output().slice(told)).toMatch(/Page updated|Reloaded/);
    const { page } = await pages.open('about:blank');
    const frames: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
    await page.goto(server.base);
    await page.waitForSelector('p:text-is("card")');
    writeFileSync(join(folder.path, 'card.svc'), card('p').replace('card', 'later'));
    await page.waitForSelector('p:text-is("later")');
    expect(frames.filter((text) => JSON.parse(text).type === 'error')).toEqual([]);
  },
);
