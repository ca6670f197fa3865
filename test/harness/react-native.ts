/**
 * Place for code that runs as in React Native: a context with the globals of its runtime (Hermes and React Native's own polyfills) and no others.
 * An answer is there as a whole or not at all and has no `body`; signals are those of the package `abort-controller`; there is no page, no storage,
 * no `EventSource`, `TextDecoder`, `structuredClone` or `crypto`.
 */
import { createContext, runInContext } from 'node:vm';
import { WebSocket } from 'ws';

/** Names of built-ins that V8 has and Hermes has not. */
const missing = [
  ...[
    'SharedArrayBuffer',
    'Atomics',
    'WebAssembly',
    'Iterator',
    'Object.groupBy',
    'Map.groupBy',
    'Promise.withResolvers',
  ],
  ...[
    'Promise.try',
    'Array.fromAsync',
    'Array.prototype.toSorted',
    'Array.prototype.toSpliced',
    'Array.prototype.toReversed',
  ],
  ...['Array.prototype.with', 'String.prototype.isWellFormed', 'String.prototype.toWellFormed', 'Set.prototype.union'],
  ...['ArrayBuffer.prototype.transfer', 'Intl.Segmenter', 'RegExp.escape', 'Error.isError', 'Uint8Array.fromBase64'],
];

/** Runs in the context, so that its objects are of the context. `$host` is how it reaches the outside. */
const polyfills = `
globalThis.window = globalThis;
globalThis.navigator = { product: 'ReactNative' };
class EventTarget {
  #listeners = new Set();
  addEventListener(type, listener) { this.#listeners.add(listener); }
  removeEventListener(type, listener) { this.#listeners.delete(listener); }
  dispatchEvent(event) { for (const one of [...this.#listeners]) one.call(this, event); }
}
globalThis.AbortSignal = class AbortSignal extends EventTarget { aborted = false; };
globalThis.AbortController = class AbortController {
  signal = new AbortSignal();
  abort() {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.dispatchEvent({ type: 'abort' });
  }
};
globalThis.Blob = class Blob { constructor(parts = [], options = {}) { this.text_ = parts.join(''); this.type = options.type ?? ''; } };
globalThis.File = class File extends Blob { constructor(parts, name, options) { super(parts, options); this.name = name; } };
globalThis.FormData = class FormData { _parts = []; append(name, value) { this._parts.push([name, value]); } };
globalThis.URLSearchParams = class URLSearchParams {
  _params = [];
  append(name, value) { this._params.push([name, value]); }
  delete() { throw new Error('URLSearchParams.delete is not implemented'); }
  get() { throw new Error('URLSearchParams.get is not implemented'); }
  toString() { return this._params.map((pair) => pair.join('=')).join('&'); }
};
globalThis.Headers = class Headers {
  #all = new Map();
  constructor(entries) { for (const [name, value] of entries) this.#all.set(name.toLowerCase(), value); }
  get(name) { return this.#all.get(name.toLowerCase()) ?? null; }
  has(name) { return this.#all.has(name.toLowerCase()); }
};
globalThis.Response = class Response {
  #bytes;
  constructor(status, headers, bytes) { this.status = status; this.ok = status >= 200 && status < 300; this.headers = new Headers(headers); this.#bytes = bytes; }
  async text() { return $host.decode(this.#bytes); }
  async json() { return JSON.parse(await this.text()); }
  async arrayBuffer() { return new Uint8Array(this.#bytes).buffer; }
};
globalThis.fetch = (url, { method = 'GET', headers = {}, body, signal } = {}) => new Promise((resolve, reject) => {
  const parts = body instanceof FormData
    ? body._parts.map(([name, value]) => typeof value === 'string' ? [name, value] : [name, value.text_ ?? 'at ' + value.uri, value.name])
    : undefined;
  const abort = $host.ask(url, { method, headers: JSON.stringify(headers), body: parts === undefined ? body : undefined, parts: JSON.stringify(parts) },
    (status, heads, bytes) => resolve(new Response(status, JSON.parse(heads), bytes)),
    () => reject(new TypeError('Network request failed')));
  const given = () => { abort(); const error = new Error('Aborted'); error.name = 'AbortError'; reject(error); };
  if (signal?.aborted) given();
  else signal?.addEventListener('abort', given);
});
`;

interface Asked {
  readonly method: string;
  readonly headers: string;
  readonly body: string | undefined;
  readonly parts: string | undefined;
}

function ask(url: string, asked: Asked, done: (...answer: unknown[]) => void, failed: () => void): () => void {
  const ending = new AbortController();
  const send = async () => {
    const { method, parts } = asked;
    const form = parts === undefined ? undefined : new FormData();
    for (const [name, value, file] of parts === undefined ? [] : (JSON.parse(parts) as string[][]))
      if (file === undefined) form!.append(name!, value!);
      else form!.append(name!, new Blob([value!]), file);
    const body = form ?? asked.body;
    const headers = JSON.parse(asked.headers) as Record<string, string>;
    const answer = await fetch(url, { method, headers, signal: ending.signal, ...(body !== undefined && { body }) });
    done(answer.status, JSON.stringify([...answer.headers]), new Uint8Array(await answer.arrayBuffer()));
  };
  send().catch(failed);
  return () => ending.abort();
}

/** Runs scripts, one text after the other, and gives the context's global object. */
export function runInReactNative(scripts: readonly string[]): any {
  const $host = { ask, decode: (bytes: Uint8Array) => new TextDecoder().decode(bytes) };
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask };
  const context = createContext({
    ...timers,
    $host,
    WebSocket,
    performance: { now: () => performance.now() },
    console,
  });
  const remove = missing.map((name) => `try { delete ${name.includes('.') ? name : `globalThis.${name}`}; } catch {}`);
  for (const script of [...remove, polyfills, ...scripts]) runInContext(script, context);
  return runInContext('globalThis', context);
}
