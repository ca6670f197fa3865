/** Fields and properties of a class (docs/language/archetypes.md#properties). */
import type * as ast from '../1-parse/ast.ts';
import type { Writing } from './archetypes.ts';
import { type Cx, indented, line, mark, nested, newline, tempList } from './context.ts';
import { expr } from './expressions.ts';
import { containsWait, type WrittenFunction, writeFunction } from './functions.ts';
import { property, quote } from './identifiers.ts';
import { isSimpleDefault, isTimeless, literalValue } from './literals.ts';
import { typeRef } from './type-refs.ts';

export function writeField(w: Writing, decl: ast.HasDecl, item: ast.HasItem): void {
  if (item.accessors !== undefined) {
    for (const accessor of item.accessors) writeAccessor(w, item, accessor);
    if (item.accessors.every(({ sort }) => sort !== 'getter')) writeMissingGetter(w, item);
    return;
  }
  const { c } = w;
  const isShared = decl.static || w.decl.archetype === 'class';
  let text = `{ name: ${quote(item.name.text)}, type: ${typeRef(c, item.type)}`;
  if (item.value !== undefined) {
    const literal = literalValue(item.value);
    if (isShared && !isTimeless(item.value)) {
      // Shared values are computed once, where the class stands in the text.
      w.deferred.push(line(c, `${mark(c, item)}${w.cls.code}.${property(item.name.text)} = ${expr(c, item.value)};`));
      text += ', late: true';
    } else {
      if (literal !== undefined) text += `, literal: ${literal === null ? 'null' : JSON.stringify(literal)}`;
      text += `, default: ${thunk(c, item.value)}`;
    }
  }
  if (isShared) text += ', static: true';
  if (decl.access !== undefined) text += `, access: "${decl.access}"`;
  if (item.postinit) text += ', postinit: true';
  const form = formOfField(item.type);
  if (form !== undefined) text += `, form: "${form}"`;
  if (decl.doc !== undefined) text += `, doc: ${quote(decl.doc.value)}`;
  w.fields.push(`${text} }`);
}

// Types that say what a field is, by the names `dataclasses` and `typing` give them.
function formOfField(type: ast.Expression | undefined): string | undefined {
  const e = type?.kind === 'Index' ? type.object : type;
  const name = e?.kind === 'NameRef' ? e.name : e?.kind === 'Attribute' ? e.name.text : undefined;
  return name === 'ClassVar' || name === 'InitVar' || name === 'KW_ONLY' ? name : undefined;
}

/** `() => value`, a promise of it where making it waits, with temporaries of its own. */
export function thunk(c: Cx, e: ast.Expression): string {
  if (isSimpleDefault(e)) return `() => ${expr(c, e)}`;
  const isAsync = containsWait(c, e);
  const inner = nested(c, isAsync, 'plain');
  const code = expr(inner, e);
  const temps = tempList(inner);
  const head = isAsync ? 'async ()' : '()';
  if (temps.length > 0) return `${head} => { let ${temps.join(', ')}; return ${code}; }`;
  return `${head} => ${code.startsWith('{') ? `(${code})` : code}`;
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
      around: { ...c, self: 'this', canSuper: true },
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

// JavaScript would answer `undefined`.
function writeMissingGetter(w: Writing, item: ast.HasItem): void {
  const { text } = item.name;
  const message = quote(`property '${text}' of '${w.cls.name}' object has no getter`);
  w.body.push(indented(w.c, () => line(w.c, `get ${property(text)}() { throw new $.AttributeError(${message}); }`)));
}

// Accessors cannot be async themselves: what waits inside gives its promise.
export function immediate(c: Cx, written: WrittenFunction): string {
  if (written.kept !== undefined) return `{ return $.ask(() => ${written.kept});${newline(c)}}`;
  return written.prefix === '' ? written.body : `{ return $.ask(async () => ${written.body});${newline(c)}}`;
}
