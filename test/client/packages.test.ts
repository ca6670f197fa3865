/** Packages of npm in pages: brought when a start needs them, told when they cannot be had, and one React for all of them. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, startPages } from './pages-of.ts';

/** Files of a package that npm takes from a folder. Its install script leaves a mark. */
function packageFiles(name: string, code = `export const word = '${name}';`): Readonly<Record<string, string>> {
  const scripts = { postinstall: `echo ran > ${name}.mark` };
  const manifest = { name, version: '1.2.3', type: 'module', exports: './index.js', scripts };
  return { [`vendor/${name}/package.json`]: JSON.stringify(manifest), [`vendor/${name}/index.js`]: code };
}

const api = 'walker:pub Hi { can go with Root entry { report 1; } }\n';
const development = { SVC_ENV: 'development' };
/** A registry that nothing answers for. */
const noNetwork = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: '/nonexistent' };

/** Vite bundles slowly, and finds one package when it has begun to bundle the others. */
const slowConfig = {
  'vite.config.js': `const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let asked = 0;
const resolveId = async (id) => {
  if (id === 'react-dom/client' && asked++ === 0) await pause(1500);
};
export default {
  plugins: [{ name: 'slow', enforce: 'pre', resolveId }],
  optimizeDeps: { rolldownOptions: { plugins: [{ name: 'slow', buildStart: () => pause(1000) }] } },
};
`,
};

async function callsApi(base: string): Promise<void> {
  expect((await fetch(`${base}/walker/Hi`, { method: 'POST' })).status).toBe(200);
}

describe.skipIf(chromium === undefined)('a listed package that is not there', () => {
  test.each([
    ['quoted', 'import from "words" { word }', [], {}],
    ['not quoted', 'import from words { word }', [], {}],
    ['in development', 'import from "words" { word }', ['--dev'], {}],
    ['in development, where one package is found late', 'import from "words" { word }', ['--dev'], slowConfig],
  ])('is brought, with a lock file and without its scripts: %s', async (_, line, args, more) => {
    const folder = folderWith({
      // As packages for Node.js call the global object.
      ...packageFiles('words', "export const word = global.Array.of('words')[0];"),
      'main.svc': `${api}${line}\ndef:pub app() -> JsxElement { return <p>{word}</p>; }\n`,
      'svc.toml': '[dependencies.npm]\nwords = "file:./vendor/words"\n[plugins.client]\nport = 0\n',
      ...more,
    });
    const pages = await startPages();
    try {
      const installed: number[] = [];
      for (let start = 0; start < 2; start++) {
        const server = await startServer({ folder: folder.path, args });
        const { page, errors } = await pages.open(server.base);
        await page.waitForSelector('p:text-is("words")');
        expect(errors).toEqual([]);
        expect(await page.evaluate('performance.getEntriesByType("navigation")[0].type')).toBe('navigate');
        installed.push(statSync(join(folder.path, 'package-lock.json')).mtimeMs);
        await server.stop();
      }
      // The second start finds it.
      expect(installed[1]).toBe(installed[0]);
      const lock = JSON.parse(readFileSync(join(folder.path, 'package-lock.json'), 'utf8'));
      expect(lock.packages['vendor/words'].version).toBe('1.2.3');
      expect(existsSync(join(folder.path, 'vendor/words/words.mark'))).toBe(false);
    } finally {
      await pages[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    }
  });
});

test('tests of components bring what a start would', async () => {
  const folder = folderWith({
    ...packageFiles('words'),
    'main.svc': `import from "words" { word }
def:pub app() -> JsxElement { return <p>{word}</p>; }
test "the word is shown" { render(<App />); screen.getByText("words"); }
`,
    'svc.toml': '[dependencies.npm]\nwords = "file:./vendor/words"\n',
  });
  try {
    const { code, stdout } = await runSvc(['test'], { cwd: folder.path });
    expect([stdout, code]).toEqual([expect.stringContaining('1 passed'), 0]);
    expect(stdout).toMatch(/^Installing words@/);
  } finally {
    folder[Symbol.dispose]();
  }
});

/** A package that only sheets import. */
const sheetPackage = {
  'vendor/sheet/package.json': '{ "name": "sheet", "version": "1.0.0" }',
  'vendor/sheet/main.css': 'p { color: red; }\n',
};

test('packages for work are brought in development alone', async () => {
  const folder = folderWith({
    ...packageFiles('words'),
    ...packageFiles('helper'),
    ...packageFiles('tool'),
    ...packageFiles('builder', 'export default () => ({ name: "builder" });'),
    ...sheetPackage,
    ...packageFiles('script'),
    'main.css': '@import "sheet/main.css";\n',
    'script.ts': 'export { word } from "script";\n',
    'main.svc': `import "./main.css";\nimport from "words" { word }\nimport from "./script.ts" { word as other }\ndef:pub app() -> JsxElement { return <p>{word}{other}</p>; }\n`,
    'package.json': JSON.stringify({ name: 'app', private: true, devDependencies: { tool: 'file:./vendor/tool' } }),
    'svc.toml': `[dependencies.npm]
words = "file:./vendor/words"
[dependencies.npm.dev]
helper = "file:./vendor/helper"
builder = "file:./vendor/builder"
sheet = "file:./vendor/sheet"
script = "file:./vendor/script"
[plugins.client]
port = 0
[plugins.client.vite]
plugins = ["builder()"]
lib_imports = ["import builder from 'builder'"]
`,
  });
  const installed = () =>
    ['words', 'builder', 'sheet', 'script', 'helper', 'tool'].filter((name) =>
      existsSync(join(folder.path, 'node_modules', name)),
    );
  try {
    const first = await startServer({ folder: folder.path });
    await first.stop();
    // A package that the build imports comes along, whatever list it is in.
    expect(installed()).toEqual(['words', 'builder', 'sheet', 'script']);
    expect(first.output()).not.toContain('not listed');
    const second = await startServer({ folder: folder.path, args: ['--dev'], env: development });
    await second.stop();
    expect(installed()).toEqual(['words', 'builder', 'sheet', 'script', 'helper', 'tool']);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'));
    expect([Object.keys(dependencies), Object.keys(devDependencies)]).toEqual([
      ['builder', 'script', 'sheet', 'words'],
      ['helper', 'tool'],
    ]);
  } finally {
    folder[Symbol.dispose]();
  }
});

test.each([
  ['built', []],
  ['in development', ['--dev']],
])('what a build needs of the devDependencies of package.json is brought: %s', async (_, args) => {
  using folder = folderWith({
    ...packageFiles('words'),
    ...packageFiles('painter'),
    'vendor/painter/package.json': '{ "name": "painter", "version": "1.0.0" }',
    'vendor/painter/index.js': `module.exports = () => ({ postcssPlugin: 'painter', Declaration: { color: (one) => { one.value = 'teal'; } } });
module.exports.postcss = true;
`,
    'postcss.config.cjs': 'module.exports = { plugins: { painter: {} } };\n',
    'main.css': 'p { color: red }\n',
    'main.svc': `import "./main.css";\nimport from "words" { word }\ndef:pub app() -> JsxElement { return <p>{word}</p>; }\n`,
    'package.json': JSON.stringify({
      private: true,
      devDependencies: { painter: 'file:./vendor/painter', words: 'file:./vendor/words' },
    }),
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  const server = await startServer({ folder: folder.path, args, env: development });
  await server.stop();
  expect(['painter', 'words'].filter((name) => existsSync(join(folder.path, 'node_modules', name)))).toEqual([
    'painter',
    'words',
  ]);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'));
  expect([dependencies, Object.keys(devDependencies)]).toEqual([undefined, ['painter', 'words']]);
  expect(server.output()).not.toContain('failed');
});

test.each([
  ['built', []],
  ['in development', ['--dev']],
])(
  'without a network the packages, their imports and the way by hand are told, and the API is served: %s',
  async (_, args) => {
    const folder = folderWith({
      'main.svc': `${api}import from .parts.Card { Card }\ndef:pub app() -> JsxElement { return <Card/>; }\n`,
      'parts/Card.svc': `import from "far-away/part" { thing }\n\ndef:pub Card() -> JsxElement { return <p>{thing}</p>; }\n`,
      'svc.toml': '[dependencies.npm]\nfar-away = "^3"\n"@far/other" = "1.0.0"\n[plugins.client]\nport = 0\n',
    });
    const server = await startServer({ folder: folder.path, args, env: { ...development, ...noNetwork } });
    try {
      await callsApi(server.base);
      const page = await (await fetch(server.base)).text();
      for (const text of [server.output(), page]) {
        expect(text).toContain('could not be installed: far-away@^3 @far/other@1.0.0');
        expect(text).toContain('npm install --ignore-scripts far-away@^3 @far/other@1.0.0');
        expect(text).toMatch(/parts\/Card\.svc:1:14/);
        expect(text).not.toMatch(/at async|\.mjs:\d/);
      }
      expect(existsSync(join(folder.path, 'node_modules'))).toBe(false);
    } finally {
      await server.stop();
      folder[Symbol.dispose]();
    }
  },
);

test.skipIf(chromium === undefined).each([
  ['a sheet that a module imports', 'main.svc', 'import "words/look.css";\n'],
  ['a sheet that a sheet imports', 'own.css', '@import "words/look.css";\n'],
  ['a module', 'main.svc', 'import from "words" { word }\n'],
])('a package that is imported while the page is open is brought: %s', async (_, file, added) => {
  const app = 'import "./own.css";\ndef:pub app() -> JsxElement { return <p>first</p>; }\n';
  const toml = '[plugins.client]\nport = 0\n';
  const folder = folderWith({
    ...packageFiles('words'),
    'vendor/words/package.json': JSON.stringify({
      name: 'words',
      version: '1.2.3',
      type: 'module',
      main: './index.js',
    }),
    'vendor/words/look.css': 'p { color: rgb(1, 2, 3); }\n',
    'main.svc': api + app,
    'own.css': 'p { margin: 0; }\n',
    'svc.toml': toml,
  });
  const pages = await startPages();
  const server = await startServer({ folder: folder.path, args: ['--dev'], env: development });
  try {
    const { page } = await pages.open(server.base);
    await page.waitForSelector('p:text-is("first")');
    writeFileSync(join(folder.path, 'svc.toml'), `[dependencies.npm]\nwords = "file:./vendor/words"\n${toml}`);
    const path = join(folder.path, file);
    const isModule = added.includes('{ word }');
    writeFileSync(path, added + readFileSync(path, 'utf8').replace('first', isModule ? '{word}' : 'first'));
    await page.waitForSelector(`p:text-is("${isModule ? 'words' : 'first'}")`);
    if (!isModule)
      await page.waitForFunction(
        '[...document.querySelectorAll("p")].some((p) => getComputedStyle(p).color === "rgb(1, 2, 3)")',
      );
    await page.waitForSelector('vite-error-overlay', { state: 'detached' });
  } finally {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  }
});

test('a package that is imported and not listed is told with its place and the line that is missing', async () => {
  const folder = folderWith({
    'main.svc': `${api}import from "@far/kit/part" { Thing }\ndef:pub app() -> JsxElement { return <Thing/>; }\n`,
  });
  const server = await startServer({ folder: folder.path, env: { ...development, ...noNetwork } });
  try {
    await callsApi(server.base);
    expect(server.output()).toMatch(/note: npm could not bring @far\/kit: .*127\.0\.0\.1/);
    expect(server.output()).toMatch(/"@far\/kit" = "latest"[^\n]*npm install @far\/kit[^\n]*\n {2}--> main\.svc:2:14/);
  } finally {
    await server.stop();
    folder[Symbol.dispose]();
  }
});

test.skipIf(chromium === undefined).each([
  ['built', []],
  ['in development', ['--dev']],
])('the default of a package in CommonJS is its `default`, also in a project of ES modules: %s', async (_, args) => {
  const compiled = 'exports.__esModule = true; exports.default = () => "made"; exports.other = "other";\n';
  using folder = folderWith({
    'package.json': '{ "private": true, "type": "module", "dependencies": { "compiled": "1.0.0", "plain": "1.0.0" } }',
    'node_modules/compiled/package.json': '{ "name": "compiled", "version": "1.0.0" }',
    'node_modules/compiled/index.js': compiled,
    'node_modules/compiled/part.js': compiled.replace('made', 'in part'),
    'node_modules/plain/package.json': '{ "name": "plain", "version": "1.0.0" }',
    'node_modules/plain/index.js': 'module.exports = { text: "plain" };\n',
    'main.svc': `import from "compiled" { default as Made, other }
import from "compiled/part" { default as part }
import from "plain" { default as plain }
def:pub app() -> JsxElement { return <p><Made/> {other} {part()} {plain.text}</p>; }
`,
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  await using server = await startServer({ folder: folder.path, args, env: development });
  await using pages = await startPages();
  const { page, errors } = await pages.open(server.base);
  await page.waitForSelector('p:text-is("made other in part plain")');
  expect(errors).toEqual([]);
});

test.each([
  ['built', []],
  ['in development', ['--dev']],
])(
  'a module of Node.js that a page uses is told with its place, but for a package of its name: %s',
  async (_, args) => {
    using folder = folderWith({
      'main.svc': `${api}import from "events" { word }
import from "fs" { existsSync }
import from "path" { join }
def:pub app() -> JsxElement { return <p>{word} {existsSync("a")}</p>; }
`,
      'node_modules/events/package.json':
        '{ "name": "events", "version": "1.0.0", "type": "module", "main": "./index.js" }',
      'node_modules/events/index.js': "export const word = 'events';\n",
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    await using server = await startServer({ folder: folder.path, args, env: { ...development, ...noNetwork } });
    await fetch(`${server.base}/static/main.svc`);
    await expect
      .poll(() => server.output())
      .toMatch(/the import "fs" is a module of Node\.js[^\n]*`def:pub …`[^\n]*\n {2}--> main\.svc:3:14/);
    expect(server.output()).not.toMatch(/import "(path|events)"/);
  },
);

interface Published {
  /** `package.json` of it. */
  readonly manifest: { readonly name: string; readonly version: string };
  /** Folder that is packed. */
  readonly folder: string;
}

/** A registry that has one package in some versions, and packages that this repository has. */
async function registry(name: string, versions: readonly string[], more: Fresh = {}) {
  const { peers = {}, code = (version) => `export const word = '${name} ${version}';`, installed = [] } = more;
  const manifestOf = (version: string) => ({
    name,
    version,
    type: 'module',
    exports: './index.js',
    peerDependencies: peers,
  });
  const folder = folderWith(
    Object.fromEntries(
      versions.flatMap((version) => [
        [`${version}/package/package.json`, JSON.stringify(manifestOf(version))],
        [`${version}/package/index.js`, `${code(version)}\n`],
      ]),
    ),
  );
  const published: readonly Published[] = [
    ...versions.map((version) => ({ manifest: manifestOf(version), folder: join(folder.path, version, 'package') })),
    ...installed.map((one) => {
      const from = join(repository, 'node_modules', one);
      return { manifest: JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')), folder: from };
    }),
  ];
  const server = createServer((request, response) => {
    const [, asked, version] = /^\/([^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(request.url ?? '') ?? [];
    const found = published.filter(({ manifest }) => manifest.name === asked);
    const packed = found.find(({ manifest }) => manifest.version === version);
    if (packed !== undefined)
      return void response.end(
        execFileSync('tar', ['-C', dirname(packed.folder), '-czf', '-', basename(packed.folder)], {
          maxBuffer: 2 ** 26,
        }),
      );
    if (found.length === 0) return void response.writeHead(404).end('{}');
    const told = ({ manifest }: Published) => ({
      ...manifest,
      dist: { tarball: `${base()}/${manifest.name}/-/${manifest.version}.tgz` },
    });
    response.end(
      JSON.stringify({
        name: asked,
        'dist-tags': { latest: found.at(-1)!.manifest.version },
        versions: Object.fromEntries(found.map((one) => [one.manifest.version, told(one)])),
      }),
    );
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: { npm_config_registry: `${base()}/`, npm_config_cache: join(folder.path, 'cache') },
    [Symbol.dispose]() {
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

interface Fresh {
  readonly peers?: Readonly<Record<string, string>>;
  readonly code?: (version: string) => string;
  /** Packages of this repository. */
  readonly installed?: readonly string[];
}

describe.skipIf(chromium === undefined)('a package that asks for other versions than there are', () => {
  const code = () =>
    `import { createElement } from 'react';\nexport const Kit = () => createElement('p', null, 'kit');`;
  const files = {
    'main.svc': `${api}import from "kit" { Kit }\ndef:pub app() -> JsxElement { return <Kit/>; }\n`,
    'svc.toml': '[dependencies.npm]\nreact = "^19"\nreact-dom = "^19"\nscheduler = "*"\nkit = "*"\n',
  };

  test('of React is brought all the same, which is told', async () => {
    const peers = { react: '^17 || ^18', scheduler: '*', words: '^4' };
    using kit = await registry('kit', ['1.2.3'], { code, peers, installed: ['react', 'react-dom', 'scheduler'] });
    const folder = folderWith(files);
    const server = await startServer({ folder: folder.path, env: { ...development, ...kit.env } });
    const pages = await startPages();
    try {
      expect(server.output()).toMatch(
        /note: kit 1\.2\.3 asks for react \^17 \|\| \^18 and gets 19\.\S+: it may not work/,
      );
      expect(server.output()).toContain('note: kit 1.2.3 asks for words ^4, which is not there');
      expect(server.output()).not.toContain('asks for scheduler');
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector('p:text-is("kit")');
      expect(errors).toEqual([]);
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test('of another package is told', async () => {
    using kit = await registry('kit', ['1.2.3'], {
      code,
      peers: { scheduler: '^99' },
      installed: ['react', 'react-dom', 'scheduler'],
    });
    const folder = folderWith(files);
    const server = await startServer({ folder: folder.path, env: { ...development, ...kit.env } });
    try {
      await callsApi(server.base);
      expect(server.output()).toContain('(versions do not fit: peer scheduler@"^99" from kit@1.2.3)');
      expect(server.output()).toContain('list versions that go together in [dependencies.npm] of svc.toml');
    } finally {
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});

describe.skipIf(chromium === undefined)('packages by their versions', () => {
  const app = 'import from "words" { word }\ndef:pub app() -> JsxElement { return <p>{word}</p>; }\n';

  test('another range in svc.toml is what the next start installs', async () => {
    using words = await registry('words', ['1.0.0', '2.0.0', '2.1.0']);
    const folder = folderWith({ 'main.svc': app });
    const pages = await startPages();
    try {
      for (const [range, version, written = range] of [
        ['latest', '2.1.0', '^2.1.0'],
        ['^1.0.0', '1.0.0'],
        ['~2.0.0', '2.0.0'],
        ['>=2.1 <3', '2.1.0'],
        ['2.0.0', '2.0.0'],
      ] as const) {
        writeFileSync(join(folder.path, 'svc.toml'), `[dependencies.npm]\nwords = "${range}"\n`);
        const server = await startServer({ folder: folder.path, env: words.env });
        const { page, errors } = await pages.open(server.base);
        await page.waitForSelector(`p:text-is("words ${version}")`);
        expect(errors).toEqual([]);
        const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) =>
          JSON.parse(readFileSync(join(folder.path, file), 'utf8')),
        );
        expect([manifest, lock.packages['']].map(({ dependencies }) => dependencies.words)).toEqual([written, written]);
        await server.stop();
      }
    } finally {
      await pages[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    }
  });

  test('a lock file of the first form, which does not repeat what package.json lists, is left to npm', async () => {
    using words = await registry('words', ['1.0.0']);
    using folder = folderWith({ 'main.svc': app, 'svc.toml': '[dependencies.npm]\nwords = "1.0.0"\n' });
    const env = { ...words.env, npm_config_lockfile_version: '1' };
    await using server = await startServer({ folder: folder.path, env });
    const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) =>
      JSON.parse(readFileSync(join(folder.path, file), 'utf8')),
    );
    expect([manifest.dependencies.words, lock.packages, lock.dependencies.words.version]).toEqual([
      '1.0.0',
      undefined,
      '1.0.0',
    ]);
    expect(server.output()).not.toContain('TypeError');
  });

  test('another range in svc.toml is installed while the page is open, which shows it', async () => {
    using words = await registry('words', ['1.0.0', '2.0.0', '2.1.0']);
    const listed = (range: string) => `[plugins.client]\nport = 0\n[dependencies.npm]\nwords = "${range}"\n`;
    const folder = folderWith({ 'main.svc': app, 'svc.toml': listed('^1.0.0') });
    const pages = await startPages();
    const server = await startServer({ folder: folder.path, args: ['--dev'], env: { ...development, ...words.env } });
    try {
      const { page } = await pages.open(server.base);
      await page.waitForSelector('p:text-is("words 1.0.0")');
      for (const [range, version] of [
        ['~2.0.0', '2.0.0'],
        ['>=2.1 <3', '2.1.0'],
      ] as const) {
        writeFileSync(join(folder.path, 'svc.toml'), listed(range));
        await page.waitForSelector(`p:text-is("words ${version}")`);
      }
      expect(server.output()).not.toContain('restart needed');
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test.each([
    ['built', []],
    ['in development', ['--dev']],
  ])('one that is imported and not listed is brought while a program is written, and told: %s', async (_, args) => {
    using words = await registry('words', ['1.0.0', '2.1.0']);
    const neighbour = `import { word } from 'words';
import type { None } from 'types-alone';
export const loud = word.toUpperCase();
export function quiet(text = "no-package") { return text; }
`;
    const inScript = 'import from "./loud.ts" { loud }\ndef:pub app() -> JsxElement { return <p>{loud}</p>; }\n';
    const folder = folderWith({
      'main.svc': args.length === 0 ? app : inScript,
      'loud.ts': neighbour,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const pages = await startPages();
    const server = await startServer({ folder: folder.path, args, env: { ...development, ...words.env } });
    try {
      expect(server.output()).toContain('[dependencies.npm] "words" = "^2.1.0"');
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector(args.length === 0 ? 'p:text-is("words 2.1.0")' : 'p:text-is("WORDS 2.1.0")');
      expect(errors).toEqual([]);
      expect(JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8')).dependencies).toEqual({
        words: '^2.1.0',
      });
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test('one that the project lists and svc has serves in its place', async () => {
    const folder = folderWith({
      'main.svc': `import from "react-redux" { Provider, useSelector }
import from "redux" { createStore }
glob store = createStore(lambda state: any, action: any -> dict { return {"n": 7}; });
def:pub Shown() -> JsxElement { n = useSelector(lambda s: any : s.n); return <p>{n}</p>; }
def:pub app() -> JsxElement { return <Provider store={store}><Shown/></Provider>; }
`,
      'svc.toml': '[dependencies.npm]\nreact-redux = "*"\nredux = "latest"\n[plugins.client]\nport = 0\n',
    });
    const pages = await startPages();
    try {
      for (const args of [[], ['--dev']]) {
        const server = await startServer({ folder: folder.path, args, env: { ...development, ...noNetwork } });
        const { page, errors } = await pages.open(server.base);
        await page.waitForSelector('p:text-is("7")');
        expect(errors).toEqual([]);
        await server.stop();
      }
    } finally {
      await pages[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    }
  });
});

describe.skipIf(chromium === undefined)('a package with a React of its own', () => {
  const copy = (folder: string, name: string, to = join('node_modules', name)) =>
    cpSync(join(repository, 'node_modules', name), join(folder, to), { recursive: true });

  test.each([
    { where: 'built', args: [], has: true },
    { where: 'in development', args: ['--dev'], has: true },
    { where: 'built with the React of svc', args: [], has: false },
    { where: 'in development with the React of svc', args: ['--dev'], has: false },
  ])('gets that of the page, which is told: $where', async ({ args, has }) => {
    const folder = folderWith({
      'main.svc': `import from "own-react" { Counter }
def:pub app() -> JsxElement { has n: int = 1; return <main><b onClick={lambda { n += 1; }}>{n}</b><Counter/></main>; }
`,
      'node_modules/own-react/package.json':
        '{"name":"own-react","version":"1.0.0","type":"module","exports":"./index.js"}',
      'node_modules/own-react/index.js': `import { createElement, useState } from 'react';
export function Counter() {
  const [n, setN] = useState(10);
  return createElement('i', { onClick: () => setN(n + 1) }, n);
}
`,
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    const nested = 'node_modules/own-react/node_modules/react';
    copy(folder.path, 'react', nested);
    const manifest = join(folder.path, nested, 'package.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/"version": "[^"]+"/, '"version": "18.7.6"'));
    if (has) for (const name of ['react', 'react-dom', 'scheduler']) copy(folder.path, name);
    const server = await startServer({ folder: folder.path, args, env: development });
    const pages = await startPages();
    try {
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector('i').catch(() => {
        throw new Error(errors.join('\n'));
      });
      await page.click('b');
      await page.click('i');
      await page.waitForSelector('b:text-is("2")');
      await page.waitForSelector('i:text-is("11")');
      expect(errors).toEqual([]);
      // With --dev it is told after the page has been shown.
      await expect
        .poll(() => server.output())
        .toMatch(/note: own-react brings react 18\.7\.6; a page has one react, so it gets 19\./);
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });

  test('written beside the project is one with its parts, and what is saved there is shown: in development', async () => {
    const kit = (word: string) => `import { createContext, useContext } from 'react';
const Place = createContext('nowhere');
export const Inside = Place.Provider;
export const usePlace = () => '${word} ' + useContext(Place);
`;
    const folder = folderWith({
      'main.svc': `import from "@own/kit" { Inside }
import from "@own/kit/word" { default as Word }
import from "old" { Old }
def:pub app() -> JsxElement { return <Inside value="the page"><Word/><Old/></Inside>; }
`,
      'packages/kit/package.json':
        '{"name":"@own/kit","version":"1.0.0","type":"module","exports":{".":"./index.js","./word":"./word.jsx"}}',
      'packages/kit/index.js': kit('inside of'),
      'packages/kit/word.jsx': `import { usePlace } from './index.js';
export default () => <i>{usePlace()}</i>;
`,
      'packages/old/package.json': '{"name":"old","version":"1.0.0"}',
      'packages/old/index.js': `const { createElement, useState } = require('react');
exports.Old = () => createElement('b', null, useState('CommonJS')[0]);
`,
      'node_modules/@own/.keep': '',
      'svc.toml': '[plugins.client]\nport = 0\n',
    });
    symlinkSync(join(folder.path, 'packages/kit'), join(folder.path, 'node_modules/@own/kit'));
    symlinkSync(join(folder.path, 'packages/old'), join(folder.path, 'node_modules/old'));
    for (const name of ['react', 'react-dom', 'scheduler']) copy(folder.path, name);
    const server = await startServer({ folder: folder.path, args: ['--dev'], env: development });
    const pages = await startPages();
    try {
      const { page, errors } = await pages.open(server.base);
      await page.waitForSelector('i').catch(() => {
        throw new Error(errors.join('\n'));
      });
      expect(await page.innerText('i')).toBe('inside of the page');
      expect(await page.innerText('b')).toBe('CommonJS');
      writeFileSync(join(folder.path, 'packages/kit/index.js'), kit('again in'));
      await page.waitForSelector('i:text-is("again in the page")');
      expect(errors).toEqual([]);
    } finally {
      await pages[Symbol.asyncDispose]();
      await server.stop();
      folder[Symbol.dispose]();
    }
  });
});
