import { providerError } from './provider-error.ts';

/** One request of this server to an identity provider. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Also to addresses that are not public, and over plain http to this machine (`allow_private_issuer`). */
  readonly allowsPrivate: boolean;
}

/**
 * Sends it (docs/server/sign-on.md#outgoing): https to a public address, the one that was checked; no redirects,
 * bounded in time and size. Rejects with an Error whose message says why nothing was sent or received.
 */
export type ProviderRequest = (request: OutgoingRequest) => Promise<{ readonly status: number; readonly body: string }>;

/** The JSON object of an answer. @throws Failure `SSO_PROVIDER_ERROR` */
export async function requestJson(send: ProviderRequest, request: OutgoingRequest): Promise<Record<string, unknown>> {
  const { status, body } = await send(request).catch((cause) => {
    throw providerError(cause);
  });
  const { pathname } = new URL(request.url);
  const value = parse(body);
  if (status !== 200) throw providerError(`${pathname} answered ${status}${errorCode(value)}`);
  if (value === undefined) throw providerError(`${pathname} answered no JSON object`);
  return value;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The code of RFC 6749 5.2, which says what an administrator has to look at; descriptions are free text and stay out. */
function errorCode(value: Record<string, unknown> | undefined): string {
  const code = value?.['error'];
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
}
