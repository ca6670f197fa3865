/** The Debug Adapter Protocol of `svc debug --dap`, spoken by the client that editors are tested with. */
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sights as expected, kinds } from '../harness/statement-kinds.ts';
import { folderWith, type SvcProcess, spawnSvc } from '../harness/svc-process.ts';

const waits = `import time;
walker Slow {
    can go with Root entry {
        before = 1;
        time.sleep(0.05);
        after = before + 1;
        report after;
    }
}
with entry {
    w = root spawn Slow();
    print(w.reports);
}
`;

let folder: ReturnType<typeof folderWith>;
let adapter: SvcProcess;
let port: number;
let client: DebugClient;
beforeAll(async () => {
  folder = folderWith({ 'main.svc': kinds, 'wait.svc': waits, 'broken.svc': 'with entry { x = ; }' });
  adapter = spawnSvc(['debug', '--dap', '--port', '0'], { cwd: folder.path });
  port = Number((await adapter.until(/debug adapter on 127\.0\.0\.1:(\d+)/))[1]);
});
afterAll(async () => {
  await adapter[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
beforeEach(async () => {
  client = new DebugClient('node', '', 'svc');
  client.defaultTimeout = 600_000;
  await client.start(port);
});
afterEach(() => client.stop());

const path = (name: string) => join(folder.path, name);
const evaluate = async (expression: string, frameId = 1) =>
  (await client.evaluateRequest({ expression, frameId })).body.result;

/** Starts a program with breakpoints at these lines; resolves when it was let go. */
async function launch(args: object, lines: readonly number[] = [], name = 'main.svc', filters = ['uncaught']) {
  const launched = client.launch({ program: path(name), ...args });
  await client.waitForEvent('initialized');
  const { body } = await client.setBreakpointsRequest({
    source: { path: path(name) },
    breakpoints: lines.map((line) => ({ line })),
  });
  await client.setExceptionBreakpointsRequest({ filters });
  const stopped = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await launched;
  return { breakpoints: body.breakpoints, stopped };
}

async function top() {
  const { stackFrames } = (await client.stackTraceRequest({ threadId: 1 })).body;
  return stackFrames.map(({ name, line, column }) => `${name} ${line}:${column}`);
}

/** Waits for the next stop after a request. */
async function after(request: () => Promise<unknown>) {
  const stopped = client.waitForEvent('stopped');
  await request();
  return (await stopped).body;
}

test('a breakpoint of each kind of statement stops at its line, with the right variables', async () => {
  expect(expected.length).toBeGreaterThanOrEqual(25);
  const { stopped, breakpoints } = await launch(
    {},
    expected.map(({ line }) => line),
  );
  expect(breakpoints.filter(({ verified }) => !verified)).toEqual([]);
  const seen: object[] = [];
  const ended = client.waitForEvent('terminated').then(() => undefined);
  for (let event: unknown = await stopped; event !== undefined; ) {
    const [frame] = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    const name = expected.find(({ line }) => line === frame!.line)?.name ?? 'nothing';
    seen.push({ line: frame!.line, name, value: await evaluate(name, frame!.id) });
    const next = client.waitForEvent('stopped');
    await client.continueRequest({ threadId: 1 });
    event = await Promise.race([next, ended]);
  }
  const unique = [...new Map(seen.map((one) => [JSON.stringify(one), one])).values()];
  for (const one of expected) expect(unique).toContainEqual(one);
});

test('scopes show the walk and the call; values can be opened, set, and watched', async () => {
  const { stopped } = await launch({}, [8]);
  await stopped;
  const { scopes } = (await client.scopesRequest({ frameId: 1 })).body;
  expect(scopes.map(({ name }) => name)).toEqual(['Locals', 'Walk', 'Globals', 'Call']);
  const children = async (variablesReference: number) =>
    (await client.variablesRequest({ variablesReference })).body.variables;
  const walk = await children(scopes[1]!.variablesReference);
  expect(walk.map(({ name }) => name)).toEqual(['here', 'self', 'visitor', 'queue', 'reports']);
  const here = walk[0]!;
  expect(here.value).toBe("Item(name='a', n=0)");
  const fields = await children(here.variablesReference);
  expect(fields.map(({ name }) => name)).toEqual(['name', 'n', 'edges']);
  expect(
    (await client.setVariableRequest({ variablesReference: here.variablesReference, name: 'n', value: '3 + 4' })).body
      .value,
  ).toBe('7');
  expect(await evaluate('here.n + 1')).toBe('8');
  const self = walk[1]!.variablesReference;
  const info = await client.customRequest('dataBreakpointInfo', { variablesReference: self, name: 'seen' });
  expect(info.body).toMatchObject({ dataId: 'Look.seen', accessTypes: ['write'] });
  await expect(evaluate('nonsense +')).rejects.toThrow();
  const graph = (await client.customRequest('svc/graph', { depth: 3, limit: 10 })).body;
  expect(graph).toMatchObject({ here: 0, queue: [], isCut: false });
  expect(graph.nodes.map(({ type }: { type: string }) => type).sort()).toEqual(['Item', 'Root']);
  expect(graph.edges).toHaveLength(1);
});

test('functions and fields stop; an uncaught exception stops where it is raised, and the program then ends with 1', async () => {
  const launched = client.launch({ program: path('main.svc') });
  await client.waitForEvent('initialized');
  await client
    .setFunctionBreakpointsRequest({ breakpoints: [{ name: 'Look.see' }, { name: 'Look.nothing' }] })
    .then(({ body }) => expect(body.breakpoints.map(({ verified }) => verified)).toEqual([true, false]));
  await client.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: 'Look.seen' }] });
  await client.setExceptionBreakpointsRequest({ filters: ['all'] });
  const first = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await launched;
  expect((await first).body).toMatchObject({ reason: 'function breakpoint', text: 'Look.see' });
  expect(await top()).toEqual(['Look.see 8:9', 'main 43:5']);
  expect(await after(() => client.continueRequest({ threadId: 1 }))).toMatchObject({
    reason: 'exception',
    text: 'ValueError: bad',
  });
  expect((await client.customRequest('exceptionInfo', { threadId: 1 })).body).toMatchObject({
    exceptionId: 'ValueError',
    description: 'bad',
  });
  const exited = client.waitForEvent('exited');
  await client.continueRequest({ threadId: 1 });
  expect((await exited).body).toEqual({ exitCode: 0 });
});

test('a step over something that waits arrives at the next statement of the call, and one at the end of an ability behind the spawn', async () => {
  const { stopped } = await launch({ stopOnEntry: true }, [4], 'wait.svc');
  expect((await stopped).body.reason).toBe('entry');
  await after(() => client.continueRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Slow.go 4:9', 'wait 11:5']);
  const walked = client.waitForEvent('svc/walk');
  await after(() => client.nextRequest({ threadId: 1 }));
  expect((await walked).body).toMatchObject({ here: 'Root()' });
  await after(() => client.nextRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Slow.go 6:9', 'wait 11:5']);
  await after(() => client.stepOutRequest({ threadId: 1 }));
  expect(await top()).toEqual(['wait 12:5']);
  const restarted = client.waitForEvent('stopped');
  await client.customRequest('restart', {});
  expect((await restarted).body.reason).toBe('entry');
});

test('a request whose arguments are missing or wrong is answered without a stack', async () => {
  const refusal = (command: string, args?: unknown) =>
    client.send(command, args).then(
      () => undefined,
      (error) => (error as Error).message,
    );
  const wrong = [await refusal('setFunctionBreakpoints'), await refusal('setFunctionBreakpoints', { breakpoints: 3 })];
  expect(wrong.filter((text) => text !== undefined)).toEqual(wrong);
  for (const text of wrong) expect(text).toMatch(/^the arguments of set\w+ cannot be read: .+/);
  expect(wrong.join()).not.toMatch(/\n|\.ts|\.mjs/);
});

test('a program that does not compile, or is not there, is told', async () => {
  const told = client.waitForEvent('output');
  const ended = client.waitForEvent('terminated');
  await client.launch({ program: path('broken.svc') });
  expect((await told).body.output).toContain('E01');
  await ended;
  await client.stop();
  client = new DebugClient('node', '', 'svc');
  client.defaultTimeout = 600_000;
  await client.start(port);
  await expect(client.launch({ program: path('nowhere.svc') })).rejects.toThrow('no such file');
});
