/** Live subscriptions as OpenAPI describes them: the stream of events (docs/server/live.md#events). */
import type { ServedTarget } from '../../served-targets.ts';
import { failureResponses } from './common.ts';
import type { PlacedOperation } from './operations.ts';
import { nodeInQuery } from './request.ts';
import type { Schema } from './schema-forms.ts';

/** Server-sent events of every walker and function that can be subscribed to; undefined where there is none. */
export function liveOperation(targets: readonly ServedTarget[]): PlacedOperation | undefined {
  const names = [...new Set(targets.filter(({ rest }) => rest.protocol !== 'WEBHOOK').map(({ name }) => name))];
  if (names.length === 0) return undefined;
  const text = { type: 'string' } as const;
  const inQuery = (name: string, description: string, schema: Schema) => ({ name, in: 'query', description, schema });
  const operation = {
    operationId: 'live_events',
    tags: ['Live'],
    summary: 'Follows a walker or function that only reads, as server-sent events.',
    security: [{ BearerAuth: [] }, {}],
    parameters: [
      {
        name: 'walker',
        in: 'path',
        required: true,
        description: 'Walker or function.',
        schema: { ...text, enum: names },
      },
      {
        ...inQuery('fields', 'Its fields, each as a parameter of its own.', { type: 'object' }),
        style: 'form',
        explode: true,
      },
      nodeInQuery,
      inQuery('token', 'The token, where no header can be sent.', text),
      inQuery('$every', 'Seconds after which it runs again without a reason.', { type: 'integer', minimum: 1 }),
      inQuery('$since', 'JSON object: numbers of the last messages, by topic.', text),
      { name: 'Last-Event-ID', in: 'header', description: 'Value that the client has.', schema: text },
    ],
    responses: {
      200: {
        description:
          'Events: `data` is a frame `result`, `message` or `gap` of `/live` (asyncapi.json), `id` its version and digest; `event: error` is a run that failed.',
        content: { 'text/event-stream': { schema: text } },
      },
      ...failureResponses([401, 403, 404, 422, 429, 500, 503]),
    },
  };
  return { path: '/live/{walker}', method: 'get', operation };
}
