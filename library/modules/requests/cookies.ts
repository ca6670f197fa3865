/** Cookies of `requests`: a mapping of names to values that knows where each of them belongs. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Dict } from '../../values/containers/dict.ts';
import { strOf } from '../../values/objects/repr.ts';

interface Place {
  /** Undefined: sent everywhere (set by the program). */
  readonly domain: string | undefined;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
}

export class CookieJar extends Dict {
  readonly $places = new Map<unknown, Place>();

  override get(name: unknown, fallback?: unknown): unknown {
    return super.get(name) ?? fallback;
  }

  /** `jar.set(name, value, domain=…, path=…)`; None removes. */
  override set(name: unknown, value: unknown, options?: unknown): void {
    this.$places.delete(name);
    if (options instanceof Dict && options.has('domain')) {
      const domain = String(options.get('domain')).replace(/^\./, '');
      this.$places.set(name, {
        domain: domain === '' ? undefined : domain,
        path: String(options.get('path') ?? '/'),
        secure: false,
        expires: undefined,
      });
    }
    if (value === null && options !== undefined) super.delete(name);
    else super.set(name, value);
  }

  get_dict(): Dict {
    return Dict.from(this.entries());
  }

  override copy(): CookieJar {
    const made = new CookieJar();
    for (const [name, value] of this.entries()) made.set(name, value);
    for (const [name, place] of this.$places) made.$places.set(name, place);
    return made;
  }

  /** The `Cookie` header for an address. */
  $header(url: URL): string {
    const sent: string[] = [];
    for (const [name, value] of this.entries()) {
      const place = this.$places.get(name);
      if (place === undefined || belongs(place, url)) sent.push(`${name}=${strOf(value)}`);
    }
    return sent.join('; ');
  }
}
nativeClass(CookieJar, {
  name: 'RequestsCookieJar',
  module: 'requests.cookies',
  methods: { get: 'name, default=None', set: 'name, value, **kwargs', get_dict: 'domain=None, path=None', copy: '' },
});

function belongs(place: Place, url: URL): boolean {
  if (place.expires !== undefined && place.expires <= Date.now()) return false;
  if (place.secure && url.protocol !== 'https:') return false;
  if (place.domain !== undefined && url.hostname !== place.domain && !url.hostname.endsWith(`.${place.domain}`))
    return false;
  return (
    url.pathname === place.path ||
    url.pathname.startsWith(place.path.endsWith('/') ? place.path : `${place.path}/`) ||
    place.path === '/'
  );
}

/** Takes over the `Set-Cookie` headers of a reply. */
export function storeCookies(jar: CookieJar, headers: readonly (readonly [string, string])[], url: URL): void {
  for (const [name, text] of headers) {
    if (name.toLowerCase() !== 'set-cookie') continue;
    const [pair, ...attributes] = text.split(';').map((part) => part.trim());
    const at = pair!.indexOf('=');
    if (at <= 0) continue;
    const found = new Map(
      attributes.map((part) => part.split('=', 2)).map(([key, value]) => [key!.toLowerCase(), value ?? '']),
    );
    const age = found.get('max-age');
    const until = found.get('expires');
    const expires =
      age !== undefined ? Date.now() + Number(age) * 1000 : until !== undefined ? Date.parse(until) : undefined;
    const cookie = pair!.slice(0, at);
    if (expires !== undefined && expires <= Date.now()) {
      jar.delete(cookie);
      continue;
    }
    jar.set(cookie, pair!.slice(at + 1).replace(/^"(.*)"$/, '$1'));
    const domain = (found.get('domain') ?? '').replace(/^\./, '');
    jar.$places.set(cookie, {
      domain: domain === '' ? url.hostname : domain,
      path: found.get('path') || '/',
      secure: found.has('secure'),
      expires,
    });
  }
}
