import { readConfig } from '../../../adapters/config/read-config.ts';
import { findAppFile } from '../../app-file.ts';
import type { CommandArgs } from '../../command.ts';
import { freePort, type Program } from '../engine/launch.ts';
import { refusedInProduction } from '../engine/refused.ts';
import type { GraphPage } from '../graph-page/serve-graph.ts';
import { inspectorPort } from '../inspect-option.ts';
import { runTerminal } from './run-terminal.ts';

const usualGraphPort = 8001;

/** `svc debug`: the terminal debugger for the program of a command line; gives the exit code. */
export async function debugInTerminal(args: CommandArgs): Promise<number> {
  const { options, operands, terminal, rest } = args;
  const file = findAppFile('debug', operands[0], terminal, options['config'] as string | undefined);
  const { config } = readConfig({
    startDir: file.directory,
    cwd: terminal.cwd,
    env: terminal.env,
    configFile: options['config'] as string | undefined,
    profile: options['profile'] as string | undefined,
    isTerminal: terminal.isErrTerminal,
    isScript: true,
  });
  if (config.mode === 'production') throw refusedInProduction('debug');
  const port = await freePort(options['port'] as number | undefined, inspectorPort);
  const program: Program = {
    args: programArgs(args, file.shown),
    rest: [...operands.slice(1), ...rest],
    cwd: terminal.cwd,
    env: terminal.env,
    port,
  };
  const graphPort = options['graph-port'] as number | undefined;
  return await runTerminal({
    program,
    projectDir: config.projectDir,
    terminal,
    openGraph: (ask) => openGraph(graphPort, ask),
  });
}

/** The line of `svc` that runs the program. */
export function programArgs({ options }: Pick<CommandArgs, 'options'>, file: string): readonly string[] {
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
