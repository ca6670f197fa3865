import type * as ast from '../../1-parse/ast.ts';
import { any, listOf } from '../classes/type-values.ts';
import type { Reader } from '../program.ts';
import { noteSpecial } from '../suspension/special-methods.ts';
import type { Type } from '../types.ts';
import { assign, shared } from './assign.ts';
import { copyOf, joinEnvs, slotIn } from './environments.ts';
import { typeOf, waitAt } from './expressions.ts';
import { elementOf } from './iteration.ts';
import { meet, narrowTo } from './narrowing.ts';
import { changePlace } from './places.ts';

/** Binds what a pattern captures. `subject` is the variable that is matched, when it is one: a match tells about it too. */
export function readPattern(f: Reader, pattern: ast.Pattern, type: Type, subject?: ast.Expression): void {
  switch (pattern.kind) {
    case 'WildcardPattern':
      return;
    case 'CapturePattern':
      bind(f, pattern.name, type);
      return;
    case 'ValuePattern':
      noteSpecial(f, pattern, typeOf(f, pattern.value), ['__eq__']);
      noteSpecial(f, pattern, type, ['__eq__']);
      return;
    case 'AsPattern':
      readPattern(f, pattern.pattern, type, subject);
      bind(f, pattern.name, matchedType(f, pattern.pattern, type));
      return;
    case 'OrPattern': {
      const before = f.env;
      const after = pattern.options.map((option) => {
        f.env = copyOf(before);
        readPattern(f, option, type);
        return f.env;
      });
      f.env = joinEnvs(after);
      return;
    }
    case 'SequencePattern':
      for (const [i, item] of pattern.items.entries()) readPattern(f, item, itemType(f, type, i, pattern.items));
      return;
    case 'StarPattern':
      if (pattern.name !== undefined) bind(f, pattern.name, listOf(elementOf(f, type, undefined), true));
      return;
    case 'MappingPattern':
      for (const entry of pattern.entries) {
        typeOf(f, entry.key);
        readPattern(f, entry.value, type.t === 'dict' ? type.value : any);
      }
      if (pattern.rest !== undefined) {
        const rest: Type =
          type.t === 'dict' ? { ...type, sure: true } : { t: 'dict', key: any, value: any, sure: true };
        bind(f, pattern.rest, rest);
      }
      return;
    case 'ClassPattern':
      readClassPattern(f, pattern, type, subject);
      return;
  }
}

function readClassPattern(
  f: Reader,
  pattern: Extract<ast.Pattern, { kind: 'ClassPattern' }>,
  type: Type,
  subject: ast.Expression | undefined,
): void {
  const matched = matchedType(f, pattern, type);
  const fields = matched.t === 'instance' ? matched.cls.constructorFields : undefined;
  for (const [i, item] of pattern.positional.entries()) {
    readPattern(f, item, fields === undefined ? matched : (fields[i]?.type ?? any));
  }
  for (const item of pattern.named) {
    const field = matched.t === 'instance' ? matched.cls.fields.get(item.name.text) : undefined;
    const property = f.program.points.properties.get(item.name.text);
    if (property !== undefined) waitAt(f, pattern, property);
    readPattern(f, item.pattern, field?.type ?? any);
  }
  if (subject === undefined || matched.t === 'any') return;
  changePlace(f, subject, () => matched);
  if (subject.kind !== 'NameRef') return;
  const binding = f.state.names.binding(subject);
  const slot = slotIn(f, binding);
  if (slot >= 0 && !(binding.sort === 'local' && binding.assignedInside)) f.env[slot] = matched;
}

function matchedType(f: Reader, pattern: ast.Pattern, type: Type): Type {
  if (pattern.kind === 'ClassPattern') {
    const proven = narrowTo(f, pattern.type);
    return proven.t === 'any' ? type : proven.t === 'instance' ? meet(type, proven) : proven;
  }
  return type;
}

function itemType(f: Reader, type: Type, i: number, items: readonly ast.Pattern[]): Type {
  if (items[i]?.kind === 'StarPattern') return type;
  const hasStar = items.some((item) => item.kind === 'StarPattern');
  if (type.t === 'tuple' && type.items !== undefined && !hasStar) return type.items[i] ?? any;
  if (type.t === 'str') return any;
  return elementOf(f, type, undefined);
}

function bind(f: Reader, name: ast.Name, type: Type): void {
  assign(f, f.state.names.binding(name), shared(type), undefined);
}
