/**
 * `@entry(Task)` and `@exit(Task)`: what runs when a walker comes to a place and leaves it
 * (docs/language/walkers.md#abilities).
 */

import { metaOf } from '../../library/classes/meta.ts';
import type { AbilitySpec } from '../../library/classes/spec.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import * as base from '../graph/objects.ts';
import { Walker } from './has.ts';
import { settled } from './pending.ts';
import type { AnyClass } from './types.ts';

/** A class, or a function that gives one that is declared further down. */
export type Trigger = AnyClass | (() => AnyClass);
/** Type of the object that an ability with this trigger is called with. */
export type Arriving<C> = C extends AnyClass<infer I> ? I : C extends () => AnyClass<infer I> ? I : never;
type Ability<T> = (method: (this: any, other: T) => unknown, context: ClassMethodDecoratorContext) => void;

interface Declared {
  readonly when: AbilitySpec['when'];
  readonly triggers: readonly unknown[];
}

const declared = new WeakMap<object, Declared[]>();

/**
 * The method runs when the walker enters a place of one of these classes; in a node or edge, when such a walker comes. Its argument is
 * the other of the two. Without a class: at the start of a walk, in a node for every walker.
 */
export function entry(): Ability<any>;
export function entry<C extends readonly Trigger[]>(...triggers: C): Ability<Arriving<C[number]>>;
export function entry(...triggers: readonly unknown[]): Ability<any> {
  return declare('entry', triggers);
}

/** Marks a method to run like one of `entry`, when the walker leaves. Without a class: at the end of the walk. */
export function exit(): Ability<any>;
export function exit<C extends readonly Trigger[]>(...triggers: C): Ability<Arriving<C[number]>>;
export function exit(...triggers: readonly unknown[]): Ability<any> {
  return declare('exit', triggers);
}

function declare(when: AbilitySpec['when'], triggers: readonly unknown[]): Ability<any> {
  return (method, context) => {
    if ((context as ClassMethodDecoratorContext | undefined)?.kind !== 'method')
      throw new TypeError(`@${when} stands in front of a method, without experimentalDecorators in tsconfig.json`);
    const known = declared.get(method);
    // Decorators run from the method upwards; abilities are in the order of the text.
    if (known === undefined) declared.set(method, [{ when, triggers }]);
    else known.unshift({ when, triggers });
  };
}

/** The abilities among a class's own methods, in order. */
export function abilitiesOf(cls: { readonly prototype: object }): AbilitySpec[] {
  return Reflect.ownKeys(cls.prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(cls.prototype, name)?.value;
    const list = typeof method === 'function' ? (declared.get(method) ?? []) : [];
    return list.map(({ when, triggers }, i) => ({
      name: i === 0 ? String(name) : `${String(name)}$${i}`,
      when,
      ...(triggers.length === 0 ? {} : { trigger: () => triggers.map(classOf) }),
      run(this: any, other: unknown, walk: object): unknown {
        return settled(walk, method.call(this, other));
      },
    }));
  });
}

function classOf(trigger: unknown): unknown {
  const cls =
    typeof trigger === 'function' && trigger.prototype === undefined && metaOf(trigger) === undefined
      ? (trigger as () => unknown)()
      : trigger;
  return cls === (Walker as unknown) ? base.Walker : cls;
}
