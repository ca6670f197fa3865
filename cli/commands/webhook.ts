import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { SignatureScheme } from '../../handlers/webhook/sign.ts';
import { choiceOf, flagType, type OptionValues } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import type { Terminal } from '../terminal.ts';

const defaultAddress = 'http://127.0.0.1:8000';
const timeoutMs = 60_000;

export const command: Command = {
  name: 'webhook',
  operands: '<sign|send> [walker]',
  arity: [1, 2],
  about: 'Signs a webhook call, or sends a signed one.',
  examples: [
    ['svc webhook send Paid --data @order.json', 'to a server on this machine'],
    ['svc webhook sign --data @order.json', 'the headers of the call'],
  ],
  options: [
    {
      name: 'data',
      short: 'd',
      type: { kind: 'text', placeholder: 'JSON' },
      about: 'Body; @FILE reads it, - is standard input.',
      default: '{}',
    },
    {
      name: 'scheme',
      type: choiceOf('SCHEME', 'body', 'timestamped', 'standard', 'github', 'stripe', 'slack'),
      about: 'What is signed, and how: ours, Standard Webhooks, or as a service does it.',
      default: 'body',
    },
    {
      name: 'key',
      type: { kind: 'text', placeholder: 'KEY' },
      about: 'API key.',
      default: 'SVC_API_KEY of the environment',
    },
    {
      name: 'secret',
      type: { kind: 'text', placeholder: 'SECRET' },
      about: 'Signing secret of the key, or the one shared with the service.',
      default: 'SVC_SIGNING_SECRET of the environment',
    },
    {
      name: 'header',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Header with the signature.',
      default: 'X-Webhook-Signature',
    },
    {
      name: 'id',
      type: { kind: 'text', placeholder: 'ID' },
      about: 'Message id of the standard scheme, delivery of GitHub.',
      default: 'a random one',
    },
    {
      name: 'timestamp',
      type: { kind: 'int', placeholder: 'SECONDS', min: 0, max: 9_999_999_999 },
      about: 'Unix time of the call.',
      default: 'now',
    },
    {
      name: 'url',
      type: { kind: 'text', placeholder: 'URL' },
      about: 'Address of the server.',
      default: defaultAddress,
    },
    { name: 'json', type: flagType, about: 'Print one JSON object.' },
  ],
  notes: [
    'svc webhook sign prints the headers of the call; svc webhook send makes it and prints the answer: exit 0 for a 2xx, else 1.',
    'Keys given as options can be seen by other users of this machine: the environment is the better place.',
  ],
  async run({ operands, options, terminal }) {
    const [action, walker] = operands;
    const headersOf = await signer(options, terminal);
    if (action === 'sign') {
      if (walker !== undefined) throw usageFailure('webhook sign', 'takes no walker');
      const { headers } = headersOf;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
      terminal.out(options['json'] === true ? `${JSON.stringify(headers)}\n` : lines.join(''));
      return exitCodes.success;
    }
    if (action !== 'send')
      throw usageFailure(`webhook ${action}`, 'unknown action', ['svc webhook sign', 'svc webhook send WALKER']);
    if (walker === undefined)
      throw usageFailure('webhook send', 'names no walker', ['svc webhook send PaymentReceived']);
    return await send(walker, headersOf, options, terminal);
  },
};

interface Signed {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
}

async function signer(options: OptionValues, terminal: Terminal): Promise<Signed> {
  const scheme = (options['scheme'] ?? 'body') as SignatureScheme;
  const apiKey = (options['key'] ?? terminal.env['SVC_API_KEY']) as string | undefined;
  const signingSecret = (options['secret'] ?? terminal.env['SVC_SIGNING_SECRET']) as string | undefined;
  const { neededFor, signatureHeaders } = await import('../../handlers/webhook/sign.ts');
  if (neededFor(scheme) === 'apiKey' && !apiKey) {
    throw usageFailure('webhook', 'there is no API key', [
      'set SVC_API_KEY, or give --key',
      'POST /api-key/create makes one',
    ]);
  }
  if (neededFor(scheme) === 'signingSecret' && !signingSecret) {
    throw usageFailure('webhook', `the ${scheme} scheme signs with the signing secret`, [
      'set SVC_SIGNING_SECRET, or give --secret',
    ]);
  }
  const body = await readBody((options['data'] ?? '{}') as string, terminal);
  const headers = signatureHeaders({
    scheme,
    body,
    apiKey,
    signingSecret,
    timestamp: (options['timestamp'] as number | undefined) ?? Math.floor(Date.now() / 1000),
    id: (options['id'] as string | undefined) ?? `msg_${randomBytes(16).toString('hex')}`,
    header: (options['header'] as string | undefined) ?? 'X-Webhook-Signature',
  });
  return { body, headers };
}

/** The bytes that are signed are the bytes that are sent, so they are taken as they come. */
async function readBody(data: string, terminal: Terminal): Promise<Uint8Array> {
  if (data === '-') return await buffer(process.stdin);
  if (!data.startsWith('@')) return Buffer.from(data);
  try {
    return readFileSync(resolve(terminal.cwd, data.slice(1)));
  } catch (error) {
    throw new CommandFailure(exitCodes.invalid, `cannot read ${data.slice(1)}`, fileReason(error));
  }
}

async function send(
  walker: string,
  { body, headers }: Signed,
  options: OptionValues,
  terminal: Terminal,
): Promise<number> {
  const address = (options['url'] ?? defaultAddress) as string;
  if (!URL.canParse(address)) throw usageFailure('--url', `${address} is no address`);
  const url = new URL(`webhook/${encodeURIComponent(walker)}`, address.endsWith('/') ? address : `${address}/`);
  const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => {
      const reason = (error.cause as Error | undefined)?.message ?? error.message;
      throw new CommandFailure(exitCodes.prerequisite, `${url.origin} does not answer`, reason);
    },
  );
  const text = await answer.text();
  if (options['json'] === true) terminal.out(`${JSON.stringify({ status: answer.status, body: parsed(text) })}\n`);
  else terminal.out(`${answer.status} ${answer.statusText}\n${text}\n`);
  return answer.ok ? exitCodes.success : exitCodes.failure;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
