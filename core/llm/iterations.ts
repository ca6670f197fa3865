/**
 * `on_iteration=f`: a function of the program that is asked between the rounds of a model with tools whether to go on
 * (docs/models.md#agents).
 */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { callkw } from '../../library/values/calls/calls.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { enumeration, StrEnum } from '../../library/values/objects/enums.ts';
import type { Message } from './types.ts';

export class IterationAction extends StrEnum {}
enumeration(IterationAction, {
  name: 'IterationAction',
  module: 'byllm.types',
  members: ['continue', 'abort', 'abort_with_summary'].map((action) => [action.toUpperCase(), action] as const),
});

/**
 * Argument of the function that is called between rounds: the number of the round that would begin, the text so far,
 * and the tool called last.
 */
export class IterationContext {
  readonly iteration: number;
  readonly messages: unknown;
  readonly last_tool: string;
  readonly last_result: string;
  readonly total_tokens: number;

  constructor(iteration: number, messages: unknown, tool: string, result: string, tokens: number) {
    this.iteration = iteration;
    this.messages = messages;
    this.last_tool = tool;
    this.last_result = result;
    this.total_tokens = tokens;
  }
}
nativeClass(IterationContext, {
  name: 'IterationContext',
  module: 'byllm.types',
  params: 'iteration, messages, last_tool, last_result, total_tokens',
});

/** State of the rounds before the present one. */
export interface Rounds {
  readonly begun: number;
  readonly tool: string;
  /** At most 500 characters. */
  readonly result: string;
  readonly tokens: number;
}

/** Whatever is not one of the two ways to stop means to go on. */
export async function actionAfter(
  decide: unknown,
  messages: readonly Message[],
  { begun, tool, result, tokens }: Rounds,
): Promise<'go on' | 'abort' | 'abort_with_summary'> {
  if (decide === undefined || decide === null) return 'go on';
  const context = new IterationContext(begun, messages.map(asProgramValue), tool, result, tokens);
  const action = await callkw(decide, [context], []);
  const word = action instanceof IterationAction ? action.value : action;
  return word === 'abort' || word === 'abort_with_summary' ? word : 'go on';
}

/** JSON of a request as lists and dicts of the program. */
export function asProgramValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asProgramValue);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Dict.fromObject(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asProgramValue(item)])));
}
