/** Sessions with their transactions, and what a repeated write was answered. */
import { Timestamp } from 'bson';
import { type Clock, type Collection, type Entry, idText, type Transaction } from './collection.ts';
import { noSuchTransaction, Refusal } from './failure.ts';
import type { Doc } from './wire.ts';

interface OpenTransaction extends Transaction {
  readonly collections: Map<Entry, Collection>;
  readonly end: () => void;
  readonly timer: NodeJS.Timeout;
}

interface Session {
  number: number;
  transaction: OpenTransaction | undefined;
  state: 'open' | 'committed' | 'aborted';
  /** Moment that a session for reading holds. */
  moment: number | undefined;
  /** Replies to writes that may come again, by their number. */
  answered: { readonly number: number; readonly reply: Doc } | undefined;
}

export interface Sessions {
  /** The transaction a command belongs to, or the moment it reads; undefined for one without. @throws Refusal */
  of(command: Doc): Transaction | undefined;
  /** Notes a write of a transaction. */
  note(transaction: Transaction, entry: Entry, collection: Collection): void;
  commit(command: Doc): void;
  abort(command: Doc): void;
  abortAll(): void;
  end(ids: readonly Doc[]): void;
  /** The reply to a write that is repeated. */
  answered(command: Doc): Doc | undefined;
  remember(command: Doc, reply: Doc): void;
  /** With the moment that was read, where the command did not say it. */
  dated(command: Doc, reply: Doc): Doc;
  /** Gives the oldest moment that an open transaction or a held session may still see. */
  oldest(): number;
  readonly open: number;
}

export function createSessions(clock: Clock, lifeMs: () => number): Sessions {
  const sessions = new Map<string, Session>();
  const sessionOf = (command: Doc): Session => {
    const id = idText(command['lsid']?.id);
    let session = sessions.get(id);
    if (session === undefined) {
      session = { number: -1, transaction: undefined, state: 'aborted', moment: undefined, answered: undefined };
      sessions.set(id, session);
    }
    return session;
  };
  const close = (session: Session, state: 'committed' | 'aborted') => {
    const { transaction } = session;
    session.transaction = undefined;
    session.state = state;
    if (transaction === undefined) return;
    clearTimeout(transaction.timer);
    const at = state === 'committed' ? ++clock.now : 0;
    for (const entry of transaction.entries) {
      const { pending } = entry;
      entry.holder = undefined;
      entry.pending = undefined;
      if (state === 'committed') transaction.collections.get(entry)!.apply(entry, pending, at);
    }
    transaction.end();
  };
  const begin = (session: Session, number: number): OpenTransaction => {
    close(session, 'aborted');
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(() => close(session, 'aborted'), lifeMs()).unref();
    const transaction = { seesUntil: clock.now, entries: new Set<Entry>(), collections: new Map(), ended, end, timer };
    Object.assign(session, { number, transaction, state: 'open' });
    return transaction;
  };
  const momentOf = (command: Doc): Transaction | undefined => {
    const { level, atClusterTime } = command['readConcern'] ?? {};
    if (level !== 'snapshot' && atClusterTime !== undefined)
      throw new Refusal(72, 'InvalidOptions', 'atClusterTime is only for readConcern level snapshot');
    if (level !== 'snapshot') return undefined;
    const at = atClusterTime === undefined ? clock.now : (atClusterTime as Timestamp).t;
    sessionOf(command).moment = at;
    return { seesUntil: at, entries: new Set(), ended: Promise.resolve() };
  };
  const numberOf = (command: Doc) => Number(command['txnNumber']);
  return {
    of(command) {
      if (command['autocommit'] !== false) return momentOf(command);
      const session = sessionOf(command);
      const number = numberOf(command);
      if (command['startTransaction'] === true) {
        if (number <= session.number) throw new Refusal(225, 'TransactionTooOld', 'a newer transaction has begun');
        return begin(session, number);
      }
      if (number !== session.number || session.transaction === undefined) throw noSuchTransaction();
      return session.transaction;
    },
    note(transaction, entry, collection) {
      (transaction as OpenTransaction).collections.set(entry, collection);
    },
    commit(command) {
      const session = sessionOf(command);
      if (numberOf(command) !== session.number) throw noSuchTransaction();
      if (session.state === 'committed') return;
      if (session.transaction === undefined) throw noSuchTransaction();
      close(session, 'committed');
    },
    abort(command) {
      const session = sessionOf(command);
      if (numberOf(command) !== session.number || session.transaction === undefined) throw noSuchTransaction();
      close(session, 'aborted');
    },
    abortAll() {
      for (const session of sessions.values()) close(session, session.state === 'open' ? 'aborted' : session.state);
    },
    end(ids) {
      for (const { id } of ids) {
        const session = sessions.get(idText(id));
        if (session?.state === 'open') close(session, 'aborted');
        sessions.delete(idText(id));
      }
    },
    answered(command) {
      if (command['txnNumber'] === undefined || command['autocommit'] === false) return undefined;
      const { answered } = sessionOf(command);
      return answered?.number === numberOf(command) ? answered.reply : undefined;
    },
    remember(command, reply) {
      if (command['txnNumber'] === undefined || command['autocommit'] === false) return;
      sessionOf(command).answered = { number: numberOf(command), reply };
    },
    dated(command, reply) {
      const { level, atClusterTime } = command['readConcern'] ?? {};
      if (level !== 'snapshot' || command['autocommit'] === false || reply['cursor'] === undefined) return reply;
      const at = atClusterTime ?? new Timestamp({ t: sessionOf(command).moment!, i: 1 });
      return { ...reply, cursor: { ...reply['cursor'], atClusterTime: at } };
    },
    oldest() {
      let oldest = clock.now;
      for (const { transaction, moment } of sessions.values())
        oldest = Math.min(oldest, transaction?.seesUntil ?? oldest, moment ?? oldest);
      return oldest;
    },
    get open() {
      return [...sessions.values()].filter(({ transaction }) => transaction !== undefined).length;
    },
  };
}
