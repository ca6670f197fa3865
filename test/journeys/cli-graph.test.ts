/** `svc graph`: the stored graph in the three forms of `printgraph` (docs/language/graph.md#printgraph). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `node City { has name: str; }
edge Road { has km: int; }
with entry { print("loading"); root ++> City("made while loading"); }
with entry:__main__ {
    a = root ++> City("Arles");
    a +>: Road(km=7) :+> City("Lyon");
}
walker:pub Found { has name: str; can go with Root entry { report oid(here ++> City(self.name)); } }
walker Mine { has name: str; can go with Root entry { here ++> City(self.name) ++> City("suburb"); } }
`;

function graph(path: string, ...args: string[]) {
  return runSvc(['graph', ...args], { cwd: path });
}

test('what svc run stored, as dot, mermaid and JSON, and nothing is changed by looking', async () => {
  using folder = folderWith({ 'main.svc': app });
  const none = await graph(folder.path);
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toBe(
    'svc: graph: nothing is stored yet in .svc/data/svc.db\n  hint: svc run and svc start keep their graph there\n',
  );
  expect(existsSync(join(folder.path, '.svc/data'))).toBe(false);
  await runSvc(['run', 'main.svc'], { cwd: folder.path });
  const dot = await graph(folder.path, 'main.svc');
  expect(dot).toEqual({
    code: 0,
    stderr: 'loading\n',
    stdout: `digraph {
node [style="filled", shape="ellipse", fillcolor="invis", fontcolor="black"];
0 -> 1 [label=""];
0 -> 2 [label=""];
2 -> 3 [label="Road(km=7)"];
0 [label="Root()"fillcolor="#FFE9E9"];
1 [label="City(name=&#x27;made while loading&#x27;)"fillcolor="#F0FFF0"];
2 [label="City(name=&#x27;Arles&#x27;)"fillcolor="#F0FFF0"];
3 [label="City(name=&#x27;Lyon&#x27;)"fillcolor="#F5E5FF"];
}
`,
  });
  const mermaid = await graph(folder.path, '--format', 'mermaid', '--edge-type', 'Road', '-o', 'graph.mmd');
  expect(mermaid).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(folder.path, 'graph.mmd'), 'utf8')).toBe('flowchart LR\n0["Root()"]\n');
  const json = JSON.parse((await graph(folder.path, '-f', 'json', '--depth', '1')).stdout);
  expect(json.nodes.map((node: any) => node.label)).toEqual([
    'Root()',
    "City(name='made while loading')",
    "City(name='Arles')",
  ]);
  expect((await graph(folder.path, '--limit', '1')).stdout).not.toContain(' -> ');
  expect((await graph(folder.path, '--format', 'svg')).code).toBe(2);
});

test('the graphs of a running server: of guests, of an account, from a node', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startServer({ folder: folder.path });
  const city = (await post(server.base, '/walker/Found', { name: 'Nice' })).reports[0];
  const { token } = await register(server.base, 'Ada');
  await post(server.base, '/walker/Mine', { name: 'Ghent' }, token);
  const labels = async (...args: string[]) => {
    const { code, stdout, stderr } = await graph(folder.path, '-f', 'json', ...args);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout).nodes.map((node: any) => node.label);
  };
  expect(await labels('--guest')).toEqual(['Root()', "City(name='Nice')"]);
  expect(await labels('--user', 'ADA')).toEqual(['Root()', "City(name='Ghent')", "City(name='suburb')"]);
  expect(await labels('--node', city)).toEqual(["City(name='Nice')"]);
  const wrong = async (...args: string[]) => {
    const { code, stderr } = await graph(folder.path, ...args);
    return [code, stderr.split('\n').findLast((line) => line.startsWith('svc: '))];
  };
  expect(await wrong('--user', 'nobody')).toEqual([1, 'svc: graph: there is no account nobody']);
  expect(await wrong('--node', 'x')).toEqual([2, "svc: --node: 'x' is not an id of 32 hexadecimal digits"]);
  expect(await wrong('--node', 'a'.repeat(32))).toEqual([1, `svc: graph: there is no node ${'a'.repeat(32)}`]);
  await server.stop();
});

test('an empty graph of svc run says where others are', async () => {
  using folder = folderWith({ 'main.svc': 'walker:pub Hi { can go with Root entry { here ++> Node(); } }\n' });
  await using server = await startServer({ folder: folder.path });
  await register(server.base, 'ada');
  const { code, stderr } = await graph(folder.path);
  expect(code).toBe(0);
  expect(stderr).toBe(
    'svc: the graph of svc run is empty; --guest shows that of anonymous callers, --user NAME that of an account (there are 1)\n',
  );
  await server.stop();
});
