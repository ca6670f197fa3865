/** Bundles small programs of the browser half together and serves them: `/?case=name` shows one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import type { ClientCode } from '../../adapters/client/client-program.ts';
import { entryId, svcPlugin } from '../../adapters/client/plugin.ts';
import { findRuntime } from '../../adapters/client/runtime-files.ts';
import { repository } from '../harness/server.ts';
import { compileClient } from './compile-client.ts';

/** A request that a page sent. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token: string | undefined;
  readonly type: string;
}

export interface Rows extends AsyncDisposable {
  readonly base: string;
  /** Requests so far, oldest first. */
  readonly asked: Asked[];
}

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
  readonly type?: string;
}

/** Builds the programs of a folder and serves them; `answer` plays the server's API. */
export async function serveRows(folder: string, answer: (asked: Asked) => Answered): Promise<Rows> {
  const modules = new Map<string, ClientCode>();
  const cases: string[] = [];
  for (const file of readdirSync(folder).filter((name) => /^[a-z-]+(\.cl)?\.svc$/.test(name))) {
    const path = join(folder, file);
    const compiled = compileClient(path);
    const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0)
      throw new Error(`${file}: ${errors.map(({ code, message }) => `${code} ${message}`).join('; ')}`);
    for (const [id, code] of compiled.modules) modules.set(id, code);
    if (compiled.modules.has(path))
      cases.push(`${JSON.stringify(file.replace(/(\.cl)?\.svc$/, ''))}: () => import(${JSON.stringify(path)})`);
  }
  const entry = `import { mount } from '@svc/runtime/mount';
import { Router } from '@svc/runtime/router';
const cases = { ${cases.join(', ')} };
const name = new URLSearchParams(location.search).get('case') ?? sessionStorage.getItem('case');
sessionStorage.setItem('case', name);
const found = await cases[name]();
void mount({ app: found.app ?? found.App, around: Router });`;
  const outDir = mkdtempSync(join(tmpdir(), 'svc-rows-'));
  const plugin = svcPlugin({
    modules: () => modules,
    entry: () => entry,
    runtime: findRuntime(),
    projectDir: repository,
    packagesFrom: () => repository,
  });
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    mode: 'production',
    plugins: [plugin],
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      target: 'esnext',
      rollupOptions: { input: entryId, output: { entryFileNames: 'client.js' } },
    },
  });
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const [path = ''] = (request.url ?? '/').split('?');
      if (
        request.method === 'GET' &&
        !path.startsWith('/walker/') &&
        !path.startsWith('/function/') &&
        !path.startsWith('/api/')
      ) {
        const isFile = extname(path) !== '';
        response.setHeader(
          'Content-Type',
          { '.js': 'text/javascript', '.css': 'text/css' }[extname(path)] ?? 'text/html',
        );
        response.end(isFile ? contents(join(outDir, path)) : page);
        return;
      }
      const one: Asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        body: isJson(text) ? JSON.parse(text) : text,
        token: request.headers.authorization,
        type: request.headers['content-type'] ?? '',
      };
      asked.push(one);
      const { status = 200, body, type = 'application/json' } = answer(one);
      response.writeHead(status, { 'Content-Type': type });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

const page =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/client.js"></script>';

function contents(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch {
    return '';
  }
}

function isJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
