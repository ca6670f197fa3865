/** Two servers over one DynamoDB without a way to each other: versions of what was read are looked at (docs/server/live.md#several-processes). */
import { expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { LiveClient } from '../harness/live-client.ts';
import { startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { post, signUp } from '../harness/topics.ts';

const program = `node Note { has text: str; }
walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); } }
walker Change { has text: str; can go with Root entry { for note in [-->[?:Note]] { note.text = self.text; } } }
walker Notes { can go with Root entry { for note in [-->[?:Note]] { report note.text; } } }
`;

test('a value follows commits of another server, and of one that was killed and came back', async () => {
  using folder = folderWith({ 'main.svc': program });
  const dynamo = await startDynamo();
  try {
    const env = {
      SVC_DATABASE_STORE: 'dynamodb',
      SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
      JWT_SECRET: 'x'.repeat(64),
    };
    await using here = await startServer({ folder: folder.path, env });
    let there = await startServer({ folder: folder.path, env });
    const ada = await signUp(there, 'ada@example.com');
    const client = await LiveClient.open(here.base, ada);
    client.subscribe('n', 'Notes');
    expect(await client.of('n')).toMatchObject({ version: 1, data: { reports: [] } });
    await post(there, '/walker/Add', { text: 'milk' }, ada);
    expect((await client.until('n', ['milk'])).version).toBe(2);
    await there.stop('SIGKILL');
    there = await startServer({ folder: folder.path, env });
    await post(there, '/walker/Change', { text: 'tea' }, ada);
    expect((await client.until('n', ['tea'])).version).toBe(3);
    await post(here, '/walker/Change', { text: 'here' }, ada);
    expect((await client.until('n', ['here'])).version).toBe(4);
    client.close();
    await there.stop();
  } finally {
    await dynamo.stop();
  }
});
