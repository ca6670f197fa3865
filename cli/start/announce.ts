import type { LocalServer } from '../../adapters/hosts/local/serve.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { isLoopback } from '../../core/config/secret-warnings.ts';
import type { Log } from '../../core/log/log.ts';
import type { ServedTarget } from '../../handlers/served-targets.ts';
import { storeName } from '../program/open-stores.ts';
import { version } from '../version.ts';
import { banner, countsText, type TargetCounts } from './banner.ts';
import { networkUrls } from './network-urls.ts';
import type { Version } from './open-version.ts';
import type { StartJob } from './start-job.ts';

/** Facts that are printed about a server that answers. Plain data: workers tell it their primary process. */
export interface ReadyFacts {
  readonly port: number;
  readonly store: string;
  /** Cache of copies of records; absent when there is none. */
  readonly cache?: string | undefined;
  readonly targets: TargetCounts;
}

export function factsOf(server: LocalServer, stores: Stores, { app, program }: Version): ReadyFacts {
  return {
    port: server.port,
    store: stores.name,
    cache: stores.cache,
    targets: countTargets(app.routes.targets, program.internal.length),
  };
}

export interface Announcement {
  readonly job: StartJob;
  readonly log: Log;
  readonly facts: ReadyFacts;
}

/** Says that the server answers: the banner, one line of JSON, or in production one log record (docs/server/commands.md#output). */
export function announceReady({ job, log, facts }: Announcement): void {
  const { config, terminal, isJson } = job;
  const { port, targets: counts } = facts;
  const { mode, project } = config;
  const localUrl = localAddress(config.serve.host, port);
  const readyMs = terminal.elapsedMs();
  if (isJson) {
    const line = {
      event: 'ready',
      url: localUrl,
      port,
      pid: process.pid,
      mode,
      store: facts.store,
      ...(job.emulates === undefined ? {} : { emulating: job.emulates }),
    };
    terminal.out(`${JSON.stringify(line)}\n`);
    return;
  }
  if (mode === 'production') {
    const fields = { version, app: project.name, app_version: project.version, url: localUrl, store: facts.store };
    log.info(`server ready: ${countsText(counts)}`, { ...fields, port, ready_ms: Math.round(readyMs) });
    return;
  }
  if (mode === 'test') {
    terminal.out(`  Server ready in ${Math.round(readyMs)} ms\n`);
    return;
  }
  const store = facts.store === 'memory' ? facts.store : storeName(config, terminal);
  const shownStore = facts.store === 'sqlite' ? `sqlite (${store})` : store;
  const text = banner({
    version,
    mode,
    app: project,
    counts,
    store: shownStore,
    cache: facts.cache ?? 'off',
    live: isLookedFor(facts.store, config) ? 'commits of other processes show within a second' : undefined,
    port,
    localUrl,
    networkUrls: networkUrls(config.serve.host, port),
    hasDocs: config.serve.docsEnabled,
    emulating: job.emulates,
    readyMs,
  });
  terminal.out(`${text}\n`);
}

/** A database of the network that carries no notices, without a key-value store: nobody tells of commits (docs/server/live.md#several-processes). */
function isLookedFor(store: string, { scale }: Config): boolean {
  return !['sqlite', 'memory', 'postgres'].includes(store) && scale.database.kvcacheUrl === '';
}

function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || isLoopback(host);
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function countTargets(targets: readonly ServedTarget[], internal: number): TargetCounts {
  const count = (matches: (target: ServedTarget) => boolean) => targets.filter(matches).length;
  return {
    walkers: count(({ kind, rest }) => kind === 'walker' && rest.protocol === 'HTTP'),
    functions: count(({ kind, rest }) => kind === 'function' && rest.protocol === 'HTTP'),
    webhooks: count(({ rest }) => rest.protocol === 'WEBHOOK'),
    websockets: count(({ rest }) => rest.protocol === 'WEBSOCKET'),
    internal,
  };
}
