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

const forms = {
  text: { name: 'a text', fits: (value: unknown) => typeof value === 'string' },
  name: { name: 'a text that is not empty', fits: (value: unknown) => typeof value === 'string' && value !== '' },
  switch: { name: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  port: {
    name: 'a number from 1 to 65535',
    fits: (value: unknown) => /^\d+$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 65535,
  },
  list: { name: 'a list of texts', fits: (value: unknown) => Array.isArray(value) && value.every(isScalar) },
  table: {
    name: 'an object of texts',
    fits: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => one === null || isScalar(one)),
  },
} as const;

const formOf = {
  program: 'text',
  args: 'list',
  cwd: 'name',
  env: 'table',
  entry: 'name',
  test: 'name',
  persist: 'switch',
  stopOnEntry: 'switch',
  noDebug: 'switch',
  port: 'port',
  host: 'name',
  replay: 'name',
} as const satisfies { readonly [K in keyof LaunchArguments | keyof AttachArguments]: keyof typeof forms };

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Refuses arguments of another form than that of the guide; one that is null is as absent. @throws Error that names the argument */
export function requireForms(given: object): void {
  for (const [name, form] of Object.entries(formOf)) {
    const value: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && value !== null && !forms[form].fits(value))
      throw new Error(`${name} has to be ${forms[form].name}, not ${JSON.stringify(value).slice(0, 60)}`);
  }
}

/** The program that an editor wants to run. @throws CommandFailure for what cannot be run */
export function programOf(wanted: LaunchArguments, terminal: Terminal): Program {
  requireForms(wanted);
  const given = withoutNulls(wanted);
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

function withoutNulls<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as T;
}
