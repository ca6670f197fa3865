/** The metrics of pods (`metrics.k8s.io`) as a test wants them: the API server passes what autoscalers ask for on to this server. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

export interface Metrics extends AsyncDisposable {
  /** Use of CPU that every pod has from now on, in thousandths of one. */
  use(milli: number): void;
}

export async function startMetrics(cluster: Cluster): Promise<Metrics> {
  let milli = 0;
  const [key, cert] = [join(cluster.plane.folder, 'metrics.key'), join(cluster.plane.folder, 'metrics.crt')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=metrics'];
  execFileSync('openssl', args, { stdio: 'ignore' });
  const apiVersion = 'metrics.k8s.io/v1beta1';
  const podMetrics = (items: readonly any[]) =>
    items.map(({ metadata: { name, namespace, labels } }) => ({
      metadata: { name, namespace, labels },
      timestamp: new Date().toISOString(),
      window: '1s',
      containers: [{ name: 'app', usage: { cpu: `${milli}m`, memory: '64Mi' } }],
    }));
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const { pathname, search } = new URL(request.url!, 'https://metrics');
    const namespace = /\/namespaces\/([^/]+)\/pods$/.exec(pathname)?.[1];
    const pods = { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] };
    const answer =
      namespace === undefined
        ? { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources: [pods] }
        : {
            ...{ kind: 'PodMetricsList', apiVersion, metadata: {} },
            items: podMetrics((await cluster.ask('GET', `/api/v1/namespaces/${namespace}/pods${search}`)).items),
          };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const name = 'metrics';
  await cluster.ask('POST', '/api/v1/namespaces/kube-system/services', {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  await cluster.ask('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1beta1.metrics.k8s.io' } },
    spec: {
      ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
      ...{ insecureSkipTLSVerify: true, service: { namespace: 'kube-system', name, port } },
    },
  });
  return {
    use(one) {
      milli = one;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
