import type * as ast from '../1-parse/ast.ts';

/**
 * Does control never leave the end of the block? In doubt it does. A context manager may swallow an exception, so control may come past
 * any `with`; `trustWith` takes it for one that does not.
 */
export function terminates(block: ast.Block, trustWith: boolean): boolean {
  return block.statements.some((s) => statementTerminates(s, trustWith));
}

/** Does control never come past the statement? */
export function statementTerminates(s: ast.Statement, trustWith: boolean): boolean {
  switch (s.kind) {
    case 'ReturnStatement':
    case 'RaiseStatement':
    case 'CtrlStatement':
      return true;
    case 'Block':
      return terminates(s, trustWith);
    case 'IfStatement':
      return armsOf(s).every((arm) => arm !== undefined && terminates(arm, trustWith));
    case 'WhileStatement':
      return isEndless(s) && !hasBreak(s.body);
    case 'TryStatement': {
      if (s.finally !== undefined && terminates(s.finally, trustWith)) return true;
      const body = terminates(s.body, trustWith) || (s.orElse !== undefined && terminates(s.orElse, trustWith));
      return body && s.handlers.every((handler) => terminates(handler.body, trustWith));
    }
    case 'WithStatement':
      return trustWith && terminates(s.body, trustWith);
    case 'Region':
      return terminates(s.body, trustWith);
    case 'MatchStatement':
      return (
        s.cases.some((one) => one.guard === undefined && isIrrefutable(one.pattern)) &&
        s.cases.every((one) => terminates(one.body, trustWith))
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

/** `while True` and `forever`. */
function isEndless(s: ast.WhileStatement): boolean {
  return s.test === undefined || (s.test.kind === 'Constant' && s.test.value === true);
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
