/** Text of the page that starts an application in the browser (server.md 12.5). */

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
  /** Said in the page instead of an application, in development. */
  readonly failure?: string | undefined;
}

export interface PageSettings {
  /** `[client.app_meta_data]` */
  readonly meta: Readonly<Record<string, string>>;
  /** Title where the table has none. */
  readonly title: string;
  /** Address of the API; '' for that of the page. */
  readonly baseUrl: string;
  readonly isProduction: boolean;
}

/** Part of the application that is shown: the whole of it where no component is named. */
export interface Shown {
  readonly component: string | null;
  /** Properties, in the order of the query. */
  readonly args: Readonly<Record<string, string>>;
}

export function pageText(facts: PageFacts, settings: PageSettings, shown: Shown): string {
  const { meta, baseUrl } = settings;
  const init = {
    module: facts.module,
    function: shown.component,
    args: shown.args,
    argOrder: Object.keys(shown.args),
    globals: {},
    base_url: baseUrl,
  };
  const body =
    facts.entry === undefined
      ? failureText(facts.failure, settings.isProduction)
      : `<div id="root"></div>\n<script id="__svc_init__" type="application/json">${scriptJson(init)}</script>`;
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(meta['lang'] ?? 'en')}">`,
    '<head>',
    ...headLines(meta, settings.title),
    ...facts.styles.map((address) => `<link rel="stylesheet" href="${escapeHtml(address)}">`),
    ...facts.preloads.map((address) => `<link rel="modulepreload" href="${escapeHtml(address)}">`),
    ...(facts.entry === undefined ? [] : [`<script type="module" src="${escapeHtml(facts.entry)}"></script>`]),
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Members that are tags of their own. Others are `<meta name>`, or `<meta property>` where the name has a colon, as `og:title`. */
const ownTags = new Set(['title', 'lang', 'charset', 'viewport', 'icon']);

function headLines(meta: PageSettings['meta'], title: string): string[] {
  const { viewport = 'width=device-width, initial-scale=1', icon } = meta;
  return [
    '<meta charset="utf-8">',
    `<meta name="viewport" content="${escapeHtml(viewport)}">`,
    `<title>${escapeHtml(meta['title'] ?? title)}</title>`,
    ...(icon === undefined ? [] : [`<link rel="icon" href="${escapeHtml(icon)}">`]),
    ...Object.entries(meta).flatMap(([name, value]) =>
      ownTags.has(name)
        ? []
        : [`<meta ${name.includes(':') ? 'property' : 'name'}="${escapeHtml(name)}" content="${escapeHtml(value)}">`],
    ),
  ];
}

function failureText(failure: string | undefined, isProduction: boolean): string {
  const style = 'max-width:60rem;margin:3rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif';
  const about = isProduction
    ? '<p>The page cannot be shown at the moment.</p>'
    : `<h1 style="font-size:1.25rem">The browser application could not be built</h1>\n<pre style="overflow:auto;padding:1rem;background:#1e1e2e;color:#f5e0dc;border-radius:6px">${escapeHtml(failure ?? '')}</pre>\n<p>The API is served all the same.</p>`;
  return `<main style="${style}" role="alert">\n${about}\n</main>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** JSON that may stand inside of a script element: nothing in it ends the element, or is a line's end to older browsers. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
