/** The address at which people reach a deployment. */
import { KubeError } from '../../cluster/client.ts';
import type { LiveObject } from '../../cluster/kinds.ts';
import type { Place } from './place.ts';

/** The address of the Ingress, the load balancer, or a node; undefined where none is reachable from outside. */
export async function addressOf(place: Place): Promise<string | undefined> {
  const { client, namespace, app } = place;
  const ingress = await client.get('Ingress', namespace, app);
  if (ingress !== undefined) {
    const host = ingress.spec.rules?.[0]?.host;
    return `${ingress.spec.tls === undefined ? 'http' : 'https'}://${host}/`;
  }
  const service = await client.get('Service', namespace, `${app}-service`);
  const port = service?.spec.ports?.[0];
  if (service?.spec.type === 'LoadBalancer') {
    const { hostname, ip } = service.status?.loadBalancer?.ingress?.[0] ?? {};
    return hostname === undefined && ip === undefined ? undefined : `http://${inUrl(hostname ?? ip)}:${port.port}/`;
  }
  if (port?.nodePort === undefined) return undefined;
  return `http://${inUrl(await nodeAddress(place))}:${port.nodePort}/`;
}

/** A cluster on this machine is reached as `localhost`; who may not see its nodes gets the host of its API. */
async function nodeAddress({ client }: Place): Promise<string> {
  const { hostname } = new URL(client.access.server);
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) return 'localhost';
  try {
    const addresses = (await client.list('Node', ''))
      .filter(isNodeReady)
      .flatMap(({ status }) => status.addresses ?? []);
    const of = (type: string) => addresses.find((address: any) => address.type === type)?.address;
    return of('ExternalIP') ?? of('InternalIP') ?? hostname;
  } catch (error) {
    if (error instanceof KubeError) return hostname;
    throw error;
  }
}

function isNodeReady({ status }: LiveObject): boolean {
  return status?.conditions?.some(({ type, status: is }: any) => type === 'Ready' && is === 'True') === true;
}

function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
