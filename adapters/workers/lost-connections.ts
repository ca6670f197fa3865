import type { Worker } from 'node:cluster';

/**
 * Messages between the primary process and a worker about a connection handed over; Node does not document them
 * (decisions/0111).
 */
interface HandedOver {
  readonly act?: string;
  readonly seq?: number;
}

interface Taken {
  readonly ack?: number;
}

interface Handle {
  close(): void;
}

/**
 * Closes the connection that was on its way to a worker when that ended. Node waits for the worker's word before it lets go of a connection
 * it hands over; when that never comes the client would wait for ever. Closed, it can try again.
 */
export function closeLostConnections({ process: child }: Pick<Worker, 'process'>): void {
  const handed = new Map<number, Handle>();
  const send = child.send as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]): boolean => {
    const [message, handle] = args as [HandedOver | undefined, Handle | undefined];
    if (message?.act === 'newconn' && message.seq !== undefined && handle != null) handed.set(message.seq, handle);
    return send.apply(child, args);
  };
  child.on('internalMessage' as 'message', (message) => {
    const { ack } = message as Taken;
    if (ack !== undefined) handed.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of handed.values()) handle.close();
    handed.clear();
  });
}
