/** `o.__dict__` and `vars(o)`: the attributes of an object as a mapping; what is written to it is written to the object. */

import { attributesOfFunction, deleteOnFunction, setOnFunction } from '../../classes/class-attributes.ts';
import { Dict } from '../containers/dict.ts';
import { dictM } from '../containers/dict-methods.ts';
import { deletePlain, setPlain, varsOf } from './attributes.ts';
import { isManaged, keep } from './descriptors.ts';
import { setMethods } from './method-tables.ts';
import { key as property } from './protocol.ts';

let made: (new (owner: object) => Dict) | undefined;

export function instanceDict(owner: object): Dict {
  made ??= makeClass();
  return new made(owner);
}

// Made when it is first needed: the files of values import each other, and a class cannot extend what is not there yet.
function makeClass(): new (owner: object) => Dict {
  class InstanceDict extends Dict {
    readonly $owner: object;

    constructor(owner: object) {
      super(new Map(typeof owner === 'function' ? attributesOfFunction(owner) : varsOf(owner)));
      this.$owner = owner;
    }

    override set(key: unknown, value: unknown): void {
      super.set(key, value);
      if (typeof key !== 'string') return;
      if (typeof this.$owner === 'function') setOnFunction(this.$owner, key, value ?? null);
      else if (isManaged(this.$owner, property(key))) keep(this.$owner, property(key), value ?? null);
      else setPlain(this.$owner, key, value ?? null);
    }

    override delete(key: unknown): boolean {
      const found = super.delete(key);
      if (!found || typeof key !== 'string') return found;
      if (typeof this.$owner === 'function') deleteOnFunction(this.$owner, key);
      else if (isManaged(this.$owner, property(key))) keep(this.$owner, property(key), undefined);
      else deletePlain(this.$owner, key);
      return found;
    }

    override clear(): void {
      for (const key of [...this.keys()]) this.delete(key);
    }

    override copy(): Dict {
      return new Dict(new Map(this.map));
    }
  }
  setMethods(InstanceDict, dictM);
  return InstanceDict;
}
