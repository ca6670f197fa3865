import type { PostToConnection } from '../../../handlers/socket/post-to-connection.ts';

const longestRetryMs = 5000;
const firstPauseMs = 50;

/**
 * The connections of a WebSocket API, through its management interface. The client for it comes with the runtime of the function and is
 * loaded with the first frame. Throttling is waited out for up to 5 s. A kept connection that was closed meanwhile, as while a function was
 * frozen, is replaced by another one.
 *
 * @param endpoint `https://{domain}/{stage}`
 */
export function openManagementApi(endpoint: string, region?: string): PostToConnection {
  let loaded: ReturnType<typeof load> | undefined;

  async function load() {
    const sdk = await import('@aws-sdk/client-apigatewaymanagementapi');
    const options = { endpoint, maxAttempts: 1, ...(region === undefined ? {} : { region }) };
    return { sdk, client: new sdk.ApiGatewayManagementApiClient(options) };
  }

  /** False when the connection is gone. */
  async function send(order: (parts: Awaited<ReturnType<typeof load>>) => Promise<unknown>): Promise<boolean> {
    loaded ??= load();
    const parts = await loaded;
    const until = performance.now() + longestRetryMs;
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      try {
        await order(parts);
        return true;
      } catch (error) {
        if (statusOf(error) === 410) return false;
        const isPassing = statusOf(error) === 429 || wasClosed(error);
        if (!isPassing || performance.now() + pauseMs > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  return {
    post: (cid, text) =>
      send(({ sdk, client }) =>
        client.send(new sdk.PostToConnectionCommand({ ConnectionId: cid, Data: Buffer.from(text) })),
      ),
    async cut(cid) {
      await send(({ sdk, client }) => client.send(new sdk.DeleteConnectionCommand({ ConnectionId: cid })));
    },
  };
}

/** Tells whether a connection ended before there was an answer. */
function wasClosed(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
