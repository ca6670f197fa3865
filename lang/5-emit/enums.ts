/** Enumerations (docs/language/enums.md#enums). */
import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { baseClass } from './bases.ts';
import { decorated } from './closures.ts';
import { adoptTemps, type ClassCx, type Cx, indented, line, mark, nested, type Unit, unique } from './context.ts';
import { expr } from './expressions.ts';
import { docText, functionSpec, placeOf, semOf } from './function-spec.ts';
import { writeFunction } from './functions.ts';
import { identifier, methodName, quote } from './identifiers.ts';
import { methodForm, receiverOf } from './methods.ts';
import { isProgram, localCode } from './names.ts';
import { statement } from './statements.ts';

/** An enum among statements. */
export function localEnum(c: Cx, decl: ast.EnumDecl): string {
  const binding = c.u.names.binding(decl.name);
  const code = binding.sort === 'local' ? localCode(c.u, binding) : identifier(decl.name.text);
  return enumCode(c, decl, code, `${code} = `);
}

/** Do values of the enum need variables, which have theirs only when the module runs? Such an enum is made at its place, as in Python. */
export function isLateEnum(u: Unit, decl: ast.EnumDecl, asking: ReadonlySet<ast.Node> = new Set()): boolean {
  if (asking.has(decl)) return false;
  const members = decl.members ?? u.names.implOf(decl)?.impl.body.enumMembers ?? [];
  const all = new Set([...asking, decl]);
  return members.some(({ value }) => value !== undefined && asksVariables(u, value, all));
}

function asksVariables(u: Unit, node: ast.Node, asking: ReadonlySet<ast.Node>): boolean {
  if (node.kind === 'NameRef') {
    const binding = u.names.binding(node);
    if (binding.sort !== 'module') return false;
    const { import: from } = binding;
    const found = from?.of === 'member' ? u.options.member?.(from.module, from.member) : binding;
    if (found?.decl?.kind === 'EnumDecl')
      return found.module === u.id ? isLateEnum(u, found.decl, asking) : !found.decl.members?.every(isPlain);
    return found?.role === 'glob' || found?.role === 'entry';
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= asksVariables(u, child, asking);
  });
  return found;
}

/** Decorators of the program's own may use what the module makes when it runs, so they wait for the place of the enum. */
export function hasLateDecorators(u: Unit, decl: ast.EnumDecl): boolean {
  return decl.decorators.some((e) => {
    let root = e;
    while (root.kind === 'Call' || root.kind === 'Attribute') root = root.kind === 'Call' ? root.callee : root.object;
    const binding = root.kind === 'NameRef' ? u.names.binding(root) : undefined;
    return binding?.sort === 'module' && binding.module === u.id && binding.role !== 'import';
  });
}

export function enumDecorators(c: Cx, decl: ast.EnumDecl, code: string): string {
  return decl.decorators.length === 0 ? '' : line(c, `${code} = ${decorated(c, decl, decl.decorators, code)};`);
}

function isPlain({ value }: ast.EnumMember): boolean {
  return value === undefined || value.kind === 'NumberLiteral' || value.kind === 'StringLiteral';
}

export function enumCode(c: Cx, decl: ast.EnumDecl, code: string, head: string, isDecorated = true): string {
  const joined = c.u.names.implOf(decl);
  const members = decl.members ?? joined?.impl.body.enumMembers ?? [];
  const info = c.u.types.classOf(decl);
  const { base, primitives } = basesOf(c, decl.bases);
  const cls: ClassCx = {
    name: decl.name.text,
    info,
    kind: 'enum',
    qualname: decl.name.text,
    code,
    hasBase: true,
    baseCode: base,
  };
  c.u.classCode.set(decl, code);
  const around = { ...c, cls, self: undefined, canSuper: false };
  const inner = nested(c, c.isAsync, 'plain', { around, isTop: c.isTop });
  const body: string[] = [];
  const after: string[] = [];
  for (const member of decl.body) {
    if (member.kind === 'FunctionDecl') writeMethod(inner, cls, member, body, after);
    else if (member.kind === 'EntryBlock') for (const s of member.body.statements) after.push(statement(inner, s));
  }
  const name = head.includes('=') ? ` ${identifier(decl.name.text)}` : '';
  const open = head === '' ? `class ${code}` : `${head}class${name}`;
  const values = memberValues(inner, decl, members);
  const parts = [`name: ${quote(decl.name.text)}`, `module: ${quote(c.u.id)}`, `members: [${values.pairs.join(', ')}]`];
  if (isProgram(c.u)) parts.push('main: true');
  if (primitives.length > 0) parts.push(`bases: [${primitives.map(quote).join(', ')}]`);
  const doc = docText(c, decl);
  if (doc !== '') parts.push(doc.slice(2));
  if (decl.access !== undefined) parts.push(`access: "${decl.access}"`);
  const sem = semOf(c, decl.name.text);
  if (sem !== undefined) parts.push(`sem: ${sem}`);
  const boundary = decl.keywords.find(({ name }) => name?.text === 'boundary');
  if (boundary !== undefined) parts.push(`boundary: ${expr(inner, boundary.value)}`);
  parts.push(`at: ${quote(placeOf(c, decl.name))}`);
  const register = `${mark(c, decl)}$.enumeration(${code}, { ${parts.join(', ')} });`;
  adoptTemps(c, inner);
  return (
    line(c, `${mark(c, decl.name, decl.name.text)}${open} extends ${base} {`) +
    body.join('') +
    line(c, head.includes('=') ? '};' : '}') +
    values.before +
    line(c, register) +
    after.join('') +
    (isDecorated ? enumDecorators(c, decl, code) : '')
  );
}

const primitiveNames = new Set(['int', 'str', 'float', 'bool']);

// `int` and `str` as bases make members behave as such values; a class of its own is extended.
function basesOf(c: Cx, bases: readonly ast.Expression[]): { base: string; primitives: string[] } {
  const primitives: string[] = [];
  const codes: string[] = [];
  let base = '$.Enum';
  for (const e of bases) {
    if (e.kind === 'NameRef' && primitiveNames.has(e.name)) primitives.push(e.name);
    else if (e.kind === 'NameRef' && /^[iu]\d+$/.test(e.name)) primitives.push('int');
    else {
      const [code] = baseClass(c, e);
      const known = e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '';
      if (/^(Enum|IntEnum|StrEnum|Flag|IntFlag)$/.test(known)) base = `$.${known}`;
      else if (code !== undefined) codes.push(code);
    }
  }
  // `(str, Enum)`, by whatever name: members are shown as those of an enum.
  if (primitives.length > 0 && primitives.length < bases.length) primitives.push('Enum');
  if (codes.length > 0) base = `$.enumBase(${[...codes, ...(base === '$.Enum' ? [] : [base])].join(', ')})`;
  return { base, primitives };
}

// A value may name members before it: inside the class they are plain values.
function memberValues(
  c: Cx,
  decl: ast.EnumDecl,
  members: readonly ast.EnumMember[],
): { before: string; pairs: string[] } {
  const locals = c.u.names.scope(decl).locals;
  const refers = members.some((member) => member.value !== undefined && !isConstant(member.value));
  let before = '';
  const pairs = members.map((member) => {
    if (member.value === undefined) return `[${quote(member.name.text)}]`;
    const code = expr(c, member.value);
    if (!refers) return `[${quote(member.name.text)}, ${code}]`;
    const held = unique(c.u, 'v');
    before += line(c, `const ${held} = ${code};`);
    const binding = locals.get(member.name.text);
    if (binding !== undefined) c.u.renamed.set(binding, held);
    return `[${quote(member.name.text)}, ${held}]`;
  });
  for (const member of members) {
    const binding = locals.get(member.name.text);
    if (binding !== undefined) c.u.renamed.delete(binding);
  }
  return { before, pairs };
}

function isConstant(e: ast.Expression): boolean {
  return e.kind === 'NumberLiteral' || e.kind === 'StringLiteral' || e.kind === 'Constant' || e.kind === 'Unary';
}

function writeMethod(c: Cx, cls: ClassCx, decl: ast.FunctionDecl, body: string[], after: string[]): void {
  if (decl.name === undefined) return;
  const { sort, decorators } = methodForm(decl);
  const joined = c.u.names.implOf(decl);
  const signature = joined?.signature ?? decl.signature;
  const name = methodName(decl.name.text);
  const receiver = receiverOf(decl, signature, 'enum', sort);
  const spec = {
    name: decl.name.text,
    qualname: `${cls.qualname}.${decl.name.text}`,
    decl,
    signature,
    receivers: receiver.count,
    bare: sort === 'method' && signature.params.length === 0,
    local: false,
  };
  const written = indented(c, () =>
    writeFunction(c, {
      node: decl,
      signature,
      body: joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined),
      by: decl.body.kind === 'ByBody' ? decl.body.model : joined?.impl.body.by,
      bodyNode: joined?.impl,
      async: decl.mods.async,
      coroutine: sort === 'getter' ? undefined : spec.qualname,
      result: 'plain',
      receivers: receiver.count,
      declared: true,
      receiverName: receiver.name,
      around: { ...c, cls, self: sort === 'static' ? undefined : 'this', canSuper: sort !== 'static' },
      missing: `${cls.name}.${decl.name!.text} is declared without an implementation`,
      spec,
    }),
  );
  const isStatic = sort === 'static' || sort === 'class';
  after.push(written.before);
  const head =
    sort === 'getter' ? `get ${name}()` : `${isStatic ? 'static ' : ''}${written.prefix}${name}(${written.params})`;
  body.push(indented(c, () => line(c, `${mark(c, decl.name!, decl.name!.text)}${head} ${written.body}`)));
  if (sort === 'getter') return;
  const holder = isStatic ? `${cls.code}.${name}` : `${cls.code}.prototype.${name}`;
  after.push(line(c, `$.func(${holder}, ${functionSpec(c, spec)});`));
  if (decorators.length > 0) after.push(line(c, `${holder} = ${decorated(c, decl, decorators, holder)};`));
}
