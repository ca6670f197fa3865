/** The console at `/docs` and the page of the graph, as those see them who hear them or use no mouse: rules of axe-core. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules } from '../client/accessible.ts';
import { chromium, type Pages, startPages } from '../client/pages-of.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `"""Adds a note."""
walker:pub Add { has text: str = "x"; can add with Root entry { report self.text; } }
@restspec(protocol=APIProtocol.WEBSOCKET, broadcast=True)
async walker:pub Chat { has text: str = "hello"; can go with Root entry { report self.text; } }
walker Own { can go with Root entry { report 1; } }
`;

describe.skipIf(chromium === undefined)('pages of the product', () => {
  const folder = folderWith({ 'main.svc': app });
  let server: RunningServer;
  let pages: Pages;
  beforeAll(async () => {
    [server, pages] = await Promise.all([startServer({ folder: folder.path }), startPages()]);
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  test.each(['/docs', '/graph'])('%s', async (path) => {
    const { page } = await pages.open(server.base + path);
    // The link that skips to the content is there before a script has drawn any.
    await page.locator('h1').first().waitFor();
    expect(await brokenRules(page)).toEqual([]);
  });
});
