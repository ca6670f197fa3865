/**
 * An OpenID Connect provider on a real socket that can be told to misbehave, which certified ones cannot: the authorization endpoint
 * redirects at once, its `mock_*` query parameters say whom to vouch for and what to get wrong.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

export interface MockProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests so far, by path. */
  readonly asked: Map<string, number>;
  /** Members that replace those of the discovery document. */
  readonly document: Record<string, unknown>;
  /** Signs with a new key from now on; the old one is no longer published. */
  rotateKey(): Promise<void>;
  /** Answers everything with this status while it is not 0. */
  failWith: number;
  /** Leaves the address out of the ID token: it is in the user information only. */
  emailInUserinfo: boolean;
}

interface Grant {
  readonly query: URLSearchParams;
}

export async function startMockProvider(port = 0): Promise<MockProvider> {
  const clientId = 'demo-client';
  const clientSecret = 'demo-client-secret-0123456789';
  const asked = new Map<string, number>();
  const grants = new Map<string, Grant>();
  const holders = new Map<string, URLSearchParams>();
  const document: Record<string, unknown> = {};
  let key = await newKey();

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: MockProvider = {
    issuer,
    clientId,
    clientSecret,
    asked,
    document,
    failWith: 0,
    emailInUserinfo: false,
    async rotateKey() {
      key = await newKey();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return provider;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (provider.failWith !== 0) return void response.writeHead(provider.failWith, { Location: issuer }).end('{}');
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void json(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          ...document,
        });
      case '/keys':
        return void json(200, { keys: [key.published] });
      case '/authorize':
        return authorize(url.searchParams, response);
      case '/token': {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const form = new URLSearchParams(Buffer.concat(chunks).toString());
        const [status, answer] = await exchange(form, request.headers.authorization);
        return void json(status, answer);
      }
      case '/userinfo': {
        const query = holders.get(request.headers.authorization ?? '');
        return void (query
          ? json(200, { sub: query.get('mock_other') ?? query.get('mock_sub'), ...emailOf(query) })
          : json(401, {}));
      }
      default:
        return void json(404, {});
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    const error = query.get('mock_error');
    if (error) back.searchParams.set('error', error);
    else {
      const code = randomBytes(16).toString('hex');
      grants.set(code, { query });
      back.searchParams.set('code', code);
    }
    if (query.get('mock_iss')) back.searchParams.set('iss', query.get('mock_iss') as string);
    response.writeHead(302, { Location: back.href }).end();
  }

  async function exchange(form: URLSearchParams, authorization: string | undefined): Promise<[number, unknown]> {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const isKnown =
      authorization === basic || (form.get('client_id') === clientId && form.get('client_secret') === clientSecret);
    if (!isKnown) return [401, { error: 'invalid_client' }];
    const code = form.get('code') ?? '';
    const query = grants.get(code)?.query;
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      query?.get('code_challenge') === challenge && query.get('redirect_uri') === form.get('redirect_uri');
    if (!query || !isRight) return [400, { error: 'invalid_grant' }];
    const accessToken = randomBytes(16).toString('hex');
    holders.set(`Bearer ${accessToken}`, query);
    return [200, { access_token: accessToken, token_type: 'Bearer', id_token: await idToken(query) }];
  }

  async function idToken(query: URLSearchParams): Promise<string> {
    const bad = query.get('mock_bad');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: bad === 'iss' ? 'https://elsewhere.example' : issuer,
      sub: query.get('mock_sub') ?? 'somebody',
      aud: bad === 'aud' ? 'another-client' : bad === 'azp' ? [clientId, 'another-client'] : clientId,
      ...(bad === 'azp' ? { azp: 'another-client' } : {}),
      nonce: bad === 'nonce' ? 'another' : query.get('nonce'),
      iat: bad === 'iat' ? now + 3600 : now,
      exp: bad === 'exp' ? now - 3600 : now + 300,
      ...(provider.emailInUserinfo ? {} : emailOf(query)),
    };
    if (bad === 'alg') return new UnsecuredJWT(claims).encode();
    if (bad === 'hs256') {
      const secret = new TextEncoder().encode(clientSecret.padEnd(32));
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    }
    const { privateKey, published } = bad === 'kid' ? await newKey() : key;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: published.kid as string })
      .sign(privateKey);
    return bad === 'signature' ? `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(342)}` : token;
  }
}

function emailOf(query: URLSearchParams): Record<string, unknown> {
  const email = query.get('mock_email');
  return email === null ? {} : { email, email_verified: query.get('mock_verified') === 'true' };
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = randomBytes(4).toString('hex');
  return { privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}
