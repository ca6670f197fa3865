/**
 * Keys of `svc.toml` that no option describes and that are accepted all the same, with anything in them: tables of
 * other tools of the language, and those that files of existing programs have in ours. A row is a name as `keyOf` gives
 * it, with `.*` for everything below a table that has options too, and what messages call it; '' for what nobody
 * expects an effect of.
 */
const rows: readonly (readonly [name: string, shown: string])[] = [
  ...silent('project', 'authors', 'default_app', 'include', 'keywords', 'kind', 'license', 'maintainers', 'readme'),
  ...silent('project', 'requires_python', 'svc_version', 'urls'),
  ...silent('plugins', 'discovery', 'enabled', 'disabled'),
  ['plugins.client.enabled', ''],
  ['plugins.scale.enabled', ''],
  // `entryOfApp` reads the entry points in it.
  ['apps', ''],
  ['tool', ''],
  ...tables('build', 'cache', 'dev', 'dot', 'eject', 'entrypoints', 'environment', 'format', 'gc', 'mobile'),
  ...tables('precommit', 'scripts', 'svchammer', 'svcpack', 'test'),
  ['dependencies.*', '[dependencies]'],
  ['dev_dependencies', '[dev-dependencies]'],
  ['optional_dependencies', '[optional-dependencies]'],
  ['svc_shadcn', '[svc-shadcn]'],
  ['check.lint', '[check.lint]'],
  ...keys('check', 'print_errs', 'warnonly'),
  ...keys('run', 'cache', 'diagnostics', 'main', 'session', 'topology_index'),
  ...keys('serve', 'cl_route_prefix', 'graph_enabled', 'main', 'session'),
  ...keys('plugins.byllm', 'call_params', 'litellm', 'local', 'proxy', 'serve', 'system_prompt', 'verbose'),
  ...tablesOf('plugins', 'desktop', 'mcp'),
  ...tablesOf('plugins.client', 'assets', 'configs', 'desktop', 'mobile', 'npm', 'package', 'pwa', 'ts'),
  ...keys('plugins.client', 'debug', 'framework', 'minify'),
  ['plugins.client.vite.*', '[plugins.client.vite]'],
  ...tablesOf('plugins.scale', 'admin', 'events', 'microservices', 'sandbox'),
];

const shownByName = new Map(rows);

/**
 * Gives the words by which messages call an accepted key, '' where they do not mention it; undefined for a name that is
 * no such key.
 */
export function otherKey(name: string): string | undefined {
  return shownByName.get(name) ?? shownByName.get(`${name.slice(0, name.lastIndexOf('.'))}.*`);
}

export const otherNames: readonly string[] = rows.map(([name]) => name);

function silent(table: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [`${table}.${name}`, '']);
}

function keys(table: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [`${table}.${name}`, `${table}.${name}`]);
}

function tables(...names: readonly string[]): [string, string][] {
  return names.map((name) => [name, `[${name}]`]);
}

function tablesOf(table: string, ...names: readonly string[]): [string, string][] {
  return tables(...names.map((name) => `${table}.${name}`));
}
