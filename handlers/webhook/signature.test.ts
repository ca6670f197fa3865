import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { Failure } from '../../core/errors.ts';
import { signatureHeaders } from './sign.ts';
import { createSignatureCheck, type SignatureRules } from './signature.ts';

// The fixed vectors of test/wire/7-whk.md, WHK-10.
const body = Buffer.from('{"payment_id":"PAY-12345","amount":99.99,"currency":"USD"}');
const now = 1_767_225_600;
const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const shared = 'shared-secret-for-tests-0123456789';
const keys = {
  text: 'svck_0f1e2d3c4b5a69788796a5b4c3d2e1f0_kq3Zr8mN5vWc1xYd7TgLh2PsJb9FaUe4RoKiXtQnM6w',
  signingSecret: () => 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
};
const vectors = {
  body: '0a9a71474b8ff042d33ec5b3dceb03694e5a6cbaabdf55756569bab05ef3d806',
  empty: 'f3ae9ecb041f973720b774ab95c409ac35051007b33b24cd70bc0944ef66ed73',
  shared: '578c059fcf7977248a61f5d4a68eb30171992fbe885f6abfe0a186b6152598b3',
  timed: 'a6d63c7a69c17c0f2701c7c8e707a4cbf09b6d7807ad0da7c6beae76fb32827e',
  timedByKey: '9de53cccd6b7b09aecf4f1747f4590a082e6dbbc2ecb512585d47e4cad609563',
  standard: 'v1,OFnlhlab8hMSLA46CnNJ0zRTrJ6ZT8dF4mlx/450fag=',
};

const usual: SignatureRules = {
  secret: '',
  signatureHeader: 'X-Webhook-Signature',
  verifySignature: true,
  replayToleranceSeconds: 300,
  requireTimestamp: false,
  requireSigningSecret: false,
};

interface Given {
  readonly rules?: Partial<SignatureRules>;
  readonly body?: Uint8Array;
  readonly at?: number;
  readonly secret?: () => string | undefined;
}

/** `ok`, or the reason of the refusal. */
function outcome(headers: Readonly<Record<string, string>>, given: Given = {}): string {
  try {
    const call = { header: (name: string) => headers[name] };
    const signingSecret = given.secret ?? keys.signingSecret;
    const check = createSignatureCheck({ ...usual, ...given.rules });
    check(call, given.body ?? body, { ...keys, signingSecret }, given.at ?? now);
    return 'ok';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe('UNAUTHORIZED');
    return (error.details as { reason: string }).reason;
  }
}

const signed = (value: string) => ({ 'x-webhook-signature': value });
const timed = (value: string) => ({ ...signed(value), 'x-webhook-timestamp': String(now) });
const standard = (value: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(now),
  'webhook-signature': value,
});

test('the published vectors verify, each in its scheme', () => {
  expect(outcome(signed(vectors.body))).toBe('ok');
  expect(outcome(signed(`sha256=${vectors.body.toUpperCase()}`))).toBe('ok');
  expect(outcome(signed(vectors.empty), { body: Buffer.alloc(0) })).toBe('ok');
  expect(outcome(signed(vectors.shared))).toBe('signature');
  expect(outcome(signed(vectors.shared), { rules: { secret: shared } })).toBe('ok');
  expect(outcome(signed(vectors.body), { rules: { secret: shared } })).toBe('ok');
  expect(outcome(timed(vectors.timed))).toBe('ok');
  expect(outcome(timed(vectors.timedByKey))).toBe('ok');
  expect(outcome(standard(vectors.standard))).toBe('ok');
  expect(outcome(standard(`v1,AAAA v2,x ${vectors.standard}`))).toBe('ok');
});

test('a signature of one scheme is none of another', () => {
  expect(outcome(timed(vectors.body))).toBe('signature');
  expect(outcome(signed(vectors.timed))).toBe('signature');
  expect(outcome(standard(`v1,${Buffer.from(vectors.timed, 'hex').toString('base64')}`))).toBe('signature');
});

test('every byte of the body counts', () => {
  for (let at = 0; at < body.length; at++) {
    const changed = Buffer.from(body);
    changed[at]! ^= 1;
    expect([
      outcome(signed(vectors.body), { body: changed }),
      outcome(standard(vectors.standard), { body: changed }),
    ]).toEqual(['signature', 'signature']);
  }
});

test('malformed values are refused like wrong ones', () => {
  for (const value of ['', 'sha256=', 'sha512=', `${vectors.body}00`, vectors.body.slice(1), 'zz'.repeat(32)]) {
    expect(outcome(signed(value))).toBe('signature');
  }
  for (const value of ['', 'v1,', 'v1', vectors.standard.slice(3)]) expect(outcome(standard(value))).toBe('signature');
  expect(outcome({})).toBe('signature');
});

test('the window is closed on both sides', () => {
  for (const at of [now - 300, now, now + 300]) {
    expect([outcome(timed(vectors.timed), { at }), outcome(standard(vectors.standard), { at })]).toEqual(['ok', 'ok']);
  }
  for (const at of [now - 301, now + 301]) {
    expect([outcome(timed(vectors.timed), { at }), outcome(standard(vectors.standard), { at })]).toEqual([
      'timestamp',
      'timestamp',
    ]);
  }
  expect(outcome({ ...signed(vectors.timed), 'x-webhook-timestamp': '1e9' })).toBe('timestamp');
  expect(outcome({ 'webhook-id': id, 'webhook-signature': vectors.standard })).toBe('timestamp');
});

test('with both families of headers, all that is presented must verify', () => {
  expect(outcome({ ...signed(vectors.body), ...standard(vectors.standard) })).toBe('ok');
  expect(outcome({ ...signed(vectors.shared), ...standard(vectors.standard) })).toBe('signature');
  expect(outcome({ ...signed(vectors.body), ...standard('v1,AAAA') })).toBe('signature');
});

test('the settings: no verification, timestamps only, the signing secret only, another header', () => {
  expect(outcome({}, { rules: { verifySignature: false } })).toBe('ok');
  expect(outcome(signed('wrong'), { rules: { verifySignature: false } })).toBe('ok');
  expect(outcome(signed(vectors.body), { rules: { requireTimestamp: true } })).toBe('timestamp');
  expect(outcome(timed(vectors.timed), { rules: { requireTimestamp: true } })).toBe('ok');
  const rules = { requireSigningSecret: true, secret: shared };
  expect(outcome(timed(vectors.timedByKey), { rules })).toBe('signature');
  expect(outcome(timed(vectors.timed), { rules })).toBe('ok');
  expect(outcome(signed(vectors.body), { rules })).toBe('signature');
  expect(
    outcome({ 'x-hub-signature-256': `sha256=${vectors.body}` }, { rules: { signatureHeader: 'X-Hub-Signature-256' } }),
  ).toBe('ok');
});

test('a signing secret that can no longer be read verifies nothing', () => {
  const secret = () => undefined;
  expect(outcome(standard(vectors.standard), { secret })).toBe('signature');
  expect(outcome(timed(vectors.timed), { secret })).toBe('signature');
  expect(outcome(timed(vectors.timedByKey), { secret })).toBe('ok');
});

test('the standardwebhooks package signs what verifies here, and verifies what is signed here', () => {
  const secret = keys.signingSecret();
  const webhook = new Webhook(secret);
  const given = webhook.sign(id, new Date(now * 1000), body.toString());
  expect(given).toBe(vectors.standard);
  expect(outcome(standard(given))).toBe('ok');
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({
    scheme: 'standard',
    body,
    apiKey: keys.text,
    signingSecret: secret,
    timestamp,
    id,
    header: 'X-Webhook-Signature',
  });
  expect(webhook.verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()));
});

test('calls signed for sending verify, in each scheme', () => {
  for (const scheme of ['body', 'timestamped', 'standard'] as const) {
    const signingSecret = keys.signingSecret();
    const call = { scheme, body, apiKey: keys.text, signingSecret, timestamp: now, id, header: 'X-Webhook-Signature' };
    const headers = Object.fromEntries(
      Object.entries(signatureHeaders(call)).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(outcome(headers)).toBe('ok');
    expect(outcome(headers, { body: Buffer.from('{}') })).toBe('signature');
  }
});
