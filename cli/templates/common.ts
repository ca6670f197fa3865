/** Files every new application has. */
export function commonFiles(name: string, about: string, entry = 'main.svc'): Readonly<Record<string, string>> {
  return {
    'svc.toml': `[project]
name = "${name}"
version = "0.1.0"
description = "${about}"
entry-point = "${entry}"

[serve]
functions = "marked" # endpoints are functions with :pub, :priv or :protect; others are internal

[plugins.scale.jwt]
secret = "auto" # random, kept in .svc/secrets
`,
    '.gitignore': '.svc/\nnode_modules/\nstorage/\n.env\n',
  };
}
