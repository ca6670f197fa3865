/** What is done with a deployment while it runs, on a real control plane: its logs are followed, and it is watched from inside the cluster. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMongo } from '../../harness/mongo/mongo-server.ts';
import { folderWith } from '../../harness/svc-process.ts';
import { type Cluster, startCluster, tellSkipped, testImages } from './cluster.ts';
import { type Commands, callWalker, commandsIn } from './commands.ts';

const program = `
import os;
import logging;
glob log = logging.getLogger("demo");
walker:pub Say { has text: str; can say with Root entry { log.warning(self.text); report os.getpid(); } }
`;
const settings = `
[project]
name = "demo"
[plugins.scale.orchestrator]
image = "${testImages.app}"
replicas = 2
readiness_initial_delay = 1
readiness_period = 1
[plugins.scale.secrets]
DOCDB_URI = "\${DOCDB_URI}"
[serve]
drain_delay_seconds = 0
`;

describe.skipIf(tellSkipped('operations of deployments to Kubernetes'))('a deployment that runs', () => {
  let cluster: Cluster;
  let folder: ReturnType<typeof folderWith>;
  let mongo: Awaited<ReturnType<typeof startMongo>>;
  let svc: Commands;

  beforeAll(async () => {
    folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
    mongo = await startMongo();
    cluster = await startCluster(folder.path);
    svc = commandsIn(cluster, folder.path, { DOCDB_URI: mongo.uri });
    await svc.ok(['start', '--scale']);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await mongo?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  }, 60_000);

  const say = (text: string) => callWalker(30_001, 'Say', { text });
  const pods = '/api/v1/namespaces/default/pods';
  const podNames = async (): Promise<string[]> =>
    (await cluster.ask('GET', pods)).items.map(({ metadata }: any) => metadata.name);

  test('has its log followed: of every pod, of pods that end and that come, and while the cluster is away', async () => {
    await say('before');
    await using logs = svc.begin(['logs', '-f', '--since', '10m']);
    await logs.until(/before/);
    // The node port leads to the pods in turn.
    for (let at = 1; at <= 6; at++) await say(`both-${at}.`);
    await logs.until(/both-6\./);
    const told = (text: string) =>
      logs
        .stdout()
        .split('\n')
        .filter((line) => line.includes(text));
    const sourceOf = (line: string) => line.split(' ')[0]!;
    const both = told('both-');
    expect(both.map((line) => /both-\d/.exec(line)![0])).toEqual([1, 2, 3, 4, 5, 6].map((at) => `both-${at}`));
    const sources = new Set(both.map(sourceOf));
    expect(sources).toEqual(new Set(await podNames()));

    const [gone] = [...sources];
    await cluster.ask('DELETE', `${pods}/${gone}`);
    const come = async (at = 0): Promise<string> => {
      await say(`later-${at}.`);
      await logs.until(new RegExp(`later-${at}\\.`));
      const source = sourceOf(told(`later-${at}.`)[0]!);
      return sources.has(source) ? come(at + 1) : source;
    };
    const source = await come();
    expect(await podNames()).toContain(source);

    // A container that starts again in its pod has another log.
    process.kill(await say('last words.'), 'SIGKILL');
    await logs.until(/last words\./);
    const restarted = sourceOf(told('last words.')[0]!);
    for (let at = 0, seen = ''; seen !== restarted; at++) {
      const answer = await say(`again-${at}.`).catch(() => undefined);
      if (answer === undefined) continue;
      await logs.until(new RegExp(`again-${at}\\.`));
      seen = sourceOf(told(`again-${at}.`)[0]!);
    }

    await cluster.plane.stopServer();
    await logs.until(/note: the cluster does not answer \(.*\); trying again/);
    await say('meanwhile-1.');
    await say('meanwhile-2.');
    await cluster.plane.startServer();
    await logs.until(/meanwhile-[12]\./);
    await logs.until(/meanwhile-[12]\./);
    logs.kill('SIGINT');
    expect(await logs.exited, logs.stderr()).toBe(0);
    for (const text of ['before', 'both-1.', 'both-6.', 'later-0.', 'meanwhile-1.', 'meanwhile-2.'])
      expect([text, told(text).length]).toEqual([text, 1]);
  }, 120_000);
});
