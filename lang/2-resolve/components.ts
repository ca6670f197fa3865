/** Tells components from other functions, and how each takes its properties (docs/language/client.md). */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from './children.ts';
import type { ClientPlan } from './client-plan.ts';

/** `props`: takes the object of properties itself; `parts`: takes it apart; `positions`: an ordinary function that gives markup. */
export type Convention = 'none' | 'props' | 'parts' | 'positions';

const known = new WeakMap<ast.FunctionDecl, boolean>();

/** Does the function give markup? By its result type, or by what it returns. */
export function isComponent(decl: ast.FunctionDecl): boolean {
  let found = known.get(decl);
  if (found === undefined) known.set(decl, (found = mentionsMarkup(decl.signature.result) || returnsMarkup(decl)));
  return found;
}

export function mentionsMarkup(type: ast.Expression | undefined): boolean {
  if (type === undefined) return false;
  if (type.kind === 'NameRef') return /^Jsx(Element|Page|Layout)$/.test(type.name);
  if (type.kind === 'StringLiteral') return /\bJsx(Element|Page|Layout)\b/.test(type.value);
  if (type.kind === 'Binary') return mentionsMarkup(type.left) || mentionsMarkup(type.right);
  return type.kind === 'Index' && mentionsMarkup(type.index);
}

function returnsMarkup(decl: ast.FunctionDecl): boolean {
  return decl.body.kind === 'Block' && blockGivesMarkup(decl.body);
}

export function blockGivesMarkup(body: ast.Block): boolean {
  const last = body.statements.at(-1);
  if (last?.kind === 'ExprStatement' && isMarkup(last.expr)) return true;
  return hasReturn(body, (value) => isMarkup(value));
}

function isMarkup(e: ast.Expression): boolean {
  if (e.kind === 'Markup') return true;
  if (e.kind === 'Conditional') return isMarkup(e.then) || isMarkup(e.orElse);
  return e.kind === 'Logical' && isMarkup(e.right);
}

/** Is there a `return` of the function itself whose value passes the test? Long chains of operators are deeper than calls may nest. */
function hasReturn(body: ast.Node, test: (value: ast.Expression) => boolean): boolean {
  const waiting: ast.Node[] = [body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'ReturnStatement') {
      if (node.value !== undefined && test(node.value)) return true;
    } else if (node === body || !(opensFunction(node) || 'semicolon' in node))
      forEachChild(node, (child) => waiting.push(child));
  }
  return false;
}

export function opensFunction(node: ast.Node): boolean {
  return ['FunctionDecl', 'Lambda', 'FunctionExpr', 'Ability', 'Archetype', 'ImplDecl', 'MarkupSlot'].includes(
    node.kind,
  );
}

/** `Card({"title": "x"})`: a literal whose every key names a parameter is the object of properties itself. */
export function isLiteralOfProperties({ signature }: ast.FunctionDecl, args: readonly ast.Argument[]): boolean {
  const [first] = args;
  if (args.length !== 1 || first!.sort !== 'positional' || first!.value.kind !== 'DictExpr') return false;
  const { entries } = first!.value;
  const names = new Set(signature.params.map(({ name }) => name?.text));
  return entries.length > 0 && entries.every(({ key }) => key?.kind === 'StringLiteral' && names.has(key.value));
}

export function conventionOf(decl: ast.FunctionDecl, plan: ClientPlan): Convention {
  const { params, result } = decl.signature;
  if (params.length === 0) return 'none';
  const [first] = params;
  if (first?.name?.text === 'props' && (params.length === 1 || takesRef(params))) return 'props';
  if (mentionsMarkup(result)) return 'parts';
  const given = plan.tags.get(decl);
  if (given === undefined) return 'positions';
  return isObjectItself(params, given) ? 'props' : 'parts';
}

/** `def Guard(p: any) -> any { return p.children; }`: no tag gives a property of the name of the only parameter, which takes the object. */
function isObjectItself([first, ...others]: readonly ast.Param[], given: ReadonlySet<string>): boolean {
  if (first?.name === undefined || first.sort !== 'plain' || first.value !== undefined || others.length > 0)
    return false;
  const isOpen = first.type === undefined || (first.type.kind === 'NameRef' && /^(any|dict)$/.test(first.type.name));
  return isOpen && !given.has(first.name.text) && !given.has('**');
}

/** `(props, ref)` */
export function takesRef(params: readonly ast.Param[]): boolean {
  return params.length === 2 && params[1]?.name?.text === 'ref';
}

/** `(*rest, **named)`, or `(*rest, by=1)`: keywords come behind arguments of any number. */
export function takesAll({ params }: ast.Signature): boolean {
  const rest = params.findIndex(({ sort, name }) => sort === 'star' && name !== undefined);
  return rest >= 0 && params.slice(rest + 1).some(({ name }) => name !== undefined);
}

/** Parameters that take arguments by position, `*rest` among them; those behind it are given by name alone. */
export function placedParams({ params }: ast.Signature): readonly ast.Param[] {
  const rest = params.findIndex(({ sort, name }) => sort === 'star' && name !== undefined);
  return (rest < 0 ? params : params.slice(0, rest + 1)).filter(({ sort }) => sort === 'plain' || sort === 'star');
}

/** `has box: Ref = Ref();` is a reference to an element, not a cell of state. */
export function isRefCell({ type, value }: ast.HasItem): boolean {
  const named = type?.kind === 'Index' ? type.object : type;
  return (
    (named?.kind === 'NameRef' && named.name === 'Ref') ||
    (value?.kind === 'Call' && value.callee.kind === 'NameRef' && value.callee.name === 'Ref')
  );
}

/** Name of the function that sets the cell of state with this name. */
export function setterOf(name: string): string {
  return `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
