/**
 * Servers and processes that die: nothing acknowledged is lost, nothing is stored twice, no unit is torn
 * (docs/server/storage.md#guarantees). POSTGRES_KILLS=200 runs the full number.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { type ChildScript, childScript } from '../../../test/harness/child-script.ts';
import { entries, guest } from '../../../test/harness/entry-node.ts';
import { type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { openPostgresStore } from './store.ts';

const kills = Number(process.env['POSTGRES_KILLS'] ?? 5);
const clients = 8;

let child: ChildScript;
let server: PostgresServer;
beforeAll(() => {
  child = childScript(new URL('./crash-child.ts', import.meta.url));
});
afterAll(() => child[Symbol.dispose]());
beforeEach(async () => {
  server = await startPostgres();
});
afterEach(() => server?.[Symbol.asyncDispose]());

/** The numbers of all entries. */
async function stored(): Promise<number[]> {
  const { graph } = await openPostgresStore({ url: server.url });
  try {
    return await runUnit(createRuntime({ store: graph }), guest, async () => (await entries()).map(({ n }) => n));
  } finally {
    await graph.close();
  }
}

function start(from: number): { readonly writer: ChildProcess; readonly acknowledged: number[] } {
  const args = [child.path, server.url, String(from), String(clients)];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: number[] = [];
  let rest = '';
  writer.stdout!.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) acknowledged.push(Number(line));
  });
  return { writer, acknowledged };
}

/** Resolves when so many more numbers are acknowledged. */
async function more(acknowledged: readonly number[], count: number): Promise<void> {
  const enough = acknowledged.length + count;
  while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function expectKept(acknowledged: readonly number[]): Promise<void> {
  const all = await stored();
  const kept = new Set(all);
  expect(kept.size, 'nothing is stored twice').toBe(all.length);
  expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
}

test(`kill -9 of the server ${kills} times in the middle of commits: no acknowledged write is lost`, async () => {
  const { writer, acknowledged } = start(0);
  await more(acknowledged, 1);
  for (let round = 0; round < kills; round++) {
    await more(acknowledged, 1 + Math.floor(Math.random() * 60));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    await server.kill();
    await server.start();
  }
  await more(acknowledged, 1);
  writer.kill('SIGKILL');
  await once(writer, 'close');
  expect(acknowledged.length).toBeGreaterThan(kills);
  console.info(`PostgreSQL killed ${kills} times: ${acknowledged.length} writes were acknowledged`);
  await expectKept(acknowledged);
}, 3_600_000);

test(`kill -9 of a process ${kills} times: no acknowledged write is lost, and nothing it held stays held`, async () => {
  const all: number[] = [];
  for (let round = 0; round < kills; round++) {
    const { writer, acknowledged } = start(round * 1_000_000);
    await more(acknowledged, 1 + Math.floor(Math.random() * 60));
    writer.kill('SIGKILL');
    await once(writer, 'close');
    all.push(...acknowledged);
  }
  await expectKept(all);
}, 3_600_000);
