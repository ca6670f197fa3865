/** A Hono server with the application of the working directory in it, below the path named on the command line. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { app } from '../../cli/hono/hono.ts';

const served = await app('main.svc');
const hono = new Hono()
  .get('/own', (context) => context.text('own'))
  .get('/busy/:ms', (context) => {
    const end = performance.now() + Number(context.req.param('ms'));
    while (performance.now() < end);
    return context.text('done');
  })
  .route(process.argv[2]!, served);
const server = serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`${JSON.stringify({ event: 'ready', port })}\n`),
);
process.once('SIGTERM', async () => {
  server.close();
  await served.close();
  process.exit(0);
});
