import { Failure } from '../../core/errors.ts';
import type { ConnectionStore } from '../../handlers/socket/connection-store.ts';

/**
 * The table of connections that belongs to a store. With the embedded store it is that of one process, which is enough where one process
 * serves all events: the emulated gateway, `osls offline`.
 */
export async function openConnections(store: string): Promise<ConnectionStore> {
  if (store !== 'sqlite' && store !== 'memory') {
    throw new Failure('SERVICE_UNAVAILABLE', `there is no table of connections for the store ${store}`);
  }
  const { openMemoryConnections } = await import('./memory/connections.ts');
  return openMemoryConnections();
}
