/** Sheets, assets and fonts: what a person sees of them, as they are built for serving and while they are written. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkPackages } from '../harness/link-packages.ts';
import { type RunningServer, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

/** A red square of four pixels. */
const pixels = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);

const files = {
  'main.svc': `import "./plain.css";
import "./nested.scss";
import "./tailwind.css";
import ".styles.dotted.css";
import from "./box.module.css" { default as box }
import from "./picture.png" { default as picture }
import from "@svc-client/assets/drawn.svg" { default as drawn }
import from .parts.Card { Card }

def:pub app() -> JsxElement {
    return <main>
        <p id="plain">plain</p>
        <p id="nested" className="outer"><b>nested</b></p>
        <p id="tailwind" className="underline mt-[13px]">tailwind</p>
        <p id="dotted">dotted</p>
        <p id="module" className={box.frame}>module</p>
        <p id="font">font</p>
        <img id="picture" src={picture} alt="imported"/>
        <img id="drawn" src={drawn} alt="of assets"/>
        <img id="static" src="/static/assets/drawn.svg" alt="by its address"/>
        <img id="public" src="/sign.svg" alt="of the public folder"/>
        <p id="outside" className="card">outside</p>
        <Card/>
    </main>;
}
`,
  'plain.css': `@import "./base.css";
@font-face { font-family: Drawn; src: url("./drawn.woff2") format("woff2"); }
#plain { color: rgb(1, 2, 3); background-image: url("./picture.png"); }
#font { font-family: Drawn; background-image: url('/static/assets/drawn.svg'); }
`,
  'base.css': '#plain { margin-top: 7px; }\n',
  'nested.scss': '$ink: rgb(4, 5, 6);\n.outer { b { color: $ink; } }\n',
  'tailwind.css': '@import "tailwindcss";\n',
  'styles/dotted.css': '#dotted { color: rgb(7, 8, 9); }\n',
  'box.module.css': '.frame { color: rgb(10, 11, 12); }\n',
  'parts/Card.svc': `def cx(*names: any) -> str { return " ".join([n for n in names if n]); }
def:pub Card(on: bool = True, tone: str = "card") -> JsxElement {
    return <>
        <p id="scoped" className="card">scoped</p>
        <p id="joined" className={f"card {tone}"}>joined</p>
        <p id="chosen" className={"card" if tone == "card" else ""}>chosen</p>
        <p id="summed" className={"wide card" + (" card" if on else "")}>summed</p>
        <p id="called" className={cx("wide", on and "card")}>called</p>
        <p id="part" className={f"card{tone} card-{tone}"}>part</p>
        <p id="other" className={tone}>other</p>
    </>;
}
`,
  'parts/Card.style.scss': '$ink: rgb(13, 14, 15);\n.card { &:first-child { margin: 0; } color: $ink; }\n',
  'drawn.woff2': 'not a real font',
  'assets/drawn.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
  'public/sign.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>',
  'svc.toml': `[dependencies.npm]
sass = "^1"
tailwindcss = "^4"
"@tailwindcss/vite" = "^4"
[plugins.client]
port = 0
`,
};

describe.skipIf(chromium === undefined).each([
  { mode: 'built', args: [] },
  { mode: 'in development', args: ['--dev'] },
])('sheets and assets, $mode', ({ args, mode }) => {
  const folder = folderWith(files);
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  let errors: readonly string[];
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'picture.png'), pixels);
    linkPackages(folder.path);
    const env = { SVC_ENV: 'development' };
    [server, pages] = await Promise.all([startServer({ folder: folder.path, args, env }), startPages()]);
    ({ page, errors } = await pages.open(server.base));
    await page.waitForSelector('#scoped').catch(() => {
      throw new Error(`${errors.join('\n')}\n${server.output()}`);
    });
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const style = (selector: string, name: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue("${name}")`);

  test.each([
    ['#plain', 'color', 'rgb(1, 2, 3)'],
    ['#plain', 'margin-top', '7px'],
    ['#nested b', 'color', 'rgb(4, 5, 6)'],
    ['#tailwind', 'text-decoration-line', 'underline'],
    ['#tailwind', 'margin-top', '13px'],
    ['#dotted', 'color', 'rgb(7, 8, 9)'],
    ['#module', 'color', 'rgb(10, 11, 12)'],
    ['#scoped', 'color', 'rgb(13, 14, 15)'],
    ['#joined', 'color', 'rgb(13, 14, 15)'],
    ['#chosen', 'color', 'rgb(13, 14, 15)'],
    ['#summed', 'color', 'rgb(13, 14, 15)'],
    ['#called', 'color', 'rgb(13, 14, 15)'],
    ['#part', 'color', 'rgb(0, 0, 0)'],
    ['#other', 'color', 'rgb(0, 0, 0)'],
    ['#outside', 'color', 'rgb(0, 0, 0)'],
  ])('%s has its %s', async (selector, name, expected) => {
    expect(await style(selector, name)).toBe(expected);
  });

  test.each([
    ['picture', 2],
    ['drawn', 4],
    ['static', 4],
    ['public', 5],
  ])('the picture #%s is shown', async (id, width) => {
    await page.waitForFunction(`document.getElementById("${id}").complete`);
    expect(await page.evaluate(`document.getElementById("${id}").naturalWidth`)).toBe(width);
  });

  test('addresses in sheets lead to files', async () => {
    for (const [selector, name] of [
      ['#plain', 'background-image'],
      ['#font', 'background-image'],
    ] as const) {
      const [, url] = /url\("([^"]+)"\)/.exec(String(await style(selector, name)))!;
      expect([url, (await fetch(new URL(url!, server.base))).status]).toEqual([url, 200]);
    }
    const font = String(
      await page.evaluate(
        '[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).find((rule) => rule instanceof CSSFontFaceRule).cssText',
      ),
    );
    const [, url] = /url\("([^"]+)"\)/.exec(font)!;
    expect([url, await (await fetch(new URL(url!, server.base))).text()]).toEqual([url, files['drawn.woff2']]);
  });

  test('nothing is complained about', () => {
    expect(errors).toEqual([]);
    expect(server.output()).not.toMatch(/error|"level":"warn/i);
  });

  const inDevelopment = mode === 'in development';
  if (inDevelopment)
    test('changed sheets are shown at once', async () => {
      const edit = (name: keyof typeof files, from: string, to: string) =>
        writeFileSync(join(folder.path, name), files[name].replace(from, to));
      const shown = (selector: string, expected: string) =>
        page.waitForFunction(`getComputedStyle(document.querySelector("${selector}")).color === "${expected}"`);
      edit('nested.scss', 'rgb(4, 5, 6)', 'rgb(40, 50, 60)');
      await shown('#nested b', 'rgb(40, 50, 60)');
      edit('parts/Card.style.scss', 'rgb(13, 14, 15)', 'rgb(130, 140, 150)');
      await shown('#scoped', 'rgb(130, 140, 150)');
      edit('box.module.css', 'rgb(10, 11, 12)', 'rgb(100, 110, 120)');
      await shown('#module', 'rgb(100, 110, 120)');
      edit('main.svc', 'underline mt-[13px]', 'underline mt-[17px]');
      await page.waitForFunction('getComputedStyle(document.querySelector("#tailwind")).marginTop === "17px"');
    });

  if (!inDevelopment)
    test('names carry digests, and what is in `public` is not copied', () => {
      const built = readdirSync(join(folder.path, '.svc', 'client')).filter((name) => !name.startsWith('.'));
      for (const name of built) expect(name).toMatch(/\.[0-9a-f]{8}\.\w+(\.br|\.gz)?$/);
      const sheet = built.find((name) => name.endsWith('.css'))!;
      const text = readFileSync(join(folder.path, '.svc', 'client', sheet), 'utf8');
      expect(text).toContain('/static/assets/drawn.svg');
      expect(text).not.toContain('tailwindcss"');
    });
});

test('a sheet that cannot be made small is told by its place', async () => {
  using folder = folderWith({
    'main.svc': 'import "./fine.css";\nimport "./broken.css";\ndef:pub app() -> JsxElement { return <p>x</p>; }\n',
    'fine.css': 'p { color: red; }\n',
    'broken.css': '.a { color: red; }\n} .b { color: red; }\n',
  });
  const { code, stdout, stderr } = await runSvc(['build', '--client'], { cwd: folder.path });
  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/error: Invalid[^\n]*\n *--> broken\.css:2:\d+/)]);
});
