import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { conventionOf, isComponent } from '../2-resolve/components.ts';
import { declaredName } from '../2-resolve/names.ts';
import { hasNone, membersOf, sure, typeText } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import { componentOf } from './component-of.ts';
import { givesNoFunction, isSetter, noteSetters } from './given-by-calls.ts';
import { hostAttributes, hostElements, hostEvents, styleProperties } from './host-attributes.ts';
import { misfit, suits } from './known-values.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * Properties of tags: E0608 and E0410 of components of the program, W0636, W0649 and E0613 of host elements; W0638 of components
 * in lower case.
 */
export const propertyRule: Rule = {
  name: 'properties',
  half: 'client',
  visit: { Markup: visit, AssignStatement: noteSetters },
};

function visit(node: ast.Markup, c: RuleContext): void {
  if (typeof node.tag === 'string') {
    // A name with a dash is an element that a script defines.
    if (node.tag.includes('-')) return;
    // An element that no browser has is one of another renderer, with attributes of its own.
    const isHost = hostElements.has(node.tag);
    for (const attribute of node.attributes) {
      if (isHost) {
        checkHost(node.tag, attribute, c);
        if (attribute.name === 'style' && attribute.value?.kind === 'DictExpr') checkStyle(attribute.value, c);
      }
      checkHostValue(attribute, c);
    }
    if (isHost) checkControlled(node.tag, node.attributes, c);
    else checkLowerCase(node.tag, node, c);
    return;
  }
  for (const attribute of node.attributes) checkSetter(attribute, c);
  const decl = node.tag && componentOf(node.tag, c);
  if (node.tag !== undefined && decl !== undefined) checkComponent(node, node.tag, decl, c);
}

// ---------------------------------------------------------------- components

/** Properties that React keeps to itself, and what a component may hand on without naming it. */
const understood = /^(key|ref|children)$|^(data|aria)-/;

function checkComponent(node: ast.Markup, tag: ast.Expression, decl: ast.FunctionDecl, c: RuleContext): void {
  const convention = conventionOf(decl, c.client!.plan);
  if (convention === 'props' || convention === 'positions') return;
  const { params } = decl.signature;
  if (params.some(({ sort }) => sort === 'doublestar' || sort === 'star')) return;
  if (convention === 'none' && asksProps(decl, c)) return;
  const names = params.flatMap((param) => declaredName(param) ?? []);
  const f = tag.kind === 'NameRef' ? tag.name : tag.kind === 'Attribute' ? tag.name.text : '';
  for (const attribute of node.attributes) {
    const { name } = attribute;
    if (name === undefined) continue;
    const param = params.find((one) => declaredName(one) === name);
    if (param !== undefined) checkValue(name, param, attribute, decl, c);
    else if (!understood.test(name)) {
      const near = didYouMean(name, names);
      const at = { start: attribute.start, end: attribute.start + name.length };
      c.report('E0608', at, { form: 'unknown', p: name, f }, { help: near && `did you mean \`${near}\`?` });
    }
  }
  if (node.attributes.some(({ name }) => name === undefined)) return;
  for (const param of params) {
    const name = declaredName(param);
    if (name === undefined || param.value !== undefined || understood.test(name)) continue;
    if (node.attributes.some((one) => one.name === name)) continue;
    const type = typeOfParam(param, decl, c);
    if (type !== undefined && hasNone(type)) continue;
    // A value of any type may be None, too.
    const severity = type === undefined || type.t === 'any' ? 'warning' : undefined;
    c.report('E0608', tag, { form: 'missing', p: name, f }, { severity });
  }
}

/** Does a component without parameters read the special name `props`? */
function asksProps(decl: ast.FunctionDecl, c: RuleContext): boolean {
  const reads = (node: ast.Node): boolean => node.kind === 'SpecialRef' && node.word === 'props';
  const home = [...c.project.modules.keys()].map((id) => c.projectNames.of(id).implOf(decl)).find(Boolean);
  return containsNode(decl, reads) || (home !== undefined && containsNode(home.impl, reads));
}

function typeOfParam(param: ast.Param, decl: ast.FunctionDecl, c: RuleContext): Type | undefined {
  if (param.type === undefined) return undefined;
  const info = c.types.program.functions.get(decl)?.info;
  return info?.params.find(({ name }) => name === param.name?.text)?.type;
}

function checkValue(
  name: string,
  param: ast.Param,
  { value, start }: ast.MarkupAttribute,
  decl: ast.FunctionDecl,
  c: RuleContext,
): void {
  const expected = typeOfParam(param, decl, c);
  if (expected === undefined || expected.t === 'any' || membersOf(expected).some(({ t }) => t === 'instance')) return;
  if (value === undefined) {
    const at = { start, end: start + name.length };
    if (!suits(expected, sure.bool, c)) report(at, name, expected, sure.bool, c);
    return;
  }
  const wrong = misfit(expected, value, c);
  if (wrong !== undefined) report(wrong.at, name, expected, wrong.actual, c);
}

function report(at: ast.Span, name: string, expected: Type, actual: Type, c: RuleContext): void {
  c.report('E0410', at, { actual: typeText(actual), name, expected: typeText(expected) });
}

// ---------------------------------------------------------------- host elements

/** `<app/>` is an element that no browser knows, also where a component has that name; `<App/>` is the component. */
function checkLowerCase(tag: string, node: ast.Markup, c: RuleContext): void {
  const binding = c.names.bindings.get(tag);
  const decl = binding?.role === 'import' ? c.projectNames.follow(binding)?.decl : binding?.decl;
  if (decl?.kind !== 'FunctionDecl' || !isComponent(decl)) return;
  const at = { start: node.start + 1, end: node.start + 1 + tag.length };
  const help = `write \`<${tag.charAt(0).toUpperCase()}${tag.slice(1)}>\`: a tag in lower case is never a component`;
  c.report('W0638', at, { tag }, { help });
}

const known: ReadonlySet<string> = new Set([...hostAttributes, ...hostEvents, 'class']);
const byLetters: ReadonlyMap<string, string> = new Map(
  [...hostAttributes, ...hostEvents].map((name) => [name.toLowerCase(), name]),
);

function checkHost(tag: string, { name, start }: ast.MarkupAttribute, c: RuleContext): void {
  if (name === undefined || known.has(name) || /[-:]/.test(name) || /^on[A-Z]\w+Capture$/.test(name)) return;
  const near = byLetters.get(name.toLowerCase()) ?? misspelt(name);
  if (near === undefined) return;
  const help = `did you mean \`${near}\`?`;
  c.report('W0636', { start, end: start + name.length }, { form: 'attribute', tag, a: name }, { help });
}

const stylesByLetters: ReadonlyMap<string, string> = new Map(styleProperties.map((name) => [name.toLowerCase(), name]));

/** Keys of a dict of styles that are spelled as in a sheet, or nearly like a property: the browser ignores them, or React their units. */
function checkStyle({ entries }: ast.DictExpr, c: RuleContext): void {
  for (const { key } of entries) {
    const isName = key?.kind === 'NameRef' && c.names.binding(key).sort === 'unresolved';
    const name = isName ? key.name : key?.kind === 'StringLiteral' ? key.value : '';
    const near = /^-?[a-z]+(-[a-z]+)+$/.test(name)
      ? name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
      : misspeltStyle(name);
    if (near !== undefined) c.report('W0636', key!, { form: 'style', a: name }, { help: `write \`${near}\`` });
  }
}

/** A property of one browser alone may be like another property, so the name may differ by little. */
function misspeltStyle(name: string): string | undefined {
  if (!/^[a-z]+$/i.test(name) || stylesByLetters.get(name.toLowerCase()) === name) return undefined;
  const near =
    stylesByLetters.get(name.toLowerCase()) ?? (name.length < 6 ? undefined : didYouMean(name, styleProperties));
  return near?.charAt(0) === name.charAt(0).toLowerCase() && Math.abs(near.length - name.length) < 2 ? near : undefined;
}

/** A box that shows a value, and nothing that takes what is typed into it: React puts the value back. */
function checkControlled(tag: string, attributes: readonly ast.MarkupAttribute[], c: RuleContext): void {
  if (!boxes.has(tag)) return;
  const of = (name: string) => attributes.find((one) => one.name === name);
  const type = of('type')?.value;
  if (type !== undefined && type.kind !== 'StringLiteral') return;
  const isTicked = type !== undefined && /^(checkbox|radio)$/.test(type.value);
  const shown = of(isTicked ? 'checked' : 'value');
  if (
    shown?.value === undefined ||
    (!isTicked && type !== undefined && /^(button|hidden|image|reset|submit)$/.test(type.value))
  )
    return;
  if (attributes.some(({ name }) => name === undefined || takesValue.has(name))) return;
  c.report(
    'W0649',
    shown,
    { tag, a: shown.name! },
    { help: `add \`onChange\`, or write \`${isTicked ? 'defaultChecked' : 'defaultValue'}\` or \`readOnly\`` },
  );
}

const boxes: ReadonlySet<string> = new Set(['input', 'textarea', 'select']);
const takesValue: ReadonlySet<string> = new Set([
  'onChange',
  'onInput',
  'readOnly',
  'disabled',
  'onchange',
  'oninput',
  'readonly',
]);

/** A handler that is a text, or what a call made while the element is drawn; styles that are a text. React refuses both. */
function checkHostValue({ name, value }: ast.MarkupAttribute, c: RuleContext): void {
  if (name === undefined || value === undefined) return;
  if (name === 'style' && value.kind === 'StringLiteral')
    c.report('E0613', value, { a: name, expected: 'a dict', got: 'a text' }, { help: styleHelp(value.value) });
  if (!hostEvents.includes(name)) return;
  const expected = 'a function';
  if (value.kind === 'StringLiteral')
    c.report(
      'E0613',
      value,
      { a: name, expected, got: 'a text' },
      { help: handlerHelp(value.value.replace(/;$/, '')) },
    );
  else for (const call of callsIn(value)) if (givesNoFunction(call, c)) reportCall(name, call, c);
}

/** A setter that is called in a handler of a component, whatever the component does with it. */
function checkSetter({ name, value }: ast.MarkupAttribute, c: RuleContext): void {
  if (name === undefined || value === undefined || !/^on[A-Z]/.test(name)) return;
  for (const call of callsIn(value)) if (isSetter(call.callee, c)) reportCall(name, call, c);
}

/** Calls whose result is the value of an expression, as it turns out. */
function callsIn(e: ast.Expression): readonly ast.Call[] {
  if (e.kind === 'Conditional') return [e.then, e.orElse].flatMap(callsIn);
  if (e.kind === 'Logical') return callsIn(e.right);
  return e.kind === 'Call' ? [e] : [];
}

function reportCall(name: string, call: ast.Call, c: RuleContext): void {
  const text = c.source.text.slice(call.start, call.end);
  c.report(
    'E0613',
    call,
    { a: name, expected: 'a function', got: 'the result of a call' },
    { help: handlerHelp(text) },
  );
}

function handlerHelp(call: string): string {
  return /^[\w.]+\(.*\)$/s.test(call)
    ? `write \`{lambda { ${call}; }}\``
    : 'write `{lambda { … }}`, or the name of a function in braces';
}

/** `color: red; font-size: 2px` as a dict. */
function styleHelp(text: string): string {
  const entries = text.split(';').flatMap((one) => {
    const [, property, value] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(one) ?? [];
    if (property === undefined || value === undefined) return [];
    const key = property.startsWith('--') ? property : property.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    return [`"${key}": "${value.replaceAll('"', "'")}"`];
  });
  return `write \`style={{${entries.join(', ')}}}\``;
}

/** An event with a letter wrong, or a longer word: short ones may be attributes of another library. */
function misspelt(name: string): string | undefined {
  if (/^on[A-Z]/.test(name)) return didYouMean(name, hostEvents);
  return name.length < 6 ? undefined : didYouMean(name, hostAttributes);
}
