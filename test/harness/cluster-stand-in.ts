/**
 * A stand-in for the API of a cluster, on this machine: objects in memory, server-side apply with dry runs and field managers of whole objects, leases
 * with versions, access reviews. Deployments are ready at once unless a test says otherwise. What it knows of field ownership is little:
 * `test/real/kubernetes` has the real one.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ClusterStandIn extends AsyncDisposable {
  readonly kubeconfig: object;
  /** Objects by path: `/api/v1/namespaces/default/secrets/demo-auth`. */
  readonly objects: Map<string, any>;
  /** `PATCH /path` of everything that changed something. */
  readonly changes: string[];
  /** Rights that are missing: `create deployments`. */
  readonly denied: Set<string>;
  /** Called for every request; a status is answered instead. */
  intercept: (request: { readonly line: string; readonly authorization: string }) => number | undefined;
  /** Gives the status of a Deployment that was applied. */
  statusOf: (deployment: any) => object;
}

export async function startClusterStandIn(): Promise<ClusterStandIn> {
  const objects = new Map<string, any>([['/api/v1/namespaces/default', { metadata: { name: 'default' } }]]);
  let version = 1;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://cluster');
    const line = `${request.method} ${url.pathname}`;
    const injected = stand.intercept({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization ?? '',
    });
    const body = await bodyOf(request);
    const answer = (status: number, json: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (injected !== undefined) return answer(injected, { message: `injected ${injected}`, reason: 'Injected' });
    if (url.pathname.endsWith('/selfsubjectaccessreviews')) {
      const { verb, resource } = body.spec.resourceAttributes;
      return answer(201, { status: { allowed: !stand.denied.has(`${verb} ${resource}`) } });
    }
    if (url.pathname === '/version') return answer(200, { gitVersion: 'v1.34.0' });
    const there = objects.get(url.pathname);
    if (request.method === 'GET') {
      if (there !== undefined) return answer(200, there);
      const isList = /(s|ies)$/.test(url.pathname.split('/').at(-1)!) && ![...objects.keys()].includes(url.pathname);
      const name = url.pathname.split('/').length;
      if (!isList || isNamed(url.pathname, name)) return answer(404, { reason: 'NotFound', message: 'not found' });
      const wanted = (url.searchParams.get('labelSelector') ?? '').split(',').filter((part) => part !== '');
      const items = [...objects].flatMap(([path, object]) =>
        path.startsWith(`${url.pathname}/`) &&
        wanted.every((part) => object.metadata.labels?.[part.split('=')[0]!] === part.split('=')[1])
          ? [object]
          : [],
      );
      return answer(200, { items });
    }
    const isDry = url.searchParams.get('dryRun') === 'All';
    if (!isDry) stand.changes.push(line);
    if (request.method === 'DELETE') {
      objects.delete(url.pathname);
      return answer(200, {});
    }
    const path = request.method === 'POST' ? `${url.pathname}/${body.metadata.name}` : url.pathname;
    if (request.method === 'POST' && objects.has(path))
      return answer(409, { reason: 'AlreadyExists', message: 'exists' });
    if (request.method === 'PUT' && body.metadata.resourceVersion !== there?.metadata.resourceVersion)
      return answer(409, { reason: 'Conflict', message: 'changed' });
    const metadata = { uid: String(version), ...there?.metadata, ...body.metadata };
    const isSame = there !== undefined && JSON.stringify({ ...there, ...body, metadata }) === JSON.stringify(there);
    const next = {
      ...there,
      ...body,
      metadata: { ...metadata, ...(isSame ? {} : { resourceVersion: String(++version) }) },
    };
    if (body.kind === 'Deployment' && !isDry) next.status = stand.statusOf(next);
    if (!isDry) objects.set(path, next);
    return answer(200, next);
  });
  const stand: ClusterStandIn = {
    objects,
    changes: [],
    denied: new Set(),
    intercept: () => undefined,
    statusOf: ({ spec }) => ({
      observedGeneration: 1,
      replicas: spec.replicas,
      updatedReplicas: spec.replicas,
      availableReplicas: spec.replicas,
    }),
    get kubeconfig() {
      return {
        'current-context': 'here',
        contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
        users: [{ name: 'u', user: { token: 'canary-token' } }],
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return stand;
}

/** `/api/v1/namespaces/default/secrets/demo-secrets` names one object, `/api/v1/namespaces/default/secrets` all of them. */
function isNamed(path: string, parts: number): boolean {
  const inNamespace = path.includes('/namespaces/');
  const base = path.startsWith('/apis/') ? 5 : 4;
  return parts > (inNamespace ? base + 2 : base);
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}
