/** The chat-completions protocol over HTTP: one request, its tries, its reply whole or in pieces. */

import { backOffMs } from '../../base/back-off.ts';
import { ConnectionError, RuntimeError, TimeoutError } from '../../library/values/objects/exceptions.ts';
import { currentContext } from '../memory/context.ts';
import { kindOfStatus, ofKind } from './failures.ts';
import type { Endpoint, ToolRequest } from './types.ts';

export interface ChatReply {
  readonly text: string;
  readonly tools: readonly ToolRequest[];
  /** The model stopped because it was out of tokens. */
  readonly isCut: boolean;
  /** Tokens that the exchange cost, where the service reports them. */
  readonly tokens?: number;
}

export type ChatBody = Readonly<Record<string, unknown>>;

/** A service that does not take schemas said so. */
export class SchemaRefused extends Error {}

/**
 * Sends one request, again after 408, 425, 429, 5xx and broken connections (`Retry-After` counts). `onText` gets the text piece by piece.
 *
 * @throws RuntimeError what the service refused · ConnectionError · TimeoutError · SchemaRefused
 */
export async function chat(endpoint: Endpoint, body: ChatBody, onText?: (piece: string) => void): Promise<ChatReply> {
  const { settings } = endpoint;
  let isBegun = false;
  const take =
    onText &&
    ((piece: string) => {
      isBegun = true;
      onText(piece);
    });
  for (let attempt = 1; ; attempt++) {
    try {
      return await exchange(endpoint, body, take);
    } catch (error) {
      // Pieces that are out cannot be taken back.
      if (!(error instanceof Passing) || isBegun) throw error instanceof Passing ? error.failure : error;
      if (attempt >= settings.maxAttempts || (error.waitMs ?? 0) > longestWaitMs) throw error.failure;
      await pause(error.waitMs ?? backOffMs(attempt - 1, { firstMs: settings.backoffMs, mostMs: 8000 }));
    }
  }
}

/** Longest `Retry-After` that is waited for. */
const longestWaitMs = 30_000;

/** A failure that may be gone at the next try. */
class Passing extends Error {
  readonly failure: Error;
  readonly waitMs: number | undefined;

  constructor(failure: Error, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

const passing = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

async function exchange(endpoint: Endpoint, body: ChatBody, onText?: (piece: string) => void): Promise<ChatReply> {
  const watch = watchCall(endpoint.settings.timeoutSeconds * 1000);
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: onText === undefined ? 'application/json' : 'text/event-stream, application/json',
        ...(endpoint.key === '' ? {} : { Authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify(body),
      // A redirect would carry prompt and key to an address nobody configured.
      redirect: 'manual',
      signal: watch.signal,
    });
    if (!response.ok) throw await refusal(endpoint, body, response);
    const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    if (isStream) return await readStream(endpoint, response, onText ?? (() => {}), watch.touch);
    const reply = replyIn(endpoint, await readText(endpoint, response));
    if (reply.text !== '') onText?.(reply.text);
    return reply;
  } catch (error) {
    throw problem(endpoint, error, watch);
  } finally {
    watch.stop();
  }
}

type Watch = ReturnType<typeof watchCall>;

/** Ends a request that takes too long, or whose caller is gone. */
function watchCall(timeoutMs: number) {
  const controller = new AbortController();
  const { call } = currentContext();
  let why: 'timeout' | 'cancelled' | undefined;
  const end = (reason: 'timeout' | 'cancelled') => {
    why ??= reason;
    controller.abort();
  };
  let timer = setTimeout(end, timeoutMs, 'timeout');
  const forget = call?.onCancel?.(() => end('cancelled'));
  if (call?.signal?.aborted === true) end('cancelled');
  return {
    signal: controller.signal,
    why: () => why,
    /** Begins the time anew: something arrived. */
    touch() {
      clearTimeout(timer);
      timer = setTimeout(end, timeoutMs, 'timeout');
    },
    /** Also lets go of a reply that was not read to its end. */
    stop() {
      clearTimeout(timer);
      forget?.();
      controller.abort();
    },
  };
}

function pause(ms: number): Promise<void> {
  const { call } = currentContext();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      forget?.();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const forget = call?.onCancel?.(done);
  });
}

function problem(endpoint: Endpoint, error: any, watch: Watch): Error {
  const host = new URL(endpoint.url).host;
  if (watch.why() === 'cancelled') return new RuntimeError('the call was given up before the model had answered');
  if (watch.why() === 'timeout')
    return new TimeoutError(`the model service at ${host} did not answer in ${endpoint.settings.timeoutSeconds} s`);
  if (error instanceof Passing || error instanceof RuntimeError || error instanceof SchemaRefused) return error;
  const cause = error?.cause?.errors?.[0] ?? error?.cause ?? error;
  const why = scrubbed(endpoint, String(cause?.code ?? cause?.message ?? cause));
  return new Passing(new ConnectionError(`cannot reach the model service at ${host}: ${why}`));
}

async function refusal(endpoint: Endpoint, body: ChatBody, response: Response): Promise<Error> {
  const text = await readText(endpoint, response).catch(() => '');
  const { status } = response;
  if ((status === 400 || status === 422) && 'response_format' in body && /response_format|json_schema/i.test(text))
    return new SchemaRefused(text);
  const said = scrubbed(endpoint, messageIn(text));
  const host = new URL(endpoint.url).host;
  const line = `the model service at ${host} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const failure = passing.has(status) ? new ConnectionError(line) : new RuntimeError(line);
  const kind = kindOfStatus(status);
  if (kind !== undefined) ofKind(kind, failure);
  return passing.has(status) ? new Passing(failure, retryAfter(response.headers.get('retry-after'))) : failure;
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text);
    return String(error?.message ?? error ?? '');
  } catch {
    return '';
  }
}

// Services repeat keys, or parts of them, in their refusals.
function scrubbed({ key }: Endpoint, text: string): string {
  const whole = key === '' ? text : text.replaceAll(key, '[redacted]');
  return whole
    .replace(/\b(?:sk|key|gsk|xai|AIza)[-_A-Za-z0-9*]{8,}/g, '[redacted]')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}

async function* textPieces({ settings }: Endpoint, response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read();
    if (step === undefined || step.done) break;
    size += step.value.length;
    if (size > settings.maxAnswerBytes) {
      await reader!.cancel().catch(() => {});
      throw new RuntimeError(`the model service sent more than max_answer_bytes (${settings.maxAnswerBytes})`);
    }
    yield decoder.decode(step.value, { stream: true });
  }
  yield decoder.decode();
}

async function readText(endpoint: Endpoint, response: Response): Promise<string> {
  let text = '';
  for await (const piece of textPieces(endpoint, response)) text += piece;
  return text;
}

function replyIn(endpoint: Endpoint, text: string): ChatReply {
  let json: any;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Passing(new RuntimeError(`the model service at ${new URL(endpoint.url).host} sent no JSON`));
  }
  const choice = json?.choices?.[0];
  if (typeof choice?.message !== 'object' || choice.message === null)
    throw new RuntimeError(`the model service at ${new URL(endpoint.url).host} sent no answer`);
  const { content, refusal: refused, tool_calls: calls } = choice.message;
  if (typeof refused === 'string' && refused !== '')
    throw new RuntimeError(`the model refused: ${scrubbed(endpoint, refused)}`);
  return {
    text: contentText(content),
    tools: (Array.isArray(calls) ? calls : []).map(toolRequest),
    isCut: choice.finish_reason === 'length',
    ...(typeof json.usage?.total_tokens === 'number' ? { tokens: json.usage.total_tokens } : {}),
  };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function toolRequest(call: any, i: number): ToolRequest {
  const given = call?.function?.arguments;
  return {
    id: String(call?.id ?? `call_${i + 1}`),
    name: String(call?.function?.name ?? ''),
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  };
}

/** Server-sent events: pieces of the message, `[DONE]` at the end. */
async function readStream(
  endpoint: Endpoint,
  response: Response,
  onText: (piece: string) => void,
  touch: () => void,
): Promise<ChatReply> {
  let text = '';
  let isCut = false;
  const calls: { id: string; function: { name: string; arguments: string } }[] = [];
  const take = (data: string) => {
    if (data === '[DONE]') return;
    let json: any;
    try {
      json = JSON.parse(data);
    } catch {
      throw new RuntimeError(`the model service at ${new URL(endpoint.url).host} sent a broken event`);
    }
    if (json.error !== undefined)
      throw new RuntimeError(`the model service failed: ${scrubbed(endpoint, messageIn(data))}`);
    const choice = json.choices?.[0];
    const piece = contentText(choice?.delta?.content);
    if (piece !== '') {
      text += piece;
      onText(piece);
    }
    for (const part of choice?.delta?.tool_calls ?? []) {
      const call = (calls[part.index ?? 0] ??= { id: '', function: { name: '', arguments: '' } });
      call.id = part.id ?? call.id;
      call.function.name += part.function?.name ?? '';
      call.function.arguments += part.function?.arguments ?? '';
    }
    if (choice?.finish_reason === 'length') isCut = true;
  };
  let rest = '';
  for await (const piece of textPieces(endpoint, response)) {
    touch();
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith('data:')) take(line.slice(5).trim());
  }
  if (rest.startsWith('data:')) take(rest.slice(5).trim());
  return { text, tools: calls.filter(Boolean).map(toolRequest), isCut };
}
