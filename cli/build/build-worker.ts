import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workerConfig } from '../../adapters/hosts/web/worker-config.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Program } from '../../core/program/program.ts';
import { checkWorker } from '../../infra/check-deployment.ts';
import { folder, type WorkerApp, workerdConfig, wranglerToml } from '../../infra/worker/worker-files.ts';
import type { CommandArgs } from '../command.ts';
import { outFolder } from '../deploy/deploy-job.ts';
import { exitCodes } from '../exit-codes.ts';
import { readDeclared } from '../program/read-declared.ts';
import { createSteps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { bundleWorker, type WorkerBundle } from './bundle-worker.ts';
import { clientOf, compileBundled, refuseBundle, tellLeftOut } from './compile-bundled.ts';
import { deployedSecrets } from './deployed-secrets.ts';

/** `svc build --target worker`: the modules of a worker at the edge, and what deploys it (docs/hono.md#edge, decisions/0540). */
export async function buildWorker(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const steps = createSteps(terminal, true);
  const target = { command: 'build', steps, adapt: workerConfig, check: checkWorker };
  const { read, compiled } = await compileBundled(args, target);
  const { config, parsed: configFile } = read;
  const program = (await readDeclared(compiled, config, terminal))?.program;
  const client = await clientOf(compiled, config, terminal);
  const bundle = await steps
    .run('Bundling the worker', () => bundleWorker({ compiled, configFile, client }))
    .catch(refuseBundle);
  for (const line of limitsOf(config, program, bundle)) terminal.err(`note: ${line}\n`);
  const app = workerApp(config, program, bundle);
  const out = outFolder(options['out'], config.projectDir, terminal, 'worker');
  await rm(join(out, folder), { recursive: true, force: true });
  const made = Object.entries(bundle.files).map(([path, contents]) => [`${folder}/${path}`, contents] as const);
  const written = { 'wrangler.toml': wranglerToml(app), 'config.capnp': workerdConfig(app) };
  for (const [name, contents] of [...made, ...Object.entries(written)]) {
    const path = join(out, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
    if (/\.(capnp|toml)$|worker\.mjs$/.test(name)) tellFile(path, contents.length, terminal);
  }
  const how = 'worker; set them with: npx wrangler secret put NAME';
  tellLeftOut(bundle.leftOut, configFile?.name ?? '', how, terminal);
  return exitCodes.success;
}

function tellFile(path: string, bytes: number, terminal: Terminal): void {
  terminal.out(`  ${shownPathFrom(terminal.cwd, path)}  ${Math.ceil(bytes / 1024)} KB\n`);
}

/** Lists, in words, everything that the program asks for and a worker cannot do. */
function limitsOf({ scale }: Config, program: Program | undefined, { asksDatabases }: WorkerBundle): string[] {
  const { walkers = [] } = program ?? {};
  const sockets = walkers.filter(({ rest }) => rest.protocol === 'WEBSOCKET').map(({ name }) => name);
  const lines = ['a worker hashes passwords with scrypt: accounts made elsewhere with argon2id cannot sign in there'];
  if (program === undefined)
    lines.push('what the program declares is not known without its start-up code: nothing is said of its sockets');
  if (sockets.length > 0)
    lines.push(
      `a worker serves no sockets: ${sockets.join(', ')} answer 404 there; svc start and --target cloud serve them`,
    );
  if (asksDatabases) lines.push('kvstore has no database in a worker: its calls fail there');
  if (scale.metrics.enabled) lines.push('there are no metrics to scrape in a worker');
  return lines;
}

function workerApp(config: Config, program: Program | undefined, { files, leftOut }: WorkerBundle): WorkerApp {
  const { scale, profile } = config;
  const { orchestrator, database, cloud } = scale;
  const secrets = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', ...deployedSecrets(config, program, leftOut)];
  return {
    name: orchestrator.appName,
    files: Object.keys(files),
    secrets: [...new Set(secrets)],
    variables: {
      AWS_REGION: cloud.region || 'us-east-1',
      SVC_DATABASE_DYNAMODB_TABLE_PREFIX: database.dynamodbTablePrefix,
      ...(database.dynamodbEndpoint === '' ? {} : { SVC_DATABASE_DYNAMODB_ENDPOINT: database.dynamodbEndpoint }),
      ...(profile === undefined ? {} : { SVC_PROFILE: profile }),
    },
  };
}
