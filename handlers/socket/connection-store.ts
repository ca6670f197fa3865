/**
 * The open sockets of an application whose connections no process of ours holds (docs/server/cloud.md#sockets): a port.
 * What has outlived its time is as good as gone, whether or not it has been deleted.
 */
import type { RateState } from './send-rate.ts';

export interface ConnectionRecord {
  /** The gateway's id of the connection. */
  readonly cid: string;
  /** Key of the target it was opened for. */
  readonly target: string;
  /** Null while nobody has signed in. */
  readonly userId: string | null;
  /** Session version, end (Unix seconds) and id of the token it was opened with; of an API key `key:` and its id, and zeros. */
  readonly sv: number | null;
  readonly exp: number | null;
  readonly jti: string | null;
  /** Unix milliseconds. */
  readonly connectedAt: number;
  readonly lastSeen: number;
  /** False until the first message has signed in, where that is needed. */
  readonly authenticated: boolean;
  readonly subprotocol: string | null;
  /** State of the connection's rate limit: the tokens left. */
  readonly rate: RateState;
}

export interface SignIn {
  readonly userId: string;
  readonly sv: number;
  readonly exp: number;
  readonly jti: string;
}

/** Changes that one message makes to the record of its connection. */
export interface Used {
  readonly rate: RateState;
  readonly lastSeen: number;
}

export interface ConnectionStore {
  /** A new connection. */
  add(record: ConnectionRecord): Promise<void>;
  find(cid: string): Promise<ConnectionRecord | undefined>;
  /** Somebody signed in on it, or renewed the token. False when it is not there. */
  signIn(cid: string, who: SignIn): Promise<boolean>;
  /** False when it was not there. */
  remove(cid: string): Promise<boolean>;
  /** Connections of a target, in pages; those of the last moment may be missing. */
  ofTarget(target: string): AsyncIterable<readonly ConnectionRecord[]>;
  ofUser(userId: string): AsyncIterable<readonly ConnectionRecord[]>;
  /** Every connection there is a record of, expired ones too: for sweeping. */
  all(): AsyncIterable<readonly ConnectionRecord[]>;
  /**
   * Lets one message of a connection run at a time: the connection when `holder` has it now, for at most 30 seconds. Asked again by the same
   * holder it begins anew. Undefined while another one has it, or when the connection is not there.
   */
  lock(cid: string, holder: string): Promise<ConnectionRecord | undefined>;
  /** Lets the next one run, noting what the message has used. Nothing happens when somebody else has the lock. */
  unlock(cid: string, holder: string, used?: Used): Promise<void>;
  close(): Promise<void>;
}

/** Longer than the gateway lets a connection live (docs/cloud.md#what-is-different-there). */
export const connectionLifeSeconds = 7800;
export const sequenceLockMs = 30_000;
