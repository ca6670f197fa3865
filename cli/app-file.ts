import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findProjectFile } from '../adapters/config/read-config.ts';
import { isScriptFile } from '../adapters/typescript/script-files.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { shownPathFrom } from '../base/shown-path.ts';
import { entryFile, entryOfApp } from '../core/config/apps.ts';
import { parseToml } from '../core/config/toml.ts';
import { memberAt } from '../core/config/written-keys.ts';
import { CommandFailure, usageFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { reportConfig } from './report-config.ts';
import type { Terminal } from './terminal.ts';

export interface AppFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the working directory, as messages show it. */
  readonly shown: string;
  readonly directory: string;
}

/**
 * The application file a command works on: the one named, by its path or as `[apps.NAME]` of `svc.toml`, else
 * `[project] entry-point` there or the entry point of its default application, else `main.svc`.
 *
 * @throws CommandFailure: 3 when it is not there or `svc.toml` cannot be read, 2 when none is named anywhere
 */
export function findAppFile(
  commandName: string,
  named: string | undefined,
  terminal: Terminal,
  configFile?: string,
): AppFile {
  if (named !== undefined) return requireAppFile(fileOfApp(named, terminal, configFile) ?? named, terminal);
  return requireFile(entryPoint(commandName, terminal, configFile), undefined, terminal);
}

/** The application file that somebody named. @throws CommandFailure 3 when it is not there */
export function requireAppFile(named: string, terminal: Terminal): AppFile {
  return requireFile(resolve(terminal.cwd, named), named, terminal);
}

/** File of the application that `svc.toml` calls `named`, unless that is a file itself. */
function fileOfApp(named: string, terminal: Terminal, configFile: string | undefined): string | undefined {
  if (!/^[\w-]+$/.test(named) || existsSync(resolve(terminal.cwd, named))) return undefined;
  const file = configFile === undefined ? findProjectFile(terminal.cwd) : resolve(terminal.cwd, configFile);
  if (file === undefined || !existsSync(file)) return undefined;
  const entry = entryOfApp(parseToml(readFileSync(file, 'utf8'), file).root, named);
  return entry === undefined ? undefined : resolve(dirname(file), entry);
}

function requireFile(path: string, named: string | undefined, terminal: Terminal): AppFile {
  const shown = shownPathFrom(terminal.cwd, path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return { path, shown, directory: dirname(path) };
  const why = found === undefined ? 'no such file' : found.isDirectory() ? 'it is a folder' : 'not a file';
  const hints = found?.isDirectory() ? mainOf(path, terminal) : nearbyHints(path, named);
  throw new CommandFailure(exitCodes.invalid, `cannot read ${named ?? shown}`, why, hints);
}

function mainOf(directory: string, terminal: Terminal): string[] {
  const main = mainNames.map((name) => join(directory, name)).find((path) => existsSync(path));
  return main === undefined ? [] : [`did you mean ${shownPathFrom(terminal.cwd, main)}?`];
}

const mainNames = ['main.svc', 'main.ts', 'app.ts'];

function entryPoint(commandName: string, terminal: Terminal, configFile: string | undefined): string {
  const file = configFile === undefined ? findProjectFile(terminal.cwd) : resolve(terminal.cwd, configFile);
  const hints = [`svc ${commandName} <app_file>`, 'or put entry-point = "main.svc" under [project] in svc.toml'];
  if (configFile !== undefined && !existsSync(file!))
    throw new CommandFailure(exitCodes.invalid, `cannot read ${configFile}`, 'no such file');
  if (file === undefined || !existsSync(file)) {
    const main = join(terminal.cwd, 'main.svc');
    if (configFile === undefined && existsSync(main)) return main;
    throw usageFailure(commandName, '<app_file> is missing and there is no svc.toml', hints);
  }
  const { root, findings } = parseToml(readFileSync(file, 'utf8'), shownPathFrom(terminal.cwd, file));
  reportConfig({ problems: findings, warnings: [] }, terminal);
  const project = memberAt(root, ['project']);
  const entry =
    project?.kind === 'table' ? (project.members.get('entry-point') ?? project.members.get('entry_point')) : undefined;
  if (entry?.kind === 'value' && typeof entry.value === 'string' && entry.value !== '')
    return resolve(dirname(file), entryFile(entry.value));
  const ofApp = entryOfApp(root);
  if (ofApp !== undefined) return resolve(dirname(file), ofApp);
  for (const name of mainNames) {
    if (existsSync(join(dirname(file), name))) return join(dirname(file), name);
  }
  throw usageFailure(commandName, '<app_file> is missing and svc.toml names no entry-point', hints);
}

function nearbyHints(path: string, named: string | undefined): string[] {
  const by = named === undefined ? ['named by entry-point in svc.toml'] : [];
  try {
    const names = readdirSync(dirname(path)).filter((name) => /[^/]\.svc$/.test(name) || isScriptFile(name));
    const nearest =
      didYouMean(path.slice(dirname(path).length + 1), names) ?? (names.length === 1 ? names[0] : undefined);
    return nearest === undefined ? by : [...by, `did you mean ${nearest}?`];
  } catch {
    return by;
  }
}
