/** Header mappings: keys match in any case and keep the spelling they were last set with. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Dict } from '../../values/containers/dict.ts';

export class CaseInsensitiveDict extends Dict {
  readonly $names = new Map<string, string>();

  static fromPairs(pairs: Iterable<readonly [unknown, unknown]>): CaseInsensitiveDict {
    const made = new CaseInsensitiveDict();
    for (const [name, value] of pairs) made.set(name, value);
    return made;
  }

  $known(key: unknown): unknown {
    return typeof key === 'string' ? (this.$names.get(key.toLowerCase()) ?? key) : key;
  }

  override get(key: unknown, fallback?: unknown): unknown {
    return super.get(this.$known(key)) ?? fallback;
  }

  override has(key: unknown): boolean {
    return super.has(this.$known(key));
  }

  override set(key: unknown, value: unknown): void {
    const known = this.$known(key);
    if (known !== key && super.has(known)) super.delete(known);
    if (typeof key === 'string') this.$names.set(key.toLowerCase(), key);
    super.set(key, value);
  }

  override delete(key: unknown): boolean {
    const known = this.$known(key);
    if (typeof key === 'string') this.$names.delete(key.toLowerCase());
    return super.delete(known);
  }

  override copy(): CaseInsensitiveDict {
    return CaseInsensitiveDict.fromPairs(this.entries());
  }
}
nativeClass(CaseInsensitiveDict, {
  name: 'CaseInsensitiveDict',
  module: 'requests.structures',
  params: 'data=None, **kwargs',
  make: (_cls, data, rest: Dict) =>
    CaseInsensitiveDict.fromPairs([...(data instanceof Dict ? data.entries() : []), ...rest.entries()]),
  methods: { get: 'key, default=None, /', copy: '' },
});
