/** The debug adapter on standard input and output, with requests of a server, and where something goes wrong (docs/guide/debugging.md). */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { svcBin } from '../harness/server.ts';
import { kinds, sights } from '../harness/statement-kinds.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

/** The same program as a server: what its entry did is done by a request. */
const served = kinds.replace(
  /with entry \{([\s\S]*)\}\n$/,
  (_all, body: string) => `walker:pub Run { can go with Root entry {${body}} }\n`,
);

const odd = `import os;
obj Loud {
    has n: int = 0;
    @property
    def bad -> int { raise ValueError("no value"); }
}
with entry {
    print("pid", os.getpid());
    ring: list = [1];
    ring.append(ring);
    loud = Loud();
    a = 1;
    while a > 0 {
        a += 1;
    }
}
`;

const sets = `obj Box { has value: float = 0.0; }
def half(n: int, label: str) -> float {
    part = n / 2;
    words = [label];
    table = {"a": 1};
    pair = (1, 2);
    some = {3, 1};
    box = Box();
    rate = 1.5;
    if n > 0 { half(n - 1, label + "x"); }
    print(part, words, table, pair, box, rate == 4.0, n);
    return part;
}
with entry {
    half(1, "l");
}
`;

const held = `obj Counter {
    has n: int = 0;
    has tags: list[str] = [];
    def bump -> int { self.n += 1; return self.n; }
    def push(tag: str) -> int { self.tags.append(tag); return len(self.tags); }
    def twin -> int { other = [self.n]; other.append(1); copy = Counter(n=self.n); return copy.n + len(other); }
    @property def double -> int { return self.n * 2; }
}
def tracked(f: any) -> any {
    def wrapper(*args: any) -> any { return f(*args); }
    return wrapper;
}
@tracked
def twice(x: int) -> int { return x * 2; }
with entry {
    many = list(range(1500));
    table = {f"k{i}": i for i in range(300)};
    c = Counter();
    x = 1;
    print(twice(c.double), x, c.n);
}
`;

const named = `obj Overdue(Exception) {
    has name: str;
    has message: any = None;
}
def late(who: str) -> str {
    try {
        raise Overdue(name=who);
    } except Overdue as e {
        return e.name;
    }
}
with entry {
    print(late("ann"));
}
`;

const napping = `import asyncio;
async def nap {
    await asyncio.sleep(600);
}
with entry {
    print("begun");
    asyncio.run(nap());
}
`;

const huge = `node Item { has n: int = 0; }
walker See {
    can go with Root entry { visit [-->]; }
    can see with Item entry {
        seen = here.n;
        disengage;
    }
}
with entry {
    items = [Item(n=i) for i in range(100000)];
    root ++> items;
    root spawn See();
}
`;

let folder: ReturnType<typeof folderWith>;
let client: DebugClient;
beforeAll(() => {
  folder = folderWith({
    'adapter.mjs': `process.argv.splice(1, 1, ${JSON.stringify(svcBin)}, 'debug', '--dap'); await import(${JSON.stringify(svcBin)});\n`,
    'main.svc': kinds,
    'odd.svc': odd,
    'huge.svc': huge,
    'napping.svc': napping,
    'named.svc': named,
    'sets.svc': sets,
    'held.svc': held,
  });
});
afterAll(() => folder[Symbol.dispose]());
beforeEach(async () => {
  client = new DebugClient(process.execPath, join(folder.path, 'adapter.mjs'), 'svc', { cwd: folder.path });
  // Its own limit is for machines without other work.
  client.defaultTimeout = 600_000;
  await client.start();
});
afterEach(() => client.stop());

const path = (name: string) => join(folder.path, name);
const evaluate = async (expression: string, frameId = 1) =>
  (await client.evaluateRequest({ expression, frameId })).body.result;

/** Launches a program, or attaches, with breakpoints at lines of a file; gives where they are, and the first stop. */
async function begin(how: object, file: string, lines: readonly number[]) {
  const begun = 'port' in how ? client.attachRequest(how as never) : client.launch({ program: file, ...how });
  await client.waitForEvent('initialized');
  const { body } = await client.setBreakpointsRequest({
    source: { path: file },
    breakpoints: lines.map((line) => ({ line })),
  });
  const stopped = client.waitForEvent('stopped');
  stopped.catch(() => {});
  await client.configurationDoneRequest();
  await begun;
  return { breakpoints: body.breakpoints, stopped };
}

async function top() {
  const { stackFrames } = (await client.stackTraceRequest({ threadId: 1 })).body;
  return stackFrames.map(({ name, line }) => `${name} ${line}`);
}

async function after(request: () => Promise<unknown>) {
  const stopped = client.waitForEvent('stopped');
  await request();
  return (await stopped).body;
}

/** Resolves with the first piece of output that matches. */
function output(pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    client.on('output', ({ body }: DebugProtocol.OutputEvent) => {
      const match = pattern.exec(body.output);
      if (match !== null) resolve(match);
    });
  });
}

/** A server under the inspector; gives its ports. */
async function inspected(text: string, options: readonly string[] = []) {
  const own = folderWith({ 'main.svc': text });
  const server = spawnSvc(['start', 'main.svc', '--port', '0', '--inspect=0', ...options], {
    cwd: own.path,
    env: { SVC_ENV: 'development' },
  });
  const inspector = Number((await server.until(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//))[1]);
  const port = (await server.until(/http:\/\/localhost:(\d+)/))[1]!;
  const call = async (target: string, body: object, id = 'f'.repeat(32)) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': id };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return ((await (await fetch(`http://localhost:${port}${target}`, sent)).json()) as { data: any }).data;
  };
  return {
    file: join(own.path, 'main.svc'),
    inspector,
    pid: server.pid,
    call,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      own[Symbol.dispose]();
    },
  };
}

test('S4: a breakpoint hit from a request, for each kind of statement, is at its line with the right variables', async () => {
  expect(sights.length).toBeGreaterThanOrEqual(25);
  await using server = await inspected(served);
  const { breakpoints, stopped } = await begin(
    { port: server.inspector },
    server.file,
    sights.map(({ line }) => line),
  );
  expect(breakpoints.filter(({ verified }) => !verified)).toEqual([]);
  const seen: object[] = [];
  const answered = server.call('/walker/Run', {}).then(() => undefined);
  for (let event: unknown = await stopped; event !== undefined; ) {
    const [frame] = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    for (const { line, name } of sights)
      if (line === frame!.line) seen.push({ line, name, value: await evaluate(name, frame!.id) });
    const next = client.waitForEvent('stopped');
    next.catch(() => {});
    await client.continueRequest({ threadId: 1 });
    event = await Promise.race([next, answered]);
  }
  for (const one of sights) expect(seen).toContainEqual(one);
});

test('two users walk and wait at once: a condition, a step over what waits and a value that is set concern one of them', async () => {
  const text = `import asyncio;
node Step { has seen: str = ""; }
async walker:pub Slow {
    has who: str;
    has log: list[str] = [];
    async can start with Root entry {
        made = here ++> Step();
        await asyncio.sleep(0.05);
        visit made;
    }
    async can pass with Step entry {
        mark = f"{self.who} came";
        await asyncio.sleep(0.3);
        self.log.append(mark);
        here.seen = self.who;
        report [mark, self.log];
    }
}
`;
  await using server = await inspected(text);
  const begun = client.attachRequest({ port: server.inspector } as never);
  await client.waitForEvent('initialized');
  const { body } = await client.setBreakpointsRequest({
    source: { path: server.file },
    breakpoints: [{ line: 13, condition: 'self.who == "b"' }],
  });
  expect(body.breakpoints.map(({ verified }) => verified)).toEqual([true]);
  const first = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await begun;
  const ask = (who: string, i: number) => server.call('/walker/Slow', { who }, String(i).repeat(32));
  const answers = [ask('a', 1), ask('b', 2)];
  await first;
  // While the server stands, so that it runs behind the others.
  answers.push(ask('c', 3));
  expect(await top()).toEqual(['Slow.pass 13']);
  expect([await evaluate('self.who'), await evaluate('mark')]).toEqual(["'b'", "'b came'"]);
  await client.customRequest('setDataBreakpoints', {
    breakpoints: [{ dataId: 'Step.seen', condition: 'self.who != "a"' }],
  });
  await after(() => client.nextRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Slow.pass 14']);
  expect(await evaluate('self.who')).toBe("'b'");
  await client.customRequest('setExpression', { expression: 'mark', value: '"set"', frameId: 1 });
  const who: string[] = [];
  for (let i = 0; i < 2; i++) {
    await after(() => client.continueRequest({ threadId: 1 }));
    expect((await top())[0]).toBe('Slow.pass 15');
    who.push(await evaluate('self.who'));
  }
  expect(who.sort()).toEqual(["'b'", "'c'"]);
  await client.customRequest('setDataBreakpoints', { breakpoints: [] });
  await client.continueRequest({ threadId: 1 });
  const reports = (await Promise.all(answers)).map(({ reports }) => reports);
  expect(reports).toEqual([[['a came', ['a came']]], [['set', ['set']]], [['c came', ['c came']]]]);
});

test('a recorded call of a server is replayed, forwards and backwards, and what differs is told', async () => {
  const text = `import random;
glob calls: list = [];
walker:pub Draw {
    can go with Root entry {
        n = random.randint(1, 1000000);
        calls.append(n);
        report [n, len(calls)];
    }
}
`;
  await using server = await inspected(text);
  const id = 'a'.repeat(32);
  const [[n]] = (await server.call('/walker/Draw', {}, id)).reports;
  const told = output(/replayed: not the same\nreports\n.*\n.*\n/);
  const ended = client.waitForEvent('terminated');
  const { stopped } = await begin({ port: server.inspector, replay: id }, server.file, [7]);
  await stopped;
  expect(await top()).toEqual(['Draw.go 5']);
  await after(() => client.nextRequest({ threadId: 1 }));
  expect(await evaluate('n')).toBe(String(n));
  await after(() => client.stepBackRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Draw.go 5']);
  await after(() => client.continueRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Draw.go 7']);
  await after(() => client.reverseContinueRequest({ threadId: 1 }));
  expect(await top()).toEqual(['Draw.go 5']);
  await client.setBreakpointsRequest({ source: { path: server.file }, breakpoints: [] });
  await client.continueRequest({ threadId: 1 });
  // Variables of the process are not part of what a call saw.
  expect((await told)[0]).toContain(`recorded [[${n},1]]`);
  await ended;
});

test('a program that is really killed ends the session with its exit code', async () => {
  const pid = output(/pid (\d+)/);
  await begin({}, path('odd.svc'), []);
  const exited = client.waitForEvent('exited');
  const terminated = client.waitForEvent('terminated');
  process.kill(Number((await pid)[1]), 'SIGKILL');
  expect((await exited).body).toEqual({ exitCode: 137 });
  await terminated;
});

test('a value that holds itself can be opened for ever, and one whose property raises says so', async () => {
  const { stopped } = await begin({}, path('odd.svc'), [14]);
  await stopped;
  const { scopes } = (await client.scopesRequest({ frameId: 1 })).body;
  const children = async (variablesReference: number) =>
    (await client.variablesRequest({ variablesReference })).body.variables;
  const locals = await children(scopes[0]!.variablesReference);
  let ring = locals.find(({ name }) => name === 'ring')!;
  for (let i = 0; i < 20; i++) {
    expect(ring.value).toBe('[1, [...]]');
    ring = (await children(ring.variablesReference))[1]!;
  }
  const loud = locals.find(({ name }) => name === 'loud')!;
  expect(loud.value).toBe('Loud(n=0)');
  expect((await children(loud.variablesReference)).map(({ name }) => name)).toContain('n');
  await expect(evaluate('loud.bad')).rejects.toThrow('no value');
  expect(await evaluate('loud.n + 1')).toBe('1');
  // Generated code keeps what it knows of lambdas outside of the function that is evaluated.
  expect(await evaluate('[(lambda x: int -> int { return x + loud.n; })(i) for i in range(2)]')).toBe('[0, 1]');
});

test('what was set is shown in its place, in the frame whose variable it is; a tuple and a set are only shown', async () => {
  const { stopped } = await begin({}, path('sets.svc'), [11]);
  await stopped;
  const children = async (variablesReference: number) =>
    (await client.variablesRequest({ variablesReference })).body.variables;
  const { scopes } = (await client.scopesRequest({ frameId: 2 })).body;
  const locals = scopes[0]!.variablesReference;
  const set = async (variablesReference: number, name: string, value: string) =>
    (await client.setVariableRequest({ variablesReference, name, value })).body.value;
  const refs = new Map((await children(locals)).map(({ name, variablesReference }) => [name, variablesReference]));
  // Of the frame above it, n is 0 and label 'lx'.
  expect(await set(locals, 'part', 'n + 10')).toBe('11.0');
  expect(await set(refs.get('words')!, '[0]', 'label + "!"')).toBe("'l!'");
  expect(await set(refs.get('table')!, "'a'", '[2]')).toBe('[2]');
  expect(await set(refs.get('box')!, 'value', '4.0')).toBe('4.0');
  expect(await set(locals, 'rate', '4.0')).toBe('4.0');
  const shown = Object.fromEntries((await children(locals)).map(({ name, value }) => [name, value]));
  expect(shown).toMatchObject({
    part: '11.0',
    words: "['l!']",
    table: "{'a': [2]}",
    box: 'Box(value=4.0)',
    rate: '4.0',
  });
  expect((await children(refs.get('some')!)).map(({ value }) => value)).toEqual(['3', '1']);
  await expect(set(refs.get('pair')!, '[0]', '9')).rejects.toThrow('[0] cannot be set');
  await client.setBreakpointsRequest({ source: { path: path('sets.svc') }, breakpoints: [] });
  const printed = output(/^11\.0 \['l!'\] \{'a': \[2\]\} \(1, 2\) Box\(value=4\.0\) True 1$/m);
  await client.continueRequest({ threadId: 1 });
  await printed;
});

test('an exception is called by its type, whatever it keeps as its name or message', async () => {
  const { stopped } = await begin({ stopOnEntry: true }, path('named.svc'), []);
  await stopped;
  await client.setExceptionBreakpointsRequest({ filters: ['all'] });
  const raised = await after(() => client.continueRequest({ threadId: 1 }));
  expect(raised).toMatchObject({ reason: 'exception', text: 'Overdue' });
  expect((await client.customRequest('exceptionInfo', { threadId: 1 })).body.exceptionId).toBe('Overdue');
  await expect(evaluate('who.nothing')).rejects.toThrow("AttributeError: 'str' object has no attribute 'nothing'");
});

test('a program that only waits is paused in the call that waits', async () => {
  const begun = output(/begun/);
  const { stopped } = await begin({}, path('napping.svc'), []);
  await begun;
  await client.pauseRequest({ threadId: 1 });
  expect((await stopped).body.reason).toBe('pause');
  // The output may be heard before the next statement has begun.
  while ((await top())[0] === 'napping 7')
    await after(async () => {
      await client.continueRequest({ threadId: 1 });
      await client.pauseRequest({ threadId: 1 });
    });
  expect((await top())[0]).toBe('nap 3');
});

test('a condition, a watch and a log point assign nothing', async () => {
  const { stopped, breakpoints } = await begin({}, path('sets.svc'), [3]);
  expect(breakpoints[0]!.verified).toBe(true);
  await stopped;
  for (const context of ['watch', 'hover'])
    for (const expression of ['n = 5', 'n += 1', 'label = "m"'])
      await expect(client.evaluateRequest({ expression, frameId: 1, context })).rejects.toThrow('this would assign');
  const { body } = await client.setBreakpointsRequest({
    source: { path: path('sets.svc') },
    breakpoints: [{ line: 12, condition: 'n = 0' }],
  });
  expect(body.breakpoints[0]).toMatchObject({
    verified: false,
    message: 'the condition is wrong: this would assign, which only the console may: == compares',
  });
  expect(await evaluate('n')).toBe('1');
  await client.evaluateRequest({ expression: 'n = 0', frameId: 1, context: 'repl' });
  expect(await evaluate('n')).toBe('0');
});

test('what is watched or pointed at writes nothing, also through a method and a walrus; the console may', async () => {
  const { stopped } = await begin({}, path('held.svc'), [20]);
  await stopped;
  const shown = async (expression: string, context: string) =>
    (await client.evaluateRequest({ expression, frameId: 1, context })).body.result;
  for (const context of ['watch', 'hover']) {
    await expect(shown('c.bump()', context)).rejects.toThrow('Counter.bump would write n, which only the console may');
    await expect(shown('c.push("a")', context)).rejects.toThrow('Counter.push would write tags');
    await expect(shown('c.tags.append("a")', context)).rejects.toThrow('append() would change what it is called on');
    await expect(shown('[x := 5]', context)).rejects.toThrow('this would assign');
    expect(await shown('[c.n, c.tags, x, c.twin(), c.double, Counter(n=4).n]', context)).toBe('[0, [], 1, 2, 0, 4]');
  }
  expect(await shown('[c.bump(), c.push("a"), (x := 5)]', 'repl')).toBe('[1, 1, 5]');
  expect(await shown('[c.n, c.tags, x]', 'watch')).toBe("[1, ['a'], 5]");
});

test('what computes without end is ended, says so, and the program stays as it was', async () => {
  const { stopped } = await begin({}, path('held.svc'), [20]);
  await stopped;
  for (const context of ['watch', 'repl'])
    await expect(
      client.evaluateRequest({ expression: 'len([i for i in range(10**9)])', frameId: 1, context }),
    ).rejects.toThrow('this took longer than 5 s: it was ended');
  expect((await client.evaluateRequest({ expression: '[x, c.bump()]', frameId: 1, context: 'repl' })).body.result).toBe(
    '[1, 1]',
  );
  const ended = client.waitForEvent('terminated');
  const printed = client.assertOutput('stdout', '4 1 1\n');
  await client.continueRequest({ threadId: 1 });
  await Promise.all([ended, printed]);
});

test('a field is set to values of its type only', async () => {
  const { stopped } = await begin({}, path('held.svc'), [20]);
  await stopped;
  const { scopes } = (await client.scopesRequest({ frameId: 1 })).body;
  const { variables } = (await client.variablesRequest({ variablesReference: scopes[0]!.variablesReference })).body;
  const { variablesReference } = variables.find(({ name }) => name === 'c')!;
  const set = async (name: string, value: string) =>
    (await client.setVariableRequest({ variablesReference, name, value })).body.value;
  await expect(set('n', '"one"')).rejects.toThrow('cannot assign str to `n` of type int');
  await expect(set('tags', '3')).rejects.toThrow('cannot assign int to `tags` of type list[str]');
  await expect(client.customRequest('setExpression', { expression: 'c.n', value: '1.5', frameId: 1 })).rejects.toThrow(
    'cannot assign float to `n` of type int',
  );
  await expect(client.evaluateRequest({ expression: 'c.n = "one"', frameId: 1, context: 'repl' })).rejects.toThrow(
    'cannot assign str to `n` of type int',
  );
  expect([await set('n', '7'), await set('tags', '["b"]'), await evaluate('[c.n, c.tags]')]).toEqual([
    '7',
    "['b']",
    "[7, ['b']]",
  ]);
});

test('variables are given as they are asked for: items or other parts, from one on, so many', async () => {
  const { stopped } = await begin({}, path('held.svc'), [20]);
  await stopped;
  const { scopes } = (await client.scopesRequest({ frameId: 1 })).body;
  const parts = async (ref: number, how: object = {}) =>
    (await client.customRequest('variables', { variablesReference: ref, ...how })).body
      .variables as DebugProtocol.Variable[];
  const locals = await parts(scopes[0]!.variablesReference);
  const ref = (wanted: string) => locals.find(({ name }) => name === wanted)!.variablesReference;
  expect(await parts(ref('many'))).toHaveLength(1500);
  expect(await parts(ref('many'), { filter: 'named' })).toEqual([]);
  expect((await parts(ref('many'), { filter: 'indexed', start: 1498, count: 9 })).map(({ name }) => name)).toEqual([
    '[1498]',
    '[1499]',
  ]);
  expect(await parts(ref('table'), { filter: 'indexed', start: 10, count: 120 })).toHaveLength(120);
  expect(await parts(ref('c'), { filter: 'indexed' })).toEqual([]);
  expect((await parts(ref('c'), { filter: 'named' })).map(({ name }) => name)).toEqual(['n', 'tags']);
});

test('a function inside of another and a property have breakpoints by their own names', async () => {
  const launched = client.launch({ program: path('held.svc') });
  await client.waitForEvent('initialized');
  const names = ['wrapper', 'tracked.wrapper', 'tracked.<locals>.wrapper', 'double', 'Counter.double', 'nowhere'];
  const { body } = await client.setFunctionBreakpointsRequest({ breakpoints: names.map((name) => ({ name })) });
  expect(body.breakpoints.map(({ verified }) => verified)).toEqual([true, true, true, true, true, false]);
  const stopped = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await launched;
  const ids = body.breakpoints.map(({ id }) => id);
  expect((await stopped).body).toMatchObject({ hitBreakpointIds: ids.slice(3, 5) });
  expect(await after(() => client.continueRequest({ threadId: 1 }))).toMatchObject({
    hitBreakpointIds: ids.slice(0, 3),
  });
});

test.each([
  [{ test: '' }, 'test has to be a text that is not empty, not ""'],
  [{ args: 'a b' }, 'args has to be a list of texts, not "a b"'],
  [{ cwd: 3 }, 'cwd has to be a text that is not empty, not 3'],
  [{ env: ['A=1'] }, 'env has to be an object of texts, not ["A=1"]'],
  [{ persist: 'yes' }, 'persist has to be true or false, not "yes"'],
  [{ program: 7 }, 'program has to be a text, not 7'],
])('an argument of `launch` of another form is named: %j', async (how, message) => {
  await expect(client.launch({ program: path('held.svc'), ...how } as never)).rejects.toThrow(message);
});

test('a server that is killed is not said to have ended well', async () => {
  await using server = await inspected(served);
  await client.attachRequest({ port: server.inspector } as never);
  const told = output(/the connection to the program broke off/);
  const ended = client.waitForEvent('terminated');
  process.kill(server.pid, 'SIGKILL');
  await Promise.all([told, ended]);
});

test('breakpoints of a file that comes with a later version are told of as they get their places', async () => {
  await using server = await inspected(served, ['--dev']);
  client.attachRequest({ port: server.inspector } as never).catch(() => {});
  await client.waitForEvent('initialized');
  const file = join(dirname(server.file), 'extra.svc');
  const lines = await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [{ line: 2 }] });
  const named = await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'helper' }] });
  const [first, second] = [...lines.body.breakpoints, ...named.body.breakpoints];
  expect([first!.verified, second!.verified]).toEqual([false, false]);
  const changed = new Promise<DebugProtocol.Breakpoint[]>((resolve) => {
    const found: DebugProtocol.Breakpoint[] = [];
    client.on('breakpoint', ({ body }: DebugProtocol.BreakpointEvent) => {
      found.push(body.breakpoint);
      if (found.length === 2) resolve(found);
    });
  });
  await client.configurationDoneRequest();
  writeFileSync(file, 'def helper(n: int) -> int {\n    b = n + 1;\n    return b;\n}\n');
  writeFileSync(server.file, `import extra;\n${served}\ndef:pub use -> int { return extra.helper(1); }\n`);
  expect(await changed).toMatchObject([first, second].map((one) => ({ id: one!.id, verified: true, line: 2 })));
});

test('a graph of 100,000 nodes is shown in part', async () => {
  const { stopped } = await begin({}, path('huge.svc'), [5]);
  await stopped;
  const graph = (await client.customRequest('svc/graph', { depth: 6, limit: 300 })).body;
  expect(graph).toMatchObject({ here: 0, isCut: true, walk: { here: 'Item(n=0)', queued: 99_999 } });
  expect(graph.nodes).toHaveLength(300);
  expect(JSON.stringify(graph).length).toBeLessThan(200_000);
});

test('a file that changes meanwhile is told of, and restart takes the new text with the breakpoints', async () => {
  const file = path('changing.svc');
  writeFileSync(file, 'with entry {\n    a = 1;\n    b = 2;\n    print(a + b);\n}\n');
  const changed = output(/changing\.svc has changed: .*restart takes the new text/);
  const { stopped } = await begin({ stopOnEntry: true }, file, [3]);
  await stopped;
  expect(await top()).toEqual(['changing 2']);
  writeFileSync(file, 'with entry {\n    # new\n    a = 10;\n    b = 20;\n    print(a + b);\n}\n');
  await after(() => client.nextRequest({ threadId: 1 }));
  expect(await top()).toEqual(['changing 3']);
  await changed;
  const printed = output(/^30$/m);
  await after(() => client.customRequest('restart', {}));
  expect(await top()).toEqual(['changing 3']);
  expect(await evaluate('1 + 1')).toBe('2');
  await client.continueRequest({ threadId: 1 });
  await printed;
});

test('a breakpoint on a line without code moves and says so', async () => {
  const { breakpoints, stopped } = await begin({}, path('main.svc'), [7, 1000]);
  expect(breakpoints).toMatchObject([
    { verified: true, line: 8, message: 'line 7 has no statement: moved to line 8' },
    { verified: false, message: expect.stringContaining('no statement on line 1000') },
  ]);
  await stopped;
  expect((await top())[0]).toBe('Look.see 8');
});

test('a breakpoint on a line whose code does not run here stays where it is and says why', async () => {
  const file = path('halves.svc');
  const text = `cl def:pub app() -> any {
    title = "a";
    return <p>{title}</p>;
}
cl {
    def shown(n: int) -> int {
        return n + 1;
    }
}
test "adds" {
    assert 1 + 1 == 2;
}
with entry {
    print("served");
}
`;
  writeFileSync(file, text);
  const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split('\n').length;
  const placed = await begin({}, file, ['title =', 'return n', 'assert', 'with entry'].map(lineOf));
  const browser = 'code of the browser, where this debugger does not stop: the tools of the browser do';
  expect(placed.breakpoints).toMatchObject([
    { verified: false, message: `line 2 is ${browser}` },
    { verified: false, message: `line 7 is ${browser}` },
    { verified: false, message: expect.stringContaining('line 11 is in a test: ') },
    { verified: true, line: 14 },
  ]);
  await placed.stopped;
  expect((await top())[0]).toBe('halves 14');
});

test('production is refused, and so is a port that is taken', async () => {
  const launched = client.launch({ program: path('main.svc'), env: { SVC_ENV: 'production' } });
  await expect(launched).rejects.toThrow('not opened in production');
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await using adapter = spawnSvc(['debug', '--dap', '--port', String(port)], { cwd: folder.path });
  expect(await adapter.exited).toBe(4);
  expect(adapter.stderr()).toContain('taken');
  taken.close();
});
