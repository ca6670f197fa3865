/** Questions and notices between the primary process and one worker. */
import { throwOutside } from '../../base/throw-outside.ts';

export interface Channel {
  /** The other side's answer. Rejects when it fails to give one, or is gone. */
  ask<T>(topic: string, value?: unknown): Promise<T>;
  /** Resolves when the message was handed over; rejects when the other side is gone. */
  tell(topic: string, value?: unknown): Promise<void>;
  /** Takes questions and notices of one topic. What it gives, or a promise of it, is the answer. */
  on(topic: string, handle: (value: any) => unknown): void;
  /** Messages that were given to the system and not taken yet. */
  readonly waiting: number;
}

/** Carrier of messages that JSON can express, in order: a child process, a parent. */
export interface Wire {
  send(message: unknown, done: (error: Error | null) => void): void;
  onMessage(listener: (message: unknown) => void): void;
  onEnd(listener: () => void): void;
}

type Message =
  | { readonly svc: 'tell'; readonly topic: string; readonly value: unknown }
  | { readonly svc: 'ask'; readonly topic: string; readonly value: unknown; readonly id: number }
  | { readonly svc: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string };

interface Asked {
  readonly resolve: (value: any) => void;
  readonly reject: (error: Error) => void;
}

export function createChannel(wire: Wire): Channel {
  const handlers = new Map<string, (value: unknown) => unknown>();
  const asked = new Map<number, Asked>();
  let lastId = 0;
  let waiting = 0;
  let isOpen = true;

  const gone = () => new Error('the other process is gone');
  const post = (message: Message) =>
    new Promise<void>((resolve, reject) => {
      if (!isOpen) return reject(gone());
      waiting++;
      wire.send(message, (error) => {
        waiting--;
        if (error === null) resolve();
        else reject(error);
      });
    });

  async function reply(id: number, topic: string, value: unknown): Promise<void> {
    try {
      const handle = handlers.get(topic);
      if (handle === undefined) throw new Error(`nobody answers "${topic}"`);
      await post({ svc: 'answer', id, value: await handle(value) });
    } catch (error) {
      await post({ svc: 'answer', id, error: (error as Error).message }).catch(() => {});
    }
  }

  function settle(message: Message & { readonly svc: 'answer' }): void {
    const question = asked.get(message.id);
    asked.delete(message.id);
    if (message.error === undefined) question?.resolve(message.value);
    else question?.reject(new Error(message.error));
  }

  /** A fault of one handler must not reach what delivers the messages, which would lose those that came with it. */
  function hear(topic: string, value: unknown): void {
    try {
      const heard = handlers.get(topic)?.(value);
      if (heard instanceof Promise) heard.catch(throwOutside);
    } catch (error) {
      throwOutside(error);
    }
  }

  wire.onMessage((received) => {
    const message = received as Message;
    if (message?.svc === 'tell') hear(message.topic, message.value);
    else if (message?.svc === 'ask') reply(message.id, message.topic, message.value).catch(throwOutside);
    else if (message?.svc === 'answer') settle(message);
  });
  wire.onEnd(() => {
    isOpen = false;
    for (const { reject } of asked.values()) reject(gone());
    asked.clear();
  });

  return {
    tell: (topic, value) => post({ svc: 'tell', topic, value }),
    ask: (topic, value) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        asked.set(id, { resolve, reject });
        post({ svc: 'ask', topic, value, id }).catch((error) => {
          asked.delete(id);
          reject(error);
        });
      }),
    on: (topic, handle) => void handlers.set(topic, handle),
    get waiting() {
      return waiting;
    },
  };
}
