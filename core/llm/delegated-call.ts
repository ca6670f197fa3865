/**
 * Description of a function for the model that stands in for it: the argument of `model.invoke(call)`
 * (docs/language/delegation.md#by).
 */

import { nativeClass } from '../../library/builtins/native-class.ts';
import type { FunctionSpec, TypeRef } from '../../library/classes/spec.ts';
import { writtenType } from '../../library/classes/written-type.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { $repr } from '../../library/values/objects/protocol.ts';

/** One argument of the call. `value` is the program's own value. */
class CallParameter {
  readonly name: string;
  /** The declared type as the language writes it. */
  readonly type: string;
  readonly value: unknown;
  /** Text of the parameter's `sem`, or None. */
  readonly sem: string | null;
  readonly $type: TypeRef;

  constructor(name: string, type: TypeRef, value: unknown, sem: string | null) {
    this.name = name;
    this.type = writtenType(type);
    this.value = value;
    this.sem = sem;
    this.$type = type;
  }

  [$repr](): string {
    return `CallParameter(${this.name}: ${this.type})`;
  }
}
nativeClass(CallParameter, { name: 'CallParameter', module: 'byllm.types' });

export class DelegatedCall {
  /** `module.Class.function` */
  readonly name: string;
  readonly parameters: CallParameter[];
  readonly result: string;
  readonly doc: string | null;
  /** `sem` strings of the function: under its own name `""`, of parameters by name, of the result under `return`. */
  readonly sem: Dict;
  /** `self` of a method, or None. */
  readonly receiver: unknown;
  readonly $spec: FunctionSpec;

  constructor(spec: FunctionSpec, values: readonly unknown[], receiver: unknown) {
    const sem = spec.sem ?? {};
    this.name = `${spec.module}.${spec.qualname}`;
    this.parameters = spec.params.map(
      (param, i) => new CallParameter(param.name, param.type, values[i] ?? null, sem[param.name] ?? null),
    );
    this.result = writtenType(spec.result);
    this.doc = spec.doc ?? null;
    this.sem = Dict.fromObject(sem);
    this.receiver = receiver ?? null;
    this.$spec = spec;
  }

  [$repr](): string {
    return `DelegatedCall(${this.name})`;
  }
}
nativeClass(DelegatedCall, { name: 'DelegatedCall', module: 'byllm.types' });
