/** Calls of two workers that meet on the same objects, one of them longer than a lease (docs/server/storage.md#leases). */
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type RunningServer, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const leaseMs = 300;

// Module variables are not put back when a call runs again: they count its runs. The first three of the long one end when the test says so.
const app = `import os;
import asyncio;
node Counter { has name: str; has value: int = 0; }
glob runs: int = 0;
glob bumps: int = 0;
walker:pub Pid { can go with Root entry { report os.getpid(); } }
walker Setup { can go with Root entry { here ++> Counter(name="hits"); here ++> Counter(name="sum"); } }
walker Bump {
    can go with Root entry {
        global bumps;
        bumps += 1;
        [-->[?:Counter, name == "hits"]][0].value += 1;
        report bumps;
    }
}
walker Sum {
    has seconds: float;
    async can go with Root entry {
        global runs;
        runs += 1;
        run = runs;
        seen = [-->[?:Counter, name == "hits"]][0].value;
        print("run", run);
        while run < 4 and not os.path.exists(f"go-{run}") { await asyncio.sleep(0.01); }
        if run >= 4 { await asyncio.sleep(self.seconds); }
        [-->[?:Counter, name == "sum"]][0].value = seen;
        report [run, seen];
    }
}
walker Values { can go with Root entry { report [c.value for c in [-->[?:Counter]]]; } }
`;

type Ask = (walker: string, body?: unknown) => Promise<any>;

/** A caller with one connection, and so with one worker. */
function createCaller({ base }: RunningServer, token: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return (walker, body = {}) =>
    new Promise((resolve, reject) => {
      const call = request(`${base}/walker/${walker}`, { method: 'POST', headers, agent }, async (answer) => {
        let text = '';
        for await (const part of answer) text += part;
        resolve(JSON.parse(text));
      });
      call.once('error', reject);
      call.end(JSON.stringify(body));
    });
}

interface Meeting extends AsyncDisposable {
  readonly server: RunningServer;
  readonly pid: number;
  /** The long call, on the worker `pid`; `seconds` is how long it takes once nobody may get in between. */
  readonly long: Promise<any>;
  /** Answers of short calls that change what the long one reads, on the same worker and on the other. */
  readonly answers: { readonly same: any[]; readonly other: any[] };
  readonly ask: Ask;
  end(): Promise<void>;
}

/**
 * Up to the fourth run of the long call: others have got in between three times, now it has its leases. A short call that had to take leases
 * itself may make the long one take them earlier; then it is answered too soon, and there is another meeting.
 */
async function meet(folder: string, seconds: number): Promise<Meeting> {
  for (let attempt = 1; attempt <= 8; attempt++) {
    const met = await meetOnce(folder, seconds, `ada${attempt}`);
    if (met !== undefined) return met;
  }
  throw new Error('the long call had its leases too early each time');
}

async function meetOnce(folder: string, seconds: number, user: string): Promise<Meeting | undefined> {
  const env = { SVC_SERVE_CONFLICT_LEASE_MS: String(leaseMs) };
  const server = await startServer({ folder, args: ['--workers', '2'], env });
  const { token } = await register(server.base, user);
  const [here, same, ...rest] = await callersOf(server, token);
  const [other, ask] = rest as [Ask, Ask];
  const pid = (await here!('Pid')).reports[0];
  await ask('Setup');
  const answers: { same: any[]; other: any[] } = { same: [], other: [] };
  let isOver = false;
  const repeat = async (call: Ask, into: any[]) => {
    while (!isOver) into.push(await call('Bump'));
  };
  const bumping = Promise.allSettled([repeat(same!, answers.same), repeat(other, answers.other)]);
  const long = here!('Sum', { seconds });
  let isAnswered = false;
  void long.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  const until = async (holds: () => boolean) => {
    while (!holds() && !isAnswered) await sleep(5);
  };
  for (let run = 1; run < 4; run++) {
    await until(() => server.output().includes(`run ${run}\n`));
    const before = answers.other.length;
    await until(() => answers.other.length >= before + 2);
    writeFileSync(join(folder, `go-${run}`), '');
  }
  await until(() => server.output().includes('run 4\n'));
  const end = async () => {
    isOver = true;
    await bumping;
  };
  if (!isAnswered)
    return { server, pid, long, answers, ask, end, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  await end();
  await server[Symbol.asyncDispose]();
  for (let run = 1; run < 4; run++) rmSync(join(folder, `go-${run}`));
  return undefined;
}

/** Two on the first one's worker, two on the other. */
async function callersOf(server: RunningServer, token: string): Promise<Ask[]> {
  const byPid = new Map<number, Ask[]>();
  while (byPid.size < 2 || [...byPid.values()].some((callers) => callers.length < 2)) {
    const caller = createCaller(server, token);
    const pid = (await caller('Pid')).reports[0];
    byPid.set(pid, [...(byPid.get(pid) ?? []), caller]);
  }
  return [...byPid.values()].flatMap((callers) => callers.slice(0, 2));
}

test('a call longer than a lease is answered while another worker keeps changing what it reads, and no change is lost', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using meeting = await meet(folder.path, (4 * leaseMs) / 1000);
  const { answers, ask, server } = meeting;
  const long = await meeting.long;
  await meeting.end();

  const all = [...answers.same, ...answers.other];
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(long.status).toBe(200);
  const [run, seen] = long.reports[0];
  expect(run, 'the long call lost three times, then nobody got in between').toBe(4);
  const runsOfOthers = answers.other.at(-1).reports[0];
  expect(runsOfOthers, 'calls of the other worker were refused').toBeGreaterThan(answers.other.length);
  expect((await ask('Values')).reports).toEqual([[all.length, seen]]);
  expect(await server.stop()).toBe(0);
});

test('a worker that is killed keeps the other one out no longer than its leases last', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using meeting = await meet(folder.path, 60);
  const { answers, ask, server } = meeting;
  await sleep(3 * leaseMs);
  const before = answers.other.length;
  const lost = expect(meeting.long).rejects.toThrow();
  process.kill(meeting.pid, 'SIGKILL');
  await lost;
  while (answers.other.length < before + 5) await sleep(5);
  await meeting.end();
  const all = [...answers.same, ...answers.other];
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect((await ask('Values')).reports).toEqual([[all.length, 0]]);
  await server.stop();
});
