/**
 * `JsxElement`, what markup is on the server (docs/language/expressions.md#markup): a tag, its properties and children;
 * as text, the HTML of it.
 */

import type { Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { call, callkw } from '../../library/values/calls/calls.ts';
import { signatureOf } from '../../library/values/calls/signature.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { $repr, $str } from '../../library/values/objects/protocol.ts';
import { reprOf, strOf } from '../../library/values/objects/repr.ts';

const emptyTags = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const attributeNames: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for' };

class JsxElement {
  readonly tag: unknown;
  readonly props: Dict;
  readonly children: unknown[];

  constructor(tag: unknown, props: Dict, children: unknown[]) {
    this.tag = tag ?? null;
    this.props = props ?? new Dict();
    this.children = children ?? [];
  }

  [$repr](): string {
    return `JsxElement(tag=${reprOf(this.tag)}, props=${reprOf(this.props)}, children=${reprOf(this.children)})`;
  }

  [$str](): string {
    return html(this);
  }
}
nativeClass(JsxElement, {
  name: 'JsxElement',
  module: 'svclang.markup',
  params: 'tag=None, props=None, children=None',
});

/** The children that the statements of a slot give. */
function slot(fill: (children: unknown[]) => unknown): unknown {
  const children: unknown[] = [];
  const filled = fill(children);
  return filled instanceof Promise ? filled.then(() => children) : children;
}

/** A component is called with its properties, children among them; a fragment is its children. */
function html(e: JsxElement): string {
  const inner = e.children.map(childHtml).join('');
  if (e.tag === null) return inner;
  if (typeof e.tag !== 'string') {
    return childHtml(componentOutput(e.tag, [...e.props.entries(), ['children', e.children]]));
  }
  const attributes = [...e.props.entries()].map(([name, value]) => attributeHtml(String(name), value)).join('');
  return emptyTags.has(e.tag) ? `<${e.tag}${attributes}>` : `<${e.tag}${attributes}>${inner}</${e.tag}>`;
}

/**
 * The props come as one object named `props`, or each to the parameter of its name
 * (docs/language/client.md#components); props nobody takes are left out.
 */
function componentOutput(component: any, props: [unknown, unknown][]): unknown {
  const params = signatureOf(component)?.params;
  const only = params?.length === 1 ? params[0]! : undefined;
  if (params === undefined || (only?.name === 'props' && only.kind === 'any'))
    return call(component, Dict.of(...props.flat()));
  const takesRest = params.some(({ kind }) => kind === 'kwargs');
  const given = props.filter(([name]) => takesRest || params.some((param) => param.name === name));
  return callkw(component, [], given as [string, unknown][]);
}

/** `None` and truth values render nothing, lists their items in order (docs/language/expressions.md#markup). */
function childHtml(child: unknown): string {
  if (child === null || child === undefined || typeof child === 'boolean') return '';
  if (child instanceof JsxElement) return html(child);
  if (Array.isArray(child)) return toArray(child).map(childHtml).join('');
  return escaped(strOf(child));
}

/** Handlers of events have no text. */
function attributeHtml(name: string, value: unknown): string {
  if (value === null || value === false || typeof value === 'function') return '';
  const shown = attributeNames[name] ?? name;
  if (value === true) return ` ${shown}`;
  const text = value instanceof Dict ? styleText(value) : strOf(value);
  return ` ${shown}="${escaped(text)}"`;
}

function styleText(style: Dict): string {
  const dashed = (name: unknown) => strOf(name).replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  return [...style.entries()].map(([name, value]) => `${dashed(name)}: ${strOf(value)}`).join('; ');
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function makeMarkup(): Members {
  return {
    JsxElement,
    slot,
    jsxElement: (tag: unknown, props: Dict, children: unknown[]) => new JsxElement(tag, props, children),
  };
}
