import type * as ast from '../1-parse/ast.ts';
import { enumBaseNames } from '../2-resolve/enum-classes.ts';
import { quote } from '../5-emit/identifiers.ts';
import { method } from './classes.ts';
import { type Cx, indented, inner, lang, line, mark } from './cx.ts';
import { expr, property } from './expressions.ts';

/** An enum of the client: members with name and value, equal to the values that the server sends for them. */
export function enumCode(c: Cx, decl: ast.EnumDecl, name: string): string {
  const members = decl.members ?? c.u.names.implOf(decl)?.impl.body.enumMembers ?? [];
  return `${mark(c, decl.name, decl.name.text)}const ${name} = ${enumValue(c, decl, members, decl.body)};`;
}

/** `class Color(Enum) { RED = 1; }` */
export function enumClassCode(c: Cx, decl: ast.Archetype, name: string): string {
  const parts = decl.members ?? [];
  const members = parts.flatMap((part) => {
    if (part.kind !== 'AssignStatement' || part.value === undefined) return [];
    return part.targets.flatMap((one) =>
      one.kind === 'NameRef' ? [{ name: { text: one.name }, value: part.value as ast.Expression }] : [],
    );
  });
  return `${mark(c, decl.name, decl.name.text)}const ${name} = ${enumValue(c, decl, members, parts)};`;
}

type Member = { readonly name: { readonly text: string }; readonly value: ast.Expression | undefined };

function enumValue(
  c: Cx,
  { name, bases }: ast.EnumDecl | ast.Archetype,
  members: readonly Member[],
  body: readonly ast.Node[],
): string {
  const baseNames = enumBaseNames(bases);
  let last = 0;
  const parts = members.map(({ name: { text }, value }) => {
    if (value?.kind === 'NumberLiteral') last = Number(value.value);
    else if (value === undefined || isAuto(value)) last += 1;
    const counted = baseNames.includes('StrEnum') ? quote(text.toLowerCase()) : String(last);
    return `${property(text)}: ${value === undefined || isAuto(value) ? counted : expr(c, value)}`;
  });
  const options = [...(isRaw(baseNames) ? ['raw: true'] : []), ...methodsOf(c, body)];
  const rest = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return `${lang(c.u, 'enumOf')}(${quote(name.text)}, { ${parts.join(', ')} }${rest})`;
}

/** Functions among the members, as a class that members take them from. */
function methodsOf(c: Cx, body: readonly ast.Node[]): string[] {
  const functions = body.filter((part) => part.kind === 'FunctionDecl') as ast.FunctionDecl[];
  if (functions.length === 0) return [];
  const inside: Cx = { ...inner(c, {}), self: 'this' };
  const text = indented(c, () => functions.map((one) => method(inside, one)).join(''));
  return [`methods: class {${text}${line(c, '}')}`];
}

const rawBases: ReadonlySet<string> = new Set(['IntEnum', 'StrEnum', 'IntFlag']);

/** `enum E: int` is shown as its values, `enum E(int, Enum)` as an enum (docs/language/enums.md#enums). */
function isRaw(baseNames: readonly string[]): boolean {
  const isPrimitive = (name: string) => /^(int|str|float|bool|[iu]\d+)$/.test(name);
  return baseNames.some((name) => rawBases.has(name)) || (baseNames.length > 0 && baseNames.every(isPrimitive));
}

function isAuto(e: ast.Expression): boolean {
  return e.kind === 'Call' && e.callee.kind === 'NameRef' && e.callee.name === 'auto';
}
