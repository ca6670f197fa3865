/** Sign-in at a registry: what it asks for, it says with a 401 (https://distribution.github.io/distribution/spec/auth/). */
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Ask } from './ask.ts';
import type { Credentials } from './credentials.ts';

export interface SignIn {
  /** Header `Authorization`; other hosts than the registry's get none. */
  header(address: string, base: string): string | undefined;
  /** Signs in as `WWW-Authenticate` asks, also when an earlier token ended. @throws DeployFailure */
  renew(challenge: string): Promise<void>;
}

export interface SignInRequest {
  readonly ask: Ask;
  readonly credentials: Credentials | undefined;
  /** `repository:team/shop:pull,push`; absent: what the registry asks for. */
  readonly scope: string | undefined;
}

export function openSignIn({ ask, credentials, scope }: SignInRequest): SignIn {
  let header: string | undefined;
  return {
    header: (address, base) => (new URL(address).origin === new URL(base).origin ? header : undefined),
    async renew(challenge) {
      const kind = challenge.split(' ')[0]!.toLowerCase();
      if (kind === 'basic') header = basicOf(credentials);
      else if (kind === 'bearer') header = `Bearer ${await tokenFor(ask, challenge, credentials, scope)}`;
      else header = undefined;
    },
  };
}

function basicOf(credentials: Credentials | undefined): string | undefined {
  if (credentials === undefined || !('password' in credentials)) return undefined;
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
}

async function tokenFor(
  ask: Ask,
  challenge: string,
  credentials: Credentials | undefined,
  wanted: string | undefined,
): Promise<string> {
  const found = [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name!, text!] as const);
  const {
    realm = '',
    service = '',
    scope: asked = '',
  } = Object.fromEntries(found) as Record<string, string | undefined>;
  const scope = wanted ?? asked;
  if (!URL.canParse(realm)) throw new DeployFailure('failed', 'the registry does not say where tokens are given');
  const url = new URL(realm);
  // A password goes in clear only to this machine.
  if (url.protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
    throw new DeployFailure('failed', `the registry wants a sign-in without TLS at ${url.host}`);
  const answer =
    credentials !== undefined && 'identityToken' in credentials
      ? await ask(url.href, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: 'svc-scale',
            refresh_token: credentials.identityToken,
            service,
            scope,
          }).toString(),
        })
      : await ask(withQuery(url, service, scope), headersOf(credentials));
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new DeployFailure('prerequisite', `sign-in at ${url.host} failed: it answers ${answer.status}`, {
      hints: ['the name or the password is wrong, or the token has ended: docker login'],
    });
  }
  const { token, access_token: other } = (await answer.json()) as { token?: string; access_token?: string };
  return token ?? other ?? '';
}

function withQuery(url: URL, service: string, scope: string): string {
  const asked = new URL(url);
  if (service !== '') asked.searchParams.set('service', service);
  asked.searchParams.set('scope', scope);
  return asked.href;
}

function headersOf(credentials: Credentials | undefined) {
  const header = basicOf(credentials);
  return header === undefined ? {} : { headers: { authorization: header } };
}
