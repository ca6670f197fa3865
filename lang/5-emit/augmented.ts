/** Augmented assignment (docs/language/statements.md#assignment): the parts of the target are evaluated once. */
import type * as ast from '../1-parse/ast.ts';
import { index } from './access.ts';
import { setAttribute, setIndex } from './assignment.ts';
import { type Cx, line, mark, temp } from './context.ts';
import { expr, inOrder, num } from './expressions.ts';
import { holdsBare, isBareFloat, isSimple } from './kinds.ts';
import { nameValue } from './names.ts';
import { augmented, isBare, operand, operands, operandsOf } from './operators.ts';

export function augAssign(c: Cx, s: ast.AugAssign): string {
  const { target } = s;
  const sum = sumStatement(c, s);
  if (sum !== undefined) return sum;
  if (target.kind === 'NameRef') return line(c, `${mark(c, s)}${augName(c, s, target)};`);
  if (target.kind === 'Attribute') return augAttribute(c, s, target);
  if (target.kind === 'Index') return augIndex(c, s, target);
  return line(c, `${mark(c, s)}${expr(c, target)};`);
}

/** Emits `total += x` on both paths; undefined for a variable that is on none. */
function sumStatement(c: Cx, s: ast.AugAssign): string | undefined {
  if (c.u.sums.size === 0 || s.target.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(s.target);
  const path = binding.sort === 'local' ? c.u.sums.get(binding) : undefined;
  if (path === undefined) return undefined;
  const { isBare, number } = path;
  const { before, left, right } = operands(c, s.target, s.value);
  const [result, given] = [temp(c), temp(c)];
  const areInts = `typeof ${left} === "number" && typeof ${right} === "number" && ((${result} = ${left} ${s.op} ${right}) | 0) === ${result}`;
  const areWords = `(${left} | 0) === ${left} && (${right} | 0) === ${right}`;
  const isNumber = `${isBare} && typeof (${given} = typeof ${right} === "number" ? ${right} : $.bare(${right})) === "number"`;
  const slow = `${left} = ${mark(c, s)}$.${inPlace[s.op]}(${isBare} ? $.f(${number}) : ${left}, ${right});`;
  return (
    (before === '' ? '' : line(c, `${mark(c, s)}${before.slice(0, -2)};`)) +
    line(c, `if (!${isBare} && ${areInts} && ${areWords}) ${left} = ${result};`) +
    line(c, `else if (${isNumber}) ${number} ${s.op}= ${given};`) +
    line(c, `else { ${slow} if ((${isBare} = $.isOwnFloat(${left}))) ${number} = $.bare(${left}); }`)
  );
}

const inPlace: Readonly<Record<string, string>> = { '+': 'iadd', '-': 'isub', '*': 'imul' };

/** `x = x op v` as an expression. */
export function augName(c: Cx, s: ast.AugAssign, target: ast.NameRef): string {
  const op = s.op as ast.Binary['op'];
  const isBareTarget = holdsBare(c, c.u.names.binding(target));
  const whole: ast.Binary = { ...s, kind: 'Binary', op, left: target, right: s.value };
  const isBareValue = isBareFloat(c, whole);
  if (isBare(c, op, target, s.value) && isBareTarget === isBareValue)
    return `${nameValue(c, target, true)} ${op}= ${num(c, s.value)}`;
  const { before, left, right } = operandsOf(c, whole);
  const code = augmented(c, s, left, right);
  const value = isBareTarget === isBareValue ? code : isBareTarget ? `$.bare(${code})` : `$.f(${code})`;
  return `${before}${nameValue(c, target, true)} = ${value}`;
}

function augAttribute(c: Cx, s: ast.AugAssign, target: ast.Attribute): string {
  const { computed } = c.u;
  let head = '';
  const keepObject = isSimple(c, target.object);
  if (!keepObject) {
    const object = temp(c);
    head += `${object} = ${expr(c, target.object)}; `;
    computed.set(target.object, object);
  }
  const old = temp(c);
  head += `${old} = ${expr(c, target)}; `;
  computed.set(target, old);
  const { before, left, right } = operands(c, target, s.value);
  if (before !== '') head += `${before.slice(0, -2)}; `;
  const value = storedResult(c, s, augmented(c, s, left, right));
  computed.delete(target);
  const t = temp(c);
  const result = line(c, `${mark(c, s)}${head}${t} = ${value};`) + setAttribute(c, target, t, s);
  if (!keepObject) computed.delete(target.object);
  return result;
}

/** Code of the result of `x.a op v` and `x[i] op v`, as a value: bare only where it is divided or the right side is bare. */
function storedResult(c: Cx, s: ast.AugAssign, code: string): string {
  const op = s.op as ast.Binary['op'];
  return isBareFloat(c, { ...s, kind: 'Binary', op, left: s.target, right: s.value }) ? `$.f(${code})` : code;
}

function augIndex(c: Cx, s: ast.AugAssign, target: ast.Index): string {
  const { computed } = c.u;
  if (target.index.kind === 'Slice') return augSlice(c, s, target, target.index);
  const { before, codes } = inOrder(c, [target.object, target.index]);
  computed.set(target.object, codes[0]!);
  computed.set(target.index, codes[1]!);
  let head = before === '' ? '' : `${before.slice(0, -2)}; `;
  const old = temp(c);
  head += `${old} = ${index(c, target)}; `;
  computed.set(target, old);
  const ops = operands(c, target, s.value);
  if (ops.before !== '') head += `${ops.before.slice(0, -2)}; `;
  const value = storedResult(c, s, augmented(c, s, ops.left, ops.right));
  computed.delete(target);
  const t = temp(c);
  const result = line(c, `${mark(c, s)}${head}${t} = ${value};`) + setIndex(c, target, t, s);
  computed.delete(target.object);
  computed.delete(target.index);
  return result;
}

function augSlice(c: Cx, s: ast.AugAssign, target: ast.Index, part: ast.Slice): string {
  const parts = [part.lower, part.upper, part.step].map((one) => (one === undefined ? 'null' : expr(c, one)));
  const names = [temp(c), temp(c), temp(c), temp(c)];
  const [object, ...edges] = names;
  const head = `${object} = ${expr(c, target.object)}; ${edges.map((name, i) => `${name} = ${parts[i]};`).join(' ')}`;
  const old = temp(c);
  const { before, code } = operand(c, s.value);
  const value = augmented(c, s, old, code);
  const where = `${object}, ${edges.join(', ')}`;
  return line(c, `${mark(c, s)}${head} ${old} = $.getslice(${where}); $.setslice(${where}, (${before}${value}));`);
}
