/** Values of parameters that are left out: they are computed once, where the function is defined (language reference, functions). */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, isChanged, line, type Unit, unique } from './cx.ts';

type Held = Unit['held']['values'];

/**
 * Writes a function or class: its code, and the values of its defaults. `ofModule`: it stands in the module itself, where what it calls or names
 * may be defined later.
 */
export function withDefaults<T>(c: Cx, write: () => T, ofModule = false): readonly [code: T, held: Held] {
  const around = c.u.held;
  c.u.held = { waits: ofModule, values: [] };
  const code = write();
  const { values } = c.u.held;
  c.u.held = around;
  return [code, values];
}

/** Code of a default value: `written` where it is the same whenever it is read, else the variable that holds it. */
export function defaultCode(c: Cx, name: string, value: ast.Expression, written: string): string {
  if (isFixed(c, value)) return written;
  const variable = unique(c.u, name);
  const waits = c.u.held.waits && containsNode(value, ({ kind }) => kind === 'Call' || kind === 'NameRef');
  c.u.held.values.push({ variable, value: waits ? undefined : written });
  return waits ? `(${variable} ??= ${written})` : variable;
}

/** Lines before a function or class. `var`: what calls a function of the module before its line finds no value, as on the server. */
export function heldLines(c: Cx, held: Held): string {
  const word = c.parent === undefined ? 'var' : 'const';
  return held
    .map(({ variable, value }) => line(c, `${word} ${variable}${value === undefined ? '' : ` = ${value}`};`))
    .join('');
}

/** A function as a value: `((i) => (x = i) => …)(i)`. */
export function heldAround(write: Code, held: Held): Code {
  if (held.length === 0) return write;
  const variables = held.map(({ variable }) => variable).join(', ');
  const values = held.map(({ value }) => value).join(', ');
  return code(`((${variables}) => ${at(write, P.assign)})(${values})`, P.call);
}

/** Is the value the same whenever the expression is read, and nobody sees how often that is? */
export function isFixed(c: Cx, e: ast.Expression): boolean {
  switch (e.kind) {
    case 'NumberLiteral':
    case 'StringLiteral':
    case 'Constant':
    case 'Lambda':
    case 'FunctionExpr':
      return true;
    case 'NameRef': {
      const binding = c.u.names.binding(e);
      return binding.sort === 'module' ? binding.reassigned !== true : !isChanged(c, e);
    }
    case 'Attribute':
      return c.u.types.of(e.object).t === 'class' && isFixed(c, e.object);
    case 'Unary':
      return isFixed(c, e.operand);
    case 'Binary':
    case 'Logical':
      return isFixed(c, e.left) && isFixed(c, e.right);
    case 'TupleExpr':
      return e.items.every((item) => isFixed(c, item));
    default:
      return false;
  }
}
