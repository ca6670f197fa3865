import { dirname, resolve } from 'node:path';
import { readConfig } from '../../../adapters/config/read-config.ts';
import { requireAppFile } from '../../app-file.ts';
import type { Terminal } from '../../terminal.ts';
import type { Program } from '../engine/launch.ts';
import { refusedInProduction } from '../engine/refused.ts';

/** Arguments of `launch`, as an editor's configuration has them. */
export interface LaunchArguments {
  readonly program: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | null>>;
  /** Walker that runs instead of the entry blocks. */
  readonly entry?: string;
  /** Runs the tests whose name contains this. */
  readonly test?: string;
  /** True: with the stored graph. */
  readonly persist?: boolean;
  readonly stopOnEntry?: boolean;
  readonly noDebug?: boolean;
}

export interface AttachArguments {
  readonly port: number;
  readonly host?: string;
  /** Request id of a call of the server, which runs again. */
  readonly replay?: string;
}

/** The program that an editor wants to run. @throws CommandFailure for what cannot be run */
export function programOf(given: LaunchArguments, terminal: Terminal): Program {
  const cwd = resolve(terminal.cwd, given.cwd ?? (typeof given.program === 'string' ? dirname(given.program) : '.'));
  const file = requireAppFile(given.program ?? '', { ...terminal, cwd });
  const env: Record<string, string | undefined> = { ...terminal.env };
  for (const [name, value] of Object.entries(given.env ?? {})) env[name] = value ?? undefined;
  const { config } = readConfig({ startDir: file.directory, cwd, env, isTerminal: false, isScript: true });
  if (config.mode === 'production') throw refusedInProduction('debug');
  const args =
    given.test === undefined
      ? [
          'run',
          file.path,
          ...(given.entry === undefined ? [] : [`--entry=${given.entry}`]),
          ...(given.persist === true ? [] : ['--no-persist']),
        ]
      : ['test', file.path, `--filter=${given.test}`];
  return { args, rest: (given.args ?? []).map(String), cwd, env, ports: [0] };
}
