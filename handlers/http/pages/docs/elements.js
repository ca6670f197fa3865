/** Elements that the pages are built of. */
/** @import { Spec, Operation, Child, Attributes } from './types.d.ts' */
import { isOptional, schemesOf } from './description.js';

/**
 * Builds an element. Attributes that are functions become listeners; null and false are left out; text is never read as markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  /** @type {any[]} */
  const nested = [...children];
  element.append(...nested.flat(20).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let lastId = 0;

/** An `id` for an input, that its label names. */
export function newId() {
  lastId += 1;
  return `field-${lastId}`;
}

/**
 * The message of what was thrown.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Documentation text in paragraphs.
 *
 * @param {string | undefined} text
 */
export function prose(text) {
  return String(text || '')
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => el('p', { class: 'prose' }, inline(part.trim())));
}

/**
 * Text with what stands in backquotes set as code.
 *
 * @param {string | undefined} text
 */
export function inline(text) {
  return String(text || '')
    .split(/(`[^`]+`)/)
    .map((piece) => (/^`.+`$/.test(piece) ? el('code', {}, piece.slice(1, -1)) : piece));
}

/** @param {string} method */
export function methodBadge(method) {
  return el('span', { class: `method method-${method}` }, method.toUpperCase());
}

/**
 * A path with its parameters set apart, and places where it may break.
 *
 * @param {string} path
 * @returns {Child[]}
 */
export function pathText(path) {
  return path.split(/(\{[^}]+\}|\/)/).map((piece) => {
    if (piece === '/') return ['/', el('wbr', {})];
    return piece.startsWith('{') ? el('span', { class: 'param' }, piece) : piece;
  });
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
export function lock(spec, operation) {
  if (schemesOf(spec, operation).length === 0) return null;
  const label = isOptional(operation) ? 'Signing in is optional' : 'Needs credentials';
  return el('span', { class: 'lock', title: label, role: 'img', 'aria-label': label }, lockIcon(isOptional(operation)));
}

/** @param {boolean} isOpen */
function lockIcon(isOpen) {
  /** @type {(tag: string, attributes: Record<string, string>, ...children: Node[]) => Element} */
  const draw = (tag, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  return draw(
    'svg',
    {
      viewBox: '0 0 16 16',
      width: '15',
      height: '15',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': '1.5',
      'aria-hidden': 'true',
    },
    draw('rect', { x: '3', y: '7', width: '10', height: '7', rx: '1.5' }),
    draw('path', { d: isOpen ? 'M5 7V4.5a3 3 0 0 1 5.8-1' : 'M5 7V5a3 3 0 0 1 6 0v2' }),
  );
}

/**
 * JSON text with its kinds of tokens told apart.
 *
 * @param {string} text
 */
export function jsonView(text) {
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;
  const view = el('code', {});
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    view.append(text.slice(at, match.index));
    const kind = match[1] ? (match[2] ? 'key' : 'text') : match[3] ? 'number' : 'word';
    view.append(el('span', { class: `json-${kind}` }, match[1] || match[0]), match[2] || '');
    at = match.index + match[0].length;
  }
  view.append(text.slice(at));
  return view;
}

/**
 * @param {Node} content
 * @param {string} label
 * @param {string | (() => string)} text
 */
export function codeBlock(content, label, text) {
  return el(
    'div',
    { class: 'code' },
    el('div', { class: 'code-head' }, el('span', {}, label), copyButton(text)),
    el('pre', { tabindex: '0' }, content),
  );
}

/** @param {string | (() => string)} text */
function copyButton(text) {
  const button = el('button', { type: 'button', class: 'quiet' }, 'Copy');
  button.addEventListener('click', async () => {
    const value = typeof text === 'function' ? text() : text;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without the clipboard's permission (plain HTTP): the old way.
      const area = el('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
      area.value = value;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  return button;
}
