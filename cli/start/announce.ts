import process from 'node:process';
import type { LocalServer } from '../../adapters/hosts/local/serve.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { isLoopback } from '../../core/config/secret-warnings.ts';
import type { Log } from '../../core/log/log.ts';
import type { ServedTarget } from '../../handlers/http/served-target.ts';
import { storeFile, storeName } from '../program/open-stores.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { banner, countsText, type TargetCounts } from './banner.ts';
import { networkUrls } from './network-urls.ts';

export interface Announcement {
  readonly config: Config;
  readonly server: LocalServer;
  readonly stores: Stores;
  readonly targets: readonly ServedTarget[];
  readonly terminal: Terminal;
  readonly log: Log;
  readonly isJson: boolean;
  readonly emulates: boolean;
}

/** Says that the server answers: the banner, one line of JSON, or in production one log record (server.md 3.2). */
export function announceReady({
  config,
  server,
  stores,
  targets,
  terminal,
  log,
  isJson,
  emulates,
}: Announcement): void {
  const { port } = server;
  const { mode, project } = config;
  const localUrl = localAddress(config.serve.host, port);
  const readyMs = terminal.elapsedMs();
  const counts = countTargets(targets);
  if (isJson) {
    const line = {
      event: 'ready',
      url: localUrl,
      port,
      pid: process.pid,
      mode,
      store: stores.name,
      ...(emulates ? { emulating: 'cloud' } : {}),
    };
    terminal.out(`${JSON.stringify(line)}\n`);
    return;
  }
  if (mode === 'production') {
    const fields = { version, app: project.name, app_version: project.version, url: localUrl, store: stores.name };
    log.info(`server ready: ${countsText(counts)}`, { ...fields, port, ready_ms: Math.round(readyMs) });
    return;
  }
  if (mode === 'test') {
    terminal.out(`  Server ready in ${Math.round(readyMs)} ms\n`);
    return;
  }
  const store = describeStore(stores, config, terminal);
  const text = banner({
    version,
    mode,
    app: project,
    counts,
    store,
    cache: 'off',
    port,
    localUrl,
    networkUrls: networkUrls(config.serve.host, port),
    hasDocs: config.serve.docsEnabled,
    emulating: emulates ? 'cloud' : undefined,
    readyMs,
  });
  terminal.out(`${text}\n`);
}

function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || isLoopback(host);
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function countTargets(targets: readonly ServedTarget[]): TargetCounts {
  const count = (matches: (target: ServedTarget) => boolean) => targets.filter(matches).length;
  return {
    walkers: count(({ kind, rest }) => kind === 'walker' && rest.protocol === 'HTTP'),
    functions: count(({ kind, rest }) => kind === 'function' && rest.protocol === 'HTTP'),
    webhooks: count(({ rest }) => rest.protocol === 'WEBHOOK'),
    websockets: count(({ rest }) => rest.protocol === 'WEBSOCKET'),
  };
}

function describeStore({ name }: Stores, config: Config, terminal: Terminal): string {
  if (name === 'memory') return name;
  return name === 'sqlite' ? `sqlite (${storeFile(config, terminal)})` : storeName(config, terminal);
}
