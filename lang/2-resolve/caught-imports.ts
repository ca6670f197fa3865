import type * as ast from '../1-parse/ast.ts';

/**
 * Failures of an import that the program handles: `missing` is a module that is not there, `all` also a name that the
 * module does not have.
 */
export type Caught = 'missing' | 'all';

const classes: Readonly<Record<string, Caught>> = {
  ModuleNotFoundError: 'missing',
  ImportError: 'all',
  Exception: 'all',
  BaseException: 'all',
};

/**
 * Tells which failures `parent` handles for imports in its part `child`; `outside`: those handled around it
 * (docs/language/imports.md#handled-imports).
 */
export function caughtWithin(parent: ast.Node, child: ast.Node, outside: Caught | undefined): Caught | undefined {
  switch (parent.kind) {
    case 'TryStatement':
      return child === parent.body ? more(outside, parent.handlers.map(caughtBy)) : outside;
    case 'WithStatement':
      return child === parent.body
        ? more(
            outside,
            parent.items.map(({ expr }) => suppressedBy(expr)),
          )
        : outside;
    // The body of a function runs elsewhere, outside of this `try`.
    case 'FunctionDecl':
    case 'FunctionExpr':
    case 'Lambda':
      return undefined;
    default:
      return outside;
  }
}

function more(outside: Caught | undefined, inside: readonly (Caught | undefined)[]): Caught | undefined {
  const all = [outside, ...inside];
  return all.includes('all') ? 'all' : all.includes('missing') ? 'missing' : undefined;
}

function caughtBy({ type }: ast.ExceptClause): Caught | undefined {
  return type === undefined ? 'all' : caughtAs(type);
}

function caughtAs(type: ast.Expression): Caught | undefined {
  if (type.kind === 'TupleExpr') return more(undefined, type.items.map(caughtAs));
  if (type.kind !== 'NameRef') return undefined;
  // `except e` with a name of its own takes everything (docs/language/statements.md#exceptions).
  return /^[a-z_]/.test(type.name) ? 'all' : Object.hasOwn(classes, type.name) ? classes[type.name] : undefined;
}

/** `suppress(ImportError)`, `contextlib.suppress(ImportError)` */
function suppressedBy(e: ast.Expression): Caught | undefined {
  if (e.kind !== 'Call') return undefined;
  const { callee } = e;
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : undefined;
  return name === 'suppress'
    ? more(
        undefined,
        e.args.map((arg) => caughtAs(arg.value)),
      )
    : undefined;
}
