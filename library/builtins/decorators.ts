/** `property`, `staticmethod`, `classmethod`, and leaving the program. */

import { builtin } from '../values/calls/builtin.ts';
import { callkw } from '../values/calls/calls.ts';
import { native } from '../values/calls/signature.ts';
import type { Dict } from '../values/containers/dict.ts';
import { $ofClass, methodOf } from '../values/objects/class-methods.ts';
import { SystemExit } from '../values/objects/exceptions.ts';
import { Property } from '../values/objects/property.ts';
import { $typeName } from '../values/objects/protocol.ts';
import { registerType } from '../values/objects/types.ts';

export const property = registerType(
  builtin(
    'property',
    (fget?: unknown, fset?: unknown, fdel?: unknown, doc?: unknown) => new Property(fget, fset, fdel, doc),
  ),
  { name: 'property', check: (x) => x instanceof Property, cls: Property },
);

/** Values of `staticmethod(f)` and `classmethod(f)` where these are called; the compiler knows them as decorators. */
class ClassFunction {
  readonly __func__: any;
  declare [$typeName]: string;

  constructor(f: unknown) {
    this.__func__ = f;
  }

  get __wrapped__(): unknown {
    return this.__func__;
  }

  [$ofClass](): unknown {
    return this.__func__;
  }
}
ClassFunction.prototype[$typeName] = 'staticmethod';

class StaticMethod extends ClassFunction {
  __call__(args: readonly unknown[] = [], kwargs?: Dict): unknown {
    return callkw(this.__func__, args, kwargs);
  }
}
native('__call__', '*args, **kwargs', StaticMethod.prototype.__call__);

class ClassMethod extends ClassFunction {
  override [$ofClass](): unknown {
    return methodOf(this.__func__);
  }
}
ClassMethod.prototype[$typeName] = 'classmethod';

export const staticmethod = registerType(
  builtin('staticmethod', (f: unknown) => new StaticMethod(f)),
  { name: 'staticmethod', check: (x) => x instanceof StaticMethod },
);

export const classmethod = registerType(
  builtin('classmethod', (f: unknown) => new ClassMethod(f)),
  { name: 'classmethod', check: (x) => x instanceof ClassMethod },
);

export const exit = builtin('exit', (code?: unknown) => {
  throw code === undefined ? new SystemExit() : new SystemExit(code);
});

export const quit = builtin('quit', (code?: unknown) => exit(code));
