/** The record that describes a function to the runtime (`FunctionSpec` of library/classes/spec.ts). */
import type * as ast from '../1-parse/ast.ts';
import { declaredName } from '../2-resolve/names.ts';
import { type Cx, constant } from './context.ts';
import { expr } from './expressions.ts';
import { quote } from './identifiers.ts';
import { isSimpleDefault } from './literals.ts';
import { isProgram } from './names.ts';
import { namesLocalType, typeRef } from './type-refs.ts';

export interface SpecSource {
  readonly name: string;
  readonly qualname: string;
  readonly decl: ast.FunctionDecl | ast.Lambda | ast.Ability;
  readonly signature: ast.Signature;
  readonly receivers: number;
  /** A method of a `class` or an enum that declares no receiver. */
  readonly bare?: boolean;
  /** A class method. */
  readonly ofClass?: boolean;
  /** Inside a function: defaults and types of its scope cannot be named at module level. */
  readonly local: boolean;
}

export function functionSpec(c: Cx, source: SpecSource): string {
  return c.u.described.get(source.decl) ?? specText(c, source);
}

/** The record of a function made by running code: a constant, unless it speaks of variables of the function around. */
export function heldSpec(c: Cx, source: SpecSource): string {
  const { signature } = source;
  const isLocal = namesLocalType(c, signature) || signature.params.some((param) => c.u.defaults.has(param));
  const spec = functionSpec(c, source);
  return isLocal ? spec : constant(c.u, 's', spec);
}

/** The specification of a method as a function that takes the receiver too. */
export function withReceiver(spec: string): string {
  return spec.replace('params: [', 'params: [{ name: "self", kind: "any", type: { t: "any" } }, ');
}

/** The record itself, where `functionSpec` may give the name of a constant that holds it. */
export function specText(c: Cx, source: SpecSource): string {
  const { decl, signature } = source;
  let text = `{ name: ${quote(source.name)}, qualname: ${quote(source.qualname)}, module: ${quote(moduleName(c))}, `;
  text += `params: [${paramSpecs(c, source)}], result: ${typeRef(c, signature.result)}`;
  if (decl.kind !== 'Lambda') {
    if (decl.access !== undefined) text += `, access: ${quote(decl.access)}`;
    if (c.u.options.isRemote?.(decl) === true) text += ', endpoint: true';
    if (decl.mods.async) text += ', async: true';
    else if (
      decl.kind !== 'Ability' &&
      c.u.debugging !== undefined &&
      c.u.types.suspends(decl) &&
      !c.u.types.functionOf(decl).generator
    )
      text += ', waits: true';
    if (source.bare === true) text += ', bare: true';
    if (source.ofClass === true) text += ', ofClass: true';
    text += docText(c, decl);
  }
  if (isProgram(c.u)) text += ', main: true';
  if (decl.kind !== 'Ability' && c.u.types.functionOf(decl).generator) text += ', generator: true';
  const sem = semOf(c, source.qualname);
  if (sem !== undefined) text += `, sem: ${sem}`;
  return `${text}, at: ${quote(placeOf(c, (decl.kind === 'Lambda' ? undefined : decl.name) ?? decl))} }`;
}

/** The documentation of a declaration, which may stand in front of its `impl`. */
export function docText(c: Cx, decl: ast.FunctionDecl | ast.Ability | ast.Archetype | ast.EnumDecl): string {
  const doc = decl.doc ?? c.u.names.implOf(decl)?.impl.doc;
  return doc === undefined ? '' : `, doc: ${quote(doc.value)}`;
}

/** Gives the text of `__module__`; the entry module keeps its id, so that endpoints are recognised. */
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
  const entries: string[] = [];
  for (const name of spellings(qualname.replace(/^.*\.<locals>\./, ''))) {
    const own = sem.get(name);
    if (own !== undefined) entries.push(`"": ${own}`);
    const prefix = `${name}.`;
    for (const [target, text] of sem) {
      if (target.startsWith(prefix) && !target.slice(prefix.length).includes('.')) {
        entries.push(`${quote(target.slice(prefix.length))}: ${text}`);
      }
    }
  }
  return entries.length === 0 ? undefined : `{ ${entries.join(', ')} }`;
}

// A constructor may be named either way.
function spellings(qualname: string): readonly string[] {
  return qualname.endsWith('.__init__') ? [qualname, qualname.replace(/__init__$/, 'init')] : [qualname];
}

function paramSpecs(c: Cx, source: SpecSource): string {
  const { params } = source.signature;
  const slash = params.findIndex((param) => param.sort === 'slash');
  let afterStar = false;
  let specs = '';
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
    const name = declaredName(param) ?? '';
    const also = name === param.name.text ? '' : `, also: ${quote(param.name.text)}`;
    specs += `${specs === '' ? '' : ', '}{ name: ${quote(name)}${also}, kind: "${kind}", type: ${typeRef(c, param.type)}`;
    if (param.value !== undefined) {
      const known = isSimpleDefault(param.value);
      // Other defaults are held by the function itself, which fills them when nothing is given.
      specs += `, default: () => ${known ? expr(c, param.value) : (c.u.defaults.get(param) ?? 'undefined')}`;
    }
    specs += ' }';
  });
  return specs;
}
