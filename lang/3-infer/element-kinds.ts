/**
 * What is put into lists, sets and dicts that attributes hold, for display (language.md 6.3, decisions/0361): by the names of the attributes,
 * as with the attributes themselves. Read off the text, before any function is read.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Kind, kindOfValue, noteKind } from './attribute-kinds.ts';
import type { ModuleState, Program } from './program.ts';
import { any, anyFloat } from './type-values.ts';
import type { Type } from './types.ts';

/** Needs the kinds of all attributes. */
export function noteElements(program: Program): void {
  for (const cls of program.classes.values()) {
    for (const member of cls.memberNodes) {
      if (member.kind !== 'HasDecl') continue;
      for (const { name, value } of member.items) noteElementsOf(program, cls.state, name.text, value);
    }
  }
  for (const state of program.modules.values()) noteStored(program, state);
}

/** `self.best[k] = 0.0`, `self.times.append(0.5)`, `self.best = {…}`. */
function noteStored(program: Program, state: ModuleState): void {
  for (const [target, { value }] of state.names.attributeAssignments) {
    if (target.kind === 'Attribute') noteElementsOf(program, state, target.name.text, value);
    else if (target.kind === 'Index' && target.object.kind === 'Attribute' && target.index.kind !== 'Slice')
      noteKind(
        program.elementKinds,
        target.object.name.text,
        kindUnder(target.index, kindOfItem(program, state, value)),
      );
  }
  for (const { callee, args } of state.names.calls) {
    if (callee.kind !== 'Attribute' || callee.object.kind !== 'Attribute') continue;
    const at = valueArgument.get(callee.name.text);
    if (at !== undefined)
      noteKind(program.elementKinds, callee.object.name.text, kindOfItem(program, state, args[at]?.value));
  }
}

/** Methods that put one value into a container, and which of their arguments it is. */
const valueArgument: ReadonlyMap<string, number> = new Map([
  ['append', 0],
  ['appendleft', 0],
  ['add', 0],
  ['insert', 1],
  ['setdefault', 1],
]);

/** What stands in a display that the attribute begins with. */
function noteElementsOf(program: Program, state: ModuleState, name: string, value: ast.Expression | undefined): void {
  if (value?.kind === 'ListExpr' || value?.kind === 'SetExpr') {
    for (const item of value.items) noteKind(program.elementKinds, name, kindOfItem(program, state, item));
  } else if (value?.kind === 'DictExpr') {
    for (const { key, value: item } of value.entries)
      if (key !== undefined) noteKind(program.elementKinds, name, kindUnder(key, kindOfItem(program, state, item)));
  }
}

function kindOfItem(program: Program, state: ModuleState, e: ast.Expression | undefined): Kind {
  return e?.kind === 'Attribute' ? program.attributeKinds.get(e.name.text) : kindOfValue(program, state, e);
}

/** A key that is written out belongs to a record: what is not plainly a float there may well be an int. */
function kindUnder(key: ast.Expression, kind: Kind): Kind {
  return key.kind === 'StringLiteral' ? (kind ?? 'other') : kind;
}

/** The type of an attribute that is declared as a container of anything. */
export function withElements(program: Program, name: string, type: Type): Type {
  if (program.elementKinds.get(name) !== 'float') return type;
  switch (type.t) {
    case 'list':
    case 'set':
      return type.of === any ? { ...type, of: anyFloat } : type;
    case 'dict':
      return type.value === any ? { ...type, value: anyFloat } : type;
    default:
      return type;
  }
}
