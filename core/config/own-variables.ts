/** Variables of the environment that begin with `SVC_` (docs/server/configuration.md#variables). */
import { didYouMean } from '../../base/did-you-mean.ts';
import type { Finding } from './finding.ts';
import { envNames, optionPaths } from './options.ts';
import type { TomlNode, TomlTable } from './toml-nodes.ts';
import { memberAt } from './written-keys.ts';

/** Variables of the environment that are no key of `svc.toml`, with their meanings. */
export const ownVariables: Readonly<Record<string, string>> = {
  SVC_ENV: 'Mode: `development`, `production` or `test`.',
  SVC_PROFILE: 'Profile, `[environments.<name>]`; `--profile` comes before it.',
  SVC_CONFIG: 'Configuration file; `--config` comes before it.',
  SVC_DATA_PATH: 'Data directory; else `.svc/data`.',
  SVC_STRICT_CONFIG: '`1`: unknown keys of `svc.toml` are errors.',
  SVC_PATH: 'Folders in which modules are looked for, separated by `:`.',
  SVC_API_KEY: 'API key of `svc webhook`.',
  SVC_SIGNING_SECRET: 'Signing secret of `svc webhook`.',
  SVC_USER_PASSWORD: 'Password that `svc user add` and `svc user password` set.',
  SVC_EMULATE_JSON: '`1`: `--emulate` sends its events through JSON.',
  SVC_ADAPTER: 'Where a deployed application runs; set when deploying.',
  SVC_SECRETS_PATH: 'Where cloud functions find their secrets; set when deploying.',
  SVC_STATIC_FILES: 'Where cloud functions find files of the pages of earlier versions; set when deploying.',
  SVC_MANAGEMENT_ENDPOINT: 'Where cloud functions reach open sockets; set when deploying.',
};

/** Kept for the tests of svc itself, and what client code reads as `import.meta.env.SVC_PUBLIC_…`. */
const ofOthers = /^SVC_(TEST|PUBLIC)_/;

/** A warning for each that means nothing here and that the file neither names nor sets. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  file: TomlTable | undefined,
): Finding[] {
  const given = Object.keys(env).filter((name) => name.startsWith('SVC_') && env[name] && !ofOthers.test(name));
  if (given.length === 0) return [];
  const known = new Set([...Object.keys(ownVariables), ...optionPaths.flatMap(envNames)]);
  const isNamed = file === undefined ? new Set() : new Set(namedIn(file));
  return given
    .filter((name) => !known.has(name) && !isNamed.has(name))
    .map((name) => {
      const nearest = didYouMean(name, known);
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
      return { severity: 'warning', where: 'environment', key: name, problem: `unknown variable${hint}` };
    });
}

/** Variables a file refers to, and those it sets for a deployed application. */
function namedIn(root: TomlTable): string[] {
  const set = ['secrets', 'orchestrator.env', 'cloud.env', 'gcp.env'].flatMap((name) => {
    const table = memberAt(root, ['plugins', 'scale', ...name.split('.')]);
    return table?.kind === 'table' ? [...table.members.keys()] : [];
  });
  return [...set, ...references(root)];
}

function references(node: TomlNode): string[] {
  if (node.kind === 'table') return [...node.members.values()].flatMap(references);
  const text = typeof node.value === 'string' ? node.value : (JSON.stringify(node.value) ?? '');
  return [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name]) => name!);
}
