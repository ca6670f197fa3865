import type * as ast from '../1-parse/ast.ts';
import type { Program } from '../3-infer/program.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { RuleContext } from './rule.ts';

const known = new WeakMap<Program, ReadonlyMap<ClassInfo, readonly ClassInfo[]>>();

/** The classes of the program that inherit from this one, at any distance. */
export function derivedFrom(cls: ClassInfo, { program }: RuleContext['types']): readonly ClassInfo[] {
  let all = known.get(program);
  if (all === undefined) known.set(program, (all = indexDerived(program)));
  return all.get(cls) ?? [];
}

function indexDerived(program: Program): ReadonlyMap<ClassInfo, readonly ClassInfo[]> {
  const all = new Map<ClassInfo, ClassInfo[]>();
  for (const cls of program.classes.values()) {
    for (const base of cls.bases) {
      const derived = all.get(base);
      if (derived === undefined) all.set(base, [cls]);
      else derived.push(cls);
    }
  }
  return all;
}

/**
 * The class of a value and, where the value may well be of another one, the classes of the program derived from it: a mixin uses on `self` what
 * its subclasses have, an exception is often caught by its base, and a method that gives `self` or `cls()` gives what it was called on.
 */
export function classesOf(e: ast.Expression, cls: ClassInfo, c: RuleContext): readonly ClassInfo[] {
  const isReceiver = e.kind === 'SpecialRef' && e.word === 'self';
  const isException = cls.bases.some(({ name, kind }) => kind === 'runtime' && name === 'BaseException');
  if (isReceiver || isException) return [cls, ...derivedFrom(cls, c.types)];
  return e.kind === 'Call' && e.callee.kind === 'Attribute' ? [cls, ...calledOn(e.callee.object, cls, c)] : [cls];
}

/** The classes of the receiver of a call that are derived from the class of its result. */
function calledOn(receiver: ast.Expression, cls: ClassInfo, c: RuleContext): readonly ClassInfo[] {
  const heirs = derivedFrom(cls, c.types);
  if (heirs.length === 0) return [];
  return classesOfReceiver(receiver, c).filter((one) => heirs.includes(one));
}

const receivers = new WeakMap<RuleContext, Map<ast.Expression, readonly ClassInfo[]>>();

/** `classesOf` a receiver, looked at once: in a chain of calls each receiver asks for the one before. */
function classesOfReceiver(receiver: ast.Expression, c: RuleContext): readonly ClassInfo[] {
  let seen = receivers.get(c);
  if (seen === undefined) receivers.set(c, (seen = new Map()));
  let classes = seen.get(receiver);
  if (classes === undefined) {
    const type = c.typeOf(receiver);
    classes = type.t === 'instance' || type.t === 'class' ? classesOf(receiver, type.cls, c) : [];
    seen.set(receiver, classes);
  }
  return classes;
}
