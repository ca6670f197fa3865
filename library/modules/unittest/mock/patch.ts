/** `patch`, `patch.object` and `patch.dict`. */

import { nativeClass } from '../../../builtins/native-class.ts';
import { unbound } from '../../../classes/class-attributes.ts';
import { hasModule, std } from '../../../registry.ts';
import { callkw } from '../../../values/calls/calls.ts';
import { type Names, namesOf, type Replaceable } from '../../../values/calls/replaceable.ts';
import { native } from '../../../values/calls/signature.ts';
import { Dict } from '../../../values/containers/dict.ts';
import { getattr, lookup, setattr } from '../../../values/objects/attributes.ts';
import { methodOfAny } from '../../../values/objects/class-methods.ts';
import { AttributeError, ModuleNotFoundError, TypeError } from '../../../values/objects/exceptions.ts';
import { callMethod } from '../../../values/objects/methods.ts';
import { $repr, key } from '../../../values/objects/protocol.ts';
import { reprOf } from '../../../values/objects/repr.ts';
import { truth } from '../../../values/objects/truth.ts';
import { isClass } from '../../../values/objects/type-name.ts';
import { requireText } from '../../../values/text/text-arguments.ts';
import { DEFAULT } from './calls.ts';
import { MagicMock, Mock } from './mock.ts';

/**
 * Replacement that is put somewhere and taken away again: a context manager, a decorator, or begun and ended by hand.
 */
abstract class Patching {
  abstract __enter__(): unknown;
  abstract __exit__(): boolean;

  start(): unknown {
    return this.__enter__();
  }

  stop(): null {
    this.__exit__();
    return null;
  }

  __call__(f: unknown): unknown {
    return isClass(f) ? aroundTests(this, f) : around(this, f);
  }
}
const methods = { __exit__: '*details', start: '', stop: '', __call__: 'func' };

/** Puts something in the place of an attribute. */
class Patch extends Patching {
  readonly $target: () => unknown;
  readonly $attribute: string;
  readonly $make: () => unknown;
  $before: unknown;
  $object: any;
  /** The name of a program's module that stands for the attribute. */
  $name: Replaceable | undefined;
  /** Places at which the attribute may have been set, with the former values. */
  $places: readonly { readonly holder: object; readonly described: PropertyDescriptor | undefined }[] = [];

  constructor(target: () => unknown, attribute: string, makeNew: () => unknown) {
    super();
    this.$target = target;
    this.$attribute = attribute;
    this.$make = makeNew;
  }

  __enter__(): unknown {
    this.$object = this.$target();
    this.$name = this.$object?.$names?.[this.$attribute];
    if (this.$name !== undefined) return this.$replace(this.$name);
    this.$before = lookup(this.$object, this.$attribute);
    if (this.$before === undefined)
      throw new AttributeError(`${reprOf(this.$object)} does not have the attribute '${this.$attribute}'`);
    const value = this.$make();
    const k = key(this.$attribute);
    this.$places = (isClass(this.$object) ? [this.$object, this.$object.prototype] : [this.$object]).map((holder) => ({
      holder,
      described: Object.getOwnPropertyDescriptor(holder, k),
    }));
    setattr(this.$object, this.$attribute, value);
    return value;
  }

  $replace(name: Replaceable): unknown {
    this.$before = name.get();
    const value = this.$make();
    name.set(value);
    return value;
  }

  __exit__(): boolean {
    if (this.$name !== undefined) {
      this.$name.set(this.$before);
      return false;
    }
    const k = key(this.$attribute);
    const changed = this.$places.filter(
      ({ holder, described }) => Object.getOwnPropertyDescriptor(holder, k)?.value !== described?.value,
    );
    if (changed.length === 0) setattr(this.$object, this.$attribute, this.$before);
    for (const { holder, described } of changed) {
      if (described === undefined) Reflect.deleteProperty(holder, k);
      else Object.defineProperty(holder, k, described);
    }
    return false;
  }
}
nativeClass(Patch, { name: '_patch', module: 'unittest.mock', methods });

/** Wraps each test of a class that the patch decorates. */
function aroundTests(patch: Patching, cls: any): unknown {
  for (const name of Object.getOwnPropertyNames(cls.prototype)) {
    const method = cls.prototype[name];
    if (!name.startsWith('test') || typeof method !== 'function') continue;
    const value = methodOfAny(around(patch, unbound(method)));
    Object.defineProperty(cls.prototype, name, { value, writable: true, configurable: true });
  }
  return cls;
}

function around(patch: Patching, f: unknown): unknown {
  return native('patched', '*args, **kwargs', (args: unknown[] = [], kwargs?: Dict) => {
    const value = patch.__enter__();
    let result: unknown;
    try {
      result = callkw(f, value instanceof Mock ? [...args, value] : args, kwargs);
    } catch (e) {
      patch.__exit__();
      throw e;
    }
    if (result instanceof Promise) return result.finally(() => patch.__exit__());
    patch.__exit__();
    return result;
  });
}

/** Adds entries to a dict. */
class PatchDict extends Patching {
  readonly $dict: Dict;
  readonly $values: Dict;
  readonly $clear: boolean;
  $before: Dict | undefined;

  constructor(target: Dict, values: Dict, clear: boolean) {
    super();
    this.$dict = target;
    this.$values = values;
    this.$clear = clear;
  }

  __enter__(): Dict {
    this.$before = this.$dict.copy();
    if (this.$clear) callMethod(this.$dict, 'clear');
    for (const [name, value] of this.$values.entries()) this.$dict.set(name, value);
    return this.$dict;
  }

  __exit__(): boolean {
    callMethod(this.$dict, 'clear');
    for (const [name, value] of this.$before!.entries()) this.$dict.set(name, value);
    return false;
  }
}
nativeClass(PatchDict, { name: '_patch_dict', module: 'unittest.mock', methods });

/** `'json.dumps'`, `'shop.price'`: a module, standard or of the program, and what leads to the attribute. */
function targetOf(path: string): () => unknown {
  return () => {
    const names = path.split('.');
    const own = ownTarget(names);
    if (own !== undefined) return own;
    for (let end = names.length; end > 0; end -= 1) {
      const module = names.slice(0, end).join('.');
      if (hasModule(module)) return names.slice(end).reduce((at, name) => getattr(at, name), std(module));
    }
    throw new ModuleNotFoundError(`No module named '${path}'`);
  };
}

function moduleOf(id: string, names: Names): object {
  return { $names: names, [$repr]: () => `<module '${id}'>` };
}

// A module of the program is known by the names in it that tests replace.
function ownTarget(path: readonly string[]): unknown {
  for (let end = path.length; end > 0; end -= 1) {
    const names = namesOf(path.slice(0, end).join('.'));
    if (names === undefined) continue;
    if (end === path.length) return moduleOf(path.join('.'), names);
    const first = names[path[end]!];
    return first === undefined
      ? undefined
      : path.slice(end + 1).reduce((at, name) => getattr(at, name), first.get() as any);
  }
  return undefined;
}

function replacement(given: unknown, returns: unknown, effect: unknown, rest: Dict): () => unknown {
  if (given !== undefined && given !== DEFAULT) return () => given;
  return () => {
    const mock = new MagicMock({ result: returns, effect: effect ?? undefined });
    if (rest.size > 0) mock.configure_mock(rest);
    return mock;
  };
}

export class Patcher {
  __call__(target: unknown, given: unknown, returns: unknown, effect: unknown, rest: Dict): Patch {
    const path = requireText(target);
    const at = path.lastIndexOf('.');
    if (at < 0) throw new TypeError(`Need a valid target to patch. You supplied: ${reprOf(path)}`);
    return new Patch(targetOf(path.slice(0, at)), path.slice(at + 1), replacement(given, returns, effect, rest));
  }

  object(target: unknown, attribute: unknown, given: unknown, returns: unknown, effect: unknown, rest: Dict): Patch {
    return new Patch(() => target, requireText(attribute), replacement(given, returns, effect, rest));
  }

  dict(target: any, values: unknown, clear: unknown, rest: Dict): PatchDict {
    const mapping: Dict =
      typeof target === 'string'
        ? (getattr(
            targetOf(target.slice(0, target.lastIndexOf('.')))(),
            target.slice(target.lastIndexOf('.') + 1),
          ) as Dict)
        : target;
    const all = values instanceof Dict ? values.copy() : new Dict();
    for (const [name, value] of rest.entries()) all.set(name, value);
    return new PatchDict(mapping, all, truth(clear));
  }
}
const patchOptions = 'new=None, *, return_value=None, side_effect=None, **kwargs';
nativeClass(Patcher, {
  name: 'patch',
  module: 'unittest.mock',
  methods: {
    __call__: `target, ${patchOptions}`,
    object: `target, attribute, ${patchOptions}`,
    dict: 'in_dict, values=(), clear=False, **kwargs',
  },
});
