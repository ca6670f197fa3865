/** The module that puts an application into its page: written for each program, so that a page loads no more than it shows. */
import type { ClientOutline } from '../../lang/6-emit-client/outline.ts';
import type { ComponentRef, PageRoute } from '../../lang/6-emit-client/pages.ts';

export interface EntryOptions {
  /** `auto`: that of the era in which the program was written. */
  readonly router: 'auto' | 'history' | 'hash';
  /** Path that `(auth)` sends people to who are not signed in. */
  readonly authRedirect: string;
  /** Tells the script of the page of modules that are loaded later, for development (`page-watch.ts`). */
  readonly awaits?: boolean;
}

export function entryText(
  { app, components, pages, usesRouter, isEarly }: ClientOutline,
  options: EntryOptions,
): string {
  const hasPages = pages.length > 0;
  const routes = usesRouter || hasPages;
  const router = options.router === 'auto' ? (isEarly ? 'hash' : 'history') : options.router;
  const load = (one: ComponentRef) => loaded(one, options.awaits === true);
  const lines = [
    `import { mount } from '@svc/runtime/mount';`,
    ...(routes ? [`import { Router, setRouterKind } from '@svc/runtime/router';`] : []),
    ...(app === undefined ? [] : [`import { ${app.name} as app } from ${quoted(app.path)};`]),
    ...(hasPages ? [`import { pageRoutes } from '@svc/runtime/pages';`] : []),
    ...(options.awaits ? ['const awaits = (module) => globalThis.$svcPage?.awaits(module) ?? module;'] : []),
    ...(routes && router !== 'history' ? [`setRouterKind(${quoted(router)});`] : []),
    `const components = {${components.map((one) => shown(one, load)).join('')}\n};`,
    ...(hasPages ? [`const pages = pageRoutes(${routesText(pages, '', load)}, ${quoted(options.authRedirect)});`] : []),
    'mount({',
    ...(app === undefined ? [] : ['  app,']),
    ...(routes ? ['  around: Router,'] : []),
    ...(hasPages ? ['  pages,'] : []),
    '  component: async (name) => components[name]?.(),',
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

type Load = (one: ComponentRef) => string;

function shown(one: ComponentRef, load: Load): string {
  return `\n  ${quoted(one.name)}: () => ${load(one)},`;
}

function loaded({ path, name }: ComponentRef, awaits: boolean): string {
  const module = `import(${quoted(path)})`;
  return `${awaits ? `awaits(${module})` : module}.then((module) => module[${quoted(name)}])`;
}

function routesText(routes: readonly PageRoute[], indent: string, load: Load): string {
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
