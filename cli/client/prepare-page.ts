/** The browser half of a program ready to be served: found as it was built, or built now. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  baseOf,
  type ClientManifest,
  findBuilt,
  findShipped,
  outDirOf,
  shippedFolder,
} from '../../adapters/client/built-client.ts';
import type { ClientJob, ClientWork } from '../../adapters/client/job.ts';
import type { MissingPackage } from '../../adapters/client/missing-packages.ts';
import { pageAddresses } from '../../adapters/client/page-files.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { Config } from '../../core/config/config.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { CompiledApp } from '../program/compile-app.ts';
import { createSteps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { buildId } from '../version.ts';
import { moduleOf } from './module-of.ts';

export interface PagePlace {
  readonly terminal: Terminal;
  readonly config: Config;
  /** Progress is shown. */
  readonly tells: boolean;
}

/** Undefined for a program without client code. What cannot be built is told, and the API is served all the same. */
export async function preparePage(
  { client }: Pick<CompiledApp, 'client'>,
  place: PagePlace,
): Promise<PageFacts | undefined> {
  if (client === undefined) return undefined;
  const job: ClientJob = { program: client, config: place.config };
  const shipped = findShipped(place.config.projectDir);
  if (shipped !== undefined) {
    const { base } = shipped;
    if (base !== baseOf(place.config))
      place.terminal.err(
        `note: pages were built to load ${base} and base_url says otherwise: build them again with it\n`,
      );
    return { ...factsOf(job, shipped), folder: shippedFolder };
  }
  const found = buildId === undefined ? undefined : findBuilt(job, buildId);
  if (found !== undefined) {
    // A process that ended soon after its build left some files as they are.
    if (!existsSync(join(outDirOf(job), `${found.entry}.br`))) await compressLater(job, found);
    return factsOf(job, found);
  }
  const { ClientBuildError } = await import('../../adapters/client/failure.ts');
  try {
    const built = await buildNow(job, place);
    await compressLater(job, built);
    return factsOf(job, built);
  } catch (error) {
    if (!(error instanceof ClientBuildError)) throw error;
    const { problemText } = await import('./problem-text.ts');
    const text = error.problems.map((one) => problemText(one, place.terminal.cwd)).join('\n\n');
    place.terminal.err(`${text}\n\nThe browser application is not served; the API is.\n`);
    return { ...emptyFacts(job), failure: text };
  }
}

/** Starts to make copies that take less bytes: until they are there the files go as they are. */
async function compressLater(job: ClientJob, { files, entry }: ClientManifest): Promise<void> {
  const { compressFiles } = await import('../../adapters/client/compress.ts');
  compressFiles(outDirOf(job), files, entry, 2000).catch(throwOutside);
}

/** Builds, with what npm has to bring first. @throws ClientBuildError */
export async function buildNow(job: ClientJob, { terminal, tells }: PagePlace): Promise<ClientManifest> {
  const steps = createSteps(terminal, tells);
  await bringPackages(job, 'build', { terminal, tells });
  await tellInVain(job.config, terminal);
  const { buildClient } = await import('../../adapters/client/build.ts');
  const notes: string[] = [];
  const built = await steps.run('Building the browser application', () =>
    buildClient(job, buildId ?? '', (line) => notes.push(line)),
  );
  for (const line of notes) terminal.err(`${line}\n`);
  return built;
}

/** Brings what is missing. Gives whether anything was. @throws ClientBuildError that names the packages */
export async function bringPackages(
  job: ClientJob,
  work: ClientWork,
  { terminal, tells }: Pick<PagePlace, 'terminal' | 'tells'>,
): Promise<boolean> {
  const [{ missingPackages, unusedTools }, { needsOf }] = await Promise.all([
    import('../../adapters/client/missing-packages.ts'),
    import('../../adapters/client/job.ts'),
  ]);
  for (const [name, range] of Object.entries(unusedTools(needsOf(job, work))))
    terminal.err(`note: ${name} ${range} is listed and not used: pages are built with what svc was tested with\n`);
  // Packages may bring the half of a pair: then the other one is looked for again.
  const tried = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const missing = missingPackages(needsOf(job, work)).filter(({ name }) => !tried.has(name));
    if (missing.length === 0) break;
    const { installPackages } = await import('../../adapters/client/install-packages.ts');
    const { unmet, failed } = await createSteps(terminal, tells).run(
      `Installing ${missing.map(({ wanted }) => wanted).join(' ')}`,
      () => installPackages(missing, job),
      { always: true },
    );
    for (const { name, reason } of failed) terminal.err(`note: npm could not bring ${name}: ${reason}\n`);
    for (const { by, name, range, version } of unmet)
      terminal.err(
        version === ''
          ? `note: ${by} asks for ${name} ${range}, which is not there: add it to [dependencies.npm]\n`
          : `note: ${by} asks for ${name} ${range} and gets ${version}: it may not work; npm by hand wants --legacy-peer-deps\n`,
      );
    for (const { name } of missing) tried.add(name);
    await tellUnlisted(missing, job, terminal);
  }
  return tried.size > 0;
}

/** Tells of packages that have a React of their own, and of settings for a Tailwind that is not the one which is there. */
export async function tellInVain(config: ClientJob['config'], terminal: Terminal): Promise<void> {
  const [{ ownCopies }, { hasIdleTailwind }] = await Promise.all([
    import('../../adapters/client/own-copies.ts'),
    import('../../adapters/client/post-css-plugins.ts'),
  ]);
  for (const { by, name, version, used } of ownCopies(config.projectDir))
    terminal.err(`note: ${by} brings ${name} ${version}; a page has one ${name}, so it gets ${used}\n`);
  if (hasIdleTailwind(config))
    terminal.err(
      'note: [plugins.client.configs.tailwind] has no effect: it is for Tailwind 3 as a plug-in of PostCSS; Tailwind 4 takes `@theme` and `@config` in a sheet\n',
    );
}

/** Says what a program that is put into service has to list. */
async function tellUnlisted(missing: readonly MissingPackage[], job: ClientJob, terminal: Terminal): Promise<void> {
  const { versionOf } = await import('../../adapters/client/packages.ts');
  for (const { name, isUnlisted } of missing) {
    const version = isUnlisted ? versionOf(name, job.config.projectDir) : '';
    if (version === '') continue;
    terminal.err(
      `note: ${name} is imported and not listed; it is installed, and package.json lists it now. In svc.toml: [dependencies.npm] "${name}" = "^${version}"\n`,
    );
  }
}

export function factsOf(job: ClientJob, { base, entry, preloads, styles, pages = [] }: ClientManifest): PageFacts {
  const address = (name: string) => base + name;
  return {
    ...emptyFacts(job),
    entry: address(entry),
    preloads: preloads.map(address),
    styles: styles.map(address),
    pages: pages.map((page) => ({
      pattern: page.pattern,
      preloads: page.scripts.map(address),
      styles: page.styles.map(address),
    })),
  };
}

export function emptyFacts({ program, config }: ClientJob): PageFacts {
  const { app, components, pages } = program.outline;
  return {
    module: moduleOf(app?.path, config.projectDir),
    components: components.map(({ name }) => name),
    preloads: [],
    styles: [],
    pages: [],
    addresses: pageAddresses(pages),
  };
}
