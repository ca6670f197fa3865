/** A program with rooms, and clients of its sockets. */
import { WebSocket } from 'ws';
import type { RunningServer } from './server.ts';

export const topicsApp = `import from svc_scale { publish, subscribe, unsubscribe }

node Note { has n: int; }

with entry { publish("boot", "entry"); }

"""Everybody writes the same node, so that runs are repeated."""
walker:pub Count {
    can count with Root entry {
        note = [-->[?:Note]];
        if len(note) == 0 { note = [here ++> Note(n=0)]; }
        note[0].n += 1;
        publish("count", note[0].n);
    }
}

walker:pub Steps {
    can go with Root entry {
        on_commit(lambda: publish("steps", "effect"));
        publish("steps", "first");
        commit();
        publish("steps", "second");
        raise ValueError("after the first commit");
    }
}

def:pub tell(topic: str, text: any) { publish(topic, text); }

walker:pub Say {
    has topic: str, text: any = None, times: int = 1, fails: bool = False;
    can say with Root entry {
        for i in range(self.times) { publish(self.topic, self.text if self.times == 1 else [self.text, i]); }
        if self.fails { raise ValueError("no"); }
    }
}

walker:pub Listen {
    has topics: list[str];
    can listen with Root entry {
        for topic in self.topics { subscribe(topic); }
        report "history";
    }
}

walker Mine {
    has topics: list[str];
    can listen with Root entry { for topic in self.topics { subscribe(topic); } }
}

walker:pub Expel {
    has topic: str, who: str;
    can expel with Root entry { unsubscribe(self.topic, root_id=self.who); publish(self.topic, "expelled"); }
}

@restspec(protocol="WEBSOCKET")
async walker:pub Room {
    has join: list[str] = [], leave: list[str] = [], say: list[any] = [], fails: bool = False;
    can act with Root entry {
        for topic in self.join { subscribe(topic); }
        if len(self.say) > 0 { for text in self.say[1:] { publish(self.say[0], text); } }
        for topic in self.leave { unsubscribe(topic); }
        if self.fails { raise ValueError("no"); }
    }
}

@restspec(protocol="WEBSOCKET")
async walker Club {
    has join: list[str] = [];
    can act with Root entry { for topic in self.join { subscribe(topic); } report oid(root); }
}
`;

export interface Hearer {
  readonly socket: WebSocket;
  /** Frames of topics. */
  readonly messages: any[];
  /** Answers to messages, and errors. */
  readonly answers: any[];
  readonly closed: Promise<readonly [code: number, reason: string]>;
  /** Sends a message; resolves with its answer. */
  ask(fields: object): Promise<any>;
  /** Resolves when so many frames of topics are there. */
  until(count: number): Promise<void>;
}

export async function hear(
  { port }: Pick<RunningServer, 'port'>,
  { path = '/ws/Room', token }: { path?: string; token?: string } = {},
): Promise<Hearer> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}${token === undefined ? '' : `?token=${token}`}`);
  const messages: any[] = [];
  const answers: any[] = [];
  const looks = new Set<() => void>();
  let last = 0;
  const isThere = (found: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!found()) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.type === 'message' || frame.type === 'gap') messages.push(frame);
    else if (frame.type !== 'ping') answers.push(frame);
    for (const look of [...looks]) look();
  });
  const closed = new Promise<readonly [number, string]>((resolve) =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  );
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    messages,
    answers,
    closed,
    async ask(fields) {
      const id = ++last;
      socket.send(JSON.stringify({ ...fields, $id: id }));
      await isThere(() => answers.some((answer) => answer.id === id));
      return answers.find((answer) => answer.id === id);
    },
    until: (count) => isThere(() => messages.length >= count),
  };
}

/** Registers a user; gives the token. */
export async function signUp(server: Pick<RunningServer, 'base'>, email: string): Promise<string> {
  const answer = await fetch(`${server.base}/user/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse 1' }),
  });
  return ((await answer.json()) as any).access_token;
}

/** Calls a walker or function; gives the status and the body. */
export async function post(
  { base }: Pick<RunningServer, 'base'>,
  path: string,
  fields: object,
  token?: string,
): Promise<{ readonly status: number; readonly body: any }> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(fields),
  });
  const text = await answer.text();
  try {
    return { status: answer.status, body: JSON.parse(text) };
  } catch {
    throw new Error(`${path}: ${answer.status} ${text}`);
  }
}

export interface EventReader {
  readonly status: number;
  readonly events: { event?: string; id?: string; data: any }[];
  until(count: number): Promise<void>;
  readonly ended: Promise<void>;
  close(): void;
}

/** Calls with `Accept: text/event-stream`. */
export async function listen(
  { base }: Pick<RunningServer, 'base'>,
  path: string,
  fields: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const stop = new AbortController();
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(fields),
    signal: stop.signal,
  });
  const events: EventReader['events'] = [];
  let wake = () => {};
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const event: any = {};
        for (const line of lines) {
          const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
          if (name !== undefined) event[name] = name === 'data' ? JSON.parse(value!) : value;
        }
        if ('data' in event) events.push(event);
        wake();
      }
    }
  };
  return {
    status: answer.status,
    events,
    async until(count) {
      while (events.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    ended: read().catch(() => {}),
    close: () => stop.abort(),
  };
}
