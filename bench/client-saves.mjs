// C2: a component of a client of 100 files is saved; how long until the page shows it, with the state of that component kept. `svc start --dev`
// beside Vite with the same components written by hand for React, saved in turn. Needs a Chromium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from './lib/bundle.mjs';
import { reactPart, savedPart, svcPart, writeReact, writeSvc } from './lib/many-components.mjs';
import { median } from './lib/rounds.mjs';
import { benchFolder, cpuSeconds, startServer } from './lib/server.mjs';

const saves = Number(process.env.SAVES ?? 40);
const { startBrowser } = await loadSource('bench/lib/client.ts');
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-saves-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const svc = join(benchFolder, '../bin/svc.mjs');
const vite = join(benchFolder, '../node_modules/vite/bin/vite.js');

const variants = {
  svc: {
    directory: join(folder, 'svc'),
    write: writeSvc,
    file: `components/${savedPart}.svc`,
    text: svcPart,
    command: (at) => [
      process.execPath,
      svc,
      'start',
      join(at, 'main.svc'),
      '--dev',
      '--host',
      '127.0.0.1',
      '--port',
      '{port}',
    ],
  },
  react: {
    directory: join(folder, 'react'),
    write: writeReact,
    file: `components/${savedPart}.jsx`,
    text: reactPart,
    command: (at) => [
      process.execPath,
      vite,
      at,
      '--config',
      join(at, 'vite.config.js'),
      '--host',
      '127.0.0.1',
      '--port',
      '{port}',
      '--strictPort',
    ],
  },
};

const shown = `document.querySelector('#${savedPart} .shown')`;
const more = `document.querySelector('#${savedPart} .more')`;
/** Time at which the frame with the text has been drawn: the first task after it. */
const drawn = (text) => `new Promise((resolve) => {
  const look = () => {
    if (${shown}?.textContent !== ${JSON.stringify(text)}) return false;
    observer.disconnect();
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => resolve(performance.timeOrigin + performance.now()); port2.postMessage(0); });
    return true;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  setTimeout(() => resolve(NaN), 20000);
})`;

async function open({ directory, write, command }) {
  write(directory);
  const server = await startServer(command(directory), { NODE_ENV: 'development', SVC_ENV: 'development' }, '0,1');
  const browser = await startBrowser();
  const page = await browser.open(server.base);
  await page.until(`${shown} !== null`);
  await page.run(`${more}.click(); ${more}.click();`);
  return {
    server,
    browser,
    page,
    count: await page.run(`new Promise((done) => setTimeout(() => done(${more}.textContent), 100))`),
  };
}

async function save({ directory, file, text }, { page, server, count }, name) {
  const seen = page.run(drawn(name));
  await page.run('1');
  const cpu = cpuSeconds(server.pid);
  const began = performance.timeOrigin + performance.now();
  writeFileSync(join(directory, file), text(savedPart, name));
  const elapsed = (await seen) - began;
  const now = await page.run(`${more}.textContent`);
  if (now !== count) throw new Error(`the state is lost: ${count} became ${now}`);
  await new Promise((resolve) => setTimeout(resolve, 400));
  return { elapsed, cpu: (cpuSeconds(server.pid) - cpu) * 1000 };
}

const opened = {};
for (const [name, variant] of Object.entries(variants)) opened[name] = await open(variant);
const found = { svc: [], react: [] };
for (let i = 0; i < saves + 3; i += 1) {
  for (const name of i % 2 ? ['svc', 'react'] : ['react', 'svc']) {
    const one = await save(variants[name], opened[name], `saved ${i}`);
    // The first ones load what later ones use.
    if (i >= 3) found[name].push(one);
  }
}
for (const { browser, server } of Object.values(opened)) {
  await browser[Symbol.asyncDispose]();
  await server.stop();
}

const at = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const figures = (name) => {
  const times = found[name].map(({ elapsed }) => elapsed);
  return [median(times), at(times, 0.95), median(found[name].map(({ cpu }) => cpu))];
};
const [ours, hand] = [figures('svc'), figures('react')];
console.log('\n| C2: save in a client of 100 files | goal | svc | Vite + React | ratio |\n|---|---|---|---|---|');
['drawn, median (ms)', 'drawn, 95th percentile (ms)', 'processor time of the server (ms)'].forEach((label, i) => {
  console.log(
    `| ${label} | ${['<= 150', '<= 300', ''][i]} | ${ours[i].toFixed(0)} | ${hand[i].toFixed(0)} | ${(ours[i] / hand[i]).toFixed(2)} |`,
  );
});
