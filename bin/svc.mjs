#!/usr/bin/env node
/**
 * Starts the command line. The published package carries it bundled in `dist/`. In a checkout it is bundled when the sources have
 * changed (`checkout.mjs`), except for processes that tests start: `SVC_TEST_BUILD` names the folder of their bundle.
 */
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

nodeModule.enableCompileCache?.();
const { main } = await import(pathToFileURL(await findCommandLine()).href);
const streams = [process.stdout, process.stderr];
const isServer = process.argv[2] === 'start';
// Who reads the output may stop early, as `head` does. A server goes on without, also when a terminal closes or a disk is full.
for (const stream of streams) {
  stream.on('error', (error) => {
    if (isServer) return;
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
}
const exitCode = await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  return 1;
});
// What a pipe has not taken yet would be lost. A server that was told to end does not wait for a reader that hangs.
if (isServer) setTimeout(() => process.exit(exitCode), 2000);
for (const stream of streams) await new Promise((done) => stream.write('', done));
process.exit(exitCode);

async function findCommandLine() {
  const published = join(root, 'dist', 'cli.mjs');
  if (!existsSync(join(root, 'cli', 'main.ts'))) return published;
  if (!existsSync(join(root, 'node_modules', 'rolldown')) && existsSync(published)) return published;
  const { builds, buildOfSources } = await import('./checkout.mjs');
  const ofTests = process.env.SVC_TEST_BUILD;
  const isThere = ofTests !== undefined && dirname(ofTests) === builds && existsSync(ofTests);
  return join(isThere ? ofTests : buildOfSources(), 'cli.mjs');
}
