/**
 * Spans and metrics of an application with workers, judged from outside (docs/server/observability.md#metrics,
 * docs/server/observability.md#traces).
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { findTool } from '../harness/find-tool.ts';
import { startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { workerPids } from '../harness/worker-pids.ts';

const promtool = findTool('promtool', 'prometheus');
const app = `import os;
node Visit { has n: int; }
walker:pub Pid {
    can go with Root entry {
        here ++> Visit(n=1);
        report os.getpid();
    }
}
@restspec(protocol="WEBSOCKET", broadcast=True)
async walker:pub Talk { can talk with Root entry { report 1; } }
`;

/** Answers of a walker, over connections of their own, so that all workers get some. */
async function callPid(base: string, count: number): Promise<{ readonly pid: number; readonly traceId: string }[]> {
  const calls = [];
  for (let i = 0; i < count; i++) {
    const answer = await fetch(`${base}/walker/Pid`, { method: 'POST', headers: { connection: 'close' } });
    calls.push({ pid: ((await answer.json()) as any).reports[0], traceId: answer.headers.get('x-trace-id')! });
  }
  return calls;
}

const valueOf = (attributes: readonly any[], key: string) =>
  Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

test('spans of every worker arrive, and say which one they are of', async () => {
  /** Names of spans by process and trace. */
  const arrived = new Map<string, string[]>();
  const instances = new Set<unknown>();
  const collector = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        instances.add(valueOf(resource.attributes, 'service.instance.id'));
        for (const { traceId, name } of scopeSpans[0].spans) {
          const key = `${valueOf(resource.attributes, 'process.pid')} ${traceId}`;
          arrived.set(key, [...(arrived.get(key) ?? []), name]);
        }
      }
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  try {
    using folder = folderWith({
      'main.svc': app,
      'svc.toml': `[plugins.scale.logging]\ntrace_endpoint = "${endpoint}"\n`,
    });
    await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
    const pids = workerPids(server.child.pid!);
    const calls = await callPid(server.base, 12);
    expect(new Set(calls.map(({ pid }) => pid))).toEqual(new Set(pids));
    expect(await server.stop()).toBe(0); // what is left is sent before workers end
    for (const { pid, traceId } of calls) {
      const names = arrived.get(`${pid} ${traceId}`) ?? [];
      expect(names, `${pid} ${traceId}`).toEqual(expect.arrayContaining(['/walker/Pid', 'walker Pid', 'store commit']));
      expect(names.filter((name) => name === '/walker/Pid')).toHaveLength(1);
    }
    expect(instances.size).toBe(2);
  } finally {
    collector.close();
  }
});

test.skipIf(promtool === undefined)('promtool finds nothing wrong with the metrics of two workers', async () => {
  using folder = folderWith({
    'main.svc': app,
    'svc.toml': '[plugins.scale.metrics]\nenabled = true\nprocess_metrics = true\nwalker_metrics = true\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const calls = await callPid(server.base, 12);
  expect(new Set(calls.map(({ pid }) => pid)).size).toBe(2);
  const text = await (await fetch(`${server.base}/metrics`)).text();
  const checked = spawnSync(promtool!, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ status: checked.status, said: checked.stderr + checked.stdout }).toEqual({ status: 0, said: '' });
  expect(text.match(/^# TYPE svc_scale_http_requests_total /gm)).toHaveLength(1);
  expect(text).toMatch(/^svc_scale_walker_duration_seconds_count\{walker_name="Pid",success="true"\} 12$/m);
  expect(text.match(/^svc_scale_build_info\{/gm)).toHaveLength(1);
  await server.stop();
});
