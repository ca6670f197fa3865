import type { Accounts } from '../../core/accounts/accounts.ts';
import type { ProviderSignIn } from '../../core/accounts/provider-login.ts';
import { wrongCredentials } from '../../core/accounts/refusals.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import { Failure } from '../../core/errors.ts';
import { originOf } from '../auth/origin-of.ts';
import { type Answer, answer, type RouteContext } from '../routes.ts';
import { createDiscovery } from './discovery.ts';
import { exchangeCode, readUserinfo } from './exchange-code.ts';
import { checkIdToken } from './id-token.ts';
import { type Provider, requireProvider } from './provider.ts';
import { providerError } from './provider-error.ts';
import { returnAddress, withOutcome } from './return-address.ts';
import type { SignIn } from './sign-in-types.ts';
import type { SsoParts } from './sso-parts.ts';
import type { SsoOperation, Transaction } from './transaction.ts';
import * as transactions from './transaction.ts';

type Answers = Pick<RouteContext['query'], 'get'>;

export function createSignIn(accounts: Accounts, parts: SsoParts, now: () => number): SignIn {
  const { settings, send } = parts;
  const discovery = createDiscovery(send, now);

  async function start(context: RouteContext, operation: SsoOperation): Promise<Answer> {
    const provider = requireProvider(settings.providers, platformOf(context));
    const redirectUri = redirectUriOf(context, provider);
    const own = [context.origin, new URL(redirectUri).origin].flatMap((origin) => [
      origin,
      origin + prefixOf(parts.baseUrl),
    ]);
    const target = returnAddress(first(context.query, 'client_callback'), settings, own);
    const { authorizationEndpoint } = await discovery.metadata(provider).catch((error) => {
      if (error instanceof Failure) accounts.providerRefused(error, provider.platform, originOf(context));
      throw error;
    });
    const transaction = transactions.newTransaction({
      operation,
      platform: provider.platform,
      redirectUri,
      target,
      expiresAtMs: now() + settings.stateTtlSeconds * 1000,
    });
    const hint = first(context.query, 'login_hint');
    const location = withParameters(authorizationEndpoint, {
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: transaction.redirectUri,
      scope: [...new Set(['openid', ...provider.scopes])].join(' '),
      state: transaction.state,
      nonce: transaction.nonce,
      code_challenge: transactions.challengeOf(transaction.verifier),
      code_challenge_method: 'S256',
      ...(provider.responseMode === 'form_post' ? { response_mode: 'form_post' } : {}),
      ...(operation === 'register' ? { prompt: 'select_account' } : {}),
      ...(hint === undefined ? {} : { login_hint: hint }),
    });
    return redirect(
      location,
      transactions.keepCookie(accounts.dataKey, transaction, provider, settings.stateTtlSeconds),
    );
  }

  async function finish(context: RouteContext, answers: Answers): Promise<Answer> {
    const provider = requireProvider(settings.providers, platformOf(context));
    const cookie = transactions.clearCookie(redirectUriOf(context, provider), provider);
    const found = transactions.readTransaction(
      accounts.dataKey,
      context.call.header('cookie'),
      provider.platform,
      now(),
    );
    const target = found === undefined ? returnAddress(undefined, settings, []) : found.target;
    try {
      const result = await signIn(context, provider, found, answers);
      return target === null ? jsonAnswer(provider, result, cookie) : redirect(tokenAddress(target, result), cookie);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      accounts.providerRefused(error, provider.platform, originOf(context));
      if (target === null) throw withCookie(error, cookie);
      return redirect(withOutcome(target, { error: error.code, message: error.message }, 'query'), cookie);
    }
  }

  async function signIn(
    context: RouteContext,
    provider: Provider,
    found: Transaction | undefined,
    answers: Answers,
  ): Promise<ProviderSignIn> {
    const problem = first(answers, 'error');
    if (problem === 'access_denied') throw wrongCredentials();
    if (problem !== undefined) throw providerError('the authorization endpoint answered with an error');
    const transaction = transactions.requireState(found, first(answers, 'state') ?? '');
    if (!(await accounts.spendState(transaction.state, settings.stateTtlSeconds))) throw transactions.invalidState();

    const metadata = await discovery.metadata(provider);
    const issuer = first(answers, 'iss');
    if (issuer === undefined ? metadata.namesIssuer : issuer !== metadata.issuer) {
      throw providerError('the answer is of another issuer');
    }
    const code = first(answers, 'code');
    if (code === undefined) throw providerError('the answer has no code');
    const { verifier, redirectUri, nonce, operation } = transaction;
    const tokens = await exchangeCode(send, provider, metadata, { code, verifier, redirectUri });
    const { subject, claims } = await checkIdToken(
      tokens.idToken,
      { issuer: metadata.issuer, clientId: provider.clientId, nonce, nowMs: now() },
      (isFresh) => discovery.keys(provider, isFresh),
    );
    const { userinfoEndpoint } = metadata;
    const verifiedEmail = async () => {
      if (claims['email'] !== undefined || userinfoEndpoint === undefined || tokens.accessToken === undefined) {
        return emailOf(claims);
      }
      const more = await readUserinfo(send, provider, userinfoEndpoint, tokens.accessToken);
      if (more['sub'] !== subject) throw providerError('the user information is about somebody else');
      return emailOf(more);
    };
    const { platform } = provider;
    return accounts.providerLogin({ platform, subject, operation, verifiedEmail }, originOf(context));
  }

  function redirectUriOf({ origin }: RouteContext, { platform }: Provider): string {
    const host = settings.host || `${parts.baseUrl.replace(/\/$/, '') || origin}/sso`;
    return `${host.replace(/\/$/, '')}/${platform}/login/callback`;
  }

  function tokenAddress(target: string, { token, account }: ProviderSignIn): string {
    return withOutcome(target, { token: token.text, user_id: account.userId }, settings.tokenDelivery);
  }

  return {
    start,
    finish: (context, answers) => finish(context, answers === 'query' ? context.query : formAnswers(context.body)),
    refuse(context) {
      requireProvider(settings.providers, platformOf(context));
      throw new Failure('INVALID_OPERATION', 'Sign-in knows the operations login and register.');
    },
  };
}

function platformOf(context: RouteContext): string {
  return context.params['platform'] ?? '';
}

function first(values: Answers, name: string): string | undefined {
  return values.get(name)?.[0];
}

function formAnswers(body: Readonly<Record<string, unknown>>): Answers {
  return {
    get(name) {
      const value = Object.hasOwn(body, name) ? body[name] : undefined;
      return typeof value === 'string' ? [value] : undefined;
    },
  };
}

/** Some providers write the flag as text. */
function emailOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const { email, email_verified: isVerified } = claims;
  return typeof email === 'string' && (isVerified === true || isVerified === 'true') ? email : undefined;
}

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function jsonAnswer({ platform }: Provider, result: ProviderSignIn, cookie: string): Answer {
  const { account, token, isNew } = result;
  const email = account.identities.find(({ type }) => type === 'email')?.value ?? null;
  return answer({
    status: isNew ? 201 : 200,
    data: {
      message: isNew ? 'User registered successfully' : 'Signed in',
      user_id: account.userId,
      email,
      token: token.text,
      access_token: token.text,
      token_type: 'bearer',
      expires_in: token.lifetimeSeconds,
      platform,
      root_id: account.rootId,
      created: isNew,
    },
    headers: ['Set-Cookie', cookie],
  });
}

/** Addresses on the way hold states and tokens: they are neither kept nor passed on. */
function redirect(location: string, cookie: string): Answer {
  return answer({
    status: 302,
    raw: { contentType: undefined, body: undefined },
    headers: [
      'Location',
      location,
      'Set-Cookie',
      cookie,
      'Cache-Control',
      'no-store',
      'Referrer-Policy',
      'no-referrer',
    ],
  });
}

function withCookie(failure: Failure, cookie: string): Failure {
  const { code, message, details, status, headers, cause } = failure;
  return new Failure(code, message, { details, status, cause, headers: { ...headers, 'Set-Cookie': cookie } });
}
