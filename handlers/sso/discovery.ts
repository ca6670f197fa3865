import type { JSONWebKeySet } from 'jose';
import type { Provider } from './provider.ts';
import { providerError } from './provider-error.ts';
import { type ProviderRequest, requestJson } from './provider-request.ts';

/** Metadata that a provider publishes (OpenID Connect Discovery 1.0), as far as sign-ins need them. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string | undefined;
  readonly jwksUri: string;
  /** Answers of the authorization endpoint name the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** Place of the client secret in requests to the token endpoint. */
  readonly secretIn: 'header' | 'body';
}

export interface Discovery {
  metadata(provider: Provider): Promise<ProviderMetadata>;
  /** Published keys; `isFresh` fetches them even when they are remembered. */
  keys(provider: Provider, isFresh: boolean): Promise<JSONWebKeySet>;
}

const lifetimeMs = 3_600_000;

/** Remembers documents and keys for an hour at most. What failed is asked again by the next who needs it. */
export function createDiscovery(send: ProviderRequest, now: () => number): Discovery {
  const documents = createMemory<ProviderMetadata>(now);
  const keySets = createMemory<JSONWebKeySet>(now);
  const get = (provider: Provider, url: string) =>
    requestJson(send, {
      method: 'GET',
      url,
      headers: { Accept: 'application/json' },
      allowsPrivate: provider.allowPrivateIssuer,
    });

  const metadata = (provider: Provider) =>
    documents(provider.platform, false, async () => {
      const url = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      return readMetadata(await get(provider, url), provider.issuer);
    });
  return {
    metadata,
    keys: (provider, isFresh) =>
      keySets(provider.platform, isFresh, async () => {
        const set = await get(provider, (await metadata(provider)).jwksUri);
        if (!Array.isArray(set['keys'])) throw providerError('the key document has no keys');
        return set as unknown as JSONWebKeySet;
      }),
  };
}

type Memory<T> = (name: string, isFresh: boolean, load: () => Promise<T>) => Promise<T>;

function createMemory<T>(now: () => number): Memory<T> {
  const entries = new Map<string, { readonly value: Promise<T>; readonly untilMs: number }>();
  return (name, isFresh, load) => {
    const known = entries.get(name);
    if (known !== undefined && !isFresh && now() < known.untilMs) return known.value;
    const entry = { value: load(), untilMs: now() + lifetimeMs };
    entries.set(name, entry);
    entry.value.catch(() => entries.get(name) === entry && entries.delete(name));
    return entry.value;
  };
}

function readMetadata(document: Record<string, unknown>, issuer: string): ProviderMetadata {
  if (document['issuer'] !== issuer) throw providerError('the discovery document is about another issuer');
  const address = (name: string): string => {
    const value = document[name];
    if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return value;
    throw providerError(`the discovery document has no ${name}`);
  };
  const methods = document['token_endpoint_auth_methods_supported'];
  const takesHeader = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return {
    issuer,
    authorizationEndpoint: address('authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    userinfoEndpoint: document['userinfo_endpoint'] === undefined ? undefined : address('userinfo_endpoint'),
    jwksUri: address('jwks_uri'),
    namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    secretIn: takesHeader ? 'header' : 'body',
  };
}
