/** The API console as a browser shows it: credentials, calls by key, webhooks signed in the page, sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromium, type Page, startBrowser } from '../harness/browser.ts';
import { post, type RunningServer, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `import from http { UploadFile }

"""Notes a payment."""
@restspec(protocol=APIProtocol.WEBHOOK)
walker Paid { has id: str; can go with Root entry { report ["paid", self.id]; } }

@restspec(protocol=APIProtocol.WEBHOOK, verify="github", secret="\${HOOK}")
walker OfGithub { has action: str = "opened"; can go with Root entry { report ["github", self.action]; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="stripe", secret="\${HOOK}")
walker OfStripe { has type: str = "paid"; can go with Root entry { report ["stripe", self.type]; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="slack", secret="\${HOOK}")
walker OfSlack { has command: str = "/hi"; can go with Root entry { report ["slack", self.command]; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="standard", secret="\${HOOK}")
walker OfStandard { has type: str = "sent"; can go with Root entry { report ["standard", self.type]; } }

walker:pub Take { has file: UploadFile, note: str = "none"; can go with Root entry { report [self.file.filename, self.note]; } }
node Score { has points: int; }
walker Play { has points: int; can go with Root entry { here ++> Score(points=self.points); } }
walker Scores { has least: int = 0; can go with Root entry { report [one.points for one in [-->[?:Score]] if one.points >= self.least]; } }
walker Whoami { can go with Root entry { report "me"; } }

"""
Says to everybody what one says.

Nobody is told twice.
"""
@restspec(protocol=APIProtocol.WEBSOCKET, broadcast=True)
async walker :pub Chat { has text: str = "hello"; can go with Root entry { report self.text; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker Own { has n: int = 1; can go with Root entry { report self.n + 1; } }
@restspec(protocol=APIProtocol.WEBSOCKET)
def :priv double(n: int = 2) -> int { return n * 2; }
`;
const secret = `whsec_${Buffer.from('a secret shared with senders').toString('base64')}`;

describe.skipIf(chromium === undefined)('the console', () => {
  const folder = folderWith({ 'main.svc': app });
  let server: RunningServer;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await startServer({ folder: folder.path, env: { HOOK: secret } });
    browser = await startBrowser();
    page = await browser.open(`${server.base}/docs`);
    await page.until(`document.querySelector('dialog')`);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const press = (below: string, text: string) =>
    page.run(
      `[...document.querySelectorAll(${JSON.stringify(`${below} button`)})].find((one) => one.textContent === ${JSON.stringify(text)}).click()`,
    );
  const fill = (selector: string, value: string) =>
    page.run(`(() => {
      const input = document.querySelector(${JSON.stringify(selector)});
      input.value = ${JSON.stringify(value)};
      for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }));
    })()`);
  const unfold = async (id: string) => {
    await page.run(`document.getElementById('${id}').open = true`);
    await page.until(`document.querySelector('#${id} form')`);
  };
  /** Sends what the form of an operation holds; the status line and the body of the answer. */
  const send = async (id: string) => {
    await page.run(`document.querySelector('#${id} .answer').replaceChildren()`);
    await press(`#${id}`, 'Send');
    const status: string = await page.until(`document.querySelector('#${id} .answer .status')?.textContent`);
    return [status, await page.until(`document.querySelector('#${id} .answer .code pre')?.textContent`)];
  };

  test('keeps every credential of one dialog', async () => {
    await page.run(`(() => {
      const [token, key] = document.querySelectorAll('dialog form[method=dialog] input');
      token.value = 'a.b.c';
      key.value = 'svck_1';
    })()`);
    await press('dialog form[method=dialog]', 'Save');
    expect(await page.run('({ ...sessionStorage })')).toEqual({
      'svc-docs-BearerAuth': 'a.b.c',
      'svc-docs-ApiKeyAuth': 'svck_1',
    });
    await press('dialog form[method=dialog]', 'Clear');
    expect(await page.run('({ ...sessionStorage })')).toEqual({});
  });

  test('makes a key, calls with it, and signs a webhook with it', async () => {
    const { token } = await register(server.base, 'ada');
    await page.run(`(() => {
      document.querySelector('dialog form[method=dialog] input').value = ${JSON.stringify(token)};
    })()`);
    await press('dialog form[method=dialog]', 'Save');
    await unfold('api_key_create');
    await fill('#api_key_create textarea', '{"name": "console", "scopes": ["webhook", "call"]}');
    expect((await send('api_key_create'))[0]).toMatch(/^201/);
    await press('#api_key_create', 'Use this key');
    await page.run(`document.querySelector('dialog form[method=dialog] input').value = ''`);
    await press('dialog form[method=dialog]', 'Save');
    expect(Object.keys(await page.run('({ ...sessionStorage })'))).toEqual(['svc-docs-ApiKeyAuth']);
    await unfold('walker_Whoami_post');
    expect(await page.run(`document.querySelector('#walker_Whoami_post .hint').hidden`)).toBe(true);
    const [status, text] = await send('walker_Whoami_post');
    expect([status, text]).toEqual([expect.stringMatching(/^200/), expect.stringContaining('"me"')]);
    await unfold('webhook_Paid');
    await fill('#webhook_Paid textarea', '{"id": "p-1"}');
    const paid = await send('webhook_Paid');
    expect(paid).toEqual([expect.stringMatching(/^200/), expect.stringContaining('"p-1"')]);
    const curl = await page.until(
      `[...document.querySelectorAll('#webhook_Paid pre')].map((one) => one.textContent).find((text) => text.startsWith('curl') && text.includes('X-Webhook-Signature'))`,
    );
    expect(curl).toContain('X-API-Key: svck_');
  });

  test.each(['Github', 'Stripe', 'Slack', 'Standard'])('signs a webhook as its sender does: %s', async (sender) => {
    const id = `webhook_Of${sender}`;
    await unfold(id);
    expect((await send(id))[0]).toMatch(/^401/);
    await fill(`#${id} input[type=password]`, secret);
    const [status, text] = await send(id);
    expect([status, text]).toEqual([expect.stringMatching(/^200/), expect.stringContaining(sender.toLowerCase())]);
    const legends = await page.run(`[...document.querySelectorAll('#${id} legend')].map((one) => one.textContent)`);
    expect(legends, 'no headers to fill in').toEqual(['Body']);
  });

  test('sends a form with a file', async () => {
    const id = 'walker_Take_post';
    await unfold(id);
    await page.run(`(() => {
      const chosen = new DataTransfer();
      chosen.items.add(new File(['hello'], 'hello.txt', { type: 'text/plain' }));
      document.querySelector('#${id} input[type=file]').files = chosen.files;
    })()`);
    await fill(`#${id} input[type=text]`, 'a note');
    const [status, text] = await send(id);
    expect(status).toMatch(/^200/);
    expect(JSON.parse(text).reports).toEqual([['hello.txt', 'a note']]);
    const curl = await page.run(
      `[...document.querySelectorAll('#${id} pre')].map((one) => one.textContent).find((text) => text.startsWith('curl'))`,
    );
    expect(curl).toContain('-F file=@hello.txt');
  });

  test('talks to a socket', async () => {
    const id = 'socket_walker_Chat';
    await unfold(id);
    expect(await page.run(`document.querySelector('#${id} .operation-body').textContent`)).toContain(
      'Nobody is told twice.',
    );
    await press(`#${id}`, 'Connect');
    await page.until(`document.querySelector('#${id} [role=status]').textContent === 'Connected'`);
    await fill(`#${id} textarea`, '{"text": "<b>hi</b>", "$id": 7}');
    await press(`#${id}`, 'Send');
    const frame = await page.until(
      `[...document.querySelectorAll('#${id} .frame-received')].map((one) => one.querySelector('code').textContent).find((text) => !text.includes('ping'))`,
    );
    expect(JSON.parse(frame)).toMatchObject({ ok: true, data: { reports: ['<b>hi</b>'] }, id: 7 });
    await press(`#${id}`, 'Disconnect');
    await page.until(`document.querySelector('#${id} [role=status]').textContent.startsWith('Closed with 1000')`);
  });

  test.each([
    ['query', 'Connected'],
    ['subprotocol', 'Connected'],
    ['message', 'Connected'],
    ['none', 'Connected'],
  ])('a socket that needs a token gets it where it is told to: %s', async (place, status) => {
    const login = await post(server.base, '/user/login', { username: 'ada', password: 'correct horse 1' });
    await page.run(
      `document.querySelector('dialog form[method=dialog] input').value = ${JSON.stringify(login.data.access_token)}`,
    );
    await press('dialog form[method=dialog]', 'Save');
    const id = 'socket_walker_Own';
    await unfold(id);
    await press(`#${id}`, 'Clear');
    await fill(`#${id} select`, place);
    await press(`#${id}`, 'Connect');
    await page.until(`document.querySelector('#${id} [role=status]').textContent === ${JSON.stringify(status)}`);
    await fill(`#${id} textarea`, '{"n": 41}');
    await press(`#${id}`, 'Send');
    const received = `[...document.querySelectorAll('#${id} .frame-received')].map((one) => one.querySelector('code').textContent)`;
    if (place === 'none') {
      const frame = await page.until(`${received}.find((text) => text.includes('UNAUTHORIZED'))`);
      expect(JSON.parse(frame).error.reason).toBe('missing');
      await page.until(`document.querySelector('#${id} [role=status]').textContent.startsWith('Closed with 4401')`);
      return;
    }
    const frame = await page.until(`${received}.find((text) => text.includes('reports'))`);
    expect(JSON.parse(frame).data.reports).toEqual([42]);
    expect(await page.run(`document.querySelector('#${id} .frames').textContent`)).not.toContain(
      login.data.access_token.slice(-20),
    );
    await press(`#${id}`, 'Disconnect');
    await page.until(`document.querySelector('#${id} [role=status]').textContent.startsWith('Closed')`);
  });

  test('follows a walker, and shows its value whenever it changes', async () => {
    const { token } = await register(server.base, 'player');
    await page.run(`document.querySelector('dialog form[method=dialog] input').value = ${JSON.stringify(token)}`);
    await press('dialog form[method=dialog]', 'Save');
    const id = 'walker_Scores_post';
    await unfold(id);
    await fill(`#${id} textarea`, '{"least": 2}');
    await press(`#${id}`, 'Follow');
    const frames = `[...document.querySelectorAll('#${id} .frame-received code')].map((one) => one.textContent)`;
    expect(JSON.parse(await page.until(`${frames}[0]`)).data.reports).toEqual([[]]);
    for (const points of [1, 3]) await post(server.base, '/walker/Play', { points }, token);
    expect(JSON.parse(await page.until(`${frames}[1]`)).data.reports).toEqual([[3]]);
    await press(`#${id}`, 'Stop following');
    await page.until(`document.querySelector('#${id} .frame-note')`);
    const writer = 'walker_Play_post';
    await unfold(writer);
    await fill(`#${writer} textarea`, '{"points": 4}');
    await press(`#${writer}`, 'Follow');
    const refused = await page.until(`document.querySelector('#${writer} .frame-received code')?.textContent`);
    expect(JSON.parse(refused).error.code).toBe('NOT_READ_ONLY');
  });

  test('nothing went wrong in the page; the reference lists sockets too', async () => {
    // A status of 400 or more is an error of the browser's console as well.
    expect(page.errors.filter((text) => !/status of 401/.test(text))).toEqual([]);
    const reference = await browser.open(`${server.base}/redoc`);
    await reference.until(`document.getElementById('socket_function_double')`);
    expect(await reference.run(`document.getElementById('socket_walker_Own').textContent`)).toContain('svc.bearer.');
    expect(reference.errors).toEqual([]);
    const asyncapi = (await (await fetch(`${server.base}/asyncapi.json`)).json()) as any;
    expect(Object.keys(asyncapi.channels)).toContain('socket_function_double');
  });
});
