/**
 * Roles of all functions that an application can have: each has what its function asks its tables, connections and parameters for, and nothing besides, so
 * that without any one right of it something is refused. What is refused is decided for the requests that were made; some rights are taken out
 * while the functions run, to see that they are refused what was decided.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient } from '../../../adapters/stores/dynamodb/client.ts';
import { openDynamoConnections } from '../../../adapters/stores/dynamodb/connections.ts';
import { openDynamoStore } from '../../../adapters/stores/dynamodb/store.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { roleName } from '../../../infra/cloud/roles.ts';
import { type ChildScript, childScript } from '../../harness/child-script.ts';
import { addEntry, guest } from '../../harness/entry-node.ts';
import { LiveClient } from '../../harness/live-client.ts';
import { type FunctionServer, serveFunctions } from '../../harness/platforms/function-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { hear, post, signUp } from '../../harness/topics.ts';
import { variablesOf } from './functions.ts';
import { missingRight, openRoleGate, type RoleGate } from './role-gate.ts';
import { smallApp } from './small-app.ts';

const program = `import from svc_scale { publish, subscribe, unsubscribe }

node Note { has text: str; }
with entry {
    reset_graph();
    allroots();
    root ++> Note(text="started");
    publish("started", "x");
}
walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); } }
walker Many { has count: int; can go with Root entry { for i in range(self.count) { here ++> Note(text=f"{i}"); } } }
"""Reads one node and writes another."""
walker Copy { can go with Root entry { notes = [-->[?:Note]]; notes[1].text = notes[0].text + "!"; } }
walker Heard { has topic: str; can go with Root entry { subscribe(self.topic); report len([-->[?:Note]]); } }
walker Notes { can go with Root entry { for note in [-->[?:Note]] { report note.text; } } }
walker Clear { can go with Root entry { reset_graph(); } }
@restspec(protocol="WEBHOOK", verify="none")
walker Hook {
    has clears: bool = False, many: bool = False;
    can act with Root entry {
        if self.clears { reset_graph(); }
        notes = [-->[?:Note]];
        if len(notes) > 1 { notes[1].text = notes[0].text; }
        for i in range(40 if self.many else 1) { here ++> Note(text=f"{i}"); }
        publish("hooked", "x");
    }
}
walker:pub Say { has topic: str, text: any; can go with Root entry { publish(self.topic, self.text); } }
@restspec(protocol="WEBSOCKET")
async walker Room {
    has join: list[str] = [], leave: list[str] = [], say: list[str] = [];
    can act with Root entry {
        if self.say == ["clear"] { reset_graph(); }
        notes = [-->[?:Note]];
        if len(notes) > 1 { notes[1].text = notes[0].text; }
        if self.say == ["many"] { for i in range(40) { here ++> Note(text=f"{i}"); } }
        here ++> Note(text="in");
        for topic in self.join { subscribe(topic); }
        for text in self.say { publish("said", text); }
        for topic in self.leave { unsubscribe(topic); }
    }
}
`;

const clientLimits = { connectTimeoutMs: 60_000, operationTimeoutMs: 60_000, poolSize: 5 };

const env = {
  SVC_ENV: 'test',
  SVC_DATABASE_STORE: 'dynamodb',
  SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'demo-prod-',
};

const parameters = { '/demo-prod/JWT_SECRET': 'x'.repeat(64), '/others/JWT_SECRET': 'y'.repeat(64) };

describe('roles of functions', () => {
  const { template } = smallApp({ needs: { hasLive: true, hasWebhooks: true, streams: true } });
  /** Path below which a function finds its secrets, as it is deployed; the sweeper has none. */
  const secretsPath = (name: string) => {
    const all = Object.values(template.Resources).map(({ Properties }) => Properties);
    const found = all.find((one) => one?.['Handler'] === `handlers/${name}.handler`)!;
    return variablesOf(found)['SVC_SECRETS_PATH'] ?? '';
  };
  const gates = new Map<string, RoleGate>();
  const folder = folderWith({ 'main.svc': program, 'svc.toml': '[project]\nname = "demo"\n' });
  let server: FunctionServer;
  let tables: string;
  let child: ChildScript;
  let users = 0;

  beforeAll(async () => {
    child = childScript(new URL('../../../adapters/stores/dynamodb/crash-child.ts', import.meta.url));
    server = await serveFunctions({
      ...{ folder: folder.path, env, format: 'http-api', streams: true },
      async ways(name, dynamo, management) {
        tables = dynamo;
        // Only whoever makes the stack may make its tables.
        await (await openDynamoConnections({ endpoint: dynamo, tablePrefix: 'demo-prod-' })).close();
        const gate = await openRoleGate(template, roleName(name as 'http'), { dynamo, management, parameters });
        gates.set(name, gate);
        return {
          SVC_DATABASE_DYNAMODB_ENDPOINT: gate.endpoint,
          SVC_MANAGEMENT_ENDPOINT: gate.endpoint,
          AWS_ENDPOINT_URL_SSM: gate.endpoint,
          SVC_SECRETS_PATH: secretsPath(name),
        };
      },
    });
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    for (const gate of gates.values()) gate.close();
    folder[Symbol.dispose]();
    child?.[Symbol.dispose]();
  });

  const call = async (path: string, fields: object, token?: string, base = server.base) => {
    const { status, body } = await post({ base }, path, fields, token);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const gate = (name: string) => gates.get(name)!;
  const clock = { source: 'aws.events' };
  const disconnect = (cid: string) => ({
    requestContext: {
      eventType: 'DISCONNECT',
      routeKey: '$disconnect',
      connectionId: cid,
      requestTimeEpoch: Date.now(),
    },
  });
  /** An event that every instance of a function can take. */
  const wake: Readonly<Record<string, () => Promise<unknown>>> = {
    http: () => call('/walker/Say', { topic: 'woken', text: 'x' }),
    stream: () => call('/walker/Say', { topic: 'woken', text: 'x' }, undefined, server.streams),
    webhook: () => call('/webhook/Hook', {}),
    websocket: () => server.invoke('websocket', disconnect('nobody')),
    live: () => server.invoke('live', clock),
    sweeper: () => server.invoke('sweeper', clock),
  };

  const TableName = 'demo-prod-graph';
  type Items = readonly Record<string, any>[];

  async function items(client: Awaited<ReturnType<typeof openClient>>): Promise<Items> {
    const { Items = [] } = await client.scan({ TableName });
    return Items;
  }

  /** Makes the table of the graph one that holds these items. */
  async function become(wanted: Items): Promise<void> {
    const client = await openClient({ endpoint: tables, region: '', env: {}, ...clientLimits });
    await Promise.all((await items(client)).map(({ pk, sk }) => client.deleteItem({ TableName, Key: { pk, sk } })));
    await Promise.all(wanted.map((Item) => client.putItem({ TableName, Item })));
    client.destroy();
  }

  /** Items of a large commit that nobody ends: its process dies in the middle of it, and its time is over. */
  async function brokenOff(): Promise<Items> {
    const { graph } = await openDynamoStore({ endpoint: tables, tablePrefix: 'demo-prod-' });
    await runUnit(createRuntime({ store: graph, settings: () => ({}) }), guest, () => {
      for (let n = 0; n < 40; n++) addEntry(n);
    });
    await graph.close();
    const dying = spawn(process.execPath, [child.path, tables, 'large', 'placed', 'demo-prod-'], { stdio: 'inherit' });
    expect(await once(dying, 'close')).toEqual([null, 'SIGKILL']);
    await sleep(1600);
    const client = await openClient({ endpoint: tables, region: '', env: {}, ...clientLimits });
    const found = await items(client);
    client.destroy();
    return found;
  }

  const newUser = () => ({ email: `user${++users}@example.com`, password: 'correct horse 1' });

  /** Starts of each function while all others wait, one for each of these states of the table: everything that starting needs. */
  const starts = async (...states: readonly Items[]) => {
    for (const name of Object.keys(wake)) {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      for (const [other, one] of gates) one.held = other === name ? undefined : held;
      for (const state of states) {
        await server.kill(name);
        await become(state);
        // One that a change of the table has started meanwhile has not found all of it.
        await server.kill(name);
        await wake[name]!();
      }
      release();
      for (const one of gates.values()) one.held = undefined;
    }
    await become([]);
    for (const name of gates.keys()) await server.kill(name);
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
    for (const base of [server.base, server.streams]) {
      await call('/walker/Add', { text: 'bread' }, ada, base);
      await call('/walker/Copy', {}, ada, base);
      await call('/walker/Many', { count: 40 }, ada, base);
      await call('/walker/Notes', {}, ada, base);
    }
    for (const fields of [{}, { many: true }, { clears: true }]) await call('/webhook/Hook', fields);
    await room.ask({ say: ['many'] });
    await server.invoke('live', clock);
    await server.invoke('sweeper', clock);
    await room.ask({ say: ['clear'] });
    for (const base of [server.streams, server.base]) await call('/walker/Clear', {}, ada, base);
    await call('/user/logout', {}, ada);
    await live.closed;
    room.socket.terminate();
  };

  /** A client goes without a word while its messages are on the way: whoever sends them next finds that it is gone. */
  const vanishes = async () => {
    const bob = await signUp(server, `user${++users}@example.com`);
    const live = await LiveClient.open(server.base, bob);
    live.subscribe('n', 'Notes');
    await live.of('n');
    let release = () => {};
    gate('websocket').held = new Promise((resolve) => (release = resolve));
    live.close();
    await live.closed;
    await call('/walker/Add', { text: 'x' }, bob);
    await until(() => [...gate('live').asked.keys()].includes('BatchGetItem on LiveTable'));
    release();
    gate('websocket').held = undefined;
  };

  /** A process dies when it has taken a subscription with what was missed of a topic: another one goes on. */
  const takesOver = async () => {
    const eve = await signUp(server, `user${++users}@example.com`);
    const topic = `t${users}`;
    for (const text of ['one', 'two']) await call('/walker/Say', { topic, text });
    const live = await LiveClient.open(server.base, eve);
    let died = 0;
    gate('websocket').meets = (operation, { Key }) => {
      if (operation !== 'UpdateItem' || !String(Key?.pk?.S).startsWith('G#') || died++ > 0) return false;
      void server.kill('websocket');
      return true;
    };
    live.subscribe('h', 'Heard', { fields: { topic }, every: 1000, since: { [topic]: 1 } });
    await until(() => died > 0);
    await sleep(1000);
    // As often as it takes until the turn of the dead one is over.
    while (![...gate('live').asked.values()].flat().includes('ConditionCheckItem on LiveTable')) {
      await server.invoke('live', clock);
      await sleep(100);
    }
    live.close();
    gate('websocket').meets = undefined;
  };

  /** Connections that are over without a word, and one that owes its login. */
  const sweeps = async () => {
    const connections = await openDynamoConnections({ endpoint: tables, tablePrefix: 'demo-prod-' });
    const row = { target: 'Room', userId: null, sv: null, exp: null, jti: null, subprotocol: null };
    const rate = { tokens: 1, at: 0 };
    for (const [cid, hours] of [
      ['old', 3],
      ['late', 1],
    ] as const) {
      const at = Date.now() - hours * 3_600_000;
      await connections.add({ ...row, cid, connectedAt: at, lastSeen: at, authenticated: false, rate });
    }
    await server.invoke('sweeper', clock);
    await connections.close();
  };

  test('each allows what its function asks for, and without any one right of it a request is refused', async () => {
    // Opens each, so that it can be made to wait.
    for (const name of Object.keys(wake)) await server.kill(name);
    await starts([], await brokenOff());
    await life();
    await vanishes();
    await takesOver();
    await sweeps();
    let rights = 0;
    for (const [name, { allowed, asked }] of gates) {
      const requests = [...asked.values()];
      expect([name, requests.filter((needed) => missingRight(needed, allowed) !== undefined)]).toEqual([name, []]);
      const surplus = [...allowed].filter(
        (right) => !requests.some((needed) => missingRight(needed, allowed, right) === right),
      );
      expect([name, surplus]).toEqual([name, []]);
      rights += allowed.size;
    }
    process.stderr.write(`rights of roles that something is refused without: ${rights}\n`);
  }, 1_200_000);

  test.each<[name: string, right: string, work: () => Promise<unknown>]>([
    ['http', 'PutItem on GraphTable', () => call('/user/register', newUser())],
    ['http', 'PutItem on LiveTable', () => call('/walker/Say', { topic: 'a', text: 'x' })],
    [
      'websocket',
      'PutItem on ConnectionsTable',
      async () => await hear(server, { path: '/ws/Room', token: await signUp(server, `user${++users}@example.com`) }),
    ],
    ['live', 'Query on LiveTable', () => server.invoke('live', clock)],
    ...['http', 'stream', 'webhook', 'websocket', 'live'].map(
      (name) =>
        [
          name,
          'GetParametersByPath on /demo-prod',
          async () => {
            await server.kill(name);
            await wake[name]!();
          },
        ] as [string, string, () => Promise<unknown>],
    ),
    ['webhook', 'PutItem on LiveTable', () => wake['webhook']!()],
    ['stream', 'PutItem on LiveTable', () => wake['stream']!()],
    ['sweeper', 'Scan on ConnectionsTable', () => server.invoke('sweeper', clock)],
  ])(
    '%s without %s is refused what was decided, and says so',
    async (name, right, work) => {
      const { allowed, asked, refused } = gate(name);
      const decided = [...asked]
        .filter(([, needed]) => missingRight(needed, allowed, right) === right)
        .map(([kind]) => kind);
      const told = (await server.output(name)).length;
      gate(name).without = right;
      let failure = '';
      await work().catch((error: Error) => (failure = error.message));
      gate(name).without = undefined;
      expect([...refused].length).toBeGreaterThan(0);
      for (const kind of refused) expect(decided).toContain(kind);
      (refused as Set<string>).clear();
      const says = /refuses these credentials|AccessDenied|not authorized|\b503\b/;
      expect(`${failure}${(await server.output(name)).slice(told)}`).toMatch(says);
    },
    120_000,
  );
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}
