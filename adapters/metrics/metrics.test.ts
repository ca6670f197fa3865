import { expect, test } from 'vitest';
import { defaultConfig } from '../../core/config/resolve.ts';
import { pagesTemplate } from '../../core/metrics/meters.ts';
import { exposeMetrics } from './expose.ts';
import { openMetrics } from './open-metrics.ts';

const settings = {
  ...defaultConfig('test').scale.metrics,
  namespace: 'app',
  processMetrics: false,
  walkerMetrics: true,
};
const open = (over: Partial<typeof settings> = {}) =>
  openMetrics({ settings: { ...settings, ...over }, version: '1', store: 'memory' });
const call = (template: string | undefined, method = 'GET', seconds = 0.02) => ({
  method,
  template,
  status: 200,
  seconds,
});

function lines(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(`app_${name}`));
}

test('labels stay bounded: paths above the limit, methods nobody knows, pages', async () => {
  const { meters, snapshot } = open({ maxPaths: 2 });
  for (const path of ['/a', '/b', '/c', '/d', '/a']) meters.requestFinished(call(path));
  meters.requestFinished(call(undefined, 'BREW'));
  meters.requestFinished(call(pagesTemplate));
  const text = await exposeMetrics([await snapshot()], 'text');
  expect(lines(text, 'http_requests_total')).toEqual([
    'app_http_requests_total{method="GET",path="/a",status_code="200"} 2',
    'app_http_requests_total{method="GET",path="/b",status_code="200"} 1',
    'app_http_requests_total{method="GET",path="__other__",status_code="200"} 2',
    'app_http_requests_total{method="OTHER",path="__unmatched__",status_code="200"} 1',
    'app_http_requests_total{method="GET",path="__page__",status_code="200"} 1',
  ]);
});

test('several processes are summed, after a trip through JSON; the build is one', async () => {
  const [one, two] = [open(), open()];
  for (const { meters } of [one, two, two]) {
    meters.requestFinished(call('/walker/Ping', 'POST', 0.5));
    meters.socketOpened('walker:Echo');
    meters.requestRuns(1);
    meters.walkerRan!('Ping', true, 0.2);
  }
  const parts = JSON.parse(JSON.stringify([await one.snapshot(), await two.snapshot()]));
  for (const format of ['text', 'openmetrics'] as const) {
    const text = await exposeMetrics(parts, format);
    expect(lines(text, 'http_requests_total{')).toEqual([
      'app_http_requests_total{method="POST",path="/walker/Ping",status_code="200"} 3',
    ]);
    expect(text).toContain('app_http_request_duration_seconds_bucket{le="0.25",method="POST",path="/walker/Ping"} 0\n');
    expect(text).toContain('app_http_request_duration_seconds_bucket{le="0.5",method="POST",path="/walker/Ping"} 3\n');
    expect(text).toContain('app_http_request_duration_seconds_sum{method="POST",path="/walker/Ping"} 1.5\n');
    expect(text).toContain('app_http_requests_in_progress 3\n');
    expect(text).toContain('app_ws_connections_active{target="walker:Echo"} 3\n');
    expect(text).toContain('app_walker_duration_seconds_count{walker_name="Ping",success="true"} 3\n');
    expect(lines(text, 'build_info')).toEqual([
      `app_build_info{version="1",node_version="${process.version}",store="memory"} 1`,
    ]);
  }
});

test('configured buckets hold for every histogram of ours; only counters end in _total', async () => {
  const { meters, snapshot } = open({ histogramBuckets: [0.1, 7], processMetrics: true });
  meters.committed('ok', 3);
  meters.walkerRan!('Ping', true, 1);
  meters.liveDelivered(0.2);
  meters.requestFinished(call('/a'));
  const families = (await snapshot()) as unknown as readonly { name: string; type: string; values: any[] }[];
  const ofHistograms = families.filter(({ type, values }) => type === 'histogram' && values.length > 0);
  for (const { name, values } of ofHistograms) {
    const bounds = new Set(values.flatMap(({ labels }) => (labels.le === undefined ? [] : [String(labels.le)])));
    if (name.startsWith('app_')) expect([name, [...bounds]]).toEqual([name, ['0.1', '7', '+Inf']]);
    else expect(name).toBe('nodejs_gc_duration_seconds');
  }
  expect(ofHistograms.filter(({ name }) => name.startsWith('app_'))).toHaveLength(4);
  expect(
    families.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter')).map(({ name }) => name),
  ).toEqual([]);
  expect(families.map(({ name }) => name)).toContain('nodejs_active_handles');
});

test('configured buckets hold for commits; values are escaped', async () => {
  const { meters, snapshot } = open({ histogramBuckets: [0.1, 7] });
  meters.committed('ok', 3);
  meters.webhookAnswered('a"b\\c\nd', 'ok');
  const text = await exposeMetrics([await snapshot()], 'text');
  expect(lines(text, 'commit_duration_seconds_bucket')).toEqual([
    'app_commit_duration_seconds_bucket{le="0.1"} 0',
    'app_commit_duration_seconds_bucket{le="7"} 1',
    'app_commit_duration_seconds_bucket{le="+Inf"} 1',
  ]);
  expect(text).toContain('{walker_name="a\\"b\\\\c\\nd",outcome="ok"} 1');
});

test('walkers are timed only when that is wanted', () => {
  expect(open({ walkerMetrics: false }).meters.walkerRan).toBeUndefined();
});
