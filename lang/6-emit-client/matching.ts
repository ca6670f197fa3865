/** `match` and `switch`: a pattern becomes a condition that binds its captures as it goes. */
import type * as ast from '../1-parse/ast.ts';
import { at, P } from './code.ts';
import { type Cx, indented, type Loop, lang, line, mark, temp, unique } from './cx.ts';
import { expr, property } from './expressions.ts';
import { kindOf } from './kinds.ts';
import { test } from './operators.ts';
import { statements } from './statements.ts';
import { assignTarget } from './targets.ts';

export function matchStatement(c: Cx, s: ast.MatchStatement): string {
  const subject = unique(c.u, 'match');
  let text = line(c, `${mark(c, s)}const ${subject} = ${expr(c, s.subject)};`);
  s.cases.forEach((one, i) => {
    const guard = one.guard === undefined ? '' : ` && ${at(test(c, one.guard), P.and + 1)}`;
    const condition = patternTest(c, one.pattern, subject, s.subject);
    const isAlways = condition === 'true' && guard === '';
    const head = isAlways && i > 0 ? '{' : `if (${condition}${guard}) {`;
    text += i === 0 ? line(c, head) : ` else ${head}`;
    text += indented(c, () => statements(c, one.body.statements)) + line(c, '}');
  });
  return text;
}

function patternTest(c: Cx, p: ast.Pattern, value: string, of?: ast.Expression): string {
  switch (p.kind) {
    case 'WildcardPattern':
      return 'true';
    case 'CapturePattern':
      return bind(c, p.name, value);
    case 'StarPattern':
      return p.name === undefined || p.name.text === '_' ? 'true' : bind(c, p.name, value);
    case 'ValuePattern': {
      const isPlain =
        p.value.kind === 'StringLiteral' ||
        p.value.kind === 'NumberLiteral' ||
        (of !== undefined && kindOf(c, of) === 'str');
      if (p.value.kind === 'Constant' && p.value.value === null) return `${value} == null`;
      if (p.value.kind === 'Constant') return `${value} === ${expr(c, p.value)}`;
      const written = expr(c, p.value);
      // True is 1.
      if (/^[01]$/.test(written) && (of === undefined || !/number|str/.test(kindOf(c, of))))
        return `(${value} === ${written} || ${value} === ${written === '1'})`;
      return isPlain ? `${value} === ${written}` : `${lang(c.u, 'eq')}(${value}, ${written})`;
    }
    case 'AsPattern':
      return `(${patternTest(c, p.pattern, value)} && ${bind(c, p.name, value)})`;
    case 'OrPattern':
      return `(${p.options.map((option) => patternTest(c, option, value)).join(' || ')})`;
    case 'SequencePattern':
      return sequence(c, p.items, value);
    case 'MappingPattern':
      return mapping(c, p, value);
    case 'ClassPattern':
      return classTest(c, p, value);
  }
}

/** Binds and is true. */
function bind(c: Cx, name: ast.Name, value: string): string {
  if (name.text === '_') return 'true';
  return `(${assignTarget(c, name, value)}, true)`;
}

function sequence(c: Cx, items: readonly ast.Pattern[], value: string): string {
  const star = items.findIndex(({ kind }) => kind === 'StarPattern');
  const count = star < 0 ? items.length : items.length - 1;
  const parts = [`${lang(c.u, 'isSequence')}(${value})`, `${value}.length ${star < 0 ? '===' : '>='} ${count}`];
  items.forEach((item, i) => {
    const behind = items.length - i;
    const place =
      item.kind === 'StarPattern'
        ? `${value}.slice(${i}${behind === 1 ? '' : `, ${value}.length - ${behind - 1}`})`
        : star >= 0 && i > star
          ? `${value}[${value}.length - ${behind}]`
          : `${value}[${i}]`;
    const one = part(c, item, place);
    if (one !== 'true') parts.push(one);
  });
  return `(${parts.join(' && ')})`;
}

/** A part that is looked at more than once is kept. */
function part(c: Cx, p: ast.Pattern, place: string): string {
  if (
    p.kind === 'WildcardPattern' ||
    p.kind === 'CapturePattern' ||
    p.kind === 'StarPattern' ||
    p.kind === 'ValuePattern'
  )
    return patternTest(c, p, place);
  const name = temp(c);
  return `(${name} = ${place}, true) && ${patternTest(c, p, name)}`;
}

function mapping(c: Cx, p: Extract<ast.Pattern, { kind: 'MappingPattern' }>, value: string): string {
  const parts = [`${lang(c.u, 'isMapping')}(${value})`];
  const keys: string[] = [];
  for (const entry of p.entries) {
    const key = expr(c, entry.key);
    keys.push(key);
    parts.push(`${lang(c.u, 'contains')}(${key}, ${value})`);
    const one = part(c, entry.value, `${value}[${key}]`);
    if (one !== 'true') parts.push(one);
  }
  if (p.rest !== undefined) parts.push(bind(c, p.rest, `${lang(c.u, 'without')}(${value}, [${keys.join(', ')}])`));
  return `(${parts.join(' && ')})`;
}

function classTest(c: Cx, p: Extract<ast.Pattern, { kind: 'ClassPattern' }>, value: string): string {
  const parts = [`${lang(c.u, 'isinstance')}(${value}, ${expr(c, p.type)})`];
  p.positional.forEach((item, i) => {
    const isBuiltIn = p.type.kind === 'NameRef' && c.u.names.binding(p.type).sort === 'builtin';
    const place = isBuiltIn ? value : `${value}[${lang(c.u, 'fieldAt')}(${value}, ${i})]`;
    const one = part(c, item, place);
    if (one !== 'true') parts.push(one);
  });
  for (const { name, pattern } of p.named) {
    const one = part(c, pattern, `${value}.${property(name.text)}`);
    if (one !== 'true') parts.push(one);
  }
  return parts.length === 1 ? parts[0]! : `(${parts.join(' && ')})`;
}

/** Writes a `switch` as in C: the first case that fits is where it begins, `default` where none does, and it goes on until `break`. */
export function switchStatement(c: Cx, s: ast.SwitchStatement): string {
  const subject = unique(c.u, 'switch');
  const here: Loop = { kind: 'switch', label: unique(c.u, 'cases'), used: false, broken: false, completed: undefined };
  const inside: Cx = { ...c, loops: [...c.loops, here] };
  const isPlain = s.cases.every(({ pattern }) => pattern === undefined || isConstant(pattern));
  const entry = unique(c.u, 'entry');
  const head = isPlain
    ? ''
    : line(c, `const ${subject} = ${expr(c, s.subject)};`) +
      line(
        c,
        `const ${entry} = ${s.cases.flatMap(({ pattern }, i) => (pattern === undefined ? [] : [`${patternTest(c, pattern, subject)} ? ${i} : `])).join('')}-1;`,
      );
  const cases = indented(c, () =>
    s.cases
      .map(({ pattern, body }, i) => {
        const label = pattern === undefined ? 'default:' : isPlain ? constantCases(c, pattern) : `case ${i}:`;
        const hasBody = body.statements.length > 0;
        return (
          line(c, `${label}${hasBody ? ' {' : ''}`) +
          (hasBody ? indented(c, () => statements(inside, body.statements)) + line(c, '}') : '')
        );
      })
      .join(''),
  );
  return `${head}${line(c, `${mark(c, s)}switch (${isPlain ? expr(c, s.subject) : entry}) {`)}${cases}${line(c, '}')}`;
}

function isConstant(p: ast.Pattern): boolean {
  if (p.kind === 'OrPattern') return p.options.every(isConstant);
  return p.kind === 'ValuePattern' && (p.value.kind === 'StringLiteral' || p.value.kind === 'NumberLiteral');
}

function constantCases(c: Cx, p: ast.Pattern): string {
  if (p.kind === 'OrPattern') return p.options.map((option) => constantCases(c, option)).join(' ');
  return p.kind === 'ValuePattern' ? `case ${expr(c, p.value)}:` : '';
}
