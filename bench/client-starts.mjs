// C3, C6 and C7: from the command to a page that shows something. `svc start` of the template `web`, unchanged and with nothing built yet; and a client
// of 100 files with nothing prepared, `svc start --dev` beside `vite`, and `svc start` beside `vite build` with `vite preview`; an empty page of node:http
// tells what the browser takes by itself. svc is installed as users have it. The browser runs already; a tab is opened when the port answers. Needs a Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from './lib/bundle.mjs';
import { installSvc } from './lib/installed.mjs';
import { savedPart, writeReact, writeSvc } from './lib/many-components.mjs';
import { median } from './lib/rounds.mjs';
import { allSeconds, benchFolder, endedSeconds, freePort } from './lib/server.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const { startBrowser } = await loadSource('bench/lib/client.ts');
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-starts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const modules = join(benchFolder, '../node_modules');
const vite = [process.execPath, join(modules, 'vite/bin/vite.js')];
const empty = join(benchFolder, 'baselines/empty-page.mjs');
const at = (name) => join(folder, name);
const svc = [process.execPath, installSvc(at('installed'))];
const local = ['--host', '127.0.0.1', '--port', '{port}'];

const made = spawnSync(svc[0], [svc[1], 'new', 'web', '--template', 'web'], { cwd: folder, encoding: 'utf8' });
if (made.status !== 0) throw new Error(made.stderr);
rmSync(at('web/node_modules'), { recursive: true, force: true });
symlinkSync(modules, at('web/node_modules'), 'dir');
writeSvc(at('parts'));
writeReact(at('hand'));
writeOnePage();

const part = `document.querySelector('#${savedPart}') !== null`;
const web = `document.querySelector('main')?.textContent`;
const forget =
  (name, ...places) =>
  () => {
    for (const place of places) rmSync(join(at(name), place), { recursive: true, force: true });
  };
const nothing = () => {};
const table = `document.querySelector('h1') !== null`;
const variants = {
  onePage: { directory: at('one'), before: forget('one', '.svc'), run: [[...svc, 'start', ...local]], shown: table },
  onePageDev: {
    directory: at('one'),
    before: forget('one', '.svc'),
    run: [[...svc, 'start', '--dev', ...local]],
    shown: table,
  },
  onePageHand: {
    directory: at('oneHand'),
    before: forget('oneHand', '.vite'),
    run: [[...vite, ...local, '--strictPort']],
    shown: table,
  },
  empty: { directory: folder, before: nothing, run: [[process.execPath, empty, '{port}']], shown: web },
  unchanged: { directory: at('web'), before: nothing, run: [[...svc, 'start', ...local]], shown: web },
  cold: { directory: at('web'), before: forget('web', '.svc'), run: [[...svc, 'start', ...local]], shown: web },
  svcDev: {
    directory: at('parts'),
    before: forget('parts', '.svc'),
    run: [[...svc, 'start', '--dev', ...local]],
    shown: part,
  },
  viteDev: {
    directory: at('hand'),
    before: forget('hand', '.vite'),
    run: [[...vite, ...local, '--strictPort']],
    shown: part,
  },
  svcBuilt: {
    directory: at('parts'),
    before: forget('parts', '.svc'),
    run: [[...svc, 'start', ...local]],
    shown: part,
  },
  viteBuilt: {
    directory: at('hand'),
    before: forget('hand', '.vite', 'dist'),
    run: [
      [...vite, 'build'],
      [...vite, 'preview', ...local, '--strictPort'],
    ],
    shown: part,
  },
};

/** The table of goods, as `client.mjs` measures it. */
function writeOnePage() {
  writeSvc(at('one'));
  rmSync(at('one/components'), { recursive: true });
  cpSync(join(benchFolder, 'apps/client-rows.svc'), at('one/main.svc'));
  writeReact(at('oneHand'));
  rmSync(at('oneHand/components'), { recursive: true });
  cpSync(join(benchFolder, 'baselines/client-rows.jsx'), at('oneHand/App.jsx'));
  const main = readFileSync(at('oneHand/main.jsx'), 'utf8');
  writeFileSync(at('oneHand/main.jsx'), main.replace('import App from', 'import { App } from'));
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket.destroy() && true));
    socket.on('error', () => resolve(false));
  });

async function start(browser, { directory, before, run, shown }, weighs = false) {
  before();
  const port = await freePort();
  const cpuBefore = endedSeconds();
  const began = performance.now();
  const options = { cwd: directory, env: { ...process.env, SVC_ENV: 'development' }, stdio: 'ignore' };
  for (const [program, ...args] of run.slice(0, -1)) spawnSync(program, args, options);
  const cpuOfSteps = endedSeconds() - cpuBefore;
  const [program, ...args] = run.at(-1).map((word) => word.replace('{port}', port));
  const child = spawn(program, args, options);
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 3000 || child.exitCode !== null) throw new Error(`no answer from ${args.join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const answered = performance.now() - began;
  const cpuAnswered = cpuOfSteps + allSeconds(child.pid);
  const page = await browser.open(`http://127.0.0.1:${port}/`);
  const reloads = await untilShown(page, shown);
  const elapsed = performance.now() - began;
  const cpu = cpuOfSteps + allSeconds(child.pid);
  const weight = weighs ? await weightOf(page) : 0;
  await page.close();
  // Ended as a person ends it, so that what is kept for later starts is whole.
  child.kill('SIGINT');
  await new Promise((resolve) => child.on('exit', resolve));
  return { answered, elapsed, cpuAnswered, cpu, reloads, weight };
}

/** Waits for what a page shows; gives how often it has loaded itself anew before. */
async function untilShown(page, shown) {
  for (let reloads = 0; ; reloads += 1) {
    try {
      await page.until(shown);
      return reloads;
    } catch (error) {
      if (!error.message.includes('navigated')) throw error;
    }
  }
}

/** Bytes of the page and of everything it has loaded, as gzip delivers them. */
async function weightOf(page) {
  const urls = await page.run(`[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]`);
  const sizes = await Promise.all(
    urls.map(
      (url) =>
        new Promise((resolve, reject) => {
          let size = 0;
          http
            .get(url, { headers: { 'accept-encoding': 'gzip', accept: '*/*, text/html' } }, (response) =>
              response.on('data', (chunk) => (size += chunk.length)).on('end', () => resolve(size)),
            )
            .on('error', reject);
        }),
    ),
  );
  if (process.env.PARTS) console.log(urls.map((url, i) => `${url} ${sizes[i]}`).join('\n'));
  return sizes.reduce((a, b) => a + b, 0);
}

const browser = await startBrowser();
const found = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
await start(browser, variants.cold);
for (let round = 0; round < rounds; round += 1) {
  const names = Object.keys(variants);
  // The unchanged one follows the cold one of the round before.
  for (const name of (round % 2 ? names.toReversed() : names).filter(
    (one) => !process.env.ONLY || process.env.ONLY.includes(one),
  )) {
    if (name === 'unchanged') await start(browser, variants.unchanged);
    found[name].push(await start(browser, variants[name], name === 'unchanged'));
  }
}
await browser[Symbol.asyncDispose]();

const of = (name, what = 'elapsed') => found[name].map((one) => one[what]);
const spread = (values) => `${Math.min(...values).toFixed(0)}..${Math.max(...values).toFixed(0)}`;
const seconds = (name, what) => median(of(name, what)).toFixed(2);
const line = (id, subject, goal, name) =>
  console.log(
    `| ${id} | ${subject} | ${goal} | ${median(of(name)).toFixed(0)} | ${spread(of(name))} | ${median(of(name, 'answered')).toFixed(0)} | ${seconds(name, 'cpu')} | ${seconds(name, 'cpuAnswered')} |`,
  );
console.log(
  '\n| # | from the command to a page that shows something | goal (ms) | measured (ms) | spread | port answers (ms) | processor (s) | until the port answers (s) |\n|---|---|---|---|---|---|---|---|',
);
line('C3', 'template web, unchanged', '<= 600', 'unchanged');
line('C3', 'template web, nothing built', '<= 3000', 'cold');
line('', 'an empty page, node:http', '', 'empty');
line('', 'one page, svc start', '', 'onePage');
line('', 'one page, svc start --dev', '', 'onePageDev');
line('', 'one page, vite', '', 'onePageHand');
line('', '100 files, svc start --dev', '', 'svcDev');
line('', '100 files, vite', '', 'viteDev');
line('', '100 files, svc start', '', 'svcBuilt');
line('', '100 files, vite build and vite preview', '', 'viteBuilt');
const ratio = (a, b, what) => {
  const all = of(a, what).map((value, i) => value / of(b, what)[i]);
  return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)}..${Math.max(...all).toFixed(2)})`;
};
for (const [what, by] of [
  ['elapsed', 'by the clock'],
  ['cpu', 'by processor time of the server'],
])
  console.log(
    `\nC7 ${by}: cold, over React by hand (goal <= 1.1): one page: svc start ${ratio('onePage', 'onePageHand', what)}, --dev ${ratio('onePageDev', 'onePageHand', what)}; 100 files: svc start ${ratio('svcBuilt', 'viteDev', what)}, --dev ${ratio('svcDev', 'viteDev', what)}; built, over vite build and preview ${ratio('svcBuilt', 'viteBuilt', what)}.`,
  );
const anew = Object.entries(found).flatMap(([name, all]) => {
  const reloads = all.reduce((sum, one) => sum + one.reloads, 0);
  return reloads === 0 ? [] : `${name} ${reloads}`;
});
if (anew.length > 0) console.log(`Pages that loaded themselves anew before they showed anything: ${anew.join(', ')}.`);
console.log(`Load of the machine: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors.`);
const afterAnswer = (name) => median(found[name].map(({ answered, elapsed }) => elapsed - answered)).toFixed(0);
console.log(
  `C3: from the answer of the port to the page: ${afterAnswer('unchanged')} ms, of which Chromium takes ${afterAnswer('empty')} for an empty page (a new tab, its navigation, a look every 20 ms).`,
);
console.log(
  `C6: the first page of the template web with all it loads: ${(median(found.unchanged.map(({ weight }) => weight)) / 1024).toFixed(1)} KB gzip (goal 90).`,
);
