/** The wire transcripts against functions as a deployment left them in the account: archives of its bucket, variables of its template, its secrets. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDynamoConnections } from '../../../adapters/stores/dynamodb/connections.ts';
import { openDynamoStore } from '../../../adapters/stores/dynamodb/store.ts';
import { bucketName } from '../../../infra/targets/cloud/place.ts';
import { startDynamo } from '../../harness/dynamo-server.ts';
import { spawnSvc } from '../../harness/svc-process.ts';
import { describeTranscripts } from '../../wire/play-transcripts.ts';
import { functionsDiffer, type Variant } from '../../wire/variants.ts';
import { hasNoAccount, startAccount } from './account.ts';
import { functionGateway } from './functions.ts';
import type { RoleGate } from './role-gate.ts';
import { serveStack } from './stack-server.ts';

const stack = 'demo-prod';
const bucket = bucketName('123456789012', 'eu-west-1', stack);

/** Settings of a deployment: a secret, which archives do not hold, and an address. */
const settings = (env: Readonly<Record<string, string>>) => `
[plugins.scale.secrets]
SSO_MOCK_CLIENT_SECRET = "demo-client-secret-0123456789"
[plugins.scale.cloud.env]
${Object.entries(env)
  .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  .join('\n')}
`;

let opened: ReadonlyMap<string, RoleGate> = new Map();

const deployed: Variant = {
  name: 'functions of a stack that was deployed',
  async start(folder, env) {
    const account = await startAccount();
    const dynamo = await startDynamo();
    const end = async () => {
      await account[Symbol.asyncDispose]();
      await dynamo.stop();
    };
    try {
      const options = { endpoint: dynamo.endpoint, tablePrefix: `${stack}-` };
      await (await openDynamoStore(options)).graph.close();
      await (await openDynamoConnections(options)).close();
      const run = { account, bucket, stack, dynamo: dynamo.endpoint };
      account.gateway = functionGateway(run);
      appendFileSync(join(folder, 'svc.toml'), settings(env));
      await using child = spawnSvc(['start', 'main.svc', '--scale', '--target', 'cloud'], {
        cwd: folder,
        env: account.env,
      });
      const code = await child.exited;
      if (code !== 0) throw new Error(`the deployment ended with ${code}\n${child.stdout()}${child.stderr()}`);
      const { base, gates, stop } = await serveStack(run, ['http', 'webhook', 'websocket'], {
        // Transcripts were recorded with what only development shows.
        SVC_ENV: 'test',
        ...account.env,
        AWS_ENDPOINT_URL: '',
      });
      opened = gates;
      return { base, stop: () => stop().finally(end) };
    } catch (error) {
      await end();
      throw error;
    }
  },
  gateway: { closesWithOwnCodes: false, frameWaitMs: 20_000 },
  differs: {
    ...functionsDiffer,
    'USR-19': 'its tokens are signed with the secret of development, not with one that was deployed',
  },
};

if (hasNoAccount()) test.skip('wire transcripts against a deployment to AWS', () => {});
else {
  describeTranscripts(deployed);
  test('roles of the functions allow what they have asked their tables for, and nothing besides', () => {
    const gates = [...opened.values()];
    const allowed = new Set(gates.flatMap((one) => [...one.allowed]));
    const used = new Set(gates.flatMap((one) => [...one.asked.values()].flat()));
    expect([...used].filter((one) => !allowed.has(one))).toEqual([]);
    // Asked by `reset_graph`, which no transcript calls, and at a start that reads its secrets itself (roles.test.ts).
    const others = ['Scan on GraphTable', `GetParametersByPath on /${stack}`];
    expect([...allowed].filter((one) => !used.has(one))).toEqual(others);
  });
}
