/**
 * Likely values of expressions that inference knows no type of: where a name was assigned, what a callback is called with, what a member
 * of a known kind gives. Answers are guesses of an editor.
 */
import type * as ast from '../../1-parse/ast.ts';
import { forEachChild } from '../../2-resolve/children.ts';
import type { ModuleBinding } from '../../2-resolve/names.ts';
import type { ModuleTypes } from '../../3-infer/infer.ts';
import type { Source } from '../../source.ts';
import { bindingMeaningOf } from '../meanings.ts';
import { elementsOf, pathAt, type View, viewsOf } from '../view.ts';
import { bodyOf, definerIn } from './definers.ts';
import { eventKind, kinds, membersOfKind } from './kinds.ts';
import { addedTo, assignedTo, type Found, givenTo, pathParameters, reportedBy, saidToBe } from './likely-places.ts';
import {
  asPromise,
  elementOf,
  given,
  isBareDict,
  isBareList,
  itemOf,
  type Likely,
  ofKnownName,
  ofStandard,
  ofType,
  ofUsualName,
  one,
  saysNoItems,
} from './likely-values.ts';

const deepest = 16;
/** Places elsewhere that are looked at for one value. */
const mostPlaces = 6;

/** The likely value of an expression before the cursor; undefined where nothing tells. */
export function likelyOf(view: View, types: ModuleTypes, expression: ast.Expression): Likely | undefined {
  return createGuess(view, types, new Map()).valueOf(expression, 0);
}

interface Guess {
  readonly valueOf: (e: ast.Expression | undefined, depth: number) => Likely | undefined;
}

/** `types` is undefined for another module than that of the cursor. `others`: guesses about other files, made once for all that is asked. */
function createGuess(view: View, types: ModuleTypes | undefined, others: Map<Source, Guess>): Guess {
  const known = new Map<ast.Expression, Likely | undefined>();
  const inside = (home: View): Guess => {
    if (home.source === view.source) return { valueOf };
    const guess = others.get(home.source) ?? createGuess(home, undefined, others);
    others.set(home.source, guess);
    return guess;
  };

  /** Each expression once: what is asked again while it is being answered is unknown. */
  const valueOf = (e: ast.Expression | undefined, depth: number): Likely | undefined => {
    if (e === undefined || depth > deepest) return undefined;
    if (known.has(e)) return known.get(e);
    known.set(e, undefined);
    const value = freshValueOf(e, depth);
    known.set(e, value);
    return value;
  };

  const freshValueOf = (e: ast.Expression, depth: number): Likely | undefined => {
    const typed = types === undefined ? undefined : ofType(types.of(e));
    if (typed?.of !== 'type') return typed ?? byForm(e, depth + 1);
    // Of a dict that says nothing of its keys, and of a list that says nothing of its items, the text may say more.
    const [isDict, isList] = [isBareDict(typed.type), isBareList(typed.type)];
    if (!isDict && !isList) return typed;
    const formed = byForm(e, depth + 1);
    if (isList) return formed?.of === 'list' && formed.item !== undefined ? formed : typed;
    return formed?.of === 'keys' || formed?.of === 'props' ? formed : typed;
  };

  const byForm = (e: ast.Expression, depth: number): Likely | undefined => {
    switch (e.kind) {
      case 'NameRef':
        return ofName(e, depth);
      case 'SpecialRef':
        return e.word === 'props' ? propsAround(e) : undefined;
      case 'Attribute':
        return ofAttribute(e, depth);
      case 'Call':
        return ofCall(e, depth);
      case 'Await': {
        const value = valueOf(e.expr, depth);
        return value?.of === 'promise' ? value.item : value;
      }
      case 'Index': {
        const value = valueOf(e.object, depth);
        return value?.of === 'kind' ? undefined : itemOf(value);
      }
      case 'Conditional':
        return valueOf(e.then, depth) ?? valueOf(e.orElse, depth);
      case 'Logical':
        return valueOf(e.left, depth) ?? valueOf(e.right, depth);
      case 'Walrus':
        return valueOf(e.value, depth);
      case 'Binary':
        return ofArithmetic(e, depth);
      case 'ListExpr':
        return { of: 'list', item: valueOf(e.items[0], depth) };
      case 'DictExpr':
        return keysOf(e, depth);
      case 'Spawn':
        return ofSpawn(e, depth);
      case 'Comprehension':
        return e.sort === 'dict' ? undefined : { of: 'list', item: valueOf(e.value, depth) };
      default:
        return undefined;
    }
  };

  /** The first of what places elsewhere give that says something. */
  const firstOf = (found: readonly Found[], depth: number): Likely | undefined => {
    for (const { home, value } of found.slice(0, mostPlaces)) {
      const likely = inside(home).valueOf(value, depth + 2);
      if (likely !== undefined && !(likely.of === 'list' && likely.item === undefined)) return likely;
    }
    return undefined;
  };

  const ofSpawn = ({ left, right }: ast.Spawn, depth: number): Likely => {
    const called = [right, left].find((one) => one?.kind === 'Call' && one.callee.kind === 'NameRef');
    const walker = called?.kind === 'Call' && called.callee.kind === 'NameRef' ? called.callee.name : undefined;
    const reports = walker === undefined ? undefined : firstOf(reportedBy(view, walker), depth);
    return { of: 'kind', kind: 'SpawnResult', isClass: false, ...(reports === undefined ? {} : { reports }) };
  };

  /** A list by what is put into it. */
  const filled = (list: string, scope: ast.Node | undefined, depth: number): Likely | undefined => {
    const item = scope === undefined ? undefined : firstOf(addedTo(view, list, [scope]), depth);
    return item === undefined ? undefined : { of: 'list', item };
  };

  const keysOf = ({ entries }: ast.DictExpr, depth: number): Likely | undefined => {
    const values = new Map<string, Likely>();
    const keys = entries.flatMap(({ key, value }): readonly string[] => {
      if (key === undefined) {
        const spread = valueOf(value, depth);
        return spread?.of === 'keys' ? spread.keys : [];
      }
      if (key.kind !== 'StringLiteral') return [];
      const found = valueOf(value, depth);
      if (found !== undefined) values.set(key.value, found);
      return [key.value];
    });
    return keys.length === 0 ? undefined : { of: 'keys', keys, values };
  };

  /** Differences of dates are durations; what is added to a date gives one. */
  const ofArithmetic = ({ op, left, right }: ast.Binary, depth: number): Likely | undefined => {
    const [a, b] = [valueOf(left, depth), valueOf(right, depth)];
    const isDate = (one: Likely | undefined) =>
      one?.of === 'kind' && !one.isClass && (one.kind === 'datetime' || one.kind === 'date');
    if (op === '-' && isDate(a) && isDate(b)) return one('timedelta');
    if (op === '+' || op === '-') return isDate(a) ? a : isDate(b) ? b : undefined;
    return undefined;
  };

  const typeOf = (type: ast.Expression | undefined): Likely | undefined =>
    types === undefined ? undefined : ofType(types.annotation(type));

  /** The kind of value that mostly has a name; only tests of a browser have its pages. */
  const usual = (name: string): Likely | undefined => {
    const found = ofUsualName(name);
    return found?.of === 'kind' && found.kind === 'Page' && !view.module.path.endsWith('.e2e.svc') ? undefined : found;
  };

  const ofName = (name: ast.NameRef, depth: number): Likely | undefined => {
    const [meaning] = bindingMeaningOf(view, name);
    switch (meaning?.of) {
      case 'standard':
        return meaning.member === undefined ? undefined : ofStandard(`${meaning.module}.${meaning.member}`);
      case 'js':
        return ofKnownName(meaning.member === undefined || meaning.member === 'default' ? name.name : meaning.member);
      case 'local': {
        const scope = bodyOf(view, meaning.binding.scope.node, name);
        const found = definerIn(view, scope, name);
        const said = saidToBe(view, pathAt(view, name.start), name.name);
        const narrowed = said === undefined ? undefined : ofAnnotation(said);
        const value = narrowed ?? (found === undefined ? undefined : bound(found, name, depth));
        if (saysNoItems(value)) {
          const cells = found?.kind === 'HasItem' ? assignedTo(view, scope, name.name) : [];
          return firstOf(cells, depth) ?? filled(name.name, scope, depth) ?? value;
        }
        return value ?? usual(name.name) ?? (isAskedForList(name) ? { of: 'list', item: undefined } : undefined);
      }
      case 'module-name': {
        const block = pathAt(view, name.start).find(({ kind }) => kind === 'EntryBlock');
        const found =
          meaning.binding.role === 'entry' && block !== undefined ? definerIn(view, block, name) : undefined;
        if (found !== undefined) return bound(found, name, depth) ?? usual(name.name);
        for (const home of viewsOf(view.analysis)) {
          if (home.module.id !== meaning.binding.module) continue;
          const value = ofModuleName(home, meaning.binding, depth);
          if (value !== undefined) return value;
        }
        return undefined;
      }
      case undefined:
      case 'builtin':
        return ofKnownName(name.name) ?? usual(name.name);
      default:
        return undefined;
    }
  };

  /** Value of a variable of a module; for a function, of what it returns. */
  const ofModuleName = (home: View, { decl, name }: ModuleBinding, depth: number): Likely | undefined => {
    const guess = inside(home);
    if (decl?.kind === 'FunctionDecl') {
      if (decl.body.kind !== 'Block') return undefined;
      const returned = returnedBy(decl.body).map((value) => guess.valueOf(value, depth + 3));
      return {
        of: 'call',
        gives: returned.find((value) => value?.of === 'keys') ?? returned.find((value) => value !== undefined),
      };
    }
    for (const element of elementsOf(home))
      if (element.kind === 'GlobDecl' || element.kind === 'PlacedBlock')
        for (const item of globsIn(element)) if (item.name.text === name) return guess.valueOf(item.value, depth + 1);
    return undefined;
  };

  const isAskedForList = ({ name, start }: ast.NameRef): boolean =>
    new RegExp(`\\bArray\\.isArray\\(${name}\\)`).test(view.source.text.slice(Math.max(0, start - 300), start));

  const bound = (definer: ast.Node, name: ast.NameRef, depth: number): Likely | undefined => {
    switch (definer.kind) {
      case 'AssignStatement': {
        const [target] = definer.targets;
        if (definer.type !== undefined) return ofAnnotation(definer.type) ?? valueOf(definer.value, depth);
        if (target?.kind === 'TupleExpr' || target?.kind === 'ListExpr')
          return unpacked(target.items, definer.value, name.name, depth);
        return valueOf(definer.value, depth);
      }
      case 'HasItem':
      case 'GlobItem':
        return ofAnnotation(definer.type) ?? valueOf(definer.value, depth);
      case 'Walrus':
        return valueOf(definer.value, depth);
      case 'ExceptClause':
        return one('Error');
      case 'ForIn':
      case 'CompClause':
        return ofStep(definer, name.name, depth);
      case 'WithStatement':
        return valueOf(
          definer.items.find(({ target }) => target?.kind === 'NameRef' && target.name === name.name)?.expr,
          depth,
        );
      case 'Param':
        return ofAnnotation(definer.type) ?? ofParam(definer, depth) ?? valueOf(definer.value, depth);
      default:
        return undefined;
    }
  };

  /** `[state, dispatch] = useReducer(reducer, first)` */
  const unpacked = (
    items: readonly ast.Expression[],
    value: ast.Expression | undefined,
    name: string,
    depth: number,
  ): Likely | undefined => {
    const at = items.findIndex((item) => item.kind === 'NameRef' && item.name === name);
    if (value?.kind === 'TupleExpr' || value?.kind === 'ListExpr') return valueOf(value.items[at], depth);
    if (value?.kind === 'Call' && value.callee.kind === 'NameRef') {
      const called = value.callee.name;
      if (called === 'useState' && at === 0) return valueOf(value.args[0]?.value, depth);
      if (called === 'useReducer' && at === 0) return valueOf(value.args[1]?.value, depth);
      if (called === 'useSearchParams' && at === 0) return one('URLSearchParams');
    }
    return itemOf(valueOf(value, depth));
  };

  /** `for x in xs`, `for (i, x) in enumerate(xs)`, `for (k, v) in d.items()` */
  const ofStep = ({ target, iter }: ast.ForIn | ast.CompClause, name: string, depth: number): Likely | undefined => {
    if (target.kind === 'NameRef') return itemOf(valueOf(iter, depth));
    if (target.kind !== 'TupleExpr' || iter.kind !== 'Call') return undefined;
    const at = target.items.findIndex((item) => item.kind === 'NameRef' && item.name === name);
    const { callee, args } = iter;
    if (callee.kind === 'NameRef' && callee.name === 'enumerate' && at === 1)
      return itemOf(valueOf(args[0]?.value, depth));
    if (callee.kind === 'NameRef' && callee.name === 'zip') return itemOf(valueOf(args[at]?.value, depth));
    return undefined;
  };

  /** The parameter of a function, by where the function stands. */
  const ofParam = (param: ast.Param, depth: number): Likely | undefined => {
    const path = pathAt(view, param.start);
    const at = path.findLastIndex((node) => node.kind === 'Lambda' || node.kind === 'FunctionDecl');
    const fn = path[at];
    if (fn?.kind === 'FunctionDecl') {
      const isFirst = fn.signature.params[0] === param;
      if (isFirst && param.name?.text === 'props' && fn.name !== undefined)
        return { of: 'props', component: fn.name.text };
      const handled = isFirst && fn.name !== undefined ? ofHandler(fn.name.text) : undefined;
      const isComponent = /^[A-Z]/.test(fn.name?.text ?? '') && param.name !== undefined;
      return handled ?? (isComponent ? firstOf(givenTo(view, fn.name!.text, param.name!.text), depth) : undefined);
    }
    if (fn?.kind !== 'Lambda') return undefined;
    const index = fn.signature.params.indexOf(param);
    const outer = path[at - 1];
    if (outer?.kind === 'MarkupAttribute') {
      const tag = path[at - 2]?.kind === 'Markup' ? path[at - 2] : undefined;
      return index === 0 ? ofAttributeOfMarkup(outer.name, (tag as ast.Markup | undefined)?.tag) : undefined;
    }
    if (outer?.kind === 'AssignStatement') {
      const [target] = outer.targets;
      return target?.kind === 'Attribute' && index === 0 ? ofAttributeOfMarkup(target.name.text) : undefined;
    }
    if (outer?.kind === 'Markup') {
      const tag = outer.tag;
      return typeof tag === 'object' && tag.kind === 'Attribute' && tag.name.text === 'Field'
        ? one('FormField')
        : undefined;
    }
    const call = path.slice(0, at).findLast((node) => node.kind !== 'Argument');
    if (call?.kind !== 'Call') return undefined;
    return ofCallback(call, fn, index, depth);
  };

  /** A function that markup names as a handler gets the event. */
  const ofHandler = (name: string): Likely | undefined => {
    const found = new RegExp(`\\b(on[A-Z]\\w*)=\\{\\s*${name}\\s*\\}`).exec(view.source.text);
    return found === null ? undefined : one(eventKind(found[1]!));
  };

  const ofAttributeOfMarkup = (name: string | undefined, tag?: ast.Markup['tag']): Likely | undefined => {
    if (name === undefined) return undefined;
    if (name === 'ref') return elementOf(typeof tag === 'string' ? tag : undefined);
    if (name === 'className' || name === 'style') return one('NavState');
    if (/^fallback/i.test(name)) return one('ErrorBoundary');
    // Components call what they like with what they like.
    if (tag !== undefined && typeof tag !== 'string' && !/^on(?:Click|Change|Submit|Key)/.test(name)) return undefined;
    if (!/^on[A-Z]/.test(name) && !/^on[a-z]+$/.test(name)) return undefined;
    const event: Likely = { of: 'kind', kind: eventKind(name), isClass: false };
    return typeof tag === 'string' ? { ...event, tag } : event;
  };

  const ofCallback = (
    { callee, args }: ast.Call,
    fn: ast.Expression,
    index: number,
    depth: number,
  ): Likely | undefined => {
    const arg = args.find(({ value }) => value === fn);
    if (callee.kind === 'NameRef') {
      if (arg?.sort === 'keyword' && /^on[A-Z_]/.test(arg.name?.text ?? ''))
        return index > 0
          ? undefined
          : callee.name === 'useSvcForm'
            ? one('FormSubmit')
            : callee.name === 'svcConnect' || callee.name === 'subscribe'
              ? undefined
              : one(eventKind(arg.name!.text));
      if (observers[callee.name] !== undefined && index === 0)
        return { of: 'list', item: one(observers[callee.name]!) };
      if (callee.name === 'filter' || callee.name === 'map') return itemOf(valueOf(args[1]?.value, depth));
      if (/^(?:sorted|min|max)$/.test(callee.name)) return itemOf(valueOf(args[0]?.value, depth));
      if (/^set[A-Z]/.test(callee.name) && index === 0) return ofState(callee, depth);
      if (/^use[A-Z]/.test(callee.name) && index === 0) {
        const store = valueOf(callee, depth);
        return store?.of === 'call' ? store.gives : undefined;
      }
      return undefined;
    }
    if (callee.kind !== 'Attribute') return undefined;
    const method = callee.name.text;
    if (method === 'catch') return index === 0 ? one('Error') : undefined;
    if (method === 'addEventListener') {
      const [first] = args;
      return index === 0 && first?.value.kind === 'StringLiteral'
        ? one(eventKind(`on${first.value.value}`))
        : undefined;
    }
    const object = valueOf(callee.object, depth);
    if (method === 'then')
      return index === 0
        ? object?.of === 'promise'
          ? object.item
          : object?.of === 'kind'
            ? object
            : undefined
        : undefined;
    if (ofItems.has(method)) return index === 0 ? itemOf(object) : undefined;
    if (method === 'sort' || method === 'toSorted') return itemOf(object);
    if (method === 'reduce') return index === 1 ? itemOf(object) : valueOf(args[1]?.value, depth);
    return undefined;
  };

  /** `setItems(lambda items …)`: the state of that name. */
  const ofState = (setter: ast.NameRef, depth: number): Likely | undefined => {
    const name = setter.name.charAt(3).toLowerCase() + setter.name.slice(4);
    let found: ast.HasItem | undefined;
    let first: ast.Expression | undefined;
    for (const node of pathAt(view, setter.start)) {
      if (node.kind !== 'FunctionDecl') continue;
      const waiting: ast.Node[] = [node];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (at.kind === 'HasItem' && at.name.text === name) found = at;
        if (at.kind === 'AssignStatement' && at.value?.kind === 'Call' && unpacks(at.targets[0], setter.name))
          first = at.value.args[0]?.value;
        forEachChild(at, (child) => waiting.push(child));
      }
    }
    if (found === undefined) return valueOf(first, depth);
    return typeOf(found.type) ?? valueOf(found.value, depth);
  };

  const ofAttribute = (e: ast.Attribute, depth: number): Likely | undefined => {
    const name = e.name.text;
    const [meaning] = e.object.kind === 'NameRef' ? bindingMeaningOf(view, e.object) : [];
    if (meaning?.of === 'standard' && meaning.member === undefined) return ofStandard(`${meaning.module}.${name}`);
    const object = valueOf(e.object, depth);
    if (object?.of === 'keys' && object.values.has(name)) return object.values.get(name);
    if (object?.of === 'kind' && name === 'reports' && object.reports !== undefined)
      return { of: 'list', item: object.reports };
    if (e.object.kind === 'SpecialRef' && e.object.word === 'self') {
      const around = pathAt(view, e.start).findLast((node) => node.kind === 'Archetype' || node.kind === 'ImplDecl');
      const list = filled(`self.${name}`, around, depth);
      if (list !== undefined) return list;
    }
    if (object?.of === 'kind' && name === 'current') {
      const held = heldBy(e.object, depth);
      if (held !== undefined) return held;
      if (e.object.kind === 'NameRef') return elementOf(tagOfRef(e.object.name));
    }
    const member = memberOf(object, name);
    if (member !== undefined) return member;
    if (object?.of === 'type' && object.type.t === 'instance') {
      const declared = object.type.cls.fields.get(name)?.declared;
      if (declared !== undefined) return ofAnnotation(declared);
    }
    return object?.of === 'kind' && !object.isClass ? undefined : ofUsualName(name);
  };

  /** `socket.current = WebSocket(…)`: what is put into a reference, or what it begins with. */
  const heldBy = (ref: ast.Expression, depth: number): Likely | undefined => {
    if (ref.kind !== 'NameRef') return undefined;
    const scope = pathAt(view, ref.start).find((node) => node.kind === 'FunctionDecl');
    if (scope === undefined) return undefined;
    let value: ast.Expression | undefined;
    const waiting: ast.Node[] = [scope];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at.kind === 'AssignStatement' && at.value !== undefined && at.value.start < ref.start) {
        const [target] = at.targets;
        if (target?.kind === 'Attribute' && target.name.text === 'current' && isNamed(target.object, ref.name))
          value = at.value;
        if (isNamed(target, ref.name) && at.value.kind === 'Call' && value === undefined) {
          const [first] = at.value.args;
          if (first !== undefined && first.value.kind !== 'Constant') value = first.value;
        }
      }
      forEachChild(at, (child) => waiting.push(child));
    }
    return valueOf(value, depth);
  };

  /** The element that a reference is given to, by the markup or, where that is not written yet, by its name. */
  const tagOfRef = (name: string): string | undefined =>
    new RegExp(`<(\\w+)\\b[^<>]*\\bref=\\{\\s*${name}\\s*\\}`).exec(view.source.text)?.[1] ??
    tagsOfNames.find(([pattern]) => pattern.test(name))?.[1];

  const memberOf = (object: Likely | undefined, name: string): Likely | undefined => {
    const isText = object?.of === 'type' && object.type.t === 'str';
    if (object?.of !== 'kind' && !isText) return undefined;
    if (object.of === 'kind' && object.tag !== undefined && /^(?:target|currentTarget)$/.test(name))
      return elementOf(object.tag);
    const kind = object.of === 'kind' ? (object.isClass ? `new ${object.kind}` : object.kind) : 'text';
    const member = membersOfKind(kind).get(name);
    if (member === undefined) return undefined;
    return member.isMethod ? { of: 'call', gives: given(member.gives) } : given(member.gives);
  };

  const ofCall = ({ callee, args }: ast.Call, depth: number): Likely | undefined => {
    const [first] = args;
    if (callee.kind === 'NameRef') {
      if (callee.name === 'useContext') {
        const value = valueOf(first?.value, depth);
        return value?.of === 'kind' && first?.value.kind === 'NameRef' ? providedBy(first.value.name) : value;
      }
      if (callee.name === 'createContext') {
        const value = valueOf(first?.value, depth);
        if (value?.of === 'keys') return value;
      }
      if (callee.name === 'useParams') return { of: 'keys', keys: pathParameters(view), values: new Map() };
      if (callee.name === 'create' && first?.value.kind === 'Lambda') {
        const value = resultOf(first.value, depth);
        if (value?.of === 'keys') return { of: 'call', gives: value };
      }
      if (callee.name === 'useRef' || callee.name === 'useMemo' || callee.name === 'useCallback') {
        const value =
          callee.name === 'useMemo' && first?.value.kind === 'Lambda' ? resultOf(first.value, depth) : undefined;
        if (value !== undefined) return value;
      }
    }
    if (callee.kind === 'Attribute' && callee.name.text === 'createElement' && first?.value.kind === 'StringLiteral')
      return kinds.has(`Element.${first.value.value}`) ? elementOf(first.value.value) : one('Element.made');
    const called = valueOf(callee, depth);
    if (called?.of === 'call') return called.gives;
    if (called?.of === 'kind' && called.isClass) return one(called.kind);
    if (callee.kind !== 'Attribute') {
      if (callee.kind === 'NameRef' && /^(?:sorted|list|reversed|filter)$/.test(callee.name))
        return valueOf(args.at(callee.name === 'filter' ? 1 : 0)?.value, depth);
      return undefined;
    }
    const method = callee.name.text;
    const object = valueOf(callee.object, depth);
    if (method === 'new' && object?.of === 'kind') return one(object.kind);
    if (object?.of === 'promise') {
      if (method === 'catch' || method === 'finally') return object;
      if (method === 'then' && first?.value.kind === 'Lambda' && first.value.body.kind !== 'Block')
        return asPromise(valueOf(first.value.body, depth));
      return { of: 'promise', item: undefined };
    }
    const isList = object?.of === 'list' || (object?.of === 'type' && object.type.t === 'list');
    if (object === undefined || isList) {
      if (sameItems.has(method)) return object ?? { of: 'list', item: undefined };
      if (method === 'map') return mapped(args[0]?.value, depth);
      if (
        isList &&
        (method === 'find' || method === 'findLast' || method === 'at' || method === 'pop' || method === 'shift')
      )
        return itemOf(object);
      if (listMethods.has(method)) return { of: 'list', item: undefined };
      if (textMethods.has(method)) return { of: 'kind', kind: 'text', isClass: false };
    }
    return undefined;
  };

  /** Keys of what markup anywhere hands to those who use a context. */
  const providedBy = (context: string): Likely | undefined => {
    const given = new RegExp(`<${context}(?:\\.Provider)?\\s+value=\\{\\{([^}]*)\\}\\}`);
    const found = viewsOf(view.analysis).flatMap(({ source }) => given.exec(source.text)?.[1] ?? []);
    const keys = found.flatMap((text) => [...text.matchAll(/["'](\w+)["']\s*:/g)].map((match) => match[1]!));
    return keys.length === 0 ? undefined : { of: 'keys', keys: [...new Set(keys)], values: new Map() };
  };

  const resultOf = ({ body }: ast.Lambda, depth: number): Likely | undefined =>
    body.kind === 'Block' ? valueOf(returnedBy(body)[0], depth) : valueOf(body, depth);

  const mapped = (fn: ast.Expression | undefined, depth: number): Likely => ({
    of: 'list',
    item: fn?.kind === 'Lambda' && fn.body.kind !== 'Block' ? valueOf(fn.body, depth) : undefined,
  });

  const ofAnnotation = (type: ast.Expression | undefined): Likely | undefined => {
    if (type === undefined) return undefined;
    if (type.kind === 'NameRef') {
      if (type.name !== 'time' && kinds.has(type.name)) return one(type.name);
      const [meaning] = bindingMeaningOf(view, type);
      if (meaning?.of === 'standard') {
        const found = ofStandard(`${meaning.module}.${meaning.member}`);
        return found?.of === 'kind' ? one(found.kind) : found?.of === 'call' ? found.gives : undefined;
      }
      if (/^HTML\w*Element$|^Node$/.test(type.name)) return one('Element');
    }
    // `X | None`, `Optional[X]`, `list[X]`
    if (type.kind === 'Binary' && type.op === '|') return ofAnnotation(type.left) ?? ofAnnotation(type.right);
    // `deque[X]`: the class is what has members.
    const made = type.kind === 'Index' && type.object.kind === 'NameRef' ? ofAnnotation(type.object) : undefined;
    if (made?.of === 'kind') return made;
    const typed = typeOf(type);
    if (type.kind === 'Index' && type.object.kind === 'NameRef' && (typed === undefined || typed.of === 'type')) {
      const item = ofAnnotation(type.index);
      if (item?.of === 'kind') return type.object.name === 'Optional' ? item : { of: 'list', item };
    }
    return typed;
  };

  /** Properties of the component around a place. */
  const propsAround = (e: ast.Node): Likely | undefined => {
    const fn = pathAt(view, e.start).find((node) => node.kind === 'FunctionDecl');
    return fn?.kind === 'FunctionDecl' && fn.name !== undefined ? { of: 'props', component: fn.name.text } : undefined;
  };

  return { valueOf };
}

function unpacks(target: ast.Expression | undefined, name: string): boolean {
  return (
    (target?.kind === 'ListExpr' || target?.kind === 'TupleExpr') && target.items.some((item) => isNamed(item, name))
  );
}

function isNamed(node: ast.Node | undefined, name: string): boolean {
  return node?.kind === 'NameRef' && node.name === name;
}

/** Methods that hand the items of a list to a function. */
const ofItems: ReadonlySet<string> = new Set(
  'map filter forEach some every find findIndex findLast findLastIndex flatMap'.split(' '),
);
/** Methods that give items of the same list. */
const sameItems: ReadonlySet<string> = new Set('filter slice toSorted toReversed reverse sort concat'.split(' '));
const listMethods: ReadonlySet<string> = new Set('flatMap flat keys values entries split'.split(' '));
const textMethods: ReadonlySet<string> = new Set(
  `trim toLowerCase toUpperCase strip lower upper title capitalize join padStart padEnd replaceAll substring toFixed toISOString
   toLocaleString toLocaleDateString toLocaleTimeString isoformat strftime format trimStart trimEnd charAt repeat`.split(
    /\s+/,
  ),
);
const observers: Readonly<Record<string, string>> = {
  IntersectionObserver: 'IntersectionEntry',
  ResizeObserver: 'ResizeEntry',
  MutationObserver: 'MutationRecord',
};

/** Tags that names of references speak of. */
const tagsOfNames: readonly (readonly [RegExp, string])[] = [
  [/canvas/i, 'canvas'],
  [/video|audio|player/i, 'video'],
  [/dialog|modal/i, 'dialog'],
  [/form$/i, 'form'],
  [/area|editor/i, 'textarea'],
  [/input|field|search|file/i, 'input'],
];

/** Values that a body returns itself. */
function returnedBy(body: ast.Node): readonly ast.Expression[] {
  const found: ast.Expression[] = [];
  const waiting: ast.Node[] = [body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === 'ReturnStatement' && at.value !== undefined) found.push(at.value);
    forEachChild(at, (child) => {
      if (child.kind !== 'FunctionDecl' && child.kind !== 'Lambda') waiting.push(child);
    });
  }
  return found;
}

function globsIn(element: ast.Element): readonly ast.GlobItem[] {
  if (element.kind === 'GlobDecl') return element.items;
  return element.kind === 'PlacedBlock' ? element.body.flatMap(globsIn) : [];
}
