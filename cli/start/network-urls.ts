import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../core/config/secret-warnings.ts';

/** Addresses under which other machines may reach a server bound to `host`; none for a loopback address. */
export function networkUrls(host: string, port: number): string[] {
  if (isLoopback(host)) return [];
  if (host !== '0.0.0.0' && host !== '::') return [`http://${host.includes(':') ? `[${host}]` : host}:${port}`];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`);
}
