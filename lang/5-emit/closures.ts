/**
 * Functions made by running code: lambdas, function expressions, nested `def` (docs/language/expressions.md#lambdas),
 * and decorators.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, indented, line, localName, mark, newline, type Surroundings } from './context.ts';
import { expr, runtime, waited } from './expressions.ts';
import { heldSpec, type SpecSource } from './function-spec.ts';
import { type WrittenFunction, writeFunction } from './functions.ts';
import { identifier } from './identifiers.ts';
import { localCode } from './names.ts';

export function lambda(c: Cx, e: ast.Lambda): string {
  const noResult = e.signature.result?.kind === 'Constant' && e.signature.result.value === null;
  const isBlock = e.body.kind === 'Block';
  const { signature } = e;
  const source: SpecSource = {
    name: '<lambda>',
    qualname: localName(c, '<lambda>'),
    decl: e,
    signature,
    receivers: 0,
    local: true,
  };
  const written = writeFunction(c, {
    node: e,
    signature,
    body: e.body,
    async: false,
    result: 'plain',
    receivers: 0,
    singleResult: isBlock && !noResult,
    spec: source,
  });
  const arrow = arrowCode(written);
  const spec = heldSpec(c, source);
  const code = `$.closure(${mark(c, e)}${arrow}, ${spec})`;
  // Defaults belong to the moment the lambda is made.
  return written.before === ''
    ? code
    : `(() => {${indented(c, () => written.before + line(c, `return ${code};`))}${newline(c)}})()`;
}

function arrowCode(written: WrittenFunction): string {
  const { prefix, params, body, expression } = written;
  return expression !== undefined ? `${prefix}(${params}) => ${expression}` : `${prefix}(${params}) => ${body}`;
}

/** `(def name(x) { … })` */
export function functionExpression(c: Cx, decl: ast.FunctionDecl): string {
  const { written, spec } = writeNested(c, decl);
  const code = `$.closure(${arrowCode(written)}, ${spec})`;
  return written.before === ''
    ? code
    : `(() => {${indented(c, () => written.before + line(c, `return ${code};`))}${newline(c)}})()`;
}

function writeNested(c: Cx, decl: ast.FunctionDecl): { written: WrittenFunction; spec: string } {
  const joined = c.u.names.implOf(decl);
  const signature = joined?.signature ?? decl.signature;
  const name = decl.name?.text ?? '<function>';
  const specSource: SpecSource = { name, qualname: localName(c, name), decl, signature, receivers: 0, local: true };
  const written = writeFunction(c, {
    node: decl,
    signature,
    body: joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined),
    by: joined?.impl.body.by ?? (decl.body.kind === 'ByBody' ? decl.body.model : undefined),
    bodyNode: joined?.impl,
    async: decl.mods.async,
    coroutine: specSource.qualname,
    around: ofClassBody(c, decl),
    result: 'plain',
    receivers: 0,
    missing: decl.body.kind === 'AbstractBody' ? undefined : `${name} is declared without an implementation`,
    spec: specSource,
  });
  return { written, spec: heldSpec(c, specSource) };
}

/** Gives the surroundings of a function that the body of a class makes: `super()` means its first parameter. */
function ofClassBody(c: Cx, decl: ast.FunctionDecl): Surroundings {
  const binding = decl.name === undefined ? undefined : c.u.names.binding(decl.name);
  const first = decl.signature.params[0]?.name;
  if (binding?.sort !== 'local' || binding.scope.kind !== 'class' || first === undefined) return c;
  return { ...c, self: identifier(first.text), canSuper: false };
}

/** A `def` among statements: bound when it is executed. */
export function nestedFunction(c: Cx, decl: ast.FunctionDecl): string {
  if (decl.name === undefined) return '';
  const { written, spec } = writeNested(c, decl);
  const binding = c.u.names.binding(decl.name);
  const code = binding.sort === 'local' ? localCode(c.u, binding) : identifier(decl.name.text);
  const at = mark(c, decl.name, decl.name.text);
  const describe = binding.sort === 'local' ? 'closure' : 'func';
  let text = `${written.before}${line(c, `${at}${code} = ${arrowCode(written)};`)}${line(c, `$.${describe}(${code}, ${spec});`)}`;
  if (decl.decorators.length > 0) text += line(c, `${code} = ${decorated(c, decl, decl.decorators, code)};`);
  return text;
}

/** Decorators of `decl` are evaluated in order and applied from the last to the first. */
export function decorated(c: Cx, decl: ast.Node, decorators: readonly ast.Expression[], code: string): string {
  const apply = (at: ast.Expression, decorator: string, inner: string) =>
    waited(c, decl, `${mark(c, at)}${runtime(c, decl)}.call(${decorator}, ${inner})`);
  if (decorators.length === 1) return apply(decorators[0]!, expr(c, decorators[0]!), code);
  const codes = decorators.map((decorator) => expr(c, decorator));
  return codes.reduceRight((inner, decorator, i) => apply(decorators[i]!, decorator, inner), code);
}
