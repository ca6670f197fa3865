/** Costs on the pages about deploying: rows of the tables are what the formulas beside them give. Prices are those that the pages name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const users = [1, 100, 10_000];
const pageOf = (name: string) => readFileSync(join(import.meta.dirname, '../docs/guide/deploy', `${name}.md`), 'utf8');

/** Cells of the rows of a page that begin with a number of users, without that number. */
function rowsOf(page: string): string[][] {
  const rows = linesOf(page);
  expect(rows).toHaveLength(users.length);
  return rows.map(cellsOf);
}

const linesOf = (page: string) => page.split('\n').filter((line) => /^\| (1|100|10,000) \|/.test(line));
const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

/** Numbers of a cell: `31.68 $ + 0.98 $` has two, `15 million` one. */
function numbersIn(cell: string): number[] {
  const factor = cell.includes('million') ? 1e6 : 1;
  return (cell.match(/[\d,]+(\.\d+)?/g) ?? []).map((text) => Number(text.replaceAll(',', '')) * factor);
}

/** Rounded as the cell shows it. */
function expectShown(cell: string, value: number): void {
  const [text] = /[\d,]+(\.\d+)?/.exec(cell)!;
  const digits = text.split('.')[1]?.length ?? 0;
  expect(Math.abs(numbersIn(cell)[0]! - value), `${cell} for ${value}`).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9);
}

const busiest = (count: number) => ((count * 50) / 86_400) * 4;
const told = (page: string, ...texts: readonly string[]) => {
  for (const text of texts) expect(page).toContain(text);
};

test('AWS', () => {
  const page = pageOf('aws');
  told(page, 'r = 50, d = 0.05, m = 0.5, w = 0.2, u = 4, k = 2 KB');
  told(page, '0.20 per million', '0.0000133', '1.00 per million', '0.15 and 0.70 per million', '0.55 per GB of logs');
  const [callsAlone, withLive] = page.split('[Live subscriptions and topics]') as [string, string];
  for (const [at, [calls, functions, api, table, logs, all]] of rowsOf(callsAlone).entries()) {
    const c = 30 * users[at]! * 50;
    const parts = [
      (c * 0.2) / 1e6 + c * 0.05 * 0.5 * 0.0000133,
      c / 1e6,
      c * 4 * ((0.8 * 0.15) / 1e6 + (0.2 * 0.7) / 1e6),
      ((c * 2) / 1e6) * (0.55 + 0.09),
    ];
    expect(numbersIn(calls!)).toEqual([c]);
    for (const [i, cell] of [functions, api, table, logs].entries()) expectShown(cell!, parts[i]!);
    const sum = parts.reduce((a, b) => a + b);
    if (at === 0) expect([all, sum < 0.01]).toEqual(['less than a cent', true]);
    // "about": within a twentieth.
    else expect(Math.abs(numbersIn(all!)[0]! / sum - 1)).toBeLessThan(0.05);
  }
  expect((30 * 24 * 60) / 5).toBe(8640);
  told(
    withLive,
    'With x = 1, f = 2, h = 1',
    '1.00 per million messages',
    '0.25 per million connected minutes',
    '43,200',
  );
  const [read, write, message] = [0.15e-6, 0.7e-6, 1e-6];
  const call = (seconds: number) => 0.2e-6 + seconds * 0.5 * 0.0000133;
  for (const [at, [commits, ofCommits, sockets, clock, all]] of rowsOf(withLive).entries()) {
    const w = 0.2 * 30 * users[at]! * 50;
    const parts = [
      w * (4 * read + (3 * write + 4 * read) + 2 * (message + 3 * read) + call(0.1)),
      30 * users[at]! * ((60 * 0.25) / 1e6 + 11 * write + 3 * (message + call(0.05))),
      43_200 * call(0.05),
    ];
    expect(numbersIn(commits!)[0]).toBeCloseTo(w, 6);
    for (const [i, cell] of [ofCommits, sockets, clock].entries()) expectShown(cell!, parts[i]!);
    const sum = parts.reduce((a, b) => a + b);
    if (at === 0) expectShown(all!, sum);
    else expect(Math.abs(numbersIn(all!)[0]! / sum - 1)).toBeLessThan(0.05);
  }
});

test('Google Cloud', () => {
  const page = pageOf('google-cloud');
  told(page, '0.000024 $', '0.0000025 $', '0.40 $', '100 calls a day on 30 days, a call takes 50 ms', '0.5 GiB');
  for (const [at, [calls, seconds, cost]] of rowsOf(page).entries()) {
    const c = users[at]! * 100 * 30;
    const s = c * 0.05;
    const over = (used: number, free: number) => Math.max(0, used - free);
    const parts = [0.000024 * over(s, 180_000), 0.0000025 * over(s * 0.5, 360_000), (0.4 * over(c, 2e6)) / 1e6];
    expect([numbersIn(calls!), numbersIn(seconds!)]).toEqual([[c], [s]]);
    const sum = parts.reduce((a, b) => a + b);
    const shown = cost!.split(/[+=]/);
    if (shown.length === 1) expectShown(cost!, sum);
    else for (const [i, value] of [...parts, sum].entries()) expectShown(shown[i]!, value);
  }
  const always = 30 * 86_400 * (0.000018 + 0.5 * 0.000002);
  told(
    page,
    `at 0.000018 $ and 0.000002 $ for the same seconds and nothing for calls: ${Math.round(always)} $ for 30 whole days`,
  );
});

test('Kubernetes', () => {
  const page = pageOf('kubernetes');
  told(page, 's = 0.01, p = 24 $, a balancer for 12 $, 10 GB of volume for 1 $', '0.25 and 0.25 here');
  for (const [at, [rate, pods, nodes, cost]] of rowsOf(page).entries()) {
    const r = busiest(users[at]!);
    const p = Math.max(2, Math.ceil((r * 0.01) / (0.25 * 0.7)));
    const n = Math.max(1, Math.ceil((p * 0.25 + 0.5) / 1.5));
    expectRate(rate!, r);
    expect([numbersIn(pods!), numbersIn(nodes!)[0]]).toEqual([[p], n]);
    expect(numbersIn(cost!)).toEqual(numbersIn(nodes!).map((count) => count * 24 + 12 + 1));
  }
});

test('a container', () => {
  const page = pageOf('container');
  told(page, 's = 0.01', '5 $ a month', '0.15 $ a GB', 'from 57 $', '2 KB of answer a call at 0.02 $ a GB');
  const data = [0.15 * 1, 0.15 * 3, 57];
  for (const [at, [rate, containers, cost]] of rowsOf(page).entries()) {
    const r = busiest(users[at]!);
    const [count = 0] = numbersIn(containers!);
    expectRate(rate!, r);
    expect(count).toBeGreaterThanOrEqual(Math.max(1, Math.ceil((r * 0.01) / 0.7)));
    expectShown(cost!, count * 5 + data[at]! + ((30 * users[at]! * 50 * 2) / 1e6) * 0.02);
  }
});

test('one machine', () => {
  const page = pageOf('machine');
  told(page, '20 KB kept for each user and day', '5 $ a month for 1 core', '10 $ for 2 cores');
  for (const [at, [rate, stored, server, cost]] of rowsOf(page).entries()) {
    const r = busiest(users[at]!);
    const [cores = 0] = numbersIn(server!);
    expectRate(rate!, r);
    const megabytes = (users[at]! * 20 * 365) / 1000;
    expectShown(stored!, stored!.includes('GB') ? megabytes / 1000 : megabytes);
    expect(cores).toBeGreaterThanOrEqual(Math.max(1, Math.ceil((r * 0.01) / 0.7)));
    expectShown(cost!, cores * 5 * 1.2 + 1);
  }
});

test('other functions', () => {
  const page = pageOf('other-functions');
  told(page, '0.35 at 100 users, 35 at 10,000', '730 h × 0.0225', '730 h × 0.008', '× 0.000026');
  for (const [at, [calls, rest, balancer, azure]] of rowsOf(page).entries()) {
    const c = 30 * users[at]! * 50;
    const own = (c * 0.2) / 1e6 + c * 0.05 * 0.5 * 0.0000133;
    expect(numbersIn(calls!)).toEqual([c]);
    expectShown(rest!, own + (c * 3.5) / 1e6);
    expectShown(balancer!, own + 730 * (0.0225 + 0.008));
    expectShown(azure!, (c * 0.4) / 1e6 + c * 0.5 * 0.000026);
  }
});

test('the first page has the costs of the others', () => {
  const cells = pageOf('README')
    .split('\n')
    .filter((line) => /^\| .*\]\([a-z-]+\.md\)/.test(line));
  const shown = cells.map((line) => line.split('|').at(-2)!.trim());
  expect(shown).toEqual([
    '7 / 7 / 13 $',
    '5 / 5 / 68 $',
    '37 / 37 / 61 $',
    '0 / 0 / 44 $',
    '0 / 1 / 60 $; with live data 0 / 1 / 87 $',
    '0 / 1 to 22 / 60 to 200 $',
  ]);
});

function expectRate(cell: string, rate: number): void {
  if (cell === 'less than 1') expect(rate).toBeLessThan(1);
  else expectShown(cell, rate);
}
