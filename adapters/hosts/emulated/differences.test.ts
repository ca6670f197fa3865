/**
 * Each difference of cloud functions that docs/cloud.md#what-is-different-there lists has a test on an emulator: of
 * this project, or `osls offline`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const here = 'adapters/hosts/emulated/emulated.test.ts';
const journey = 'test/journeys/emulated.test.ts';
const packaged = 'test/journeys/cli-build.test.ts';
const transcripts = 'test/wire/8-wsk.md';

/**
 * Tests of each difference, by its subject: files, and in each the titles of tests, or of transcripts, which run on
 * every emulator.
 */
const tested: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'request body': [
    [here, 'bodies: bytes stay what they were; above 6 MB as an event we refuse, above 10 MB the gateway does'],
    ['test/journeys/uploads.test.ts', 'the emulated cloud refuses what its gateway would'],
  ],
  'request head': [[here, 'heads: above 10,240 bytes the gateway refuses them, the address that streams takes them']],
  answer: [
    [here, 'answers: above 6 MB we say so; streams come as one; a call ends one second before its function'],
    [here, 'an answer that streams is cut off above 200 MB'],
  ],
  execution: [
    [here, 'answers: above 6 MB we say so; streams come as one; a call ends one second before its function'],
    [
      journey,
      'what a commit brings along is over before the answer, calls and messages end in time, nothing is scraped',
    ],
  ],
  streams: [
    [here, 'answers: above 6 MB we say so; streams come as one; a call ends one second before its function'],
    [here, 'an address that streams: each value as it is made, and who goes away ends the call'],
    ['test/journeys/cloud-page.test.ts', 'the address that streams, as the page calls it, beside one that does not'],
  ],
  'socket path': [[here, 'sockets: connect by query or path, run, disconnect']],
  'socket message': [
    [here, 'sockets: frames of 32 KB and messages of 128 KB pass, larger ones close with 1009, binary ones with 1003'],
    [transcripts, 'WSK-15 size, rate, binary'],
  ],
  'socket idle, life': [
    [here, 'sockets: silent and old connections are closed by the gateway, and nobody is pinged'],
    [
      journey,
      'what a commit brings along is over before the answer, calls and messages end in time, nothing is scraped',
    ],
    ['adapters/hosts/lambda/socket-handler.test.ts', 'a first message signs in, in time and once'],
  ],
  'live subscriptions, topics': [
    [
      'test/journeys/cloud-live.test.ts',
      'a value follows commits of its own user, with versions, and nobody else hears of it',
    ],
    [
      'test/journeys/cloud-live.test.ts',
      'messages of topics: one order, a unit together, none of a failed call; who joined and greeted hears it',
    ],
  ],
  'server pings': [[here, 'sockets: silent and old connections are closed by the gateway, and nobody is pinged']],
  'close codes': [[here, 'sockets: an answer above 128 KB is an error, and cutting shows no code of ours']],
  'header names': [[here, 'the event has what the format has']],
  'rate limits, caps': [
    [journey, 'instances over one store keep to one rate together'],
    [packaged, 'instances of a function keep to one rate together'],
    [here, 'sockets: a handshake is refused with the status of the function'],
  ],
  'second tier of memory': [
    [
      'test/journeys/functions-databases.test.ts',
      'tasks of one function are there for another one, with copies in Redis; sockets are in DynamoDB all the same',
    ],
  ],
  'local storage': [
    ['test/journeys/uploads.test.ts', 'local storage is not durable on this target'],
    ['test/journeys/files-function.test.ts', 'local storage is not durable on this target'],
  ],
  metrics: [
    [here, 'the configuration of functions keeps calls below their limits and has no metrics'],
    [
      journey,
      'what a commit brings along is over before the answer, calls and messages end in time, nothing is scraped',
    ],
    [packaged, 'metrics are records in the log, and there is nothing to scrape'],
  ],
  'start-up code': [
    [
      'test/journeys/functions-start.test.ts',
      'instances that start at once, and later ones, take effect once; another deployment starts anew',
    ],
  ],
  'after the answer': [
    [
      journey,
      'what a commit brings along is over before the answer, calls and messages end in time, nothing is scraped',
    ],
  ],
  'client address': [
    [here, 'the event has what the format has'],
    ['adapters/hosts/lambda/http-handler.test.ts', 'path, query, headers, cookies and the address of the client'],
  ],
};

test('every row of the page has its tests', () => {
  const page = readFileSync(join(root, 'docs/cloud.md'), 'utf8');
  const [, table] = /^\| matter \|[^\n]*\n\| --- [^\n]*\n((?:\|[^\n]*\n)+)/m.exec(page)!;
  const rows = table!.trim().split('\n');
  expect(rows.map((row) => row.split('|')[1]!.trim())).toEqual(Object.keys(tested));
  const texts = new Map<string, string>();
  const missing = Object.values(tested)
    .flat()
    .filter(([file, title]) => {
      if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'));
      return !texts.get(file)!.includes(title);
    });
  expect(missing).toEqual([]);
});
