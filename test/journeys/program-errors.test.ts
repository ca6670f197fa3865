/**
 * Reports of an exception of a program, wherever it happens: the program's calls, never those of the runtime
 * (docs/server/errors.md#application-errors, docs/server/observability.md#log).
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { httpEvent, unpackFunction } from '../harness/packaged-function.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const main = `import asyncio;
import json;
import from helper { deep }

walker:pub Index { can go with Root entry { report pick([1, 2, 3], 10); } }
def pick(items: list, n: int) -> int {
    return items[n];
}
walker:pub Cause {
    can go with Root entry {
        try {
            pick([], 0);
        } except IndexError as e {
            e.add_note("looked for\\nthe first");
            raise ValueError("no such item") from e;
        }
    }
}
walker:pub Group {
    can go with Root entry {
        members: list = [];
        try { pick([], 1); } except IndexError as e { members.append(e); }
        raise ExceptionGroup("many", [*members, KeyError("b")]);
    }
}
walker:pub Parse { can go with Root entry { json.loads("{nope"); } }
walker:pub Sort {
    can go with Root entry { report sorted([3, 1], key=lambda x: int -> int { return pick([], x); }); }
}
walker:pub Late {
    async can go with Root entry { await deep(2); }
}
walker:pub Cut { can go with Root entry { report None.name; } }
def:pub divide(x: int) -> int { return 10 // x; }
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker:pub Live { async can go with Root entry { pick([], 7); } }
@restspec(protocol=APIProtocol.WEBHOOK)
walker Hook { can go with Root entry { pick([], 8); } }
walker:pub Committed {
    can go with Root entry { on_commit(lambda -> None { pick([], 9); }); report 1; }
}
`;
const helper = `import asyncio;
async def deep(n: int) -> int {
    await asyncio.sleep(0);
    if n == 0 { raise RuntimeError("deep down"); }
    return await deep(n - 1);
}
`;
const files = { 'main.svc': main, 'helper.svc': helper };

/** Frames as `function file:line`. */
const shown = (error: any): string[] => error.frames.map((at: any) => `${at.function} ${at.file}:${at.line}`);
const records = (output: string): any[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{"time"') ? [JSON.parse(line)] : []));
const failureOf = (output: string, target: string): any =>
  records(output).find(({ level, msg }) => level === 'error' && msg.includes(` ${target} `))?.error;
/** Names of the runtime's own files and functions. */
const ours = /node_modules|\.mjs|node:|file:\/\/|chunk-| {4}at drain|runUnit/;

/** Until the server has said that it takes no more, everything it logs has been written. */
async function outputOf(server: { stop(): Promise<number | null>; output(): string }): Promise<string> {
  await server.stop();
  return server.output();
}

async function callAll(base: string, port: number): Promise<string[]> {
  const answers: unknown[] = [];
  for (const name of ['Index', 'Cause', 'Group', 'Parse', 'Sort', 'Late', 'Cut', 'Committed'])
    answers.push(await post(base, `/walker/${name}`));
  answers.push(await post(base, '/function/divide', { x: 0 }));
  const { token } = await register(base, 'ada');
  const created = await post(base, '/api-key/create', { name: 'k' }, token);
  const { api_key, signing_secret } = created.data ?? created;
  const signed = await runSvc(['webhook', 'send', 'Hook', '--url', base, '--json'], {
    cwd: '.',
    env: { SVC_API_KEY: api_key, SVC_SIGNING_SECRET: signing_secret },
  });
  answers.push(signed.stdout);
  answers.push(await firstFrame(`ws://127.0.0.1:${port}/ws/Live`));
  return answers.map((answer) => JSON.stringify(answer));
}

function firstFrame(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('error', reject);
    socket.on('open', () => socket.send('{}'));
    socket.on('message', (data) => {
      if (!String(data).includes('Error')) return;
      resolve(String(data));
      socket.terminate();
    });
  });
}

test('JSON logs: the calls of the program as a field, with causes and members, none of ours; nothing of it on the wire', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path });
  const answers = await callAll(server.base, server.port);
  const output = await outputOf(server);
  for (const answer of answers) expect(answer).not.toMatch(/frames|\bat \w+ main\.svc|chunk-|node:/);
  expect(failureOf(output, 'Index')).toEqual({
    name: 'IndexError',
    message: 'list index out of range',
    frames: [
      { function: 'pick', file: 'main.svc', line: 7, column: 12 },
      { function: 'Index.go', file: 'main.svc', line: 5, column: 52 },
    ],
  });
  const cause = failureOf(output, 'Cause');
  expect(shown(cause)).toEqual(['Cause.go main.svc:15']);
  expect([cause.cause.name, cause.cause.notes, shown(cause.cause)]).toEqual([
    'IndexError',
    ['looked for\nthe first'],
    ['pick main.svc:7', 'Cause.go main.svc:12'],
  ]);
  const group = failureOf(output, 'Group');
  expect(group.exceptions.map((one: any) => [one.name, shown(one)])).toEqual([
    ['IndexError', ['pick main.svc:7', 'Group.go main.svc:22']],
    ['KeyError', ['Group.go main.svc:23']],
  ]);
  expect(shown(failureOf(output, 'Parse'))).toEqual(['Parse.go main.svc:26']);
  expect(shown(failureOf(output, 'Sort'))[0]).toBe('pick main.svc:7');
  expect(shown(failureOf(output, 'Late'))).toEqual([
    'deep helper.svc:4',
    'deep helper.svc:5',
    'deep helper.svc:5',
    'Late.go main.svc:31',
  ]);
  expect(failureOf(output, 'Cut')).toMatchObject({
    name: 'AttributeError',
    message: "'NoneType' object has no attribute 'name'",
  });
  expect(shown(failureOf(output, 'divide'))).toEqual(['divide main.svc:34']);
  expect(shown(failureOf(output, 'Live')).at(-1)).toBe('Live.go main.svc:36');
  expect(shown(failureOf(output, 'Hook')).at(-1)).toBe('Hook.go main.svc:38');
  const committed = records(output).find(({ msg }) => msg.includes('on_commit')).error;
  expect(shown(committed)[0]).toBe('pick main.svc:7');
  for (const record of records(output)) expect(JSON.stringify(record)).not.toMatch(ours);
});

test('text logs: a code frame and the calls of the program below the record; texts of errors forge no lines', async () => {
  using folder = folderWith({ ...files, 'svc.toml': '[plugins.scale.logging]\nformat = "text"\naccess_log = false\n' });
  await using server = await startServer({ folder: folder.path });
  await post(server.base, '/walker/Index');
  await post(server.base, '/walker/Cause');
  const output = await outputOf(server);
  expect(output).toMatch(/error walker Index failed: IndexError: list index out of range request_id=\w+\n/);
  expect(output).toContain(` --> main.svc:7:12
  |
6 | def pick(items: list, n: int) -> int {
7 |     return items[n];
  |            ^^^^^
8 | }
  |
  at pick main.svc:7
  at Index.go main.svc:5
`);
  expect(output).toContain(`
Caused by: IndexError: list index out of range
looked for\\nthe first
  at pick main.svc:7
  at Cause.go main.svc:12
`);
  expect(output).not.toMatch(ours);
});

test('JavaScript files of the project are the program too', async () => {
  using folder = folderWith({
    'main.svc': 'import from "./plain.js" { size }\nwalker:pub W { can go with Root entry { report size(None); } }\n',
    'plain.js': 'export function size(x) {\n  return x.length;\n}\n',
  });
  await using server = await startServer({ folder: folder.path });
  await post(server.base, '/walker/W');
  expect(shown(failureOf(await outputOf(server), 'W'))).toEqual(['size plain.js:2', 'W.go main.svc:2']);
});

test('at level debug the calls of the runtime are told too', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, args: ['--log-level', 'debug'] });
  await post(server.base, '/walker/Index');
  const error = failureOf(await outputOf(server), 'Index');
  expect(shown(error)[0]).toBe('pick main.svc:7');
  expect(error.stack).toMatch(/at pick main\.svc:7:12\n[\s\S]*at file:|chunk-|\.ts/);
});

test('several workers', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  await post(server.base, '/walker/Index');
  const error = failureOf(await outputOf(server), 'Index');
  expect([shown(error), error.stack]).toEqual([['pick main.svc:7', 'Index.go main.svc:5'], undefined]);
});

test('a packaged function', async () => {
  using folder = folderWith(files);
  const { code } = await runSvc(['build', 'main.svc', '--out', 'out'], { cwd: folder.path });
  expect(code).toBe(0);
  using http = unpackFunction(join(folder.path, 'out/http.zip'), 'http');
  await http.call([httpEvent('POST', '/walker/Index', {})]);
  const error = http.complained().flatMap((line) => (line.includes('Index failed') ? [JSON.parse(line).error] : []))[0];
  expect([error.name, shown(error), error.stack]).toEqual([
    'IndexError',
    ['pick main.svc:7', 'Index.go main.svc:5'],
    undefined,
  ]);
});

test('start-up code, a module that cannot be read, and svc run: the same frame', async () => {
  using folder = folderWith({
    ...files,
    'start.svc':
      'import from main { pick }\nwith entry {\n    pick([1], 5);\n}\nwalker W { can go with Root entry {} }\n',
    'broken.js': 'export const one = ;\n',
    'module.svc': 'import from "./broken.js" { one }\nwith entry { print(one); }\n',
  });
  const expected = ` --> main.svc:7:12
  |
6 | def pick(items: list, n: int) -> int {
7 |     return items[n];
  |            ^^^^^
8 | }
  |
  at pick main.svc:7
  at start.svc:3
`;
  for (const command of ['run', 'start']) {
    const { code, stderr } = await runSvc([command, 'start.svc'], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toContain(`Error: IndexError: list index out of range\n${expected}`);
    const broken = await runSvc([command, 'module.svc'], { cwd: folder.path });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain(`Error: SyntaxError: Unexpected token ';'\n --> broken.js:1:20\n`);
    for (const text of [stderr, broken.stderr]) expect(text).not.toMatch(ours);
  }
});
