/** A model service on loopback for tests: real HTTP, answers given by the test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Behaviour of the service for one request. A text is a whole answer. */
export type Answer =
  | string
  | { readonly tools: readonly { readonly name: string; readonly arguments: unknown }[] }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly events: readonly string[] }
  | { readonly raw: (response: ServerResponse) => void };

export interface Asked {
  readonly body: any;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** All texts of the messages, one after the other. */
  readonly text: string;
}

export interface ModelService extends AsyncDisposable {
  readonly base: string;
  readonly asked: Asked[];
  /** Resolves when the service has got so many requests. */
  readonly reached: (count: number) => Promise<void>;
  /**
   * Resolves when every request has come to its end: the number of them that were closed before the answer was
   * complete.
   */
  readonly abandoned: () => Promise<number>;
}

/** `answer` gets the request and its number, from 1. */
export async function openModelService(
  answer: (asked: Asked, number: number) => Answer | Promise<Answer>,
): Promise<ModelService> {
  const asked: Asked[] = [];
  const awaited: { readonly count: number; readonly resolve: () => void }[] = [];
  const ended: Promise<boolean>[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const one = { body, headers: request.headers, path: request.url!, text: textOf(body.messages) };
    asked.push(one);
    for (const { count, resolve } of awaited) if (asked.length >= count) resolve();
    ended.push(new Promise((resolve) => response.on('close', () => resolve(!response.writableFinished))));
    send(response, await answer(one, asked.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    reached: (count) =>
      new Promise((resolve) => {
        if (asked.length >= count) resolve();
        else awaited.push({ count, resolve });
      }),
    abandoned: async () => (await Promise.all(ended)).filter(Boolean).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(messages: readonly any[]): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');
}

function send(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'string') json(response, { role: 'assistant', content: answer });
  else if ('raw' in answer) answer.raw(response);
  else if ('status' in answer) response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  else if ('events' in answer) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answer.events) response.write(`data: ${event}\n\n`);
    response.end();
  } else {
    const tool_calls = answer.tools.map(({ name, arguments: given }, i) => ({
      id: `t${i}`,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    }));
    json(response, { role: 'assistant', content: null, tool_calls });
  }
}

function json(response: ServerResponse, message: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
}
