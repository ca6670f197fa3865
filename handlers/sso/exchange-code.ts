import type { ProviderMetadata } from './discovery.ts';
import type { Provider } from './provider.ts';
import { providerError } from './provider-error.ts';
import { type ProviderRequest, requestJson } from './provider-request.ts';

export interface ProviderTokens {
  readonly idToken: string;
  readonly accessToken: string | undefined;
}

/** Exchanges a code at the token endpoint (docs/server/sign-on.md#callback). @throws Failure `SSO_PROVIDER_ERROR` */
export async function exchangeCode(
  send: ProviderRequest,
  provider: Provider,
  metadata: ProviderMetadata,
  grant: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
): Promise<ProviderTokens> {
  const { clientId, clientSecret } = provider;
  const isInHeader = metadata.secretIn === 'header';
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
    ...(isInHeader ? {} : { client_id: clientId, client_secret: clientSecret }),
  });
  const answer = await requestJson(send, {
    method: 'POST',
    url: metadata.tokenEndpoint,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(isInHeader ? { Authorization: basic(clientId, clientSecret) } : {}),
    },
    body: form.toString(),
    allowsPrivate: provider.allowPrivateIssuer,
  });
  const { id_token: idToken, access_token: accessToken } = answer;
  if (typeof idToken !== 'string') throw providerError('the token endpoint gave no id_token');
  return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : undefined };
}

/** Reads the claims about the holder of an access token, for providers that leave the address out of the ID token. */
export async function readUserinfo(
  send: ProviderRequest,
  provider: Provider,
  url: string,
  accessToken: string,
): Promise<Record<string, unknown>> {
  return requestJson(send, {
    method: 'GET',
    url,
    headers: { Accept: 'application/json', Authorization: `Bearer ${accessToken}` },
    allowsPrivate: provider.allowPrivateIssuer,
  });
}

/** RFC 6749 2.3.1: both halves are form-encoded first. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}
