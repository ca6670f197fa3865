import type { Call } from '../call.ts';
import type { Route } from '../routes.ts';
import { bearerToken } from './identify.ts';

/** Tells whether a call shows a token or, where the route takes them, an API key. */
export function hasCredentials(call: Call, route: Route): boolean {
  return call.header('authorization') !== undefined || hasKey(call, route);
}

/** Tells whether a call is judged by its API key: it counts where there is no token. */
export function hasKey(call: Call, { takesKeys }: Route): boolean {
  if (takesKeys !== true || call.header('x-api-key') === undefined) return false;
  const header = call.header('authorization');
  return header === undefined || bearerToken(header) === undefined;
}
