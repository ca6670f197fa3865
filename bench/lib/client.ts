/** What the measurements of the browser half use of the project. */
export { entryId, svcPlugin } from '../../adapters/client/plugin.ts';
export { compileClient } from '../../test/client/compile-client.ts';
export { startBrowser } from '../../test/harness/browser.ts';
