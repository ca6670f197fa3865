import { isIP } from 'node:net';
import type { OutgoingRequest, ProviderRequest } from '../../handlers/sso/provider-request.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

const timeoutMs = 10_000;
const maxBytes = 256 * 1024;

/**
 * Sends where only `fetch` connects, as in a worker at the edge (docs/server/sign-on.md#outgoing). To which addresses a name may lead there, the
 * network of the worker says: that of Cloudflare has public ones alone. @throws Error saying which rule the request breaks, or why no answer came
 */
export const sendByFetch: ProviderRequest = async ({ url: given, method, headers, body, allowsPrivate }) => {
  const url = new URL(given);
  requireAllowed(url, allowsPrivate);
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`${url.host}: an answer of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, body: Buffer.concat(chunks).toString('utf8') };
};

function requireAllowed(url: URL, allowsPrivate: OutgoingRequest['allowsPrivate']): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = host === 'localhost' || (isIP(host) !== 0 && isLoopbackAddress(host));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsPrivate && isLocal))
    throw new Error(`${url.origin}: only https is allowed`);
  if (url.username !== '' || url.password !== '') throw new Error(`${url.origin}: an address with a user name`);
  if (!allowsPrivate && (isLocal || (isIP(host) !== 0 && !isPublicAddress(host))))
    throw new Error(`${url.host}: not a public address (allow_private_issuer would admit it)`);
}
