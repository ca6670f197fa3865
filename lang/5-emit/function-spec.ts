/** The record that describes a function to the runtime (`FunctionSpec` of core/archetypes/spec.ts). */
import type * as ast from '../1-parse/ast.ts';
import type { Cx } from './context.ts';
import { expr } from './expressions.ts';
import { quote } from './identifiers.ts';
import { isSimpleDefault } from './literals.ts';
import { typeRef } from './type-refs.ts';

export interface SpecSource {
  readonly name: string;
  readonly qualname: string;
  readonly decl: ast.FunctionDecl | ast.Lambda | ast.Ability;
  readonly signature: ast.Signature;
  readonly receivers: number;
  /** Inside a function: defaults and types of its scope cannot be named at module level. */
  readonly local: boolean;
}

export function functionSpec(c: Cx, source: SpecSource): string {
  const { decl, signature } = source;
  const parts = [
    `name: ${quote(source.name)}`,
    `qualname: ${quote(source.qualname)}`,
    `module: ${quote(moduleName(c))}`,
    `params: [${paramSpecs(c, source).join(', ')}]`,
    `result: ${typeRef(c, signature.result)}`,
  ];
  if (decl.kind !== 'Lambda') {
    if (decl.access !== undefined) parts.push(`access: ${quote(decl.access)}`);
    if (decl.mods.async) parts.push('async: true');
    if (decl.doc !== undefined) parts.push(`doc: ${quote(decl.doc.value)}`);
  }
  if (decl.kind !== 'Ability' && c.u.types.functionOf(decl).generator) parts.push('generator: true');
  const sem = semOf(c, source.qualname);
  if (sem !== undefined) parts.push(`sem: ${sem}`);
  parts.push(`at: ${quote(placeOf(c, (decl.kind === 'Lambda' ? undefined : decl.name) ?? decl))}`);
  return `{ ${parts.join(', ')} }`;
}

/** What `__module__` says; the entry module keeps its id, so that endpoints are recognised. */
export function moduleName(c: Cx): string {
  return c.u.id;
}

/** `file:line:column` */
export function placeOf(c: Cx, node: ast.Span): string {
  const { path, line, column } = c.u.position(c.u.file, node.start);
  return `${path}:${line}:${column}`;
}

/** The `sem` strings of a target and its parts; the target's own under the empty name. */
export function semOf(c: Cx, qualname: string): string | undefined {
  const { sem } = c.u;
  if (sem.size === 0) return undefined;
  const own = sem.get(qualname);
  const entries = own === undefined ? [] : [`"": ${own}`];
  const prefix = `${qualname}.`;
  for (const [target, text] of sem) {
    if (target.startsWith(prefix) && !target.slice(prefix.length).includes('.')) {
      entries.push(`${quote(target.slice(prefix.length))}: ${text}`);
    }
  }
  return entries.length === 0 ? undefined : `{ ${entries.join(', ')} }`;
}

function paramSpecs(c: Cx, source: SpecSource): string[] {
  const { params } = source.signature;
  const slash = params.findIndex((param) => param.sort === 'slash');
  let afterStar = false;
  const specs: string[] = [];
  params.forEach((param, i) => {
    if (param.sort === 'bare' || param.sort === 'star') afterStar = true;
    if (param.name === undefined || i < source.receivers) return;
    const kind =
      param.sort === 'star'
        ? 'args'
        : param.sort === 'doublestar'
          ? 'kwargs'
          : i < slash
            ? 'pos'
            : afterStar
              ? 'kw'
              : 'any';
    const parts = [`name: ${quote(param.name.text)}`, `kind: "${kind}"`, `type: ${typeRef(c, param.type)}`];
    if (param.value !== undefined) {
      const known = isSimpleDefault(param.value);
      // Other defaults are held by the function itself, which fills them when nothing is given.
      parts.push(`default: () => ${known ? expr(c, param.value) : 'undefined'}`);
    }
    specs.push(`{ ${parts.join(', ')} }`);
  });
  return specs;
}
