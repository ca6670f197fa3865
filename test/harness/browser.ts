/** A headless Chromium that tests look at pages with, driven over its DevTools protocol. It reaches this machine only. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { findTool } from './find-tool.ts';

/** Undefined where Chromium is not installed, but for the gate, where that is an error. */
export const chromium = findTool('chromium', 'chromium');

export interface Browser extends AsyncDisposable {
  open(url: string): Promise<Page>;
}

export interface Page {
  /** Value of an expression in the page, whose promise is waited for. Rejects with what it threw. */
  run(expression: string): Promise<any>;
  /** Waits until an expression gives something truthy, and gives it. Rejects after 1000 looks, with what the page shows and its errors. */
  until(expression: string): Promise<any>;
  /** Errors that the page wrote to its console, and exceptions nobody caught. */
  readonly errors: readonly string[];
  /** Writes a picture of the whole page. */
  picture(file: string): Promise<void>;
  close(): Promise<void>;
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--remote-debugging-port=0',
  '--window-size=1280,1000',
];

export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-chromium-'));
  const child = spawn(chromium!, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk;
      const found = /DevTools listening on (ws:\/\/\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`chromium ended:\n${printed}`)));
  });
  const wire = await connect(address);
  return {
    open: (url) => openPage(wire, url),
    async [Symbol.asyncDispose]() {
      wire.close();
      process.kill(-child.pid!, 'SIGKILL'); // with its own processes
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Wire {
  ask(method: string, params?: object, sessionId?: string): Promise<any>;
  listen(sessionId: string, listener: (method: string, params: any) => void): void;
  close(): void;
}

async function connect(address: string): Promise<Wire> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<string, (method: string, params: any) => void>();
  let lastId = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.id === undefined) return listeners.get(message.sessionId)?.(message.method, message.params);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(message.error.message));
  });
  return {
    ask: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        waiting.set(++lastId, { resolve, reject });
        socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
      }),
    listen: (sessionId, listener) => void listeners.set(sessionId, listener),
    close: () => socket.close(),
  };
}

async function openPage(wire: Wire, url: string): Promise<Page> {
  const { targetId } = await wire.ask('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await wire.ask('Target.attachToTarget', { targetId, flatten: true });
  const errors: string[] = [];
  let loaded = () => {};
  let isOfPage: (event: { readonly frameId: string; readonly loaderId: string }) => boolean = () => false;
  wire.listen(sessionId, (method, params) => {
    if (method === 'Page.lifecycleEvent' && params.name === 'load' && isOfPage(params)) loaded();
    if (method === 'Runtime.exceptionThrown') {
      const { exceptionDetails: details } = params;
      errors.push(details.exception?.description ?? details.text);
    }
    if (method === 'Log.entryAdded' && params.entry.level === 'error') errors.push(params.entry.text);
  });
  for (const domain of ['Page', 'Runtime', 'Log']) await wire.ask(`${domain}.enable`, {}, sessionId);
  // The empty page may still be loading.
  const { frame: empty } = (await wire.ask('Page.getFrameTree', {}, sessionId)).frameTree;
  isOfPage = ({ frameId, loaderId }) => frameId === empty.id && loaderId !== empty.loaderId;
  await wire.ask('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId);
  const isLoaded = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  await wire.ask('Page.navigate', { url }, sessionId);
  await isLoaded;
  const run = async (expression: string) => {
    const asked = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await wire.ask('Runtime.evaluate', asked, sessionId);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  return {
    run,
    async until(expression) {
      const found = await run(`new Promise((resolve) => {
        let looks = 0;
        let failure = '';
        const look = () => {
          try {
            const value = (${expression});
            if (value) return resolve({ value });
          } catch (error) {
            failure = String(error);
          }
          if ((looks += 1) < 1000) setTimeout(look, 20);
          else resolve({ failure, shown: document.body.innerHTML.slice(0, 2000) });
        };
        look();
      })`);
      if ('value' in found) return found.value;
      const seen = `${found.failure}\nthe page: ${found.shown}\nits errors: ${errors.join('\n') || 'none'}`;
      throw new Error(`never came true: ${expression} ${seen}`);
    },
    errors,
    async picture(file) {
      const { data } = await wire.ask(
        'Page.captureScreenshot',
        { format: 'png', captureBeyondViewport: true },
        sessionId,
      );
      writeFileSync(file, Buffer.from(data, 'base64'));
    },
    async close() {
      await wire.ask('Target.closeTarget', { targetId });
    },
  };
}
