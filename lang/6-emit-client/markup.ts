/** Markup: calls of React's `jsx`. */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { unmarked } from '../5-emit/printer.ts';
import { positionAt } from '../source.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, imported, indented, lang, line, mark } from './cx.ts';
import { expr, gen, member } from './expressions.ts';
import { isTruthNative, kindOf } from './kinds.ts';
import { test } from './operators.ts';
import { scopeClassName } from './scoped-names.ts';
import { slot } from './slots.ts';

export function markup(c: Cx, e: ast.Markup): Code {
  const type = e.tag === undefined ? fragment(c) : typeof e.tag === 'string' ? quote(e.tag) : expr(c, e.tag);
  const { props, key } = properties(c, e);
  const write = () => e.children.flatMap((child) => childCode(c, child));
  const children = e.children.length > 1 ? indented(c, write) : write();
  const html = rawHtml(c, e);
  if (html !== undefined) props.push(`dangerouslySetInnerHTML: { __html: ${html} }`);
  // Browsers take text alone for the title, and React the one text it is.
  else if (e.tag === 'title' && children.length > 1)
    props.push(`children: ${childList(c, children)}.filter((part) => typeof part !== "boolean").join("")`);
  else if (children.length === 1) props.push(`children: ${children[0]}`);
  else if (children.length > 1) props.push(`children: ${childList(c, children)}`);
  return element(
    c,
    e,
    type,
    props.length === 0 ? '{}' : `{ ${props.join(', ')} }`,
    key,
    html === undefined && children.length > 1 && e.tag !== 'title',
  );
}

/** Children on one line where it is short, else a line for each. */
function childList(c: Cx, children: readonly string[]): string {
  const text = children.join(', ');
  if (text.length < 300 && unmarked(text).length <= 80 && !text.includes('\n')) return `[${text}]`;
  const lines = indented(c, () => children.map((child) => line(c, `${child},`)));
  return `[${lines.join('')}${line(c, ']')}`;
}

export function fragment(c: Cx): string {
  return imported(c.u, jsxModule(c), 'Fragment', '$Fragment');
}

function jsxModule(c: Cx): string {
  return c.u.link.options.mode === 'development' ? 'react/jsx-dev-runtime' : 'react/jsx-runtime';
}

/** A call that makes an element. In development it is told where it was written. */
export function element(
  c: Cx,
  e: ast.Node,
  type: string,
  props: string,
  key: string | undefined,
  isStatic: boolean,
): Code {
  if (c.u.link.options.mode === 'development') {
    const jsx = imported(c.u, jsxModule(c), 'jsxDEV', '$jsxDEV');
    const source = c.u.module.sources[c.u.file] ?? c.u.module.source;
    const { line, column } = positionAt(source, e.start);
    const place = `{ fileName: ${quote(source.path)}, lineNumber: ${line}, columnNumber: ${column} }`;
    return code(`${mark(c, e)}${jsx}(${type}, ${props}, ${key ?? 'undefined'}, ${isStatic}, ${place})`, P.call);
  }
  const jsx = isStatic ? imported(c.u, jsxModule(c), 'jsxs', '$jsxs') : imported(c.u, jsxModule(c), 'jsx', '$jsx');
  return code(`${mark(c, e)}${jsx}(${type}, ${props}${key === undefined ? '' : `, ${key}`})`, P.call);
}

function properties(c: Cx, e: ast.Markup): { props: string[]; key: string | undefined } {
  const props: string[] = [];
  let key: string | undefined;
  for (const { name, value } of e.attributes) {
    if (name === undefined) props.push(`...${expr(c, value!)}`);
    else if (name === 'key') key = value === undefined ? 'true' : expr(c, value);
    else {
      const isFor = name === 'for' && (e.tag === 'label' || e.tag === 'output');
      const written = name === 'class' ? 'className' : isFor ? 'htmlFor' : name;
      if (written === 'className') scopeClassName(c.u, value);
      props.push(member(written, value === undefined ? 'true' : expr(c, value)));
    }
  }
  return { props, key };
}

/** `unsafe_html(text)` as the only child: the text is the element's inner HTML. */
function rawHtml(c: Cx, e: ast.Markup): string | undefined {
  const [child] = e.children;
  if (e.children.length !== 1 || typeof e.tag !== 'string' || child?.kind !== 'MarkupSlot') return undefined;
  const call = child.expr;
  if (call?.kind !== 'Call' || call.callee.kind !== 'NameRef' || call.callee.name !== 'unsafe_html') return undefined;
  const [first] = call.args;
  return first === undefined ? undefined : expr(c, first.value);
}

function childCode(c: Cx, child: ast.MarkupChild): string[] {
  if (child.kind === 'MarkupText') return [quote(child.value)];
  if (child.kind === 'Markup') return [at(markup(c, child), P.assign)];
  if (child.expr !== undefined) return [childExpression(c, child.expr)];
  return child.statements === undefined || child.statements.length === 0 ? [] : [slot(c, child, child.statements)];
}

/** `{items and <List/>}`: an empty list or dict on the left renders nothing. */
function childExpression(c: Cx, e: ast.Expression): string {
  if (e.kind === 'Logical' && e.op === 'and' && !isTruthNative(kindOf(c, e.left))) {
    const kind = kindOf(c, e.left);
    const isEmpty = kind === 'list' || kind === 'dict' || kind === 'set' || kind === 'object';
    if (isEmpty) return `${at(test(c, e.left), P.conditional + 1)} ? ${at(gen(c, e.right), P.assign)} : null`;
    return `${lang(c.u, 'shown')}(${expr(c, e.left)}, () => ${parenthesized(at(gen(c, e.right), P.assign))})`;
  }
  return expr(c, e);
}

function parenthesized(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}
