/** Parts of the project that the measurements of the browser half use. */
export { entryId, svcPlugin } from '../../adapters/client/plugin.ts';
export { findRuntime } from '../../adapters/client/runtime-files.ts';
export { compileClient } from '../../test/client/compile-client.ts';
export { startBrowser } from '../../test/harness/browser.ts';
