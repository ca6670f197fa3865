// A Hono server with an application in it: `node server.mjs`, then
//   curl localhost:3000/hello
//   curl -X POST localhost:3000/api/walker/Visits
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { app } from 'svc-scale/hono';

const visits = await app('main.svc');
const server = new Hono().get('/hello', (context) => context.text('hello')).route('/api', visits);
const listening = serve({ fetch: server.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`),
);

process.once('SIGTERM', async () => {
  listening.close();
  await visits.close();
});
