import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { OutgoingRequest, ProviderRequest } from '../../handlers/sso/provider-request.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

export interface SendLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const usualLimits: SendLimits = { timeoutMs: 10_000, maxBytes: 256 * 1024 };

/**
 * Sends over TLS to the address that was checked, and to no other (docs/server/sign-on.md#outgoing). `resolve` gives
 * all addresses of a name.
 */
export function createSendToProvider(
  resolve: (host: string) => Promise<readonly LookupAddress[]> = (host) => lookup(host, { all: true }),
  limits: SendLimits = usualLimits,
): ProviderRequest {
  return async (request) => {
    const signal = AbortSignal.timeout(limits.timeoutMs);
    const url = new URL(request.url);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && request.allowsPrivate)) {
      throw new Error(`${url.origin}: only https is allowed`);
    }
    if (url.username !== '' || url.password !== '') throw new Error(`${url.origin}: an address with a user name`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await inTime(resolve(host), signal);
    return exchange(request, url, requireAddress(url, addresses, request.allowsPrivate), signal, limits);
  };
}

/** Every address of the name has to pass: which one a connection takes is not for the name's owner to gamble with. */
function requireAddress(url: URL, addresses: readonly LookupAddress[], allowsPrivate: boolean): LookupAddress {
  const [chosen] = addresses;
  if (chosen === undefined) throw new Error(`${url.host}: has no address`);
  if (url.protocol === 'http:' && !addresses.every(({ address }) => isLoopbackAddress(address))) {
    throw new Error(`${url.origin}: plain http is for this machine only`);
  }
  if (!allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new Error(`${url.host}: not a public address (allow_private_issuer would admit it)`);
  }
  return chosen;
}

function exchange(
  { method, headers, body }: OutgoingRequest,
  url: URL,
  { address, family }: LookupAddress,
  signal: AbortSignal,
  { maxBytes }: SendLimits,
): Promise<{ status: number; body: string }> {
  const { request } = url.protocol === 'https:' ? https : http;
  const toChecked: NonNullable<http.RequestOptions['lookup']> = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  return new Promise((settle, refuse) => {
    const fail = (error: Error) => refuse(signal.aborted ? new Error(`${url.host}: no answer in time`) : error);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    // No agent: a pooled connection may lead to an address that was not checked now.
    const outgoing = request(url, {
      method,
      headers: { ...headers, ...length, 'Accept-Encoding': 'identity' },
      agent: false,
      lookup: toChecked,
      signal,
      maxHeaderSize: 16_384,
    });
    outgoing.on('error', fail);
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxBytes) response.destroy(new Error(`${url.host}: an answer of more than ${maxBytes} bytes`));
      });
      response.on('error', fail);
      response.once('end', () =>
        settle({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.end(body);
  });
}

function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((settle, refuse) => {
    signal.addEventListener('abort', () => refuse(new Error('no address in time')), { once: true });
    work.then(settle, refuse);
  });
}
