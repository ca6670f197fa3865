/** The end of a single sign-on: takes the token out of the address and shows the page that was left. Loaded for such an address alone. */

/** Parts that the page has already. Imported here, they would make a chunk of their own, which every page waits for. */
interface Left {
  readonly leftKey: string;
  readonly kept: <T>(use: (storage: Storage) => T) => T | undefined;
  readonly storeToken: (token: string) => void;
  readonly prefix: () => string;
}

/**
 * Takes a token out of the address that single sign-on returned to: it must not stay there, where histories and logs see it. The page
 * becomes the one that the person was kept from, or that of `svcSsoLogin`; after a refusal always the latter, with `error` and `message`.
 */
export function takeReturn({ leftKey, kept, storeToken, prefix }: Left): void {
  const { hash, search, pathname } = globalThis.location;
  const inHash = new URLSearchParams(hash.replace(/^#/, ''));
  const inQuery = new URLSearchParams(search);
  const token = inHash.get('token') ?? inQuery.get('token');
  const isSignIn = token?.split('.').length === 3;
  if (!isSignIn && !inQuery.has('error')) return;
  const left = kept((storage) => {
    const text = storage.getItem(leftKey);
    storage.removeItem(leftKey);
    return text === null ? undefined : (JSON.parse(text) as { readonly path: string; readonly state: any });
  });
  // Another page than the first was chosen by the configuration.
  const goesOn = pathname === `${prefix()}/` && left !== undefined;
  const { history } = globalThis;
  if (isSignIn) {
    storeToken(token!);
    for (const name of ['token', 'user_id']) {
      inHash.delete(name);
      inQuery.delete(name);
    }
    const path = joined(pathname, inQuery, inHash);
    history.replaceState(null, '', goesOn ? (wanted(left, prefix()) ?? placed(left.path, inQuery)) : path);
  } else if (goesOn) history.replaceState(left.state, '', placed(left.path, inQuery));
}

/** A path of the application, with what the provider's answer says in place of what an earlier one said. */
function placed(path: string, answer: URLSearchParams): string {
  const [before = '', after] = path.split('#');
  const isHash = after?.startsWith('/') === true;
  const [shown = '', search] = (isHash ? after : before).split('?');
  const query = new URLSearchParams(search);
  for (const name of ['error', 'message']) query.delete(name);
  for (const [name, value] of answer) query.set(name, value);
  const text = query.toString();
  const rest = isHash || after === undefined ? '' : `#${after}`;
  return `${isHash ? `${before}#` : ''}${shown}${text === '' ? '' : `?${text}`}${rest}`;
}

/** The path that a guard kept a person from, as `AuthGuard` and the guards of others note it for the page that signs in. */
function wanted({ path, state }: { readonly path: string; readonly state: any }, prefix: string): string | undefined {
  const from = state?.usr?.from;
  const to = typeof from === 'string' ? from : from && `${from.pathname}${from.search ?? ''}${from.hash ?? ''}`;
  if (typeof to !== 'string' || !/^\/(?!\/)/.test(to)) return undefined;
  return path.includes('#/') ? `${path.split('#')[0]}#${to}` : prefix + to;
}

function joined(pathname: string, query: URLSearchParams, hash: URLSearchParams): string {
  const [inQuery, inHash] = [query.toString(), hash.toString()];
  return pathname + (inQuery === '' ? '' : `?${inQuery}`) + (inHash === '' ? '' : `#${inHash}`);
}
