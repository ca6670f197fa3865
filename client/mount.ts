/** Puts the application into the page (`@svc/runtime/mount`). The entry that the bundler is given calls it. */
import { type ComponentType, createElement, type ReactNode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { kept, leftKey } from './auth.ts';
import { errorOverlay, SvcClientErrorBoundary } from './boundary.ts';
import { pageData, prefix } from './net/page.ts';
import { storeToken } from './net/token.ts';

export interface MountOptions {
  /** The application; absent when pages alone make it up. */
  readonly app?: ComponentType<any>;
  /** Loads a component that `/cl/{name}` shows. */
  readonly component?: (name: string) => Promise<ComponentType<any> | undefined>;
  /** Goes around everything: the router. */
  readonly around?: ComponentType<{ children?: ReactNode }>;
  /** Routes of `pages/`. */
  readonly pages?: ComponentType & { readonly ready?: () => Promise<void> };
}

let root: Root | undefined;
let draw: () => void;

export async function mount({ app, component, around, pages }: MountOptions): Promise<void> {
  if (/[?#&](token|error)=/.test(location.href))
    (await import('./sign-on-return.ts')).takeReturn({ leftKey, kept, storeToken, prefix });
  errorOverlay();
  const { function: name, args = {} } = pageData();
  const isApp = name === undefined || name === null || name === '';
  if (isApp) await pages?.ready?.();
  const found = isApp ? undefined : await component?.(name);
  const place =
    document.getElementById('root') ??
    document.body.appendChild(Object.assign(document.createElement('div'), { id: 'root' }));
  draw = () => {
    const routed = pages === undefined ? undefined : createElement(pages);
    const shown =
      found !== undefined ? createElement(found, args) : app === undefined ? routed : createElement(app, args, routed);
    const placed = around === undefined ? shown : createElement(around, null, shown);
    root!.render(createElement(SvcClientErrorBoundary, null, placed));
  };
  if (root === undefined) {
    root = createRoot(place);
    // Components ask `svcIsLoggedIn()` while they are drawn, routes of an `app` among them: they are when somebody signs in or out. Where
    // the program goes to another page in the same turn, that one is drawn, and no guard of the page before sends the person elsewhere.
    addEventListener('svc:token', () => startTransition(draw));
  }
  draw();
}
