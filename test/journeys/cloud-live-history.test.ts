/**
 * A random history of commits in cloud functions that are killed meanwhile, followed over connections that break (docs/server/cloud.md#live): values
 * never go back, versions only grow, and the last value is the last commit's. By hand a longer one: `SVC_TEST_COMMITS=10000 SVC_TEST_SEED=…`.
 */
import { expect, test } from 'vitest';
import { LiveClient, type LiveFrame } from '../harness/live-client.ts';
import { serveFunctions } from '../harness/platforms/function-server.ts';
import { createRandom } from '../harness/random.ts';
import { folderWith } from '../harness/svc-process.ts';
import { post, signUp } from '../harness/topics.ts';

const program = `node Mark { has n: int; }
node Board { has n: int; }
walker Put { has n: int; can go with Root entry {
    marks = [-->[?:Mark]];
    if marks { marks[0].n = self.n; } else { here ++> Mark(n=self.n); }
} }
walker Mine { can go with Root entry { for mark in [-->[?:Mark]] { report mark.n; } } }
walker Open { can go with Root entry { board = Board(n=0); here ++> board; perm_grant(board); report oid(board); } }
walker Write { has n: int; can go with Root entry { for board in [-->[?:Board]] { board.n = self.n; } } }
walker See { can go with Board entry { report here.n; } }
`;
/** Settings with a short time of runs: a turn of a function that was killed ends so long and five seconds later. */
const settings = `[project]
name = "history"
[plugins.scale.cloud]
live = true
[plugins.scale.live]
run_timeout_seconds = 3
`;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);
const commits = Number(process.env['SVC_TEST_COMMITS'] ?? 60);
const people = 5;
const connectionsEach = commits > 1000 ? 5 : 2;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Subscriptions of one connection, which is opened again with what it has whenever it breaks. */
class Reader {
  readonly values: Record<string, number[]> = { mine: [], board: [] };
  /** Connections that were opened so far. */
  opened = 0;
  /** Connections that must have been opened in the end: another one after each that the test broke. */
  due = 1;
  private readonly have: Record<string, { version: number; digest: string }> = {};
  private client: LiveClient | undefined = undefined;
  private isOver = false;
  private readonly open: () => Promise<LiveClient>;
  private readonly boardId: string;

  constructor(open: () => Promise<LiveClient>, boardId: string) {
    this.open = open;
    this.boardId = boardId;
  }

  async follow(): Promise<void> {
    while (!this.isOver) {
      try {
        this.client = await this.open();
        this.opened++;
        const withHave = (id: string) => (this.have[id] === undefined ? {} : { have: this.have[id] });
        this.client.subscribe('mine', 'Mine', withHave('mine'));
        this.client.subscribe('board', 'See', { node: this.boardId, ...withHave('board') });
        for (;;) this.take(await this.client.next());
      } catch (error) {
        if (!/closed|ECONN|socket|hang up|timed out|50[023]/i.test(String(error))) throw error;
        await pause(50);
      }
    }
  }

  private take({ type, id, version, digest, data, error, final, connectionId }: LiveFrame): void {
    // The gateway tells of a function that was killed with a message of this connection: what it asked for is asked again.
    if (connectionId !== undefined) {
      this.cut();
      return;
    }
    if (type === 'error') {
      // A first run that had no time on a busy machine is asked for again.
      if (final === true && /EXECUTION_TIMEOUT|SERVICE_UNAVAILABLE/.test(error!.code)) this.cut();
      else expect(final, JSON.stringify(error)).not.toBe(true);
      return;
    }
    if (type !== 'result') return;
    const before = this.have[id!];
    // A function that was killed is called again: what it sent may come twice, as it was.
    if (before?.version === version) {
      expect(digest, `seed ${seed}: version ${version} came as another value`).toBe(before!.digest);
      return;
    }
    expect(version!, `seed ${seed}: ${id}`).toBeGreaterThan(before?.version ?? 0);
    this.have[id!] = { version: version!, digest: digest! };
    this.values[id!]!.push(data!.reports[0] ?? 0);
  }

  cut(): void {
    this.client?.close();
  }

  /** Breaks the connection, the first one as soon as there is one. */
  async breakOpen(): Promise<void> {
    await expect.poll(() => this.opened).toBeGreaterThan(0);
    this.due = this.opened + 1;
    this.cut();
  }

  end(): void {
    this.isOver = true;
    this.cut();
  }
}

test('functions that are killed, connections that break', { timeout: 120_000 + commits * 2000 }, async () => {
  using folder = folderWith({
    'main.svc': program,
    'svc.toml': settings,
  });
  const env = {
    SVC_ENV: 'test',
    SVC_DATABASE_STORE: 'dynamodb',
    SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'history-',
    SVC_SECRETS_PATH: '',
    JWT_SECRET: 'x'.repeat(64),
  };
  await using server = await serveFunctions({ folder: folder.path, env, format: 'http-api' });
  const random = createRandom(seed).below;
  const users: { token: string; last: number }[] = [];
  for (let i = 0; i < people; i++) users.push({ token: await signUp(server, `user${i}@example.com`), last: 0 });
  /** A call that was cut may have been done: each can be done twice. */
  const call = async (walker: string, fields: object, token: string): Promise<any> => {
    for (;;) {
      const answer = await post(server, `/walker/${walker}`, fields, token).catch(() => undefined);
      if (answer?.status === 200) return answer.body.reports;
      await pause(20);
    }
  };
  const [boardId] = await call('Open', {}, users[0]!.token);
  let board = 0;
  const readers = users.flatMap(({ token }) =>
    Array.from({ length: connectionsEach }, () => new Reader(() => LiveClient.open(server.base, token), boardId)),
  );
  const following = Promise.all(readers.map((reader) => reader.follow()));
  let failure: unknown;
  following.catch((error: unknown) => {
    failure = error;
  });
  let kills = 0;
  let cuts = 0;
  for (let n = 1; n <= commits && failure === undefined; ) {
    const burst = new Set(Array.from({ length: 1 + random(3) }, () => random(people)));
    const done: Promise<unknown>[] = [];
    for (const who of burst) {
      const user = users[who]!;
      if (who === 0 && random(2) === 0) {
        board = n;
        done.push(call('Write', { n }, user.token));
      } else {
        user.last = n;
        done.push(call('Put', { n }, user.token));
      }
      n++;
    }
    // By chance, and once at least.
    const isLate = n > commits / 2;
    if (random(12) === 0 || (isLate && kills === 0)) {
      kills++;
      done.push(server.kill(['http', 'live', 'live', 'websocket'][random(4)]!));
    }
    await Promise.all(done);
    if (random(8) === 0 || (isLate && cuts === 0)) {
      cuts++;
      await readers[random(readers.length)]!.breakOpen();
    }
    if (random(4) === 0) await pause(random(200));
  }
  const isQuiet = () =>
    readers.every(
      ({ values, opened, due }, i) =>
        opened >= due &&
        (values['mine']!.at(-1) ?? 0) === users[Math.floor(i / connectionsEach)]!.last &&
        (values['board']!.at(-1) ?? 0) === board,
    );
  for (let i = 0; i < 600 && failure === undefined && !isQuiet(); i++) await pause(100);
  if (failure !== undefined) throw failure;
  for (const [i, { values, opened, due }] of readers.entries()) {
    const { last } = users[Math.floor(i / connectionsEach)]!;
    expect(opened, `seed ${seed}: connections of reader ${i}`).toBeGreaterThanOrEqual(due);
    expect(values['mine']!.at(-1), `seed ${seed}: the last value of reader ${i}`).toBe(last);
    expect(values['board']!.at(-1), `seed ${seed}: the board of reader ${i}`).toBe(board);
    for (const list of Object.values(values))
      expect(
        list.every((value, k) => k === 0 || value > list[k - 1]!),
        `seed ${seed}: ${list}`,
      ).toBe(true);
  }
  const count = readers.reduce((sum, { values }) => sum + values['mine']!.length + values['board']!.length, 0);
  const reconnects = readers.reduce((sum, reader) => sum + reader.opened - 1, 0);
  for (const reader of readers) reader.end();
  await following;
  console.log(
    `seed ${seed}: ${commits} commits, ${count} values, ${kills} kills, ${reconnects} reconnects, ${server.failed} batches told again`,
  );
  expect(kills).toBeGreaterThan(0);
  expect(cuts).toBeGreaterThan(0);
  expect(reconnects).toBeGreaterThan(0);
});
