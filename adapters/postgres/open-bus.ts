/**
 * Notifications of PostgreSQL as the bus between processes of one application (docs/server/stores.md#postgresql): a connection listens, another one
 * sends the texts of a turn as one statement. Where notifications do not come back, a table takes their place (`told.ts`).
 */
import { createHash, randomUUID } from 'node:crypto';
import { backOff } from '../../base/back-off.ts';
import type { Log } from '../../core/log/log.ts';
import { readAddress } from '../stores/postgres/address.ts';
import { type Cells, createLines, type Line, type Lines, statement, type Values } from '../stores/postgres/line.ts';
import { openTold, type Told } from './told.ts';

export interface BusOptions {
  readonly url: string;
  /** Names the application: those of one database may be several. */
  readonly application: string;
  readonly log: Log;
  readonly connectTimeoutMs?: number;
  readonly operationTimeoutMs?: number;
  /** Milliseconds after which a notification to oneself will not come any more. */
  readonly deafMs?: number;
}

export interface Bus {
  /** Resolves when it is known how processes hear each other: true when by the table of `told.ts`. */
  isByTable(): Promise<boolean>;
  /** False while what others tell does not arrive. */
  readonly isListening: boolean;
  /** Calls with what any process has told, this one included. */
  hear(listener: (text: string) => void): void;
  /** Calls with what statements notify on `topicChannel`. */
  hearTopics(listener: (text: string) => void): void;
  readonly topicChannel: string;
  /** In the order of the calls. Rejects when it could not be handed over. Texts of at most `longestTold` bytes, each one different. */
  tell(texts: readonly string[]): Promise<void>;
  /** Any other statement, on the connection that tells. */
  ask(text: string, values: Values): Promise<readonly (readonly (string | null)[])[]>;
  /** The same for several as one transaction, in one round trip. */
  together(asked: readonly (readonly [text: string, values: Values])[]): Promise<readonly (readonly Cells[])[]>;
  /** Calls `listener` each time the database can be reached again. */
  onBack(listener: () => void): void;
  close(): Promise<void>;
}

/** The server takes 8,000 bytes in a notification. */
export const longestTold = 7900;

const notify = statement('SELECT count(pg_notify($1::text, told)) FROM json_array_elements_text($2::json) AS told');
const longestPauseMs = 2000;
/** A connection that only listens says nothing when its other end is gone: it is asked now and then. */
const probeMs = 15_000;

/**
 * Resolves when the database answered, or could not be reached for a first time; then it is tried again in the background. While it is away
 * everything is refused at once.
 */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { connectTimeoutMs = 5000, operationTimeoutMs = 5000, deafMs = 3000, application, log } = options;
  const address = readAddress(options.url);
  const lines = await createLines({ address, connectTimeoutMs, operationTimeoutMs });
  const channel = `svc_${createHash('sha256').update(application).digest('hex').slice(0, 24)}`;
  const topicChannel = `${channel}_topics`;
  const listeners = new Set<(text: string) => void>();
  const topicListeners = new Set<(text: string) => void>();
  const trialChannel = `${channel}_trial`;
  const own = randomUUID();
  let isHeard = false;
  let deafness: NodeJS.Timeout | undefined;
  let told: Told | undefined;
  let decide: (isByTable: boolean) => void = () => {};
  const way = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const backs = new Set<() => void>();
  let ear: Line | undefined;
  let mouth: Line | undefined;
  let isClosed = false;
  let isAway = false;
  const hear = (from: string, text: string) => {
    if (from === trialChannel) {
      // A pooler may give what one process listens for to another one.
      if (text !== own || told !== undefined) return;
      isHeard = true;
      decide(false);
      flush();
    } else for (const listener of from === topicChannel ? topicListeners : listeners) listener(text);
  };
  const away = (error: unknown) => {
    if (!isAway && !isClosed)
      log.error('the database cannot be reached: broadcasts stay in this process', { error: String(error) });
    isAway = true;
  };
  const speaking = (): Line => {
    if (mouth === undefined) throw new Error('the database cannot be reached');
    return mouth;
  };
  const ask: Bus['ask'] = async (text, values) => speaking().ask(statement(text), values);
  const together: Bus['together'] = async (asked) =>
    speaking().together(asked.map(([text, values]) => ({ statement: statement(text), values })));
  let waiting: {
    readonly texts: readonly string[];
    readonly resolve: () => void;
    readonly reject: (e: unknown) => void;
  }[] = [];
  const isUndecided = () => !isHeard && told === undefined;
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    if (all.length === 0) return;
    const texts = all.flatMap((one) => one.texts);
    const sent = async () =>
      told === undefined ? speaking().ask(notify, [channel, JSON.stringify(texts)]) : told.tell(channel, texts);
    sent().then(
      () => {
        for (const { resolve } of all) resolve();
      },
      (error) => {
        for (const { reject } of all) reject(error);
      },
    );
  };
  const send = (): void => {
    // The first ones wait until it is known how others hear them.
    if (mouth === undefined || !isUndecided()) flush();
  };
  /** Poolers give a connection to another one between two statements: then LISTEN is without effect, and nobody says so. */
  const tryHearing = (line: Line): void => {
    line.ask(notify, [trialChannel, JSON.stringify([own])]).catch(() => {});
    clearTimeout(deafness);
    deafness = setTimeout(() => {
      if (!isHeard && ear !== undefined) lookInstead().catch(away);
    }, deafMs).unref();
  };
  const lookInstead = async (): Promise<void> => {
    const isFirst = told === undefined;
    told?.close();
    told = await openTold({ ask, together }, hear);
    if (isClosed) told.close();
    decide(true);
    flush();
    if (!isFirst) return;
    log.warn('the database delivers no notifications: processes look for what others have told', {
      hint: 'set DATABASE_URL to the server itself instead of a pooler, or KVCACHE_URL',
    });
  };
  const open = async (): Promise<void> => {
    const opened = await openPair(lines, [channel, topicChannel, trialChannel], hear);
    if (isClosed) {
      await Promise.all(opened.map((line) => line.end()));
      return;
    }
    [ear, mouth] = opened;
    const lost = (): void => {
      if (ear === undefined) return;
      ear = undefined;
      mouth = undefined;
      flush();
      void Promise.all(opened.map((line) => line.end()));
      away('the connection was lost');
      reopen().catch(away);
    };
    for (const line of opened) line.onEnd(lost);
    if (isAway) log.info('the database is back: broadcasts reach all processes');
    isAway = false;
    // A server that has crashed comes back with an empty table.
    if (told !== undefined || lines.isBounced) await lookInstead();
    else if (!isHeard) tryHearing(opened[1]);
    for (const back of backs) back();
  };
  const reopen = async (): Promise<void> => {
    for (let attempt = 0; !isClosed; attempt++) {
      try {
        await open();
        return;
      } catch (error) {
        away(error);
      }
      await backOff(Math.min(attempt, 8), { firstMs: 50, mostMs: longestPauseMs });
    }
  };
  const probing = setInterval(() => {
    ear?.ask(statement('SELECT 1'), []).catch(() => {});
  }, probeMs).unref();
  await open().catch((error) => {
    away(error);
    reopen().catch(away);
  });
  return {
    get isListening() {
      return ear !== undefined;
    },
    hear: (listener) => void listeners.add(listener),
    hearTopics: (listener) => void topicListeners.add(listener),
    topicChannel,
    tell: (texts) =>
      new Promise((resolve, reject) => {
        // Those of one turn leave together; the connection keeps their order.
        if (waiting.push({ texts, resolve, reject }) === 1) setImmediate(send);
      }),
    ask,
    together,
    isByTable: async () => (isUndecided() ? await way : told !== undefined),
    onBack: (listener) => void backs.add(listener),
    async close() {
      isClosed = true;
      clearInterval(probing);
      clearTimeout(deafness);
      told?.close();
      flush();
      await Promise.all([ear, mouth].map((line) => line?.end()));
    },
  };
}

async function openPair(
  lines: Lines,
  channels: readonly string[],
  hear: (channel: string, text: string) => void,
): Promise<readonly [Line, Line]> {
  const ear = await lines.open();
  try {
    const mouth = await lines.open();
    await ear.listen(channels, hear);
    return [ear, mouth];
  } catch (error) {
    await ear.end();
    throw error;
  }
}
