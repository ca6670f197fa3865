/** Entry of the webhook function, `handlers/webhook.handler`. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createWebhookHandler, type HttpResult } from '../../adapters/hosts/lambda/http-handler.ts';
import { openFunction } from './open-function.ts';

const { version, metrics, begin } = await openFunction(import.meta.url);
const serve = createWebhookHandler(version.app);

export async function handler(event: APIGatewayProxyEventV2, context: Context): Promise<HttpResult> {
  const stale = begin(context);
  if (stale !== undefined) await stale;
  if (metrics === undefined) return serve(event, context);
  const result = await serve(event, context);
  metrics.flush();
  return result;
}
