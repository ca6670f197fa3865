import { type HeldPort, holdPort } from '../../adapters/hosts/local/held-port.ts';
import { belowPrefix, type Intercept } from '../../adapters/hosts/local/intercept.ts';
import { type LocalServer, serveLocal } from '../../adapters/hosts/local/serve.ts';
import type { SocketEnd } from '../../adapters/hosts/local/upgrade.ts';
import type { Config } from '../../core/config/config.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import type { App } from '../../handlers/app.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { connectionsWithin } from './open-files.ts';

const nextPorts = 10;
const headersTimeoutMs = 10_000;

export interface ListenOptions {
  /** False: this port or none. Only the default port of a process outside production may move (docs/server/commands.md#start). */
  readonly mayMove: boolean;
  /** Place in which the port was given, `svc.toml:2:1` or `environment: PORT`; '' for one that needs no telling. */
  readonly givenIn: string;
  readonly onFallback: (wanted: number, used: number) => void;
  /** Port of the other workers. */
  readonly sharedPort?: number | undefined;
  /** The address, when it is bound already. */
  readonly held?: HeldPort | undefined;
  /** Takes requests before the application. */
  readonly intercept?: Intercept | undefined;
}

type PortOptions = Pick<ListenOptions, 'mayMove' | 'givenIn'>;

/**
 * Binds the configured address, unless `held` is it already. A port in use that may move: the next free one, up to 10 further, and `onFallback` is told.
 *
 * @throws CommandFailure with exit code 4
 */
export async function listen(
  app: App,
  sockets: SocketEnd,
  config: Config,
  options: ListenOptions,
): Promise<LocalServer> {
  const { sharedPort, intercept, held, onFallback } = options;
  const { host, port, baseUrl } = config.serve;
  const first = intercept && belowPrefix(intercept, prefixOf(baseUrl));
  const limits = limitsOf(config);
  const at = (candidate: number) =>
    serveLocal(app, { host, port: candidate, sharedPort, held, limits, sockets, intercept: first });
  const server = held === undefined ? await firstFree(config, options, at) : await at(held.port);
  if (port !== 0 && server.port !== port) onFallback(port, server.port);
  return server;
}

/** Binds the configured address before anything that takes long, as `listen` does: its server takes it over. @throws CommandFailure with exit code 4 */
export async function hold(config: Config, options: PortOptions): Promise<HeldPort> {
  return await firstFree(config, options, (port) => holdPort(config.serve.host, port));
}

/** Looks whether a port that may not move is free, before anything that takes long. @throws CommandFailure with exit code 4 */
export async function checkPort(config: Config, options: PortOptions): Promise<void> {
  if (options.mayMove || config.serve.port === 0) return;
  await (await hold(config, options))[Symbol.asyncDispose]();
}

async function firstFree<T>(
  { serve: { host, port } }: Config,
  { mayMove, givenIn }: PortOptions,
  bind: (port: number) => Promise<T>,
): Promise<T> {
  const lastPort = !mayMove || port === 0 ? port : Math.min(port + nextPorts, 65_535);
  for (let candidate = port; ; candidate++) {
    try {
      return await bind(candidate);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && candidate < lastPort) continue;
      throw bindFailure({ host, port, last: candidate, givenIn }, code, error);
    }
  }
}

/** Tells that another port was taken (docs/server/commands.md#output). */
export function sayFallback(terminal: Terminal, isJson: boolean): (wanted: number, used: number) => void {
  return (wanted, used) => {
    if (isJson) terminal.out(`${JSON.stringify({ event: 'port_in_use', port: wanted, using: used })}\n`);
    else terminal.out(`Port ${wanted} is in use, using port ${used} instead\n`);
  };
}

function limitsOf({ serve }: Config) {
  return {
    maxUrlBytes: serve.maxUrlBytes,
    maxHeaderBytes: serve.maxHeaderBytes,
    maxConnections: connectionsWithin(serve.maxConnections),
    headersTimeoutMs,
    bodyTimeoutMs: serve.requestTimeoutSeconds * 1000,
    keepaliveMs: serve.keepaliveSeconds * 1000,
  };
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'not permitted; ports below 1024 need privileges',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
};

interface Tried {
  readonly host: string;
  readonly port: number;
  readonly last: number;
  readonly givenIn: string;
}

function bindFailure({ host, port, last, givenIn }: Tried, code: string | undefined, error: unknown): unknown {
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error;
  const tried = last === port ? '' : ` (tried ${port} to ${last})`;
  const where =
    givenIn === '' ? [] : [`${port} is the port of ${givenIn.startsWith('environment') ? 'the ' : ''}${givenIn}`];
  const other = `svc start --port ${port === 65_535 ? 8000 : port + 1} takes another one, --port 0 any that is free`;
  const hints = code === 'EADDRINUSE' ? [...where, other] : [];
  return new CommandFailure(exitCodes.cannotBind, `cannot listen on ${host}:${port}`, reason + tried, hints);
}
