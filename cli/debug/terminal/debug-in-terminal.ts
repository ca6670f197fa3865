import { findAppFile } from '../../app-file.ts';
import type { CommandArgs } from '../../command.ts';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readScriptConfig } from '../../program/read-app.ts';
import type { Program } from '../engine/launch.ts';
import { refusedInProduction } from '../engine/refused.ts';
import type { GraphPage } from '../graph-page/serve-graph.ts';
import { inspectorPort } from '../inspect-option.ts';
import { runTerminal, type TerminalJob } from './run-terminal.ts';

const usualGraphPort = 8001;

/** `svc debug`: the terminal debugger for the program of a command line; gives the exit code. */
export async function debugInTerminal(args: CommandArgs): Promise<number> {
  const { options, operands, terminal, rest } = args;
  const graphPort = options['graph-port'] as number | undefined;
  const shared = { terminal, openGraph: (ask: GraphPage['ask']) => openGraph(graphPort, ask) };
  const replay = options['replay'] as string | undefined;
  const attached = options['attach'] as number | undefined;
  if (attached !== undefined || replay !== undefined)
    return await debugServer(attached ?? inspectorPort, { ...shared, replay });
  const file = findAppFile('debug', operands[0], terminal, options['config'] as string | undefined);
  const { config } = readScriptConfig(file.directory, { options, terminal });
  if (config.mode === 'production') throw refusedInProduction('debug');
  const wanted = options['port'] as number | undefined;
  const program: Program = {
    args: programArgs(args, file.shown),
    rest: [...operands.slice(1), ...rest],
    cwd: terminal.cwd,
    env: terminal.env,
    ports: wanted === undefined ? [inspectorPort, 0] : [wanted],
  };
  return await runTerminal({ ...shared, program });
}

/** Debugs a server that `svc start --inspect` runs. */
async function debugServer(port: number, shared: Omit<TerminalJob, 'program'>): Promise<number> {
  try {
    return await runTerminal({ ...shared, program: port });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(exitCodes.prerequisite, 'cannot attach', why, [`svc start --inspect=${port} runs one`]);
  }
}

/** The line of `svc` that runs the program. */
function programArgs({ options }: Pick<CommandArgs, 'options'>, file: string): readonly string[] {
  const shared = ['config', 'profile'].flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}=${options[name]}`],
  );
  if (options['test'] !== undefined) return ['test', file, `--filter=${options['test']}`, ...shared];
  const entry = options['entry'] === undefined ? [] : [`--entry=${options['entry']}`];
  return ['run', file, ...entry, ...(options['persist'] === true ? [] : ['--no-persist']), ...shared];
}

async function openGraph(port: number | undefined, ask: GraphPage['ask']): Promise<GraphPage | undefined> {
  const { serveGraph } = await import('../graph-page/serve-graph.ts');
  return (await serveGraph(port ?? usualGraphPort, ask)) ?? (port === undefined ? await serveGraph(0, ask) : undefined);
}
