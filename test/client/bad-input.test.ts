/** Mistakes and failures as a person sees them in the page, and who develops in the terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, openLate, type Page, type Pages, startPages } from './pages-of.ts';

/** Each case is a component that `/cl/{name}` shows. */
const files = {
  'main.svc': `import asyncio;
import from "@svc/runtime" { AuthGuard, svcIsLoggedIn }

walker:pub Size { has text: str; can go with Root entry { report len(self.text); } }
walker:pub Later { has seconds: float; async can go with Root entry { await asyncio.sleep(self.seconds); report "at last"; } }
walker Mine { can go with Root entry { report "of yours"; } }
def:pub fail() -> str { raise ValueError("not today"); }

def:pub Throws() -> JsxElement {
    has bad: bool = False;
    return <main><button onClick={lambda { bad = True; }}>go</button><p>above</p><Inner bad={bad}/></main>;
}
def:pub Inner(bad: bool) -> JsxElement {
    nothing: any = None;
    return <i>{nothing.deep.er if bad else "well"}</i>;
}
def:pub Handler() -> JsxElement {
    def press() -> None { nothing: any = None; nothing.call(); }
    return <button onClick={press}>go</button>;
}
def:pub Hooked() -> JsxElement {
    has on: bool = False;
    if on { r = useRef(1); print(r); }
    return <button onClick={lambda { on = True; }}>{"on" if on else "off"}</button>;
}
def:pub Gone() -> JsxElement {
    has said: str = "";
    async def ask() -> None {
        answer = root spawn Nowhere(x=1);
        said = f"{answer.ok} {answer.status} {answer.error.code} {len(answer.reports)}";
    }
    async def call() -> None {
        try { await fail(); } except Exception as e { said = f"{e.status} {e.code} {e}"; }
    }
    return <main><button id="ask" onClick={ask}>ask</button><button id="call" onClick={call}>call</button><p>{said}</p></main>;
}
def:pub Away() -> JsxElement {
    has said: str = "";
    async def ask() -> None {
        try { root spawn Size(text="x"); } except Exception as e { said = f"{e.name} {e.status}"; }
    }
    return <main><button onClick={ask}>ask</button><p>{said}</p></main>;
}
def:pub Private() -> JsxElement {
    has said: str = "";
    async def ask() -> None { answer = root spawn Mine(); said = f"{answer.status} {answer.error.code if answer.error else answer.reports[0]}"; }
    return <main><b>{"known" if svcIsLoggedIn() else "unknown"}</b><button onClick={ask}>ask</button><p>{said}</p></main>;
}
def:pub Large() -> JsxElement {
    has said: str = "";
    async def send(count: int) -> None {
        answer = root spawn Size(text="x" * count);
        said = f"{answer.ok} {answer.status} {answer.error.code if answer.error else answer.reports[0]}";
    }
    return <main>
        <Shown text={"x" * 1000000}/>
        <button id="one" onClick={lambda { send(1000000); }}>one</button>
        <button id="five" onClick={lambda { send(5000000); }}>five</button>
        <p>{said}</p>
    </main>;
}
def:pub Shown(text: str) -> JsxElement { return <i>{len(text)}</i>; }
def:pub Slow() -> JsxElement {
    has said: str = "idle", count: int = 0;
    async def ask(seconds: float) -> None {
        said = "waiting";
        answer = root spawn Later(seconds=seconds);
        said = answer.reports[0] if answer.ok else f"{answer.status} {answer.error.code}";
    }
    return <main>
        <button id="soon" onClick={lambda { ask(0.8); }}>soon</button>
        <button id="never" onClick={lambda { ask(600.0); }}>never</button>
        <button id="count" onClick={lambda { count += 1; }}>{count}</button>
        <p>{said}</p>
    </main>;
}
def:pub app() -> JsxElement { return <h1>Home</h1>; }
`,
  'svc.toml': '[serve]\nrequest_timeout_seconds = 2\n[plugins.client]\nport = 0\n',
};

describe.skipIf(chromium === undefined)('a page of a program', () => {
  const text = files['main.svc'].replace('import asyncio;\n', 'import asyncio;\nimport from "react" { useRef }\n');
  const folder = folderWith({ ...files, 'main.svc': text });
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

  const open = (name: string) => pages.open(`${server.base}/cl/${name}`);
  const says = (page: Page, text: string) => page.waitForSelector(`p:text-is(${JSON.stringify(text)})`);
  const lineOf = (part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;
  const logged = (part: string) =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('in the browser') && line.includes(part));

  test('a component that throws: the page says so, offers another try, and the log has its place', async () => {
    const { page } = await open('Throws');
    await page.waitForSelector('i:text-is("well")');
    await page.click('button');
    await page.waitForSelector('[role=alert]');
    expect(await page.innerText('[role=alert]')).toContain('This part of the page failed.');
    await page.click('[role=alert] button:text-is("Try again")');
    await page.waitForSelector('i:text-is("well")');
    await expect.poll(() => logged('deep')).toHaveLength(1);
    expect(JSON.parse(logged('deep')[0]!).frames[0]).toMatchObject({ file: 'main.svc', line: lineOf('nothing.deep') });
  });

  test('a handler that throws: the page stays, and the log has its place', async () => {
    const { page } = await open('Handler');
    await page.click('button');
    await expect.poll(() => logged("reading 'call'").length + logged('call').length).toBeGreaterThan(0);
    expect(JSON.parse(logged('call')[0]!).frames[0]).toMatchObject({ file: 'main.svc', line: lineOf('nothing.call') });
    expect(await page.innerText('button')).toBe('go');
  });

  test('a hook in a condition: svc check tells it, the page says that it failed', async () => {
    const { stdout } = await runSvc(['check', 'main.svc'], { cwd: folder.path });
    expect(stdout).toContain('W0635');
    expect(stdout).toContain('the hook `useRef` is called in a condition');
    expect(stdout).toMatch(new RegExp(`main\\.svc:${lineOf('useRef(1)')}:17`));
    const { page } = await open('Hooked');
    await page.click('button');
    await page.waitForSelector('[role=alert]');
  });

  test('a walker that is gone, and a function that fails, give errors with their codes', async () => {
    const { page, errors } = await open('Gone');
    await page.click('#ask');
    await says(page, 'False 404 NOT_FOUND 0');
    await page.click('#call');
    await page.waitForFunction('document.querySelector("p").textContent.startsWith("500 ")');
    expect(await page.innerText('p')).not.toMatch(/main\.svc|at /);
    expect(errors.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  });

  test('a server that cannot be reached is an exception with a name', async () => {
    const { page } = await open('Away');
    await page.route('**/walker/**', (route) => route.abort());
    await page.click('button');
    await says(page, 'SpawnError 0');
  });

  test('a token whose time is over counts as none; one that is refused is forgotten, and the page begins again once', async () => {
    const { token } = await register(server.base, 'grace');
    const { page } = await open('Private');
    const keep = (value: string) => page.evaluate(`localStorage.setItem("svc_token", ${JSON.stringify(value)})`);
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await page.click('button');
    await page.waitForFunction('document.querySelector("p").textContent.startsWith("401 ")');
    expect(loads).toEqual([]);
    await keep(token);
    await page.reload();
    await page.waitForSelector('b:text-is("known")');
    await page.click('button');
    await says(page, '200 of yours');
    loads.length = 0;
    await keep(`${token.slice(0, -4)}AAAA`);
    await page.evaluate('addEventListener("svc:unauthorized", () => sessionStorage.setItem("told", "yes"))');
    await page.click('button');
    await page.waitForSelector('b:text-is("unknown")');
    expect(await page.evaluate('[localStorage.getItem("svc_token"), sessionStorage.getItem("told")]')).toEqual([
      null,
      'yes',
    ]);
    expect(loads).toHaveLength(1);
    const over = `a.${Buffer.from('{"exp":1}').toString('base64url')}.c`;
    await keep(over);
    await page.reload();
    await page.waitForSelector('b:text-is("unknown")');
  });

  test('a million characters: as a property, in a request, in an address', async () => {
    const { page } = await open('Large');
    await page.waitForSelector('i:text-is("1000000")');
    await page.click('#one');
    await says(page, 'True 200 1000000');
    await page.click('#five');
    await says(page, 'False 413 PAYLOAD_TOO_LARGE');
    const answer = await fetch(`${server.base}/cl/Shown?text=${'x'.repeat(1_000_000)}`);
    expect([414, 431]).toContain(answer.status);
    expect((await fetch(`${server.base}/healthz`)).status).toBe(200);
  });

  test('a slow answer: the page shows that it waits, and goes on; one that does not come ends', async () => {
    const { page } = await open('Slow');
    await page.click('#soon');
    await says(page, 'waiting');
    await page.click('#count');
    await page.waitForSelector('#count:text-is("1")');
    await says(page, 'at last');
    await page.click('#never');
    await says(page, 'waiting');
    await page.waitForFunction('document.querySelector("p").textContent.startsWith("504 ")');
  });
});

describe.skipIf(chromium === undefined)('a page that is being written', () => {
  const folder = folderWith({
    'main.svc': 'import from .card { Card }\ndef:pub app() -> JsxElement { return <main><input/><Card/></main>; }\n',
    'card.svc': 'def:pub Card() -> JsxElement {\n    words = "fine";\n    return <p>{words}</p>;\n}\n',
    'look.css': 'p { color: red; }\n',
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  beforeAll(async () => {
    const env = { SVC_ENV: 'development' };
    [server, pages] = await Promise.all([startServer({ folder: folder.path, args: ['--dev'], env }), startPages()]);
    ({ page } = await pages.open(server.base));
    await page.waitForSelector('p:text-is("fine")');
    await page.fill('input', 'kept');
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const card = readFileSync(join(folder.path, 'card.svc'), 'utf8');
  const write = (text: string) => writeFileSync(join(folder.path, 'card.svc'), text);
  const overlay = async () => {
    const shown = await page.waitForFunction(
      'document.querySelector("vite-error-overlay")?.shadowRoot.querySelector(".window")?.innerText',
    );
    return String(await shown.jsonValue());
  };
  const recovers = async () => {
    write(card);
    await page.waitForSelector('vite-error-overlay', { state: 'detached' });
    await page.waitForSelector('p:text-is("fine")');
  };

  test('a syntax error covers it with the place and the lines around it, and goes', async () => {
    write(card.replace('"fine";', '"fine"'));
    const shown = await overlay();
    expect(shown).toContain('missing `;`');
    expect(shown).toMatch(/card\.svc:2:\d+/);
    expect(shown).toMatch(/^1 \| def:pub.*\n2 \| {5}words = "fine"\n[\s|]*\^/m);
    await expect.poll(() => server.output()).toMatch(/error\[E0120\][\s\S]*card\.svc:2:/);
    await recovers();
    expect(await page.inputValue('input')).toBe('kept');
  });

  test('a package that is not there covers it with the place of the import, and the terminal says it once', async () => {
    const before = server.output().length;
    write(`import from "far-away" { words }\n# of the author\n${card.replace('    words = "fine";\n', '')}`);
    expect(await overlay()).toMatch(
      /"far-away"[\s\S]*card\.svc:1:14[\s\S]*1 \| import from "far-away".*\n[\s|^]*\n2 \| # of the author/,
    );
    const printed = () => server.output().slice(before);
    await expect.poll(printed).toMatch(/card\.svc:1:14/);
    expect(printed()).not.toMatch(/at async|node_modules\/vite/);
    await recovers();
    expect(printed().split('nothing is found for the import')).toHaveLength(2);
  });

  test('a file of `assets/` that is not there covers it with the place of the import', async () => {
    write(`import from "@svc-client/assets/none.png" { default as none }\n${card.replace('"fine"', 'none')}`);
    expect(await overlay()).toMatch(/found for the import "@svc-client\/assets\/none\.png"\s*\S*card\.svc:1:14/);
    await recovers();
  });

  test('a sheet that is not there is told in the terminal, and the page goes on', async () => {
    write(`import "./nothing.css";\n${card.replace('fine', 'without it')}`);
    await page.waitForSelector('p:text-is("without it")');
    await expect.poll(() => server.output()).toMatch(/E0701[^\n]*nothing\.css[\s\S]*card\.svc:1:8/);
    write(card);
    await page.waitForSelector('p:text-is("fine")');
  });

  test('a sheet that is wrong covers it with its place', async () => {
    write(`import "./look.scss";\n${card}`);
    writeFileSync(join(folder.path, 'look.scss'), 'p {\n  color: $missing;\n}\n');
    const shown = await overlay();
    expect(shown).toMatch(/look\.scss/);
    await recovers();
  });

  test('a sheet that imports one of a package that is not there covers it with the place and what to do', async () => {
    writeFileSync(join(folder.path, 'look.css'), '@import "no-such-sheets/all.css";\n');
    write(`import "./look.css";\n${card}`);
    const shown = await overlay();
    expect(shown).toMatch(
      /nothing is found for the import "no-such-sheets\/all\.css": list the package[\s\S]*look\.css:1:10/,
    );
    expect(server.output()).not.toMatch(/NaN|Unable to resolve/);
    writeFileSync(join(folder.path, 'look.css'), 'p { color: red; }\n');
    await recovers();
  });

  test('a hook in a condition is told in the terminal when it is saved', async () => {
    const hooked = card
      .replace('fine', 'hooked')
      .replace('    return', '    if words == "" { useRef(1); }\n    return');
    write(`import from "react" { useRef }\n${hooked}`);
    await page.waitForSelector('p:text-is("hooked")');
    await expect
      .poll(() => server.output())
      .toMatch(/W0635\]: the hook `useRef` is called in a condition\n *--> card\.svc:4:22/);
    write(card);
    await page.waitForSelector('p:text-is("fine")');
  });

  test('a component that throws is told by its place, in the page and in the terminal', async () => {
    write(card.replace('{words}', '{words.deep.er}'));
    await page.waitForSelector('[role=alert]');
    expect(await page.innerText('[role=alert]')).toContain('TypeError');
    await expect.poll(() => server.output()).toMatch(/error in the browser: TypeError[\s\S]*card\.svc:3:\d+/);
    write(card);
    await page.waitForSelector('p:text-is("fine")');
  });

  test('a server that fails while it is loaded covers it with the place', async () => {
    const main = join(folder.path, 'main.svc');
    const text = readFileSync(main, 'utf8');
    writeFileSync(main, `${text}with entry { print(int("none")); }\n`);
    expect(await overlay()).toMatch(/ValueError[\s\S]*main\.svc:3:\d+[\s\S]*3 \| with entry/);
    writeFileSync(main, text);
    await page.waitForSelector('vite-error-overlay', { state: 'detached' });
  });

  test('a module that fails while it is loaded is told, and the next save is shown', async () => {
    const before = server.output().length;
    write(`cl glob limit: int = int("x");\n${card.replace('{words}', '{limit}')}`);
    await expect
      .poll(() => server.output().slice(before))
      .toMatch(/error in the browser: ValueError[\s\S]*card\.svc:1:/);
    expect(await overlay()).toMatch(/ValueError[\s\S]*card\.svc:1:/);
    write(card.replace('fine', 'mended'));
    await page.waitForSelector('p:text-is("mended")');
    write(card);
    await page.waitForSelector('p:text-is("fine")');
  });

  test('a page that is loaded while a module that fails is mended shows the mend', async () => {
    const before = server.output().length;
    write(`cl glob limit: int = int("x");\n${card.replace('{words}', '{limit}')}`);
    await expect.poll(() => server.output().slice(before)).toContain('error in the browser: ValueError');
    const late = await openLate(pages, server.base, '**/card.svc*', async () => {
      write(card.replace('fine', 'mended'));
      await page.waitForSelector('p:text-is("mended")');
    });
    await late.waitForSelector('p:text-is("mended")');
    write(card);
    for (const one of [page, late]) await one.waitForSelector('p:text-is("fine")');
  });

  test('a page that could not be loaded is loaded anew at the next save', async () => {
    write(card.replace('fine";', 'fine"'));
    const late = await openLate(pages, server.base, '**/main.svc*', async () => {});
    write(card);
    await late.waitForSelector('p:text-is("fine")');
  });
});
