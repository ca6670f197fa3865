/** `json.JSONEncoder` and `json.JSONDecoder`, which programs derive from to say how their own objects are written and read. */

import { nativeClass } from '../../builtins/native-class.ts';
import { native } from '../../values/calls/signature.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { dumps, loadPrefix, loads } from './json.ts';

const encoderParams =
  '*, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False, indent=None, separators=None, default=None';

export class JSONEncoder {
  declare $options: readonly unknown[];
  declare $given: unknown;

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(...slots: unknown[]): void {
    const [skipkeys, ascii, circular, allowNan, sortKeys, indent, separators, fallback] = slots;
    this.$options = [skipkeys, ascii, circular, allowNan, undefined, indent, separators];
    this.$given = fallback ?? null;
    Object.assign(this, {
      skipkeys: skipkeys ?? false,
      ensure_ascii: ascii ?? true,
      check_circular: circular ?? true,
      allow_nan: allowNan ?? true,
      sort_keys: sortKeys ?? false,
      indent: indent ?? null,
    });
  }

  /** Gives the value to write in place of an object that JSON has no word for. */
  default(x: unknown): unknown {
    throw new TypeError(`Object of type ${typeName(x)} is not JSON serializable`);
  }

  encode(x: unknown): string {
    const fallback = this.$given ?? ((item: unknown) => callMethod(this, 'default', item));
    return (dumps as any)(x, ...this.$options, fallback, (this as any).sort_keys);
  }

  *iterencode(x: unknown): Generator<string> {
    yield this.encode(x);
  }
}
native('JSONEncoder.__init__', encoderParams, JSONEncoder.prototype.init);
nativeClass(JSONEncoder, {
  name: 'JSONEncoder',
  module: 'json.encoder',
  params: encoderParams,
  methods: { default: 'o', encode: 'o', iterencode: 'o, _one_shot=False' },
});

const decoderParams =
  '*, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None';

export class JSONDecoder {
  declare $options: readonly unknown[];

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(...slots: unknown[]): void {
    const [hook, float, int, constant, strict, pairs] = slots;
    this.$options = [undefined, hook, float, int, constant, pairs, strict];
  }

  decode(text: unknown): unknown {
    return (loads as any)(text, ...this.$options);
  }

  raw_decode(text: string, at?: number): Tuple {
    return new Tuple(loadPrefix(text, at ?? 0, this.$options));
  }
}
native('JSONDecoder.__init__', decoderParams, JSONDecoder.prototype.init);
nativeClass(JSONDecoder, {
  name: 'JSONDecoder',
  module: 'json.decoder',
  params: decoderParams,
  methods: { decode: 's', raw_decode: 's, idx=0' },
});
