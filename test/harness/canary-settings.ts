import { optionAt, optionPaths, tomlKey } from '../../core/config/options.ts';

/** A secret to look for afterwards. */
export const canary = (name: string): string => `canary-${name}-0123456789-abcdefghijklmnop`;

/** A `svc.toml` with a canary in every place that may hold a secret, but for `[plugins.scale.secrets]`. */
export function canarySettings(): string {
  const addresses: Readonly<Record<string, string>> = {
    'scale.database.databaseUrl': `postgres://u:${canary('postgres')}@127.0.0.1/`,
    'scale.database.docdbUri': `mongodb://u:${canary('docdb')}@127.0.0.1/`,
    'scale.database.kvcacheUrl': `redis://:${canary('kvcache')}@127.0.0.1/`,
  };
  const lines = optionPaths
    .filter((path) => optionAt(path).secret === true && path !== 'scale.secrets')
    .map((path) => {
      const text = addresses[path] ?? canary(path);
      return `${tomlKey(path)} = ${optionAt(path).type.kind === 'texts' ? `["${text}"]` : `"${text}"`}`;
    });
  return `${lines.join('\n')}
[plugins.scale.sso.corp]
issuer = "https://id.example"
client_id = "app"
client_secret = "${canary('sso')}"
[environments.live.plugins.scale.jwt]
secret = "${canary('profile')}"
[tool.other]
token = "${canary('tool')}"
# old = "${canary('comment')}"
`;
}
