/** Text of the page that starts an application in the browser (docs/server/client-pages.md). */

import failed from '../pages/client/failed.html' with { type: 'text' };
import page from '../pages/client/page.html' with { type: 'text' };
import { escapeText, fillPage } from '../pages/fill-page.ts';

/** Facts about a page that are the same for every request. Plain data: processes hand them on. */
export interface PageFacts {
  /** Module of the application. */
  readonly module: string;
  /** Components that `/cl/{name}` shows. */
  readonly components: readonly string[];
  /** Address of the module that starts the application; undefined when it could not be built. */
  readonly entry?: string | undefined;
  /** Addresses of modules that it imports at once, and of sheets. */
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
  /** The same of single pages, by the address that the router matches: `/tasks/:id`, `/files/*`. */
  readonly pages: readonly PageLoads[];
  /** Addresses of all pages, as the router matches them. */
  readonly addresses: readonly string[];
  /** Folder of the built files; absent: `[plugins.client] out_dir`. */
  readonly folder?: string | undefined;
  /** Said in the page instead of an application, in development. */
  readonly failure?: string | undefined;
}

export interface PageLoads extends Pick<PageFacts, 'preloads' | 'styles'> {
  readonly pattern: string;
}

export interface PageSettings {
  /** `[client.app_meta_data]` */
  readonly meta: Readonly<Record<string, string>>;
  /** Title where the table has none. */
  readonly title: string;
  /** Address of the API; '' for that of the page, and a path where both stand below it. */
  readonly baseUrl: string;
  readonly isProduction: boolean;
}

/** Part of the application that is shown: the whole of it where no component is named. */
export interface Shown {
  readonly component: string | null;
  /** Address that was asked for; absent where the page is for all of them. */
  readonly path?: string;
  /** Properties, in the order of the query. */
  readonly args: Readonly<Record<string, string>>;
}

export function pageText(facts: PageFacts, settings: PageSettings, shown: Shown): string {
  const { meta, baseUrl, isProduction } = settings;
  const title = meta['title'] ?? settings.title;
  if (facts.entry === undefined) {
    const heading = isProduction
      ? 'The page cannot be shown at the moment.'
      : 'The browser application could not be built';
    return fillPage(failed, { title, heading, failure: isProduction ? '' : (facts.failure ?? '') });
  }
  const init = {
    module: facts.module,
    function: shown.component,
    args: shown.args,
    argOrder: Object.keys(shown.args),
    globals: {},
    base_url: baseUrl,
  };
  const { lang = 'en', viewport = 'width=device-width, initial-scale=1' } = meta;
  return fillPage(
    page,
    { lang, viewport, title, entry: facts.entry },
    {
      head: headTags(withLoads(facts, shown.path), settings),
      init: element('script', { id: '__svc_init__', type: 'application/json' }, scriptJson(init)),
    },
  );
}

/** The facts with what the page of an address takes besides: else a browser learns of each part from the one before. */
function withLoads(facts: PageFacts, path: string | undefined): Pick<PageFacts, 'styles' | 'preloads'> {
  const segments = path?.split('/').filter((one) => one !== '');
  const found = segments && facts.pages.filter(({ pattern }) => matches(pattern, segments));
  // Of two that match the one with fewer open parts is shown, as the router chooses.
  const [loads] = found?.sort((a, b) => openParts(a.pattern) - openParts(b.pattern)) ?? [];
  if (loads === undefined) return facts;
  return { styles: [...facts.styles, ...loads.styles], preloads: [...facts.preloads, ...loads.preloads] };
}

/** Is it the address of a page, whatever its last part looks like? Pages for all that stands below a folder do not say so. */
export function isAddressOf({ addresses }: Pick<PageFacts, 'addresses'>, names: readonly string[]): boolean {
  return addresses.some((one) => !one.endsWith('*') && matches(one, names));
}

function matches(pattern: string, segments: readonly string[]): boolean {
  const parts = pattern.split('/').filter((one) => one !== '');
  const isOpen = parts.at(-1) === '*';
  if (isOpen ? segments.length < parts.length - 1 : segments.length !== parts.length) return false;
  return parts.every((part, i) => part === '*' || part.startsWith(':') || part === segments[i]);
}

function openParts(pattern: string): number {
  return pattern.split('/').reduce((sum, part) => sum + (part === '*' ? 100 : part.startsWith(':') ? 1 : 0), 0);
}

/** Members that the page has a place for. Others are `meta` tags by name, or by property where the name has a colon, as `og:title`. */
const placed = new Set(['title', 'lang', 'charset', 'viewport', 'icon']);

function headTags(
  { styles, preloads }: Pick<PageFacts, 'styles' | 'preloads'>,
  { meta, baseUrl, isProduction }: PageSettings,
): string {
  const prefix = baseUrl.startsWith('/') ? baseUrl : '';
  // Browsers look for an icon at the root of the host, which is not the application's then.
  const given = meta['icon'] ?? (prefix === '' ? undefined : '/favicon.ico');
  // A development server would put its own path before the address.
  const asItIs: Readonly<Record<string, string>> = prefix === '' || isProduction ? {} : { 'vite-ignore': '' };
  const icon = given !== undefined && /^\/(?!\/)/.test(given) ? prefix + given : given;
  return [
    ...Object.entries(meta).flatMap(([name, value]) =>
      placed.has(name) ? [] : [tag('meta', { [name.includes(':') ? 'property' : 'name']: name, content: value })],
    ),
    ...(icon === undefined ? [] : [tag('link', { rel: 'icon', href: icon, ...asItIs })]),
    ...styles.map((href) => tag('link', { rel: 'stylesheet', href })),
    ...preloads.map((href) => tag('link', { rel: 'modulepreload', href })),
  ].join('\n    ');
}

function tag(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeText(value)}"`)
    .join('')}>`;
}

function element(name: string, attributes: Readonly<Record<string, string>>, inside: string): string {
  return `${tag(name, attributes)}${inside}</${name}>`;
}

/** JSON that may stand inside of a script element: nothing in it ends the element, or is a line's end to older browsers. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
