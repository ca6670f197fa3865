import type { FixedRoute } from '../../handlers/routes.ts';
import type { ServedTarget } from '../../handlers/served-targets.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly auth: string;
}

/** `POST   /walker/AddTask    token`, one line per endpoint: the program's, then the server's own (`--faux`). */
export function endpointTable(targets: readonly ServedTarget[], fixed: readonly FixedRoute[]): string {
  const endpoints = listEndpoints(targets, fixed);
  const width = Math.max(...endpoints.map(({ path }) => path.length)) + 2;
  return endpoints.map(({ method, path, auth }) => `${method.padEnd(7)}${path.padEnd(width)}${auth}\n`).join('');
}

/** The same, one JSON object per line. */
export function endpointLines(targets: readonly ServedTarget[], fixed: readonly FixedRoute[]): string {
  return listEndpoints(targets, fixed)
    .map((endpoint) => `${JSON.stringify({ event: 'endpoint', ...endpoint })}\n`)
    .join('');
}

function listEndpoints(targets: readonly ServedTarget[], fixed: readonly FixedRoute[]): Endpoint[] {
  return [
    ...targets.flatMap((target) =>
      methodsOf(target).map((method) => ({ method, path: target.path, auth: authOf(target) })),
    ),
    ...fixed
      .filter(({ template }) => !template.startsWith('/static/_docs'))
      .map(({ method, template, auth }) => ({ method, path: template, auth: auth === 'bearer' ? 'token' : 'public' })),
  ];
}

function methodsOf({ rest, methods }: ServedTarget): readonly string[] {
  if (rest.protocol === 'WEBSOCKET') return ['WS'];
  return rest.protocol === 'WEBHOOK' ? ['POST'] : methods;
}

function authOf({ rest, isPublic }: ServedTarget): string {
  if (rest.protocol === 'WEBHOOK')
    return rest.verify === '' ? 'API key' : rest.verify === 'none' ? 'public' : `signed by ${rest.verify}`;
  return isPublic ? 'public' : 'token';
}
