/**
 * A delegated call from its question to its value (docs/language/delegation.md#by): ask, run the tools the model asks
 * for, convert the answer, and let the model correct what does not fit.
 */
import type { FunctionSpec, TypeRef } from '../../library/classes/spec.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import { fromOutside } from '../../library/outside.ts';
import { callkw } from '../../library/values/calls/calls.ts';
import { AsyncGeneratorObject, type GeneratorObject, gen } from '../../library/values/calls/generators.ts';
import { raised } from '../../library/values/calls/raise.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { RuntimeError, TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { callMethod } from '../../library/values/objects/methods.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { type ChatReply, chat, SchemaRefused } from './chat.ts';
import { choiceAmong, chosen, isPlaces } from './choosing.ts';
import { conform, Misfit } from './conform.ts';
import { conversationIn, plain } from './conversation.ts';
import { DelegatedCall } from './delegated-call.ts';
import { endpointOf, settingsFor } from './endpoint.ts';
import { ofKind } from './failures.ts';
import { actionAfter, asProgramValue } from './iterations.ts';
import { MockError, MockRawResponse } from './mocks.ts';
import { MockToolCall, Model } from './models.ts';
import { correction, promptFor } from './prompt.ts';
import { readAnswer } from './read-answer.ts';
import { rememberedIn } from './remember.ts';
import { type AnswerSchema, answerSchema } from './schema.ts';
import { showValue } from './show-value.ts';
import { chunkEvent, StreamEvent, streamed } from './stream.ts';
import { runTool, toolsIn } from './tools.ts';
import type { Message, Tool, ToolRequest } from './types.ts';

/**
 * Calls the model in place of the function (`by model`) and gives the value it answers with. @throws TypeError
 * ValueError, and what the model throws
 */
export async function delegateCall(
  model: unknown,
  spec: FunctionSpec,
  values: readonly unknown[],
  self: unknown,
  whole = false,
): Promise<unknown> {
  const call = new DelegatedCall(spec, values, self);
  if (model instanceof Model) {
    const answer = await model.invoke(call);
    return whole && answer instanceof AsyncGeneratorObject ? collected(answer) : answer;
  }
  if (typeof (model as any)?.invoke !== 'function')
    throw new TypeError(`'${typeName(model)}' object cannot stand behind 'by': it has no method 'invoke'`);
  const value = await callMethod(model, 'invoke', call);
  try {
    return conform(value, spec.result);
  } catch (error) {
    throw error instanceof Misfit ? wrongAnswer(call, error, 1) : error;
  }
}

async function collected(pieces: AsyncGeneratorObject): Promise<GeneratorObject> {
  const all: unknown[] = [];
  for await (const piece of pieces) all.push(piece);
  return gen(all[Symbol.iterator]());
}

/** Options that say how to ask; every other one goes to the service as it is (`temperature`, `max_tokens`, `top_p` …). */
const own = new Set(
  `model model_name api_key base_url api_base host timeout retries max_output_retries max_tries num_retries max_react_iterations
  max_tool_rounds system_prompt outputs conversation tools incl_info intent select method stream verbose logging parallelize
  parallel_hint on_iteration stream_handler compaction_enabled threshold_ratio keep_recent_iterations ctx_window compaction_model
  on_compaction max_tool_result_length proxy http_client ca_bundle`.split(/\s+/),
);

interface Asking {
  readonly model: Model;
  readonly type: TypeRef;
  readonly tools: readonly Tool[];
  /** Absent: plain text is wanted. */
  readonly schema: AnswerSchema | undefined;
  /** The service takes no schemas: it gets this one in words. */
  isInWords?: boolean;
  readonly messages: Message[];
  /** Messages of the tool rounds so far, as a conversation keeps them. */
  readonly steps: Message[];
  readonly onText: ((piece: string) => void) | undefined;
  /** Called with tools and rounds, when somebody listens. */
  readonly onStep?: ((type: string, data: Readonly<Record<string, unknown>>) => void) | undefined;
}

/** `model.invoke(call)` */
export async function invokeModel(model: Model, call: DelegatedCall): Promise<unknown> {
  if (!(call instanceof DelegatedCall)) throw new TypeError(`invoke() takes a delegated call, not '${typeName(call)}'`);
  const options = model.$options;
  const tools = toolsIn(options.get('tools'));
  const method = strOf(options.get('method') ?? '').toLowerCase();
  const handler = options.get('stream_handler') ?? undefined;
  const streams = options.get('stream') === true && handler === undefined;
  const reasons = /^(reason|react|chain)/.test(method) && !streams;
  const type = call.$spec.result;
  const isText = type.t === 'str' || type.t === 'any' || type.t === 'none' || type.t === 'object';
  if (streams && !isText && !(type.t === 'iterator' && type.of.t === 'str'))
    throw new TypeError(`stream=True gives text: ${call.name} must be declared to give str, not ${writtenType(type)}`);
  const schema = streams || (isText && !reasons) ? undefined : answerSchema(type, call.$spec.sem?.['return'], reasons);
  const messages = await promptFor(call, {
    system: textOption(model, 'system_prompt'),
    info: options.get('incl_info'),
    reasons,
    schema,
    tools,
  });
  const conversation = conversationIn(options);
  const question = messages.at(-1)!;
  messages.splice(1, 0, ...(conversation?.earlier ?? []));
  const asking = { model, type, tools, schema, messages, steps: [], onText: undefined };
  if (!streams) {
    const heard = listening(handler);
    const answer = await answerOf({ ...asking, ...(heard === undefined ? {} : hearing(heard.put)) }, call);
    await heard?.done();
    await conversation?.add(question, asking.steps, textOf(answer));
    return answer;
  }
  return streamed(async (put) => {
    const reply = await converse({ ...asking, ...(options.get('logging') === true ? hearing(put) : { onText: put }) });
    await conversation?.add(question, asking.steps, 'value' in reply ? textOf(reply.value) : reply.text);
  });
}

/** Text and steps as events. */
function hearing(put: (event: StreamEvent) => void): Pick<Asking, 'onText' | 'onStep'> {
  return {
    onText: (piece) => put(chunkEvent(piece)),
    onStep: (type, data) => put(new StreamEvent(type, asProgramValue(data))),
  };
}

/** `stream_handler=f`: calls the function with each event, one after the other; what it raises is its own affair. */
function listening(handler: unknown) {
  if (handler === undefined) return undefined;
  let calls = Promise.resolve();
  return {
    put(event: StreamEvent): void {
      calls = calls.then(async () => void (await callkw(handler, [event], []))).catch(() => {});
    },
    done: () => calls,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value, []);
}

/** `model.invoke_value(value)`: of nodes and edges those the model chooses, else what it says. */
export async function askModel(model: Model, value: unknown): Promise<unknown> {
  if (Array.isArray(value) && value.length === 0) return [];
  if (isPlaces(value)) {
    const { spec, values } = await choiceAmong(value, model.$options);
    return chosen(value, await invokeModel(model, new DelegatedCall(spec, values, null)), model.$options);
  }
  const system = textOption(model, 'system_prompt');
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: textOf(value) },
  ];
  const tools = toolsIn(model.$options.get('tools'));
  const reply = await converse({
    model,
    type: { t: 'str' },
    tools,
    schema: undefined,
    messages,
    steps: [],
    onText: undefined,
  });
  return 'value' in reply ? reply.value : reply.text;
}

function textOption(model: Model, name: string): string | undefined {
  const value = model.$options.get(name);
  return value === undefined || value === null ? undefined : strOf(value);
}

async function answerOf(asking: Asking, call: DelegatedCall): Promise<unknown> {
  const { type, messages } = asking;
  const { maxRetries } = settingsFor(asking.model.$options);
  for (let tries = 1; ; tries++) {
    const reply = await converse(asking);
    if (type.t === 'none') return null;
    if ('isAborted' in reply) return reply.value;
    try {
      if ('value' in reply && typeof reply.value !== 'string') return conform(reply.value, type);
      const text = 'value' in reply ? (reply.value as string) : reply.text;
      return asking.schema === undefined ? text : readAnswer(text, type, asking.schema.isWrapped);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      // A mock model that has nothing left to say cannot correct itself.
      if (tries > maxRetries || asking.model.$outputs?.length === 0) throw wrongAnswer(call, error, tries);
      const said = 'value' in reply ? showValue(reply.value, []) : reply.text;
      messages.push(
        { role: 'assistant', content: said },
        correction(error.message, type, 'isCut' in reply && reply.isCut),
      );
    }
  }
}

function wrongAnswer(call: DelegatedCall, { message }: Misfit, tries: number): ValueError {
  const often = tries === 1 ? '' : ` after ${tries} tries`;
  return ofKind(
    'answer',
    new ValueError(`the model's answer for ${call.name} does not fit ${call.result}${often}: ${message}`),
  );
}

/** A prepared answer is a value, not text; so is the result of the last tool, where the program stopped the model. */
type Final = ChatReply | { readonly value: unknown; readonly isAborted?: true };

/** Asks until the model answers instead of calling tools. Leaves what was said in `messages`, but not the answer itself. */
async function converse(asking: Asking): Promise<Final> {
  const { model, tools, messages, onStep } = asking;
  const { maxToolRounds } = settingsFor(model.$options);
  const decide = model.$options.get('on_iteration');
  let tokens = 0;
  let last: Done = { name: '', result: '' };
  for (let round = 0; ; round++) {
    if (round > 0) {
      const rounds = { begun: round + 1, tool: last.name, result: last.result.slice(0, 500), tokens };
      const action = await actionAfter(decide, messages, rounds);
      if (action !== 'go on') onStep?.('steps_done', { iterations: round, reason: `aborted${action.slice(5)}` });
      if (action === 'abort') return stoppedAt(rounds.result, asking);
      if (action === 'abort_with_summary') return summary(asking);
    }
    const reply = await ask(asking, round < maxToolRounds);
    if (!('tools' in reply) || reply.tools.length === 0) return reply;
    if (round >= maxToolRounds)
      throw new RuntimeError(`the model asked for tools more than ${maxToolRounds} times (max_tool_rounds)`);
    tokens += reply.tokens ?? 0;
    const ends = tools.some(({ name }) => name === finishing) ? -1 : reply.tools.findIndex((t) => t.name === finishing);
    const requests = ends < 0 ? reply.tools : reply.tools.slice(0, ends);
    if (requests.length > 0) last = await useTools(asking, { ...reply, tools: requests }, round + 1);
    if (ends < 0) continue;
    onStep?.('steps_done', { iterations: round + 1 });
    if (asking.onText === undefined || asking.schema !== undefined)
      return { text: finalOutput(reply.tools[ends]!), tools: [], isCut: false };
    return ask(asking, false); // what it says is still to come
  }
}

interface Done {
  readonly name: string;
  readonly result: string;
}

/** Runs the tools, one after the other, for they change the program's graph; gives the last one. */
async function useTools(asking: Asking, reply: ChatReply, iteration: number): Promise<Done> {
  const { model, tools, messages, steps, onStep } = asking;
  const request = {
    role: 'assistant',
    content: reply.text === '' ? null : reply.text,
    tool_calls: reply.tools.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    })),
  };
  messages.push(request);
  if (model.$outputs === undefined) steps.push(request);
  let last: Done = { name: '', result: '' };
  for (const { id, name, arguments: given } of reply.tools) {
    onStep?.('tool_call', { tool: name, args: argumentsText(given), call_id: id, iteration });
    const content = await runTool(tools, { id, name, arguments: given });
    const { length = 500 } = { length: model.$options.get('max_tool_result_length') as number | undefined };
    onStep?.('tool_result', { tool: name, result: content.slice(0, length), call_id: id, iteration });
    messages.push({ role: 'tool', tool_call_id: id, content });
    steps.push({ role: 'tool', tool_call_id: id, name, content });
    last = { name, result: content };
  }
  return last;
}

function argumentsText(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function stoppedAt(result: string, { onText }: Asking): Final {
  onText?.(result);
  return { value: result, isAborted: true };
}

/** The last word of a model that the program stopped. */
async function summary(asking: Asking): Promise<Final> {
  asking.messages.push({ role: 'user', content: 'Give the final answer now, from the results of the tools above.' });
  const reply = await ask(asking, false);
  const finish = 'tools' in reply ? reply.tools.find(({ name }) => name === finishing) : undefined;
  return finish === undefined ? reply : { text: finalOutput(finish), tools: [], isCut: false };
}

/** The tool of earlier runtimes with which a model ends its work; models for tests still call it. */
const finishing = 'finish_tool';

function finalOutput({ arguments: given }: ToolRequest): string {
  const output = JSON.parse(given).final_output;
  return typeof output === 'string' ? output : JSON.stringify(output ?? null);
}

async function ask(asking: Asking, mayUseTools: boolean): Promise<Final> {
  const { model, messages, onText } = asking;
  if (model.$outputs !== undefined) {
    const outputs = model.$outputs;
    return fromOutside('the model', () =>
      rememberedIn(JSON.stringify(messages), async () => prepared(outputs, onText)),
    );
  }
  const endpoint = endpointOf(model, model.$options, settingsFor(model.$options));
  const body = bodyFor(asking, endpoint.model, mayUseTools);
  if (model.$options.get('verbose') === true)
    process.stderr.write(`${JSON.stringify({ model: endpoint.model, messages })}\n`);
  let isFresh = false;
  try {
    const reply = await fromOutside('the model', () =>
      rememberedIn(`${endpoint.url} ${JSON.stringify(body)}`, () => {
        isFresh = true;
        return chat(endpoint, body, onText);
      }),
    );
    if (!isFresh && reply.text !== '') onText?.(reply.text);
    return reply;
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    asking.isInWords = true;
    const rule = `Answer with JSON only, fitting this JSON schema: ${JSON.stringify(asking.schema!.schema)}`;
    messages.push({ role: 'user', content: rule });
    return ask(asking, mayUseTools);
  }
}

function bodyFor({ model, tools, schema, isInWords, messages, onText }: Asking, name: string, mayUseTools: boolean) {
  const further = [...model.$options].filter(([option, value]) => !own.has(option) && value !== null);
  return {
    model: name,
    messages: [...messages],
    ...Object.fromEntries(further.map(([option, value]) => [option, plain(value)])),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name: tool, description, parameters }) => ({
            type: 'function',
            function: { name: tool, description, parameters },
          })),
          ...(mayUseTools ? {} : { tool_choice: 'none' }),
        }),
    ...(schema === undefined || isInWords === true
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', strict: schema.isStrict, schema: schema.schema },
          },
        }),
    ...(onText === undefined ? {} : { stream: true }),
  };
}

function prepared(outputs: unknown[], onText: Asking['onText']): Final {
  if (outputs.length === 0) throw new RuntimeError('the mock model has no outputs left');
  const [output, tokens] = withoutUsage(outputs.shift());
  if (output instanceof MockError) throw raised(output.error);
  if (output instanceof MockRawResponse) return spoken(strOf(output.content), onText);
  const calls = Array.isArray(output) ? output : [output];
  if (calls[0] instanceof MockToolCall) return { text: '', tools: calls.map(mockRequest), isCut: false, tokens };
  onText?.(strOf(output));
  return { value: output };
}

function spoken(text: string, onText: Asking['onText']): ChatReply {
  onText?.(text);
  return { text, tools: [], isCut: false };
}

/** `(MockToolCall(…), {"total_tokens": 9})` says what the call cost. */
function withoutUsage(output: unknown): [unknown, number] {
  if (!(output instanceof Tuple) || output.items.length !== 2) return [output, 0];
  const [first, usage] = output.items;
  const isCall = (Array.isArray(first) ? first[0] : first) instanceof MockToolCall;
  return isCall && usage instanceof Dict ? [first, Number(usage.get('total_tokens') ?? 0)] : [output, 0];
}

function mockRequest({ tool, args }: MockToolCall, i: number): ToolRequest {
  const name = typeof tool === 'string' ? tool : (toolsIn([tool])[0]?.name ?? '');
  return { id: i === 0 ? 'mock' : `mock_${i + 1}`, name, arguments: JSON.stringify(plain(args)) };
}
