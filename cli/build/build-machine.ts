import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import { installPackages, platforms } from '../../infra/images/install-packages.ts';
import { entriesOf, packEntries } from '../../infra/images/make-layer.ts';
import { installScript, secretsExample } from '../../infra/machine/install-script.ts';
import type { MachineApp } from '../../infra/machine/machine-app.ts';
import { caddyfile, nginxConf } from '../../infra/machine/proxies.ts';
import { systemdUnit } from '../../infra/machine/unit.ts';
import { DeployFailure } from '../../infra/orchestrator/deploy-failure.ts';
import { resolveTexts } from '../../infra/orchestrator/settings-secrets.ts';
import type { CommandArgs } from '../command.ts';
import { withDeployFailures } from '../deploy/deploy-job.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type PackagedApp, packageApp } from './package-app.ts';

/** `svc build --target machine`: what one server with systemd needs, and a script that installs it (docs/guide/one-machine.md). */
export async function buildMachine(args: CommandArgs): Promise<number> {
  return await withDeployFailures(args.terminal, () => buildAndWrite(args));
}

async function buildAndWrite(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const platform = String(options['platform'] ?? 'linux/amd64');
  if (!platforms.includes(platform))
    throw new DeployFailure('invalid', `a release is not made for ${platform}`, {
      hints: [`for one of ${platforms.join(', ')}`],
    });
  const packaged = await packageApp(args, 'machine');
  const app = machineApp(packaged, platform, terminal);
  const release = await packaged.steps.run('Packing the release', () => packRelease(packaged, platform), {
    always: true,
  });
  const sha256 = createHash('sha256').update(release).digest('hex');
  const written: Record<string, string | Uint8Array> = {
    [`${app.name}.tar.gz`]: release,
    [`${app.name}.service`]: systemdUnit(app),
    Caddyfile: caddyfile(app),
    'nginx.conf': nginxConf(app),
    'env.example': secretsExample(app),
    'install.sh': installScript({ app, sha256 }),
  };
  await mkdir(packaged.out, { recursive: true });
  for (const [name, contents] of Object.entries(written)) {
    const path = join(packaged.out, name);
    await writeFile(path, contents);
    if (name === 'install.sh') await chmod(path, 0o755);
    terminal.out(`  ${shownPathFrom(terminal.cwd, path)}\n`);
  }
  terminal.out(`Copy the folder to the server; there, as root: ./install.sh\n`);
  return exitCodes.success;
}

/** The same bytes for the same application and packages. */
async function packRelease({ read, files }: PackagedApp, platform: string): Promise<Uint8Array> {
  const { gzipSync } = await import('fflate');
  const { projectDir } = read.config;
  const into = '/release';
  const packages = await installPackages({ files, platform, libc: 'glibc', projectDir, env: read.env, into });
  return gzipSync(packEntries([...entriesOf(files, into), ...packages]), { level: 6, mtime: 0 });
}

const anyHost = 'app.example.org';

function machineApp(
  { read, name, version, entry, storage, secrets }: PackagedApp,
  platform: string,
  terminal: Terminal,
) {
  const { serve, scale } = read.config;
  const { hostname } = URL.canParse(serve.baseUrl) ? new URL(serve.baseUrl) : { hostname: anyHost };
  if (hostname === anyHost)
    terminal.err(`note: base_url under [serve] says what users type; until then the proxies are for ${anyHost}\n`);
  const { algorithm, secret } = scale.jwt;
  const env = resolveTexts(scale.orchestrator.env, (one) => read.env[one] || undefined);
  if (env.unresolved.length > 0) throw new DeployFailure('invalid', `cannot resolve: ${env.unresolved.join(', ')}`);
  const profile = read.config.profile === undefined ? {} : { SVC_PROFILE: read.config.profile };
  const proxies = serve.trustedProxies.length > 0 ? {} : { SVC_SERVE_TRUSTED_PROXIES: '127.0.0.1' };
  const app: MachineApp = {
    name,
    version,
    entry,
    port: serve.port === 0 ? 8000 : serve.port,
    host: hostname,
    readinessPath: scale.orchestrator.readinessPath,
    storage: storage.startsWith('..') ? '' : storage,
    secrets,
    makesJwtSecret: algorithm.startsWith('HS') && secret === defaultJwtSecret && !secrets.includes('JWT_SECRET'),
    env: { ...profile, ...proxies, ...env.texts },
    processor: platform === 'linux/arm64' ? 'aarch64' : 'x86_64',
    stopSeconds: serve.drainDelaySeconds + serve.drainTimeoutSeconds + 10,
    bodyBytes: Math.max(serve.maxBodyBytes, serve.maxUploadBytes),
    answerSeconds: serve.requestTimeoutSeconds + 5,
  };
  return app;
}
