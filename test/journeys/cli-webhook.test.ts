/** `svc webhook`: calls that a running server accepts, in every scheme. */
import { expect, test } from 'vitest';
import { register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `@restspec(protocol=APIProtocol.WEBHOOK)
walker Paid { has id: str; can go with Root entry { report self.id; } }

@restspec(protocol=APIProtocol.WEBHOOK, verify="github", secret="\${HOOK}")
walker OfGithub { has id: str; can go with Root entry { report self.id; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="stripe", secret="\${HOOK}")
walker OfStripe { has id: str; can go with Root entry { report self.id; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="slack", secret="\${HOOK}")
walker OfSlack { has id: str; can go with Root entry { report self.id; } }
@restspec(protocol=APIProtocol.WEBHOOK, verify="standard", secret="\${HOOK}")
walker OfStandard { has id: str; can go with Root entry { report self.id; } }
`;

test('send makes calls that verify; sign prints what send would add', async () => {
  using folder = folderWith({ 'main.svc': app, 'paid.json': '{"id": "from a file"}\n' });
  await using server = await startServer({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  const created = await fetch(`${server.base}/api-key/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"name": "k"}',
  });
  const { api_key, signing_secret } = (await created.json()) as { api_key: string; signing_secret: string };
  const env = { SVC_API_KEY: api_key, SVC_SIGNING_SECRET: signing_secret };
  const svc = (...args: string[]) => runSvc(['webhook', ...args], { cwd: folder.path, env });
  for (const scheme of ['body', 'timestamped', 'standard']) {
    const sent = await svc(
      'send',
      'Paid',
      '--url',
      server.base,
      '-d',
      `{"id": "${scheme}"}`,
      '--scheme',
      scheme,
      '--json',
    );
    expect(sent.stderr).toBe('');
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([0, { status: 200, body: { reports: [scheme] } }]);
  }
  const plain = await svc('send', 'Paid', '--url', server.base, '-d', '@paid.json');
  expect([plain.code, plain.stdout.split('\n')[0]]).toEqual([0, '200 OK']);
  const refused = await svc('send', 'Paid', '--url', server.base, '--key', 'svck_wrong', '--json');
  expect([refused.code, JSON.parse(refused.stdout).status]).toEqual([1, 401]);

  const signed = await svc('sign', '-d', '{"id": "signed"}', '--scheme', 'timestamped', '--json');
  const answer = await fetch(`${server.base}/webhook/Paid`, {
    method: 'POST',
    headers: JSON.parse(signed.stdout),
    body: '{"id": "signed"}',
  });
  expect(answer.status).toBe(200);
  expect((await svc('sign')).stdout).toMatch(
    /^Content-Type: application\/json\nX-API-Key: svck_\w+[\w-]*\nX-Webhook-Signature: [0-9a-f]{64}\n$/,
  );
});

test('the schemes of services', async () => {
  using folder = folderWith({ 'main.svc': app });
  const secret = `whsec_${Buffer.from('secret of ours').toString('base64')}`;
  await using server = await startServer({ folder: folder.path, env: { HOOK: secret } });
  const send = async (walker: string, scheme: string, given = secret) => {
    const args = ['webhook', 'send', walker, '--url', server.base, '-d', '{"id": "a"}', '--scheme', scheme, '--json'];
    const { stdout } = await runSvc(args, { cwd: folder.path, env: { SVC_SIGNING_SECRET: given } });
    const { status, body } = JSON.parse(stdout);
    return [status, body.reports?.[0] ?? body.error.details.reason];
  };
  for (const [walker, scheme] of [
    ['OfGithub', 'github'],
    ['OfStripe', 'stripe'],
    ['OfSlack', 'slack'],
    ['OfStandard', 'standard'],
  ] as const) {
    expect(await send(walker, scheme)).toEqual([200, 'a']);
    expect(await send(walker, scheme, 'whsec_other')).toEqual([401, 'signature']);
  }
});

test('what is missing is said', async () => {
  using folder = folderWith({ 'main.svc': app });
  const svc = async (...args: string[]) => {
    const { code, stderr } = await runSvc(['webhook', ...args], { cwd: folder.path });
    return [code, stderr.split('\n')[0]];
  };
  expect(await svc('sign')).toEqual([2, 'svc: webhook: there is no API key']);
  expect(await svc('sign', '--key', 'k', '--scheme', 'standard')).toEqual([
    2,
    'svc: webhook: the standard scheme signs with the signing secret',
  ]);
  expect(await svc('sign', '--scheme', 'stripe')).toEqual([
    2,
    'svc: webhook: the stripe scheme signs with the signing secret',
  ]);
  expect(await svc('sent', 'Paid', '--key', 'k')).toEqual([2, 'svc: webhook sent: unknown action']);
  expect(await svc('send', '--key', 'k')).toEqual([2, 'svc: webhook send: names no walker']);
  expect(await svc('sign', '--key', 'k', '-d', '@gone.json')).toMatchObject([3, expect.stringContaining('gone.json')]);
  expect(await svc('send', 'Paid', '--key', 'k', '--url', 'http://127.0.0.1:1')).toMatchObject([
    expect.any(Number),
    expect.stringContaining('does not answer'),
  ]);
});
