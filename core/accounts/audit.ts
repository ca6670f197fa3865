import type { Log } from '../log/log.ts';
import type { Meters } from '../metrics/meters.ts';
import { identityDigest } from './identity-digest.ts';

/** Origin of a request, for audit records and per-address limits. */
export interface Origin {
  /** Client address after `trusted_proxies`. */
  readonly client: string;
  /** Name under which rate limits count the client: its address, or the network of an IPv6 address. */
  readonly clientKey: string;
  readonly requestId: string;
}

export type AuditAction =
  | 'register'
  | 'login'
  | 'refresh'
  | 'sso'
  | 'identity_link'
  | 'logout'
  | 'profile_change'
  | 'username_change'
  | 'password_change'
  | 'account_lock'
  | 'api_key_create'
  | 'api_key_revoke'
  | 'api_key_call'
  | 'webhook'
  | 'permission_change'
  | 'run_as';

export interface AuditSubject {
  readonly userId?: string | undefined;
  /** Normalised; written as a digest. */
  readonly identity?: string | undefined;
  /** Node or edge it is about. */
  readonly objectId?: string | undefined;
  /** Account in whose name the user had a call run. */
  readonly asUserId?: string | undefined;
}

/** Ways of signing in (docs/server/observability.md#metric-values). */
const countedActions: ReadonlySet<AuditAction> = new Set(['login', 'register', 'refresh', 'sso']);

export interface AuditDesk {
  readonly log: Log;
  readonly meters?: Meters | undefined;
}

/**
 * Writes and counts one audit record (docs/server/accounts.md#audit). Never holds passwords, tokens or keys; identities
 * only as digests.
 */
export function audit(
  { log, meters }: AuditDesk,
  action: AuditAction,
  outcome: string,
  subject: AuditSubject,
  origin: Origin,
): void {
  if (countedActions.has(action)) meters?.authEvent(action, outcome === 'created' ? 'success' : outcome);
  log.info(`${action} ${outcome}`, {
    audit: true,
    action,
    outcome,
    user_id: subject.userId,
    identity_hash: subject.identity === undefined ? undefined : identityDigest(subject.identity),
    object_id: subject.objectId,
    as_user_id: subject.asUserId,
    client: origin.client,
    request_id: origin.requestId,
  });
}
