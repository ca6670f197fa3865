import type { ScaleConfig } from '../../core/config/config.ts';
import { Failure } from '../../core/errors.ts';

const maxLength = 1024;

/**
 * Gives the address to which the browser goes after a sign-in (docs/server/sign-on.md#return): the one the client asked for when that
 * is allowed, else the configured one. Null: it gets the answer as JSON.
 *
 * @param own origins of this server; of their pages only the start page may be asked for, because a route of the program below them may
 *   redirect, and a redirection takes the fragment with the token along
 * @throws Failure `INVALID_CALLBACK_URL`
 */
export function returnAddress(
  asked: string | undefined,
  sso: ScaleConfig['sso'],
  own: readonly string[],
): string | null {
  const configured = sso.clientAuthCallbackUrl;
  if (asked === undefined) return configured === '' ? null : configured;
  if (own.some((origin) => asked === `${origin}/`)) return configured === '' ? asked : configured;
  const url = asked.length <= maxLength && URL.canParse(asked) ? new URL(asked) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  const isAllowed = isPlain && (isBelow(url, configured) || (sso.allowLoopbackCallback && isLoopback(url)));
  if (!isAllowed) throw new Failure('INVALID_CALLBACK_URL', 'The client callback address is not allowed.');
  return url.href;
}

/** The parsed forms are compared: dots, back slashes and letter case are gone by then. */
function isBelow(url: URL, configured: string): boolean {
  if (!URL.canParse(configured)) return false;
  const base = new URL(configured);
  if (url.protocol !== base.protocol || url.host !== base.host) return false;
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  return url.pathname === base.pathname || url.pathname.startsWith(folder);
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]');
}

/** The address with what came of the sign-in: a token in the fragment, which reaches no server, unless configured otherwise. */
export function withOutcome(
  target: string,
  outcome: Readonly<Record<string, string>>,
  delivery: 'fragment' | 'query',
): string {
  const url = new URL(target);
  if (delivery === 'fragment') url.hash = new URLSearchParams(outcome).toString();
  else for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
