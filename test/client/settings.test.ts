/** Settings of the bundler in a project: `vite.config.*`, `[plugins.client.vite]`, `[plugins.client.paths]`, `[plugins.client]`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkPackages } from '../harness/link-packages.ts';
import { type RunningServer, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

const development = { SVC_ENV: 'development' };

/** Text of all built files with this ending. */
function built(folder: string, ending: string): string {
  const out = join(folder, '.svc', 'client');
  return readdirSync(out)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(out, name), 'utf8'))
    .join('\n');
}

/** Plug-in that gives its text as the module `<name>:…`. */
const plugin = (name: string) => `export default (text) => ({
  name: '${name}',
  resolveId: (id) => (id.startsWith('${name}:') ? '\\0' + id : undefined),
  load: (id) => (id.startsWith('\\0${name}:') ? 'export default ' + JSON.stringify(text) : undefined),
});
`;

/** A module that the bundler's plug-in gives, one that it changes, a name, and aliases. */
const files = {
  'main.svc': `import from "virtual:made" { made }
import from "@parts/Line" { Line }
import "@parts/line.css";
import from "@pictures/dot.svg" { default as dot }
import from "@parts/Box" { Box }
import from "@words" { default as words }
import from "@lib" { twice }
import from "listed:one" { default as listed }
import from "second:one" { default as second }
import from "../../../pieces/Far" { Far }
import from "./texts/loud.shout" { default as loud }
import from "./texts/count?worker" { default as Count }

def:pub app() -> JsxElement {
    has counted: int = 0;
    can with entry {
        worker = Count();
        worker.onmessage = lambda event: any { counted = event.data; };
        worker.postMessage(4);
    }
    return <main>
        <p id="loud">{loud}</p>
        {counted > 0 and <p id="counted">{counted}</p>}
        <p id="made">{made}</p>
        <p id="defined">{DEFINED}</p>
        <p id="constants">{globalThis.PLACE} {str(globalThis.LIMIT + 1)} {"on" if globalThis.SHOWN else "off"}</p>
        <p id="edition">{__EDITION__}</p>
        <p id="words">{words}</p>
        <p id="twice">{twice(4)}</p>
        <p id="listed">{listed}</p>
        <p id="second">{second}</p>
        <Far/>
        <p id="env">{import.meta.env.VITE_SHOWN} {import.meta.env.SVC_PUBLIC_SHOWN} {str(import.meta.env.SVC_HIDDEN)}</p>
        <Box/>
        <Line/>
        <img src={dot} alt="dot"/>
    </main>;
}
`,
  'components/Line.svc': 'def:pub Line() -> JsxElement { return <p id="line">a line</p>; }\n',
  'components/line.css': '#line { color: rgb(1, 2, 3); }\n',
  'pictures/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="6" height="6"/>',
  'components/Box.tsx': 'export const Box = ({ size = 3 }: { size?: number }) => <p id="box">box {size}</p>;\n',
  'texts/words.ts': 'const words: string = "some words";\nexport default words;\n',
  'texts/loud.shout': 'hello',
  'texts/count.ts': 'self.onmessage = ({ data }: MessageEvent<number>) => self.postMessage(data + 1);\n',
  'lib/index.js': 'export const twice = (n) => n * 2;\n',
  'pieces/Far.tsx': 'export const Far = () => <p id="far">from where modules are compiled to</p>;\n',
  'plugin.mjs': plugin('listed'),
  'tools/second.mjs': plugin('second'),
  '.env': 'VITE_SHOWN=of-env\nSVC_PUBLIC_SHOWN=public\nSVC_HIDDEN=hidden\n',
  'svc.toml': `[plugins.client]
port = 0
[plugins.client.paths]
"@parts/*" = "./components/*"
"@words" = "./texts/words.ts"
"@lib" = "lib"
"@pictures/*" = "pictures/*"
[plugins.client.vite]
plugins = ["listed('of the configuration')", "second('of its folder')"]
lib_imports = ["import listed from './plugin.mjs'", "import second from '../../../tools/second.mjs'"]
[plugins.client.vite.define]
"globalThis.PLACE" = "\\"https://example.org\\""
globalThis.LIMIT = 5
"globalThis.SHOWN" = true
__EDITION__ = "\\"second\\""
`,
};

const viteConfig = (typed: boolean) => `import react from '@vitejs/plugin-react';
${typed ? "import type { Plugin } from 'vite';\n" : ''}
const made${typed ? ': () => Plugin' : ''} = () => ({
  name: 'made',
  resolveId: (id) => (id === 'virtual:made' ? '\\0made' : undefined),
  load: (id) => (id === '\\0made' ? 'export const made = "by a plug-in"' : undefined),
});
const loud = {
  name: 'loud',
  transform: (text${typed ? ': string' : ''}, id${typed ? ': string' : ''}) =>
    id.endsWith('.shout') ? 'export default ' + JSON.stringify(text.toUpperCase()) : undefined,
};

export default {
  plugins: [react(), [made()], loud],
  define: { DEFINED: JSON.stringify('of the file') },
  base: '/elsewhere/',
  build: { outDir: 'elsewhere' },
};
`;

describe.skipIf(chromium === undefined).each([
  { name: 'vite.config.ts', args: [] },
  { name: 'vite.config.js', args: ['--dev'] },
  { name: 'vite.config.mjs', args: [] },
])('$name with the tables of the bundler, $args', ({ name, args }) => {
  const folder = folderWith({ ...files, [name]: viteConfig(name.endsWith('.ts')) });
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  let errors: readonly string[];
  beforeAll(async () => {
    linkPackages(folder.path);
    [server, pages] = await Promise.all([startServer({ folder: folder.path, args, env: development }), startPages()]);
    ({ page, errors } = await pages.open(server.base));
    await page.waitForSelector('#counted').catch(() => {
      throw new Error(`${errors.join('\n')}\n${server.output()}`);
    });
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  test.each([
    ['made', 'by a plug-in'],
    ['loud', 'HELLO'],
    ['counted', '5'],
    ['defined', 'of the file'],
    ['constants', 'https://example.org 6 on'],
    ['edition', 'second'],
    ['words', 'some words'],
    ['twice', '8'],
    ['listed', 'of the configuration'],
    ['second', 'of its folder'],
    ['far', 'from where modules are compiled to'],
    ['env', 'of-env public None'],
    ['box', 'box 3'],
    ['line', 'a line'],
  ])('%s', async (id, text) => {
    expect(await page.innerText(`#${id}`)).toBe(text);
    expect(errors).toEqual([]);
  });

  test('svc check knows the names that the tables define', async () => {
    const { stdout } = await runSvc(['check'], { cwd: folder.path });
    expect(stdout.match(/`\w+` is not a known browser global/g)).toEqual(['`DEFINED` is not a known browser global']);
  });

  test('names of modules lead to sheets and pictures too', async () => {
    expect(await page.evaluate('getComputedStyle(document.getElementById("line")).color')).toBe('rgb(1, 2, 3)');
    await page.waitForFunction('document.images[0].naturalWidth === 6');
  });
});

test('a name of [plugins.client.paths] that leads to no file is told by its place, and not as a package', async () => {
  using folder = folderWith({
    'main.svc': 'import from "@parts/Gone" { Gone }\ndef:pub app() -> JsxElement { return <Gone/>; }\n',
    'svc.toml': files['svc.toml'].split('[plugins.client.vite]')[0]!,
  });
  const { stdout } = await runSvc(['check'], { cwd: folder.path });
  expect(stdout).toMatch(
    /E0701\]: module `@parts\/Gone` not found \(tried: components\/Gone, [^)]*\)\n --> main\.svc:1:13/,
  );
  const { code, stdout: printed, stderr } = await runSvc(['build', '--client'], { cwd: folder.path });
  expect([code, printed + stderr]).toEqual([3, expect.stringMatching(/main\.svc:1:13/)]);
  expect(printed + stderr).not.toMatch(/npm install|dependencies\.npm/);
});

test('a change of the bundler’s configuration is built', async () => {
  const folder = folderWith({
    'main.svc': 'def:pub app() -> JsxElement { return <p>{WORD}</p>; }\n',
    'vite.config.mjs': `import { word } from './word.mjs';\nexport default { define: { WORD: JSON.stringify(word) } };\n`,
    'word.mjs': `export const word = 'the first';\n`,
  });
  try {
    const start = async () => {
      const server = await startServer({ folder: folder.path });
      await server.stop();
      return built(folder.path, '.js');
    };
    expect(await start()).toContain('the first');
    // Files that the configuration imports count as well.
    writeFileSync(join(folder.path, 'word.mjs'), `export const word = 'the second';\n`);
    expect(await start()).toContain('the second');
  } finally {
    folder[Symbol.dispose]();
  }
});

/** Stands for Tailwind 3: a plug-in of PostCSS that is called with its configuration. */
const tailwind = `module.exports = ({ theme }) => ({
  postcssPlugin: 'tailwindcss',
  AtRule: { tailwind: (rule, { Rule }) => rule.replaceWith(new Rule({ selector: 'p' }).append({ prop: 'color', value: theme.brand })) },
});
`;

describe.skipIf(chromium === undefined).each([
  { mode: 'built', args: [] },
  { mode: 'in development', args: ['--dev'] },
])('[plugins.client.configs], $mode', ({ args }) => {
  test('gives sheets what their plug-ins make of them, at once when it changes', async () => {
    const settings = (color: string) => `[plugins.client]
port = 0
[plugins.client.configs.postcss]
plugins = ["tailwindcss"]
[plugins.client.configs.tailwind.theme]
brand = "${color}"
[plugins.client.configs.prettier]
semi = false
[dependencies.npm.dev]
tailwindcss = "file:./vendor/tailwindcss"
`;
    const folder = folderWith({
      'main.svc': 'import "./main.css";\ndef:pub app() -> JsxElement { return <p>x</p>; }\n',
      'main.css': '@tailwind utilities;\n',
      'vendor/tailwindcss/package.json': '{ "name": "tailwindcss", "version": "3.4.1", "main": "index.js" }',
      'vendor/tailwindcss/index.js': tailwind,
      'svc.toml': settings('rgb(1, 2, 3)'),
    });
    const start = () => startServer({ folder: folder.path, args, env: development });
    const pages = await startPages();
    let server = await start();
    const hasColor = (page: Page, color: string) =>
      page.waitForFunction(
        `document.querySelector("p") && getComputedStyle(document.querySelector("p")).color === "${color}"`,
      );
    try {
      const { page, errors } = await pages.open(server.base);
      await hasColor(page, 'rgb(1, 2, 3)');
      writeFileSync(join(folder.path, 'svc.toml'), settings('rgb(4, 5, 6)'));
      if (args.length > 0) await hasColor(page, 'rgb(4, 5, 6)');
      await server.stop();
      server = await start();
      await hasColor((await pages.open(server.base)).page, 'rgb(4, 5, 6)');
      expect(errors.filter((text) => !text.includes('WebSocket'))).toEqual([]);
      expect(server.output()).toContain(
        'no effect in this release: [plugins.client.configs] for other tools than PostCSS and Tailwind',
      );
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});

test('a worker is a script, and a package for Node.js alone is told', async () => {
  using folder = folderWith({
    'main.svc': `def:pub app() -> JsxElement {
    can with entry { new(Worker, new(URL, "./w.svc", import.meta.url)); }
    return <p>x</p>;
}
`,
    'w.svc': 'cl with entry { postMessage(5); }\n',
    'w.ts': 'postMessage(5);\n',
    'package.json': '{ "dependencies": { "wire": "1.0.0", "both": "1.0.0" } }',
    'node_modules/wire/package.json': '{ "name": "wire", "version": "1.0.0", "main": "index.js" }',
    'node_modules/wire/index.js': 'exports.open = () => require("net").connect(1);\n',
    'node_modules/both/package.json': '{ "name": "both", "version": "1.0.0", "browser": { "tls": false } }',
    'node_modules/both/index.js': 'exports.open = () => require("tls").connect && 1;\n',
  });
  const build = () => runSvc(['build', '--client'], { cwd: folder.path });
  const refused = await build();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: "\.\/w\.svc" cannot be a worker: its file is a script.*\n {2}--> main\.svc:2:/m),
  ]);
  const main = join(folder.path, 'main.svc');
  const text = readFileSync(main, 'utf8').replace('w.svc', 'w.ts').replace('<p>x</p>', '<p>{open()}{both()}</p>');
  writeFileSync(main, `import from "wire" { open }\nimport from "both" { open as both }\n${text}`);
  const { code, stderr } = await build();
  expect([code, stderr.match(/^note: .* Node\.js/gm)]).toEqual([0, ['note: wire needs the module net of Node.js']]);
});

test('pages that cannot be written are told with the reason of the disk', async () => {
  using folder = folderWith({
    'main.svc': 'def:pub app() -> JsxElement { return <p>x</p>; }\n',
    'svc.toml': '[plugins.client]\nout_dir = "taken/pages"\n',
    taken: '',
  });
  const { code, stderr } = await runSvc(['build', '--client'], { cwd: folder.path });
  expect([code, stderr.match(/^error: .*$/gm)]).toEqual([
    1,
    [expect.stringMatching(/^error: the pages cannot be written: E(NOTDIR|EXIST): /)],
  ]);
});

test('a package.json that cannot be read is told by its name, in place of each import that it keeps from being found', async () => {
  using folder = folderWith({
    'main.svc': 'def:pub app() -> JsxElement { return <p>x</p>; }\n',
    'package.json': '{ "name": "x",\n',
  });
  const { code, stderr } = await runSvc(['build', '--client'], { cwd: folder.path });
  expect([code, stderr.match(/^error: .*$/gm)]).toEqual([1, [expect.stringMatching(/^error: not valid JSON: /)]]);
  expect(stderr).toContain('--> package.json');
});

test('a configuration that cannot be read is told by its file, and the API is served; with --dev the pages too, once it is mended', async () => {
  const folder = folderWith({
    'main.svc':
      'walker:pub Hi { can go with Root entry { report 1; } }\ndef:pub app() -> JsxElement { return <p>x</p>; }\n',
    'vite.config.js': 'export default {\n  plugins: [ };\n',
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  for (const args of [[], ['--dev']]) {
    const server = await startServer({ folder: folder.path, args, env: development });
    try {
      expect((await fetch(`${server.base}/walker/Hi`, { method: 'POST' })).status).toBe(200);
      // With --dev the port does not wait for Vite.
      await expect.poll(() => server.output()).toContain('is not served; the API is.');
      expect(server.output()).toMatch(
        /configuration of Vite cannot be read: Unexpected token\n {2}--> vite\.config\.js:2:\d+/,
      );
      expect(server.output()).not.toMatch(/at .*node_modules/);
      expect(server.output()).toContain('The browser application is not served; the API is.');
      if (args.length === 0) continue;
      writeFileSync(join(folder.path, 'vite.config.js'), 'export default {};\n');
      const page = async () => await (await fetch(`${server.base}/`, { headers: { accept: 'text/html' } })).text();
      await expect.poll(page).toContain('<script type="module"');
    } finally {
      await server.stop();
    }
  }
  folder[Symbol.dispose]();
});

test.skipIf(chromium === undefined)('an application that shows a HashRouter has its pages behind #', async () => {
  using folder = folderWith({
    'main.svc': `import from "@svc/runtime" { HashRouter, Route, Routes, Link }
def:pub app() -> JsxElement {
    return <HashRouter><Link to="/docs?a=1">go</Link><Routes><Route path="/docs" element={<p>far</p>}/><Route path="*" element={<p>home</p>}/></Routes></HashRouter>;
}
`,
  });
  expect((await runSvc(['check'], { cwd: folder.path })).stdout).toContain('no problems');
  await using server = await startServer({ folder: folder.path });
  await using pages = await startPages();
  const { page, errors } = await pages.open(server.base);
  await page.click('a');
  await page.waitForSelector('p:text-is("far")');
  expect(page.url()).toBe(`${server.base}/#/docs?a=1`);
  await page.reload();
  await page.waitForSelector('p:text-is("far")');
  expect(errors).toEqual([]);
});

test.skipIf(chromium === undefined)('the older table [client] holds: router, folder, fallback, head', async () => {
  const folder = folderWith({
    'main.svc': `import from "@svc/runtime" { Route, Routes, Link }
def:pub app() -> JsxElement {
    return <main><Link to="/far">go</Link><Routes><Route path="/far" element={<p>far</p>}/><Route path="*" element={<p>home</p>}/></Routes></main>;
}
`,
    'public/sign.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>',
    'svc.toml': `[client]
router = "hash"
out_dir = "made/pages"
spa_fallback = false
[client.app_meta_data]
title = "A title"
lang = "de"
icon = "/sign.svg"
`,
  });
  const server = await startServer({ folder: folder.path });
  const pages = await startPages();
  try {
    const { page, errors } = await pages.open(`${server.base}/#/far`);
    await page.waitForSelector('p:text-is("far")');
    await page.goto(server.base);
    await page.click('a');
    await page.waitForSelector('p:text-is("far")');
    expect([page.url(), await page.title(), errors]).toEqual([`${server.base}/#/far`, 'A title', []]);
    const facts = `[document.documentElement.lang, document.querySelector('link[rel=icon]').getAttribute('href')]`;
    expect(await page.evaluate(facts)).toEqual(['de', '/sign.svg']);
    expect((await fetch(`${server.base}/far`, { headers: { Accept: 'text/html' } })).status).toBe(404);
    expect(existsSync(join(folder.path, 'made/pages/.manifest.json'))).toBe(true);
    expect(existsSync(join(folder.path, '.svc/client'))).toBe(false);
  } finally {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  }
});

test.skipIf(chromium === undefined)(
  'programs that import the runtime by its early name keep the page behind #',
  async () => {
    const folder = folderWith({
      'main.svc': `cl import from "@svc-client/utils" { Router, Route, Routes, Link, useNavigate }
cl { def:pub app() -> any {
    return <Router defaultRoute="/"><Link to="/far">go</Link><Routes><Route path="/far" element={<p>far</p>}/><Route path="/" element={<p>home</p>}/></Routes></Router>;
} }
`,
    });
    const server = await startServer({ folder: folder.path });
    const pages = await startPages();
    try {
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector('p:text-is("home")');
      await page.click('a');
      await page.waitForSelector('p:text-is("far")');
      expect([page.url(), errors]).toEqual([`${server.base}/#/far`, []]);
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  },
);

test.skipIf(chromium === undefined).each([
  ['{ HashRouter, Routes, Route, Link }', 'HashRouter', '/#/far'],
  ['{ BrowserRouter as Router, Routes, Route, Link }', 'Router', '/far'],
])('a router of the package of routes is the only one of the page: %s', async (names, element, path) => {
  const folder = folderWith({
    'main.svc': `cl import from "react-router-dom" ${names}
cl import from "@svc/runtime" { useNavigate }
cl {
    def Home() -> any { go = useNavigate(); return <b onClick={lambda -> None { go("/far"); }}>home</b>; }
    def:pub app() -> any {
        return <${element}><Link to="/">start</Link><Routes><Route path="/far" element={<p>far</p>}/><Route path="/" element={<Home/>}/></Routes></${element}>;
    }
}
`,
  });
  const server = await startServer({ folder: folder.path });
  const pages = await startPages();
  try {
    const { page, errors } = await pages.open(server.base);
    await page.click('b');
    await page.waitForSelector('p:text-is("far")');
    expect([page.url(), errors]).toEqual([`${server.base}${path}`, []]);
  } finally {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  }
});

describe('[plugins.client] typescript', () => {
  const program = {
    'main.svc': `import from .shapes { area }
import from "./Box.tsx" { Box }
def:pub size(side: int) -> int { return side * side; }
def:pub app() -> JsxElement { return <Box size={area(2)}/>; }
`,
    'shapes.ts': 'export function area(side: number): number { return side * side; }\n',
    'Box.tsx':
      'import { area } from "./shapes.ts";\nexport function Box({ size }: { size: number }) { return <p id="box">{size + area(1)}</p>; }\n',
  };
  const wrong = { ...program, 'Box.tsx': program['Box.tsx'].replace('area(1)', 'area("1")') };
  const on = '[plugins.client]\ntypescript = true\nport = 0\n';

  test.each([
    { says: 'nothing of types that fit', of: { ...program, 'svc.toml': on }, status: 0 },
    { says: 'nothing without it', of: { ...wrong, 'svc.toml': '' }, status: 0 },
    { says: 'what is wrong', of: { ...wrong, 'svc.toml': on }, status: 1 },
  ])('svc check says $says', async ({ of, status }) => {
    const folder = folderWith(of);
    linkPackages(folder.path);
    try {
      const { code, stdout, stderr } = await runSvc(['check'], { cwd: folder.path });
      expect([code, stderr]).toEqual([status, '']);
      if (status === 1) {
        expect(stdout).toContain('error[E0704]');
        expect(stdout).toContain('Box.tsx:2:');
        expect(stdout).toContain("'string' is not assignable to parameter of type 'number'");
      }
    } finally {
      folder[Symbol.dispose]();
    }
  });

  test.skipIf(chromium === undefined)(
    'know the runtime, which scripts beside modules import from as those do',
    async () => {
      const box = `import { AuthGuard, Link, svcIsLoggedIn, svcLogin, useRouter, useState } from '@svc/runtime';
export function Box() {
  const [n, setN] = useState(1);
  const { pathname } = useRouter();
  const enter = async (): Promise<boolean> => (await svcLogin('a', 'b')) || svcIsLoggedIn();
  return <AuthGuard redirect="/in"><Link to="/far" onClick={() => { setN(n + 1); void enter(); }}>{pathname}{n}</Link></AuthGuard>;
}
`;
      const folder = folderWith({
        'main.svc': `import from "@svc/runtime" { Routes, Route }
import from "./Box.tsx" { Box }
def:pub app() -> JsxElement { return <Routes><Route path="/in" element={<p>in</p>}/><Route path="*" element={<Box/>}/></Routes>; }
`,
        'Box.tsx': box.replace("'b')", '5)').replace('pathname }', 'pathnam }'),
        'svc.toml': on,
      });
      linkPackages(folder.path);
      const checked = await runSvc(['check'], { cwd: folder.path });
      expect(checked.code).toBe(1);
      expect(checked.stdout).toContain("'number' is not assignable to parameter of type 'string'");
      expect(checked.stdout).toContain("'pathnam' does not exist");
      writeFileSync(join(folder.path, 'Box.tsx'), box);
      const pages = await startPages();
      try {
        for (const args of [[], ['--dev']]) {
          const server = await startServer({ folder: folder.path, args, env: development });
          expect(server.output()).not.toMatch(/error|TS\d/);
          const { page, errors } = await pages.open(server.base);
          await page.waitForSelector('p:text-is("in")');
          expect([new URL(page.url()).pathname, errors]).toEqual(['/in', []]);
          await server.stop();
        }
      } finally {
        await pages[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      }
    },
  );

  test('a build tells them by their places, and the API is served', async () => {
    const folder = folderWith({ ...wrong, 'svc.toml': on });
    linkPackages(folder.path);
    const server = await startServer({ folder: folder.path, env: development });
    try {
      const page = await (await fetch(server.base)).text();
      for (const text of [server.output(), page]) expect(text).toMatch(/TS2345[\s\S]*Box\.tsx:2:/);
      expect(
        (
          await fetch(`${server.base}/function/size`, {
            method: 'POST',
            body: '{"side":2}',
            headers: { 'Content-Type': 'application/json' },
          })
        ).status,
      ).toBe(200);
    } finally {
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test.skipIf(chromium === undefined)('in development they stand in the terminal, and the page is shown', async () => {
    const folder = folderWith({ ...wrong, 'svc.toml': on });
    linkPackages(folder.path);
    const server = await startServer({ folder: folder.path, args: ['--dev'], env: development });
    const pages = await startPages();
    const times = (text: string) => server.output().split(text).length - 1;
    try {
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector('#box');
      await expect.poll(() => times('(TS2345)')).toBe(1);
      expect(server.output()).toMatch(/\(TS2345\)\n {2}--> Box\.tsx:2:\d+\n/);
      writeFileSync(join(folder.path, 'Box.tsx'), wrong['Box.tsx'].replace('area("1")', 'area(false)'));
      await expect.poll(() => times('(TS2345)')).toBe(2);
      expect(errors).toEqual([]);
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});
