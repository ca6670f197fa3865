/** Whom `/studio/api` answers (docs/guide/stories.md#asking): in development whoever sits at the machine, else administrators. */
import { parseAddress } from '../../../base/parse-address.ts';
import { missingToken } from '../../../core/accounts/refusals.ts';
import type { RouteContext } from '../../routes.ts';

/** @throws Failure `UNAUTHORIZED` for guests who are not admitted */
export function isAdmitted({ call, caller }: Pick<RouteContext, 'call' | 'caller'>, opensToLoopback: boolean): boolean {
  if (caller.role === 'admin' || (opensToLoopback && isFromHere(call))) return true;
  if (caller.kind === 'guest') throw missingToken();
  return false;
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const localNames = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * The peer is on this machine and speaks for itself: through no proxy, to a name of this machine (a page of elsewhere may have its own name
 * lead here), and from no page of another origin.
 */
function isFromHere(call: RouteContext['call']): boolean {
  if (proxyHeaders.some((name) => call.header(name) !== undefined)) return false;
  if (!localNames.test(call.header('host') ?? '')) return false;
  const site = call.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = call.header('origin');
  if (origin !== undefined && origin !== `http://${call.header('host')}`) return false;
  return isLoopback(call.peer);
}

function isLoopback(address: string): boolean {
  const bytes = parseAddress(address.replace(/%.*$/, ''));
  if (bytes === undefined || !bytes.subarray(0, 10).every((byte) => byte === 0)) return false;
  if (bytes[10] === 0xff && bytes[11] === 0xff) return bytes[12] === 127;
  return bytes.subarray(10, 15).every((byte) => byte === 0) && bytes[15] === 1;
}
