/** Functions of `svc build`, unpacked and run as the service runs them: one process, one event after another. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { unzipSync } from 'fflate';
import { removeFolder, repository } from './server.ts';

/** Makes an event of a WebSocket API. */
export function socketEvent(routeKey: string, connectionId: string, query: Record<string, string> = {}) {
  return {
    requestContext: {
      routeKey,
      connectionId,
      requestTimeEpoch: Date.now(),
      stage: 'prod',
      domainName: 'id.example',
      identity: { sourceIp: '192.0.2.1' },
    },
    headers: {},
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
  };
}

/** Makes an event of an HTTP API, payload format 2.0. */
export function httpEvent(method: string, path: string, body?: unknown) {
  return {
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', host: 'id.example' },
    requestContext: {
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' },
      stage: '$default',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

const driver = buildSync({
  entryPoints: [join(import.meta.dirname, 'function-driver-child.ts')],
  write: false,
  bundle: true,
  platform: 'node',
  format: 'esm',
}).outputFiles[0]!.contents;

export interface PackagedFunction extends Disposable {
  /** Folder of the embedded store. */
  readonly data: string;
  /** Lines besides answers that the last process wrote on its standard output. */
  printed(): readonly string[];
  /** Lines that it wrote on its standard error: records of errors. */
  complained(): readonly string[];
  /** Starts a process for these events; rejects with what it printed when it does not answer all of them. */
  call(events: readonly unknown[]): Promise<any[]>;
  /** Starts a process that stays, as a warm instance does. */
  open(): FunctionInstance;
}

export interface FunctionInstance {
  /** One event at a time. Rejects with what the process printed when it ends instead of answering. */
  invoke(event: unknown): Promise<any>;
  end(): void;
}

/** Unpacks an archive where the packages of the service are, `@aws-sdk`, and no others; gives the folder. */
export function unpackAlone(archive: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'function-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(repository, 'node_modules/@aws-sdk'), join(folder, 'node_modules/@aws-sdk'));
  unpack(archive, folder);
  return folder;
}

export function unpack(archive: string, folder: string): void {
  for (const [path, contents] of Object.entries(unzipSync(readFileSync(archive)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/**
 * A function in a folder of its own: below the repository, because the driver of SQLite that Node 20 needs is found there; or, `alone`,
 * where the packages of the service are and no others.
 */
export function unpackFunction(
  archive: string,
  handler: string,
  more: Readonly<Record<string, string>> = {},
  { alone = false } = {},
): PackagedFunction {
  const packages = join(repository, 'node_modules');
  mkdirSync(join(packages, '.cache'), { recursive: true });
  const folder = alone ? unpackAlone(archive) : mkdtempSync(join(packages, '.cache', 'function-'));
  if (!alone) unpack(archive, folder);
  writeFileSync(join(folder, 'driver.mjs'), driver);
  const env = {
    ...process.env,
    SVC_ENV: 'test',
    SVC_DATABASE_STORE: 'sqlite',
    SVC_DATA_PATH: join(folder, 'data'),
    ...more,
  };
  const start = () =>
    spawn(process.execPath, ['driver.mjs', join(folder, `handlers/${handler}.mjs`)], {
      cwd: folder,
      env,
      stdio: 'pipe',
    });
  let printed: readonly string[] = [];
  let complained: readonly string[] = [];
  return {
    data: env.SVC_DATA_PATH,
    printed: () => printed,
    complained: () => complained,
    async call(events) {
      const child = start();
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      child.stdin.end(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
      await new Promise((resolve) => child.on('close', resolve));
      const answers = out.split('\n').filter((line) => line.startsWith('answer '));
      printed = out.split('\n').filter((line) => line !== '' && !line.startsWith('answer '));
      complained = err.split('\n').filter((line) => line !== '');
      if (answers.length !== events.length) throw new Error(`${answers.length} answers\n${out}\n${err}`);
      return answers.map((line) => JSON.parse(line.slice('answer '.length)));
    },
    open: () => warm(start()),
    [Symbol.dispose]: () => removeFolder(folder),
  };
}

function warm(child: ReturnType<typeof spawn>): FunctionInstance {
  let told = '';
  let answered: ((line: string) => void) | undefined;
  let failed: (error: Error) => void = () => {};
  child.stderr!.on('data', (chunk) => (told += chunk));
  child.stdin!.on('error', () => {});
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line.startsWith('answer ')) answered?.(line.slice('answer '.length));
  });
  child.on('close', (code) => failed(new Error(`the function ended with ${code}\n${told}`)));
  return {
    invoke: (event) =>
      new Promise((resolve, reject) => {
        answered = (line) => resolve(JSON.parse(line));
        failed = reject;
        child.stdin!.write(`${JSON.stringify(event)}\n`);
      }),
    end: () => void child.kill('SIGKILL'),
  };
}
