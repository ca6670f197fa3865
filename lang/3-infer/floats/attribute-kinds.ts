/**
 * Kinds of the values kept in attributes, by the attributes' names alone, for reads from values whose class is not
 * known (docs/language/values.md#floats, decisions/0167): from the declarations of fields and from plain assignments.
 * Read off the text, before any function is read.
 */
import type * as ast from '../../1-parse/ast.ts';
import type { AttributeSource, LocalBinding } from '../../2-resolve/names.ts';
import type { LocalRecord } from '../../2-resolve/records.ts';
import type { ModuleState, Program } from '../program.ts';
import { kindOfArriving } from './parameter-kinds.ts';

export type Kind = 'float' | 'other' | undefined;

/** Notes one more thing that is kept under the name; where it is not known, nothing. */
export function noteAttribute({ attributeKinds }: Program, name: string, kind: Kind): void {
  if (kind === undefined) return;
  const known = attributeKinds.get(name);
  attributeKinds.set(name, known === undefined || known === kind ? kind : 'other');
}

export function kindOfDeclared(
  program: Program,
  type: ast.Expression | undefined,
  value: ast.Expression | undefined,
): Kind {
  return type === undefined ? kindOfValue(program, undefined, value) : kindOfType(type);
}

export function kindOfAssigned(program: Program, state: ModuleState, by: AttributeSource): Kind {
  return by.type === undefined ? kindOfValue(program, state, by.value) : kindOfType(by.type);
}

function kindOfType(e: ast.Expression): Kind {
  switch (e.kind) {
    case 'NameRef':
      return e.name === 'float' ? 'float' : e.name === 'any' || e.name === 'Any' ? undefined : 'other';
    case 'Constant':
      return undefined;
    case 'Binary': {
      const [left, right] = [kindOfType(e.left), kindOfType(e.right)];
      return left === undefined || left === right ? right : right === undefined ? left : 'other';
    }
    case 'Index':
      return e.object.kind === 'NameRef' && e.object.name === 'Optional' ? kindOfType(e.index) : 'other';
    default:
      return 'other';
  }
}

/** `float('inf')`, `float('-inf')`, `float('nan')`: the argument. */
export function isEndlessText(e: ast.Expression | undefined): boolean {
  return e?.kind === 'StringLiteral' && /^\s*[+-]?(inf(inity)?|nan)\s*$/i.test(e.value);
}

/**
 * Gives the kind of a value where the text says it: a literal, a division, `float(…)`, a parameter that is declared,
 * has a default, or is given such things wherever it is given anything.
 */
export function kindOfValue(program: Program, state: ModuleState | undefined, e: ast.Expression | undefined): Kind {
  switch (e?.kind) {
    case 'NumberLiteral':
      return e.float ? 'float' : 'other';
    case 'StringLiteral':
    case 'Joined':
    case 'ListExpr':
    case 'DictExpr':
      return 'other';
    case 'Unary':
      return kindOfValue(program, state, e.operand);
    case 'Binary':
      return e.op === '/' || isFloatArithmetic(program, state, e) ? 'float' : undefined;
    case 'Call':
      return e.callee.kind === 'NameRef' ? kindOfCall(e.callee.name, e.args[0]?.value) : kindOfGet(program, state, e);
    case 'NameRef': {
      const binding = state?.names.binding(e);
      if (state === undefined || binding?.sort !== 'local' || binding.role !== 'param') return undefined;
      return binding.decl?.kind === 'Param' ? kindOfParam(program, binding, binding.decl) : undefined;
    }
    default:
      return undefined;
  }
}

function isFloatArithmetic(program: Program, state: ModuleState | undefined, e: ast.Binary): boolean {
  // Long sums lean to the left.
  let left: ast.Expression = e;
  for (; left.kind === 'Binary' && /^[-+*]$/.test(left.op); left = left.left)
    if (kindOfValue(program, state, left.right) === 'float') return true;
  return left !== e && kindOfValue(program, state, left) === 'float';
}

/** `d.get(k, 0.0)` */
function kindOfGet(program: Program, state: ModuleState | undefined, { callee, args }: ast.Call): Kind {
  const isGet = callee.kind === 'Attribute' && callee.name.text === 'get' && args.length === 2;
  return isGet && kindOfValue(program, state, args[1]!.value) === 'float' ? 'float' : undefined;
}

function kindOfCall(name: string, argument: ast.Expression | undefined): Kind {
  if (name === 'float') return isEndlessText(argument) ? undefined : 'float';
  return name === 'int' || name === 'len' || name === 'str' || name === 'ord' ? 'other' : undefined;
}

function kindOfParam(program: Program, binding: LocalBinding, param: ast.Param): Kind {
  const declared = kindOfDeclared(program, param.type, param.value);
  if (declared !== undefined || param.type !== undefined) return declared;
  const { node } = (binding as LocalRecord).home;
  return node.kind === 'FunctionDecl' ? kindOfArriving(program, node, param) : undefined;
}
