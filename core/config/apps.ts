/** Applications that `svc.toml` has tables of their own for: `[apps.NAME]` (docs/server/configuration.md#apps). */
import type { TomlTable } from './toml-nodes.ts';
import { memberAt } from './written-keys.ts';

/**
 * Gives the file that the application `name` begins with, relative to `svc.toml`; without a name that of `[project]
 * default-app`, else of the only application.
 */
export function entryOfApp(root: TomlTable, name?: string): string | undefined {
  const apps = memberAt(root, ['apps']);
  if (apps?.kind !== 'table') return undefined;
  const only = apps.members.size === 1 ? [...apps.members.keys()][0] : undefined;
  const app = name ?? textAt(root, 'project', 'default-app') ?? only;
  const entry = app === undefined ? undefined : textAt(root, 'apps', app, 'entry-point');
  if (entry === undefined) return undefined;
  return entryFile(entry);
}

/** Gives the file of an entry point, which is a path or a module: `cli.main` is `cli/main.svc`. */
export function entryFile(entry: string): string {
  return entry === '' || /[/\\]|\.(svc|[cm]?[jt]sx?)$/.test(entry) ? entry : `${entry.replaceAll('.', '/')}.svc`;
}

function textAt(root: TomlTable, ...path: string[]): string | undefined {
  const older = [...path.slice(0, -1), path.at(-1)!.replaceAll('-', '_')];
  const node = memberAt(root, path) ?? memberAt(root, older);
  return node?.kind === 'value' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined;
}
