/** Server-sent events of a walker or function that gives its values one by one. Imports nothing: generated clients hold its text. */

/** Failed while values were coming. */
export class StreamError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'StreamError';
    this.code = code;
  }
}

/** The values as they come. Ends with the server's `end`, rejects with its `error`, also when the connection breaks. */
export async function* streamed(response: Response): AsyncGenerator<unknown, void> {
  // React Native has no streams: there the values come when all are there.
  const reader = response.body?.getReader();
  const decoder = reader && new TextDecoder();
  let rest = reader === undefined ? await response.text() : '';
  let isOver = false;
  let isEnded = false;
  try {
    for (;;) {
      if (isOver) throw new StreamError('STREAM_ERROR', 'the connection ended before the stream did');
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      isOver = done;
      rest += decoder?.decode(value, { stream: !done }) ?? '';
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const { event, data } = eventOf(rest.slice(0, end));
        rest = rest.slice(end + 2);
        isEnded = event === 'end';
        if (isEnded) return;
        if (event === 'error') {
          const { error_type: code = 'STREAM_ERROR', message = 'the stream failed' } = JSON.parse(data);
          throw new StreamError(code, message);
        }
        if (data !== '') yield JSON.parse(data);
      }
    }
  } finally {
    // After `end` only the end of the body is missing: giving it up would cost the connection and look like a failed request.
    if (isEnded) void reader?.read().catch(() => undefined);
    else await reader?.cancel().catch(() => undefined);
  }
}

function eventOf(text: string): { readonly event: string; readonly data: string } {
  let event = 'message';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return { event, data: data.join('\n') };
}
