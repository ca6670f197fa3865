/** Functions that an application needs (docs/server/cloud.md#resources). */
import type { Config } from '../../core/config/config.ts';
import type { Program } from '../../core/program/program.ts';

/**
 * Names of the functions in the order they are listed everywhere. Each is an archive of its own; the sweeper runs no
 * program.
 */
export const functionNames = ['http', 'stream', 'webhook', 'websocket', 'live', 'sweeper'] as const;
export type FunctionName = (typeof functionNames)[number];

export interface Needs {
  readonly hasWebhooks: boolean;
  readonly hasSockets: boolean;
  /** Live subscriptions and topics. */
  readonly hasLive: boolean;
  /** An address that streams is asked for. */
  readonly streams: boolean;
  /** Pages, of which the artifact bucket keeps the files of earlier versions. */
  readonly hasPages: boolean;
  /** The graph and the accounts are in a table of the stack. */
  readonly hasGraphTable: boolean;
}

/**
 * Gives the needs of a program by its declarations; one that is not known may need everything. `usesTopics`: it names the functions of topics
 * (docs/server/cloud.md#live). `hasPages`: it has a browser half.
 */
export function needsOf(
  program: Pick<Program, 'walkers' | 'functions'> | undefined,
  { scale }: Config,
  { usesTopics, hasPages }: { readonly usesTopics: boolean; readonly hasPages: boolean },
): Needs {
  const { store, databaseUrl, docdbUri } = scale.database;
  const serves = (protocol: string) =>
    program === undefined || [...program.walkers, ...program.functions].some(({ rest }) => rest.protocol === protocol);
  const hasLive = usesTopics || scale.cloud.live;
  return {
    hasWebhooks: serves('WEBHOOK'),
    hasSockets: hasLive || serves('WEBSOCKET'),
    hasLive,
    streams: scale.cloud.streamFunctionUrl,
    hasPages,
    hasGraphTable: store === '' ? databaseUrl === '' && docdbUri === '' : store !== 'docdb' && store !== 'postgres',
  };
}

/** The sweeper has connections to end, or commits to settle that broke off in the table of the graph. */
export function neededFunctions({ hasWebhooks, hasSockets, hasLive, streams, hasGraphTable }: Needs): FunctionName[] {
  const isNeeded: Readonly<Record<FunctionName, boolean>> = {
    http: true,
    stream: streams,
    webhook: hasWebhooks,
    websocket: hasSockets,
    live: hasLive,
    sweeper: hasSockets || hasGraphTable,
  };
  return functionNames.filter((name) => isNeeded[name]);
}
