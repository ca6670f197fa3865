// Servers under test on one processor, the load generator (wrk) on the other. Work per CPU second of the server is what is compared.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const benchFolder = fileURLToPath(new URL('..', import.meta.url));
const serverCpu = process.env.CPU_A ?? '0';
export const loadCpu = process.env.CPU_B ?? '1';
export const bothCpus = `${serverCpu},${loadCpu}`;
export const seconds = Number(process.env.SECONDS ?? 3);

/** Every server that runs; none outlives this process. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A port nobody listens on. A fixed one may belong to a server that an earlier run left behind, which would then be measured. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Starts `command` (with `{port}` and `{folder}` replaced), on one processor unless `cpus` says otherwise, and waits until its port answers. */
export async function startServer(command, env = {}, cpus = serverCpu) {
  const port = await freePort();
  const folder = mkdtempSync(join(process.env.DBDIR ?? tmpdir(), 'svc-bench-'));
  const child = spawn(
    'taskset',
    ['-c', cpus, ...command.map((word) => word.replaceAll('{port}', port).replaceAll('{folder}', folder))],
    {
      cwd: folder,
      env: { ...process.env, PORT: String(port), NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  for (let tries = 0; tries < 300; tries++) {
    if (await answers(port))
      return { port, pid: child.pid, base: `http://127.0.0.1:${port}`, stop: () => stop(child, folder) };
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended: ${errors.slice(-800)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no answer from ${command.join(' ')}: ${errors.slice(-800)}`);
}

function stop(child, folder) {
  return new Promise((resolve) => {
    child.on('exit', () => {
      running.delete(child);
      rmSync(folder, { recursive: true, force: true });
      resolve();
    });
    child.kill('SIGKILL');
  });
}

/** Seconds on a processor so far, all threads that run. */
export const cpuSeconds = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadSeconds(pid, thread), 0);

/** The same of a process and of all that it started. */
export const allSeconds = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
    .reduce((sum, child) => sum + allSeconds(child), cpuSeconds(pid));

/** The same of processes that this one has started and seen end; in steps of 10 ms. */
export const endedSeconds = () => {
  const [, , , , , , , , , , , , , user, system] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(user) + Number(system)) / 100;
};

/** The same of one thread, the main one unless told. */
export const threadSeconds = (pid, thread = pid) =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/** Loads one path with wrk; answered requests per CPU second of the server, and the latency percentiles seen. */
export function load(server, path, script, connections = 32, duration = seconds) {
  const before = cpuSeconds(server.pid);
  const run = spawnSync(
    'taskset',
    [
      '-c',
      loadCpu,
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${duration}s`,
      '--latency',
      '-s',
      script,
      `http://127.0.0.1:${server.port}${path}`,
    ],
    { encoding: 'utf8' },
  );
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(run.stdout)?.[1]);
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(run.stdout)?.[1] ?? 0);
  if (!perSecond || bad > 0) throw new Error(`wrk: ${bad} bad answers\n${run.stdout}${run.stderr}`);
  const requests = Number(/(\d+) requests in/.exec(run.stdout)[1]);
  const perCpuSecond = requests / (cpuSeconds(server.pid) - before);
  return { perCpuSecond, perSecond, requests, p99: percentile(run.stdout, '99%') };
}

function percentile(text, name) {
  const match = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s)`).exec(text);
  return match ? Number(match[1]) * { us: 1e-3, ms: 1, s: 1e3 }[match[2]] : Number.NaN;
}
