/** Members that a value has, by its type; for a value of unknown type those that it may well have, marked as guesses. */
import type * as ast from '../../1-parse/ast.ts';
import { enumMembers as runtimeEnum } from '../../3-infer/classes/runtime-classes.ts';
import { typeText } from '../../3-infer/classes/type-values.ts';
import { ForeignClass } from '../../3-infer/foreign/classes.ts';
import type { ModuleTypes } from '../../3-infer/infer.ts';
import type { ClassInfo, Type } from '../../3-infer/types.ts';
import { dirName, joinPath } from '../../project/paths.ts';
import type { Source } from '../../source.ts';
import { classesIn } from '../definition.ts';
import { functionText, signatureText } from '../describe.ts';
import { docOf } from '../docs.ts';
import { bindingMeaningOf } from '../meanings.ts';
import { allMembers, classesOfSuper } from '../members.ts';
import { localAt } from '../scopes.ts';
import { pathAt, shownType, sourceOfNode, type View, viewsOf } from '../view.ts';
import type { Candidate, World } from './candidate.ts';
import { kinds, membersOfKind } from './kinds.ts';
import { likelyOf } from './likely.ts';
import { givenProperties } from './likely-places.ts';
import type { Likely } from './likely-values.ts';
import { byPlace, targetBefore } from './member-habits.ts';
import { foreignNames, moduleNames, standardNames, usualRank } from './module-names.ts';
import { listsOfBrowser, textsOfBrowser, usualMembers, usualOfTypes } from './words.ts';

export function memberCandidates(
  view: View,
  types: ModuleTypes,
  object: ast.Expression | undefined,
  written: string,
  isOfBrowser: boolean,
  world: World,
  before: number,
): readonly Candidate[] {
  const members = runtimeEnum(written);
  if (members !== undefined)
    return members.map((name): Candidate => ({ name, kind: 'enum-member', detail: written, rank: 40 }));
  if (object === undefined) return membersInBroken(view, types, written, isOfBrowser, world, before);
  if (object.kind === 'Call' && object.callee.kind === 'NameRef' && object.callee.name === 'type')
    return [{ name: '__name__', kind: 'field', detail: 'str', rank: 70 }];
  const behind = (classesOfSuper(view, types, object) ?? []).filter(({ decl }) => decl !== undefined);
  if (behind.length > 0 && behind.every(({ open }) => !open)) return membersBehind(view, behind);
  const type = shownType(types.of(object));
  const name = object.kind === 'Call' ? calledName(object, written) : written;
  const offered = (one: Type): readonly Candidate[] =>
    ofClient(
      membersOfType(view, types, one, world),
      one,
      isOfBrowser,
      view.source.text,
      object.kind === 'StringLiteral',
    );
  const some = isOfBrowser ? withoutNone(type) : type;
  const isSuper = object.kind === 'SpecialRef' && object.word === 'super';
  // Dicts are objects in the browser, and their keys members.
  const isObject = isOfBrowser && some.t === 'dict';
  if (!isObject && !isSuper) {
    const ofType = [...offered(type), ...(object.kind === 'SpecialRef' ? assignedNext(view, object) : [])];
    const known = isOfBrowser && isStored(type) ? [...ofType, idOfStored] : ofType;
    const named = object.kind === 'NameRef' ? membersOfName(view, object, world) : [];
    const all = known.length > 0 ? known : named;
    if (all.length > 0) {
      const isDeclared = type.t === 'instance' || type.t === 'union';
      const receiver = view.source.text.slice(object.start, object.end);
      const around = pathAt(view, object.start).findLast((node) => node.kind === 'FunctionDecl');
      const inside = around?.kind === 'FunctionDecl' ? around.name?.text : undefined;
      return isDeclared ? byPlace(all, receiver, view.source.text, before, inside) : all;
    }
    if (type.t === 'union') {
      const parts = type.of.flatMap((part) => offered(shownType(part)));
      if (parts.length > 0) return parts.map((part): Candidate => ({ ...part, isGuess: true }));
    }
    // Methods that change a list give it too in the browser.
    const isChanged = isOfBrowser && type.t === 'none' && object.kind === 'Call';
    if (type.t !== 'any' && type.t !== 'never' && !isOpen(type) && !isChanged) return [];
  }
  const found = likelyOf(view, types, object);
  const isEvent = found?.of === 'kind' && found.kind.endsWith('Event');
  const likely = isEvent && !isOfBrowser ? undefined : found;
  const first = isSuper
    ? ofSuper
    : isObject && likely?.of !== 'props' && likely?.of !== 'keys'
      ? offered(some)
      : membersOfLikely(view, likely, offered);
  const classes = object.kind === 'NameRef' ? classesOfStyles(view, object, world) : [];
  const isKnown = isObject ? first.some(({ kind }) => kind === 'field') : first.length > 0;
  return [...classes, ...first, ...guesses(view, types, name, isOfBrowser, isKnown, before)];
}

/** Members of a name that text too broken for a tree has before the dot, as guesses. */
function membersInBroken(
  view: View,
  types: ModuleTypes,
  written: string,
  isOfBrowser: boolean,
  world: World,
  before: number,
): readonly Candidate[] {
  if (!/^[A-Za-z_]\w*$/.test(written)) return [];
  const isInner = /\.\s*\w+\s*\??\.\s*$/.test(view.source.text.slice(Math.max(0, before - 80), before));
  const local = isInner ? undefined : localAt(view, written, before);
  const type = local === undefined ? undefined : shownType(types.ofBinding(local));
  const members = type === undefined ? [] : membersOfType(view, types, type, world);
  const own = type === undefined ? [] : ofClient(members, type, isOfBrowser, view.source.text, false);
  const rest = guesses(view, types, written, isOfBrowser, own.length > 0, before);
  return [...own.map((one): Candidate => ({ ...one, isGuess: true })), ...rest];
}

/** Classes of a stylesheet that is imported under a name. */
function classesOfStyles(view: View, { name }: ast.NameRef, { files }: World): readonly Candidate[] {
  const module = new RegExp(
    `import\\s+from\\s+"([^"]+\\.module\\.(?:s?css|sass|less))"\\s*\\{\\s*default\\s+as\\s+${name}\\b|import\\s+${name}\\s+from\\s+"([^"]+\\.module\\.(?:s?css|sass|less))"`,
  ).exec(view.source.text);
  const path = module?.[1] ?? module?.[2];
  const text = path === undefined ? undefined : files.readFile(joinPath(dirName(view.module.path), path));
  const found = new Set([...(text ?? '').matchAll(/\.([A-Za-z_]\w*)(?=[^{};]*\{)/g)].map((match) => match[1]!));
  return [...found].map((one): Candidate => ({ name: one, kind: 'field', detail: path!, rank: 70, isGuess: true }));
}

/** Fields that `init` is about to assign: most are called as its parameters. */
function assignedNext(view: View, self: ast.SpecialRef): readonly Candidate[] {
  const fn =
    self.word === 'self' ? pathAt(view, self.start).findLast((node) => node.kind === 'FunctionDecl') : undefined;
  if (fn?.kind !== 'FunctionDecl' || fn.name?.text !== 'init') return [];
  return fn.signature.params.flatMap(({ name, sort }) =>
    name === undefined || sort !== 'plain'
      ? []
      : [{ name: name.text, kind: 'field' as const, detail: '', rank: 28, isGuess: true }],
  );
}

function withoutNone(type: Type): Type {
  if (type.t !== 'union') return type;
  const rest = type.of.filter(({ t }) => t !== 'none');
  return rest.length === 1 ? shownType(rest[0]!) : type;
}

/** Members that `super` has, the constructor first. */
function membersBehind(view: View, classes: readonly ClassInfo[]): readonly Candidate[] {
  const [init] = classes.flatMap(({ methods }) => methods.get('init') ?? []);
  const first: Candidate = {
    name: 'init',
    kind: 'method',
    detail: init === undefined ? '' : functionText(view, init),
    rank: 60,
  };
  const postinit: Candidate = { name: 'postinit', kind: 'method', detail: '', rank: 10 };
  const hasPostinit = classes.some(({ methods }) => methods.has('postinit'));
  const members = classes.flatMap((cls) => instanceMembers(view, cls)).filter(({ kind }) => kind !== 'field');
  return [first, ...(hasPostinit ? [postinit] : []), ...members];
}

/** Methods of the class above that a method calls most. */
const ofSuper: readonly Candidate[] = [{ name: 'init', kind: 'method', detail: '', rank: 60, isGuess: true }];

/** Members of a likely value, as guesses. */
function membersOfLikely(
  view: View,
  likely: Likely | undefined,
  offered: (type: Type) => readonly Candidate[],
): readonly Candidate[] {
  const listed = (names: readonly string[], kind: Candidate['kind'], top = 70): readonly Candidate[] =>
    names.map((name, i): Candidate => ({ name, kind, detail: '', rank: Math.max(20, top - i * 1.2), isGuess: true }));
  switch (likely?.of) {
    case 'kind': {
      return [...membersOfKind(likely.isClass ? `new ${likely.kind}` : likely.kind)].map(
        ([name, { isMethod }], i): Candidate => ({
          name,
          kind: isMethod ? 'method' : 'field',
          detail: likely.kind === 'text' ? '' : likely.kind,
          rank: Math.max(20, 70 - i * 1.2),
          isGuess: true,
        }),
      );
    }
    case 'list':
      return listed(listsOfBrowser, 'method');
    case 'keys':
      return listed(likely.keys, 'field', 74);
    case 'promise':
      return listed(['then', 'catch', 'finally'], 'method');
    case 'props':
      return [
        ...listed(givenProperties(view, likely.component), 'field', 74),
        ...listed(
          ['children', 'className', 'onClick', 'title', 'value', 'onChange', 'name', 'label', 'id', 'style'],
          'field',
          62,
        ),
      ];
    case 'type':
      return offered(likely.type).map((one) => ({ ...one, rank: one.rank + 20, isGuess: true }));
    default:
      return [];
  }
}

/** Members of lists, texts and dicts, those first that programs use most; code of the browser may write them as JavaScript too. */
function ofClient(
  members: readonly Candidate[],
  type: Type,
  isOfBrowser: boolean,
  text: string,
  isWritten: boolean,
): readonly Candidate[] {
  const { t } = type;
  if (members.length === 0) return members;
  if (
    isOfBrowser &&
    type.t === 'instance' &&
    type.cls.kind === 'runtime' &&
    members.some(({ name }) => name === 'args')
  )
    return [
      ...members,
      ...['message', 'name', 'stack'].map(
        (name, i): Candidate => ({ name, kind: 'field', detail: 'str', rank: 30 - i }),
      ),
    ];
  if (isOfBrowser && (t === 'int' || t === 'float'))
    return [
      ...numbersOfBrowser.map((name, i): Candidate => ({ name, kind: 'method', detail: '', rank: 44 - i })),
      ...members,
    ];
  if (t !== 'list' && t !== 'str' && t !== 'dict' && t !== 'bytes') return members;
  const isObject = t === 'dict' || t === 'bytes';
  const usual = !isOfBrowser || isObject ? usualOfTypes[t] : t === 'list' ? listsOfBrowser : textsOfBrowser;
  const found = new Map(members.map((one) => [one.name, one]));
  if (isOfBrowser && !isObject)
    for (const name of usual)
      if (!found.has(name))
        found.set(name, { name, kind: name === 'length' ? 'field' : 'method', detail: '', rank: 0 });
  // Spelt as the program does it elsewhere.
  const python = isOfBrowser && !isObject && isPython(text) ? usualOfTypes[t].slice(0, 7) : [];
  return [...found.values()].map((one): Candidate => {
    if (isWritten && (one.name === 'join' || one.name === 'format')) return { ...one, rank: 60 };
    const own = python.indexOf(one.name);
    if (own >= 0) return { ...one, rank: 45 - own / 2 };
    const at = usual.indexOf(one.name);
    const rank = one.kind === 'field' && t === 'dict' ? one.rank : at < 0 ? one.rank / 4 : 44 - at / 2;
    return isOfBrowser && t === 'dict'
      ? { ...one, rank: one.kind === 'field' || at < 4 ? rank : rank / 4, isGuess: true }
      : { ...one, rank };
  });
}

const numbersOfBrowser = ['toFixed', 'toString', 'toLocaleString', 'toPrecision'];

/** Does a text of the browser call lists and texts more as Python does than as JavaScript? */
function isPython(text: string): boolean {
  const python = text.match(/\.(?:strip|lower|upper|startswith|endswith|append|items)\(|\blen\(/g)?.length ?? 0;
  const script = text.match(/\.(?:trim|toLowerCase|toUpperCase|startsWith|endsWith|push|forEach|concat)\(|\.length\b/g);
  return python > (script?.length ?? 0);
}

/** Name of what is called: of a function, or of a method. */
function calledName({ callee }: ast.Call, written: string): string {
  return callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : written;
}

/** Objects that the server sends say which they are. */
const idOfStored: Candidate = { name: '_svc_id', kind: 'field', detail: 'str', rank: 34 };

function isStored(type: Type): boolean {
  return type.t === 'instance' && (type.cls.kind === 'node' || type.cls.kind === 'edge');
}

function isOpen(type: Type): boolean {
  if (type.t === 'union') return type.of.some((one) => isOpen(shownType(one)));
  return (
    type.t === 'any' ||
    type.t === 'std' ||
    type.t === 'dict' ||
    type.t === 'builtin' ||
    type.t === 'awaitable' ||
    ((type.t === 'instance' || type.t === 'class') && type.cls.open)
  );
}

function membersOfType(view: View, types: ModuleTypes, type: Type, world: World): readonly Candidate[] {
  switch (type.t) {
    case 'instance':
      return instanceMembers(view, type.cls);
    case 'class':
      return classMembers(view, type.cls);
    case 'union': {
      const parts = type.of
        .filter(({ t }) => t !== 'none')
        .map((one) => membersOfType(view, types, shownType(one), world));
      if (parts.some((part) => part.length === 0)) return [];
      const [first = [], ...rest] = parts;
      return first.filter(({ name }) => rest.every((part) => part.some((other) => other.name === name)));
    }
    case 'module':
      return type.std ? standardNames(type.module, world) : moduleNames(view, type.module);
    case 'str':
    case 'list':
    case 'dict':
    case 'set':
    case 'tuple':
    case 'bytes':
    case 'int':
    case 'float': {
      const table = types.program.builtins.methods[type.t];
      const methods = table
        .names()
        .filter((name) => name !== '')
        .map((name): Candidate => {
          const signature = table.get(name);
          return {
            name,
            kind: 'method',
            detail: signature === undefined ? '' : signatureText(signature),
            rank: usualRank(name),
          };
        });
      // Objects of JavaScript are dicts with known keys.
      const keys = type.t === 'dict' ? [...(type.entries?.keys() ?? [])] : [];
      return [
        ...keys
          .filter((key) => /^\w+$/.test(key))
          .map((name): Candidate => ({ name, kind: 'field', detail: '', rank: 60, isGuess: true })),
        ...methods,
      ];
    }
    default:
      return [];
  }
}

/** Fields and methods of an object. */
function instanceMembers(view: View, cls: ClassInfo): readonly Candidate[] {
  if (cls.name === 'Root' && cls.kind === 'runtime')
    return [{ name: 'shared', kind: 'field', detail: 'Root', rank: 50 }];
  if (cls.kind === 'foreign') {
    const fields = [...cls.fields.values()].map(
      (field): Candidate => ({
        name: field.name,
        kind: 'field',
        detail: typeText(field.type),
        rank: usualRank(field.name),
      }),
    );
    const methods = [...cls.methods.values()].map(
      (fn): Candidate => ({ name: fn.name, kind: 'method', detail: functionText(view, fn), rank: usualRank(fn.name) }),
    );
    return [...fields, ...methods];
  }
  if (cls.kind === 'runtime') return exceptionMembers(cls);
  const found: Candidate[] = [];
  for (const member of allMembers(cls)) {
    const { name, node } = member;
    if (node.kind === 'HasItem' || node.kind === 'NameRef') {
      const field = cls.fields.get(name);
      found.push({
        name,
        kind: 'field',
        detail: field === undefined ? '' : typeText(field.type),
        rank: 30,
        doc: docOf(node),
      });
    } else if (node.kind === 'FunctionDecl') {
      if (name === 'init' || name === 'postinit' || /^__/.test(name)) continue;
      const isField = cls.fields.get(name) !== undefined;
      const fn = cls.methods.get(name);
      found.push({
        name,
        kind: isField ? 'field' : 'method',
        detail: fn === undefined ? '' : functionText(view, fn),
        rank: 25,
        doc: docOf(node),
      });
    } else if (node.kind === 'Archetype' || node.kind === 'EnumDecl')
      found.push({ name, kind: 'class', detail: node.kind, rank: 5 });
  }
  for (const name of assignedMembers(view, cls))
    if (!found.some((one) => one.name === name)) found.push({ name, kind: 'field', detail: '', rank: 30 });
  const isTexts = (cls.decl as ast.EnumDecl | undefined)?.members?.some(({ value }) => value?.kind === 'StringLiteral');
  if (cls.kind === 'enum')
    return [
      // Members do what their values do.
      ...(cls.primitive === 'str' || isTexts === true ? usualOfTypes.str : [])
        .slice(0, 12)
        .map((name, i): Candidate => ({ name, kind: 'method', detail: 'str', rank: 20 - i, isGuess: true })),
      ...enumMembers(cls),
      ...['name', 'value'].map((name): Candidate => ({ name, kind: 'field', detail: 'str', rank: 45 })),
      ...found.filter(({ kind }) => kind === 'method'),
    ];
  if (cls.kind === 'walker' && !found.some(({ name }) => name === 'reports'))
    found.push({ name: 'reports', kind: 'field', detail: 'list', rank: 10 });
  return found;
}

/** Fields that nothing declares: methods of the class, or of its bases, assign them to `self`. */
function assignedMembers({ analysis }: View, cls: ClassInfo): readonly string[] {
  return [cls, ...cls.bases].flatMap(({ module: id, decl }) => {
    const module = analysis.project.modules.get(id);
    if (decl === undefined || module === undefined) return [];
    const home = sourceOfNode(module, decl);
    return analysis.names.of(id).attributeAssignments.flatMap((at) => {
      const { object, name } = at;
      const isSelf =
        (object.kind === 'SpecialRef' && object.word === 'self') ||
        (object.kind === 'NameRef' && object.name === 'self');
      const isInside = at.start >= decl.start && at.end <= decl.end && sourceOfNode(module, at) === home;
      return isSelf && name.text !== '' && isInside ? [name.text] : [];
    });
  });
}

function exceptionMembers(cls: ClassInfo): readonly Candidate[] {
  const isException = cls.name === 'BaseException' || cls.bases.some(({ name }) => name === 'BaseException');
  return isException ? [{ name: 'args', kind: 'field', detail: 'tuple', rank: 10 }] : [];
}

function enumMembers(cls: ClassInfo): readonly Candidate[] {
  return cls.members.map((name): Candidate => ({ name, kind: 'enum-member', detail: cls.name, rank: 40 }));
}

function classMembers(view: View, cls: ClassInfo): readonly Candidate[] {
  if (cls.kind === 'enum')
    return [
      ...enumMembers(cls),
      ...instanceMembers(view, cls).filter(({ kind, isGuess }) => kind === 'method' && isGuess !== true),
    ];
  if (cls instanceof ForeignClass)
    return cls.statics.map((name): Candidate => {
      const type = cls.staticMember(name);
      const kind = type.t === 'function' ? 'method' : 'field';
      return { name, kind, detail: kind === 'field' ? typeText(type) : '', rank: usualRank(name) };
    });
  const isShared = (name: string) =>
    cls.fields.get(name)?.static !== false && !(cls.fields.get(name)?.property ?? false);
  return instanceMembers(view, cls).filter(
    ({ name, kind }) => kind !== 'field' || cls.kind === 'class' || (cls.fields.has(name) && isShared(name)),
  );
}

/** Members of what a name is imported as, where its type does not tell. */
function membersOfName(view: View, name: ast.NameRef, world: World): readonly Candidate[] {
  const [meaning] = bindingMeaningOf(view, name);
  if (meaning?.of === 'project-module') return moduleNames(view, meaning.id);
  if (meaning?.of === 'standard' && meaning.member === undefined) return standardNames(meaning.module, world);
  if (meaning?.of === 'js' && meaning.member === undefined) return foreignNames(view, meaning.specifier);
  return [];
}

/** Members of values of JavaScript by the name of the variable: several things are a list, and what people write is a text. */
function likelyMembers(name: string): readonly string[] {
  if (/(?:text|title|name|query|message|content|body|value|search|draft|input|label)$/i.test(name))
    return textsOfBrowser;
  return /[^s]s$|list$|children$/i.test(name) ? listsOfBrowser : [];
}

/**
 * Members of the program's classes, and those that are read from such values elsewhere in the text. `isKnown`: it is known what the value is
 * likely to be, so only what is read from the same name elsewhere may be as likely.
 */
function guesses(
  view: View,
  types: ModuleTypes,
  written: string,
  isOfBrowser: boolean,
  isKnown: boolean,
  at: number,
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (name: string, rank: number, kind: Candidate['kind'] = 'field') => {
    const known = found.get(name);
    if (known === undefined || known.rank < rank)
      found.set(name, { name, kind: known?.kind ?? kind, detail: '', rank, isGuess: true });
  };
  const less = isKnown ? 15 : 0;
  const text = view.source.text;
  if (/^\w+$/.test(written)) {
    const read = new RegExp(`\\b${written}\\s*\\??\\.\\s*(\\w+)`, 'g');
    for (const match of text.matchAll(read)) add(match[1]!, 45);
    if (view.module.path.endsWith('.e2e.svc'))
      for (const [i, name] of [...kinds.get('Page')!.members.keys()].entries()) add(name, 44 - i, 'method');
    for (const other of viewsOf(view.analysis))
      for (const match of other.source.text.matchAll(read)) add(match[1]!, 38);
    if (isOfBrowser && !isKnown) for (const [i, name] of likelyMembers(written).entries()) add(name, 42 - i);
  }
  const to = targetBefore(text.slice(0, at));
  if (to !== undefined) add(to, 46);
  if (isOfBrowser) {
    // Keys tell the elements of a list apart.
    const isKey = /\bkey=\{\s*\w+\.$/.test(text.slice(Math.max(0, at - 40), at));
    add(idOfStored.name, (isKey ? 70 : 30) - less);
    if (isKey) add('id', 60 - less);
    if (!isKnown)
      for (const [i, name] of ['length', 'map', 'filter', 'id', 'name'].entries()) add(name, 22 - i, 'method');
  }
  for (const cls of classesIn(view, types.program)) {
    if (cls.kind === 'enum') continue;
    const isMeant = namesOne(written, cls.name) ? 15 : 0;
    for (const { name, node } of allMembers(cls))
      if (node.kind === 'HasItem') add(name, (cls.kind === 'walker' ? 5 : 20) + isMeant - less);
    for (const { name, node } of allMembers(cls))
      if (node.kind === 'FunctionDecl' && name !== 'init' && name !== 'postinit')
        add(name, 12 + isMeant - less, 'method');
  }
  for (const match of text.matchAll(/\.\s*([A-Za-z_]\w*)/g)) add(match[1]!, 10 - less);
  // Keys that are written somewhere are what objects without a class have.
  for (const { source } of viewsOf(view.analysis))
    for (const key of keysIn(source)) add(key, (source === view.source ? 18 : 14) - less);
  for (const [i, name] of usualMembers.entries()) add(name, 8 - i / 20 - less, 'method');
  return [...found.values()];
}

/** Is a variable called after a class, or after the end of its name? `gap` for `CareGap`, `open_gap` for `Gap`. */
function namesOne(variable: string, cls: string): boolean {
  const [short, long] = [variable.replaceAll('_', '').toLowerCase(), cls.toLowerCase()];
  return short.length > 2 && (long.endsWith(short) || (long.length > 2 && short.endsWith(long)));
}

const knownKeys = new WeakMap<Source, ReadonlySet<string>>();

/** Keys of displays and of indices, and names of the fields of forms, in a text. */
function keysIn(source: Source): ReadonlySet<string> {
  let keys = knownKeys.get(source);
  if (keys === undefined) {
    const written = source.text.matchAll(/[{,]\s*"([A-Za-z_]\w*)"\s*:|\w\["([A-Za-z_]\w*)"\]|\bname="([A-Za-z_]\w*)"/g);
    keys = new Set([...written].map((match) => (match[1] ?? match[2] ?? match[3])!));
    knownKeys.set(source, keys);
  }
  return keys;
}
