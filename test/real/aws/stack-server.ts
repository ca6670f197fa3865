/**
 * The address of a stack that was deployed: HTTP and WebSocket API before its functions, which run in processes of their own, several of each when
 * calls come together. The gateways are those of the emulation; between them and a function everything is JSON.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { emulateSockets } from '../../../adapters/hosts/emulated/emulate-sockets.ts';
import { defaultRoute, httpEvent, webhookRoute } from '../../../adapters/hosts/emulated/http-event.ts';
import { toReply } from '../../../adapters/hosts/emulated/to-reply.ts';
import type { LocalCall } from '../../../adapters/hosts/local/local-call.ts';
import { serveLocal } from '../../../adapters/hosts/local/serve.ts';
import { maxGatewayBodyBytes } from '../../../core/platforms/aws-limits.ts';
import type { App } from '../../../handlers/app.ts';
import type { FunctionName } from '../../../infra/cloud/needs.ts';
import { roleName } from '../../../infra/cloud/roles.ts';
import { fixtureApp } from '../../harness/fixture-app.ts';
import type { FunctionInstance, PackagedFunction } from '../../harness/packaged-function.ts';
import { fetchFunction, type RunFunctions } from './functions.ts';
import { openRoleGate, type RoleGate } from './role-gate.ts';

const limits = {
  maxUrlBytes: 8192,
  maxHeaderBytes: 16_384,
  maxConnections: 1000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  keepaliveMs: 5000,
};

export interface StackServer {
  readonly base: string;
  /** The ways of functions to their tables, by the names of functions. */
  readonly gates: ReadonlyMap<string, RoleGate>;
  stop(): Promise<void>;
}

/** `variables`: instead of those that functions were deployed with. */
export async function serveStack(
  options: RunFunctions,
  names: readonly FunctionName[],
  variables: Readonly<Record<string, string>> = {},
): Promise<StackServer> {
  const sockets = emulateSockets({ timeoutSeconds: 30, roundTrips: true });
  const management = createServer(async (request, response) => {
    response.on('error', () => {});
    const id = decodeURIComponent(request.url!.split('/@connections/')[1]!);
    if (request.method === 'DELETE') await sockets.gateway.cut(id);
    const isThere = request.method !== 'POST' || (await sockets.gateway.post(id, await text(request)));
    response.writeHead(isThere ? 200 : 410, isThere ? {} : { 'x-amzn-errortype': 'GoneException' }).end();
  });
  // As in the role gate: a connection must not end just when it is taken again.
  management.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => management.listen(0, '127.0.0.1', resolve));
  const connections = `http://127.0.0.1:${(management.address() as AddressInfo).port}`;
  const pools = new Map<string, Pool>();
  const gates = new Map<string, RoleGate>();
  for (const name of names) {
    const gate = await openRoleGate(options.account.executed!, roleName(name), {
      dynamo: options.dynamo,
      management: connections,
    });
    gates.set(name, gate);
    const more = { ...variables, SVC_MANAGEMENT_ENDPOINT: gate.endpoint };
    pools.set(name, poolOf(await fetchFunction({ ...options, dynamo: gate.endpoint }, name, more)));
  }
  const invoke = async (name: string, event: object) => await pools.get(name)!.invoke(event);
  const { app } = await fixtureApp();
  const handle: App['handle'] = async (call) => {
    const local = call as LocalCall;
    const isWebhook = call.method === 'POST' && /^\/webhook\/[^/]+$/.test(call.path) && pools.has('webhook');
    const body = local.hasBody ? await local.body(maxGatewayBodyBytes) : undefined;
    return toReply(
      await invoke(isWebhook ? 'webhook' : 'http', httpEvent(local, body, isWebhook ? webhookRoute : defaultRoute)),
    );
  };
  sockets.serve(async (event) => await invoke('websocket', event));
  const server = await serveLocal({ ...app, handle }, { host: '127.0.0.1', port: 0, limits, sockets });
  return {
    base: `http://127.0.0.1:${server.port}`,
    gates,
    async stop() {
      await server.close();
      for (const pool of pools.values()) pool.end();
      for (const gate of gates.values()) gate.close();
      management.closeAllConnections();
      await new Promise((resolve) => management.close(resolve));
    },
  };
}

interface Pool {
  invoke(event: object): Promise<any>;
  end(): void;
}

/** More processes than these would only wait for each other on a small machine. */
const mostInstances = 3;

/** Each event goes to an instance that does nothing else; another one is started when all are busy. */
function poolOf(packaged: PackagedFunction): Pool {
  const all: FunctionInstance[] = [];
  const idle: FunctionInstance[] = [];
  const waiting: ((instance: FunctionInstance) => void)[] = [];
  const take = (): FunctionInstance | Promise<FunctionInstance> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.length === mostInstances) return new Promise((resolve) => waiting.push(resolve));
    const instance = packaged.open();
    all.push(instance);
    return instance;
  };
  const give = (instance: FunctionInstance) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(instance);
    else next(instance);
  };
  return {
    async invoke(event) {
      const instance = await take();
      const answer = await instance.invoke(event);
      give(instance);
      return answer;
    },
    end() {
      for (const instance of all) instance.end();
      packaged[Symbol.dispose]();
    },
  };
}
