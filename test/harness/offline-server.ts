/**
 * An application packaged as cloud functions, run by `osls offline` over DynamoDB: the archives of `svc build`, `serverless.yml` of this
 * repository, and the gateways of `serverless-offline`. The tools are in `test/cloud`, because only these tests need them.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDynamo } from './dynamo-server.ts';
import { freePort } from './ports.ts';
import { repository, runSvc } from './server.ts';

export const cloudTools = join(repository, 'test/cloud/node_modules');
export const oslsBin = join(cloudTools, 'osls/bin/serverless.js');

export interface OfflineServer extends AsyncDisposable {
  readonly base: string;
  readonly socketBase: string;
  readonly folder: string;
  /** Everything printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** @throws when the tools are not installed: a test that needs them must not pass without them */
export function requireCloudTools(): void {
  if (!existsSync(join(cloudTools, 'osls'))) throw new Error('osls is not installed: npm ci --prefix test/cloud');
}

/** Packages the application in `folder`, beside `serverless.yml`, as a project that is to be deployed. Functions get `env`. */
export async function packageApp(folder: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  requireCloudTools();
  const { code, stderr } = await runSvc(['build', 'main.svc'], { cwd: folder, env });
  if (code !== 0) throw new Error(`svc build ended with ${code}\n${stderr}`);
  copyFileSync(join(repository, 'serverless.yml'), join(folder, 'serverless.yml'));
  const description = join(folder, '.svc/build/cloud/serverless.yml');
  const settings = Object.entries(env).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  const marker = '    SVC_ADAPTER: cloud\n';
  const text = readFileSync(description, 'utf8');
  if (!text.includes(marker)) throw new Error('functions have no environment');
  writeFileSync(
    description,
    text.replace(marker, () => marker + settings.join('')),
  );
  symlinkSync(cloudTools, join(folder, 'node_modules'));
}

export async function startOffline(options: {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<OfflineServer> {
  const { folder, env = {} } = options;
  await packageApp(folder, env);
  const dynamo = await startDynamo();
  const [http, socket, lambda] = [await freePort(), await freePort(), await freePort()];
  // The emulator's own time limit would be answered 200 (payload 2.0); that of the function, a second earlier, is
  // answered 504.
  const child = spawn(process.execPath, [oslsBin, 'offline', '--noTimeout'], {
    cwd: folder,
    env: {
      ...process.env,
      NO_COLOR: '1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      SVC_ENV: 'test',
      SVC_SECRETS_PATH: '',
      SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
      SVC_MANAGEMENT_ENDPOINT: `http://127.0.0.1:${socket}`,
      HTTP_PORT: String(http),
      WEBSOCKET_PORT: String(socket),
      LAMBDA_PORT: String(lambda),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
    await dynamo.stop();
  };
  const base = `http://127.0.0.1:${http}`;
  try {
    await ready(base, () => {
      if (child.exitCode !== null) throw new Error(`osls offline ended with ${child.exitCode}\n${printed}`);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    base,
    socketBase: `ws://127.0.0.1:${socket}`,
    folder,
    output: () => printed,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The first answer includes the cold start of the function. */
async function ready(base: string, requireAlive: () => void): Promise<void> {
  for (;;) {
    requireAlive();
    const answer = await fetch(`${base}/healthz/live`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
