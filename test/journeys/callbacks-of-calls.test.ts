/** Callbacks of timers, sockets and the event loop of `asyncio` belong to the call that asked for them. */
import { expect, test } from 'vitest';
import { post, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const body = `
walker Who {
    has n: int;
    async can go with Root entry {
        loop = asyncio.get_running_loop();
        seen: list = [];
        said = loop.create_future();
        def look(how: str) -> None { seen.append([how, jid(root)]); }
        loop.call_soon(look, "soon");
        loop.call_later(0.002 * (self.n % 5), look, "later");
        done = loop.create_future();
        done.add_done_callback(lambda (f: any) { look("done callback"); });
        loop.call_later(0.001, done.set_result, 1);
        async def work() -> None { await asyncio.sleep(0.001); look("task"); }
        task = asyncio.create_task(work());
        async def serve(reader: any, writer: any) -> None {
            look("connection");
            line = await reader.readline();
            look("line");
            writer.close();
            said.set_result(1);
        }
        server = await asyncio.start_server(serve, "127.0.0.1", 0);
        port = server.sockets[0].getsockname()[1];
        (_, writer) = await asyncio.open_connection("127.0.0.1", port);
        writer.write(b"a\\n");
        await said;
        writer.close();
        server.close();
        await task;
        with ThreadPoolExecutor(1) as pool { pool.submit(look, "pool").add_done_callback(lambda (f: any) { look("pool callback"); }); }
        thread = Thread(target=look, args=["thread"]);
        thread.start();
        thread.join();
        await asyncio.sleep(0.02);
        report [jid(root), seen];
    }
}
`;
const plain = `import asyncio;\nimport from threading { Thread }\nimport from concurrent.futures { ThreadPoolExecutor }\n${body}`;
const withPackage = `import from "node:path" { basename }\n${plain}`;

for (const [kind, source] of [
  ['a program of its own', plain],
  ['a program that imports from JavaScript', withPackage],
] as const)
  test(`${kind}: callbacks of calls of many users each see their own root`, async () => {
    using folder = folderWith({ 'main.svc': source });
    const server = await startServer({ folder: folder.path });
    try {
      const users = await Promise.all(['ann', 'bob', 'cat'].map((name) => register(server.base, name)));
      const roots = new Set<string>();
      const call = async (n: number) => {
        const answer = await post(server.base, '/walker/Who', { n }, users[n % users.length]!.token);
        expect(answer.error).toBeFalsy();
        const [own, seen] = answer.reports[0];
        roots.add(own);
        expect([...new Set(seen.map(([, root]: [string, string]) => root))]).toEqual([own]);
        expect(seen.map(([how]: [string]) => how).sort()).toEqual(
          ['connection', 'done callback', 'later', 'line', 'pool', 'pool callback', 'soon', 'task', 'thread'].sort(),
        );
      };
      await Promise.all(Array.from({ length: 24 }, (_, n) => call(n)));
      expect(roots.size).toBe(3);
    } finally {
      await server.stop();
    }
  });
