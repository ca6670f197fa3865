import { type AuditDesk, audit } from '../../core/accounts/audit.ts';
import { oid } from '../../core/graph/lookup.ts';
import type { GraphObject } from '../../core/graph/objects.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import { originOf } from './origin-of.ts';

/** Leaves a record of access rules that a call changed (docs/server/accounts.md#audit), one for each object. */
export function createRulesAudit(desk: AuditDesk, clients: ClientAddresses) {
  return ({ call, requestId, caller }: Exchange, objects: ReadonlySet<GraphObject>): void => {
    const origin = originOf({ client: clients.address(call), requestId });
    const userId = caller?.userId ?? undefined;
    for (const object of objects)
      audit(desk, 'permission_change', 'success', { userId, objectId: oid(object) }, origin);
  };
}
