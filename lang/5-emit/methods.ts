/** Methods of a class in all their forms (docs/language/functions.md#functions, docs/language/archetypes.md#kinds). */
import type * as ast from '../1-parse/ast.ts';
import { isWrittenReceiver } from '../2-resolve/written-receiver.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { Writing } from './archetypes.ts';
import { decorated } from './closures.ts';
import { type ClassCx, indented, line, mark, type Surroundings, spelling } from './context.ts';
import { awaitIfPromise } from './expressions.ts';
import { immediate } from './fields.ts';
import { functionSpec, type SpecSource, specText, withReceiver } from './function-spec.ts';
import { containsWait, writeFunction } from './functions.ts';
import { methodName, objectKey, quote } from './identifiers.ts';

export interface MethodForm {
  readonly sort: 'method' | 'static' | 'class' | 'getter' | 'setter' | 'deleter';
  readonly decorators: readonly ast.Expression[];
  /** `@cached_property`: the getter runs once for an instance. */
  readonly cached: boolean;
}

// `@staticmethod`, `@classmethod`, `@property` and `@x.setter` change the form; other decorators wrap.
export function methodForm(decl: ast.FunctionDecl): MethodForm {
  // `__new__` is given the class as an argument.
  let sort: MethodForm['sort'] =
    decl.mods.static || decl.name?.text === '__new__' ? 'static' : decl.mods.class ? 'class' : 'method';
  let cached = false;
  const decorators = decl.decorators.filter((e) => {
    if (e.kind === 'NameRef' && e.name === 'staticmethod') sort = 'static';
    else if (e.kind === 'NameRef' && e.name === 'classmethod') sort = 'class';
    else if (e.kind === 'NameRef' && e.name === 'property') sort = 'getter';
    else if ((e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '') === 'cached_property') {
      sort = 'getter';
      cached = true;
    } else if (e.kind === 'Attribute' && e.name.text === 'setter') sort = 'setter';
    else if (e.kind === 'Attribute' && e.name.text === 'deleter') sort = 'deleter';
    else return !(e.kind === 'NameRef' && (e.name === 'abstractmethod' || e.name === 'override'));
    return false;
  });
  return { sort, decorators, cached };
}

function isAbstract(decl: ast.FunctionDecl): boolean {
  return (
    decl.body.kind === 'AbstractBody' ||
    decl.decorators.some(
      (e) => (e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '') === 'abstractmethod',
    )
  );
}

/** Gives the number of leading parameters that are the receiver (0 or 1), and the name it has in the body. */
export function receiverOf(
  decl: ast.FunctionDecl,
  signature: ast.Signature,
  kind: ast.ArchetypeKind | 'enum',
  sort: MethodForm['sort'],
): { count: number; name: string | undefined } {
  const first = signature.params[0];
  if (sort === 'static') return { count: 0, name: undefined };
  if (sort === 'class') {
    const declared = first?.name?.text;
    const isReceiver = decl.mods.class ? isWrittenReceiver(declared) : first !== undefined;
    return isReceiver && first?.sort === 'plain' ? { count: 1, name: declared ?? 'cls' } : { count: 0, name: 'cls' };
  }
  if (first === undefined || first.sort !== 'plain') return { count: 0, name: undefined };
  if (first.name?.text === 'self') return { count: 1, name: undefined };
  return kind === 'class' ? { count: 1, name: first.name?.text } : { count: 0, name: undefined };
}

/** `def m(*args)` where parameters begin with the receiver: it is the first of them. */
function packsReceiver(
  decl: ast.FunctionDecl,
  signature: ast.Signature,
  kind: ast.ArchetypeKind | 'enum',
  sort: MethodForm['sort'],
): boolean {
  if (signature.params[0]?.sort !== 'star') return false;
  return sort === 'class' ? !decl.mods.class : sort === 'method' && kind === 'class';
}

export function writeMethod(w: Writing, decl: ast.FunctionDecl, _info: ClassInfo): void {
  const { c } = w;
  if (decl.name === undefined) return;
  const { sort, decorators, cached } = methodForm(decl);
  const joined = c.u.names.implOf(decl);
  const signature = joined?.signature ?? decl.signature;
  const name = methodName(decl.name.text) + repetition(w, decl, decorators);
  const receiver = receiverOf(decl, signature, w.cls.kind, sort);
  const isConstructor = name === 'init' || name === 'postinit';
  if (isAbstract(decl)) w.abstract.push(decl.name.text);
  const qualname = `${w.cls.qualname}.${name === 'init' ? '__init__' : decl.name.text}`;
  const bare = w.cls.kind === 'class' && sort === 'method' && signature.params.length === 0;
  const receivers = receiver.count;
  const ofClass = sort === 'class';
  const spec: SpecSource = { name: decl.name.text, qualname, decl, signature, receivers, bare, ofClass, local: false };
  const written = indented(c, () =>
    writeFunction(c, {
      node: decl,
      signature,
      body: joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined),
      by: joined?.impl.body.by ?? (decl.body.kind === 'ByBody' ? decl.body.model : undefined),
      bodyNode: joined?.impl,
      async: decl.mods.async,
      coroutine: isConstructor || sort === 'setter' || sort === 'deleter' ? undefined : qualname,
      result: isConstructor || sort === 'setter' || sort === 'deleter' ? 'void' : 'plain',
      receivers: receiver.count,
      declared: true,
      receiverName: receiver.name,
      packsReceiver: packsReceiver(decl, signature, w.cls.kind, sort),
      around: surroundings(w, sort, receiver.name),
      missing:
        decl.body.kind === 'AbstractBody'
          ? undefined
          : `${w.cls.name}.${decl.name!.text} is declared without an implementation`,
      spec,
    }),
  );
  (c.isTop ? w.deferred : w.before).push(written.before);
  const at = mark(c, decl.name, spelling(decl.name));
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
  if (cached) w.before.push(line(c, `$.cacheGetter(${w.cls.code}, ${quote(name)});`));
  if (isAccessor) return;
  const holder = sort === 'method' ? `${w.cls.code}.prototype.${key}` : `${w.cls.code}.${key}`;
  w.before.push(line(c, `$.func(${holder}, ${functionSpec(c, spec)});`));
  if (decorators.length > 0) w.deferred.push(wrapMethod(w, decl, decorators, holder, sort, spec));
}

/**
 * Gives a suffix for methods of one name that decorators turn into different things, as with `@show.register def _(…)`;
 * the last one keeps the name.
 */
function repetition(w: Writing, decl: ast.FunctionDecl, decorators: readonly ast.Expression[]): string {
  if (decorators.length === 0) return '';
  const members = w.decl.members ?? [];
  const same = members.filter((other) => other.kind === 'FunctionDecl' && other.name?.text === decl.name?.text);
  const at = same.indexOf(decl);
  return at >= 0 && at < same.length - 1 ? `$${at + 1}` : '';
}

function surroundings(w: Writing, sort: MethodForm['sort'], receiverName: string | undefined): Surroundings {
  const none = { here: undefined, visitor: undefined, walk: undefined, ability: undefined } as const;
  if (sort === 'static') return { ...none, self: undefined, canSuper: false, cls: w.cls };
  const receives = sort === 'class' ? 'class' : 'instance';
  const selfWord = receiverName === undefined || receiverName === 'self' ? undefined : w.cls.outerSelf;
  const cls: ClassCx = { ...w.cls, receives, selfWord };
  return { ...none, self: 'this', canSuper: true, cls };
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
  if (sort === 'static') return line(c, `${holder} = ${decorated(c, decl, decorators, holder)};`);
  const rest = withReceiver(specText(c, spec));
  const at = holder.lastIndexOf('.');
  const waits = c.isAsync && (c.u.types.waits(decl) || decorators.some((decorator) => containsWait(c, decorator)));
  const made = `${waits ? 'async ' : ''}($f) => ${decorated(c, decl, decorators, '$f')}`;
  const code = `$.decorate(${holder.slice(0, at)}, ${quote(holder.slice(at + 1))}, ${made}, ${rest})`;
  return line(c, `${waits ? awaitIfPromise(c, code) : code};`);
}
