import type * as ast from '../1-parse/ast.ts';
import { enumBaseNames } from '../2-resolve/enum-classes.ts';
import { quote } from '../5-emit/identifiers.ts';
import { mainType } from '../5-emit/kinds.ts';
import { method } from './classes.ts';
import { type Code, code, P } from './code.ts';
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

/**
 * `value` or `name` of what is declared as a member of an enum: in an answer of the server its value stands for it
 * (docs/language/client.md#calls-to-the-server).
 */
export function memberPart(c: Cx, e: ast.Attribute): Code | undefined {
  const part = e.name.text;
  if (part !== 'value' && part !== 'name') return undefined;
  const type = mainType(c.u.types.of(e.object));
  const decl = type.t === 'instance' && type.cls.kind === 'enum' ? type.cls.decl : undefined;
  const isWritten = e.object.kind === 'Attribute' && c.u.types.of(e.object.object).t === 'class';
  if (decl?.kind !== 'EnumDecl' || decl.members === undefined || isWritten) return undefined;
  if (part === 'value') return code(`${lang(c.u, 'valueOfMember')}(${expr(c, e.object)})`, P.call);
  const isPlain = ({ value }: Member) =>
    value === undefined || isAuto(value) || value.kind === 'NumberLiteral' || value.kind === 'StringLiteral';
  if (!decl.members.every(isPlain)) return undefined;
  const names = valuesOf(c, decl, decl.members).map(([name, value]) => `[${value}]: ${quote(name)}`);
  return code(`${lang(c.u, 'nameOfMember')}(${expr(c, e.object)}, { ${names.join(', ')} })`, P.call);
}

type Member = { readonly name: { readonly text: string }; readonly value: ast.Expression | undefined };

function enumValue(
  c: Cx,
  { name, bases }: ast.EnumDecl | ast.Archetype,
  members: readonly Member[],
  body: readonly ast.Node[],
): string {
  const baseNames = enumBaseNames(bases);
  const parts = valuesOf(c, { bases }, members).map(([text, value]) => `${property(text)}: ${value}`);
  const options = [...(isRaw(baseNames) ? ['raw: true'] : []), ...methodsOf(c, body)];
  const rest = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return `${lang(c.u, 'enumOf')}(${quote(name.text)}, { ${parts.join(', ')} }${rest})`;
}

/** Names of members with the code of their values. */
function valuesOf(
  c: Cx,
  { bases }: Pick<ast.EnumDecl, 'bases'>,
  members: readonly Member[],
): (readonly [string, string])[] {
  const isStr = enumBaseNames(bases).includes('StrEnum');
  let last = 0;
  return members.map(({ name: { text }, value }) => {
    if (value?.kind === 'NumberLiteral') last = Number(value.value);
    else if (value === undefined || isAuto(value)) last += 1;
    const counted = isStr ? quote(text.toLowerCase()) : String(last);
    return [text, value === undefined || isAuto(value) ? counted : expr(c, value)];
  });
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
