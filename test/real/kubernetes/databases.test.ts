/** An application with its databases on a real control plane: used, away and back, destroyed with and without the data. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { findTool } from '../../harness/find-tool.ts';
import { startMongo } from '../../harness/mongo/mongo-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { type Cluster, hasNoCluster, startCluster, testImages } from './cluster.ts';
import { type Commands, callWalker, commandsIn } from './commands.ts';
import { writeDatabasePrograms, writeSlowPrograms } from './database-programs.ts';

const program = `
node Note { has text: str; }
walker:pub AddNote { has text: str; can add with Root entry { root.shared ++> Note(text=self.text); report "added"; } }
walker:pub CountNotes { can count with Root entry { report len([root.shared -->[?:Note]]); } }
@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Room { has n: int = 0; can say with Root entry { report self.n; } }
`;

const hasRedis = findTool('redis-server', 'redis-server') !== undefined;

describe.skipIf(hasNoCluster() || !hasRedis)('an application with its databases', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;
  let tools: string;
  let mongo: Awaited<ReturnType<typeof startMongo>>;
  let svc: Commands;

  beforeAll(async () => {
    tools = mkdtempSync(join(tmpdir(), 'svc-databases-'));
    const users = join(tools, 'users.json');
    mongo = await startMongo({ passwordOf: (user) => JSON.parse(readFileSync(users, 'utf8'))[user] });
    const programs = join(tools, 'bin');
    writeDatabasePrograms(programs, mongo.port, users);
    folder = folderWith({ 'main.svc': program });
    const slow = join(tools, 'slow');
    writeSlowPrograms(slow);
    const further = { valkey: { programs }, mongo: { programs }, slow: { programs: slow } };
    cluster = await startCluster(folder.path, { further });
    const settings = `
[project]
name = "notes"
[plugins.scale.orchestrator]
namespace = "notes"
image = "${testImages.app}"
replicas = 2
readiness_initial_delay = 1
readiness_period = 1
docdb = { enabled = true, image = "${cluster.images.host}/mongo:7" }
kvcache = { enabled = true, image = "${cluster.images.host}/valkey:8" }
[plugins.scale.secrets]
GREETING = "hello"
[serve]
drain_delay_seconds = 0
`;
    writeFileSync(join(folder.path, 'svc.toml'), settings);
    for (const name of ['one', 'two', 'three', 'four', 'five']) await addVolume(name);
    svc = commandsIn(cluster, folder.path);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await mongo?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
    if (tools !== undefined) rmSync(tools, { recursive: true, force: true });
  }, 60_000);

  const addVolume = async (name: string) =>
    await cluster.ask('POST', '/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/nowhere' },
        persistentVolumeReclaimPolicy: 'Retain',
      },
    });
  const names = async (path: string): Promise<string[]> =>
    ((await cluster.ask('GET', path)).items ?? []).map(({ metadata }: any) => metadata.name).toSorted();
  const core = '/api/v1/namespaces/notes';
  const apps = '/apis/apps/v1/namespaces/notes';
  const podsOf = async (component: string): Promise<any[]> =>
    (await cluster.ask('GET', `${core}/pods?labelSelector=svc.dev/component%3D${component}`)).items;

  test('waits for them, and uses them: one graph, one room, whichever pod answers', async () => {
    const { stdout } = await svc.ok(['start', '--scale']);
    expect(stdout.indexOf('] wait for docdb ... ok')).toBeLessThan(stdout.indexOf('] apply the application ... ok'));
    expect(stdout.indexOf('] wait for kvcache ... ok')).toBeLessThan(stdout.indexOf('] apply the application ... ok'));
    for (const text of ['one', 'two', 'three']) expect(await callWalker(30_001, 'AddNote', { text })).toBe('added');
    for (let at = 0; at < 4; at++) expect(await callWalker(30_001, 'CountNotes')).toBe(3);
    expect(mongo.commands).toContain('insert');
    await using room = await openRooms();
    await room.say(0, 1);
    await room.say(1, 2);
  }, 300_000);

  test('survives that each of them goes away, and finds what they kept', async () => {
    await redis('SET', 'kept', 'yes');
    await using room = await openRooms();
    await room.say(0, 3);
    const [before] = await podsOf('kvcache');
    await cluster.ask('DELETE', `${core}/pods/${before.metadata.name}`);
    await mongo.kill();
    await untilReady('kvcache', before.metadata.uid);
    expect(await redis('GET', 'kept')).toBe('yes');
    await mongo.start();
    await untilCounted(3);
    for (let n = 4; !(await room.hears(n)); n++);
    for (const pod of await podsOf('app')) expect(pod.status.containerStatuses[0].restartCount).toBe(0);
  }, 300_000);

  test('loses one of them alone, with its data when that is said, and gets it back', async () => {
    const kept = await svc.ok(['destroy', '--yes', '--component', 'kvcache']);
    expect(kept.stdout).toContain(
      '  Service notes-kvcache-service\n  StatefulSet notes-kvcache\nKept, without --purge-data:\n',
    );
    expect(await names(`${apps}/statefulsets`)).toEqual(['notes-docdb']);
    expect(await podsOf('kvcache')).toEqual([]);
    expect(await names(`${core}/persistentvolumeclaims`)).toEqual(['data-notes-docdb-0', 'data-notes-kvcache-0']);
    expect(await callWalker(30_001, 'CountNotes')).toBe(3);
    await svc.ok(['start', '--scale']);
    expect(await redis('GET', 'kept')).toBe('yes');

    await svc.ok(['destroy', '--yes', '--component', 'kvcache', '--purge-data']);
    expect(await names(`${core}/persistentvolumeclaims`)).toEqual(['data-notes-docdb-0']);
    expect(await names(`${core}/secrets`)).toEqual(['notes-auth', 'notes-docdb-auth', 'notes-secrets']);
    // With another password, which the pods of the application have to be given.
    await svc.ok(['start', '--scale']);
    expect(await redis('GET', 'kept')).toBe('');
    await using room = await openRooms();
    await room.say(0, 1);
  }, 300_000);

  test('goes alone, and its databases stay whole', async () => {
    const { stdout } = await svc.ok(['destroy', '--yes', '--component', 'application']);
    expect(stdout).toContain('  Deployment notes\n  Secret notes-secrets\n');
    expect(stdout).toContain('Kept, without --purge-data:\n  Secret notes-auth\n');
    expect(await podsOf('app')).toEqual([]);
    expect(await names(`${apps}/statefulsets`)).toEqual(['notes-docdb', 'notes-kvcache']);
    const [before] = await podsOf('kvcache');
    await cluster.ask('DELETE', `${core}/pods/${before.metadata.name}`);
    await untilReady('kvcache', before.metadata.uid);
    await svc.ok(['start', '--scale']);
    expect(await callWalker(30_001, 'CountNotes')).toBe(3);
  }, 300_000);

  test('goes as a whole: data and their passwords stay, and are found by the next deployment', async () => {
    const { stdout } = await svc.ok(['destroy', '--yes']);
    const left = ['Secret notes-auth', 'Secret notes-docdb-auth', 'Secret notes-kvcache-auth'];
    const claims = ['PersistentVolumeClaim data-notes-docdb-0', 'PersistentVolumeClaim data-notes-kvcache-0'];
    expect(stdout).toContain(
      `Kept, without --purge-data:\n${[...left, ...claims].map((one) => `  ${one}\n`).join('')}`,
    );
    expect((await cluster.ask('GET', `${core}/pods`)).items).toEqual([]);
    await svc.ok(['start', '--scale']);
    expect(await callWalker(30_001, 'CountNotes')).toBe(3);
  }, 300_000);

  test('goes as a whole with the data, and with the namespace that was made for it', async () => {
    const { stdout } = await svc.ok(['destroy', '--yes', '--purge-data']);
    expect(stdout).not.toContain('Kept');
    const { status, code } = await cluster.ask('GET', '/api/v1/namespaces/notes');
    expect(code ?? status.phase).toBeOneOf([404, 'Terminating']);
    const again = await svc.ok(['destroy', '--yes', '--purge-data']);
    expect(again.stdout).toBe('Nothing to destroy for notes in notes\n');
  }, 300_000);

  test('a volume is replaced only when its name is given', async () => {
    const env = {
      ...{ ORCH_NAMESPACE: 'alone', ORCH_NODE_PORT: '30002', ORCH_DOCDB: 'false', ORCH_KVCACHE: 'false' },
      SVC_ORCHESTRATOR_REPLICAS: '1',
    };
    const ofSize = (size: string) => ({ ...env, SVC_ORCHESTRATOR_STORAGE_SIZE: size });
    await svc.ok(['start', '--scale'], ofSize('2Gi'));
    expect(await callWalker(30_002, 'AddNote', { text: 'kept' })).toBe('added');
    for (const [size, given] of [
      ['1Gi', []],
      ['3Gi', []],
      ['1Gi', ['--allow-data-loss', 'another']],
    ] as const) {
      const refused = await svc.run(['start', '--scale', ...given], ofSize(size));
      expect([refused.code, refused.stderr]).toEqual([
        5,
        expect.stringContaining(
          'svc: this would lose the data of PersistentVolumeClaim notes-data; nothing was changed\n  hint: --allow-data-loss notes-data ',
        ),
      ]);
      expect(await callWalker(30_002, 'CountNotes')).toBe(1);
    }
    await svc.ok(['start', '--scale', '--allow-data-loss', 'notes-data'], ofSize('1Gi'));
    const { spec } = await cluster.ask('GET', '/api/v1/namespaces/alone/persistentvolumeclaims/notes-data');
    expect(spec.resources.requests.storage).toBe('1Gi');
    expect(await callWalker(30_002, 'CountNotes')).toBe(0);
    await svc.ok(['destroy', '--yes', '--purge-data'], ofSize('1Gi'));
  }, 300_000);

  test('a database that never is ready ends the wait for it, and nothing of the application is applied', async () => {
    await addVolume('six');
    const clock = join(tools, 'clock.cjs');
    // Thirty seconds of the clock by which the command waits are one.
    const faster = 'const now = performance.now.bind(performance); performance.now = () => 30 * now();';
    writeFileSync(clock, faster);
    const env = {
      ...{ ORCH_NAMESPACE: 'slow', ORCH_NODE_PORT: '30003', ORCH_KVCACHE: 'false' },
      SVC_ORCHESTRATOR_DOCDB_IMAGE: `${cluster.images.host}/slow:1`,
    };
    const { code, stderr } = await svc.run(['start', '--scale'], { ...env, NODE_OPTIONS: `--require ${clock}` });
    expect([code, stderr]).toEqual([6, expect.stringContaining('svc: docdb did not become ready in 300 s\n')]);
    expect(await names('/apis/apps/v1/namespaces/slow/deployments')).toEqual([]);
    await svc.ok(['destroy', '--yes', '--purge-data'], env);
  }, 300_000);

  /** Asks the key-value store as an application would, with the password of its Secret. */
  async function redis(...command: readonly string[]): Promise<string> {
    const { data } = await cluster.ask('GET', `${core}/secrets/notes-kvcache-auth`);
    const [pod] = await podsOf('kvcache');
    const env = { ...process.env, REDISCLI_AUTH: Buffer.from(data.password, 'base64').toString() };
    return execFileSync('redis-cli', ['-h', pod.status.podIP, ...command], { env, encoding: 'utf8' }).trim();
  }

  async function untilReady(component: string, besides: string): Promise<void> {
    for (;;) {
      const [pod] = await podsOf(component);
      const isReady = pod?.status.conditions?.some(({ type, status }: any) => type === 'Ready' && status === 'True');
      if (isReady === true && pod.metadata.uid !== besides) return;
      await sleep(200);
    }
  }

  async function untilCounted(count: number): Promise<void> {
    while ((await callWalker(30_001, 'CountNotes').catch(() => -1)) !== count) await sleep(200);
  }

  /** A socket to each pod of the application. */
  async function openRooms() {
    const rooms = await Promise.all(
      (await podsOf('app')).map(async ({ status }) => {
        const socket = new WebSocket(`ws://${status.podIP}:8000/ws/Room`);
        const heard = new Set<number>();
        socket.on('message', (data) => {
          for (const n of JSON.parse(String(data)).data?.reports ?? []) heard.add(n);
        });
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
        return { socket, heard };
      }),
    );
    expect(rooms.length).toBe(2);
    const hears = async (n: number, from = 0): Promise<boolean> => {
      rooms[from]!.socket.send(JSON.stringify({ n }));
      for (let look = 0; look < 25; look++) {
        if (rooms.every(({ heard }) => heard.has(n))) return true;
        await sleep(40);
      }
      return false;
    };
    return {
      hears,
      /** Says a number to one pod until all have heard it. */
      say: async (from: number, n: number) => {
        while (!(await hears(n, from)));
      },
      async [Symbol.asyncDispose]() {
        for (const { socket } of rooms) socket.terminate();
      },
    };
  }
});
