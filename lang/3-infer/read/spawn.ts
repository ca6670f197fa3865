import type * as ast from '../../1-parse/ast.ts';
import { classOfDecl } from '../classes/classes.ts';
import { any, instanceOf, membersOf, unionOf } from '../classes/type-values.ts';
import type { BrowserHalf, ClassRecord, Program, Reader } from '../program.ts';
import { pointOf } from '../suspension/suspension.ts';
import type { ClassInfo, Type } from '../types.ts';
import { askedWalk } from './asked-walks.ts';
import { typeOf, waitAt } from './expressions.ts';
import { knownType } from './plain-type.ts';
import { constructionPoint } from './points.ts';

/**
 * `a spawn b`: gives the walker; waits where the walk does (decisions/0001). Of an asynchronous walker it gives a
 * coroutine (docs/language/walkers.md#async-walkers).
 */
export function readSpawn(f: Reader, e: ast.Spawn): Type {
  const left = e.left === undefined ? undefined : typeOf(f, e.left);
  const right = typeOf(f, e.right);
  const { points, graph, browser } = f.program;
  if (browser !== undefined && !isOfBrowser(left, right, browser))
    return askedWalk(reportedBy(f.program, theOnly(walkersOf(left, right))));
  if (graph === 'async') waitAt(f, e, points.always);
  const walkers = walkersOf(left, right);
  const anywhere = f.program.project.hasScripts ? points.always : undefined;
  if (walkers === undefined) {
    waitAt(f, e, anywhere ?? points.anyWalk);
    return any;
  }
  for (const cls of walkers) {
    if (right.t === 'class' || left?.t === 'class') waitAt(f, e, constructionPoint(f, cls));
    if (!isAsyncWalker(cls)) waitAt(f, e, anywhere ?? pointOf(points.walks, cls));
  }
  const cls = theOnly(walkers);
  if (cls === undefined) return any;
  const walker = instanceOf(cls, true);
  return isAsyncWalker(cls) ? { t: 'awaitable', of: walker, sure: true } : walker;
}

/** Type of what a walk of the server reports: of objects it is what the program says they are, of all else unknown. */
function reportedBy(program: Program, walker: ClassInfo | undefined): Type {
  const types = (walker && program.browser?.reportsOf(walker)) ?? [any];
  return unionOf(types.map((type) => sameHere(program, type)));
}

function sameHere(program: Program, type: Type): Type {
  if (type.t !== 'instance' || type.cls.decl === undefined) return any;
  const state = program.modules.get(type.cls.module);
  return state === undefined ? any : instanceOf(classOfDecl(program, state, type.cls.decl), false);
}

/** Does the walk run in the browser, because its walker is declared there? */
function isOfBrowser(left: Type | undefined, right: Type, browser: BrowserHalf): boolean {
  const walkers = walkersOf(left, right);
  return walkers?.every(({ decl }) => decl !== undefined && browser.reads(decl)) === true;
}

function theOnly(walkers: readonly ClassInfo[] | undefined): ClassInfo | undefined {
  return walkers?.length === 1 ? walkers[0] : undefined;
}

/** A spawn whose value nobody uses: an asynchronous walker is awaited where it stands (docs/language/walkers.md#async-walkers). */
export function noteUnusedSpawn(f: Reader, e: ast.Spawn): void {
  const { points } = f.program;
  f.state.unusedSpawns.add(e);
  const walkers = walkersOf(e.left && knownType(f, e.left), knownType(f, e.right));
  for (const cls of walkers ?? [undefined]) {
    const isAsync = cls !== undefined && isAsyncWalker(cls);
    waitAt(f, e, isAsync ? points.always : pointOf(points.unusedWalks, cls));
  }
}

/** The walker classes the spawn may start; undefined when they are not known. */
function walkersOf(left: Type | undefined, right: Type): readonly ClassInfo[] | undefined {
  for (const side of [right, left]) {
    if (side === undefined) continue;
    const members = membersOf(side).filter((member) => member.t !== 'none');
    const classes = members.flatMap((member) =>
      (member.t === 'instance' || member.t === 'class') && member.cls.kind === 'walker' ? [member.cls] : [],
    );
    if (classes.length > 0 && classes.length === members.length) return classes;
  }
  return undefined;
}

/**
 * Declared `async walker`, or with an ability that is `async can`, here or in a base
 * (docs/language/walkers.md#async-walkers).
 */
export function isAsyncWalker(cls: ClassInfo): boolean {
  return isDeclaredAsync(cls) || cls.bases.some(isDeclaredAsync);
}

function isDeclaredAsync(cls: ClassInfo): boolean {
  if (cls.kind !== 'walker' || cls.decl?.kind !== 'Archetype') return false;
  return (
    cls.decl.async || (cls as ClassRecord).memberNodes.some((member) => member.kind === 'Ability' && member.mods.async)
  );
}
