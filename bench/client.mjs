// C4 and C5: emitted components beside the same ones written by hand in React: size of the bundle, time of 10,000 rows and of 1,000 updates in
// Chromium. Needs a Chromium.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { loadSource } from './lib/bundle.mjs';
import { alternate, printRows, ratio, rounds, row } from './lib/rounds.mjs';

const root = resolve(import.meta.dirname, '..');
const { compileClient, entryId, findRuntime, startBrowser, svcPlugin } = await loadSource('bench/lib/client.ts');

/** Bundles an application whose module exports `App`; `svc` ones are mounted by the runtime. Gives the text and what of it is the runtime's. */
async function bundle(file) {
  const isOurs = file.endsWith('.svc');
  const modules = isOurs ? compileClient(file).modules : new Map();
  const own = `import { mount } from '@svc/runtime/mount'; import { app } from ${JSON.stringify(file)}; void mount({ app });`;
  const byHand = `import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; import { App } from ${JSON.stringify(file)};
createRoot(document.getElementById('root')).render(createElement(App));`;
  const plugin = svcPlugin({
    modules: () => modules,
    entry: () => (isOurs ? own : byHand),
    runtime: findRuntime(),
    projectDir: root,
    packagesFrom: () => root,
  });
  const outDir = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'error',
    mode: 'production',
    plugins: [plugin],
    // The router without its warnings, as a build of ours takes it: for both.
    resolve: {
      alias: [
        { find: /^react-router$/, replacement: join(root, 'node_modules/react-router/dist/production/index.mjs') },
      ],
    },
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: { input: entryId, output: { entryFileNames: 'client.js', codeSplitting: false } },
    },
  });
  const code = readFileSync(join(outDir, 'client.js'), 'utf8');
  rmSync(outDir, { recursive: true });
  const parts = Object.entries(output[0].modules)
    .filter(([id, { renderedLength }]) => id.startsWith(join(root, 'client/')) && renderedLength > 0)
    .map(([id, { renderedLength }]) => `${id.slice(root.length + 8)} ${renderedLength}`);
  return { code, size: gzipSync(code, { level: 9 }).length, parts };
}

const hello = {
  ours: await bundle(join(root, 'bench/apps/client-hello.svc')),
  react: await bundle(join(root, 'bench/baselines/client-hello.jsx')),
};
const goods = {
  ours: await bundle(join(root, 'bench/apps/client-rows.svc')),
  react: await bundle(join(root, 'bench/baselines/client-rows.jsx')),
};
const large = {
  ours: await bundle(join(root, 'bench/apps/client-large.svc')),
  react: await bundle(join(root, 'bench/baselines/client-large.jsx')),
};
if (process.env.PARTS)
  for (const [name, { ours }] of Object.entries({ hello, goods, large }))
    console.log(`${name}: ${ours.parts.join(', ')}`);

const server = createServer((request, response) => {
  const [, name, file] = request.url.split('/');
  response.setHeader('Content-Type', file ? 'text/javascript' : 'text/html');
  response.end(
    file
      ? goods[name].code
      : `<!doctype html><div id="root"></div><script type="module" src="/${name}/client.js"></script>`,
  );
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const browser = await startBrowser();

/** Runs per second, from a fresh page that has warmed up. */
async function measure(name, work) {
  const page = await browser.open(`http://127.0.0.1:${server.address().port}/${name}/`);
  await page.until('window.bench !== undefined');
  return page.run(`(() => { const { bench } = window; ${work} })()`);
}
// The best of several in one page: what else runs on the machine takes nothing from it.
const best = `const best = (count, work) => { let least = Infinity; for (let i = 0; i < count; i += 1) { const start = performance.now(); work(i); least = Math.min(least, performance.now() - start); } return 1000 / least; };`;
const render = `${best} bench.fill(10000); let found = 0;
  for (let i = 0; i < 5; i += 1) { bench.fill(0); found = Math.max(found, best(1, () => bench.fill(10000))); }
  if (document.querySelectorAll('tr').length !== 10000) throw new Error('rows are missing'); return found;`;
const update = `${best} bench.fill(100); for (let i = 0; i < 200; i += 1) bench.tick(i);
  const found = best(10, (round) => { for (let i = 1; i <= 100; i += 1) bench.tick(round * 100 + i); }) / 10;
  if (!document.querySelector('h1').textContent.endsWith(', 1000')) throw new Error('updates are missing'); return found;`;
const both = (work) => alternate({ ours: () => measure('ours', work), react: () => measure('react', work) }, rounds);
const renders = await both(render);
const updates = await both(update);
await browser[Symbol.asyncDispose]();
server.close();

const fits = (x) => x >= 0.95;
printRows([
  row('C5', 'render of 10,000 rows / React by hand', '>= 0.95', ratio(renders, 'ours', 'react'), fits),
  row('C5', '1,000 state updates over 100 rows / React by hand', '>= 0.95', ratio(updates, 'ours', 'react'), fits),
]);
const over = ({ ours, react }) => ((ours.size - react.size) / 1024).toFixed(1);
console.log(
  `\nC4: gzip over the same program by hand: hello ${over(hello)} KB (goal 4; ${hello.ours.size} and ${hello.react.size} bytes), table ${over(goods)} KB, large application ${over(large)} KB (goal 14; ${large.ours.size} and ${large.react.size} bytes).`,
);
