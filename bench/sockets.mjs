// P4, P14, P15 and echo: webhooks beside the public walker, sockets beside the `ws` package. `node bench/sockets.mjs [P4 echo P14 P15]`
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { post, registerUsers, script, startProject } from './lib/project-server.mjs';
import { alternate, printRows, ratio, row } from './lib/rounds.mjs';
import { benchFolder, cpuSeconds, load, seconds, startServer } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const loadCpu = process.env.CPU_B ?? '1';
const rows = [];

if (wants('P4')) {
  const project = await startProject();
  const [token] = await registerUsers(project, 1);
  const { api_key } = await post(project, '/api-key/create', '{"name": "bench"}', token);
  const body = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';
  const signature = createHmac('sha256', api_key).update(body).digest('hex');
  const open = script('ping', body);
  const signed = script('hook', body, [], { 'X-API-Key': api_key, 'X-Webhook-Signature': signature });
  const variants = {
    hook: () => load(project, '/webhook/PingHook', signed).perCpuSecond,
    open: () => load(project, '/walker/Ping', open).perCpuSecond,
  };
  for (const variant of Object.values(variants)) variant();
  const figures = await alternate(variants);
  rows.push(
    row(
      'P4',
      'webhook walker / public walker',
      '>= 0.75 (issue 0.8)',
      ratio(figures, 'hook', 'open'),
      (x) => x >= 0.75,
    ),
  );
  await project.stop();
}

if (wants('echo')) await compare('echo', 'echo, 100 clients / ws', '/ws/Talk', 100, '>= 0.8', 0.8, { echo: seconds });
if (wants('P14')) {
  await compare('P14', 'broadcast to 1,000 / ws send to each', '/ws/Room', 1000, '>= 0.8', 0.8, { broadcasts: 60 });
  await compare('P14', 'broadcast to 5,000 / ws send to each', '/ws/Room', 5000, '>= 1.2', 1.2, { broadcasts: 12 });
}

if (wants('P15')) {
  const ours = await memoryPerConnection(() => startProject(['--expose-gc']));
  const theirs = await memoryPerConnection(startBare);
  const result = {
    median: ours / theirs,
    low: ours / theirs,
    high: ours / theirs,
    figure: ours / 1024,
    base: theirs / 1024,
  };
  rows.push(row('P15', 'resident KiB per idle connection / ws', '<= 1.5', result, (x) => x <= 1.5));
}

printRows(rows);

function startBare() {
  return startServer([process.execPath, join(benchFolder, 'baselines/ws.mjs')]);
}

/** Messages per CPU second of the server, ours and those of the package, in alternating rounds. */
async function compare(id, subject, path, count, goal, least, order) {
  const servers = [await startProject(), await startBare()];
  const [project, bare] = await Promise.all(servers.map((server) => connectClients(server, path, count)));
  const variants = { project: () => project.run(order), bare: () => bare.run(order) };
  for (const variant of Object.values(variants)) await variant();
  const figures = await alternate(variants);
  rows.push(row(id, subject, goal, ratio(figures, 'project', 'bare'), (x) => x >= least));
  for (const { stop } of [project, bare]) stop();
  for (const server of servers) await server.stop();
}

async function connectClients(server, path, count) {
  const child = spawn(
    'taskset',
    [
      '-c',
      loadCpu,
      process.execPath,
      join(benchFolder, 'lib/socket-load.mjs'),
      String(server.port),
      path,
      String(count),
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const answer = () => new Promise((resolve) => child.once('message', resolve));
  await answer();
  return {
    stop: () => child.kill('SIGKILL'),
    async run(order) {
      const before = cpuSeconds(server.pid);
      const done = answer();
      child.send(order);
      const { received } = await done;
      return received / (cpuSeconds(server.pid) - before);
    },
  };
}

async function memoryPerConnection(start) {
  const count = 2000;
  const server = await start();
  const warm = await connectClients(server, '/ws/Talk', 100);
  await warm.run({ echo: 1 });
  const before = residentBytes(server.pid);
  const clients = await connectClients(server, '/ws/Talk', count);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const perConnection = (residentBytes(server.pid) - before) / count;
  for (const { stop } of [warm, clients]) stop();
  await server.stop();
  return perConnection;
}

function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
