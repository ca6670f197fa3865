/**
 * Stand-in, inside a container, for an object of a class or a member of an enum that the program does not have. A field
 * of its own gets a default instead (docs/server/storage.md#changing-types); in a list or a dict there is no place to
 * put the value aside, so it stays where it is and is stored again as it was: a change of code deletes no data
 * (docs/server/storage.md#guarantees).
 */
import { AttributeError } from '../../library/values/objects/exceptions.ts';
import { $getattr, $repr, $truth } from '../../library/values/objects/protocol.ts';
import type { Tagged } from '../../library/values/stored-form.ts';

export class MissingValue {
  readonly tagged: Tagged;
  constructor(tagged: Tagged) {
    this.tagged = tagged;
  }
  [$repr](): string {
    return `<value of '${this.tagged.type}', which the program does not have>`;
  }
  [$truth](): boolean {
    return false;
  }
  [$getattr](name: string): never {
    throw new AttributeError(`the program does not have '${this.tagged.type}', so '${name}' cannot be read`);
  }
  toJSON(): null {
    return null;
  }
}
