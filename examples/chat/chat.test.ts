import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules, overflowAt } from '../../test/client/accessible.ts';
import { chromium, type Page, type Pages, startPages } from '../../test/client/pages-of.ts';
import { startProxy } from '../../test/harness/cutting-proxy.ts';
import { linkPackages } from '../../test/harness/link-packages.ts';
import { copyApp, type RunningServer, removeFolder, runSvc, startServer } from '../../test/harness/server.ts';

const folder = copyApp(import.meta.dirname);

beforeAll(() => linkPackages(folder));
afterAll(() => removeFolder(folder));

test('it checks, and passes its tests of walkers', async () => {
  expect(await runSvc(['check'], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout } = await runSvc(['test'], { cwd: folder });
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^3 tests: 3 passed/)]);
});

/** A browser of one person. */
interface Person {
  readonly name: string;
  readonly page: Page;
  readonly errors: readonly string[];
  /** Frames of `/live` that came, whatever became of them. */
  readonly heard: string[];
}

describe.skipIf(chromium === undefined)('in browsers', () => {
  test('two people talk, and one is expelled', async () => {
    const { code, stdout } = await runSvc(['test', '--browser'], { cwd: folder });
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^1 test: 1 passed/)]);
  });

  describe('of five people at once', () => {
    let server: RunningServer;
    let pages: Pages;
    beforeAll(async () => {
      [server, pages] = await Promise.all([startServer({ folder }), startPages()]);
    });
    afterAll(async () => {
      await pages?.[Symbol.asyncDispose]();
      await server?.stop();
    });

    async function join(name: string, base = server.base): Promise<Person> {
      const { page, errors } = await pages.open('about:blank');
      const heard: string[] = [];
      page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void heard.push(String(payload))));
      await page.goto(`${base}/signup`);
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.com`);
      await page.getByLabel('Password').fill('correct horse 1');
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByLabel('New room').waitFor();
      return { name, page, errors, heard };
    }
    const room = ({ page }: Person, title: string) => page.getByRole('button', { name: title });
    const line = ({ page }: Person, text: string) => page.getByLabel('Lines').getByText(text);
    const says = async ({ page }: Person, text: string) => {
      await page.getByLabel('Say something').fill(text);
      await page.getByRole('button', { name: 'Say', exact: true }).click();
    };
    const invites = async ({ page }: Person, name: string) => {
      await page.getByLabel('Invite').fill(name);
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByLabel('Members').getByText(name).waitFor();
    };
    /** Numbers of the messages of topics that came, by subscription and topic. */
    const numbers = ({ heard }: Person): number[][] => {
      const byTopic = new Map<string, number[]>();
      for (const text of heard) {
        const { type, id, topic, seq } = JSON.parse(text);
        if (type === 'message') byTopic.set(`${id} ${topic}`, [...(byTopic.get(`${id} ${topic}`) ?? []), seq]);
      }
      return [...byTopic.values()];
    };

    test('only members hear, who is expelled hears nothing more, and nothing is lost while a network is', async () => {
      await using proxy = await startProxy(server.port);
      const [ada, ben, cleo, dora, eli] = await Promise.all([
        join('Ada'),
        join('Ben', proxy.base),
        join('Cleo'),
        join('Dora'),
        join('Eli'),
      ]);
      const everybody = [ada, ben, cleo, dora, eli];

      // Two rooms, which those who are invited see at once.
      await ada.page.getByLabel('New room').fill('Kitchen');
      await ada.page.getByRole('button', { name: 'Open' }).click();
      await invites(ada, 'Ben');
      await invites(ada, 'Cleo');
      await dora.page.getByLabel('New room').fill('Attic');
      await dora.page.getByRole('button', { name: 'Open' }).click();
      await invites(dora, 'Cleo');
      for (const guest of [ben, cleo]) await room(guest, 'Kitchen').click();
      await room(cleo, 'Attic').waitFor();

      // All members hear, also the one who wrote; who is there is seen.
      await says(ada, 'soup is ready');
      for (const member of [ada, ben, cleo]) await line(member, 'soup is ready').waitFor();
      await ada.page.getByLabel('Members').getByText('is here').nth(2).waitFor();
      await ben.page.getByLabel('Say something').fill('on my');
      await ada.page.getByText('Ben is writing …').waitFor();
      await says(ben, 'on my way');
      for (const member of [ada, ben, cleo]) await line(member, 'on my way').waitFor();
      // A room that is not open counts its news.
      await says(dora, 'rain comes in');
      await room(cleo, 'Attic 1 new').waitFor();

      // Nobody else hears anything, neither on the page nor on the wire.
      const kitchen = JSON.parse(ada.heard.find((text) => text.includes('"title":"Kitchen"'))!);
      const [id] = JSON.stringify(kitchen).match(/(?<="_svc_type":"Room","_svc_id":")[0-9a-f]{32}/)!;
      for (const outsider of [dora, eli]) {
        expect(outsider.heard.filter((text) => /soup|on my|Kitchen|"Ben"/.test(text) || text.includes(id))).toEqual([]);
        expect(await room(outsider, 'Kitchen').count()).toBe(0);
      }
      // Who knows the room's id gets no further.
      const asked = await eli.page.evaluate(`new Promise((done) => {
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live');
        const errors = [];
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(data);
          if (frame.id !== undefined) errors.push([frame.id, frame.type, frame.error?.code]);
          if (errors.length === 3) done(errors.sort());
        };
        socket.onopen = () => {
          socket.send(JSON.stringify({ type: 'token', token: localStorage.svc_token }));
          for (const walker of ['Hear', 'History', 'Members'])
            socket.send(JSON.stringify({ type: 'subscribe', id: walker, walker, node: '${id}', fields: {}, since: {'room:${id}': 0} }));
        };
      })`);
      expect(asked).toEqual(['Hear', 'History', 'Members'].map((one) => [one, 'error', 'NODE_NOT_FOUND']));

      // An expulsion counts at once.
      await ada.page.getByRole('button', { name: 'Expel Cleo' }).click();
      await room(cleo, 'Kitchen').waitFor({ state: 'detached' });
      const until = cleo.heard.length;
      await says(ada, 'between us');
      await line(ben, 'between us').waitFor();
      await says(dora, 'the sun is back');
      await room(cleo, 'Attic 2 new').waitFor();
      expect(cleo.heard.slice(until).filter((text) => text.includes('between us') || text.includes(id))).toEqual([]);

      // Nothing is lost while a network is, and nothing comes twice.
      expect(proxy.cut(true)).toBeGreaterThan(0);
      for (const text of ['first', 'second', 'third']) await says(ada, `${text} in the dark`);
      await line(ada, 'third in the dark').waitFor();
      expect(await line(ben, 'in the dark').count()).toBe(0);
      proxy.mend();
      await line(ben, 'third in the dark').waitFor();
      await says(ada, 'light again');
      await line(ben, 'light again').waitFor();
      expect(await line(ben, 'in the dark').allTextContents()).toEqual(
        ['first', 'second', 'third'].map((text) => expect.stringContaining(`${text} in the dark`)),
      );
      await expect
        .poll(() => numbers(ben).map((one) => one.at(-1)))
        .toEqual(numbers(ben).map(() => Math.max(...numbers(ada).flat())));
      for (const seen of numbers(ben))
        expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => seen[0]! + i));

      expect([await brokenRules(ada.page), await overflowAt(ada.page, 360)]).toEqual([[], 0]);
      for (const { name, errors } of everybody) {
        // Chromium itself writes of a connection that was cut.
        expect([
          name,
          errors.filter((text) => !/WebSocket|ERR_CONNECTION|ERR_EMPTY|Failed to load/.test(text)),
        ]).toEqual([name, []]);
      }
    });
  });
});
