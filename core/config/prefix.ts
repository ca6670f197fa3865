/** Path of the public address, behind which a proxy puts an application among others (docs/server/configuration.md#prefix). */

/** `https://example.org/app` -> `/app`; '' for an application that has its host to itself, and where no address is configured. */
export function prefixOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/$/, '') : '';
}

/** Path, or path and query, of a request as the application knows it: proxies pass the prefix on, or take it off themselves. */
export function withoutPrefix(path: string, prefix: string): string {
  if (!path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : path;
}
