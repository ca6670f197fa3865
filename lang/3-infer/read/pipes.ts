import type * as ast from '../../1-parse/ast.ts';
import { any, instanceOf } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import type { Type } from '../types.ts';
import { calleeType } from './calls.ts';
import { typeOf, waitAt } from './expressions.ts';
import { callPoint, constructionPoint } from './points.ts';

/** `v |> f` is `f(v)` (docs/language/expressions.md#pipes). */
export function readPipe(f: Reader, e: ast.Pipe): Type {
  const [value, callee] = e.op === '|>' || e.op === ':>' ? [e.left, e.right] : [e.right, e.left];
  if (value !== undefined) typeOf(f, value);
  if (callee === undefined) return any;
  const type = calleeType(f, callee);
  switch (type.t) {
    case 'function': {
      const point = callPoint(f, type.fn);
      if (point !== undefined) waitAt(f, e, point);
      return type.fn.result;
    }
    case 'class':
      waitAt(f, e, constructionPoint(f, type.cls));
      return instanceOf(type.cls, true);
    case 'builtin': {
      const signature = f.program.builtins.functions.get(type.name)!;
      if (signature.waits === 'always' || (signature.waits === 'graph' && f.program.graph === 'async')) {
        waitAt(f, e, f.program.points.always);
      }
      const { result } = signature;
      return result.rule === 'type' ? result.type : any;
    }
    case 'std': {
      const signature = f.program.builtins.standard.get(`${type.module}.${type.name}`);
      if (signature?.waits === 'always') waitAt(f, e, f.program.points.always);
      return any;
    }
    case 'method': {
      const point = f.program.points.methods.get(type.fn.name);
      if (point !== undefined) waitAt(f, e, point);
      return type.fn.result;
    }
    default:
      waitAt(f, e, f.program.points.functionValue);
      if (callee.kind === 'Attribute') {
        const method = f.program.points.methods.get(callee.name.text);
        if (method !== undefined) waitAt(f, e, method);
      }
      return any;
  }
}
