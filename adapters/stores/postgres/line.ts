/** One connection to the server that can be written (docs/server/stores.md#postgresql). The driver is loaded when a store is opened, never before. */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Client, ClientConfig } from 'pg';
import { Failure } from '../../../core/errors.ts';
import { type Address, type Place, tlsOf } from './address.ts';
import { type Answered, createAsking, type Part } from './asking.ts';
import { hasNoTls, isBouncer, isGone } from './trouble.ts';

/** A statement the server prepares once for each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Values for `$1`, `$2`, … of a statement. */
export type Values = readonly (string | number | boolean | null)[];

/** Columns as the server writes them. */
export type Cells = readonly (string | null)[];

export interface Asked {
  readonly statement: Statement;
  readonly values: Values;
}

export interface Line {
  ask(statement: Statement, values: Values): Promise<readonly Cells[]>;
  /** All of it as one transaction, sent at once: one round trip. */
  together(asked: readonly Asked[]): Promise<readonly (readonly Cells[])[]>;
  /** Statements without an answer yet. */
  readonly waiting: number;
  readonly isOpen: boolean;
  /** Calls with the name and the text of each notification of the server. */
  listen(channels: readonly string[], hear: (channel: string, text: string) => void): Promise<void>;
  /** Called once, when the connection is no longer of use. */
  onEnd(ended: () => void): void;
  end(): Promise<void>;
}

export interface LineOptions {
  readonly address: Address;
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  /** Called with each round trip before it begins. */
  readonly onTrip?: ((statements: number) => void) | undefined;
}

export interface Lines {
  /** @throws the error of the last host when none of them takes a connection that can write */
  open(): Promise<Line>;
  /** True when a pooler was noticed or named: a connection is another one after each transaction. */
  readonly isBounced: boolean;
}

export function statement(text: string): Statement {
  return { name: `svc_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, text };
}

const begin: Asked = { statement: statement('BEGIN ISOLATION LEVEL READ COMMITTED'), values: [] };
const commit: Asked = { statement: statement('COMMIT'), values: [] };

/** Every statement of a store finds its records by an index, whatever the server counted when it was prepared. */
const planning = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'jit=off'];

/** Facts about the server that the connections of a store have found out. */
interface Found {
  /** The host that took the last connection comes first. */
  first: number;
  hasTls: boolean;
  /** True when PgBouncer lends each transaction another connection of the server. */
  isBounced: boolean;
}

export async function createLines(options: LineOptions): Promise<Lines> {
  const { address } = options;
  const driver = await loadDriver();
  const bounced = ['true', '1'].includes(address.parameters.get('pgbouncer') ?? '');
  const found: Found = { first: 0, hasTls: true, isBounced: bounced };
  return {
    get isBounced() {
      return found.isBounced;
    },
    async open() {
      let last: unknown = new Error('no host is named');
      const { places } = address;
      for (let i = 0; i < places.length; i++) {
        const at = (found.first + i) % places.length;
        try {
          const line = await openAt(driver, options, places[at]!, found);
          found.first = at;
          return line;
        } catch (error) {
          last = error;
        }
      }
      throw last;
    },
  };
}

type Driver = typeof import('pg');

async function loadDriver(): Promise<Driver> {
  try {
    const { default: driver } = await import('pg');
    return driver as never;
  } catch (cause) {
    throw new Failure('SERVICE_UNAVAILABLE', 'the package pg is not installed: npm install pg', { cause });
  }
}

/** Learns what the server does not take, and does without. */
async function openAt(driver: Driver, options: LineOptions, place: Place, found: Found): Promise<Line> {
  for (;;) {
    try {
      return await connect(driver, options, place, found);
    } catch (error) {
      if (found.hasTls && options.address.sslmode === 'prefer' && hasNoTls(error)) found.hasTls = false;
      else if (!found.isBounced && isBouncer(error)) found.isBounced = true;
      else throw error;
    }
  }
}

async function connect(driver: Driver, options: LineOptions, place: Place, found: Found): Promise<Line> {
  const client = new driver.Client(configOf(options, place, found));
  let isOpen = true;
  const ends: (() => void)[] = [];
  const over = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const end of ends) end();
  };
  // Each statement that waits hears that the connection is gone; one of them ends it.
  let hasLeft = false;
  const leave = (): void => {
    over();
    if (hasLeft) return;
    hasLeft = true;
    void client.end().catch(() => {});
  };
  client.on('error', over);
  client.on('end', over);
  const ask = createAsking(driver, client);
  // A pooler hands on another connection after each transaction: there statements have no names.
  const isPrepared = !found.isBounced;
  /** Names of statements, and whether the server has said that they are prepared. */
  const known = new Map<string, boolean>();
  let waiting = 0;
  const watch = watchAnswers(options.operationTimeoutMs + 1000, () => {
    over();
    streamOf(client).destroy();
  });
  /** Until the server has said that a statement is prepared, others that ask the same have no name for it. */
  const partOf = ({ statement: { name, text }, values }: Asked): Part => {
    const isKnown = isPrepared ? known.get(name) : false;
    if (isKnown === true) return { name, text: undefined, values };
    if (isKnown === false) return { name: '', text, values };
    known.set(name, false);
    return { name, text, values };
  };
  const send = (asked: readonly Asked[]): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const parts = asked.map(partOf);
      if (waiting++ === 0) watch.begin();
      ask(parts, (error, answered) => {
        watch.heard(--waiting);
        for (const { name, text } of parts) {
          if (text === undefined || name === '') continue;
          if (error) known.delete(name);
          else known.set(name, true);
        }
        if (!error) {
          resolve(answered);
          return;
        }
        if (isGone(error)) leave();
        reject(error);
      });
    });
  const line: Line = {
    async ask(what, values) {
      options.onTrip?.(1);
      return (await send([{ statement: what, values }])).rows[0]!;
    },
    async together(asked) {
      options.onTrip?.(asked.length);
      const stream = streamOf(client);
      stream.cork();
      // After an error the server goes on behind the end of what had it: the transaction is over also then.
      const sent = [send([begin, ...asked]), send([commit])];
      stream.uncork();
      return answersOf(await Promise.allSettled(sent));
    },
    get waiting() {
      return waiting;
    },
    get isOpen() {
      return isOpen;
    },
    async listen(channels, hear) {
      client.on('notification', ({ channel: from, payload = '' }) => hear(from, payload));
      for (const channel of channels) await client.query(`LISTEN ${channel}`);
    },
    onEnd(ended) {
      if (isOpen) ends.push(ended);
      else ended();
    },
    async end() {
      over();
      await client.end().catch(() => {});
    },
  };
  try {
    await client.connect();
    // A server that only repeats another one cannot be written.
    const { rows } = await client.query({ text: 'SHOW transaction_read_only', rowMode: 'array' });
    if (rows[0]?.[0] === 'on') throw new Error('the server can only be read');
    return line;
  } catch (error) {
    await line.end();
    throw error;
  }
}

/** Statements sent together leave as one piece. */
function streamOf(client: Client): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}

/** Calls `hangs` when statements wait and nothing was heard for so long: the server's own limit ended nothing. */
function watchAnswers(mostMs: number, hangs: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let lastMs = 0;
  let open = 0;
  const look = (): void => {
    timer = undefined;
    if (open === 0) return;
    const restMs = lastMs + mostMs - performance.now();
    if (restMs <= 0) hangs();
    else timer = setTimeout(look, restMs);
  };
  return {
    begin() {
      lastMs = performance.now();
      open = 1;
      timer ??= setTimeout(look, mostMs);
      timer.ref();
    },
    heard(waiting: number) {
      lastMs = performance.now();
      open = waiting;
      // An idle connection does not keep the process alive.
      if (waiting === 0) timer?.unref();
    },
  };
}

function answersOf([sent, committed]: readonly PromiseSettledResult<Answered>[]): readonly (readonly Cells[])[] {
  for (const one of [sent!, committed!]) if (one.status === 'rejected') throw one.reason;
  if ((committed as PromiseFulfilledResult<Answered>).value.command !== 'COMMIT')
    throw new Error('the transaction was given up');
  return (sent as PromiseFulfilledResult<Answered>).value.rows.slice(1);
}

function configOf(options: LineOptions, { host, port }: Place, { hasTls, isBounced }: Found): ClientConfig {
  const { address, connectTimeoutMs, operationTimeoutMs } = options;
  const { database, user, password } = address;
  const own = address.parameters.get('options');
  const shared = {
    ...{ host, port, database, user, password, pipeline: true, keepAlive: true },
    ssl: hasTls ? tlsOf(address, host) : false,
    connectionTimeoutMillis: connectTimeoutMs,
  };
  if (isBounced) return shared as ClientConfig;
  return {
    ...shared,
    application_name: address.parameters.get('application_name') ?? 'svc',
    statement_timeout: operationTimeoutMs,
    options: [...planning.map((setting) => `-c ${setting}`), ...(own === undefined ? [] : [own])].join(' '),
  } as ClientConfig;
}
