/**
 * Classes of the program (language.md 2.8, 2.11): a JavaScript class with methods and abilities, then what the runtime is told about them.
 * Descriptions of methods come before the class is registered, because registration reads the one of `init`.
 */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import {
  adoptTemps,
  type ClassCx,
  type Cx,
  indented,
  inFile,
  line,
  mark,
  nested,
  newline,
  tempList,
} from './context.ts';
import { enumCode } from './enums.ts';
import { expr } from './expressions.ts';
import { functionSpec, placeOf, type SpecSource, semOf } from './function-spec.ts';
import { containsWait, decorated, writeFunction } from './functions.ts';
import { identifier, methodName, objectKey, property, quote } from './identifiers.ts';
import { isTimeless, literalValue } from './literals.ts';
import { importedValue, localCode } from './names.ts';
import { statement } from './statements.ts';
import { typeList, typeRef } from './type-refs.ts';

/** A class as it is being written. */
interface Writing {
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
  /** What belongs to the textual position of the declaration: class attributes and decorators. */
  readonly deferred: string[];
  unnamed: number;
}

export interface WrittenClass {
  /** The class and its registration. */
  readonly text: string;
  /** What runs where the declaration stands. */
  readonly deferred: string;
}

/** A class among statements. */
export function localArchetype(c: Cx, decl: ast.Archetype): string {
  const binding = c.u.names.binding(decl.name);
  const code = binding.sort === 'local' ? localCode(c.u, binding) : identifier(decl.name.text);
  const { text, deferred } = archetypeCode(c, decl, code, `${code} = `, decl.name.text);
  return text + deferred;
}

/** `head` is what stands in front of `class`; `code` names the class afterwards. */
export function archetypeCode(c: Cx, decl: ast.Archetype, code: string, head: string, qualname: string): WrittenClass {
  const info = c.u.types.classOf(decl);
  const joined = c.u.names.implOf(decl);
  const members = decl.members ?? joined?.impl.body.members ?? [];
  const bases = decl.bases.length > 0 ? decl.bases : (joined?.impl.bases ?? []);
  const baseCode = extendsCode(c, decl.archetype, bases);
  const kind = decl.archetype;
  const cls: ClassCx = { name: decl.name.text, info, kind, qualname, code, hasBase: bases.length > 0, baseCode };
  c.u.classCode.set(decl, code);
  const inner = nested(c, {
    cls,
    isTop: c.isTop,
    self: undefined,
    canSuper: false,
    result: 'plain',
    isAsync: false,
    isGenerator: false,
  });
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
    line(c, `${mark(c, decl.name, decl.name.text)}${open} extends ${baseCode} {`) +
    w.body.join('') +
    line(c, head.includes('=') ? '};' : '}');
  text += w.before.join('') + line(c, `${mark(c, decl)}$.archetype(${code}, ${archetypeSpec(w)});`) + w.after.join('');
  const decorators = decl.decorators.length === 0 ? '' : line(c, `${code} = ${decorated(c, decl.decorators, code)};`);
  adoptTemps(c, inner);
  return { text, deferred: w.deferred.join('') + decorators };
}

const runtimeBase = { obj: '$.Obj', class: '$.Obj', node: '$.Node', edge: '$.Edge', walker: '$.Walker' } as const;

function extendsCode(c: Cx, kind: ast.ArchetypeKind, bases: readonly ast.Expression[]): string {
  const codes = bases.flatMap((base) => baseClass(c, base));
  if (codes.length === 0) return runtimeBase[kind];
  return codes.length === 1 ? codes[0]! : `$.mix(${codes.join(', ')})`;
}

// Names of generics and protocols are erased as bases.
const erasedBases = new Set(['Protocol', 'Generic', 'object', 'Any']);

/** Code of a base at the time the class is defined, before any import statement has run. */
export function baseClass(c: Cx, base: ast.Expression): string[] {
  const e = base.kind === 'Index' ? base.object : base;
  if (e.kind === 'NameRef') {
    const binding = c.u.names.binding(e);
    if (binding.sort === 'builtin' && erasedBases.has(binding.name)) return [];
    if (binding.sort === 'module' && binding.role === 'import' && binding.import !== undefined) {
      if (binding.import.of === 'erased') return [];
      return [importedValue(c.u, binding.import)];
    }
  }
  if (e.kind === 'Attribute' && e.object.kind === 'NameRef') {
    const binding = c.u.names.binding(e.object);
    if (binding.sort === 'module' && binding.role === 'import' && binding.import?.of === 'builtin') {
      return erasedBases.has(e.name.text) ? [] : [`${importedValue(c.u, binding.import)}.${property(e.name.text)}`];
    }
  }
  return typeList(c, e);
}

function archetypeSpec(w: Writing): string {
  const { c, decl, cls } = w;
  const parts = [`kind: "${decl.archetype}"`, `name: ${quote(cls.name)}`, `module: ${quote(c.u.id)}`];
  if (decl.doc !== undefined) parts.push(`doc: ${quote(decl.doc.value)}`);
  if (decl.access !== undefined) parts.push(`access: "${decl.access}"`);
  if (decl.async) parts.push('async: true');
  parts.push(`fields: [${w.fields.join(', ')}]`, `abilities: [${w.abilities.join(', ')}]`);
  if (w.abstract.length > 0) parts.push(`abstract: [${w.abstract.map(quote).join(', ')}]`);
  const sem = semOf(c, cls.qualname);
  if (sem !== undefined) parts.push(`sem: ${sem}`);
  parts.push(`at: ${quote(placeOf(c, decl.name))}`);
  return `{ ${parts.join(', ')} }`;
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
      w.after.push(enumCode(w.c, member, code, `${code} = `));
      return;
    }
    case 'EntryBlock':
      for (const s of member.body.statements) w.deferred.push(statement(w.c, s));
      return;
    case 'AssignStatement':
      w.deferred.push(statement(w.c, member));
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

// ---------------------------------------------------------------- fields and properties

function writeField(w: Writing, decl: ast.HasDecl, item: ast.HasItem): void {
  if (item.accessors !== undefined) {
    for (const accessor of item.accessors) writeAccessor(w, item, accessor);
    return;
  }
  const { c } = w;
  const isShared = decl.static || w.decl.archetype === 'class';
  const parts = [`name: ${quote(item.name.text)}`, `type: ${typeRef(c, item.type)}`];
  if (item.value !== undefined) {
    const literal = literalValue(item.value);
    if (isShared && !isTimeless(item.value)) {
      // Shared values are computed once, where the class stands in the text.
      w.deferred.push(line(c, `${mark(c, item)}${w.cls.code}.${property(item.name.text)} = ${expr(c, item.value)};`));
    } else {
      if (literal !== undefined) parts.push(`literal: ${literal === null ? 'null' : JSON.stringify(literal)}`);
      parts.push(`default: ${thunk(c, item.value)}`);
    }
  }
  if (isShared) parts.push('static: true');
  if (decl.access !== undefined) parts.push(`access: "${decl.access}"`);
  if (item.postinit) parts.push('postinit: true');
  if (decl.doc !== undefined) parts.push(`doc: ${quote(decl.doc.value)}`);
  w.fields.push(`{ ${parts.join(', ')} }`);
}

/** `() => value`, with temporaries of its own. */
export function thunk(c: Cx, e: ast.Expression): string {
  const inner = nested(c, { isAsync: false, isGenerator: false, result: 'plain' });
  const code = expr(inner, e);
  const temps = tempList(inner);
  if (temps.length > 0) return `() => { let ${temps.join(', ')}; return ${code}; }`;
  return `() => ${code.startsWith('{') ? `(${code})` : code}`;
}

function writeAccessor(w: Writing, item: ast.HasItem, accessor: ast.Accessor): void {
  const { c } = w;
  const joined = c.u.names.implOf(accessor);
  const signature = joined?.signature ?? accessor.signature;
  const value = signature.params.find((param) => param.name !== undefined && param.name.text !== 'self');
  const written = indented(c, () =>
    writeFunction(c, {
      node: accessor,
      signature: { ...signature, params: value === undefined ? [] : [value] },
      body: joined?.body ?? accessor.body,
      bodyNode: joined?.impl,
      async: false,
      result: accessor.sort === 'getter' ? 'plain' : 'void',
      receivers: 0,
      context: { self: 'this', canSuper: true },
      missing: `${w.cls.name}.${item.name.text} has no ${accessor.sort}`,
    }),
  );
  const name = property(item.name.text);
  const params = accessor.sort === 'setter' && written.params === '' ? 'value' : written.params;
  const head =
    accessor.sort === 'getter'
      ? `get ${name}()`
      : accessor.sort === 'setter'
        ? `set ${name}(${params})`
        : `$del$${name}()`;
  w.body.push(indented(c, () => line(c, `${mark(c, accessor)}${head} ${immediate(c, written)}`)));
}

// Accessors cannot be async themselves: what waits inside gives its promise.
function immediate(c: Cx, written: { prefix: string; body: string }): string {
  return written.prefix === '' ? written.body : `{ return (async () => ${written.body})();${newline(c)}}`;
}

// ---------------------------------------------------------------- methods

interface MethodForm {
  readonly sort: 'method' | 'static' | 'class' | 'getter' | 'setter' | 'deleter';
  readonly decorators: readonly ast.Expression[];
}

// `@staticmethod`, `@classmethod`, `@property` and `@x.setter` change the form; other decorators wrap.
function methodForm(decl: ast.FunctionDecl): MethodForm {
  let sort: MethodForm['sort'] = decl.mods.static ? 'static' : decl.mods.class ? 'class' : 'method';
  const decorators = decl.decorators.filter((e) => {
    if (e.kind === 'NameRef' && e.name === 'staticmethod') sort = 'static';
    else if (e.kind === 'NameRef' && e.name === 'classmethod') sort = 'class';
    else if (e.kind === 'NameRef' && (e.name === 'property' || e.name === 'cached_property')) sort = 'getter';
    else if (e.kind === 'Attribute' && e.name.text === 'setter') sort = 'setter';
    else if (e.kind === 'Attribute' && e.name.text === 'deleter') sort = 'deleter';
    else return !(e.kind === 'NameRef' && (e.name === 'abstractmethod' || e.name === 'override'));
    return false;
  });
  return { sort, decorators };
}

function isAbstract(decl: ast.FunctionDecl): boolean {
  return (
    decl.body.kind === 'AbstractBody' ||
    decl.decorators.some(
      (e) => (e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '') === 'abstractmethod',
    )
  );
}

/** How many leading parameters are the receiver, and the name it has in the body. */
function receiverOf(
  decl: ast.FunctionDecl,
  signature: ast.Signature,
  kind: ast.ArchetypeKind | 'enum',
  sort: MethodForm['sort'],
): { count: number; name: string | undefined } {
  const first = signature.params[0];
  if (sort === 'static') return { count: 0, name: undefined };
  if (sort === 'class') {
    const declared = first?.name?.text;
    const isReceiver =
      declared === 'cls' ||
      declared === 'self' ||
      (kind === 'class' && first !== undefined) ||
      (!decl.mods.class && first !== undefined);
    return isReceiver && first?.sort === 'plain' ? { count: 1, name: declared ?? 'cls' } : { count: 0, name: 'cls' };
  }
  if (first === undefined || first.sort !== 'plain') return { count: 0, name: undefined };
  if (first.name?.text === 'self') return { count: 1, name: undefined };
  return kind === 'class' ? { count: 1, name: first.name?.text } : { count: 0, name: undefined };
}

function writeMethod(w: Writing, decl: ast.FunctionDecl, _info: ClassInfo): void {
  const { c } = w;
  if (decl.name === undefined) return;
  const { sort, decorators } = methodForm(decl);
  const joined = c.u.names.implOf(decl);
  const signature = joined?.signature ?? decl.signature;
  const name = methodName(decl.name.text);
  const receiver = receiverOf(decl, signature, w.cls.kind, sort);
  const isConstructor = name === 'init' || name === 'postinit';
  if (isAbstract(decl)) w.abstract.push(decl.name.text);
  const qualname = `${w.cls.qualname}.${name === 'init' ? '__init__' : decl.name.text}`;
  const spec: SpecSource = { name: decl.name.text, qualname, decl, signature, receivers: receiver.count, local: false };
  const written = indented(c, () =>
    writeFunction(c, {
      node: decl,
      signature,
      body: joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined),
      by: joined?.impl.body.by ?? (decl.body.kind === 'ByBody' ? decl.body.model : undefined),
      bodyNode: joined?.impl,
      async: decl.mods.async,
      result: isConstructor || sort === 'setter' || sort === 'deleter' ? 'void' : 'plain',
      receivers: receiver.count,
      declared: true,
      receiverName: receiver.name,
      context: methodContext(w, sort),
      missing:
        decl.body.kind === 'AbstractBody'
          ? undefined
          : `${w.cls.name}.${decl.name!.text} is declared without an implementation`,
      spec,
    }),
  );
  (c.isTop ? w.deferred : w.before).push(written.before);
  const at = mark(c, decl.name, decl.name.text);
  const key = objectKey(name);
  const heads = {
    method: `${written.prefix}${key}(${written.params})`,
    static: `static ${written.prefix}${key}(${written.params})`,
    class: `static ${written.prefix}${key}(${written.params})`,
    getter: `get ${key}()`,
    setter: `set ${key}(${written.params || 'value'})`,
    deleter: `$del$${name}()`,
  };
  const isAccessor = sort === 'getter' || sort === 'setter' || sort === 'deleter';
  w.body.push(indented(c, () => line(c, `${at}${heads[sort]} ${isAccessor ? immediate(c, written) : written.body}`)));
  if (isAccessor) return;
  const holder = sort === 'method' ? `${w.cls.code}.prototype.${key}` : `${w.cls.code}.${key}`;
  w.before.push(line(c, `$.func(${holder}, ${functionSpec(c, spec)});`));
  if (decorators.length > 0) w.deferred.push(wrapMethod(w, decl, decorators, holder, sort, spec));
}

function methodContext(w: Writing, sort: MethodForm['sort']): Partial<Cx> {
  const none = { here: undefined, visitor: undefined, walk: undefined, ability: undefined } as const;
  if (sort === 'static') return { ...none, self: undefined, canSuper: false, cls: w.cls };
  return { ...none, self: 'this', canSuper: true, cls: w.cls };
}

// A decorator sees a plain function that takes the receiver first; what it gives back is called the same way.
function wrapMethod(
  w: Writing,
  decl: ast.FunctionDecl,
  decorators: readonly ast.Expression[],
  holder: string,
  sort: MethodForm['sort'],
  spec: SpecSource,
): string {
  const { c } = w;
  if (sort === 'static') return line(c, `${holder} = ${decorated(c, decorators, holder)};`);
  const rest = functionSpec(c, spec).replace(
    'params: [',
    'params: [{ name: "self", kind: "any", type: { t: "any" } }, ',
  );
  const plain = `$.func((self, ...args) => $f.apply(self, args), ${rest})`;
  const method = `$.func(function (args = [], kwargs) { return $.callkw($g, [this, ...args], kwargs); }, { name: ${quote(decl.name!.text)}, qualname: ${quote(spec.qualname)}, module: ${quote(
    c.u.id,
  )}, params: [{ name: "args", kind: "args", type: { t: "any" } }, { name: "kwargs", kind: "kwargs", type: { t: "any" } }], result: { t: "any" } })`;
  return line(c, `{ const $f = ${holder}; const $g = ${decorated(c, decorators, plain)}; ${holder} = ${method}; }`);
}

// ---------------------------------------------------------------- abilities

function writeAbility(w: Writing, decl: ast.Ability): void {
  const { c } = w;
  const isWalker = w.decl.archetype === 'walker';
  if (decl.name === undefined) w.unnamed += 1;
  const name = decl.name?.text ?? `${w.cls.name}$${w.unnamed}`;
  const joined = c.u.names.implOf(decl);
  const other = isWalker ? 'here' : 'visitor';
  const body = joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined);
  const written = indented(c, () =>
    writeFunction(c, {
      node: decl,
      signature: {
        kind: 'Signature',
        start: decl.start,
        end: decl.start,
        hasList: false,
        params: [],
        result: undefined,
      },
      body,
      by: decl.body.kind === 'ByBody' ? decl.body.model : joined?.impl.body.by,
      bodyNode: joined?.impl,
      async: decl.mods.async,
      // The walk waits for what an ability gives only when it is a promise, so `async can` alone costs nothing.
      isAsync: decl.mods.async && body !== undefined ? containsWait(c, body) : undefined,
      result: 'void',
      receivers: 0,
      context: {
        cls: w.cls,
        self: 'this',
        here: isWalker ? 'here' : 'this',
        visitor: isWalker ? 'this' : 'visitor',
        walk: '$w',
        ability: isWalker ? 'walker' : 'location',
        canSuper: true,
      },
      missing:
        decl.body.kind === 'AbstractBody' ? undefined : `${w.cls.name}.${name} is declared without an implementation`,
    }),
  );
  const method = `can$${name}`;
  w.body.push(
    indented(c, () =>
      line(c, `${mark(c, decl.name ?? decl, decl.name?.text)}${written.prefix}${method}(${other}, $w) ${written.body}`),
    ),
  );
  const event = decl.event.trigger === undefined && joined?.impl.event !== undefined ? joined.impl.event : decl.event;
  const parts = [`name: ${quote(name)}`, `when: "${event.when}"`];
  if (event.trigger !== undefined) {
    const classes = typeList(c, event.trigger);
    parts.push(`trigger: () => ${classes.length === 1 ? classes[0] : `[${classes.join(', ')}]`}`);
  }
  const run = `${w.cls.code}.prototype.${method}`;
  parts.push(`run: ${decl.decorators.length > 0 ? decorated(c, decl.decorators, run) : run}`);
  w.abilities.push(`{ ${parts.join(', ')} }`);
}

export { methodForm, receiverOf };
