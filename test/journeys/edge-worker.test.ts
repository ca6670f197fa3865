/** The worker of docs/hono.md#edge in front of an application, in workerd. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf } from '../harness/page-blocks.ts';
import { copyApp, post, register, removeFolder, repository, startServer } from '../harness/server.ts';
import { startWorkerd } from '../harness/worker-server.ts';

/** Starts the worker of the page; it hands on to `origin`. */
async function startEdge(origin: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-edge-'));
  const page = readFileSync(join(repository, 'docs/hono.md'), 'utf8');
  writeFileSync(join(folder, 'edge.mjs'), blocksOf(page).find(({ name }) => name === 'edge.mjs')!.text);
  writeFileSync(join(folder, 'config.capnp'), configOf(origin));
  const server = await startWorkerd(folder);
  const end = async () => {
    await server.stop();
    removeFolder(folder);
  };
  return { url: server.base, [Symbol.asyncDispose]: end };
}

const configOf = (origin: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "edge.mjs", esModule = embed "edge.mjs")],
  bindings = [(name = "ORIGIN", text = ${JSON.stringify(origin)})],
  compatibilityDate = "2026-10-01",
);
`;

test('a worker answers by itself and hands calls on to an application', async () => {
  const folder = copyApp(join(repository, 'examples/todo'));
  try {
    await using server = await startServer({ folder });
    await using worker = await startEdge(server.base);
    expect(await (await fetch(worker.url)).text()).toBe('hello from the edge');
    const base = `${worker.url}/api`;
    const { token } = await register(base, 'ada');
    expect((await post(base, '/walker/AddTask', { title: 'milk' }, token)).ok).toBe(true);
    expect((await post(base, '/walker/ListTasks', {}, token, 'GET')).reports).toMatchObject([{ title: 'milk' }]);
    expect((await fetch(`${base}/walker/ListTasks`)).status).toBe(401);
  } finally {
    removeFolder(folder);
  }
});
