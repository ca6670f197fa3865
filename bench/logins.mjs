// P18: logins beside public traffic. Reckoned from processor time, which other jobs on the machine disturb little: what one login a core every
// 100 ms leaves of that core, when its hash is worked out on the same core and when on another one.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { password, post, registerUsers, script, startProject } from './lib/project-server.mjs';
import { median, printRows, rounds, row } from './lib/rounds.mjs';
import { benchFolder, cpuSeconds, load, seconds, threadSeconds } from './lib/server.mjs';

const perSecond = 10;
const report = join(mkdtempSync(join(tmpdir(), 'svc-bench-loop-')), 'longest');
const server = await startProject(['--require', join(benchFolder, 'lib/loop-probe.cjs')], { LOOP_PROBE: report });
await registerUsers(server, 1);
const lua = script('beside', '{"name":"Ada","age":36,"tags":[]}');
load(server, '/walker/Ping', lua, 32, 2);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const logIn = () => post(server, '/user/login', JSON.stringify({ username: 'user0', password }));

/** Processor seconds of one login: all threads, and the event loop's alone. */
async function costOfLogin() {
  await logIn();
  const before = { all: cpuSeconds(server.pid), loop: threadSeconds(server.pid) };
  const count = 30;
  for (let i = 0; i < count; i++) await logIn();
  return {
    all: (cpuSeconds(server.pid) - before.all) / count,
    loop: (threadSeconds(server.pid) - before.loop) / count,
  };
}

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
  rmSync(report, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  await work();
  process.kill(server.pid, 'SIGUSR2');
  while (!existsSync(report) || readFileSync(report, 'utf8') === '') await pause(5);
  return Number(readFileSync(report, 'utf8'));
}

const costs = [];
const stretches = { logins: [], idle: [] };
const rates = { logins: [], without: [] };
for (let i = 0; i < rounds; i++) {
  costs.push(await costOfLogin());
  stretches.idle.push(await longestStretch(() => pause(seconds * 1000)));
  stretches.logins.push(await longestStretch(() => besideLogins(() => pause(seconds * 1000))));
  rates.without.push(load(server, '/walker/Ping', lua).perSecond);
  rates.logins.push(await besideLogins(() => load(server, '/walker/Ping', lua).perSecond));
}
await server.stop();

const left = (key) => {
  const shares = costs.map((cost) => 1 - perSecond * cost[key]);
  const spread = { median: median(shares), low: Math.min(...shares), high: Math.max(...shares) };
  return { ...spread, figure: median(costs.map((cost) => cost[key] * 1e6)), base: 1e6 };
};
const subject = `of a core left beside ${perSecond} logins a second (figure: us a login)`;
printRows([
  row('P18', `${subject}, hashes on another core`, '>= 0.9', left('loop'), (x) => x >= 0.9),
  row('P18', `${subject}, hashes on the same core`, '-', left('all'), () => true),
]);
const shown = (list) => `${median(list).toFixed(1)} [${Math.min(...list).toFixed(1)}..${Math.max(...list).toFixed(1)}]`;
console.log(
  `\nlongest stretch of the event loop, ms of processor time (goal <= 5): logins ${shown(stretches.logins)}, idle ${shown(stretches.idle)}`,
);
console.log(`requests a second, wall time: beside logins ${shown(rates.logins)}, without ${shown(rates.without)}`);
