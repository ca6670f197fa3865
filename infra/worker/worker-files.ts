/** Files beside the modules of a worker, which say how it is deployed (docs/hono.md#edge). */

export interface WorkerApp {
  readonly name: string;
  /** Paths of the worker's files in `folder`; the first module is the one that is started. */
  readonly files: readonly string[];
  /** Names of the variables that are set as secrets. */
  readonly secrets: readonly string[];
  /** Variables that everybody may see. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Folder of the modules. */
export const folder = 'bundle';

const mainModule = 'runtime/worker.mjs';

/** Behaviour of workerd that the tests run with. */
const compatibilityDate = '2026-10-01';

/** Configuration of Wrangler. https://developers.cloudflare.com/workers/wrangler/configuration/ */
export function wranglerToml({ name, files, secrets, variables }: WorkerApp): string {
  const data = files.filter((path) => !path.endsWith('.mjs'));
  return `# Written by svc build. Here: npx wrangler deploy
# Once, before that: ${secrets.map((secret) => `npx wrangler secret put ${secret}`).join('\n#                    ')}
name = ${quoted(name)}
main = ${quoted(`${folder}/${mainModule}`)}
base_dir = ${quoted(folder)}
no_bundle = true
find_additional_modules = true
compatibility_date = ${quoted(compatibilityDate)}

[observability]
enabled = true

# The application is in one object: all requests come to it.
[[durable_objects.bindings]]
name = "SVC_APP"
class_name = "SvcApp"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["SvcApp"]

[vars]
${Object.entries(variables)
  .map(([variable, value]) => `${variable} = ${quoted(value)}`)
  .join('\n')}

[[rules]]
type = "ESModule"
globs = ["**/*.mjs"]

[[rules]]
type = "Data"
globs = [${data.map(quoted).join(', ')}]
`;
}

/** The same for workerd on a machine of one's own: `workerd serve config.capnp`. https://github.com/cloudflare/workerd */
export function workerdConfig({ files, secrets, variables }: WorkerApp): string {
  const others = files.filter((path) => path !== mainModule);
  const modules = [mainModule, ...others].map((path) => {
    const kind = path.endsWith('.mjs') ? 'esModule' : 'data';
    return `    (name = ${quoted(path)}, ${kind} = embed ${quoted(`${folder}/${path}`)}),`;
  });
  const bindings = [
    '    (name = "SVC_APP", durableObjectNamespace = "SvcApp"),',
    ...Object.entries(variables).map(
      ([variable, value]) => `    (name = ${quoted(variable)}, text = ${quoted(value)}),`,
    ),
    ...secrets.map((secret) => `    (name = ${quoted(secret)}, fromEnvironment = ${quoted(secret)}),`),
  ];
  return `# Written by svc build. Here: workerd serve config.capnp
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "*:8080", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
${modules.join('\n')}
  ],
  bindings = [
${bindings.join('\n')}
  ],
  durableObjectNamespaces = [(className = "SvcApp", uniqueKey = "svc-app")],
  durableObjectStorage = (inMemory = void),
  compatibilityDate = ${quoted(compatibilityDate)},
);
`;
}

/** A string of TOML and of Cap'n Proto's language. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
