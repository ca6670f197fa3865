/** Output of an earlier build as it is found again in its folder: nothing here needs Vite. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prefixOf } from '../../core/config/prefix.ts';
import { areUnchanged, type Inputs } from '../modules/recorded-files.ts';
import { entryText } from './entry.ts';
import type { ClientJob } from './job.ts';
import { versionOf } from './packages.ts';
import type { PageFiles } from './page-files.ts';

/** `.manifest.json` of the folder. Its files are hidden names, which are not served. */
export interface ClientManifest {
  /** Tells what was built from. */
  readonly key: string;
  /** Files that Vite read besides compiled modules: sheets, assets, TypeScript, configuration. */
  readonly inputs: Inputs;
  /** Path by which files name one another. */
  readonly base: string;
  /** Name of the module that starts the application, `client.<hash>.js`. */
  readonly entry: string;
  /** Modules it imports at once, and sheets. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  /** Files that single pages take besides. */
  readonly pages: readonly PageFiles[];
  /** Every file of the build. */
  readonly files: readonly string[];
}

export const manifestName = '.manifest.json';
/** Folder of the source maps. */
export const mapsName = '.maps';

/** Folder below the project in which a deployment carries its built client: a server with it needs no packages of the browser. */
export const shippedFolder = 'svc-client';

/** Path that everything a page loads stands below. */
export function baseOf({ serve }: Pick<ClientJob['config'], 'serve'>): string {
  return `${prefixOf(serve.baseUrl)}/static/`;
}

/** The build that came with a deployment. */
export function findShipped(projectDir: string): ClientManifest | undefined {
  return readManifest(resolve(projectDir, shippedFolder));
}

export function outDirOf({ config }: Pick<ClientJob, 'config'>): string {
  return resolve(config.projectDir, config.client.outDir);
}

/** The last build, if it was made of the same program, packages and configuration. `buildId` names the build of svc itself. */
export function findBuilt(job: ClientJob, buildId: string): ClientManifest | undefined {
  const found = readManifest(outDirOf(job));
  return found !== undefined && found.key === keyOf(job, buildId) && areUnchanged(found.inputs) ? found : undefined;
}

export function readManifest(directory: string): ClientManifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, manifestName), 'utf8')) as ClientManifest;
  } catch {
    return undefined;
  }
}

export function keyOf({ program, config }: ClientJob, buildId: string): string {
  const { client, projectDir, dependencies, serve } = config;
  const packages = ['vite', 'react', 'react-dom', 'react-router-dom', ...Object.keys(dependencies.npm)];
  const entry = entryText(program.outline, { router: client.router, authRedirect: client.routing.authRedirect });
  const parts = [
    buildId,
    program.digest,
    entry,
    projectDir,
    prefixOf(serve.baseUrl),
    client.vite,
    client.configs,
    client.paths,
    client.typescript,
    packages.map((name) => versionOf(name, projectDir)),
    // A range that was changed may ask for another version.
    dependencies,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
