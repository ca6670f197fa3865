/** Code that an exception may leave: `try` and `with`. */
import type * as ast from '../../1-parse/ast.ts';
import { any, join } from '../classes/type-values.ts';
import type { Env, Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { assign, assignElements } from './assign.ts';
import { copyEnv, copyOf, joinEnvs } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { narrowTo } from './narrowing.ts';
import { classMethodPoint } from './points.ts';
import { readBlock, settle } from './statements.ts';

export function readTry(f: Reader, s: ast.TryStatement): void {
  const { dead } = f;
  const seen = copyEnv(f);
  f.tries.push(seen);
  readBlock(f, s.body);
  f.tries.pop();
  if (s.orElse !== undefined) readBlock(f, s.orElse);
  const ends: (Env | undefined)[] = [f.dead ? undefined : f.env];
  // Clauses with a star run one after the other, also when one of them raises.
  if (s.splitsGroups) f.tries.push(seen);
  for (const handler of s.handlers) {
    f.env = copyOf(seen);
    f.dead = dead;
    if (handler.type !== undefined) typeOf(f, handler.type);
    bindHandler(f, handler, s.splitsGroups);
    readBlock(f, handler.body);
    ends.push(f.dead ? undefined : f.env);
  }
  if (s.splitsGroups) f.tries.pop();
  if (s.finally === undefined) {
    settle(f, ends, dead);
    return;
  }
  // `finally` also runs on the way out, so it may see anything the body has seen.
  settle(f, [...ends, seen], dead);
  readBlock(f, s.finally);
  if (!f.dead) f.dead = dead || ends.every((end) => end === undefined);
}

function bindHandler(f: Reader, handler: ast.ExceptClause, isGroup: boolean): void {
  const { names } = f.state;
  const node = handler.name ?? (handler.type?.kind === 'NameRef' ? handler.type : undefined);
  if (node === undefined) return;
  const binding = names.binding(node);
  if (handler.name === undefined && (binding.sort !== 'local' || binding.decl !== handler)) return;
  assign(f, binding, handler.name === undefined || isGroup ? any : caughtType(f, handler.type), undefined);
}

function caughtType(f: Reader, type: ast.Expression | undefined): Type {
  if (type === undefined) return any;
  const parts = type.kind === 'TupleExpr' ? type.items : [type];
  let caught: Type | undefined;
  for (const part of parts) {
    const one = narrowTo(f, part);
    caught = caught === undefined ? one : join(caught, one);
  }
  return caught ?? any;
}

export function readWith(f: Reader, s: ast.WithStatement): void {
  for (const item of s.items) {
    const type = typeOf(f, item.expr);
    for (const name of s.async ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__']) {
      const point = classMethodPoint(f, type, name);
      if (point !== undefined) waitAt(f, s, point);
    }
    // A manager of unknown kind may be a generator of the program (`@contextmanager`), which runs on entering and
    // leaving.
    if (!s.async && (type.t !== 'instance' || type.cls.open)) {
      waitAt(f, s, f.program.points.anyIterator);
      waitAt(f, s, f.program.points.functionValue);
    }
    if (endsWithItsWork(f, item.expr)) waitAt(f, s, f.program.points.always);
    if (item.target !== undefined) assignElements(f, item.target, enteredType(type), undefined);
  }
  if (s.async) waitAt(f, s, f.program.points.always);
  const before = copyEnv(f);
  f.tries.push(before);
  const { dead } = f;
  readBlock(f, s.body);
  f.tries.pop();
  // The manager may swallow an exception.
  if (!f.dead) f.env = joinEnvs([f.env, before]);
  else settle(f, [before], dead);
  if (f.dead !== dead) f.dead = dead;
}

/** A pool of `concurrent.futures` is left when all its work is done, a process of `subprocess` when it has ended. */
function endsWithItsWork(f: Reader, e: ast.Expression): boolean {
  if (e.kind !== 'Call' || !f.program.points.standardMethods.has('__exit__')) return false;
  const { callee } = e;
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '';
  return name.endsWith('PoolExecutor') || name === 'Executor' || name === 'Popen';
}

function enteredType(type: Type): Type {
  if (type.t !== 'instance') return any;
  const enter = type.cls.methods.get('__enter__');
  return enter === undefined ? any : enter.result;
}
