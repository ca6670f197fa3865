/** Live subscriptions and topics of functions; in archives of programs that use them (docs/server/cloud.md#live). */
import { openRows } from '../../adapters/stores/connections.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Meters } from '../../core/metrics/meters.ts';
import { maxMessageBytes } from '../../core/platforms/aws-limits.ts';
import { createLiveTable, type LiveTable, type LiveTableParts } from '../../handlers/table/live-table.ts';
import type { RowTable } from '../../handlers/table/rows.ts';
import { createTableSender } from '../../handlers/table/table-sender.ts';
import type { VersionParts } from '../start/open-version.ts';

export interface FunctionLive {
  readonly topics: NonNullable<VersionParts['topics']>;
  open(parts: Omit<LiveTableParts, 'table' | 'config' | 'maxFrameBytes' | 'log' | 'meters'>): LiveTable;
}

/** @throws Failure `SERVICE_UNAVAILABLE` when the table is missing or does not answer */
export async function openLive(config: Config, log: Log, meters: Meters | undefined): Promise<FunctionLive> {
  return liveOn(await openRows(config, true), config, log, meters);
}

export function liveOn(table: RowTable, config: Config, log: Log, meters: Meters | undefined): FunctionLive {
  const common = { table, config, maxFrameBytes: maxMessageBytes, log, meters };
  return {
    // A call is answered as a whole: it cannot become the stream of a topic.
    topics: { board: createTableSender(common), streamsFor: () => undefined },
    open: (parts) => createLiveTable({ ...common, ...parts }),
  };
}
