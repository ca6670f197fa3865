/**
 * Measures by which a page in development never shows an older program than there is. Updates reach only pages whose socket is open, and only
 * modules that stand in the page: what is sent while a page is loaded, or to one whose modules failed, would be lost.
 */
import type { HotPayload, WebSocketClient, WebSocketServer } from 'vite';
import { reportedText } from '../../base/reported-text.ts';

/** Takes problems away from a page: without it Vite loads a page anew whose first update comes under an error, and what was typed is lost. */
export const uncovered: HotPayload = { type: 'custom', event: 'svc:uncovered' };
/** Tells that modules have changed, also where no page has one of them. */
export const changed: HotPayload = { type: 'custom', event: 'svc:changed' };

/** Error of a module that failed while a page loaded it. */
export interface PageFailure {
  readonly message: string;
  readonly stack: string;
}

/** Hears from pages: the state of the program of which each was made, and errors of its modules. */
export function hearPages(
  ws: WebSocketServer,
  {
    state,
    onFailure,
  }: { readonly state: () => string; readonly onFailure: (failure: PageFailure, page: WebSocketClient) => void },
): void {
  ws.on('svc:page', (of: unknown, page: WebSocketClient) => {
    if (of !== state()) page.send({ type: 'custom', event: 'svc:stale' });
  });
  ws.on('svc:failed', (told: Partial<Record<keyof PageFailure, unknown>> | undefined, page: WebSocketClient) => {
    onFailure({ message: reportedText(told?.message, 1000), stack: reportedText(told?.stack, 6000) }, page);
  });
}

/**
 * Script of a page that was made of a state. A page that is older than the program when its socket opens loads itself anew. So does a page at an update
 * while it waits for a module, or has waited in vain: Vite leaves out modules that do not stand in the page. A page does that 20 times a minute at
 * most, as its text may come from a cache, and files may change with each request. A module that failed is told to the server, which shows its place; of a page it hears of 20 errors.
 */
export const pageScript = (
  state: string,
  base: string,
): string => `import { createHotContext } from ${JSON.stringify(`${base}@vite/client`)};
const hot = createHotContext('svc:page');
const awaited = new Set(['entry']);
const begun = new Set();
let told = 0;
const tell = (error) => told++ < 20 && hot.send('svc:failed', { message: String(error), stack: error?.stack });
globalThis.$svcPage = {
  begin: (url) => begun.add(url),
  end: (url) => begun.delete(url),
  stands: () => awaited.delete('entry'),
  awaits(module) {
    awaited.add(module);
    module.then(() => awaited.delete(module), () => {});
    return module;
  },
};
const loadAnew = () => {
  const since = Date.now() - 60_000;
  const times = JSON.parse(sessionStorage.getItem('svc:loads') ?? '[]').filter((at) => at > since);
  if (times.length >= 20) return;
  sessionStorage.setItem('svc:loads', JSON.stringify([...times, Date.now()]));
  location.reload();
};
const renew = () => awaited.size > 0 && loadAnew();
addEventListener('error', ({ error }) => awaited.has('entry') && error && tell(error));
hot.on('vite:beforeUpdate', renew);
hot.on('svc:changed', renew);
hot.on('vite:afterUpdate', () => {
  for (const url of begun) {
    begun.delete(url);
    import(/* @vite-ignore */ url).catch((error) => {
      begun.clear();
      awaited.add(url);
      tell(error);
    });
  }
});
hot.on('svc:uncovered', () => {
  for (const one of document.querySelectorAll('vite-error-overlay')) one.remove();
});
hot.on('svc:stale', loadAnew);
hot.send('svc:page', ${JSON.stringify(state)});
`;

/** Code at the end of the entry. */
export const entryStands = 'globalThis.$svcPage?.stands();\n';

/** Gives a compiled module with calls at its beginning and its end; the map is moved by the line of the first. */
export function tellingModule({ code, map }: { readonly code: string; readonly map: string }) {
  return {
    code: `globalThis.$svcPage?.begin(import.meta.url);\n${code}\nglobalThis.$svcPage?.end(import.meta.url);\n`,
    map: map.replace(/"mappings":"/, '$&;'),
  };
}
