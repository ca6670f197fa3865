/**
 * A table in place of notifications, where there are none: a pooler lends each transaction another connection, and some
 * databases do not know LISTEN (decisions/0736). Whoever tells something numbers it while nobody else can, so that
 * numbers become visible in their order, and a reader asks for those behind the last one it has.
 */
import type { Cells, Values } from '../stores/postgres/line.ts';

const now = 'extract(epoch FROM clock_timestamp()) * 1000';

/** The row 0 holds the last number, in place of a time. */
const tables = [
  "SELECT pg_advisory_xact_lock(hashtext('svc_told'))",
  'CREATE UNLOGGED TABLE IF NOT EXISTS svc_told (n int8 PRIMARY KEY, channel text NOT NULL, told text NOT NULL, at float8 NOT NULL)',
  "INSERT INTO svc_told (n, channel, told, at) VALUES (0, '', '', 0) ON CONFLICT DO NOTHING",
];

/** Common table expressions and the statement that tell the rows `(ord, told)` of an expression before them. */
export const tellRows = (rows: string, channel: string): string =>
  `told_at AS (UPDATE svc_told SET at = at + (SELECT count(*) FROM ${rows}) WHERE n = 0 RETURNING at) ` +
  `INSERT INTO svc_told (n, channel, told, at) SELECT t.at - c.all_rows + r.nth, ${channel}, r.told, ${now} FROM told_at AS t, ` +
  `(SELECT count(*) AS all_rows FROM ${rows}) AS c, (SELECT told, row_number() OVER (ORDER BY ord) AS nth FROM ${rows}) AS r`;

const tell = `WITH rows AS (SELECT told, ord FROM json_array_elements_text($2::json) WITH ORDINALITY AS given(told, ord)), ${tellRows('rows', '$1::text')}`;
const last = 'SELECT at::int8 FROM svc_told WHERE n = 0';
const behind = 'SELECT n, channel, told FROM svc_told WHERE n > $1::int8 ORDER BY n LIMIT 1000';
const sweep = `DELETE FROM svc_told WHERE n > 0 AND at < ${now} - 60000`;

/** Milliseconds between two looks. */
const lookMs = 100;
const sweepMs = 60_000;

/** The connection that tells, of which there is always the present one. */
export interface Speaker {
  ask(text: string, values: Values): Promise<readonly Cells[]>;
  together(asked: readonly (readonly [text: string, values: Values])[]): Promise<readonly (readonly Cells[])[]>;
}

export interface Told {
  tell(channel: string, texts: readonly string[]): Promise<unknown>;
  close(): void;
}

/** Calls `hear` with all that is told from now on, in one order for all processes. */
export async function openTold(
  { ask, together }: Speaker,
  hear: (channel: string, text: string) => void,
): Promise<Told> {
  const answers = await together([...tables, last].map((text) => [text, []] as const));
  let seen = Number(answers.at(-1)![0]![0]);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sweptMs = performance.now();
  const look = async (): Promise<void> => {
    const found = await ask(behind, [seen]);
    for (const [n, channel, text] of found) {
      seen = Number(n);
      hear(channel!, text!);
    }
    if (performance.now() - sweptMs < sweepMs) return;
    sweptMs = performance.now();
    await ask(sweep, []);
  };
  const next = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      // A look that fails now is done again the next time.
      void look()
        .catch(() => {})
        .then(next);
    }, lookMs).unref();
  };
  next();
  return {
    tell: (channel, texts) => ask(tell, [channel, JSON.stringify(texts)]),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
