/**
 * The modules `byllm`, `byllm.lib`, `byllm.types` and `byllm.llm` (language.md 6.10): one set of names under all of them, and under `mtllm`,
 * as they were called before, which had a class for each service.
 */
import type { Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { Dict } from '../values/dict.ts';
import { Image, Text, Video } from './media.ts';
import { ambientModel, MockLLM, MockToolCall, Model, makeModel } from './models.ts';
import { ModelPool } from './pool.ts';

const parts = ['', '.lib', '.types', '.llm'];
export const byllmModules = [
  ...parts.map((part) => `byllm${part}`),
  ...[...parts, '.llms'].map((part) => `mtllm${part}`),
];

/** What a model did while it answered: programs make such events themselves when they pass an answer on. */
class StreamEvent {
  event_type: unknown;
  data: unknown;

  constructor(type: unknown, data: unknown) {
    this.event_type = type;
    this.data = data ?? new Dict();
  }
}
nativeClass(StreamEvent, { name: 'StreamEvent', module: 'byllm.types', params: 'event_type, data=None' });

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

export function makeByllm(): Members {
  return { Model, ModelPool, MockLLM, MockToolCall, Image, Video, Text, StreamEvent, llm: ambientModel, ...services };
}
