// P18: logins beside public traffic. One login per core every 100 ms; the server has one core, which its hash threads share.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { password, registerUsers, script, startProject } from './lib/project-server.mjs';
import { alternate, median, printRows, ratio, rounds, row } from './lib/rounds.mjs';
import { benchFolder, load, seconds, threadSeconds } from './lib/server.mjs';

const perSecond = 10;
const report = join(mkdtempSync(join(tmpdir(), 'svc-bench-loop-')), 'longest');
const server = await startProject(['--require', join(benchFolder, 'lib/loop-probe.cjs')], { LOOP_PROBE: report });
await registerUsers(server, 1);
const lua = script('beside', '{"name":"Ada","age":36,"tags":[]}');
load(server, '/walker/Ping', lua, 32, 2);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `work` while somebody logs in all the time. */
async function besideLogins(work) {
  const args = [join(benchFolder, 'lib/log-in.mjs'), server.base, String(perSecond), 'user0', password];
  const client = spawn('taskset', ['-c', process.env.CPU_B ?? '1', process.execPath, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await pause(500);
    return await work();
  } finally {
    client.kill();
    await pause(200);
  }
}

/** The longest stretch the event loop was busy during `work`, in milliseconds of processor time. */
async function longestStretch(work) {
  await takeReport();
  await work();
  return takeReport();
}

async function takeReport() {
  rmSync(report, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  while (!existsSync(report) || readFileSync(report, 'utf8') === '') await pause(5);
  return Number(readFileSync(report, 'utf8'));
}

/** Answered requests per second, and per second the event loop's thread worked. */
function traffic() {
  const before = threadSeconds(server.pid);
  const { perSecond: rate, p99, requests } = load(server, '/walker/Ping', lua);
  return { rate, perLoopSecond: requests / (threadSeconds(server.pid) - before), p99 };
}

const measured = await alternate({ with: () => besideLogins(traffic), without: traffic });
const figuresOf = (key) =>
  Object.fromEntries(Object.entries(measured).map(([name, list]) => [name, list.map((one) => one[key])]));
const [rate, perLoopSecond] = [
  ratio(figuresOf('rate'), 'with', 'without'),
  ratio(figuresOf('perLoopSecond'), 'with', 'without'),
];
const rows = [
  row(
    'P18',
    `requests a second beside ${perSecond} logins a second, hashes on the same core / without`,
    '>= 0.9',
    rate,
    (x) => x >= 0.9,
  ),
  row('P18', 'requests per second of work of the event loop, the same', '>= 0.9', perLoopSecond, (x) => x >= 0.9),
];
const stretches = { logins: [], idle: [] };
for (let i = 0; i < rounds; i++) {
  stretches.idle.push(await longestStretch(() => pause(seconds * 1000)));
  stretches.logins.push(await longestStretch(() => besideLogins(() => pause(seconds * 1000))));
}
await server.stop();
printRows(rows);
const shown = (list) =>
  `${median(list).toFixed(1)} ms [${Math.min(...list).toFixed(1)}..${Math.max(...list).toFixed(1)}]`;
console.log(
  `\nlongest stretch of the event loop (goal <= 5 ms): logins alone ${shown(stretches.logins)}, idle ${shown(stretches.idle)}`,
);
console.log(
  `p99 of the public walker: beside logins ${shown(figuresOf('p99').with)}, without ${shown(figuresOf('p99').without)}`,
);
