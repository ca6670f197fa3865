// Cloud functions: what the emulated gateway costs, and how large and how fast to start a packaged function is.
// `node bench/functions.mjs [P2 package]`
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { invoke } from './lib/lambda-service.mjs';
import { post, script, startProject } from './lib/project-server.mjs';
import { alternate, median, printRows, ratio, row } from './lib/rounds.mjs';
import { benchFolder, load } from './lib/server.mjs';

const body = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';
const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const rows = [];

async function emulation() {
  const [direct, emulated] = [await startProject(), await startProject([], {}, ['--emulate'])];
  const lua = script('emulated', body);
  const path = '/walker/Ping';
  for (const server of [direct, emulated]) {
    await post(server, path, body);
    load(server, path, lua, 32, 2);
  }
  const figures = await alternate({
    direct: () => load(direct, path, lua).perCpuSecond,
    emulated: () => load(emulated, path, lua).perCpuSecond,
  });
  for (const server of [direct, emulated]) await server.stop();
  const result = ratio(figures, 'emulated', 'direct');
  rows.push(row('P2', 'trivial walker, svc start --emulate / svc start', '>= 0.85', result, (x) => x >= 0.85));
}

// Below the repository, because the SQLite driver of Node 20 is found there.
const cache = join(benchFolder, '../node_modules/.cache');
const liveEvent = {
  version: '2.0',
  rawPath: '/healthz/live',
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: { http: { method: 'GET', path: '/healthz/live', sourceIp: '127.0.0.1' }, stage: '$default' },
};
const driver = `
const { handler } = await import('./handlers/http.mjs');
const { statusCode } = await handler(${JSON.stringify(liveEvent)}, { getRemainingTimeInMillis: () => 29000 });
const { user, system } = process.cpuUsage();
process.stdout.write(statusCode + ' ' + (user + system) / 1000 + ' ' + performance.now());
process.exit(0);
`;
const bare = `export const handler = async () => ({ statusCode: 200 });`;

async function packaged() {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bench-function-'));
  try {
    const app = join(benchFolder, '../examples/todo');
    cpSync(app, join(folder, 'app-source'), { recursive: true, filter: (path) => !path.endsWith('/.svc') });
    const svc = join(benchFolder, '../bin/svc.mjs');
    const args = [svc, 'build', 'main.svc', '--out', join(folder, 'out')];
    const built = spawnSync(process.execPath, args, {
      cwd: join(folder, 'app-source'),
      env: { ...process.env, SVC_DATABASE_STORE: 'sqlite' },
    });
    if (built.status !== 0) throw new Error(String(built.stderr));
    const archive = join(folder, 'out/http.zip');
    for (const [path, contents] of Object.entries(unzipSync(readFileSync(archive)))) {
      mkdirSync(dirname(join(folder, 'function', path)), { recursive: true });
      writeFileSync(join(folder, 'function', path), contents);
    }
    mkdirSync(join(folder, 'bare/handlers'), { recursive: true });
    writeFileSync(join(folder, 'bare/handlers/http.mjs'), bare);
    for (const name of ['function', 'bare']) writeFileSync(join(folder, name, 'driver.mjs'), driver);
    const kilobytes = statSync(archive).size / 1024;
    rows.push(row('', 'http.zip without the SDK, KB', '<= 1000', fixed(kilobytes, [kilobytes]), (x) => x <= 1000));
    await alone(folder);
    await underRuntimeClient(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process of Node each time, beside one whose function does nothing. */
async function alone(folder) {
  const wall = [];
  const figures = await alternate({
    async function() {
      const { cpuMs, wallMs } = await startOnce(folder, 'function');
      wall.push(wallMs);
      return cpuMs;
    },
    bare: async () => (await startOnce(folder, 'bare')).cpuMs,
  });
  const add = (goal, subject, limit, result) => rows.push(row(goal, subject, `<= ${limit}`, result, (x) => x <= limit));
  const cpu = { ...fixed(median(figures.function), figures.function), base: median(figures.bare) };
  add('', 'CPU ms from the start of a process to its first answer / of an empty function', 200, cpu);
  add('', 'wall ms of the same', 200, fixed(median(wall), wall));
  add('P16', 'CPU of the first answer / of an empty function', 2.6, ratio(figures, 'function', 'bare'));
}

/** The unpacked archive as the service runs it: a process of its runtime interface client, beside one whose function does nothing. */
async function underRuntimeClient(folder) {
  const client = join(benchFolder, 'node_modules/aws-lambda-ric');
  if (!existsSync(join(client, 'dist/rapid-client.node'))) {
    console.log('aws-lambda-ric is not built: see bench/README.md; its row is left out');
    return;
  }
  const firstMs = (name) => async () => {
    const { answers, times } = await invoke({
      program: join(client, 'bin/index.mjs'),
      folder: join(folder, name),
      handler: 'handlers/http.handler',
      env: { ...process.env, SVC_ENV: 'test', SVC_DATABASE_STORE: 'sqlite', SVC_DATA_PATH: join(folder, 'data') },
      events: [liveEvent],
    });
    if (answers[0].statusCode !== 200) throw new Error(`answered ${answers[0].statusCode}`);
    return times[0];
  };
  const figures = await alternate({ function: firstMs('function'), bare: firstMs('bare') });
  const result = { ...fixed(median(figures.function), figures.function), base: median(figures.bare) };
  const subject = 'ms from the start of aws-lambda-ric to the first answer / of an empty function';
  rows.push(row('', subject, '<= 200', result, (x) => x <= 200));
}

const fixed = (middle, all) => ({
  median: middle,
  low: Math.min(...all),
  high: Math.max(...all),
  figure: middle,
  base: 1,
});

async function startOnce(folder, name) {
  const env = { ...process.env, SVC_ENV: 'test', SVC_DATABASE_STORE: 'sqlite', SVC_DATA_PATH: join(folder, 'data') };
  const child = spawn(process.execPath, ['driver.mjs'], { cwd: join(folder, name), env });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  const [status, cpuMs, wallMs] = text.split(' ');
  if (status !== '200') throw new Error(`answered ${text}`);
  return { cpuMs: Number(cpuMs), wallMs: Number(wallMs) };
}

if (wants('package')) await packaged();
if (wants('P2')) await emulation();
printRows(rows);
