/** Operators, comparisons and truth. */
import type * as ast from '../1-parse/ast.ts';
import { isEnumClass } from '../2-resolve/enum-classes.ts';
import { declarationOf } from './calls.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, lang, temp } from './cx.ts';
import { expr, gen, inPieces, iterated, list } from './expressions.ts';
import { isTruthNative, type Kind, kindOf, mayHaveOperators } from './kinds.ts';
import { operandsWithoutForm, withTypedTexts } from './typed-texts.ts';

type BinaryOp = ast.Binary['op'];

const native: Partial<Record<BinaryOp, number>> = {
  '+': P.add,
  '-': P.add,
  '*': P.multiply,
  '/': P.multiply,
  '%': P.multiply,
  '<<': P.shift,
  '>>': P.shift,
  '&': P.bitAnd,
  '|': P.bitOr,
  '^': P.bitXor,
};

const helpers: Record<BinaryOp, string> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '<<': 'lshift',
  '>>': 'rshift',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
};

export function binary(c: Cx, e: ast.Binary): Code {
  const l = kindOf(c, e.left);
  if (e.op === '+' && l === 'list' && e.right.kind === 'ListExpr')
    return code(`[...${expr(c, e.left)}, ${list(c, e.right.items)}]`, P.primary);
  if (e.op === '+' && c.u.types.of(e.left).t === 'bytes' && c.u.types.of(e.right).t === 'bytes')
    return code(`Uint8Array.of(...${expr(c, e.left)}, ...${expr(c, e.right)})`, P.call);
  // A list is one operand of a text, a tuple all of them: in JavaScript they are the same.
  const isOne = e.op === '%' && l === 'str' && c.u.types.of(e.right).t === 'list';
  const right = () => (isOne ? code(`[${expr(c, e.right)}]`, P.primary) : gen(c, e.right));
  const r = kindOf(c, e.right);
  if (setOperators.has(e.op) && (isView(c, e.left) || isView(c, e.right)))
    return binaryOf(c, e.op, setCode(c, e.left), 'set', setCode(c, e.right), 'set');
  const write = () => binaryOf(c, e.op, cutProducts(c, e), l, right(), r);
  return e.op === '%' ? withTypedTexts(c, operandsWithoutForm(c, e), write) : write();
}

/** The method by which an object takes `a op= b` as a change of itself, where its class has one. */
export function changingMethod(c: Cx, op: BinaryOp, target: ast.Expression): string | undefined {
  const type = c.u.types.of(target);
  const helper = helpers[op];
  const name = `__i${op === '/' ? 'truediv' : helper.replace('bit', '')}__`;
  return type.t === 'instance' && type.cls.methods.has(name) ? name : undefined;
}

/** The left side of `(a * b + c) & mask` and `% m`: of products that a double cannot hold, what the operator needs of them. */
function cutProducts(c: Cx, e: ast.Binary): Code {
  const by = e.right.kind === 'NumberLiteral' ? numberOf(gen(c, e.right)) : undefined;
  if (by === undefined || (e.op !== '&' && e.op !== '%') || (e.op === '&' && by >= 2 ** 32)) return gen(c, e.left);
  const cut = (part: ast.Expression): Code => {
    if (part.kind !== 'Binary' || !'+-*'.includes(part.op) || c.u.types.of(part).t !== 'int') return gen(c, part);
    if (part.op !== '*') return binaryOf(c, part.op, cut(part.left), 'number', cut(part.right), 'number');
    const [a, b] = [gen(c, part.left), gen(c, part.right)];
    // A product of shorter numbers is exact as it is.
    const isLong = [a, b].some((factor) => (numberOf(factor) ?? 0) >= 2 ** 21);
    if (e.op === '%' && !isLong) return binaryOf(c, '*', a, 'number', b, 'number');
    const list = `${at(a, P.assign)}, ${at(b, P.assign)}`;
    return e.op === '&' ? code(`Math.imul(${list})`, P.call) : code(`${lang(c.u, 'times')}(${list}, ${by})`, P.call);
  };
  return cut(e.left);
}

function numberOf({ text }: Code): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const setOperators: ReadonlySet<BinaryOp> = new Set(['&', '|', '^', '-']);

/** `d.keys()`, `d.items()`: a list here, which means a set where it is compared with one or combined. */
function isView(c: Cx, e: ast.Expression): boolean {
  if (e.kind !== 'Call' || e.args.length > 0 || e.callee.kind !== 'Attribute') return false;
  return /^(keys|items)$/.test(e.callee.name.text) && /^(dict|unknown)$/.test(kindOf(c, e.callee.object));
}

function setCode(c: Cx, e: ast.Expression): Code {
  const kind = kindOf(c, e);
  return kind === 'set' ? gen(c, e) : code(`${lang(c.u, 'setOf')}(${iterated(c, e)})`, P.call);
}

export function binaryOf(c: Cx, op: BinaryOp, left: Code, l: Kind, right: Code, r: Kind): Code {
  const p = native[op];
  if (p !== undefined && p <= P.shift && isNative(c, op, l, r)) {
    const bits = bitsOf(op, left, right);
    if (bits !== undefined) return bits;
  } else if (p !== undefined && isNative(c, op, l, r)) return code(`${at(left, p)} ${op} ${at(right, p + 1)}`, p);
  if (op === '**' && l === 'number' && r === 'number')
    return code(`${at(left, P.call)} ** ${at(right, P.power)}`, P.power);
  if (op === '%' && l === 'number' && r === 'number')
    return code(`${lang(c.u, 'remainder')}(${at(left, P.assign)}, ${at(right, P.assign)})`, P.call);
  if (op === '//' && l === 'number' && r === 'number')
    return /^[\d.]*[1-9]/.test(right.text)
      ? code(`Math.floor(${at(left, P.multiply)} / ${right.text})`, P.call)
      : code(`${lang(c.u, 'quotient')}(${at(left, P.assign)}, ${at(right, P.assign)})`, P.call);
  if (op === '+' && l === 'list' && r === 'list')
    return code(`[...${at(left, P.assign)}, ...${at(right, P.assign)}]`, P.primary);
  return code(`${lang(c.u, helpers[op])}(${at(left, P.assign)}, ${at(right, P.assign)})`, P.call);
}

/**
 * Bits of whole numbers, which JavaScript cuts to 32; undefined where both have to be asked for their length. `x | 0`, `x >> 0` and `x & x`
 * mean nothing in the language: who writes them means JavaScript's cut.
 */
function bitsOf(op: BinaryOp, left: Code, right: Code): Code | undefined {
  const p = native[op]!;
  const plain = code(`${at(left, p)} ${op} ${at(right, p + 1)}`, p);
  const number = numberOf(right) ?? numberOf(left);
  if (right.text === '0' || (op === '&' && left.text === right.text)) return plain;
  const power = () => (/^\d\d?$/.test(right.text) ? String(2 ** Number(right.text)) : `2 ** ${at(right, P.power)}`);
  switch (op) {
    case '<<':
      return code(`${at(left, P.multiply)} * ${power()}`, P.multiply);
    case '>>':
      return code(`Math.floor(${at(left, P.multiply)} / ${power()})`, P.call);
    case '&':
      if (number === undefined || number >= 2 ** 32) return undefined;
      return number < 2 ** 31 ? plain : code(`(${plain.text}) >>> 0`, P.shift);
    default:
      return undefined;
  }
}

function isNative(c: Cx, op: BinaryOp, l: Kind, r: Kind): boolean {
  if (op !== '+' && (mayHaveOperators(c, l) || mayHaveOperators(c, r))) return false;
  const isNumber = l === 'number' && r === 'number';
  switch (op) {
    case '+':
      // A text and anything: JavaScript joins them, which is what such a program expects here.
      return isNumber || l === 'str' || r === 'str' || (l === 'number' && r === 'bool');
    case '-':
      return l === 'number' || r === 'number';
    case '*':
      return isNumber;
    case '/':
      return true;
    case '%':
      return false;
    default:
      return l === 'number' || r === 'number';
  }
}

export function unary(c: Cx, e: ast.Unary): Code {
  switch (e.op) {
    case 'not':
      return negated(test(c, e.operand));
    case '-':
      return mayHaveOperators(c, kindOf(c, e.operand))
        ? code(`${lang(c.u, 'neg')}(${expr(c, e.operand)})`, P.call)
        : code(`-${at(gen(c, e.operand), P.number)}`, P.unary);
    case '~': {
      // `~~x` means nothing in the language: who writes it means JavaScript's cut.
      const { operand } = e;
      const isCut = operand.kind === 'Unary' && operand.op === '~';
      if (isCut) return code(`~~${at(gen(c, operand.operand), P.number)}`, P.unary);
      if (kindOf(c, operand) === 'object') return code(`${at(gen(c, operand), P.call)}.__invert__()`, P.call);
      return code(`-1 - ${at(gen(c, operand), P.add + 1)}`, P.add);
    }
    default:
      return kindOf(c, e.operand) === 'object'
        ? code(`${at(gen(c, e.operand), P.call)}.__pos__()`, P.call)
        : code(`${e.op}${at(gen(c, e.operand), P.number)}`, P.unary);
  }
}

function negated(truth: Code): Code {
  return code(`!${at(truth, P.unary)}`, P.unary);
}

/** Code that is true or false in JavaScript as the expression is in the language. */
export function test(c: Cx, e: ast.Expression): Code {
  if (e.kind === 'Unary' && e.op === 'not') return negated(test(c, e.operand));
  if (e.kind === 'Logical' && e.op !== '?:' && !c.u.computed.has(e)) {
    const pieces = inPieces(c, e, test);
    if (pieces !== undefined) return pieces;
    const [op, p] = e.op === 'and' ? (['&&', P.and] as const) : (['||', P.or] as const);
    return code(`${at(test(c, e.left), p)} ${op} ${at(test(c, e.right), p + 1)}`, p);
  }
  const kind = kindOf(c, e);
  if (isTruthNative(kind)) return gen(c, e);
  if (kind === 'list') return code(`${at(gen(c, e), P.call)}.length > 0`, P.relation);
  return code(`${lang(c.u, 'truthy')}(${expr(c, e)})`, P.call);
}

export function logical(c: Cx, e: ast.Logical): Code {
  if (e.op === '?:') return code(`${at(gen(c, e.left), P.bitOr)} ?? ${at(gen(c, e.right), P.bitOr)}`, P.conditional);
  const isAnd = e.op === 'and';
  const kind = kindOf(c, e.left);
  if (isTruthNative(kind)) {
    const [op, p] = isAnd ? (['&&', P.and] as const) : (['||', P.or] as const);
    return code(`${at(gen(c, e.left), p)} ${op} ${at(gen(c, e.right), p + 1)}`, p);
  }
  const right = gen(c, e.right);
  const [value, again] = reused(c, e.left);
  const asked = `${lang(c.u, 'truthy')}(${value})`;
  const [then, other] = isAnd ? [at(right, P.assign), again] : [again, at(right, P.assign)];
  return code(`${asked} ? ${then} : ${other}`, P.conditional);
}

/** Code of an operand that is written twice: the second time what the first gave. */
export function reused(c: Cx, e: ast.Expression): readonly [first: string, again: string] {
  const written = expr(c, e);
  if (isStable(e)) return [written, written];
  const name = temp(c);
  return [`${name} = ${written}`, name];
}

/** Does reading it twice give the same, without effects? */
export function isStable(e: ast.Expression): boolean {
  return (
    e.kind === 'NameRef' ||
    e.kind === 'StringLiteral' ||
    e.kind === 'NumberLiteral' ||
    e.kind === 'Constant' ||
    (e.kind === 'SpecialRef' && e.word !== 'root') ||
    (e.kind === 'Attribute' && isStable(e.object))
  );
}

export function conditional(c: Cx, e: ast.Conditional): Code {
  const asked = at(test(c, e.test), P.conditional + 1);
  return code(`${asked} ? ${at(gen(c, e.then), P.assign)} : ${at(gen(c, e.orElse), P.assign)}`, P.conditional);
}

/** `held`: variables that hold the operands already. */
export function compare(c: Cx, e: ast.Compare, held: readonly string[] = []): Code {
  const last = e.ops.length - 1;
  const parts: Code[] = [];
  const read = (i: number) => (held[i] === undefined ? gen(c, e.operands[i]!) : code(held[i], P.primary));
  let left = read(0);
  e.ops.forEach((op, i) => {
    const operand = e.operands[i + 1]!;
    let right = read(i + 1);
    let again = right;
    if (i < last && !isStable(operand)) {
      const name = temp(c);
      right = code(`(${name} = ${at(right, P.assign)})`, P.primary);
      again = code(name, P.primary);
    }
    parts.push(one(c, op, left, e.operands[i]!, right, operand));
    left = again;
  });
  if (parts.length === 1) return parts[0]!;
  return code(parts.map((part) => at(part, P.and + 1)).join(' && '), P.and);
}

function one(c: Cx, op: ast.CompareOp, left: Code, l: ast.Expression, right: Code, r: ast.Expression): Code {
  const [lk, rk] = [kindOf(c, l), kindOf(c, r)];
  const [isLeft, isRight] = [isView(c, l), isView(c, r)];
  if (!op.includes('i') && (isLeft || lk === 'set') && (isRight || rk === 'set') && (isLeft || isRight)) {
    const name = op === '==' ? 'eq' : op === '!=' ? 'ne' : orders[op as keyof typeof orders];
    return code(`${lang(c.u, name)}(${at(setCode(c, l), P.assign)}, ${at(setCode(c, r), P.assign)})`, P.call);
  }
  const help = (name: string) => code(`${lang(c.u, name)}(${at(left, P.assign)}, ${at(right, P.assign)})`, P.call);
  const written = (sign: string, p: number) => code(`${at(left, p + 1)} ${sign} ${at(right, p + 1)}`, p);
  switch (op) {
    case '==':
    case 'is':
      return equality(c, [l, lk], [r, rk], op === 'is') ? written(signOf(lk, rk, true), P.equal) : help('eq');
    case '!=':
    case 'is not':
      return equality(c, [l, lk], [r, rk], op === 'is not') ? written(signOf(lk, rk, false), P.equal) : help('ne');
    case 'in':
      return membership(c, left, right, r, rk);
    case 'not in':
      return negated(membership(c, left, right, r, rk));
    default: {
      const isPlain = (kind: Kind) => kind === 'number' || kind === 'str';
      return isPlain(lk) || isPlain(rk) ? written(op, P.relation) : help(orders[op]);
    }
  }
}

const orders = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const;

/** `None` is null or undefined. */
function signOf(l: Kind, r: Kind, same: boolean): string {
  const loose = l === 'none' || r === 'none';
  return same ? (loose ? '==' : '===') : loose ? '!=' : '!==';
}

type Operand = readonly [e: ast.Expression, kind: Kind];

/** Is equality that of JavaScript? A member of an enum equals its value, so where one may stand the runtime compares. */
function equality(c: Cx, [l, lk]: Operand, [r, rk]: Operand, identity: boolean): boolean {
  if (identity || lk === 'none' || rk === 'none') return true;
  if (lk === 'member' || rk === 'member') return false;
  // True is 1.
  if (lk !== rk && (lk === 'bool' || lk === 'number') && (rk === 'bool' || rk === 'number')) return false;
  const isPlain = (kind: Kind) => kind === 'str' || kind === 'number' || kind === 'bool' || kind === 'function';
  return (isPlain(lk) || isPlain(rk)) && !mayBeMember(c, l, lk) && !mayBeMember(c, r, rk);
}

function mayBeMember(c: Cx, e: ast.Expression, kind: Kind): boolean {
  if (!c.u.link.plan.hasEnums) return false;
  return kind === 'unknown' || namesMember(c, e);
}

/** `Color.RED` */
function namesMember(c: Cx, e: ast.Expression): boolean {
  return e.kind === 'Attribute' && isEnum(c, e.object);
}

function isEnum(c: Cx, e: ast.Expression): boolean {
  if (e.kind !== 'NameRef') return false;
  const decl = declarationOf(c, c.u.names.binding(e));
  return decl?.kind === 'EnumDecl' || isEnumClass(decl);
}

function membership(c: Cx, left: Code, right: Code, r: ast.Expression, kind: Kind): Code {
  const item = at(left, P.assign);
  if (kind === 'str') return code(`${at(right, P.call)}.includes(${item})`, P.call);
  const isPlainList = r.kind === 'ListExpr' || r.kind === 'TupleExpr';
  if (isPlainList && r.items.every((one) => one.kind === 'StringLiteral' || one.kind === 'NumberLiteral'))
    return code(`${at(right, P.call)}.includes(${item})`, P.call);
  const members = isEnum(c, r) ? '.$members' : '';
  return code(`${lang(c.u, 'contains')}(${item}, ${at(right, members === '' ? P.assign : P.call)}${members})`, P.call);
}
