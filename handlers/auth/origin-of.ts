import type { Origin } from '../../core/accounts/audit.ts';
import { limitKey } from '../client-address.ts';
import type { RouteContext } from '../routes.ts';

/** Where a request came from, as audit records and limits know it. */
export function originOf({ client, requestId }: Pick<RouteContext, 'client' | 'requestId'>): Origin {
  return { client, clientKey: limitKey(client), requestId };
}
