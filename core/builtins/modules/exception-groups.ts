/** What `except*` asks for (language.md 3.6, PEP 654): compiled code takes it from `svclang.groups`, which no program names. */
import { BaseExceptionGroup, Exception, ExceptionGroup, TypeError } from '../../values/exceptions.ts';
import { caught, during, excMatch } from '../../values/raise.ts';
import { Tuple } from '../../values/tuple.ts';
import { isSubclass } from '../../values/types.ts';
import type { Members } from '../module.ts';

export function makeGroups(): Members {
  return { split: (error: any) => new Parts(error) };
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

  /** What a clause raised, which ends the clause but not the statement. */
  keep(x: unknown, part: any): void {
    if (x === part && this.marked.has(x)) this.raisedAgain.push(x);
    else this.raised.push(caught(x, part));
  }

  /** Behind the clauses: raises what is left. */
  end(): void {
    const { raised } = this;
    const left = [...this.raisedAgain, ...(this.rest === null ? [] : [this.rest])];
    if (left.length > 0) raised.push(this.whole instanceof BaseExceptionGroup ? partOf(this.whole, left) : left[0]);
    if (raised.length > 0) throw raised.length === 1 ? raised[0] : group(raised);
  }
}

function alone(error: unknown): unknown {
  return group(new Tuple([error]), error instanceof Exception);
}

function group(members: any, isPlain = members.every((one: unknown) => one instanceof Exception)): unknown {
  return new (isPlain ? ExceptionGroup : BaseExceptionGroup)('', members);
}

/** `whole` with only those exceptions in it that are in one of `parts`. */
function partOf(whole: BaseExceptionGroup, parts: readonly unknown[]): unknown {
  const kept = new Set(parts.flatMap(leavesOf));
  return whole.subgroup((error: unknown) => kept.has(error));
}

function leavesOf(error: unknown): unknown[] {
  return error instanceof BaseExceptionGroup ? error.exceptions.items.flatMap(leavesOf) : [error];
}
