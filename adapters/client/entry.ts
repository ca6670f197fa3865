/** The module that puts an application into its page: written for each program, so that a page loads no more than it shows. */
import type { ClientOutline } from '../../lang/6-emit-client/outline.ts';
import type { ComponentRef, PageRoute } from '../../lang/6-emit-client/pages.ts';

export interface EntryOptions {
  /** `auto`: that which the program shows, or of the era in which it was written. */
  readonly router: 'auto' | 'history' | 'hash';
  /** Path that `(auth)` sends people to who are not signed in. */
  readonly authRedirect: string;
  /**
   * In development what `/cl/{name}` shows has a module of its own, which counts among the importers of components, whom the bundler asks whether they
   * take a change, only once such an address was opened; and the script of the page hears of modules that are loaded later (`page-watch.ts`).
   */
  readonly isDevelopment?: boolean;
}

export function entryText(
  { app, components, pages, usesRouter, bringsRouter, isHash }: ClientOutline,
  options: EntryOptions,
): string {
  const hasPages = pages.length > 0;
  const routes = (usesRouter && !bringsRouter) || hasPages;
  const router = options.router === 'auto' ? (isHash ? 'hash' : 'history') : options.router;
  const isDevelopment = options.isDevelopment === true;
  const load = (one: ComponentRef) => (isDevelopment ? `awaits(${loaded(one)})` : loaded(one));
  const lines = [
    `import { mount } from '@svc/runtime/mount';`,
    ...(routes ? [`import { Router, setRouterKind } from '@svc/runtime/router';`] : []),
    ...(app === undefined ? [] : [`import { ${app.name} as app } from ${quoted(app.path)};`]),
    ...(hasPages ? [`import { pageRoutes } from '@svc/runtime/pages';`] : []),
    ...(isDevelopment ? ['const awaits = (module) => globalThis.$svcPage?.awaits(module) ?? module;'] : []),
    ...(routes && router !== 'history' ? [`setRouterKind(${quoted(router)});`] : []),
    ...(isDevelopment ? [] : [`const ${componentsTable(components)}`]),
    ...(hasPages ? [`const pages = pageRoutes(${routesText(pages, '', load)}, ${quoted(options.authRedirect)});`] : []),
    'mount({',
    ...(app === undefined ? [] : ['  app,']),
    ...(routes ? ['  around: Router,'] : []),
    ...(hasPages ? ['  pages,'] : []),
    isDevelopment
      ? `  component: (name) => awaits(import(${quoted(componentsId)}).then(({ components }) => components[name]?.())),`
      : '  component: async (name) => components[name]?.(),',
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

/** Specifier of the module that has what `/cl/{name}` shows, in development. */
export const componentsId = 'virtual:svc-components';

/** Text of that module. */
export function componentsText({ components }: ClientOutline): string {
  return `export const ${componentsTable(components)}\n`;
}

/** `components = { "Card": () => … };` */
function componentsTable(components: readonly ComponentRef[]): string {
  return `components = {${components.map(shown).join('')}\n};`;
}

function shown(one: ComponentRef): string {
  return `\n  ${quoted(one.name)}: () => ${loaded(one)},`;
}

function loaded({ path, name }: ComponentRef): string {
  return `import(${quoted(path)}).then((module) => module[${quoted(name)}])`;
}

function routesText(routes: readonly PageRoute[], indent: string, load: (one: ComponentRef) => string): string {
  const inside = `${indent}  `;
  const lines = routes.map(({ path, index, component, guarded, children }) => {
    const parts = [
      ...(path === undefined ? [] : [`path: ${quoted(path)}`]),
      ...(index === undefined ? [] : ['index: true']),
      ...(guarded === undefined ? [] : ['guarded: true']),
      ...(component === undefined ? [] : [`load: () => ${load(component)}`]),
      ...(children === undefined ? [] : [`children: ${routesText(children, inside, load)}`]),
    ];
    return `\n${inside}{ ${parts.join(', ')} },`;
  });
  return `[${lines.join('')}\n${indent}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
