import type { Origin } from '../../core/accounts/audit.ts';
import { limitKey } from '../client-address.ts';
import type { RouteContext } from '../routes.ts';

/** Gives the origin of a request for audit records and limits. */
export function originOf({ client, requestId }: Pick<RouteContext, 'client' | 'requestId'>): Origin {
  return { client, clientKey: limitKey(client), requestId };
}
