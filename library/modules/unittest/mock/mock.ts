/** Stand-ins that note how they are called: `Mock`, `MagicMock`, `AsyncMock`. */

import { nativeClass } from '../../../builtins/native-class.ts';
import { dir } from '../../../builtins/objects.ts';
import { call as callFunction, callkw } from '../../../values/calls/calls.ts';
import { raised } from '../../../values/calls/raise.ts';
import type { Dict } from '../../../values/containers/dict.ts';
import { iter } from '../../../values/containers/iteration.ts';
import { getattr, setattr } from '../../../values/objects/attributes.ts';
import { eq } from '../../../values/objects/equality.ts';
import {
  AssertionError,
  AttributeError,
  BaseException,
  StopAsyncIteration,
  StopIteration,
} from '../../../values/objects/exceptions.ts';
import { $getattr, $repr, $setattr, $truth, $typeName } from '../../../values/objects/protocol.ts';
import { address, reprOf } from '../../../values/objects/repr.ts';
import { truth } from '../../../values/objects/truth.ts';
import { isClass } from '../../../values/objects/type-name.ts';
import { requireText } from '../../../values/text/text-arguments.ts';
import { argumentText, Call, DEFAULT } from './calls.ts';

export class Mock {
  declare [$typeName]: string;
  readonly $name: string | undefined;
  readonly $parent: Mock | undefined;
  readonly $allowed: ReadonlySet<string> | undefined;
  readonly $children = new Map<string, unknown>();
  $result: unknown;
  $effect: any = null;
  $calls: Call[] = [];
  $all: Call[] = [];

  constructor(options: MockOptions = {}) {
    this.$name = options.name;
    this.$parent = options.parent;
    this.$allowed = options.allowed;
    this.$result = options.result;
    if (options.effect !== undefined) this.side_effect = options.effect;
  }

  get called(): boolean {
    return this.$calls.length > 0;
  }

  get call_count(): number {
    return this.$calls.length;
  }

  get call_args(): Call | null {
    return this.$calls.at(-1) ?? null;
  }

  get call_args_list(): Call[] {
    return this.$calls;
  }

  get mock_calls(): Call[] {
    return this.$all;
  }

  get method_calls(): Call[] {
    return this.$all.filter((one) => one.$name !== '');
  }

  get return_value(): unknown {
    if (this.$result === undefined) this.$result = this.$child('()');
    return this.$result;
  }

  set return_value(value: unknown) {
    this.$result = value ?? null;
  }

  get side_effect(): unknown {
    return this.$effect;
  }

  // Values of an iterable are given one per call.
  set side_effect(effect: any) {
    const isSource = effect !== null && typeof effect !== 'function' && !(effect instanceof BaseException);
    this.$effect = isSource ? iter(effect)[Symbol.iterator]() : effect;
  }

  $child(name: string): Mock {
    return new (this.constructor as any)({
      name: `${this.$name ?? 'mock'}${name.startsWith('(') ? '' : '.'}${name}`,
      parent: this,
    });
  }

  [$getattr](name: string): unknown {
    const known = this.$children.get(name);
    if (known !== undefined) return known;
    if (name.startsWith('__') && name.endsWith('__')) return undefined;
    if (name.startsWith('assert') && !(name in this))
      throw new AttributeError(
        `'${name}' is not a valid assertion. Use a spec for the mock if '${name}' is meant to be an attribute.`,
      );
    if (this.$allowed !== undefined && !this.$allowed.has(name))
      throw new AttributeError(`Mock object has no attribute '${name}'`);
    const made = this.$child(name);
    this.$children.set(name, made);
    return made;
  }

  [$setattr](name: string, value: unknown): boolean {
    if (name in Mock.prototype) return false;
    this.$children.set(name, value ?? null);
    return true;
  }

  $note(args: readonly unknown[], kwargs: Dict | undefined): void {
    const one = new Call(args, kwargs);
    this.$calls.push(one);
    this.$all.push(one);
    // Parents see the calls of what hangs below them, with its path.
    let path = '';
    for (let at: Mock = this; at.$parent !== undefined; at = at.$parent) {
      const own = at.$name!.slice((at.$parent.$name ?? 'mock').length).replace(/^\./, '');
      path = path === '' || path.startsWith('(') ? own + path : `${own}.${path}`;
      at.$parent.$all.push(new Call(args, kwargs, path));
    }
  }

  __call__(args: readonly unknown[] = [], kwargs?: Dict): unknown {
    this.$note(args, kwargs);
    return this.$answer(args, kwargs);
  }

  $answer(args: readonly unknown[], kwargs: Dict | undefined): unknown {
    const effect = this.$effect;
    if (effect === null || effect === undefined) return this.return_value;
    if (effect instanceof BaseException || (isClass(effect) && (effect as any).prototype instanceof BaseException))
      throw raised(effect);
    const result = typeof effect === 'function' ? callkw(effect, args, kwargs) : nextOf(effect);
    if (result instanceof BaseException || (isClass(result) && (result as any).prototype instanceof BaseException))
      throw raised(result);
    return result === DEFAULT ? this.return_value : result;
  }

  assert_called(): null {
    if (!this.called) throw new AssertionError(`Expected '${this.$label}' to have been called.`);
    return null;
  }

  assert_not_called(): null {
    if (this.called)
      throw new AssertionError(
        `Expected '${this.$label}' to not have been called. Called ${this.call_count} times.\nCalls: ${reprOf(this.$all)}.`,
      );
    return null;
  }

  assert_called_once(): null {
    if (this.call_count !== 1)
      throw new AssertionError(
        `Expected '${this.$label}' to have been called once. Called ${this.call_count} times.${this.$list}`,
      );
    return null;
  }

  assert_called_with(args: readonly unknown[] = [], kwargs?: Dict): null {
    const wanted = new Call(args, kwargs);
    const last = this.call_args;
    const shown = `${this.$label}${argumentText(wanted)}`;
    if (last === null) throw new AssertionError(`expected call not found.\nExpected: ${shown}\n  Actual: not called.`);
    if (!eq(wanted, last))
      throw new AssertionError(
        `expected call not found.\nExpected: ${shown}\n  Actual: ${this.$label}${argumentText(last)}`,
      );
    return null;
  }

  assert_called_once_with(args: readonly unknown[] = [], kwargs?: Dict): null {
    if (this.call_count !== 1)
      throw new AssertionError(
        `Expected '${this.$label}' to be called once. Called ${this.call_count} times.${this.$list}`,
      );
    return this.assert_called_with(args, kwargs);
  }

  assert_any_call(args: readonly unknown[] = [], kwargs?: Dict): null {
    const wanted = new Call(args, kwargs);
    if (!this.$calls.some((one) => eq(wanted, one)))
      throw new AssertionError(`${this.$label}${argumentText(wanted)} call not found`);
    return null;
  }

  assert_has_calls(calls: unknown, anyOrder?: unknown): null {
    const wanted = [...iter(calls)];
    const all = this.$all;
    const inRow = all.some((_, at) => wanted.every((one, i) => all[at + i] !== undefined && eq(one, all[at + i])));
    const found = truth(anyOrder)
      ? wanted.every((one) => all.some((given) => eq(one, given)))
      : wanted.length === 0 || inRow;
    if (!found) throw new AssertionError(`Calls not found.\nExpected: ${reprOf(wanted)}\n  Actual: ${reprOf(all)}`);
    return null;
  }

  get $label(): string {
    return this.$name ?? 'mock';
  }

  get $list(): string {
    return this.$all.length === 0 ? '' : `\nCalls: ${reprOf(this.$all)}.`;
  }

  reset_mock(result?: unknown, effect?: unknown): null {
    this.$calls = [];
    this.$all = [];
    if (truth(result)) this.$result = undefined;
    if (truth(effect)) this.$effect = null;
    for (const child of this.$children.values()) if (child instanceof Mock) child.reset_mock();
    return null;
  }

  configure_mock(values: Dict): null {
    for (const [path, value] of values.entries()) {
      const names = String(path).split('.');
      const target = names.slice(0, -1).reduce((at: unknown, name) => getattr(at, name), this as unknown);
      setattr(target, names.at(-1)!, value);
    }
    return null;
  }

  [$repr](): string {
    return `<${this[$typeName]}${this.$name === undefined ? '' : ` name='${this.$name}'`} id='${Number.parseInt(address(this), 16)}'>`;
  }
}

interface MockOptions {
  readonly name?: string | undefined;
  readonly parent?: Mock | undefined;
  readonly allowed?: ReadonlySet<string> | undefined;
  readonly result?: unknown;
  readonly effect?: unknown;
}

function nextOf(source: Iterator<unknown>): unknown {
  const step = source.next();
  if (step.done === true) throw new StopIteration();
  return step.value;
}

function optionsOf(spec: unknown, effect: unknown, result: unknown, name: unknown): MockOptions {
  const allowed =
    spec === undefined || spec === null
      ? undefined
      : new Set(Array.isArray(spec) ? (spec as string[]) : (callFunction(dir, spec) as string[]));
  return {
    name: name === undefined || name === null ? undefined : requireText(name),
    allowed,
    result: result === DEFAULT ? undefined : result,
    effect: effect ?? undefined,
  };
}

const params = 'spec=None, side_effect=None, return_value=None, wraps=None, name=None, spec_set=None, **kwargs';
function make(
  cls: any,
  spec: unknown,
  effect: unknown,
  result: unknown,
  wraps: unknown,
  name: unknown,
  specSet: unknown,
  rest: Dict,
): Mock {
  const mock: Mock = new cls(optionsOf(spec ?? specSet, effect ?? (wraps === null ? undefined : wraps), result, name));
  if (rest.size > 0) mock.configure_mock(rest);
  return mock;
}
const methods = {
  __call__: '*args, **kwargs',
  assert_called: '',
  assert_not_called: '',
  assert_called_once: '',
  assert_called_with: '*args, **kwargs',
  assert_called_once_with: '*args, **kwargs',
  assert_any_call: '*args, **kwargs',
  assert_has_calls: 'calls, any_order=False',
  reset_mock: '*, return_value=False, side_effect=False',
  configure_mock: '**kwargs',
};
nativeClass(Mock, { name: 'Mock', module: 'unittest.mock', params, make, methods });

/** A mock that also takes part in operators of containers and in `with`. */
export class MagicMock extends Mock {
  [$truth](): boolean {
    return true;
  }

  $specialMock(name: string, fallback: unknown): unknown {
    let child = this.$children.get(name);
    if (child === undefined) {
      child = this.$child(name);
      if (fallback !== undefined) (child as Mock).return_value = fallback;
      this.$children.set(name, child);
    }
    return child;
  }

  $special(name: string, fallback: unknown, ...args: unknown[]): unknown {
    return callFunction(this.$specialMock(name, fallback), ...args);
  }

  override [$setattr](name: string, value: unknown): boolean {
    if (name.startsWith('__') && name.endsWith('__')) {
      this.$children.set(name, value);
      return true;
    }
    return super[$setattr](name, value);
  }
}
// Special methods of mocks: operators call a function; read by name it also answers as the mock behind it:
// `m.__len__.return_value = 3`.
const specials: Readonly<Record<string, unknown>> = {
  __len__: 0,
  __iter__: [],
  __contains__: false,
  __getitem__: undefined,
  __setitem__: null,
  __delitem__: null,
  __enter__: undefined,
  __exit__: false,
};
const ofMocks = 'return_value side_effect called call_count call_args call_args_list mock_calls'.split(' ');
for (const [name, fallback] of Object.entries(specials)) {
  Object.defineProperty(MagicMock.prototype, name, {
    configurable: true,
    get(this: MagicMock) {
      const run = (...args: unknown[]) => {
        const result = this.$special(name, fallback, ...args);
        return name === '__iter__' ? iter(result)[Symbol.iterator]() : result;
      };
      const child = () => this.$specialMock(name, fallback) as any;
      for (const member of ofMocks)
        Object.defineProperty(run, member, {
          get: () => child()[member],
          set: (value: unknown) => {
            child()[member] = value;
          },
        });
      for (const member of Object.keys(methods))
        Object.defineProperty(run, member, { get: () => getattr(child(), member) });
      return run;
    },
  });
}

nativeClass(MagicMock, { name: 'MagicMock', module: 'unittest.mock', params, make });

/** Mock whose calls give something to await. */
export class AsyncMock extends MagicMock {
  get await_count(): number {
    return this.call_count;
  }

  override __call__(args: readonly unknown[] = [], kwargs?: Dict): Promise<unknown> {
    this.$note(args, kwargs);
    return (async () => {
      try {
        return await this.$answer(args, kwargs);
      } catch (e) {
        throw e instanceof StopIteration ? new StopAsyncIteration() : e;
      }
    })();
  }

  assert_awaited(): null {
    return this.assert_called();
  }

  assert_awaited_once(): null {
    return this.assert_called_once();
  }
}
nativeClass(AsyncMock, {
  name: 'AsyncMock',
  module: 'unittest.mock',
  params,
  make,
  methods: { __call__: '*args, **kwargs', assert_awaited: '', assert_awaited_once: '' },
});
