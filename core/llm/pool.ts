/** `ModelPool(models=[…])`: models that stand in for each other. */
import { randomInt } from 'node:crypto';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { OSError, RuntimeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import type { DelegatedCall } from './delegated-call.ts';
import { Model, makeModel } from './models.ts';

/**
 * Pool of models. With the strategy "fallback" each call goes to the first model, and to the next one when a service
 * fails; with any other, calls begin anywhere.
 */
export class ModelPool extends Model {
  readonly models: readonly Model[];
  readonly strategy: string;

  constructor(models: readonly Model[], strategy: string) {
    super(models[0]?.model_name ?? '', new Map());
    if (models.length === 0) throw new ValueError('a ModelPool needs at least one model');
    this.models = models;
    this.strategy = strategy;
  }

  override __call__(options: Dict): Model {
    return new ModelPool(
      this.models.map((model) => model.__call__(options)),
      this.strategy,
    );
  }

  override invoke(call: DelegatedCall): Promise<unknown> {
    return this.$first((model) => model.invoke(call));
  }

  override invoke_value(value: unknown): Promise<unknown> {
    return this.$first((model) => model.invoke_value(value));
  }

  async $first(ask: (model: Model) => Promise<unknown>): Promise<unknown> {
    const { models, strategy } = this;
    const begin = strategy === 'fallback' ? 0 : randomInt(models.length);
    for (let tried = 1; ; tried++) {
      try {
        return await ask(models[(begin + tried - 1) % models.length]!);
      } catch (error) {
        const isFailure = error instanceof RuntimeError || error instanceof OSError;
        if (!isFailure || tried === models.length) throw error;
      }
    }
  }
}
nativeClass(ModelPool, {
  name: 'ModelPool',
  module: 'byllm.lib',
  params: 'models, strategy="fallback", **config',
  make: (_, models: unknown, strategy: unknown, config: Dict) =>
    new ModelPool(
      toArray(models).map((model) =>
        (model instanceof Model ? model : makeModel(Model, model, new Dict())).__call__(config),
      ),
      strOf(strategy ?? 'fallback'),
    ),
  methods: { __call__: '**options', invoke: 'call', invoke_value: 'value' },
});
