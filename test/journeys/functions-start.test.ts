/**
 * Start-up code of packaged functions (docs/server/cloud.md#start-up-code): its effect is there once per deployment,
 * its variables in every instance.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoServer, startDynamo } from '../harness/dynamo-server.ts';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = (version: string, extra = '') => `
node Start { has version: str; }
glob calls: int = 0;

def note(version: str) -> None {
    global calls;
    calls += 1;
    root ++> Start(version=version);
}

with entry {
    found = [n.version for n in [root -->[?:Start]]];
    start_version = "${version}";
    note(start_version);
    ${extra}
}

walker :pub Look {
    can look with Root entry {
        report {"variable": start_version, "calls": calls, "found": found};
    }
}
`;

let dynamo: DynamoServer;
let env: Record<string, string>;
beforeAll(async () => {
  dynamo = await startDynamo();
  env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
});
afterAll(() => dynamo.stop());

test('instances that start at once, and later ones, take effect once; another deployment starts anew', async () => {
  using folder = folderWith({ 'main.svc': program('one') });
  const build = async (text: string, told: unknown = '') => {
    writeFileSync(join(folder.path, 'main.svc'), text);
    const { code, stderr } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, told]);
  };
  const look = async () => {
    using instance = unpackFunction(join(folder.path, 'out/http.zip'), 'http', env);
    const [answer] = await instance.call([httpEvent('POST', '/walker/Look', {})]);
    return JSON.parse(answer.body).reports[0];
  };
  const found = (looks: readonly any[]) => looks.map((one) => one.found.join(' ')).sort();

  // A deployment whose start-up code fails has started nothing and holds nobody up.
  await build(program('bad', 'raise ValueError("no good");'), expect.stringContaining('no good'));
  await expect(look()).rejects.toThrow('no good');
  await expect(look()).rejects.toThrow('no good');

  await build(program('one'));
  const looks = await Promise.all([look(), look(), look()]);
  for (const one of looks) expect(one).toMatchObject({ variable: 'one', calls: 1 });
  expect(found(looks)).toEqual(['', 'one', 'one']);
  expect(await look()).toEqual({ variable: 'one', calls: 1, found: ['one'] });

  await build(program('two'));
  expect(found(await Promise.all([look(), look()]))).toEqual(['one', 'one two']);
  expect(found([await look()])).toEqual(['one two']);
});
