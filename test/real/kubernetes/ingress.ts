/** A small ingress controller: host names and TLS as the Ingress objects of its class say, each request to one of the pods that are ready. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Cluster } from './cluster.ts';

export interface IngressController extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
}

export async function startIngress({ ask }: Cluster, className: string): Promise<IngressController> {
  const find = async (host: string) => {
    const { items } = await ask('GET', '/apis/networking.k8s.io/v1/ingresses');
    const own = items.filter(({ spec }: any) => spec.ingressClassName === className);
    return own.find(({ spec }: any) => spec.rules.some((rule: any) => rule.host === host));
  };
  const secureContext = async (host: string) => {
    const { spec, metadata } = await find(host);
    const { secretName } = spec.tls.find(({ hosts }: any) => hosts.includes(host));
    const { data } = await ask('GET', `/api/v1/namespaces/${metadata.namespace}/secrets/${secretName}`);
    const text = (key: string) => Buffer.from(data[key], 'base64');
    return createSecureContext({ cert: text('tls.crt'), key: text('tls.key') });
  };
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const host = (incoming.headers.host ?? '').replace(/:\d+$/, '');
    const ingress = await find(host);
    const target = ingress === undefined ? undefined : await podOf(ask, ingress, host, incoming.url!);
    if (target === undefined) return response.writeHead(404).end('no such host');
    const to = request({ ...target, method: incoming.method, path: incoming.url, headers: incoming.headers }, (got) => {
      response.writeHead(got.statusCode!, got.headers);
      got.pipe(response);
    });
    to.on('error', () => response.destroy());
    return incoming.pipe(to);
  };
  const answer = (incoming: IncomingMessage, response: ServerResponse) =>
    void pass(incoming, response).catch(() => response.destroy());
  const plain = createPlainServer(answer);
  const secure = createServer(
    { SNICallback: (host, done) => void secureContext(host).then((context) => done(null, context), done) },
    answer,
  );
  const servers = [plain, secure];
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    httpPort: (plain.address() as AddressInfo).port,
    httpsPort: (secure.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

/** Address of a ready pod behind the first path of the rule that the request begins with. */
async function podOf(ask: Cluster['ask'], { spec, metadata }: any, host: string, url: string) {
  const { http } = spec.rules.find((rule: any) => rule.host === host);
  const { service: backend } = http.paths.find(({ path }: any) => url.startsWith(path)).backend;
  const core = `/api/v1/namespaces/${metadata.namespace}`;
  const service = await ask('GET', `${core}/services/${backend.name}`);
  const port = service.spec.ports.find(({ name }: any) => name === backend.port.name);
  const selector = Object.entries(service.spec.selector).map(([key, value]) => `${key}=${value}`);
  const { items } = await ask('GET', `${core}/pods?labelSelector=${encodeURIComponent(selector.join())}`);
  const ready = items.find(({ status }: any) =>
    status.conditions?.some(({ type, status: is }: any) => type === 'Ready' && is === 'True'),
  );
  return ready === undefined ? undefined : { host: ready.status.podIP, port: port.targetPort };
}

/** A certificate for a host, signed by itself, and the Secret `app-tls` that holds it. */
export function makeCertificate(folder: string, host: string) {
  const [key, cert] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', `/CN=${host}`];
  execFileSync('openssl', [...args, '-addext', `subjectAltName=DNS:${host}`], { stdio: 'ignore' });
  const data = (path: string) => readFileSync(path).toString('base64');
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: { name: 'app-tls' } },
    data: { 'tls.crt': data(cert), 'tls.key': data(key) },
  };
  return { ca: readFileSync(cert), secret };
}
