import { readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findProjectFile } from '../../adapters/config/read-config.ts';
import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import type { Config } from '../../core/config/config.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { isModule, sourceFiles } from './source-files.ts';

/**
 * The source files that operands name: a file stands for itself, a folder for all below it but hidden ones and packages. Absolute,
 * each once.
 *
 * @throws CommandFailure: 3 when one is not there, 2 for a folder without source files
 */
export function namedFiles(commandName: string, operands: readonly string[], terminal: Terminal): string[] {
  return [...new Set(operands.flatMap((operand) => filesOf(commandName, operand, terminal)))];
}

function filesOf(commandName: string, operand: string, terminal: Terminal): string[] {
  const path = resolve(terminal.cwd, operand);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (found?.isDirectory()) {
    const files = sourceFiles(path, isServerSource);
    if (files.length > 0) return files;
    throw usageFailure(commandName, `there is no source file in ${operand}`);
  }
  const nearest = didYouMean(
    operand,
    sourceFiles(terminal.cwd, isServerSource).map((file) => relative(terminal.cwd, file)),
  );
  const hints = nearest === undefined ? [] : [`did you mean ${nearest}?`];
  throw new CommandFailure(exitCodes.invalid, `cannot read ${operand}`, 'no such file or folder', hints);
}

/** Every source file of the project around the working directory, the entry point first. @throws CommandFailure 2 when there is none */
export function projectFiles(commandName: string, config: Config, terminal: Terminal): string[] {
  const root = findProjectFile(terminal.cwd) === undefined ? terminal.cwd : config.projectDir;
  const found = sourceFiles(root, isServerSource);
  const entry = config.project.entryPoint === '' ? join(root, 'main.svc') : resolve(root, config.project.entryPoint);
  found.sort((a, b) => Number(b === entry) - Number(a === entry) || (a < b ? -1 : 1));
  if (found.length > 0) return found;
  throw usageFailure(commandName, `there is no source file in ${relative(terminal.cwd, root) || 'this directory'}`);
}

// Other TypeScript may belong to anything; what a server file imports comes with it.
function isServerSource(path: string): boolean {
  return isModule(path) || (isScriptFile(path) && /['"]svc-scale['"/]/.test(readFileSync(path, 'utf8')));
}
