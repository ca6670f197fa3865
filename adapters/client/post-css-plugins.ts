/** Plug-ins of PostCSS that `[plugins.client.configs]` of `svc.toml` names; post-css.ts loads them. */
import type { Config } from '../../core/config/config.ts';
import { packageOf, versionOf } from './packages.ts';

export type Settings = Pick<Config, 'client' | 'projectDir'>;

/** A plug-in and its options, `undefined` for none. */
export type Listed = readonly [name: string, options: unknown];

export const tailwindName = 'tailwindcss';

/** Plug-ins of PostCSS: those that are listed, else Tailwind 3 where it is configured. Tailwind 4 is a plug-in of Vite. */
export function pluginsOf({ client: { configs }, projectDir }: Settings): readonly Listed[] {
  if (configs.postcss['plugins'] !== undefined) return listOf(configs.postcss['plugins']);
  const isMeant = !isEmpty(configs.tailwind) && versionOf(tailwindName, projectDir).startsWith('3.');
  return isMeant ? [[tailwindName, undefined]] : [];
}

/** `["a", "b"]` or `{ a = {}, b = { option = 1 } }`, in which `false` leaves one out. */
export function listOf(plugins: unknown): readonly Listed[] {
  if (Array.isArray(plugins)) return plugins.map((name) => [name, undefined]);
  if (typeof plugins !== 'object' || plugins === null) return [];
  return Object.entries(plugins)
    .filter(([, options]) => options !== false)
    .map(([name, options]) => [name, options === true || isEmpty(options) ? undefined : options]);
}

/** Packages that `svc.toml` names as plug-ins of PostCSS. */
export function pluginPackages({ configs }: Config['client']): readonly string[] {
  return listOf(configs.postcss['plugins']).flatMap(([name]) => (name.startsWith('.') ? [] : [packageOf(name)]));
}

/** Tells whether `svc.toml` configures a Tailwind that PostCSS does not run: one of another version, or one that its plug-ins leave out. */
export function hasIdleTailwind(settings: Settings): boolean {
  return !isEmpty(settings.client.configs.tailwind) && !pluginsOf(settings).some(([name]) => name === tailwindName);
}

export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
