/**
 * Classes of the program (docs/language/archetypes.md#kinds, docs/language/walkers.md#abilities): a JavaScript class
 * with methods and abilities, then what the runtime is told about them. Descriptions of methods come before the class
 * is registered, because registration reads the one of `init`.
 */
import type * as ast from '../1-parse/ast.ts';
import { bindersIn, namesOfTarget } from '../2-resolve/target-names.ts';
import { isAsyncWalker } from '../3-infer/read/spawn.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { writeAbility } from './abilities.ts';
import { extendsCode, isProtocol } from './bases.ts';
import { keywordCode } from './calls.ts';
import { decorated } from './closures.ts';
import {
  adoptTemps,
  type ClassCx,
  type Cx,
  inFile,
  line,
  localName,
  mark,
  nested,
  type Surroundings,
  spelling,
  standardModule,
  unique,
} from './context.ts';
import { enumCode, isLateEnum } from './enums.ts';
import { expr } from './expressions.ts';
import { writeField } from './fields.ts';
import { docText, placeOf, semOf } from './function-spec.ts';
import { identifier, property, quote } from './identifiers.ts';
import { writeMethod } from './methods.ts';
import { isProgram, localCode } from './names.ts';
import { statement } from './statements.ts';

/** A class as it is being written. */
export interface Writing {
  readonly c: Cx;
  readonly decl: ast.Archetype;
  readonly cls: ClassCx;
  /** Lines of the class body. */
  readonly body: string[];
  /** `$.func` lines and the like, behind the class and in front of its registration. */
  readonly before: string[];
  readonly fields: string[];
  readonly abilities: string[];
  readonly abstract: string[];
  /** Lines behind the registration. */
  readonly after: string[];
  /** Statements that belong to the textual position of the declaration: class attributes and decorators. */
  readonly deferred: string[];
  unnamed: number;
}

export interface WrittenClass {
  /** The class and its registration. */
  readonly text: string;
  /** Code that runs where the declaration stands. */
  readonly deferred: string;
}

/** A class among statements. */
export function localArchetype(c: Cx, decl: ast.Archetype): string {
  const binding = c.u.names.binding(decl.name);
  const code = binding.sort === 'local' ? localCode(c.u, binding) : identifier(decl.name.text);
  const { text, deferred } = archetypeCode(c, decl, code, `${code} = `, localName(c, decl.name.text));
  return text + deferred;
}

/** `head` is what stands in front of `class`; `code` names the class afterwards. */
export function archetypeCode(c: Cx, decl: ast.Archetype, code: string, head: string, qualname: string): WrittenClass {
  const info = c.u.types.classOf(decl);
  const joined = c.u.names.implOf(decl);
  const members = lastOfEach(decl.members ?? joined?.impl.body.members ?? []);
  const bases = decl.bases.length > 0 ? decl.bases : (joined?.impl.bases ?? []);
  const baseCode = extendsCode(c, decl, bases, info);
  const kind = decl.archetype;
  const isInMethod = c.self === 'this' && c.cls?.selfWord === undefined;
  const outerSelf = isInMethod ? unique(c.u, 'self') : (c.cls?.selfWord ?? c.cls?.outerSelf);
  const cls: ClassCx = {
    name: decl.name.text,
    info,
    kind,
    qualname,
    code,
    hasBase: bases.length > 0,
    baseCode,
    outerSelf,
  };
  c.u.classCode.set(decl, code);
  const { here, visitor, walk, ability } = c;
  const around: Surroundings = { cls, self: undefined, here, visitor, walk, ability, canSuper: false };
  const inner = nested(c, c.isAsync, 'plain', { around, isTop: c.isTop });
  const w: Writing = {
    c: inner,
    decl,
    cls,
    body: [],
    before: [],
    fields: [],
    abilities: [],
    abstract: [],
    after: [],
    deferred: [],
    unnamed: 0,
  };
  const write = () => {
    for (const member of members) writeMember(w, member, info);
  };
  if (decl.members === undefined && joined !== undefined) inFile(c.u, joined.impl, write);
  else write();
  const simpleName = head.includes('.') || head.includes('=') ? ` ${identifier(decl.name.text)}` : '';
  const open = head === '' ? `class ${code}` : `${head}class${simpleName}`;
  let text =
    (isInMethod ? line(c, `const ${outerSelf} = this;`) : '') +
    line(c, `${mark(c, decl.name, spelling(decl.name))}${open} extends ${baseCode} {`) +
    w.body.join('') +
    line(c, head.includes('=') ? '};' : '}');
  text += w.before.join('') + line(c, `${mark(c, decl)}$.archetype(${code}, ${archetypeSpec(w)});`) + w.after.join('');
  if (bases.some((base) => isProtocol(c, base)))
    text += line(c, `${standardModule(c.u, 'svclang.protocols')}.protocol(${code});`);
  const decorators =
    decl.decorators.length === 0 ? '' : line(c, `${code} = ${decorated(c, decl, decl.decorators, code)};`);
  adoptTemps(c, inner);
  const keywords = classKeywords(c, decl.keywords);
  const isBare = w.deferred.length === 0 && bases.length === 0 && keywords === undefined;
  const settled = isBare ? '' : line(c, `$.settle(${keywords === undefined ? code : `${code}, ${keywords}`});`);
  return { text, deferred: w.deferred.join('') + settled + decorators };
}

/** Gives the code of the keywords of a class besides its bases; a metaclass that is left is one without effect. */
function classKeywords(c: Cx, keywords: readonly ast.Argument[]): string | undefined {
  if (keywords.length === 0) return undefined;
  const given = keywords.filter(({ name }) => name?.text !== 'metaclass');
  return keywordCode(
    given,
    given.map(({ value }) => expr(c, value)),
  );
}

/**
 * Keeps the last of several abilities or fields of one name, at the place of the first, as in the body of a class of
 * Python.
 */
function lastOfEach(members: readonly ast.Member[]): readonly ast.Member[] {
  if (!repeatsName(members)) return members;
  const split = members.flatMap((member): readonly ast.Member[] =>
    member.kind === 'HasDecl' ? member.items.map((item) => ({ ...member, items: [item] })) : [member],
  );
  const last = new Map<string, ast.Member>();
  for (const member of split) for (const name of repeatable(member)) last.set(name, member);
  return split.flatMap((member) => {
    const [name] = repeatable(member);
    if (name === undefined) return [member];
    const kept = last.get(name);
    last.delete(name);
    return kept ?? [];
  });
}

function repeatsName(members: readonly ast.Member[]): boolean {
  const names: string[] = [];
  for (const member of members) {
    if (member.kind === 'HasDecl') for (const { name } of member.items) names.push(name.text);
    else if (member.kind === 'Ability') names.push(...repeatable(member));
  }
  // Most classes have few names.
  if (names.length > 16) return new Set(names).size < names.length;
  return names.some((name, i) => names.indexOf(name) < i);
}

function repeatable(member: ast.Member): readonly string[] {
  if (member.kind === 'HasDecl') return member.items.map(({ name }) => name.text);
  return member.kind === 'Ability' && member.name !== undefined ? [`can ${member.name.text}`] : none;
}

const none: readonly string[] = [];

function archetypeSpec(w: Writing): string {
  const { c, decl, cls } = w;
  let text = `{ kind: "${decl.archetype}", name: ${quote(cls.name)}, module: ${quote(c.u.id)}`;
  if (cls.qualname !== cls.name) text += `, qualname: ${quote(cls.qualname)}`;
  if (isProgram(c.u)) text += ', main: true';
  text += docText(c, decl);
  if (decl.access !== undefined) text += `, access: "${decl.access}"`;
  if (decl.async || (cls.info !== undefined && isAsyncWalker(cls.info))) text += ', async: true';
  text += `, fields: [${w.fields.join(', ')}], abilities: [${w.abilities.join(', ')}]`;
  if (w.abstract.length > 0) text += `, abstract: [${w.abstract.map(quote).join(', ')}]`;
  const sem = semOf(c, cls.qualname);
  if (sem !== undefined) text += `, sem: ${sem}`;
  return `${text}, at: ${quote(placeOf(c, decl.name))} }`;
}

function writeMember(w: Writing, member: ast.Member, info: ClassInfo): void {
  switch (member.kind) {
    case 'HasDecl':
      for (const item of member.items) writeField(w, member, item);
      return;
    case 'FunctionDecl':
      writeMethod(w, member, info);
      return;
    case 'Ability':
      writeAbility(w, member);
      return;
    case 'Archetype': {
      const code = `${w.cls.code}.${property(member.name.text)}`;
      const written = archetypeCode(w.c, member, code, `${code} = `, `${w.cls.qualname}.${member.name.text}`);
      w.after.push(written.text);
      w.deferred.push(written.deferred);
      return;
    }
    case 'EnumDecl': {
      const code = `${w.cls.code}.${property(member.name.text)}`;
      const place = w.c.isTop && isLateEnum(w.c.u, member) ? w.deferred : w.after;
      place.push(enumCode(w.c, member, code, `${code} = `));
      return;
    }
    case 'EntryBlock':
      for (const s of member.body.statements) w.deferred.push(statement(w.c, s));
      attachAll(w, new Set(bindersIn(member.body).flatMap(namesOfMethods)));
      return;
    case 'AssignStatement':
      w.deferred.push(statement(w.c, member));
      attachAll(w, namesOfMethods(member));
      return;
    case 'InlineForeign':
      w.deferred.push(
        line(w.c, `${mark(w.c, member)}throw new $.RuntimeError("inline Python blocks are not supported");`),
      );
      return;
    case 'ImplDecl':
      return;
  }
}

function attachAll(w: Writing, names: Iterable<string>): void {
  for (const name of names) w.deferred.push(line(w.c, `$.attach(${w.cls.code}, ${quote(property(name))});`));
}

function namesOfMethods(s: ast.FunctionDecl | ast.AssignStatement): readonly string[] {
  if (s.kind === 'FunctionDecl') return s.name === undefined ? [] : [s.name.text];
  const targets = s.targets.filter((one) => mayTakeMethods(one, s.value));
  return targets.flatMap(namesOfTarget).map(({ name }) => name);
}

/** Functions and what `property(…)` makes become something else for instances; what is no function stays what it is. */
function mayBeMethod(value: ast.Expression | undefined): boolean {
  return value?.kind === 'NameRef' || value?.kind === 'Lambda' || value?.kind === 'Call' || value?.kind === 'Attribute';
}

function mayTakeMethods(target: ast.Expression, value: ast.Expression | undefined): boolean {
  if (target.kind !== 'NameRef' && (value?.kind === 'TupleExpr' || value?.kind === 'ListExpr'))
    return value.items.some(mayBeMethod);
  return mayBeMethod(value);
}
