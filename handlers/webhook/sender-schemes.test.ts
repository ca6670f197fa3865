/** Signatures of services, against what their own packages and pages say is right. */
import { createHmac } from 'node:crypto';
import { sign as signForGitHub, verify as verifyAsGitHub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { checkSender, senderSchemes } from './sender-schemes.ts';

const nowSeconds = 1_700_000_000;
const bodies = ['', '{}', '{"a":"ä€😀"}', 'x'.repeat(5000)];
const secrets = ['s', 'whsec_ünïcode', 'k'.repeat(100)];

type Headers = Readonly<Record<string, string>>;

/** The digest, or `[status, reason]`. */
function check(name: keyof typeof senderSchemes, headers: Headers, body: string, secret: string, tolerance = 300) {
  const scheme = senderSchemes[name];
  const call = { header: (header: string) => headers[header] };
  const requireFresh = (timestamp: string) => {
    if (!(Math.abs(nowSeconds - Number(timestamp)) <= tolerance))
      throw Object.assign(new Error(), { details: { reason: 'timestamp' } });
  };
  try {
    return checkSender(scheme, call, Buffer.from(body), scheme.macOf(secret), requireFresh);
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason;
  }
}

test('github: as its own package signs, and as its page shows', async () => {
  for (const body of bodies.slice(1)) {
    for (const secret of secrets) {
      const signature = await signForGitHub(secret, body);
      expect(check('github', { 'x-hub-signature-256': signature }, body, secret)).toBe(undefined);
      expect(check('github', { 'x-hub-signature-256': signature }, `${body} `, secret)).toBe('signature');
      expect(await verifyAsGitHub(secret, `${body} `, signature)).toBe(false);
    }
  }
  const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const secret = "It's a Secret to Everybody";
  expect(check('github', { 'x-hub-signature-256': published }, 'Hello, World!', secret)).toBe(undefined);
  for (const bad of ['', 'sha256=', published.slice(7), `${published}00`, published.replace('75', '76'), 'sha256=zz'])
    expect(check('github', { 'x-hub-signature-256': bad }, 'Hello, World!', secret), bad).toBe('signature');
  expect(check('github', {}, 'Hello, World!', secret)).toBe('signature');
});

test('stripe: as its own package signs, with several signatures, within its window', () => {
  const { webhooks } = new Stripe('sk_test_nothing');
  for (const payload of bodies) {
    for (const secret of secrets) {
      const timestamp = nowSeconds - 10;
      const header = webhooks.generateTestHeaderString({ payload, secret, timestamp });
      expect(check('stripe', { 'stripe-signature': header }, payload, secret)).toMatch(/^[0-9a-f]{64}$/);
      expect(check('stripe', { 'stripe-signature': header }, `${payload} `, secret)).toBe('signature');
      expect(check('stripe', { 'stripe-signature': header }, payload, `${secret} `)).toBe('signature');
    }
  }
  const secret = 'whsec_test';
  const old = webhooks.generateTestHeaderString({ payload: '{}', secret, timestamp: nowSeconds - 301 });
  expect(check('stripe', { 'stripe-signature': old }, '{}', secret)).toBe('timestamp');
  const good = webhooks.generateTestHeaderString({ payload: '{}', secret, timestamp: nowSeconds });
  const [time, v1] = good.split(',');
  const wrong = `v1=${'0'.repeat(64)}`;
  const checked = (header: string) => check('stripe', { 'stripe-signature': header }, '{}', secret);
  expect(checked(`${time},${wrong},${v1},v0=abc`)).toMatch(/^[0-9a-f]{64}$/);
  expect(checked(`${time}, ${v1}`)).toMatch(/^[0-9a-f]{64}$/);
  for (const bad of [`${time},${wrong}`, `${time},v0=${v1!.slice(3)}`, `${time}`])
    expect(checked(bad), bad).toBe('signature');
  for (const bad of [`${v1}`, 'nonsense']) expect(checked(bad), bad).toBe('timestamp');
});

test('slack: the example of its page', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const headers = {
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    'x-slack-request-timestamp': '1531420618',
  };
  expect(check('slack', headers, body, secret, Number.POSITIVE_INFINITY)).toMatch(/^[0-9a-f]{64}$/);
  expect(check('slack', headers, body, secret)).toBe('timestamp');
  expect(check('slack', { ...headers, 'x-slack-request-timestamp': '' }, body, secret)).toBe('timestamp');
  expect(check('slack', headers, `${body}&`, secret, Number.POSITIVE_INFINITY)).toBe('signature');
});

test('standard: as its own package signs; the older names of the headers count too', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  for (const body of bodies) {
    const signature = new Webhook(secret).sign('msg_1', new Date(nowSeconds * 1000), body);
    const signed = { id: 'msg_1', timestamp: String(nowSeconds), signature: `v1a,xyz v1,AAAA ${signature}` };
    for (const family of ['webhook', 'svix']) {
      const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [`${family}-${name}`, value]));
      expect(check('standard', headers, body, secret)).toMatch(/^[0-9a-f]{64}$/);
      expect(check('standard', { ...headers, [`${family}-id`]: 'msg_2' }, body, secret)).toBe('signature');
      expect(check('standard', { ...headers, [`${family}-timestamp`]: '1' }, body, secret)).toBe('timestamp');
      expect(check('standard', { ...headers, [`${family}-signature`]: 'v1,' }, body, secret)).toBe('signature');
    }
  }
});

test('a secret of another service fits none', () => {
  const body = '{}';
  const hex = createHmac('sha256', 's').update(body).digest('hex');
  expect(check('github', { 'x-hub-signature-256': `sha256=${hex.toUpperCase()}` }, body, 's')).toBe(undefined);
  expect(check('stripe', { 'stripe-signature': `t=${nowSeconds},v1=${hex}` }, body, 's')).toBe('signature');
});
