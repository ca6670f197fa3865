import { expect, test } from 'vitest';
import { createEmbeddedMetrics } from './embedded-metrics.ts';

function open(walkerMetrics = true) {
  const lines: any[] = [];
  const settings = { namespace: 'demo', walkerMetrics, maxPaths: 2 };
  const metrics = createEmbeddedMetrics({ settings, write: (line) => lines.push(JSON.parse(line)), nowMs: () => 1234 });
  return { ...metrics, lines };
}

const finished = (template: string, status = 200) => ({ method: 'GET', template, status, seconds: 0.25 });

test('counts and times go out under the names of a scrape, one record for each set of labels, once', () => {
  const { meters, flush, lines } = open();
  meters.requestFinished(finished('/items/{id}'));
  meters.requestFinished(finished('/items/{id}'));
  meters.committed('ok', 0.5);
  flush();
  flush();
  const record = (labels: Record<string, string>, unit: string, name: string, value: unknown) => {
    const Metrics = [{ Name: name, Unit: unit }];
    const CloudWatchMetrics = [{ Namespace: 'demo', Dimensions: [Object.keys(labels)], Metrics }];
    return { _aws: { Timestamp: 1234, CloudWatchMetrics }, ...labels, [name]: value };
  };
  const path = { method: 'GET', path: '/items/{id}' };
  expect(lines).toEqual([
    record({ ...path, status_code: '200' }, 'Count', 'demo_http_requests_total', 2),
    record(path, 'Seconds', 'demo_http_request_duration_seconds', [0.25, 0.25]),
    record({ outcome: 'ok' }, 'Count', 'demo_commits_total', 1),
    record({}, 'Seconds', 'demo_commit_duration_seconds', [0.5]),
  ]);
});

test('labels stay bounded, and so does a record', () => {
  const { meters, flush, lines } = open();
  for (let i = 0; i < 250; i++) meters.requestFinished(finished(`/p${i}`));
  flush();
  expect(new Set(lines.map(({ path }) => path))).toEqual(new Set(['/p0', '/p1', '__other__']));
  const times = lines.flatMap((line) => line.demo_http_request_duration_seconds ?? []);
  expect(times).toHaveLength(250);
  for (const line of lines) expect(line.demo_http_request_duration_seconds?.length ?? 0).toBeLessThanOrEqual(100);
  const counts = lines.map((line) => line.demo_http_requests_total ?? 0);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(250);
  expect(open(false).meters.walkerRan).toBeUndefined();
});
