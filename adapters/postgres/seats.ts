/** Sockets of all processes, counted in the database (docs/server/sockets.md#caps, docs/server/stores.md#postgresql). */
import type { Log } from '../../core/log/log.ts';
import { createDetour } from '../sharing/detour.ts';
import { createLentSeats, type LentSeats, type SeatOptions } from '../sharing/lent-seats.ts';
import type { Bus } from './open-bus.ts';

/** Seats are worth nothing after a crash: who holds one enters it again. Processes that make the table at once would fail. */
const tables = [
  "SELECT pg_advisory_xact_lock(hashtext('svc_seat'))",
  'CREATE UNLOGGED TABLE IF NOT EXISTS svc_seat (target text NOT NULL, seat text NOT NULL, who text NOT NULL, until float8 NOT NULL, PRIMARY KEY (target, seat))',
  'CREATE INDEX IF NOT EXISTS svc_seat_who ON svc_seat (target, who)',
];

const now = 'extract(epoch FROM clock_timestamp()) * 1000';
/** The row that whoever counts the seats of a target holds meanwhile. */
const lock =
  "INSERT INTO svc_seat (target, seat, who, until) VALUES ($1, '', '', 0) ON CONFLICT (target, seat) DO UPDATE SET until = 0";
const drop = `DELETE FROM svc_seat WHERE target = $1 AND seat <> '' AND until <= ${now}`;
const count = (more: string) => `(SELECT count(*) FROM svc_seat WHERE target = $1 AND seat <> ''${more})`;
const take =
  `INSERT INTO svc_seat (target, seat, who, until) SELECT $1, $2, $3, ${now} + $4::float8 ` +
  `WHERE ${count('')} < $5::float8 AND ${count(' AND who = $3')} < $6::float8 RETURNING 1`;
const move =
  `INSERT INTO svc_seat (target, seat, who, until) SELECT $1, $2, $3, ${now} + $4::float8 WHERE ${count(' AND who = $3')} < $5::float8 ` +
  'ON CONFLICT (target, seat) DO UPDATE SET who = excluded.who, until = excluded.until RETURNING 1';
const renew =
  `INSERT INTO svc_seat (target, seat, who, until) SELECT $1, seat, $2, ${now} + $3::float8 FROM json_array_elements_text($4::json) AS held(seat) ` +
  'ON CONFLICT (target, seat) DO UPDATE SET who = excluded.who, until = excluded.until';
const give = 'DELETE FROM svc_seat WHERE target = $1 AND seat = $2';
/** Seats of targets that nobody asks for any more. */
const sweep = `DELETE FROM svc_seat WHERE seat <> '' AND until <= ${now}`;

export function createPostgresSeats(
  bus: Pick<Bus, 'ask' | 'together' | 'onBack'>,
  log: Log,
  { lentMs = 60_000 }: SeatOptions = {},
): LentSeats {
  let made: Promise<unknown> | undefined;
  const prepare = () => {
    made ??= bus.together([...tables, sweep].map((text) => [text, []] as const)).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const whoIs = (userId: string | null) => (userId === null ? 'anonymous' : `user:${userId}`);
  /** Counts and enters as one step, whoever else does. */
  const alone = async (target: string, text: string, values: readonly (string | number)[]): Promise<boolean> => {
    await prepare();
    const key = keyOf(target);
    const answers = await bus.together([
      [lock, [key]],
      [drop, [key]],
      [text, [key, ...values]],
    ]);
    return answers.at(-1)!.length === 1;
  };
  return createLentSeats({
    lentMs,
    detour: createDetour(bus, log, 'socket caps', 'the database'),
    onBack: bus.onBack,
    book: {
      take: (target, userId, seat, mostOfTarget, mostOfUser) =>
        alone(target, take, [seat, whoIs(userId), lentMs, mostOfTarget, mostOfUser]),
      move: (target, _from, userId, seat, mostOfUser) => alone(target, move, [seat, whoIs(userId), lentMs, mostOfUser]),
      async renew(target, userId, seats) {
        await prepare();
        await bus.ask(renew, [keyOf(target), whoIs(userId), lentMs, JSON.stringify(seats)]);
      },
      give: async (target, _userId, seat) => void (await bus.ask(give, [keyOf(target), seat])),
    },
  });
}

/** Texts of the database hold no zero byte; names of targets may. */
function keyOf(target: string): string {
  return Buffer.from(target).toString('base64url');
}
