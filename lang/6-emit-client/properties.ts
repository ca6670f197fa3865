/** Attributes: members of objects, modules and classes, state of components by `self`. */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { declarationOf } from './calls.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, lang, mark } from './cx.ts';
import { expr, gen } from './expressions.ts';
import { identifier } from './identifier.ts';
import { bindingCode, localCode } from './names.ts';

export function propertyCode(c: Cx, e: ast.Attribute): Code {
  const own = ownOfComponent(c, e);
  if (own !== undefined) return code(own, P.primary);
  const member = memberOfModule(c, e);
  if (member !== undefined) return code(mark(c, e.name) + member, P.primary);
  const name = e.name.text;
  const owner = at(gen(c, e.object), P.call);
  if (name === '__class__') return code(`${lang(c.u, 'type')}(${owner})`, P.call);
  if (name === '__name__') return nameOf(c, e.object);
  if (name === 'hex' && isId(c, e.object)) return code(`${owner}.replaceAll("-", "")`, P.call);
  return code(`${owner}${e.safe ? '?.' : '.'}${mark(c, e.name)}${name}`, P.call);
}

/** `uuid.uuid4()`: a text here. */
function isId(c: Cx, e: ast.Expression): boolean {
  if (e.kind !== 'Call') return false;
  const name = e.callee.kind === 'Attribute' ? e.callee.object : e.callee;
  const binding = name.kind === 'NameRef' ? c.u.names.binding(name) : undefined;
  const target = binding?.sort === 'module' || binding?.sort === 'local' ? binding.import : undefined;
  return target?.of === 'builtin' && target.module === 'uuid';
}

/** `self.count` inside of a component: its state, or a function nested in it or beside it. Any other name outside of methods is one of the browser's `self`. */
export function ownOfComponent(c: Cx, e: ast.Attribute): string | undefined {
  if (e.object.kind !== 'SpecialRef' || e.object.word !== 'self' || c.self !== undefined) return undefined;
  const node = c.fn.component?.node;
  const { text } = e.name;
  const local = node === undefined ? undefined : c.u.names.scope(node).locals.get(text);
  if (local !== undefined) return localCode(c, local);
  return c.u.names.bindings.has(text) ? identifier(text) : undefined;
}

/** `kit.Card` of `import kit`: the declaration itself, so that bundlers see what is used. */
function memberOfModule(c: Cx, e: ast.Attribute): string | undefined {
  if (e.object.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e.object);
  if (binding.sort !== 'module' || binding.import?.of !== 'module') return undefined;
  const member =
    c.u.link.module(binding.import.module) && c.u.link.namesOf(binding.import.module).bindings.get(e.name.text);
  return member === undefined ? undefined : bindingCode(c, member);
}

/** `f.__name__`: bundles give declared functions other names. */
function nameOf(c: Cx, e: ast.Expression): Code {
  const decl = e.kind === 'NameRef' ? declarationOf(c, c.u.names.binding(e)) : undefined;
  if (decl?.kind === 'FunctionDecl' && decl.name !== undefined) return code(quote(decl.name.text), P.primary);
  return code(`${lang(c.u, 'nameOf')}(${expr(c, e)})`, P.call);
}
