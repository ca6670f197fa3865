/** One sign-in with an identity provider on its way. */
import type { Answer, RouteContext } from '../routes.ts';
import type { SsoOperation } from './transaction.ts';

/** Single sign-on by OpenID Connect, authorization code flow with PKCE (docs/server/sign-on.md). */
export interface SignIn {
  /** Sends the browser to the provider. */
  start(context: RouteContext, operation: SsoOperation): Promise<Answer>;
  /** The browser is back, with what the provider gave it. */
  finish(context: RouteContext, answers: 'query' | 'form'): Promise<Answer>;
  /** @throws Failure `INVALID_OPERATION` */
  refuse(context: RouteContext): never;
}
