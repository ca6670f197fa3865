/** `Svc.get_context().memory`: the graph as the running unit holds it, for programs that ask it instead of the built-in names. */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { lookUp } from '../graph/lookup.ts';
import { allroots, save } from '../graph/persistence.ts';

class UnitMemory {
  /** The node or edge with this id; None as `oget` gives it. */
  get(id: unknown): unknown {
    return atOnce(lookUp(id), 'oget(id)');
  }

  has(id: unknown): boolean {
    return this.get(id) !== null;
  }

  put(x: unknown): null {
    return save(x);
  }

  get_roots(): unknown {
    return atOnce(allroots(), 'allroots()');
  }

  [$repr](): string {
    return '<memory of the call>';
  }
}
nativeClass(UnitMemory, {
  name: 'Memory',
  module: 'svclang',
  methods: { get: 'id', has: 'id', put: 'obj', get_roots: '' },
});

export const unitMemory = new UnitMemory();

/** The compiler emits no wait for a method it does not know, so such a method must not give a promise. */
function atOnce<T>(value: T, instead: string): T {
  if (value instanceof Promise) throw new RuntimeError(`this store has to be waited for: use ${instead}`);
  return value;
}
