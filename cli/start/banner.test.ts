import { expect, test } from 'vitest';
import { banner, countsText, type ReadyFacts } from './banner.ts';

const facts: ReadyFacts = {
  version: '1.0.0',
  mode: 'development',
  app: { name: 'demo', version: '1.2.0' },
  counts: { walkers: 12, functions: 3, webhooks: 2, websockets: 1, internal: 0 },
  store: 'sqlite (.svc/data/svc.db)',
  cache: 'off',
  port: 8000,
  localUrl: 'http://localhost:8000',
  networkUrls: ['http://192.0.2.17:8000'],
  hasDocs: true,
  readyMs: 412.4,
};

test('is the one of the specification', () => {
  expect(banner(facts)).toBe(`  svc server v1.0.0 (development)

  App:      demo 1.2.0    12 walkers, 3 functions, 2 webhooks, 1 websocket
  Store:    sqlite (.svc/data/svc.db)    Cache: off
  Local:    http://localhost:8000/
  Network:  http://192.0.2.17:8000/
  Docs:     http://localhost:8000/docs

  Server ready in 412 ms
`);
});

test('leaves out what there is not', () => {
  const text = banner({ ...facts, networkUrls: [], hasDocs: false });
  expect(text).not.toMatch(/Network|Docs|Emulating|Live/);
  expect(banner({ ...facts, live: 'within a second' })).toContain('\n  Live:     within a second\n');
  expect(banner({ ...facts, emulating: 'cloud' })).toContain('\n  Emulating: cloud\n');
  const one = { walkers: 1, functions: 0, webhooks: 0, websockets: 0, internal: 0 };
  expect(countsText(one)).toBe('1 walker, 0 functions');
  expect(countsText({ ...one, internal: 1 })).toBe('1 walker, 0 functions served; 1 function is internal');
  expect(countsText({ ...one, walkers: 5, functions: 2, internal: 7 })).toBe(
    '5 walkers, 2 functions served; 7 functions are internal',
  );
});
