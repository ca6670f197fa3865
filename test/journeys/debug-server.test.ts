/** A server that a debugger attaches to: `svc start --inspect`, stopped from a request (docs/guide/debugging.md#servers). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWith, type SvcProcess, spawnSvc } from '../harness/svc-process.ts';

const text = `import time;
walker:pub Greet {
    has name: str;
    can greet with Root entry {
        words = ["Hello", self.name];
        time.sleep(0.05);
        text = ", ".join(words);
        report text;
    }
}
def:pub other() -> int {
    first = 1;
    return first;
}
`;

let folder: ReturnType<typeof folderWith>;
let server: SvcProcess;
let [port, inspector] = ['', ''];
beforeAll(async () => {
  folder = folderWith({ 'main.svc': text });
  server = spawnSvc(['start', 'main.svc', '--port', '0', '--inspect=0'], { cwd: folder.path });
  inspector = (await server.until(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//))[1]!;
  port = (await server.until(/http:\/\/localhost:(\d+)/))[1]!;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function call(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://localhost:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: unknown }).data;
}

test('a request stops at its breakpoint; steps over what waits stay in it, and the server goes on without the debugger', async () => {
  await using debug = spawnSvc(['debug', '--attach', inspector], { cwd: folder.path });
  debug.type('break main.svc:5\n');
  await debug.until(/paused outside of every function\n/);
  await debug.until(/breakpoint 1 at main\.svc:5:9\n/);
  debug.type('cont\n');
  const answered = call('/walker/Greet', { name: 'Ada' });
  await debug.until(/breakpoint 1 at main\.svc:5:9 in Greet\.greet\n/);
  debug.type('print self\nclear 1\nnext\n');
  await debug.until(/self = Greet\(name='Ada'\)\n/);
  await debug.until(/stopped at main\.svc:6:9 in Greet\.greet\n/);
  const others = [call('/function/other', {}), call('/function/other', {})];
  debug.type('next\nprint words\nset words[0] = "Good morning"\n');
  // The other requests run while this one waits, and no step ends in them.
  await debug.until(/stopped at main\.svc:7:9 in Greet\.greet\n/);
  await debug.until(/words = \['Hello', 'Ada'\]\n/);
  debug.type('quit\n');
  expect(await debug.exited).toBe(0);
  expect(await answered).toMatchObject({ reports: ['Good morning, Ada'] });
  for (const other of others) expect(await other).toMatchObject({ result: 1 });
  expect(await call('/walker/Greet', { name: 'Bob' })).toMatchObject({ reports: ['Hello, Bob'] });
});

test('there is no inspector in production, none for several workers, and none to attach to where no program runs', async () => {
  const ended = async (args: readonly string[], env = {}) => {
    await using svc = spawnSvc(args, { cwd: folder.path, env });
    return { code: await svc.exited, err: svc.stderr() };
  };
  expect(
    await ended(['start', 'main.svc', '--inspect'], { SVC_ENV: 'production', JWT_SECRET: 'x'.repeat(64) }),
  ).toMatchObject({
    code: 3,
    err: expect.stringContaining('the inspector is not opened in production'),
  });
  expect(await ended(['start', 'main.svc', '--inspect', '--workers', '2'])).toMatchObject({ code: 2 });
  expect(await ended(['debug', '--attach', '1'])).toMatchObject({ code: 7, err: expect.stringContaining('port 1') });
});
