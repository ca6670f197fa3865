/** Applications that tests ask through `SvcTestClient`: loaded anew in this process, with a graph in memory (decisions/0133). */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createFetchHandler } from '../../adapters/hosts/web/fetch-handler.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import { openMemory } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import { silentLog } from '../../core/log/create-log.ts';
import type { TestApp } from '../../core/program/test-host.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { forRunning } from '../program/report-diagnostics.ts';
import { openTopics } from '../start/open-topics.ts';
import { openVersion } from '../start/open-version.ts';

let serial = 0;

/**
 * Loads a program, which runs its entry blocks. `onLoaded` is called then: loading takes over what is one for each process.
 *
 * @throws RuntimeError when it does not compile
 */
export async function serveForTests(path: string, config: Config, onLoaded: () => void): Promise<TestApp> {
  const compiled = await compileApp({
    file: path,
    config,
    purpose: 'serve',
    env: process.env,
    runtimeNames,
    // A module that was imported once is never evaluated again: each client has modules of its own.
    reload: `${process.pid}.test${++serial}`,
  });
  const { directory } = compiled;
  if (directory === undefined) {
    const [first] = forRunning(compiled.diagnostics).filter((one) => one.severity === 'error');
    throw new RuntimeError(`${path} cannot be served: ${first?.message ?? 'see `svc check`'}`);
  }
  const stores = await openMemory();
  const opening = openVersion({
    config: forTests(config),
    stores,
    log: silentLog,
    traces: createTraces(),
    tracer: undefined,
    metrics: undefined,
    compiled: { ...compiled, directory },
    print: () => {},
    buildStatus: undefined,
    takesSockets: false,
    turns: undefined,
    topics: openTopics(config, undefined, silentLog, undefined),
  });
  const version = await opening.finally(onLoaded);
  const answer = createFetchHandler(version.app);
  return {
    async send({ method, target, headers, body }) {
      const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
      const request = new Request(`http://test${target}`, {
        method,
        headers: headers.map(([name, value]) => [name, value]),
        ...(hasBody ? { body: new Uint8Array(body) } : {}),
      });
      const reply = await answer(request, { peer: '127.0.0.1' });
      return { status: reply.status, headers: reply.headers, body: new Uint8Array(await reply.arrayBuffer()) };
    },
    async close() {
      await version.app.lifecycle.settled(1000);
      version.close();
      await stores.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

// Nothing of the project is written to or used up by tests.
function forTests(config: Config): Config {
  const { scale } = config;
  const secret = scale.jwt.secret === 'auto' ? randomBytes(32).toString('hex') : scale.jwt.secret;
  return {
    ...config,
    scale: { ...scale, jwt: { ...scale.jwt, secret }, rateLimit: { ...scale.rateLimit, enabled: false } },
  };
}
