/** Module `contextvars`: variables of which each task has its own values. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { callkw } from '../values/calls/calls.ts';
import type { Dict } from '../values/containers/dict.ts';
import { PyIterator } from '../values/containers/iteration.ts';
import { tuple } from '../values/containers/tuple.ts';
import { KeyError, LookupError, RuntimeError, ValueError } from '../values/objects/exceptions.ts';
import { $repr } from '../values/objects/protocol.ts';
import { address, reprOf } from '../values/objects/repr.ts';
import { requireText } from '../values/text/text-arguments.ts';

type Values = ReadonlyMap<ContextVar, unknown>;

// A change makes a map of its own, so what began before it keeps what it saw.
const values = new AsyncLocalStorage<Values>();
const none: Values = new Map();
const present = (): Values => values.getStore() ?? none;

class ContextVar {
  readonly name: string;
  readonly $default: unknown;

  constructor(name: unknown, fallback: unknown) {
    this.name = requireText(name);
    this.$default = fallback;
  }

  get(fallback?: unknown): unknown {
    const kept = present().get(this);
    if (kept !== undefined) return kept;
    const found = fallback === undefined ? this.$default : fallback;
    if (found === undefined) throw new LookupError(this);
    return found;
  }

  set(value: unknown): Token {
    const before = present().get(this);
    this.$write(value ?? null);
    return new Token(this, before);
  }

  reset(token: Token): null {
    if (!(token instanceof Token) || token.var !== this)
      throw new ValueError(`${reprOf(token)} was created by a different ContextVar`);
    if (token.$used) throw new RuntimeError(`${reprOf(token)} has already been used once`);
    token.$used = true;
    this.$write(token.$before);
    return null;
  }

  $write(value: unknown): void {
    const next = new Map(present());
    if (value === undefined) next.delete(this);
    else next.set(this, value);
    values.enterWith(next);
  }

  [$repr](): string {
    const fallback = this.$default === undefined ? '' : ` default=${reprOf(this.$default)}`;
    return `<ContextVar name=${reprOf(this.name)}${fallback} at ${address(this)}>`;
  }
}
nativeClass(ContextVar, {
  name: 'ContextVar',
  module: 'contextvars',
  params: 'name, *, default=None',
  make: (_cls, name, fallback) => new ContextVar(name, fallback),
  methods: { get: 'default=None, /', set: 'value, /', reset: 'token, /' },
});

/** Token that undoes a `set`. */
class Token {
  static readonly MISSING = { [$repr]: () => '<Token.MISSING>' };
  readonly var: ContextVar;
  readonly $before: unknown;
  $used = false;

  constructor(variable: ContextVar, before: unknown) {
    this.var = variable;
    this.$before = before;
  }

  get old_value(): unknown {
    return this.$before === undefined ? Token.MISSING : this.$before;
  }

  [$repr](): string {
    return `<Token${this.$used ? ' used' : ''} var=${reprOf(this.var)} at ${address(this)}>`;
  }
}
nativeClass(Token, { name: 'Token', module: 'contextvars' });

/** Values of all variables at one moment, and of what runs in it later. */
class Context {
  $values: Values;

  constructor(given: Values = none) {
    this.$values = given;
  }

  run(f: unknown, args?: unknown[], kwargs?: Dict): unknown {
    // A map of its own: the store may not notice that it is left where it is the one that is there already.
    return values.run(new Map(this.$values), () => {
      const keep = () => {
        this.$values = present();
      };
      try {
        const result = callkw(f, args ?? [], kwargs);
        keep();
        return result;
      } catch (e) {
        keep();
        throw e;
      }
    });
  }

  copy(): Context {
    return new Context(this.$values);
  }

  get(variable: ContextVar, fallback?: unknown): unknown {
    const kept = this.$values.get(variable);
    return kept === undefined ? (fallback ?? null) : kept;
  }

  keys(): unknown {
    return [...this.$values.keys()];
  }

  values(): unknown {
    return [...this.$values.values()];
  }

  items(): unknown {
    return [...this.$values].map(([variable, value]) => tuple(variable, value));
  }

  __getitem__(variable: ContextVar): unknown {
    const value = this.$values.get(variable);
    if (value === undefined) throw new KeyError(variable);
    return value;
  }

  __contains__(variable: ContextVar): boolean {
    return this.$values.has(variable);
  }

  __len__(): number {
    return this.$values.size;
  }

  __iter__(): unknown {
    return new PyIterator(this.$values.keys(), 'keys');
  }
}
nativeClass(Context, {
  name: 'Context',
  module: 'contextvars',
  make: () => new Context(),
  methods: { run: 'callable, /, *args, **kwargs', get: 'key, default=None, /' },
});

export function makeContextvars(): Members {
  return {
    Context,
    ContextVar,
    Token,
    ...functions('contextvars', { copy_context: ['', () => new Context(present())] }),
  };
}
