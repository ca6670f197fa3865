/**
 * Model objects (docs/language/delegation.md#by): what stands behind `by`. Every program loads this file, so it only
 * holds what was asked for; the work begins in delegation.ts, which is loaded at the first call to a model.
 */

import { nativeClass } from '../../library/builtins/native-class.ts';
import type { FunctionSpec } from '../../library/classes/spec.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { NotImplementedError } from '../../library/values/objects/exceptions.ts';
import { callMethod } from '../../library/values/objects/methods.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import type { DelegatedCall } from './delegated-call.ts';
import type { ModelOptions } from './types.ts';

/** A model of a service that speaks the chat-completions protocol. Without a name: the configured one. */
export class Model {
  model_name: string;
  readonly $options: ModelOptions;
  /** Prepared answers, taken one by one, instead of a service. Shared by everything made from this model. */
  readonly $outputs: unknown[] | undefined;

  constructor(name: string, options: ModelOptions, outputs?: unknown[]) {
    this.model_name = name;
    this.$options = options;
    this.$outputs = outputs;
  }

  /** `llm(temperature=0.2)`: the same model with further options. */
  __call__(options: Dict): Model {
    if (options.map.size === 0) return this;
    const further = optionsIn(options);
    const merged = new Map([...this.$options, ...further]);
    const name = further.get('model_name') ?? further.get('model') ?? this.model_name;
    const outputs = further.get('outputs');
    return new Model(strOf(name), merged, outputs === undefined ? this.$outputs : toArray(outputs));
  }

  /** The answer to a delegated call, of the type the call declares. */
  async invoke(call: DelegatedCall): Promise<unknown> {
    return (await import('./delegation.ts')).invokeModel(this, call);
  }

  /** `x by m`: what the model says to `x`, as text. */
  async invoke_value(value: unknown): Promise<unknown> {
    return (await import('./delegation.ts')).askModel(this, value);
  }

  // Options stay out of sight: one of them may be a key.
  [$repr](): string {
    return `<Model ${reprOf(this.model_name)}>`;
  }
}
const methods = { __call__: '**options', invoke: 'call', invoke_value: 'value' };
nativeClass(Model, {
  name: 'Model',
  module: 'byllm.lib',
  params: 'model_name=None, **config',
  make: (cls, name, config) => makeModel(cls, name, config),
  methods,
});

/** A model for tests that answers with `outputs`, in order: values of the declared type, texts, or `MockToolCall`s. */
export class MockLLM extends Model {}
nativeClass(MockLLM, {
  name: 'MockLLM',
  module: 'byllm.lib',
  params: 'model_name="mockllm", **config',
  make: (cls, name, config) => makeModel(cls, name ?? 'mockllm', config, []),
  methods,
});

/** An output of `MockLLM`: the model asks for a tool. */
export class MockToolCall {
  readonly tool: unknown;
  readonly args: unknown;

  constructor(tool: unknown, args: unknown) {
    this.tool = tool;
    this.args = args ?? new Dict();
  }
}
nativeClass(MockToolCall, { name: 'MockToolCall', module: 'byllm.lib', params: 'tool, args=None' });

/** A model from the arguments of its constructor. */
export function makeModel(cls: typeof Model, name: unknown, config: Dict, outputs?: unknown[]): Model {
  const options = optionsIn(config);
  const given = options.get('outputs');
  return new cls(
    name === undefined || name === null ? '' : strOf(name),
    options,
    given === undefined ? outputs : toArray(given),
  );
}

/** Options by name; those of `config={…}` stand among the others. */
function optionsIn(given: Dict): Map<string, unknown> {
  const { config: nested, ...rest } = Object.fromEntries(pairsOf(given));
  return new Map([...pairsOf(nested), ...Object.entries(rest)]);
}

function pairsOf(dict: unknown): [string, unknown][] {
  return dict instanceof Dict ? ([...dict.entries()] as [string, unknown][]) : [];
}

/** `$.delegate`: the body of a function declared `by model`. `whole`: callers cannot wait for pieces of a stream. @throws TypeError when `model` is none */
export async function delegate(
  model: unknown,
  spec: FunctionSpec,
  values: readonly unknown[],
  self: unknown,
  whole = false,
): Promise<unknown> {
  return (await import('./delegation.ts')).delegateCall(model, spec, values, self, whole);
}

/** `$.askModel`: `value by model`. @throws NotImplementedError when `model` cannot be asked so */
export function askModel(model: unknown, value: unknown): unknown {
  if (typeof (model as any)?.invoke_value === 'function') return callMethod(model, 'invoke_value', value);
  throw new NotImplementedError(`'${typeName(model)}' object has no method 'invoke_value' for 'by'`);
}

/** The ambient `llm`: the model the configuration names. */
export const ambientModel: Model = new Model('', new Map());
