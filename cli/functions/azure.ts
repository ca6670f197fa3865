/** Entry of the application that `svc build --target function --platform azure` makes (docs/guide/deploy/other-functions.md#azure). */
import { app as functions, type HttpRequest, type InvocationContext } from '@azure/functions';
import type { Context } from 'aws-lambda';
import { watchExchanges } from '../../adapters/hosts/web/azure-exchanges.ts';
import { createAzureHandler } from '../../adapters/hosts/web/azure-handler.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';

const opened = await openFunction(import.meta.url, { env: { SVC_METRICS_ENABLED: 'false' } });
const { version, stores, config } = opened;

/** An invocation under the names that the log knows. */
const contextOf = ({ invocationId, functionName }: InvocationContext) =>
  ({ awsRequestId: invocationId, functionName }) as Context;

const handle = createAzureHandler(version.app, watchExchanges());
const serve = observed(opened, (request: HttpRequest, { awsRequestId: invocationId }) =>
  handle(request, { invocationId }),
);

// Answers go out as they are made (https://learn.microsoft.com/azure/azure-functions/node-http-stream).
functions.setup({ enableHttpStream: true });

functions.http('http', {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  authLevel: 'anonymous',
  route: '{*path}',
  handler: (request, context) => serve(request, contextOf(context)),
});

// Large commits of processes that died are settled; a document database does without.
if (config.scale.database.store === 'dynamodb') {
  functions.timer('sweeper', {
    schedule: '0 */5 * * * *',
    handler: async () => await stores.accounts.sweep(Date.now()),
  });
}
