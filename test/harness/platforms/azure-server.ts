/** An application as a function of Azure, over the emulator of DynamoDB. */
import { join } from 'node:path';
import { startDynamo } from '../dynamo-server.ts';
import { runSvc } from '../server.ts';
import { type AzureHost, startAzureHost } from './azure-host.ts';

export interface AzureServer extends AzureHost {
  stop(): Promise<void>;
}

/** Builds the application in `folder` and starts it. @throws with what failed */
export async function serveAzure(folder: string, env: Readonly<Record<string, string>>): Promise<AzureServer> {
  const args = ['build', 'main.svc', '--target', 'function', '--platform', 'azure', '--out', 'out'];
  const { code, stdout, stderr } = await runSvc(args, { cwd: folder });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  const dynamo = await startDynamo();
  const own = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  try {
    const all = { ...own, SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint, ...env };
    const host = await startAzureHost(join(folder, 'out/azure.zip'), all);
    const stop = async () => {
      await host[Symbol.asyncDispose]();
      await dynamo.stop();
    };
    return { ...host, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await dynamo.stop();
    throw error;
  }
}
