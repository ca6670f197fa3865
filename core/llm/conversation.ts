/** `by llm(conversation=history)`: a list of the program that holds what was said, read before each call and added to after it. */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Enum, enumeration, StrEnum } from '../../library/values/objects/enums.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { callMethod } from '../../library/values/objects/methods.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import { asProgramValue } from './iterations.ts';
import type { Message, ModelOptions } from './types.ts';

export interface Conversation {
  readonly earlier: readonly Message[];
  /** Adds a question, what was done with tools for it, and the answer as the program got it. */
  add(question: Message, steps: readonly Message[], answer: string): Promise<void>;
}

export class MessageRole extends StrEnum {}
enumeration(MessageRole, {
  name: 'MessageRole',
  module: 'byllm.types',
  members: ['system', 'user', 'assistant', 'tool'].map((role) => [role.toUpperCase(), role] as const),
});

/** A message as programs may write it instead of a dict. */
export class ChatMessage {
  readonly role: unknown;
  readonly content: unknown;

  constructor(role: unknown, content: unknown) {
    this.role = role;
    this.content = content;
  }
}
nativeClass(ChatMessage, { name: 'Message', module: 'byllm.types', params: 'role, content' });

/** @throws TypeError for what is no list of messages */
export function conversationIn(options: ModelOptions): Conversation | undefined {
  const list = options.get('conversation');
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw new TypeError(`conversation of a model must be a list, not ${reprOf(list)}`);
  return {
    earlier: list.map(messageFrom),
    async add({ content }, steps, answer) {
      await callMethod(list, 'append', said('user', textOf(content)));
      for (const step of steps) await callMethod(list, 'append', asProgramValue(step));
      await callMethod(list, 'append', said('assistant', answer));
    },
  };
}

function messageFrom(entry: unknown): Message {
  if (entry instanceof ChatMessage) {
    const { role, content } = entry;
    return { role: strOf(role instanceof Enum ? role.value : role), content: strOf(content ?? '') };
  }
  const role = entry instanceof Dict ? entry.get('role') : undefined;
  if (role === undefined)
    throw new TypeError(`conversation of a model must hold dicts with role and content, not ${reprOf(entry)}`);
  const { name: _, ...message } = plain(entry) as Record<string, unknown>;
  const isStep = message['role'] === 'tool' || message['tool_calls'] !== undefined;
  return isStep ? message : { role: strOf(role), content: strOf((entry as Dict).get('content') ?? '') };
}

/** Values of the program as JSON has them. */
export function plain(value: unknown): unknown {
  if (value instanceof Enum) return value.value;
  if (value instanceof Dict)
    return Object.fromEntries([...value.entries()].map(([key, item]) => [strOf(key), plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function said(role: string, content: string): Dict {
  return Dict.fromObject({ role, content });
}

// Pictures are sent once.
function textOf(content: unknown): string {
  return Array.isArray(content) ? strOf(content[0]?.text ?? '') : strOf(content);
}
