/**
 * Taking groups of exceptions apart (docs/language/statements.md#exception-groups, PEP 654). Compiled code that names
 * groups or has `except*` reads it: `svclang.groups`.
 */

import type { Members } from '../builtins/module.ts';
import { caught, during, excMatch } from '../values/calls/raise.ts';
import { Tuple } from '../values/containers/tuple.ts';
import {
  BaseException,
  BaseExceptionGroup,
  Exception,
  ExceptionGroup,
  membersOf,
  TypeError,
  ValueError,
} from '../values/objects/exceptions.ts';
import { $construct, $mro } from '../values/objects/protocol.ts';
import { typeName } from '../values/objects/type-name.ts';
import { isSubclass } from '../values/objects/types.ts';

export function makeGroups(): Members {
  return { split: (error: any) => new Parts(error) };
}

/**
 * Methods of groups that take them apart; `condition` is a class, a tuple of classes or a predicate, and nested groups
 * are kept.
 */
const apart = {
  derive(this: BaseExceptionGroup, members: readonly unknown[]): unknown {
    return group([...members], this.args.items[0]);
  },

  subgroup(this: BaseExceptionGroup, condition: unknown): unknown {
    return this.split(condition).items[0];
  },

  split(this: BaseExceptionGroup, condition: unknown): Tuple {
    const matches = matcherOf(condition);
    if (matches(this)) return new Tuple([this, null]);
    const yes: unknown[] = [];
    const no: unknown[] = [];
    for (const member of membersOf(this)) {
      if (member instanceof BaseExceptionGroup) {
        const [inside, outside] = member.split(condition).items;
        if (inside !== null) yes.push(inside);
        if (outside !== null) no.push(outside);
      } else (matches(member) ? yes : no).push(member);
    }
    const { __cause__, __context__, __suppress_context__, __notes__ } = this;
    const origin = { __cause__, __context__, __suppress_context__, ...(__notes__ && { __notes__: [...__notes__] }) };
    const part = (members: unknown[]) =>
      members.length === 0 ? null : Object.assign(this.derive(members) as any, origin);
    return new Tuple([part(yes), part(no)]);
  },
};
for (const [name, value] of Object.entries({ ...apart, $check: requireMembers }))
  Object.defineProperty(BaseExceptionGroup.prototype, name, { value, writable: true, configurable: true });
Object.defineProperty(BaseExceptionGroup, $construct, { value: construct, writable: true, configurable: true });

/** `ExceptionGroup(message, exceptions)`; a BaseExceptionGroup of exceptions alone is an ExceptionGroup. */
function construct(this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
  const isOwn = this === BaseExceptionGroup || this === ExceptionGroup;
  if (isOwn && args.length !== 2)
    throw new TypeError(`BaseExceptionGroup.__new__() takes exactly 2 arguments (${args.length} given)`);
  const made: any = BaseException[$construct].call(this, args, kwargs);
  return this === BaseExceptionGroup ? group(args[1] as unknown[], args[0], membersOf(made)) : made;
}

function requireMembers(this: BaseExceptionGroup, message: unknown, members: unknown): void {
  const given = members instanceof Tuple ? members.items : members;
  if (typeof message !== 'string') throw new TypeError(`argument 1 must be str, not ${typeName(message)}`);
  if (!Array.isArray(given)) throw new TypeError('second argument (exceptions) must be a sequence');
  if (given.length === 0) throw new ValueError('second argument (exceptions) must be a non-empty sequence');
  const wrong = given.findIndex((one) => !(one instanceof BaseException));
  if (wrong >= 0) throw new ValueError(`Item ${wrong} of second argument (exceptions) is not an exception`);
  if (this instanceof ExceptionGroup && !given.every((one) => one instanceof Exception))
    throw new TypeError(`Cannot nest BaseExceptions in an ${typeName(this)}`);
}

// An ExceptionGroup is an Exception, too, whose JavaScript class is not above it.
Object.defineProperty(ExceptionGroup, $mro, { value: [ExceptionGroup, BaseExceptionGroup, Exception, BaseException] });

function matcherOf(condition: unknown): (e: unknown) => boolean {
  if (condition instanceof Tuple) return (e) => condition.items.some((cls) => e instanceof (cls as any));
  if (typeof condition !== 'function')
    throw new TypeError('expected a function, exception type or tuple of exception types');
  const isClass = condition === BaseException || condition.prototype instanceof BaseException;
  return isClass ? (e) => e instanceof (condition as any) : (e) => Boolean((condition as any)(e));
}

/** An exception on its way through `except*` clauses: what no clause has taken yet, and what the clauses raised. */
class Parts {
  private readonly whole: any;
  private rest: any;
  private readonly raised: unknown[] = [];
  private readonly raisedAgain: any[] = [];
  private readonly marked = new Set<unknown>();

  constructor(error: any) {
    this.whole = error;
    this.rest = error;
  }

  /** The part for a clause, as a group; null where there is none. @throws TypeError for what is not a class of exceptions, or one of groups */
  take(cls: any): unknown {
    try {
      return this.takeOf(cls);
    } catch (e) {
      throw during(e, this.whole);
    }
  }

  private takeOf(cls: any): unknown {
    const { rest } = this;
    const matches = excMatch(rest, cls);
    if ((cls instanceof Tuple ? cls.items : [cls]).some((one: any) => isSubclass(one, BaseExceptionGroup)))
      throw new TypeError('catching ExceptionGroup with except* is not allowed. Use except instead.');
    if (rest === null) return null;
    if (matches) {
      this.rest = null;
      return rest instanceof BaseExceptionGroup ? rest : alone(rest);
    }
    if (!(rest instanceof BaseExceptionGroup)) return null;
    const [part, left] = rest.split(cls).items;
    this.rest = left;
    return part;
  }

  /** A bare `raise` in a clause: what no clause took and what is raised so stay one group. */
  again(part: unknown): unknown {
    this.marked.add(part);
    return part;
  }

  /** Notes an error that a clause raised, which ends the clause but not the statement. */
  keep(x: unknown, part: any): void {
    if (x === part && this.marked.has(x)) this.raisedAgain.push(x);
    else this.raised.push(caught(x, part));
  }

  /** Ends the statement behind its clauses: raises the exceptions that are left. */
  end(): void {
    const { raised } = this;
    const left = [...this.raisedAgain, ...(this.rest === null ? [] : [this.rest])];
    if (left.length > 0) raised.push(this.whole instanceof BaseExceptionGroup ? partOf(this.whole, left) : left[0]);
    if (raised.length > 0) throw raised.length === 1 ? raised[0] : group(raised);
  }
}

function alone(error: unknown): unknown {
  return new (error instanceof Exception ? ExceptionGroup : BaseExceptionGroup)('', new Tuple([error]));
}

function group(members: readonly unknown[], message: unknown = '', items = members): unknown {
  const isPlain = items.every((one) => one instanceof Exception);
  return new (isPlain ? ExceptionGroup : BaseExceptionGroup)(message, members);
}

/** `whole` with only those exceptions in it that are in one of `parts`. */
function partOf(whole: BaseExceptionGroup, parts: readonly unknown[]): unknown {
  const kept = new Set(parts.flatMap(leavesOf));
  return whole.subgroup((error: unknown) => kept.has(error));
}

function leavesOf(error: unknown): unknown[] {
  return error instanceof BaseExceptionGroup ? error.exceptions.items.flatMap(leavesOf) : [error];
}
