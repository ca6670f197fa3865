/** Elements of React that the language's own forms of markup make. */
import { createElement, type ElementType, type ReactNode } from 'react';
import { isPlain } from './kinds.ts';
import { truthy } from './operators.ts';

/** Elements that statements in markup give, side by side. */
export function slot(fragment: ElementType, collect: (elements: ReactNode[]) => ReactNode[]): ReactNode {
  return createElement(fragment, null, ...collect([]));
}

/** `{condition and <X/>}`: what stands on the left where it is false, but for an empty list or dict, which render nothing. */
export function shown(condition: any, then: () => ReactNode): ReactNode {
  if (truthy(condition)) return then();
  return isPlain(condition) || Array.isArray(condition) ? null : condition;
}

/** `unsafe_html(text)` beside other children: an element without a box of its own. */
export function html(text: string): ReactNode {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the program asks for it by this name.
  return createElement('span', { style: { display: 'contents' }, dangerouslySetInnerHTML: { __html: text } });
}

/** Gives React the result of an effect's function where that is a function that cleans up: it takes nothing else. */
export function cleanup(value: unknown): (() => void) | undefined {
  return typeof value === 'function' ? (value as () => void) : undefined;
}
