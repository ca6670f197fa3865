/**
 * Generated functions of a class. Constructors written out field by field give all instances of a class one shape, which field access in
 * hot loops needs; a loop over a field list would not.
 */

import { compileText } from '../../base/compile-text.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { requireGiven } from './bind.ts';
import { wordsOf } from './closed-fields.ts';
import { isFloatPlace } from './float-places.ts';
import { filled, type Generated, type Layout, type Members, membersOf, nextNumber, waitingSlots } from './layout.ts';
import type { Field } from './meta.ts';
import { makePlainly, plainAccessors } from './plain-constructors.ts';
import { LAZY } from './state.ts';

export function generate(layout: Layout): Generated {
  const { fields } = layout;
  const scope: Record<string, unknown> = { cls: layout.cls, nextNumber, boxed };
  const names = fields.map((_, i) => `f${i}`);
  const containers = wordsOf(fields)
    .map((word) => `this.${word} = -1;`)
    .join(' ');
  const assign = fields.map((field, i) => `this[${JSON.stringify(field.slot)}] = ${names[i]};`).join(' ');
  const { front, back, isNumbered, hasReports } = membersOf(layout);
  const number = isNumbered ? 'this.$no = nextNumber();' : '';
  const source = `
    function ${identifier(layout.name)}(${names.join(', ')}) { ${membersSource(front)} ${containers} ${assign} ${hasReports ? 'this.reports = [];' : ''} ${membersSource(back)} ${number} }
    ${identifier(layout.name)}.prototype = cls.prototype;
    return { ${makeSource(layout, scope)}, blank() { return new ${identifier(layout.name)}(${fields.map(() => 'null').join(', ')}); }, ${loadSource(fields)} };`;
  return compileText<Generated>(scope, source) ?? makePlainly(layout);
}

function membersSource(members: Members): string {
  return Object.entries(members)
    .map(([name, value]) => `this.${name} = ${JSON.stringify(value)};`)
    .join(' ');
}

function makeSource(layout: Layout, scope: Record<string, unknown>): string {
  const allocate = (values: readonly string[]) => `const self = new ${identifier(layout.name)}(${values.join(', ')});`;
  if (layout.hasInit) {
    const values = layout.fields.map((field, i) =>
      field.default === undefined ? 'null' : defaultSource(field, i, scope),
    );
    const args = Array.from({ length: layout.initSlots }, (_, i) => `a${i}`);
    const rest = `const r = self.init(${args.join(', ')}); ${finish(layout, [])}`;
    return `make(${args.join(', ')}) { ${allocate(values)} ${whenFilled(layout, scope, rest)} }`;
  }
  const args = layout.constructorFields.map((_, i) => `a${i}`);
  const required: string[] = [];
  const given = (field: Field, i: number): string => {
    const at = layout.constructorFields.indexOf(field);
    if (at < 0) return field.default === undefined ? 'null' : defaultSource(field, i, scope);
    if (field.default !== undefined) return `a${at} === undefined ? ${defaultSource(field, i, scope)} : a${at}`;
    required.push(`a${at} === undefined`);
    return `a${at}`;
  };
  const values = layout.fields.map(given);
  const handed = layout.constructorFields
    .filter((field) => field.initOnly === true)
    .map((field, i) => given(field, layout.fields.length + i));
  scope['requireGiven'] = requireGiven;
  scope['params'] = layout.params;
  const check =
    required.length === 0
      ? ''
      : `if (${required.join(' || ')}) requireGiven(${JSON.stringify(layout.initName)}, params, [${args.join(', ')}]);`;
  const rest = `const r = undefined; ${finish(layout, handed)}`;
  return `make(${args.join(', ')}) { ${check} ${allocate(values)} ${whenFilled(layout, scope, rest)} }`;
}

// A default that waits gives its value later; nothing else of the object is made before.
function whenFilled(layout: Layout, scope: Record<string, unknown>, rest: string): string {
  const slots = waitingSlots(layout);
  if (slots.length === 0) return rest;
  scope['filled'] = filled;
  return `const go = () => { ${rest} }; const later = filled(self, ${JSON.stringify(slots)}); return later === undefined ? go() : later.then(go);`;
}

// `init` and `postinit` wait only when the program makes them wait.
function finish(layout: Layout, handed: readonly string[]): string {
  if (!layout.hasInit && !layout.hasPostinit) return 'return self;';
  if (!layout.hasPostinit) return 'return r instanceof Promise ? r.then(() => self) : self;';
  const postinit = `self.postinit(${handed.join(', ')})`;
  return `if (r instanceof Promise) return r.then(() => ${postinit}).then(() => self);
    const p = ${postinit}; return p instanceof Promise ? p.then(() => self) : self;`;
}

function defaultSource(field: Field, i: number, scope: Record<string, unknown>): string {
  const literal = field.literal;
  if (literal !== undefined && (typeof literal !== 'number' || (Number.isFinite(literal) && !Object.is(literal, -0)))) {
    return JSON.stringify(literal);
  }
  scope[`d${i}`] = field.default;
  return `d${i}()`;
}

/** Plain fields are filled at once, what a program could change in place or what refers elsewhere when it is read. */
function loadSource(fields: readonly Field[]): string {
  const plain = fields.filter((field) => field.bit === 0);
  const lines = plain.map((field) => {
    const slot = JSON.stringify(field.slot);
    const value = isFloatPlace(field.type) ? 'boxed(v)' : 'v';
    return `v = row[${JSON.stringify(field.name)}]; n[${slot}] = v === null || typeof v !== 'object' ? ${value} : session.openPlain(n, v);`;
  });
  return `load(n, row, session) { n.$st &= ${~LAZY}; let v; ${lines.join(' ')} }`;
}

/** Accessors of a node's or edge's fields: reading fills the fields of a stored object, writing marks it changed. */
export function installAccessors(cls: any, fields: readonly Field[]): void {
  if (fields.length === 0) return;
  const source = `return [${fields.map(accessorSource).join(',\n')}];`;
  const accessors = compileText<PropertyDescriptor[]>({}, source) ?? plainAccessors(fields);
  for (const [i, field] of fields.entries())
    Object.defineProperty(cls.prototype, field.property, { ...accessors[i], enumerable: true, configurable: true });
}

function accessorSource(field: Field, i: number): string {
  const slot = JSON.stringify(field.slot);
  const read =
    field.bit === 0
      ? `if (this.$st & ${LAZY}) this.$s.hydrate(this);`
      : `if ((this.${field.word} & ${field.bit}) === 0) this.$s.unfold(this, ${i});`;
  const open = field.bit === 0 ? '' : `this.${field.word} |= ${field.bit};`;
  return `{
    get() { ${read} return this[${slot}]; },
    set(v) { if (this.$s !== null && !this.$s.touch(this, ${JSON.stringify(field.name)})) return; ${open} this[${slot}] = v; } }`;
}

function identifier(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.has(name) ? name : `$${name.replace(/[^\w$]/g, '_')}`;
}

const reserved = new Set(
  'arguments await boxed break case catch class const continue debugger default delete do else enum eval export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static cls scope params requireGiven nextNumber'.split(
    ' ',
  ),
);
