/** Calls as any user (docs/guide/stories.md#run-as): `/studio/api/as/{user}` stands before the path of a walker or function. */
import { effectiveRole } from '../../../core/accounts/account.ts';
import type { AccountStore } from '../../../core/accounts/account-store.ts';
import { audit } from '../../../core/accounts/audit.ts';
import { findByName } from '../../../core/accounts/find-by-name.ts';
import { normaliseIdentity } from '../../../core/accounts/identity.ts';
import { accountDisabled } from '../../../core/accounts/refusals.ts';
import type { Config } from '../../../core/config/config.ts';
import { Failure } from '../../../core/errors.ts';
import type { Log } from '../../../core/log/log.ts';
import { originOf } from '../../auth/origin-of.ts';
import type { Caller } from '../../caller.ts';
import type { ClientAddresses } from '../../client-address.ts';
import type { Route } from '../../routes.ts';
import type { Exchange } from '../exchange.ts';
import { isAdmitted } from './admission.ts';

export interface RunAsParts {
  readonly config: Config;
  readonly accounts: Pick<AccountStore, 'accountByIdentity' | 'accountById'>;
  readonly log: Log;
}

/**
 * Gives the route of a path that begins with `/studio/api/as/{user}`, undefined for others.
 *
 * @param match finds the route of the rest of the path
 * @throws Failure what `match` throws, `NOT_FOUND` where the rest is no path of a walker or function
 */
export type RunAs = (
  exchange: Exchange,
  path: string,
  match: (exchange: Exchange, path: string) => Route,
  clients: ClientAddresses,
) => Route | undefined;

const prefix = '/studio/api/as/';

export function createRunAs({ config, accounts, log }: RunAsParts): RunAs {
  const admins = new Set(config.scale.auth.admins.map(normaliseIdentity));
  const opensToLoopback = config.mode !== 'production';

  return (exchange, path, match, clients) => {
    if (!path.startsWith(prefix)) return undefined;
    const end = path.indexOf('/', prefix.length);
    if (end <= prefix.length) return undefined;
    const user = decoded(path.slice(prefix.length, end));
    const route = match(exchange, path.slice(end));
    // API keys sign callers in where a walker or function of the program answers.
    if (route.takesKeys !== true)
      throw exchange.pageMiss ?? new Failure('NOT_FOUND', 'Only walkers and functions are called as somebody else.');
    const { target, maxBodyBytes } = route;
    exchange.template = `${prefix}{user}${route.template}`;
    return {
      template: exchange.template,
      auth: 'optional',
      isQuiet: false,
      target,
      maxBodyBytes,
      async serve(asked) {
        asked.caller = await callerFor(asked, user, clients);
        return route.serve(asked);
      },
    };
  };

  /** The user as the caller; leaves an audit record. */
  async function callerFor(exchange: Exchange, user: string, clients: ClientAddresses): Promise<Caller> {
    const { call, requestId, caller } = exchange;
    const by = caller!;
    const origin = originOf({ client: clients.address(call), requestId });
    const tell = (outcome: string, asUserId?: string) =>
      audit({ log }, 'run_as', outcome, { userId: by.userId ?? undefined, asUserId }, origin);
    if (!isAdmitted({ call, caller: by }, opensToLoopback)) {
      tell('forbidden');
      throw new Failure('FORBIDDEN', 'Only administrators run calls as somebody else.');
    }
    const account = await findByName(accounts, user);
    if (account === undefined) {
      tell('unknown_account');
      throw new Failure('NOT_FOUND', 'No account has this name or id.');
    }
    const { userId, rootId } = account;
    tell(account.disabled ? 'disabled' : 'success', userId);
    if (account.disabled) throw accountDisabled();
    return {
      kind: 'user',
      userId,
      rootId,
      role: effectiveRole(account, admins),
      ignoredToken: false,
      runBy: by.userId,
    };
  }
}

/** Name of a path. @throws Failure `BAD_REQUEST` */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Failure('BAD_REQUEST', 'The path is not valid percent-encoding.');
  }
}
