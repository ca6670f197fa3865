import { expect, test } from 'vitest';
import { pageScript } from './page-watch.ts';

test('a page loads itself anew 20 times a minute at most, also where its text comes from a cache, and tells 20 errors', () => {
  const heard = new Map<string, (event?: unknown) => void>();
  const sent: unknown[] = [];
  const stored = new Map<string, string>();
  let loads = 0;
  const given = {
    createHotContext: () => ({
      on: (event: string, hear: () => void) => heard.set(event, hear),
      send: (...one: unknown[]) => sent.push(one),
    }),
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    location: { reload: () => loads++ },
    addEventListener: (event: string, hear: () => void) => heard.set(event, hear),
  };
  const script = pageScript('server:7', '/static/').replace(/^import .*$/m, '');
  new Function(...Object.keys(given), script)(...Object.values(given));
  expect(sent).toEqual([['svc:page', 'server:7']]);
  for (let i = 0; i < 30; i += 1) heard.get('svc:stale')!();
  expect(loads).toBe(20);
  for (let i = 0; i < 30; i += 1) heard.get('error')!({ error: new Error('no') });
  expect(sent).toHaveLength(21);
});
