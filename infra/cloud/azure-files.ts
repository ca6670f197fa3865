/** Files of an application of Azure Functions besides its bundle (docs/guide/deploy/other-functions.md#azure). */
import type { Files } from '../files.ts';

export interface AzureApp {
  readonly name: string;
  /** Whole seconds that the host lets a call take. */
  readonly timeoutSeconds: number;
}

/**
 * `host.json`, without the prefix `/api` that paths have otherwise, and `package.json`, which names the module that registers the functions.
 * https://learn.microsoft.com/azure/azure-functions/functions-host-json
 */
export function azureFiles({ name, timeoutSeconds }: AzureApp): Files {
  const host = {
    version: '2.0',
    functionTimeout: new Date(timeoutSeconds * 1000).toISOString().slice(11, 19),
    extensions: { http: { routePrefix: '' } },
  };
  const project = { name, private: true, type: 'module', main: 'handlers/azure.mjs' };
  return { 'host.json': jsonFile(host), 'package.json': jsonFile(project) };
}

function jsonFile(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}
