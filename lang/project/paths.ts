/** Paths as text, with `/` between segments: `lang` imports nothing of Node. */

/** Resolves `.` and `..` and doubled slashes; back slashes become slashes. */
export function normalizePath(path: string): string {
  if (path !== '' && !unusual.test(path)) return path;
  const text = path.replaceAll('\\', '/');
  const absolute = text.startsWith('/');
  const out: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else if (part !== '..' || !absolute) out.push(part);
  }
  const joined = out.join('/');
  if (absolute) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/** Parts of a path that is not normal yet. */
const unusual = /\\|\/\/|(?:^|\/)\.\.?(?:\/|$)|.\/$/;

export function joinPath(...parts: readonly string[]): string {
  return normalizePath(parts.filter((part) => part !== '').join('/'));
}

export function dirName(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 ? '/' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `path` as seen from `from` when it lies below it, else undefined. */
export function pathBelow(path: string, from: string): string | undefined {
  if (from === '.') return path.startsWith('/') || path.startsWith('../') ? undefined : path;
  const prefix = from.endsWith('/') ? from : `${from}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
