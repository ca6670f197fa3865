/** A store that ends with the process (`svc run --no-persist`, tests). The graph part is core's own. */
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import type { GraphStore } from '../../../core/memory/store.ts';
import { openVolatileStore } from '../../../core/memory/volatile-store.ts';
import { createMemoryAccounts, type MemoryAccounts } from './accounts.ts';

export function openMemoryStore(nowMs: () => number = Date.now): { graph: GraphStore; accounts: AccountStore } {
  let accounts: MemoryAccounts | undefined;
  const graph = openVolatileStore((record) => accounts?.putIdempotency(record));
  accounts = createMemoryAccounts({ addRoot: graph.addRoot, nowMs });
  return { graph, accounts };
}
