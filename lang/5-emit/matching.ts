/**
 * `match` and `switch` (docs/language/statements.md#match, docs/language/statements.md#switch). A pattern becomes a
 * condition; its captures are bound when all of it fits.
 */
import type * as ast from '../1-parse/ast.ts';
import { any } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import { type Cx, indented, line, mark, temp, unique } from './context.ts';
import { expr, runtime, waited } from './expressions.ts';
import { quote } from './identifiers.ts';
import { mainType, typeOf } from './kinds.ts';
import { nameValue } from './names.ts';
import { block } from './statements.ts';
import { condition } from './truth.ts';
import { typeList, typeValue } from './type-values.ts';

/** Subject of a pattern, as far as it is known, and the captures found so far. */
interface Matching {
  readonly binds: string[];
  readonly type: Type;
}

function part(m: Matching, type: Type): Matching {
  return { binds: m.binds, type };
}

export function matchStatement(c: Cx, s: ast.MatchStatement): string {
  const subject = unique(c.u, 'x');
  let text = line(c, `${mark(c, s)}const ${subject} = ${expr(c, s.subject)};`);
  let open = false;
  for (const one of s.cases) {
    c.temps = 0;
    const test = caseTest(c, one, subject, s.subject);
    const always = test === 'true';
    text += line(c, `${open ? '} else ' : ''}${always ? (open ? '' : '') : `if (${mark(c, one)}${test}) `}{`);
    text += block(c, one.body);
    open = true;
    if (always) break;
  }
  return open ? text + line(c, '}') : text;
}

function caseTest(c: Cx, one: ast.MatchCase, subject: string, of: ast.Expression): string {
  const m: Matching = { binds: [], type: typeOf(c, of) };
  const parts = [patternTest(c, one.pattern, subject, m)];
  if (m.binds.length > 0) parts.push(bindCode(m));
  if (one.guard !== undefined) parts.push(condition(c, one.guard));
  return conjunction(parts);
}

function bindCode(m: Matching): string {
  return `(${m.binds.join(', ')}, true)`;
}

function conjunction(parts: readonly string[]): string {
  const needed = parts.filter((part) => part !== 'true');
  return needed.length === 0 ? 'true' : needed.join(' && ');
}

function patternTest(c: Cx, p: ast.Pattern, value: string, m: Matching): string {
  switch (p.kind) {
    case 'WildcardPattern':
      return 'true';
    case 'CapturePattern':
      m.binds.push(`${nameValue(c, p.name, true)} = ${value}`);
      return 'true';
    case 'ValuePattern':
      return valueTest(c, p, value);
    case 'AsPattern': {
      const test = patternTest(c, p.pattern, value, m);
      m.binds.push(`${nameValue(c, p.name, true)} = ${value}`);
      return test;
    }
    case 'OrPattern':
      return `(${p.options.map((option) => optionTest(c, option, value, m)).join(' || ')})`;
    case 'SequencePattern':
      return sequenceTest(c, p.items, value, m);
    case 'StarPattern':
      return 'true';
    case 'MappingPattern':
      return mappingTest(c, p, value, m);
    case 'ClassPattern':
      return classTest(c, p, value, m);
  }
}

// Captures of an alternative are bound as soon as it fits.
function optionTest(c: Cx, option: ast.Pattern, value: string, of: Omit<Matching, 'binds'>): string {
  const m: Matching = { ...of, binds: [] };
  const test = patternTest(c, option, value, m);
  return m.binds.length === 0 ? test : `(${conjunction([test, bindCode(m)])})`;
}

function valueTest(c: Cx, p: ast.Pattern & { kind: 'ValuePattern' }, value: string): string {
  const e = p.value;
  const same = (code: string): string => waited(c, p, `${runtime(c, p)}.eq(${value}, ${code})`);
  if (e.kind === 'Constant' && e.value === null) return `${value} == null`;
  if (e.kind === 'Constant' && typeof e.value === 'boolean') return `${value} === ${e.value}`;
  const code = expr(c, e);
  if (e.kind === 'StringLiteral' && !e.bytes)
    return `(${value} === ${code} || typeof ${value} === "object" && ${same(code)})`;
  if (e.kind === 'NumberLiteral') return `(${value} === ${code} || typeof ${value} !== "number" && ${same(code)})`;
  return mark(c, e) + same(code);
}

function sequenceTest(c: Cx, items: readonly ast.Pattern[], value: string, m: Matching): string {
  const star = items.findIndex((item) => item.kind === 'StarPattern');
  const t = temp(c);
  const count = star < 0 ? items.length : items.length - 1;
  const other = `$.asSequence(${value}, ${count}, ${star >= 0})`;
  const found = `(${t} = Array.isArray(${value}) ? ${value} : ${value} instanceof $.Tuple ? ${value}.items : ${other}) !== null`;
  const length = star < 0 ? `${t}.length === ${items.length}` : `${t}.length >= ${items.length - 1}`;
  const parts = [found, length];
  const type = mainType(m.type);
  items.forEach((item, i) => {
    if (item.kind === 'StarPattern') {
      const after = items.length - star - 1;
      if (item.name !== undefined && item.name.text !== '_') {
        m.binds.push(
          `${nameValue(c, item.name, true)} = ${t}.slice(${star}${after === 0 ? '' : `, ${t}.length - ${after}`})`,
        );
      }
      return;
    }
    const at = star < 0 || i < star ? `${t}[${i}]` : `${t}[${t}.length - ${items.length - i}]`;
    parts.push(partTest(c, item, at, part(m, itemType(type, i, star >= 0))));
  });
  return conjunction(parts);
}

function itemType(type: Type, i: number, hasStar: boolean): Type {
  if (type.t === 'tuple') return type.items === undefined ? type.of : hasStar ? any : (type.items[i] ?? any);
  return type.t === 'list' ? type.of : any;
}

// A part that is looked at more than once goes into a temporary.
function partTest(c: Cx, p: ast.Pattern, code: string, m: Matching): string {
  if (p.kind === 'WildcardPattern' || p.kind === 'CapturePattern') return patternTest(c, p, code, m);
  const t = temp(c);
  return conjunction([`(${t} = ${code}, true)`, patternTest(c, p, t, m)]);
}

function mappingTest(c: Cx, p: ast.Pattern & { kind: 'MappingPattern' }, subject: string, m: Matching): string {
  const value = temp(c);
  const parts = [`(${value} = ${subject} instanceof $.Dict ? ${subject} : $.asMapping(${subject})) !== undefined`];
  const keys: string[] = [];
  const type = mainType(m.type);
  for (const { key, value: inner } of p.entries) {
    const [t, k] = [temp(c), expr(c, key)];
    keys.push(k);
    parts.push(`(${t} = ${value}.get(${k})) !== undefined`, patternTest(c, inner, t, part(m, entryType(type, key))));
  }
  if (p.rest !== undefined) {
    const t = temp(c);
    m.binds.push(
      `${t} = $.dictUpdate(new $.Dict(), ${value})`,
      ...keys.map((key) => `${t}.delete(${key})`),
      `${nameValue(c, p.rest, true)} = ${t}`,
    );
  }
  return conjunction(parts);
}

function entryType(type: Type, key: ast.Expression): Type {
  if (type.t !== 'dict') return any;
  return (
    (key.kind === 'StringLiteral' && !key.bytes ? type.entries?.get(key.value as string) : undefined) ?? type.value
  );
}

const builtinTypes = new Set([
  'int',
  'str',
  'float',
  'bool',
  'bytes',
  'list',
  'dict',
  'set',
  'tuple',
  'frozenset',
  'bytearray',
]);

function classTest(c: Cx, p: ast.Pattern & { kind: 'ClassPattern' }, value: string, m: Matching): string {
  const classes = typeList(c, p.type);
  const code = classes.length === 1 ? classes[0]! : typeValue(c, p.type);
  const parts = [`${mark(c, p.type)}$.b.isinstance(${value}, ${code})`];
  const binding = p.type.kind === 'NameRef' ? c.u.names.binding(p.type) : undefined;
  const isBuiltin = binding?.sort === 'builtin' && builtinTypes.has(binding.name);
  const type = typeOf(c, p.type);
  p.positional.forEach((item, i) => {
    if (isBuiltin) {
      if (i === 0) parts.push(patternTest(c, item, value, m));
      else if (i === 1) parts.push(`$.matchArgument(${code}, ${i}, ${p.positional.length})`);
      return;
    }
    const field = type.t === 'class' ? type.cls.constructorFields[i] : undefined;
    const name = field === undefined ? `$.matchArgument(${code}, ${i}, ${p.positional.length})` : quote(field.name);
    parts.push(attributeTest(c, p, item, value, name, part(m, field?.type ?? any)));
  });
  for (const { name, pattern } of p.named) {
    const field = type.t === 'class' ? type.cls.fields.get(name.text) : undefined;
    parts.push(attributeTest(c, p, pattern, value, quote(name.text), part(m, field?.type ?? any)));
  }
  return conjunction(parts);
}

// A missing attribute is no match; the namespace object itself stands for "missing".
function attributeTest(c: Cx, of: ast.Pattern, p: ast.Pattern, value: string, name: string, m: Matching): string {
  const t = temp(c);
  const found = waited(c, of, `${runtime(c, of)}.getattrOr(${value}, ${name}, $)`);
  return conjunction([`(${t} = ${found}) !== $`, patternTest(c, p, t, m)]);
}

/**
 * C semantics: the first case that fits, else `default`, is the entry point; execution falls through
 * (docs/language/statements.md#switch).
 */
export function switchStatement(c: Cx, s: ast.SwitchStatement): string {
  const subject = unique(c.u, 'x');
  const of = { type: typeOf(c, s.subject) };
  const fallback = s.cases.findIndex((one) => one.pattern === undefined);
  let choice = String(fallback);
  for (let i = s.cases.length - 1; i >= 0; i -= 1) {
    const { pattern } = s.cases[i]!;
    if (pattern !== undefined) choice = `${optionTest(c, pattern, subject, of)} ? ${i} : ${choice}`;
  }
  c.jumps.push({ of: 'switch', breakLabel: undefined, continueLabel: undefined });
  const body = indented(c, () =>
    s.cases.map((one, i) => line(c, `case ${i}: {`) + block(c, one.body) + line(c, '}')).join(''),
  );
  c.jumps.pop();
  return `${line(c, `${mark(c, s)}const ${subject} = ${expr(c, s.subject)};`)}${line(c, `switch (${choice}) {`)}${body}${line(c, '}')}`;
}
