/**
 * The modules `byllm`, `byllm.lib`, `byllm.types` and `byllm.llm` (docs/language/standard-modules.md#of-the-product):
 * one set of names under all of them, and under `mtllm`, as they were called before, which had a class for each
 * service.
 */
import type { Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { native } from '../../library/values/calls/signature.ts';
import type { Dict } from '../../library/values/containers/dict.ts';
import { ChatMessage, MessageRole } from '../llm/conversation.ts';
import { failureClasses } from '../llm/failures.ts';
import { IterationAction, IterationContext } from '../llm/iterations.ts';
import { Image, Text, Video } from '../llm/media.ts';
import { MockError, MockRawResponse } from '../llm/mocks.ts';
import { ambientModel, MockLLM, MockToolCall, Model, makeModel } from '../llm/models.ts';
import { ModelPool } from '../llm/pool.ts';
import { StreamEvent } from '../llm/stream.ts';

const parts = ['', '.lib', '.types', '.llm'];
export const byllmModules = [
  ...[...parts, '.exceptions', '.parallel'].map((part) => `byllm${part}`),
  ...[...parts, '.llms'].map((part) => `mtllm${part}`),
];

/** `OpenAI(model_name="…")` of `mtllm.llms`: a model, by the name of the service in front of it. */
function service(name: string, prefix: string): unknown {
  const cls = class extends Model {};
  return nativeClass(cls, {
    name,
    module: 'mtllm.llms',
    params: 'model_name="", **config',
    make: (_, model: unknown, config: Dict) => makeModel(Model, withPrefix(String(model ?? ''), prefix), config),
  });
}

function withPrefix(model: string, prefix: string): string {
  return model === '' || prefix === '' || model.startsWith(prefix) ? model : prefix + model;
}

const services = {
  OpenAI: service('OpenAI', ''),
  Anthropic: service('Anthropic', 'anthropic/'),
  Gemini: service('Gemini', 'gemini/'),
  Groq: service('Groq', 'groq/'),
  Ollama: service('Ollama', 'ollama/'),
  Huggingface: service('Huggingface', 'huggingface/'),
  TogetherAI: service('TogetherAI', 'together_ai/'),
};

/** Says of a tool that it may not run beside others, which no tool does here. */
const mark_serialize = native('mark_serialize', 'func', (tool: unknown) => tool);

export function makeByllm(): Members {
  const messages = { Message: ChatMessage, MessageRole };
  const models = { Model, ModelPool, MockLLM, MockToolCall, llm: ambientModel, ...services };
  const agents = { IterationAction, IterationContext, StreamEvent, mark_serialize };
  return { ...models, ...messages, ...agents, ...failureClasses, MockRawResponse, MockError, Image, Video, Text };
}
