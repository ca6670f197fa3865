import { connect } from 'node:net';

/** Tells whether somebody listens at an address: gives undefined, or the reason why not. */
export function reach(address: string, timeoutMs: number): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(address);
  const fallback = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? fallback : Number(port) });
    const end = (trouble: string | undefined) => {
      socket.destroy();
      resolve(trouble);
    };
    socket.setTimeout(timeoutMs, () => end('nobody answered in time'));
    socket.once('connect', () => end(undefined));
    socket.on('error', (error) => end(error.message || (error as NodeJS.ErrnoException).code || 'refused'));
  });
}
