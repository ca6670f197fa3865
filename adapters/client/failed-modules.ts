/**
 * Modules that fail while they are loaded into a page that is open. Vite tells the browser's console alone, and a module that has failed takes no
 * further updates: the page would show the version before for ever.
 */

/** Code for the first module of a page: tells the errors of modules that have begun and not ended, and loads the page anew at the next update. */
export const watchingModules = `if (import.meta.hot) {
  const begun = new Set();
  let hasFailed = false;
  globalThis.$svcModules = { begin: (url) => begun.add(url), end: (url) => begun.delete(url) };
  import.meta.hot.on('vite:beforeUpdate', () => {
    if (hasFailed) location.reload();
  });
  import.meta.hot.on('vite:afterUpdate', () => {
    const failed = [...begun];
    begun.clear();
    for (const url of failed) {
      hasFailed = true;
      import(/* @vite-ignore */ url).catch((error) => {
        begun.clear();
        reportError(error);
      });
    }
  });
}
`;

/** Gives a compiled module with calls at its beginning and its end; the map is moved by the line of the first. */
export function tellingModule({ code, map }: { readonly code: string; readonly map: string }) {
  return {
    code: `globalThis.$svcModules?.begin(import.meta.url);\n${code}\nglobalThis.$svcModules?.end(import.meta.url);\n`,
    map: map.replace(/"mappings":"/, '$&;'),
  };
}
