/** Errors and waiting in the page. */
import { Component, createElement, type ErrorInfo, type ReactNode, Suspense } from 'react';
import { baseUrl } from './net/page.ts';

type Fallback = ReactNode | ((error: unknown, retry: () => void) => ReactNode);

interface BoundaryProps {
  readonly children?: ReactNode;
  readonly fallback?: Fallback;
  /** After a failure its children are tried again when this is another one. */
  readonly place?: unknown;
}

/** Shows a fallback in the place of a part that failed, and tells the server. */
export class SvcClientErrorBoundary extends Component<
  BoundaryProps,
  { readonly error?: unknown; readonly hasFailed: boolean }
> {
  override state: { readonly error?: unknown; readonly hasFailed: boolean } = { hasFailed: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; hasFailed: boolean } {
    return { error, hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    tellServer(error, info.componentStack ?? undefined);
  }

  override componentDidUpdate({ place }: BoundaryProps): void {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false, error: undefined });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    const { fallback } = this.props;
    const { error } = this.state;
    const retry = () => this.setState({ hasFailed: false, error: undefined });
    if (fallback === undefined) return createElement(ErrorFallback, { error, retry });
    return typeof fallback === 'function' ? fallback(error, retry) : fallback;
  }
}

/** Text in the place of a part of the page that failed, where the program says nothing else. */
export function ErrorFallback({ error, retry }: { readonly error?: unknown; readonly retry?: () => void }): ReactNode {
  const message = import.meta.env?.DEV ? textOf(error) : 'This part of the page failed.';
  const style = {
    padding: '1rem',
    border: '1px solid #b91c1c',
    borderRadius: '6px',
    color: '#7f1d1d',
    background: '#fef2f2',
    fontFamily: 'system-ui, sans-serif',
  };
  const button =
    retry === undefined
      ? null
      : createElement('button', { type: 'button', onClick: retry, style: { marginTop: '.5rem' } }, 'Try again');
  return createElement('div', { role: 'alert', style }, createElement('div', null, message), button);
}

/**
 * `try { … } awaiting { … } except e { … }` in markup: waits for what suspends, and catches what fails. Without `awaiting` it is tried again in each
 * drawing of what is around it, as statements are.
 */
export function SvcAwaiting({
  children,
  fallback,
  failed,
}: {
  readonly children?: ReactNode | (() => ReactNode);
  readonly fallback?: ReactNode | (() => ReactNode);
  readonly failed?: (error: unknown) => ReactNode;
}): ReactNode {
  const inside = typeof children === 'function' ? createElement(Rendered, { render: children }) : children;
  if (fallback === undefined)
    return createElement(SvcClientErrorBoundary, { fallback: failed, place: children }, inside);
  const waiting = createElement(Suspense, { fallback: typeof fallback === 'function' ? fallback() : fallback }, inside);
  return failed === undefined ? waiting : createElement(SvcClientErrorBoundary, { fallback: failed }, waiting);
}

/** Renders in a place of its own, so that what suspends there is caught by what is around it. */
function Rendered({ render }: { readonly render: () => ReactNode }): ReactNode {
  return render();
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

const told = new Set<string>();

/** Reports an error of the page to the server's log: each once, and no more than a few. */
function tellServer(error: unknown, components?: string): void {
  const message = textOf(error);
  if (told.has(message) || told.size >= 20) return;
  told.add(message);
  const stack = error instanceof Error ? error.stack?.slice(0, 4000) : undefined;
  const body = JSON.stringify({
    message: message.slice(0, 1000),
    stack,
    components: components?.slice(0, 1000),
    url: globalThis.location?.href,
  });
  fetch(`${baseUrl()}/cl/__error__`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => undefined);
}

/** Reports what no boundary catches. */
export function errorOverlay(): void {
  globalThis.addEventListener('error', ({ error, message }) => tellServer(error ?? message));
  globalThis.addEventListener('unhandledrejection', ({ reason }) => tellServer(reason));
}
