import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Program } from '../../core/program/program.ts';
import { checkOtherFunctions } from '../../infra/check-deployment.ts';
import { azureFiles } from '../../infra/cloud/azure-files.ts';
import { type OtherGateway, otherGateways } from '../../infra/cloud/gateways.ts';
import { type PlatformApp, platformSteps } from '../../infra/cloud/platform-steps.ts';
import { makeService } from '../../infra/cloud/service.ts';
import type { CommandArgs } from '../command.ts';
import { outFolder } from '../deploy/deploy-job.ts';
import { exitCodes } from '../exit-codes.ts';
import { readDeclared } from '../program/read-declared.ts';
import { createSteps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { cachesOf, packageFunctions } from './build-functions.ts';
import { bundleFunctions, type FunctionBundles } from './bundle-functions.ts';
import { clientOf, compileBundled, refuseBundle } from './compile-bundled.ts';
import { deployedSecrets } from './deployed-secrets.ts';
import { serviceFile, writeFunctions } from './write-functions.ts';

/** Names of `--platform`: function platforms besides the HTTP API that `svc start --scale --target cloud` deploys. */
export const platforms = [...(Object.keys(otherGateways) as OtherGateway[]), 'azure'] as const;
export type Platform = (typeof platforms)[number];

/** `svc build --target function --platform P`: an archive that the platform takes, and how to hand it over (docs/guide/deploy/other-functions.md). */
export async function buildPlatform(args: CommandArgs, platform: Platform): Promise<number> {
  const { options, terminal } = args;
  const made = platform === 'azure' ? await packageAzure(args) : await packageGateway(args, platform);
  const out = outFolder(options['out'], made.config.projectDir, terminal, platform);
  const app: PlatformApp = {
    name: made.config.scale.orchestrator.appName,
    stack: made.config.scale.cloud.stackName,
    node: nodeOf(made.config),
    secrets: [...deployedSecrets(made.config, made.program, made.bundles.leftOut), ...made.secrets],
  };
  const files = await writeFunctions(out, made.bundles, { ...made.files, 'DEPLOY.md': platformSteps(platform, app) });
  for (const { path, bytes } of files)
    terminal.out(`  ${shownPathFrom(terminal.cwd, path)}  ${Math.ceil(bytes / 1024)} KB\n`);
  tellLimits(made, platform, terminal);
  return exitCodes.success;
}

interface Packaged {
  readonly config: Config;
  readonly program: Program | undefined;
  readonly bundles: FunctionBundles;
  /** Secrets besides those of the configuration. */
  readonly secrets: readonly string[];
  /** Files beside the archives. */
  readonly files: Readonly<Record<string, string>>;
}

async function packageGateway(args: CommandArgs, platform: OtherGateway): Promise<Packaged> {
  const steps = createSteps(args.terminal, true);
  const { read, program, needs, variables, bundles } = await packageFunctions('build', args, steps, {
    callsOnly: true,
    hasMaps: true,
  });
  const service = makeService(read.config, needs, variables, otherGateways[platform]);
  return { config: read.config, program, bundles, secrets: [], files: { 'serverless.yml': serviceFile(service) } };
}

async function packageAzure(args: CommandArgs): Promise<Packaged> {
  const { terminal } = args;
  const steps = createSteps(terminal, true);
  const target = { command: 'build', steps, adapt: deployedConfig, check: checkOtherFunctions };
  const { read, compiled } = await compileBundled(args, target);
  const { config, parsed: configFile } = read;
  const program = (await readDeclared(compiled, config, terminal))?.program;
  const client = await clientOf(compiled, config, terminal);
  const { database, orchestrator, cloud } = config.scale;
  const request = {
    ...{ compiled, configFile, database, storage: config.storage, node: nodeOf(config), client },
    functions: ['azure'] as const,
    hasMaps: true,
    ...cachesOf(compiled, read),
  };
  const bundles = await steps.run('Bundling the function', () => bundleFunctions(request)).catch(refuseBundle);
  const own = azureFiles({ name: orchestrator.appName, timeoutSeconds: cloud.timeoutSeconds });
  const [bundle] = bundles.functions;
  const usesTable = deployedConfig(config).scale.database.store === 'dynamodb';
  return {
    config,
    program,
    bundles: { ...bundles, functions: [{ ...bundle!, files: { ...bundle!.files, ...own } }] },
    secrets: usesTable ? ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] : [],
    files: {},
  };
}

function nodeOf({ scale }: Config): string {
  return /\d+/.exec(scale.cloud.runtime)?.[0] ?? '22';
}

/** Says what the program asks for and the platform does not have. */
function tellLimits({ program, config }: Packaged, platform: Platform, terminal: Terminal): void {
  const served = [...(program?.walkers ?? []), ...(program?.functions ?? [])];
  const sockets = served.filter(({ rest }) => rest.protocol === 'WEBSOCKET').map(({ name }) => name);
  const { streamFunctionUrl, domain } = config.scale.cloud;
  const lines = [
    ...(sockets.length > 0 ? [`there are no sockets with ${platform}: ${sockets.join(', ')} answer 404 there`] : []),
    ...(streamFunctionUrl && platform !== 'azure'
      ? [`there is no address that streams with ${platform}: a stream is one answer`]
      : []),
    ...(domain === '' ? [] : [`cloud.domain belongs to the HTTP API of --target cloud, ${platform} has its own way`]),
  ];
  for (const line of lines) terminal.err(`note: ${line}\n`);
}
