import type * as ast from '../1-parse/ast.ts';

/**
 * Does control never leave the end of the block? In doubt it does. A context manager may swallow an exception, so control may come past
 * any `with`; `trusted` takes it for one that does not, and knows expressions that control does not come back from.
 */
export function terminates(block: ast.Block, trusted?: Trusted): boolean {
  return block.statements.some((s) => statementTerminates(s, trusted));
}

export interface Trusted {
  neverReturns(e: ast.Expression): boolean;
}

/** Does control never come past the statement? */
export function statementTerminates(s: ast.Statement, trusted?: Trusted): boolean {
  const ends = (block: ast.Block | undefined): boolean => block !== undefined && terminates(block, trusted);
  switch (s.kind) {
    case 'ReturnStatement':
    case 'RaiseStatement':
    case 'CtrlStatement':
      return true;
    case 'ExprStatement':
      return trusted?.neverReturns(s.expr) ?? false;
    case 'AssertStatement':
      return trusted !== undefined && s.test.kind === 'Constant' && s.test.value === false;
    case 'Block':
      return ends(s);
    case 'IfStatement':
      return armsOf(s).every(ends);
    case 'WhileStatement':
      return !hasBreak(s.body) && (isEndless(s) || ends(s.orElse));
    case 'ForIn':
    case 'ForCount':
      return !hasBreak(s.body) && ends(s.orElse);
    case 'TryStatement': {
      if (ends(s.finally)) return true;
      return (ends(s.body) || ends(s.orElse)) && s.handlers.every((handler) => ends(handler.body));
    }
    case 'WithStatement':
      return trusted !== undefined && ends(s.body);
    case 'Region':
      return ends(s.body);
    case 'MatchStatement':
      return (
        s.cases.some((one) => one.guard === undefined && isIrrefutable(one.pattern)) &&
        s.cases.every((one) => ends(one.body))
      );
    default:
      return false;
  }
}

/** The blocks of an `if` and its `elif`s, the `else` last (undefined when there is none). */
function armsOf(s: ast.IfStatement): readonly (ast.Block | undefined)[] {
  const arms: (ast.Block | undefined)[] = [];
  let at: ast.Block | ast.IfStatement | undefined = s;
  for (; at?.kind === 'IfStatement'; at = at.orElse) arms.push(at.body);
  return [...arms, at];
}

/** `while True`, `while 1` and `forever`. */
function isEndless({ test }: ast.WhileStatement): boolean {
  if (test === undefined) return true;
  return test.kind === 'NumberLiteral' ? Boolean(test.value) : test.kind === 'Constant' && test.value === true;
}

/** Does the pattern match anything? */
export function isIrrefutable(pattern: ast.Pattern): boolean {
  switch (pattern.kind) {
    case 'WildcardPattern':
    case 'CapturePattern':
      return true;
    case 'AsPattern':
      return isIrrefutable(pattern.pattern);
    case 'OrPattern':
      return pattern.options.some(isIrrefutable);
    default:
      return false;
  }
}

/** Is there a `break` that leaves the loop this block is the body of? */
export function hasBreak(block: ast.Block): boolean {
  return block.statements.some(breaks);
}

function breaks(s: ast.Statement): boolean {
  switch (s.kind) {
    case 'CtrlStatement':
      return s.word === 'break';
    case 'Block':
      return hasBreak(s);
    case 'IfStatement':
      return armsOf(s).some((arm) => arm !== undefined && hasBreak(arm));
    case 'TryStatement':
      return [s.body, s.orElse, s.finally, ...s.handlers.map((handler) => handler.body)].some(
        (one) => one !== undefined && hasBreak(one),
      );
    case 'MatchStatement':
      return s.cases.some((one) => hasBreak(one.body));
    case 'ForIn':
    case 'ForCount':
    case 'WhileStatement':
    case 'VisitStatement':
      return s.orElse !== undefined && hasBreak(s.orElse);
    case 'WithStatement':
    case 'Region':
    case 'TypedContext':
      return hasBreak(s.body);
    default:
      return false;
  }
}
