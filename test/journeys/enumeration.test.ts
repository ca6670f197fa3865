/**
 * Duration of answers: it does not tell whether somebody has an account (docs/server/accounts.md#login,
 * docs/server/security.md). Times are compared by rank, taken alternately on one server, so that what else the machine
 * does falls on both sides: two alike samples beat each other half of the time.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type RunningServer, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const rounds = 40;
/**
 * Bound on the statistic: of two alike samples of this size fewer than one in 100,000 pairs lies outside, which is 4.6
 * standard deviations of the rank statistic.
 */
const tolerance = 0.3;

let folder: ReturnType<typeof folderWith>;
let server: RunningServer;
beforeAll(async () => {
  folder = folderWith({
    'main.svc': 'walker:pub Ping { can go with Root entry { report 1; } }\n',
    'svc.toml': '[plugins.scale.auth]\nlogin_max_failures = 1000000\nlogin_max_failures_per_address = 1000000\n',
  });
  server = await startServer({ folder: folder.path });
  await register(server.base, 'ann');
});
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const login = (username: string, password: string) => post(server.base, '/user/login', { username, password });

/** Gives the share of all pairs, from 0 to 1, in which the second takes longer than the first. */
async function superiority(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < 2 * rounds; i += 1) {
    // first, second, second, first …: neither always follows the other.
    const side = ((i + 1) >> 1) % 2 === 0 ? 0 : 1;
    const start = performance.now();
    await (side === 0 ? first : second)();
    times[side].push(performance.now() - start);
  }
  const [a, b] = times;
  const wins = a.reduce((sum, x) => sum + b.filter((y) => y > x).length, 0);
  return wins / (a.length * b.length);
}

test('an unknown name and a wrong password take equally long', async () => {
  let count = 0;
  const wrong = () => login('ann', `wrong ${(count += 1)}`);
  const unknown = () => login(`nobody-${(count += 1)}`, `wrong ${count}`);
  for (let i = 0; i < 4; i += 1) await Promise.all([wrong(), unknown()]);
  const share = await superiority(wrong, unknown);
  expect(Math.abs(share - 0.5)).toBeLessThan(tolerance);
});

test('what does no hashing is told apart at once, so the comparison would show it', async () => {
  const wrong = () => login('ann', 'wrong');
  const short = () => post(server.base, '/user/login', { username: 'ann' });
  expect(await superiority(short, wrong)).toBeGreaterThan(1 - (0.5 - tolerance));
});

test('the texts are the same to the letter', async () => {
  const body = async (name: string) => {
    const { meta: _meta, ...rest } = await login(name, 'wrong');
    return JSON.stringify(rest);
  };
  const wrong = await body('ann');
  for (const name of ['nobody', '__guest__', '__system__', 'nobody@example.com', 'x'.repeat(500)])
    expect(await body(name)).toBe(wrong);
});
