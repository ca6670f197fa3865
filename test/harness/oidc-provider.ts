/** A certified OpenID Connect provider (npm `oidc-provider`) on a free port of this machine, and a browser that signs in there. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';

export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly port: number;
}

export interface OidcOptions {
  /** 0: any that is free. */
  readonly port?: number;
  /** Callback addresses of the client. */
  readonly redirectUris: readonly string[];
  /** Accounts whose address is not verified. */
  readonly unverified?: readonly string[];
  readonly clientSecret: string;
  readonly algorithm?: 'RS256' | 'ES256' | 'PS256' | 'EdDSA';
}

export async function startOidcProvider(options: OidcOptions): Promise<OidcProvider> {
  const { algorithm = 'RS256', unverified = [] } = options;
  const { default: Provider } = await import('oidc-provider');
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const server = createServer();
  await new Promise<void>((ready) => server.listen(options.port ?? 0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'svc',
        client_secret: options.clientSecret,
        redirect_uris: [...options.redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: `key-${Math.random()}` }] },
    cookies: { keys: ['k'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: true } },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.test`, email_verified: !unverified.includes(id) }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export interface Browser {
  /** Follows redirects up to the first address that `isEnd`, submitting the provider's forms on the way. */
  visit(address: string, isEnd: (url: URL) => boolean): Promise<Visited>;
  /** One request, with the cookies of this browser. */
  fetch(address: string, options?: RequestInit): Promise<Response>;
}

export interface Visited {
  readonly url: URL;
  /** Fields of a form that posts to the last address (response mode `form_post`). */
  readonly form: URLSearchParams | undefined;
}

/** @param login name the person types at the provider */
export function openBrowser(login: string): Browser {
  const jars = new Map<string, Map<string, string>>();

  async function send(address: string, options: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      ...options,
      redirect: 'manual',
      headers: { ...(options.headers as Record<string, string>), cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      const isGone = attributes.some((text) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(text));
      if (isGone) jar.delete(name);
      else jar.set(name, pair.slice(at + 1));
    }
    return response;
  }

  return {
    fetch: send,
    async visit(address, isEnd) {
      let url = new URL(address);
      let options: RequestInit = {};
      for (let step = 0; step < 20; step += 1) {
        if (isEnd(url)) return { url, form: undefined };
        const response = await send(url.href, options);
        options = {};
        const location = response.headers.get('location');
        if (location !== null) {
          url = new URL(location, url);
          continue;
        }
        const page = await response.text();
        const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
        if (action === undefined) throw new Error(`${url.href} answered ${response.status}: ${page.slice(0, 500)}`);
        const fields = new URLSearchParams();
        for (const [tag] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
          fields.set(/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '');
        }
        const next = new URL(action.replaceAll('&amp;', '&'), url);
        if (isEnd(next)) return { url: next, form: fields };
        if (fields.get('prompt') === 'login') {
          fields.set('login', login);
          fields.set('password', 'x');
        }
        url = next;
        options = { method: 'POST', body: fields };
      }
      throw new Error(`no end to ${address}`);
    },
  };
}
