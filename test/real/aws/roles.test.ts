/**
 * Roles of the functions of an application with live data: each has what its function asks its tables and connections for, and nothing besides.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDynamoConnections } from '../../../adapters/stores/dynamodb/connections.ts';
import { roleName } from '../../../infra/cloud/roles.ts';
import { LiveClient } from '../../harness/live-client.ts';
import { type FunctionServer, serveFunctions } from '../../harness/platforms/function-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { hear, post, signUp } from '../../harness/topics.ts';
import { openRoleGate, type RoleGate } from './role-gate.ts';
import { smallApp } from './small-app.ts';

const program = `import from svc_scale { publish, subscribe, unsubscribe }

node Note { has text: str; }
walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); } }
walker Many { has count: int; can go with Root entry { for i in range(self.count) { here ++> Note(text=f"{i}"); } } }
walker Notes { can go with Root entry { for note in [-->[?:Note]] { report note.text; } } }
walker Clear { can go with Root entry { reset_graph(); } }
walker:pub Say { has topic: str, text: any; can go with Root entry { publish(self.topic, self.text); } }
@restspec(protocol="WEBSOCKET")
async walker Room {
    has join: list[str] = [], leave: list[str] = [], say: list[str] = [];
    can act with Root entry {
        here ++> Note(text="in");
        for topic in self.join { subscribe(topic); }
        for text in self.say { publish("said", text); }
        for topic in self.leave { unsubscribe(topic); }
    }
}
`;

const env = {
  SVC_ENV: 'test',
  SVC_DATABASE_STORE: 'dynamodb',
  SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'demo-prod-',
  SVC_SECRETS_PATH: '',
  JWT_SECRET: 'x'.repeat(64),
};

/**
 * Rights that this life does not come to. Large commits whose process died are settled by whoever meets them; reads that a commit depends on are
 * checked with it; a run again may be of any read-only code; connections end also without their client.
 */
const ofGraph = ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Scan', 'UpdateItem'].map(
  (action) => `${action} on GraphTable`,
);
const seldom: Readonly<Record<string, readonly string[]>> = {
  http: ['ConditionCheckItem on GraphTable'],
  websocket: [...ofGraph, 'DeleteItem on ConnectionsTable'],
  live: [
    ...ofGraph,
    ...['DeleteItem on ConnectionsTable', 'UpdateItem on ConnectionsTable'],
    ...['BatchGetItem on LiveTable', 'ConditionCheckItem on LiveTable'],
  ],
  sweeper: [...ofGraph, 'DeleteItem on ConnectionsTable', 'ManageConnections on the API'],
};

describe('roles of functions with live data', () => {
  const { template } = smallApp({ needs: { hasLive: true } });
  const gates = new Map<string, RoleGate>();
  const folder = folderWith({ 'main.svc': program, 'svc.toml': '[project]\nname = "demo"\n' });
  let server: FunctionServer;
  let users = 0;

  beforeAll(async () => {
    server = await serveFunctions({
      ...{ folder: folder.path, env, format: 'http-api' },
      async ways(name, dynamo, management) {
        // Only whoever makes the stack may make its tables.
        await (await openDynamoConnections({ endpoint: dynamo, tablePrefix: 'demo-prod-' })).close();
        const gate = await openRoleGate(template, roleName(name as 'http'), dynamo, management);
        gates.set(name, gate);
        return { SVC_DATABASE_DYNAMODB_ENDPOINT: gate.endpoint, SVC_MANAGEMENT_ENDPOINT: gate.endpoint };
      },
    });
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    for (const gate of gates.values()) gate.close();
    folder[Symbol.dispose]();
  });

  const call = async (path: string, fields: object, token?: string) => {
    const { status, body } = await post(server, path, fields, token);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  /** Everything that the functions do for somebody. */
  const life = async () => {
    const ada = await signUp(server, `user${++users}@example.com`);
    const live = await LiveClient.open(server.base, ada);
    live.subscribe('n', 'Notes');
    await live.of('n');
    await call('/walker/Add', { text: 'milk' }, ada);
    await live.until('n', ['milk']);
    live.say({ type: 'unsubscribe', id: 'n' });
    const room = await hear(server, { path: '/ws/Room', token: ada });
    const topic = `t${users}`;
    await room.ask({ join: [topic] });
    await call('/walker/Say', { topic, text: 'one' });
    await room.until(1);
    await room.ask({ leave: [topic], say: ['x'] });
    await room.ask({ join: [topic], $since: { [topic]: 0 } });
    await call('/walker/Many', { count: 120 }, ada);
    await call('/walker/Notes', {}, ada);
    await server.invoke('live', { source: 'aws.events' });
    await server.invoke('sweeper', { source: 'aws.events' });
    await call('/walker/Clear', {}, ada);
    await call('/user/logout', {}, ada);
    await live.closed;
    room.socket.terminate();
  };

  test('each allows what its function asks for, and nothing besides', async () => {
    await life();
    for (const [name, { allowed, used }] of gates) {
      expect([name, [...used].filter((one) => !allowed.has(one))]).toEqual([name, []]);
      const unused = [...allowed].filter((one) => !used.has(one));
      expect([name, unused.filter((one) => !seldom[name]!.includes(one))]).toEqual([name, []]);
    }
  }, 300_000);
});
