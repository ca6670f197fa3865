/** Start-up code that another process gets in the way of: it runs again from the start, as a call does (docs/server/programs.md#start-up-code). */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { post, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

/** Finds before it creates; where it is told to, it waits between both. */
const program = `
import os;
import time;
import from seeds { text_of }

node Seed { has text: str; }
glob runs: list[int] = [];

with entry {
    found = [root -->[?:Seed]];
    runs.append(len(found));
    gate = os.environ.get("GATE", "");
    if gate {
        with open(f"{gate}/waits", "w") as told { told.write("x"); }
        while not os.path.exists(f"{gate}/go") { time.sleep(0.02); }
    }
    if len(found) == 0 { root ++> Seed(text=text_of("seed")); }
}

walker:pub Look { can go with Root entry { report {"runs": runs, "found": [one.text for one in found]}; } }
`;
const files = {
  'main.svc': program,
  'seeds.svc': `glob times: list[int] = [];
with entry { times.append(1); }
def text_of(text: str) -> str { return f"{text} {len(times)}"; }
`,
};

/** Starts `late`, whose start-up code stops after it has read, lets `svc start` store what it would store, and has it go on. */
async function meets<T>(
  folder: string,
  env: Readonly<Record<string, string>>,
  late: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const starting = late({ ...env, GATE: folder });
  const failed = starting.then(
    () => undefined,
    (error: unknown) => error,
  );
  while (!existsSync(join(folder, 'waits'))) {
    const over = await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 20, 'goes on'))]);
    if (over !== 'goes on') throw over;
  }
  await using first = await startServer({ folder, env });
  const [looked] = (await post(first.base, '/walker/Look', {})).reports;
  expect(looked).toEqual({ runs: [0], found: [] });
  writeFileSync(join(folder, 'go'), '');
  return await starting;
}

const afterwards = { runs: [1], found: ['seed 1'] };

test.skipIf(!hasPostgres())('of a second process: it finds what the other one made', async () => {
  using folder = folderWith(files);
  await using database = await startPostgres();
  const env = { DATABASE_URL: database.url };
  const { path } = folder;
  await using late = await meets(path, env, (own) => startServer({ folder: path, env: own }));
  expect((await post(late.base, '/walker/Look', {})).reports).toEqual([afterwards]);
  await using last = await startServer({ folder: path, env });
  expect((await post(last.base, '/walker/Look', {})).reports).toEqual([afterwards]);
});

test('of a function that starts cold: it is stored once, and the call is answered', async () => {
  using folder = folderWith(files);
  await using dynamo = await startDynamo();
  const env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
  const { path } = folder;
  const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: path });
  expect([code, stderr]).toEqual([0, '']);
  const look = async (own: Record<string, string>) => {
    using cold = unpackFunction(join(path, 'out/http.zip'), 'http', own);
    const [{ body }] = await cold.call([httpEvent('POST', '/walker/Look', {})]);
    return JSON.parse(body).reports;
  };
  expect(await meets(path, env, look)).toEqual([afterwards]);
  expect(await look(env)).toEqual([afterwards]);
});
