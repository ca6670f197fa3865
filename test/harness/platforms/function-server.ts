/** An application as functions under their runtime client, over the emulator of DynamoDB: built, unpacked, behind a stand-in for their gateways. */
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { graphTable, liveTable } from '../../../adapters/stores/dynamodb/tables.ts';
import { followedStreams } from '../../../infra/cloud/service.ts';
import { startDynamo } from '../dynamo-server.ts';
import { unpackAlone } from '../packaged-function.ts';
import { removeFolder, runSvc } from '../server.ts';
import { eventOf, type Format, sendResult } from './gateway-events.ts';
import { type RunningFunction, runFunction } from './runtime-client.ts';
import { openSocketGateway, type SocketGateway } from './socket-gateway.ts';
import { openStreams } from './table-streams.ts';

type Env = Readonly<Record<string, string>>;

export interface FunctionServer extends AsyncDisposable {
  readonly base: string;
  /** Address of the function that streams, beside the gateway; '' without one. */
  readonly streams: string;
  readonly sockets: string;
  readonly port: number;
  readonly gateway: SocketGateway;
  /** Batches of changes that had to be told again. */
  readonly failed: number;
  /** Everything that the processes of a function printed. */
  output(name: string): Promise<string>;
  /** Ends the processes of a function in the middle of what they do. */
  kill(name: string): Promise<void>;
  /** Calls a function by an event of its own. */
  invoke(name: string, event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly folder: string;
  readonly env: Env;
  readonly format: Format;
  /** Gives a function's own ways to its tables and connections, as variables. */
  readonly ways?: (name: string, dynamo: string, management: string) => Promise<Env>;
  /** Function that takes calls; `stream` answers piece by piece. */
  readonly calls?: Calls;
  /** True: the function that streams has an address besides. */
  readonly streams?: boolean;
}

type Calls = 'http' | 'stream';

/** Builds the application in `folder` and starts it. @throws with what failed */
export async function serveFunctions({
  folder,
  env,
  format,
  ways,
  calls = 'http',
  streams: hasStreams = calls === 'stream',
}: ServeOptions): Promise<FunctionServer> {
  const platform = format === 'http-api' ? [] : ['--platform', format];
  const building = { SVC_CLOUD_STREAM_FUNCTION_URL: String(hasStreams) };
  const args = ['build', 'main.svc', '--target', 'function', ...platform, '--out', 'out'];
  const built = await runSvc(args, { cwd: folder, env: building });
  if (built.code !== 0) throw new Error(`${built.stdout}${built.stderr}`);
  const dynamo = await startDynamo();
  const ends: (() => unknown)[] = [dynamo.stop];
  const functions = new Map<string, Promise<RunningFunction>>();
  const start = (name: string): Promise<RunningFunction> => {
    const known = functions.get(name) ?? open(name);
    functions.set(name, known);
    return known;
  };
  const open = async (name: string): Promise<RunningFunction> => {
    const unpacked = unpackAlone(join(folder, 'out', `${name}.zip`));
    const all = {
      SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint,
      SVC_MANAGEMENT_ENDPOINT: sockets.management,
      ...env,
      ...(await ways?.(name, dynamo.endpoint, sockets.management)),
    };
    const handler = `handlers/${name}.handler`;
    // One shard has one reader.
    const started = runFunction({ folder: unpacked, handler, env: all, ...(name === 'live' ? { instances: 1 } : {}) });
    ends.push(async () => {
      await (await started)[Symbol.asyncDispose]();
      removeFolder(unpacked);
    });
    return started;
  };
  const sockets = await openSocketGateway(async (event) => (await start('websocket')).invoke(event));
  ends.push(() => sockets[Symbol.asyncDispose]());
  const serve = async (by: Calls, request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const isWebhook = format === 'http-api' && by === 'http' && /^\/webhook\/[^/]+$/.test(request.url!);
    const one = await start(isWebhook && request.method === 'POST' ? 'webhook' : by);
    const { result, streamed } = await one.invoke(eventOf(format, request, body));
    if (streamed === undefined) sendResult(format, result, response);
    else await sendStreamed(streamed, response);
  };
  const listen = async (by: Calls) => {
    const server = createServer((request, response) => {
      serve(by, request, response).catch((error: Error) => {
        if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
        response.end(error.message);
      });
    });
    // A connection must not end just when it is taken again.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return server;
  };
  const gateway = await listen(calls);
  const streaming = hasStreams && calls === 'http' ? addressOf(await listen('stream')) : '';
  gateway.on('upgrade', sockets.upgrade);
  const isFollowed = existsSync(join(folder, 'out/live.zip'));
  const streams = isFollowed
    ? await openStreams(dynamo.endpoint, followed(env['SVC_DATABASE_DYNAMODB_TABLE_PREFIX'] ?? 'svc_'), async (event) =>
        (await start('live')).invoke(event),
      )
    : undefined;
  const stop = async () => {
    // While there still is a function that takes what they tell.
    await streams?.[Symbol.asyncDispose]();
    for (const end of ends.reverse()) await end();
  };
  return {
    base: addressOf(gateway),
    streams: calls === 'stream' ? addressOf(gateway) : streaming,
    sockets: sockets.base,
    port: (gateway.address() as AddressInfo).port,
    gateway: sockets,
    get failed() {
      return streams?.failed ?? 0;
    },
    output: async (name) => (await start(name)).output(),
    invoke: async (name, event) => (await start(name)).invoke(event),
    kill: async (name) => (await start(name)).kill(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The tables that the function `live` follows. */
function followed(prefix: string) {
  const [graph, live] = followedStreams({ hasGraphTable: true });
  return [
    { table: graphTable(`${prefix}graph`), view: 'NEW_AND_OLD_IMAGES', pattern: graph!.pattern },
    { table: liveTable(`${prefix}live`), view: 'NEW_IMAGE', pattern: live!.pattern },
  ] as const;
}

/** Head as JSON, eight zero bytes, then the body as it is made. */
async function sendStreamed(streamed: IncomingMessage, response: ServerResponse): Promise<void> {
  let before = Buffer.alloc(0);
  let isBegun = false;
  for await (const piece of streamed as AsyncIterable<Buffer>) {
    if (isBegun) {
      response.write(piece);
      continue;
    }
    before = Buffer.concat([before, piece]);
    const end = before.indexOf(Buffer.alloc(8));
    if (end < 0) continue;
    const { statusCode, headers = {}, cookies = [] } = JSON.parse(before.subarray(0, end).toString());
    for (const [name, value] of Object.entries<string>(headers)) response.setHeader(name, value);
    if (cookies.length > 0) response.setHeader('set-cookie', cookies);
    response.writeHead(statusCode);
    response.write(before.subarray(end + 8));
    isBegun = true;
  }
  response.end();
}
