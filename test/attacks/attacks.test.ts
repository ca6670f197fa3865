/**
 * No client can end a process (decisions/0401): connections that are reset, cut off, closed and garbled at every stage of every protocol, against one
 * process, two workers and the emulated cloud; the first ones of each protocol against processes that have just started.
 * `SVC_ATTACKS=<number>` makes so many, `SVC_ATTACKS_SEED=<n>` others.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyApp, post, type RunningServer, removeFolder, repository, startServer } from '../harness/server.ts';
import { isRunning, workerPids } from '../harness/worker-pids.ts';
import { type Outcome, perform } from './attack.ts';
import { createRandom, type Random } from './damage.ts';
import { kinds } from './kinds.ts';

const wanted = Number(process.env['SVC_ATTACKS'] ?? 10_000);
const seed = Number(process.env['SVC_ATTACKS_SEED'] ?? 1);
/** Attacks that are under way at the same time. */
const atOnce = 48;
const firstOnes = 24;

const modes = {
  'one process': [],
  'two workers': ['--workers', '2'],
  'the emulated cloud': ['--emulate'],
} as const;

const folder = copyApp(join(repository, 'test/attacks/app'));
const tally = { tried: 0, held: 0 };
const seen = new Set<string>();

afterAll(() => {
  removeFolder(folder);
  console.log(`seed ${seed}: tried ${tally.tried}, held ${tally.held}; answers ${[...seen].sort().join(' ')}`);
});

/** Attacks a server that has just started, and looks whether the same processes are there and serve. */
async function attack(
  args: readonly string[],
  protocols: readonly string[],
  count: number,
  random: Random,
): Promise<void> {
  await using server = await startServer({ folder, args });
  const pids = [server.child.pid!, ...workerPids(server.child.pid!)];
  const makers = protocols.flatMap((protocol) => kinds[protocol]!);
  let left = count;
  const attacker = async () => {
    while (left-- > 0) note(await perform(server.port, random.pick(makers)(random)));
  };
  const told = `seed ${seed}, ${args.join(' ')} ${protocols.join(', ')}`;
  await Promise.all(Array.from({ length: atOnce }, attacker));
  expect(pids.filter(isRunning), `${told}\n${server.output()}`).toEqual(pids);
  expect(await post(server.base, '/walker/Ping', { name: 'Ada' }), told).toMatchObject({ reports: ['hi Ada'] });
  expect(server.output(), told).not.toMatch(/"level":"(fatal|error)"|UnhandledPromise|\n\s+at /);
  await nothingIsLeft(server);
  tally.held += count;
}

function note({ attack, hasFired, missing, answer }: Outcome): void {
  expect(hasFired, `seed ${seed}, ${attack.name}: ${missing}`).toBe(true);
  tally.tried++;
  for (const [, status] of answer.matchAll(/(?:^|\})HTTP\/1\.1 (\d{3}) /g)) seen.add(status!);
}

/** Calls and sockets of connections that are gone have ended, and nothing got as far as the guard of the process. */
async function nothingIsLeft({ base }: RunningServer): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).not.toMatch(/uncaught_errors_total\{/);
    const open = [...text.matchAll(/(?:http_requests_in_progress|ws_connections_active\{[^}]*\}) (\d+)/g)];
    if (open.every(([, value]) => value === '0')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const protocols = Object.keys(kinds);
const firsts = Object.values(modes).flatMap((args) => protocols.map((protocol) => ({ args, protocol })));

test('the first connections of a process', async () => {
  const random = createRandom(seed);
  // Two at a time, as there are two processors.
  const next = firsts[Symbol.iterator]();
  const starter = async () => {
    for (const { args, protocol } of next) await attack(args, [protocol], firstOnes, random);
  };
  await Promise.all([starter(), starter()]);
});

const rest = wanted - firsts.length * firstOnes;
for (const [i, [name, args]] of Object.entries(modes).entries()) {
  test(`connections in great numbers: ${name}`, async () => {
    const share = Math.floor(rest / 3) + (i < rest % 3 ? 1 : 0);
    await attack(args, protocols, share, createRandom(seed + 1 + i));
  });
}

test('the attacks got as far as they were meant to, and all were held', () => {
  expect(tally).toEqual({ tried: wanted, held: wanted });
  const reached = ['100', '101', '200', '400', '404', '413', '414', '415', '422', '426', '431'];
  expect([...seen]).toEqual(expect.arrayContaining(reached));
});
