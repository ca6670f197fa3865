import type { CompileRequest } from './compile-request.ts';

/** Gives the options for reading a project from disk: shared by everything that compiles. */
export function projectOptions({ config, env }: Pick<CompileRequest, 'config' | 'env'>) {
  return {
    root: config.projectDir,
    svcPath: (env['SVC_PATH'] ?? '').split(':').filter((path) => path !== ''),
    pins: config.placement.pins as Readonly<Record<string, 'server' | 'client'>>,
    aliases: config.client.paths,
    router: config.client.router,
    defined: Object.keys(config.client.vite.define),
    packages: listedPackages(config),
  };
}

/** Names of the npm packages that the configuration lists. */
export function listedPackages({ dependencies: { npm, npmDev } }: CompileRequest['config']): readonly string[] {
  return [...Object.keys(npm), ...Object.keys(npmDev)];
}
