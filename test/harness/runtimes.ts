/** Node, a later Node, and the other runtimes that servers of Hono and edge workers are started in (test/runtimes). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './server.ts';

export type RuntimeName = 'node' | 'deno' | 'bun';

/** The command that runs a script, without the path of the script. */
export function runtimeCommand(name: RuntimeName): readonly [string, ...string[]] {
  if (name === 'node') return [process.execPath];
  // A script without a package.json beside it finds its packages in node_modules.
  if (name === 'deno')
    return [programOf('@deno', 'deno'), 'run', '--allow-all', '--node-modules-dir=manual', '--no-lock'];
  return [programOf('@oven', 'bin/bun'), 'run'];
}

/** The program that runs an edge worker. */
export const workerdProgram = (): string => programOf('@cloudflare', 'bin/workerd');

/** The program of a Node that is later than the one tests run in. */
export const laterNode = (): string => programOf('@node-24', 'bin/node');

/** The program in the package of this platform, which npm has chosen. */
function programOf(scope: string, path: string): string {
  const folder = join(repository, 'test/runtimes/node_modules', scope);
  const [chosen] = readPackages(folder);
  if (chosen === undefined)
    throw new Error(`${scope} is not installed: npm ci --ignore-scripts --prefix test/runtimes`);
  return join(folder, chosen, path);
}

function readPackages(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
