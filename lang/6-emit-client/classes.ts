/** `obj` and `class` on the client: classes of JavaScript whose constructor takes the fields as one object. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { erasedModules } from '../2-resolve/client-modules.ts';
import { placedParams, takesAll } from '../2-resolve/components.ts';
import { isEnumClass } from '../2-resolve/enum-classes.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { quote } from '../5-emit/identifiers.ts';
import { parameters } from './components.ts';
import { type Cx, indented, inner, lang, line, mark } from './cx.ts';
import { enumClassCode } from './enums.ts';
import { apart, expr, property } from './expressions.ts';
import { functionBody, methodParts } from './functions.ts';
import { identifier } from './identifier.ts';
import { isExceptionName } from './names.ts';

export function classCode(c: Cx, decl: ast.Archetype, name: string): string {
  if (isEnumClass(decl)) return enumClassCode(c, decl, name);
  const joined = c.u.names.implOf(decl)?.impl;
  const members = [...(decl.members ?? []), ...(joined?.body.members ?? [])];
  const bases = decl.bases.length > 0 ? decl.bases : (joined?.bases ?? []);
  const base = baseCode(c, bases);
  const isException = bases[0]?.kind === 'NameRef' && isExceptionName(bases[0].name);
  const inside: Cx = { ...inner(c, {}), self: 'this', cls: decl };
  const body = indented(c, () => {
    const parts = [
      fieldList(inside, decl, members),
      constructorCode(inside, decl, members, base !== undefined, isException),
    ];
    for (const member of members) parts.push(memberCode(inside, member));
    if (members.some((member) => isShared(decl, member)))
      parts.push(line(inside, `static { ${lang(c.u, 'shared')}(this); }`));
    return parts.join('');
  });
  return `${mark(c, decl.name, decl.name.text)}class ${name}${base === undefined ? '' : ` extends ${base}`} {${body}${line(c, '}')}`;
}

function baseCode(c: Cx, bases: readonly ast.Expression[]): string | undefined {
  const list = bases.filter((base) => !isErased(c, base)).map((base) => expr(c, base));
  return list.length > 1 ? `${lang(c.u, 'mixed')}(${list.join(', ')})` : list[0];
}

/** `ABC`, `Generic[T]`: a base that says something to checkers alone. */
function isErased(c: Cx, base: ast.Expression): boolean {
  const name = base.kind === 'Index' ? base.object : base;
  if (name.kind !== 'NameRef') return false;
  const binding = c.u.names.binding(name);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  return target?.of === 'builtin' && erasedModules.has(target.module);
}

/** A member of the class itself, which its objects give too. */
function isShared({ archetype }: ast.Archetype, member: ast.Member): boolean {
  if (member.kind === 'HasDecl') return member.static || archetype === 'class';
  return member.kind === 'AssignStatement' || (member.kind === 'FunctionDecl' && isOfClass(member) !== undefined);
}

export function isOfClass({ mods, decorators }: ast.FunctionDecl): 'static' | 'class' | undefined {
  const has = (name: string) => decorators.some((one) => one.kind === 'NameRef' && one.name === name);
  if (mods.class || has('classmethod')) return 'class';
  return mods.static || has('staticmethod') ? 'static' : undefined;
}

/** Fields in the order of the constructor, for patterns, `repr` and arguments by position. */
function fieldList(c: Cx, decl: ast.Archetype, members: readonly ast.Member[]): string {
  if (constructorFields(members).length === 0) return '';
  // Those of its bases stand before its own.
  const names = c.u.types.classOf(decl).constructorFields.map(({ name }) => quote(name));
  return line(c, `static $fields = [${names.join(', ')}];`);
}

function constructorFields(members: readonly ast.Member[]): readonly ast.HasItem[] {
  return members.flatMap((member) =>
    member.kind === 'HasDecl' && !member.static
      ? member.items.filter(({ accessors, postinit }) => accessors === undefined && !postinit)
      : [],
  );
}

/** Is a class of the program derived from one of the browser or of a package? */
function isOfScript({ u }: Cx, { decl, module }: Pick<ClassInfo, 'decl' | 'module'>): boolean {
  const base = decl?.kind === 'Archetype' ? decl.bases[0] : undefined;
  const name = base?.kind === 'Attribute' ? base.object : base;
  if (name?.kind !== 'NameRef') return false;
  const binding = u.link.namesOf(module).binding(name);
  if (binding.sort === 'unresolved') return true;
  return (binding.sort === 'module' || binding.sort === 'local') && binding.import?.of === 'js';
}

/** `super.init(…);`, `super().__init__(…);` */
function isSuperInit(s: ast.Node): boolean {
  if (s.kind !== 'Call' || s.callee.kind !== 'Attribute') return false;
  const { object, name } = s.callee;
  const word = object.kind === 'Call' ? object.callee : object;
  return /^(__)?init(__)?$/.test(name.text) && word.kind === 'SpecialRef' && word.word === 'super';
}

/**
 * `{ … }` of the constructor of a class that has one of JavaScript above it, which takes its arguments at once: `super.init` is where the
 * object begins, what is said of `self` before comes behind it, and what the fields begin as (`defaults`) at once.
 */
function scriptBody(
  c: Cx,
  init: ast.FunctionDecl,
  block: ast.Block,
  defaults: readonly string[],
  ends: string,
): string {
  const begin = block.statements.findIndex((s) => s.kind === 'ExprStatement' && isSuperInit(s.expr));
  const early = block.statements.slice(0, Math.max(begin, 0));
  const isOfSelf = (s: ast.Statement) =>
    containsNode(s, (node) => node.kind === 'SpecialRef' || (node.kind === 'NameRef' && node.name === 'self'));
  const statements = [
    ...early.filter((s) => !isOfSelf(s)),
    ...block.statements.slice(early.length, begin + 1),
    ...early.filter(isOfSelf),
    ...block.statements.slice(begin + 1),
  ];
  const hasBegin = containsNode(block, isSuperInit);
  const head = hasBegin ? '' : indented(c, () => ['super()', ...defaults].map((part) => line(c, `${part};`)).join(''));
  const text = functionBody(inner(c, { isVoid: true, defaults }, { self: 'this' }), init, { ...block, statements });
  const end = line(c, '}');
  return `{${head}${text.slice(1, -end.length)}${ends}${end}`;
}

function constructorCode(
  c: Cx,
  decl: ast.Archetype,
  members: readonly ast.Member[],
  hasBase: boolean,
  isException: boolean,
): string {
  const init = members.find(
    (member): member is ast.FunctionDecl =>
      member.kind === 'FunctionDecl' && (member.name?.text === 'init' || member.name?.text === '__init__'),
  );
  const fields = constructorFields(members);
  const after = members.some(
    (member) =>
      member.kind === 'FunctionDecl' && (member.name?.text === 'postinit' || member.name?.text === '__post_init__'),
  );
  const ends = after ? indented(c, () => line(c, postinitCall(decl))) : '';
  if (init !== undefined) {
    const signature = c.u.names.implOf(init)?.signature ?? init.signature;
    const skipped = signature.params[0]?.name?.text === 'self' ? 1 : 0;
    const defaults = indented(c, () =>
      fields.flatMap(({ name, value }) => (value === undefined ? [] : [`this.${name.text} = ${apart(c, value)}`])),
    );
    const params = parameters(c, signature, skipped);
    const names = (takesAll(signature) ? placedParams(signature) : signature.params)
      .slice(skipped)
      .flatMap(({ sort, name }) =>
        name === undefined ? [] : [`${sort === 'star' ? '...' : ''}${identifier(name.text)}`],
      );
    const own = identifier(decl.name.text);
    const block = c.u.names.implOf(init)?.body ?? (init.body.kind === 'Block' ? init.body : undefined);
    const cls = c.u.types.classOf(decl);
    if (block !== undefined && [cls, ...cls.bases].some((one) => isOfScript(c, one)))
      return line(c, `constructor(${params}) ${scriptBody(c, init, block, defaults, ends)}`);
    const begins = indented(c, () => [...(hasBase ? ['super()'] : []), ...defaults].map((part) => line(c, `${part};`)));
    const body = block === undefined ? '{}' : functionBody(inner(c, { isVoid: true }, { self: 'this' }), init, block);
    return (
      line(c, `constructor(${params}) {${begins.join('')}`) +
      // A base leaves what its heir does otherwise to the heir.
      indented(c, () => line(c, `if (this.$init === ${own}.prototype.$init) this.$init(${names.join(', ')});`)) +
      ends +
      line(c, '}') +
      line(c, `$init(${params}) ${body}`)
    );
  }
  if (isException && fields.length === 0) return '';
  if (fields.length === 0 && !after) return '';
  if (decl.archetype === 'class' && !after)
    return fields
      .map((item) => line(c, `static ${item.name.text} = ${item.value === undefined ? 'null' : apart(c, item.value)};`))
      .join('');
  if (!hasBase && !after && canTakeApart(fields)) {
    const parts = fields.map(({ name, value }) => {
      const local = identifier(name.text);
      return `${local === name.text ? local : `${name.text}: ${local}`} = ${value === undefined ? 'null' : apart(c, value)}`;
    });
    const sets = indented(c, () =>
      fields.map(({ name }) => line(c, `this.${name.text} = ${identifier(name.text)};`)).join(''),
    );
    return line(c, `constructor({ ${parts.join(', ')} } = {}) {${sets}${line(c, '}')}`);
  }
  const body = indented(c, () => {
    const lines = hasBase ? [line(c, isException ? 'super(...$rest);' : 'super(fields);')] : [];
    for (const item of fields) {
      const value = item.value === undefined ? 'null' : apart(c, item.value);
      const name = item.name.text;
      lines.push(line(c, `this.${name} = fields.${name} !== undefined ? fields.${name} : ${value};`));
    }
    if (after) lines.push(line(c, postinitCall(decl)));
    return lines.join('');
  });
  return line(c, `constructor(fields = {}${isException ? ', ...$rest' : ''}) {${body}${line(c, '}')}`);
}

/** May the fields be parameters? Not where a default names one of them: it would mean the parameter. */
function canTakeApart(fields: readonly ast.HasItem[]): boolean {
  const names = new Set(fields.map(({ name }) => name.text));
  return fields.every(
    ({ value }) =>
      value === undefined ||
      !containsNode(value, (node) => (node.kind === 'NameRef' && names.has(node.name)) || node.kind === 'SpecialRef'),
  );
}

function postinitCall(decl: ast.Archetype): string {
  return `if (this.postinit === ${identifier(decl.name.text)}.prototype.postinit) this.postinit();`;
}

function memberCode(c: Cx, member: ast.Member): string {
  switch (member.kind) {
    case 'FunctionDecl':
      return method(c, member);
    case 'HasDecl':
      return member.items
        .map((item) => {
          if (item.accessors !== undefined)
            return item.accessors.map((accessor) => accessorCode(c, item, accessor)).join('');
          return member.static
            ? line(c, `static ${item.name.text} = ${item.value === undefined ? 'null' : apart(c, item.value)};`)
            : '';
        })
        .join('');
    case 'AssignStatement': {
      const [target] = member.targets;
      return target?.kind === 'NameRef'
        ? line(c, `static ${target.name} = ${member.value === undefined ? 'null' : apart(c, member.value)};`)
        : '';
    }
    case 'Archetype':
      return line(c, `static ${member.name.text} = ${classCode(c, member, identifier(member.name.text))};`);
    default:
      return '';
  }
}

export function method(c: Cx, decl: ast.FunctionDecl): string {
  const name = decl.name?.text ?? '';
  if (name === 'init' || name === '__init__') return '';
  const has = (name: string) => decl.decorators.some((one) => one.kind === 'NameRef' && one.name === name);
  const sort = isOfClass(decl);
  const signature = c.u.names.implOf(decl)?.signature ?? decl.signature;
  const [first] = signature.params;
  const takesClass = sort === 'class' && (has('classmethod') || first?.name?.text === 'cls');
  const skipped = first?.name?.text === 'self' || takesClass ? 1 : 0;
  const cls = takesClass ? c.u.names.scope(decl).locals.get(first?.name?.text ?? '') : undefined;
  if (cls !== undefined) c.u.renamed.set(cls, 'this');
  const self = sort === 'static' ? undefined : 'this';
  const { prefix, star, params, body } = methodParts(c, decl, { self }, skipped);
  const isProperty = has('property');
  const isSetter = decl.decorators.some((one) => one.kind === 'Attribute' && one.name.text === 'setter');
  const word = isProperty ? 'get ' : isSetter ? 'set ' : `${sort === undefined ? '' : 'static '}${prefix}${star}`;
  const written = name === '__post_init__' ? 'postinit' : property(name);
  return line(c, `${word}${written}(${params}) ${body}`);
}

function accessorCode(c: Cx, item: ast.HasItem, accessor: ast.Accessor): string {
  const body = c.u.names.implOf(accessor)?.body ?? accessor.body;
  if (body === undefined || accessor.sort === 'deleter') return '';
  const signature = c.u.names.implOf(accessor)?.signature ?? accessor.signature;
  const at = inner(c, { isVoid: accessor.sort === 'setter' }, { self: 'this' });
  const [first] = signature.params.filter(({ name }) => name?.text !== 'self');
  const params = accessor.sort === 'setter' ? identifier(first?.name?.text ?? 'value') : '';
  return line(
    c,
    `${accessor.sort === 'getter' ? 'get' : 'set'} ${item.name.text}(${params}) ${functionBody(at, accessor, body)}`,
  );
}
