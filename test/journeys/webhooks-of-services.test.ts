/** Webhook calls as GitHub, Stripe, Slack and others make them, signed by their own packages (decisions/0420). */
import { createHmac } from 'node:crypto';
import { sign as signForGitHub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, type RunningServer, register, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const app = `import json;
node Seen { has name: str; has what: str; }

def note(here: Root, name: str, what: str) -> dict {
    here ++> Seen(name=name, what=what);
    return {"what": what, "runs": len([here -->[?:Seen:name == name]])};
}

@restspec(protocol=APIProtocol.WEBHOOK, verify="github", secret="\${GITHUB_HOOK}")
walker Pushed {
    has action: str = "";
    has repository: dict = {};
    can go with Root entry {
        message = request();
        event = message.headers["x-github-event"];
        report {**note(here, "github", self.repository["name"]), "event": event, "size": len(message.body)};
    }
}

@restspec(protocol=APIProtocol.WEBHOOK, verify="stripe", secret="\${STRIPE_HOOK}")
walker Paid {
    has type: str;
    has data: dict;
    can go with Root entry {
        if self.type == "fails" { raise ValueError("not yet"); }
        report note(here, "stripe", self.data["object"]["id"]);
    }
}

@restspec(protocol=APIProtocol.WEBHOOK, verify="slack", secret="\${SLACK_HOOK}", envelope=False)
walker Asked {
    has command: str = "";
    has text: str = "";
    has event: dict = {};
    has actions: list = [];
    can go with Root entry {
        if self.command { report {"response_type": "ephemeral", "text": f"{self.command}: {self.text}"}; }
        elif self.actions { report f"pressed {self.actions[0]['value']}"; }
        elif self.event { report note(here, "slack", self.event["text"]); }
    }
}

@restspec(protocol=APIProtocol.WEBHOOK, verify="standard", secret="\${STANDARD_HOOK}")
walker Sent { has id: str = ""; can go with Root entry { report note(here, "standard", self.id); } }

@restspec(protocol=APIProtocol.WEBHOOK, verify="none")
walker Open {
    has n: int = 0;
    can go with Root entry { report [self.n, json.loads(request().body) if request().body else None]; }
}

@restspec(protocol=APIProtocol.WEBHOOK, verify="github", secret="\${FORGOTTEN}")
walker Forgotten { can go with Root entry { report 1; } }

walker :pub Count { has name: str; can go with Root entry { report len([-->[?:Seen:name == self.name]]); } }
walker :pub Headers { has n: int = 0; can go with Root entry { report [request().headers["x-a"], request().method, request().path, request().query, str(request().body)]; } }
`;

const secrets = {
  GITHUB_HOOK: 'It is a secret',
  STRIPE_HOOK: 'whsec_stripe',
  SLACK_HOOK: '8f742231b10e8888abcd99yyyzzz85a5',
  STANDARD_HOOK: `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`,
};

const { webhooks: stripe } = new Stripe('sk_test_nothing');
const now = () => Math.floor(Date.now() / 1000);
const signForSlack = (body: string, timestamp = now()) => ({
  'x-slack-request-timestamp': String(timestamp),
  'x-slack-signature': `v0=${createHmac('sha256', secrets.SLACK_HOOK).update(`v0:${timestamp}:${body}`).digest('hex')}`,
});
const form = { 'content-type': 'application/x-www-form-urlencoded' };

// The same calls through a server, several processes, and what functions get.
describe.each([
  ['one process', []],
  ['workers', ['--workers', '2']],
  ['functions', ['--emulate']],
] as const)('%s', (_name, args) => {
  const folder = folderWith({ 'main.svc': app });
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ folder: folder.path, args, env: secrets });
  });
  afterAll(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  const call = async (walker: string, body: string, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${server.base}/webhook/${walker}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const read = isJson ? JSON.parse(text) : undefined;
    return { status: answer.status, text, read, reports: read?.reports, headers: answer.headers };
  };
  const github = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
    call('Pushed', body, {
      'x-github-event': 'push',
      'x-hub-signature-256': await signForGitHub(secrets.GITHUB_HOOK, body),
      ...headers,
    });
  const paid = (body: string, timestamp = now()) =>
    call('Paid', body, {
      'stripe-signature': stripe.generateTestHeaderString({ payload: body, secret: secrets.STRIPE_HOOK, timestamp }),
    });

  test('GitHub: JSON and forms, one run for each delivery', async () => {
    const body = '{"action": "opened", "repository": {"name": "svc", "id": 1}, "sender": {"login": "ada"}}';
    const first = await github(body, { 'x-github-delivery': 'd-1' });
    expect(first.reports).toEqual([{ what: 'svc', runs: 1, event: 'push', size: body.length }]);
    const again = await github(body, { 'x-github-delivery': 'd-1' });
    expect([again.reports[0].runs, again.headers.get('idempotent-replayed')]).toEqual([1, 'true']);
    const payload = new URLSearchParams({ payload: body }).toString();
    const asForm = await github(payload, { 'x-github-delivery': 'd-2', ...form });
    expect(asForm.reports[0]).toMatchObject({ what: 'svc', runs: 2 });
    for (const wrong of [{ 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, { 'x-hub-signature-256': '' }]) {
      const refused = await github(body, { 'x-github-delivery': 'd-3', ...wrong });
      expect([refused.status, refused.read.error.details.reason]).toEqual([401, 'signature']);
    }
    expect((await post(server.base, '/walker/Count', { name: 'github' })).reports).toEqual([2]);
  });

  test('Stripe: within the window, one run for each event, again after a failure', async () => {
    const event = (id: string, type: string) =>
      JSON.stringify({ id, object: 'event', type, pending_webhooks: Math.random(), data: { object: { id: 'pi_1' } } });
    const first = await paid(event('evt_1', 'paid'));
    expect(first.reports).toEqual([{ what: 'pi_1', runs: 1 }]);
    const again = await paid(event('evt_1', 'paid'), now() - 5); // another attempt: other time, other bytes
    expect([again.reports[0].runs, again.headers.get('idempotent-replayed')]).toEqual([1, 'true']);
    expect((await paid(event('evt_2', 'fails'))).status).toBe(500);
    expect((await paid(JSON.stringify({ id: 'evt_2' }))).status).toBe(422);
    expect((await paid(event('evt_2', 'paid'))).reports[0].runs).toBe(2);
    const stale = await paid(event('evt_3', 'paid'), now() - 301);
    expect([stale.status, stale.read.error.details.reason]).toEqual([401, 'timestamp']);
  });

  test('Slack: its question, commands, buttons, events; answers as the walker reports them', async () => {
    const question = '{"token": "t", "challenge": "3eZbrw1aB", "type": "url_verification"}';
    const asked = await call('Asked', question, signForSlack(question));
    expect([asked.status, asked.text]).toEqual([200, '3eZbrw1aB']);
    expect((await call('Asked', question, { ...signForSlack(`${question} `) })).status).toBe(401);
    const command = 'command=%2Fweather&text=94070+Berlin&trigger_id=1';
    const answered = await call('Asked', command, { ...form, ...signForSlack(command) });
    expect(answered.read).toEqual({ response_type: 'ephemeral', text: '/weather: 94070 Berlin' });
    const pressed = new URLSearchParams({ payload: '{"type": "block_actions", "actions": [{"value": "ok"}]}' });
    const button = await call('Asked', String(pressed), { ...form, ...signForSlack(String(pressed)) });
    expect([button.text, button.headers.get('content-type')]).toEqual(['pressed ok', 'text/plain; charset=utf-8']);
    const event = '{"type": "event_callback", "event_id": "Ev1", "event": {"text": "hi"}}';
    for (const timestamp of [now(), now() - 3, now() - 3]) {
      const told = await call('Asked', event, signForSlack(event, timestamp));
      expect([told.status, told.read]).toEqual([200, { what: 'hi', runs: 1 }]);
    }
    const nothing = await call('Asked', '{}', signForSlack('{}'));
    expect([nothing.status, nothing.text]).toEqual([200, '']);
  });

  test('Standard Webhooks, and nobody in particular', async () => {
    const hook = new Webhook(secrets.STANDARD_HOOK);
    const sent = (id: string, body: string) => {
      const at = new Date();
      const timestamp = String(Math.floor(at.getTime() / 1000));
      return call('Sent', body, {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': hook.sign(id, at, body),
      });
    };
    expect((await sent('msg_1', '{"id": "a"}')).reports[0].runs).toBe(1);
    expect((await sent('msg_1', '{"id": "a"}')).reports[0].runs).toBe(1);
    expect((await sent('msg_2', '{"id": "a"}')).reports[0].runs).toBe(2);
    expect((await call('Open', '{"n": 7, "other": 1}', {})).reports).toEqual([[7, { n: 7, other: 1 }]]);
    expect((await call('Open', '[1, 2]', {})).reports).toEqual([[0, [1, 2]]]);
    expect((await call('Open', 'n=8', form)).status).toBe(500); // the walker's own reading of JSON
    expect((await call('Open', '[]', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('calls run as a guest, whoever else is named; without its secret a webhook answers nobody', async () => {
    const { token } = await register(server.base, 'ada');
    const named = await call('Open', '{}', { authorization: `Bearer ${token}` });
    expect(named.status).toBe(200);
    const forgotten = await call('Forgotten', '{}', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` });
    expect([forgotten.status, forgotten.read.error]).toMatchObject([503, { details: { reason: 'not_configured' } }]);
    await expect
      .poll(() => server.output())
      .toContain('webhook Forgotten has no secret: environment variable FORGOTTEN is not set');
  });

  test('request() is there for other calls too', async () => {
    const answer = await fetch(`${server.base}/walker/Headers?x=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-A': 'b' },
      body: '{"n": 1}',
    });
    expect(((await answer.json()) as any).reports).toEqual([['b', 'POST', '/walker/Headers', 'x=1', 'b\'{"n": 1}\'']]);
  });
});

test('production does not start without a secret that a webhook names', async () => {
  using folder = folderWith({ 'main.svc': app });
  const env = { ...secrets, SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(40) };
  await using svc = spawnSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path, env });
  expect(await svc.exited).toBe(3);
  expect(svc.stderr()).toContain(
    'svc: a webhook cannot be verified: webhook Forgotten has no secret: environment variable FORGOTTEN is not set',
  );
});
