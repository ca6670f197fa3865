/** A DOM for tests of components: the globals of a browser, as happy-dom makes them, in this process. */
import { importPackage } from '../../../adapters/client/packages.ts';

export interface Dom {
  /** Empties the page and what it has stored, and goes back to `/`. */
  reset(): void;
  /** Takes the globals away again. */
  close(): Promise<void>;
}

/** Answers what code in the page asks of the server. */
export type AnswerFetch = (request: Request) => Promise<Response>;

/** Part of happy-dom that is used. */
interface HappyDom {
  readonly Window: new (options: { readonly url: string; readonly width: number; readonly height: number }) => any;
}

const origin = 'http://localhost:8000';

/** Globals of Node that code in a page takes from its window: events and addresses must be of one kind with its elements. */
const replaced = new Set(
  (
    'Event EventTarget CustomEvent MessageEvent AbortController AbortSignal navigator location history localStorage sessionStorage ' +
    'document window self File Blob FormData'
  ).split(' '),
);

const NodeAbortController = AbortController;

/** Names of a window that are about the language itself, timers or this process. */
const kept = new Set(
  'globalThis console process Buffer setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask fetch'.split(
    ' ',
  ),
);

export async function openDom(projectDir: string, answer: AnswerFetch): Promise<Dom> {
  const { Window } = await importPackage<HappyDom>('happy-dom', projectDir);
  const window = new Window({ url: `${origin}/`, width: 1280, height: 800 });
  const before = new Map<string, PropertyDescriptor | undefined>();
  const set = (name: string, value: unknown) => {
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
  };
  for (const name of namesOf(window)) {
    if (kept.has(name) || (name in globalThis && !replaced.has(name))) continue;
    const value = window[name];
    set(name, typeof value === 'function' && !/^[A-Z]/.test(name) ? value.bind(window) : value);
  }
  set('window', globalThis);
  set('self', globalThis);
  set('IS_REACT_ACT_ENVIRONMENT', true);
  set('WebSocket', SilentSocket);
  set('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const address = input instanceof Request ? input : new URL(String(input), window.location.href);
    return answer(new Request(address, init?.signal ? { ...init, signal: ofNode(init.signal) } : init));
  });
  return {
    reset() {
      window.document.body.innerHTML = '';
      window.localStorage.clear();
      window.sessionStorage.clear();
      window.history.replaceState(null, '', `${origin}/`);
    },
    async close() {
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) delete (globalThis as Record<string, unknown>)[name];
        else Object.defineProperty(globalThis, name, descriptor);
      }
      await window.happyDOM.close();
    },
  };
}

/** A signal of Node that follows one of the window: since Node 24 requests take no other. */
function ofNode(signal: AbortSignal): AbortSignal {
  const controller = new NodeAbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}

function namesOf(window: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let one = window; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const name of Object.getOwnPropertyNames(one))
      if (/^[A-Za-z]/.test(name) && name !== 'constructor') names.add(name);
  return names;
}

/** A socket that never opens: there is no server behind a component that is tested. */
class SilentSocket {
  send(): void {}
  close(): void {}
  addEventListener(): void {}
  removeEventListener(): void {}
}
