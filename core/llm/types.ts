/** Types and records that the files of the model share (docs/language/delegation.md#by). */

import type { FunctionSpec } from '../../library/classes/spec.ts';
import type { ByllmConfig } from '../config/config.ts';
import type { Schema } from './schema.ts';
/** Options that a model was made with and those that a call added, by name. */
export type ModelOptions = ReadonlyMap<string, unknown>;

export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** One entry of `messages` as the protocol has it. */
export type Message = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly spec: FunctionSpec;
  readonly fn: unknown;
}

export interface Endpoint {
  /** Full address of the chat-completions resource. */
  readonly url: string;
  readonly model: string;
  /** Empty: the service asks for none. */
  readonly key: string;
  readonly settings: ByllmConfig;
}
