/**
 * Keys of `svc.toml` that no option describes and that are accepted all the same, with anything in them: tables of
 * other tools of the language, and those that files of existing programs have in ours. A row is a name as `keyOf` gives
 * it, with `.*` for everything below a table that has options too, and what messages call it; '' for what nobody
 * expects an effect of.
 */
const rows: readonly (readonly [name: string, shown: string])[] = [
  ...of('', 'project', 'authors default_app include keywords kind license maintainers readme requires_python'),
  ...of('', 'project', 'svc_version urls'),
  // `entryOfApp` reads the entry points in `apps`.
  ...of('', '', 'apps tool plugins.client.enabled plugins.scale.enabled'),
  ...of('', 'plugins', 'discovery enabled disabled'),
  ...of('[', '', 'build cache dev dot eject entrypoints environment format gc mobile precommit scripts svchammer'),
  ...of('[', '', 'svcpack test check.lint desktop mcp'),
  ['dependencies.*', '[dependencies]'],
  ['dev_dependencies', '[dev-dependencies]'],
  ['optional_dependencies', '[optional-dependencies]'],
  ['svc_shadcn', '[svc-shadcn]'],
  ...of('.', 'check', 'print_errs warnonly'),
  ...of('.', 'run', 'cache diagnostics main session topology_index'),
  ...of('.', 'serve', 'cl_route_prefix main session'),
  ...of('[', 'plugins', 'desktop mcp'),
  ...of('.', 'plugins.byllm', 'call_params litellm local proxy serve system_prompt verbose'),
  ...of('[', 'plugins.client', 'assets desktop mobile npm package pwa ts'),
  ...of('.', 'plugins.client', 'debug framework minify'),
  ['plugins.client.vite.*', '[plugins.client.vite]'],
  ['plugins.client.configs.*', '[plugins.client.configs] for other tools than PostCSS and Tailwind'],
  ...of('[', 'plugins.scale', 'admin events microservices sandbox'),
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

/** Gives rows of names below `table`, with what messages call them: nothing, the key (`.`) or the table (`[`). */
function of(form: '' | '.' | '[', table: string, names: string): [string, string][] {
  return names.split(' ').map((name) => {
    const full = table === '' ? name : `${table}.${name}`;
    return [full, form === '[' ? `[${full}]` : form && full];
  });
}
