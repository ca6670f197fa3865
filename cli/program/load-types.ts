/** A program's types without its server: for commands that look at what is stored. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storeKind } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { AppFile } from '../app-file.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { compileApp } from './compile-app.ts';
import { loadAside } from './load-aside.ts';
import { runtimeNames } from './open-runtime.ts';
import { storeFile } from './open-stores.ts';
import { forRunning, reportDiagnostics } from './report-diagnostics.ts';

/** @throws CommandFailure 1 when the store is a file that is not there */
export function requireStoredGraph(config: Config, command: string, terminal: Terminal): void {
  const { sqliteFile } = config.scale.database;
  if (storeKind(config) !== 'sqlite' || existsSync(join(config.dataDir, sqliteFile))) return;
  throw new CommandFailure(exitCodes.failure, command, `nothing is stored yet in ${storeFile(config, terminal)}`, [
    'svc run and svc start keep their graph there',
  ]);
}

/** Declares the program's types. What its entry blocks print goes to standard error. False when it does not run; that has been told. */
export async function loadTypes(
  file: AppFile,
  config: Config,
  env: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<boolean> {
  const compiled = await compileApp({ file: file.path, config, purpose: 'serve', env, runtimeNames });
  const { directory, entryFile, diagnostics } = compiled;
  const { projectDir } = config;
  await reportDiagnostics(forRunning(diagnostics), { terminal, stream: 'err', projectDir });
  if (directory === undefined) return false;
  return (await loadAside({ directory, entryFile }, config, terminal)) !== undefined;
}
