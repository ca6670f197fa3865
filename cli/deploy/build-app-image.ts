/** The image of an application by its configuration, for every target that takes one. */
import { shippedFolder } from '../../adapters/client/built-client.ts';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import type { Files } from '../../infra/files.ts';
import { buildImage } from '../../infra/images/build-image.ts';
import type { BuiltImage } from '../../infra/images/built-image.ts';

export interface AppOfImage {
  readonly read: ReadConfig;
  readonly name: string;
  readonly version: string;
  /** The application file below its folder. */
  readonly entry: string;
  /** Files of the application with the exact versions of its packages. */
  readonly files: Files;
  /** Absolute path of stored files in the image. */
  readonly filesPath: string;
  /** Absent: the base image of the configuration. */
  readonly base?: string | undefined;
  /** `linux/amd64,linux/arm64`; absent: the platforms of the configuration. */
  readonly platforms?: string | undefined;
}

/** Builds it without a container engine. @throws DeployFailure */
export async function buildAppImage(app: AppOfImage): Promise<BuiltImage> {
  const { read, name, version, entry, files, filesPath, base, platforms } = app;
  const { orchestrator, registry } = read.config.scale;
  return await buildImage({
    ...{ name, version, files, entry, filesPath },
    clientFolder: shippedFolder,
    port: orchestrator.containerPort,
    livenessPath: orchestrator.livenessPath,
    base: base ?? orchestrator.baseImage,
    platforms: (platforms ?? registry.platform).split(',').map((one) => one.trim()),
    projectDir: read.config.projectDir,
    env: { ...read.env, ...npmSettings(orchestrator.env) },
  });
}

/** Variables of the deployment that say where packages are. */
function npmSettings(variables: Readonly<Record<string, unknown>>): Record<string, string> {
  const settings = Object.entries(variables).filter(
    ([name, text]) => /^npm_config_/i.test(name) && !/\$\{/.test(String(text)),
  );
  return Object.fromEntries(settings.map(([name, text]) => [name, String(text)]));
}
