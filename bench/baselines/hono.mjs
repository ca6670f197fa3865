// Hono on its Node server: the same echo.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.post('/walker/:name', async (context) => {
  const body = await context.req.json();
  return context.json({ status: 200, reports: [{ greeting: `hello ${body.name}`, echo: body }] });
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
