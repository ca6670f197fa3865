import type * as ast from '../1-parse/ast.ts';
import type { RuleContext } from './rule.ts';

/** A call that control does not come back from: `sys.exit()`, a function whose result is `NoReturn` or that does nothing but raise. */
export function neverReturns(e: ast.Expression, c: RuleContext): boolean {
  const call = e.kind === 'Await' ? e.expr : e;
  if (call.kind !== 'Call') return false;
  const callee = c.typeOf(call.callee);
  switch (callee.t) {
    case 'builtin':
      return callee.name === 'exit' || callee.name === 'quit';
    case 'std':
      return endings.has(`${callee.module}.${callee.name}`);
    case 'function':
    case 'method': {
      const { decl, generator, async } = callee.fn;
      if (decl?.kind !== 'FunctionDecl' || generator || (async && call === e)) return false;
      return givesNothing(decl) || (callee.t === 'function' && onlyRaises(decl));
    }
    default:
      return false;
  }
}

const endings = new Set(['sys.exit', 'os._exit', 'os.abort']);

function givesNothing({ signature: { result } }: ast.FunctionDecl): boolean {
  const name = result?.kind === 'NameRef' ? result.name : result?.kind === 'Attribute' ? result.name.text : '';
  return name === 'NoReturn' || name === 'Never';
}

/**
 * Tells whether the statements of a function follow one after the other up to a `raise`. A method may be another one in
 * a subclass.
 */
function onlyRaises({ body, signature }: ast.FunctionDecl): boolean {
  if (body.kind !== 'Block' || signature.result !== undefined) return false;
  const raise = body.statements.findIndex(({ kind }) => kind === 'RaiseStatement');
  return raise >= 0 && body.statements.slice(0, raise).every(({ kind }) => plain.has(kind));
}

const plain = new Set(['ExprStatement', 'AssignStatement', 'ImportModules', 'ImportFrom']);
