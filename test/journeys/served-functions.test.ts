/** Functions that clients can call (docs/server/functions.md#served): over every door of a served application. */
import { expect, test } from 'vitest';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const files = {
  'main.svc': `import from http { HTTPMethod }
import from lib { brought, of_lib, of_lib_for_users }
include more;
def helper() -> int { return 7; }
def:pub shown() -> int { return helper() + of_lib(); }
def:priv own() -> str { return f"{root.__class__.__name__} {len([root-->])}"; }
def:protect guarded() -> int { return 2; }
@restspec(method=HTTPMethod.GET, path="/said/{n}")
def said(n: int) -> int { return n; }
@restspec(protocol=APIProtocol.WEBSOCKET)
async def talk(n: int) -> int { return n; }
def _under() -> int { return 0; }
def total() -> int { return 11; }
walker Look { can look with Root entry { report helper(); } }
cl {
    import from .far { far, Far, Mine }
    def:pub app() -> JsxElement {
        has count: int = 0;
        async def load() { count = await total(); }
        return <button onClick={load}>{count}</button>;
    }
}
`,
  'lib.svc': `def:pub brought() -> int { return 3; }
def of_lib() -> int { return 4; }
def:priv of_lib_for_users() -> int { return 5; }
def:pub unseen() -> int { return 6; }
`,
  'more.svc': 'def:protect included() -> int { return 8; }\ndef plain() -> int { return 9; }\n',
  'far.svc': `glob start: int = 20;
def far() -> int { return start; }
def near() -> int { return start; }
walker Far { can look with Root entry { report start; } }
walker:priv Mine { can look with Root entry { report start + 1; } }
walker:priv Alone { can look with Root entry { report start; } }
`,
  'panel.cl.svc': 'sv import from .main { helper }\n',
};

/** Statuses without and with a token. */
const expected: Readonly<Record<string, readonly [number, number]>> = {
  shown: [200, 200],
  brought: [200, 200],
  own: [401, 200],
  guarded: [401, 200],
  included: [401, 200],
  total: [401, 200],
  far: [401, 200],
  of_lib_for_users: [401, 200],
  helper: [404, 404],
  of_lib: [404, 404],
  plain: [404, 404],
  near: [404, 404],
  _under: [404, 404],
  unseen: [404, 404],
};
const served = ['shown', 'own', 'guarded', 'said', 'talk', 'total', 'brought', 'of_lib_for_users', 'included', 'far'];
const get = async (base: string, path: string) => (await fetch(base + path)).json() as Promise<any>;

test('only functions that say so are served, and those that client code asks for', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, env: { SVC_ENV: 'development' } });
  const { base } = server;
  const { token } = await register(base, 'ada');
  const statuses: Record<string, number[]> = {};
  for (const name of Object.keys(expected)) {
    const answers = [await post(base, `/function/${name}`), await post(base, `/function/${name}`, {}, token)];
    statuses[name] = answers.map(({ status }) => status);
  }
  expect(statuses).toEqual(expected);
  expect((await get(base, '/functions')).data.functions.toSorted()).toEqual(served.toSorted());
  const { paths } = await get(base, '/openapi.json');
  const described = Object.keys(paths).filter((path) => path.startsWith('/function/') || path.startsWith('/said'));
  expect(described.toSorted()).toEqual(
    [
      ...served.filter((name) => name !== 'said' && name !== 'talk').map((name) => `/function/${name}`),
      '/said/{n}',
    ].toSorted(),
  );
  expect((await post(base, '/function/own', {}, token)).result).toBe('Root 0');
  expect((await post(base, '/walker/Far', {}, token)).reports).toEqual([20]);
  // A private walker of another module is served to the pages that walk it, with a token, and to nobody else.
  expect((await post(base, '/walker/Mine')).status).toBe(401);
  expect((await post(base, '/walker/Mine', {}, token)).reports).toEqual([21]);
  expect((await post(base, '/walker/Alone', {}, token)).status).toBe(404);
  expect((await post(base, '/walker/Look', {}, token)).reports).toEqual([7]);
  expect((await post(base, '/function/helper')).error.message).toBe(
    'Function helper is internal. Functions marked `:pub` (no token) or `:protect` (token) are endpoints.',
  );
  expect((await fetch(`${base}/ws/function/helper`)).status).toBe(404);
  expect((await fetch(`${base}/ws/function/talk`)).status).toBe(426);
});

test('cloud functions serve the same ones', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, args: ['--emulate'] });
  expect((await get(server.base, '/functions')).data.functions.toSorted()).toEqual(served.toSorted());
  expect((await post(server.base, '/function/helper')).status).toBe(404);
});

test('`[serve] functions = "all"` serves what older programs expect', async () => {
  using folder = folderWith({ ...files, 'svc.toml': '[serve]\nfunctions = "all"\n' });
  await using server = await startServer({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  for (const name of ['helper', 'of_lib', 'plain', 'total'])
    expect((await post(server.base, `/function/${name}`, {}, token)).status, name).toBe(200);
  for (const name of ['_under', 'unseen', 'near'])
    expect((await post(server.base, `/function/${name}`, {}, token)).status, name).toBe(404);
  expect((await post(server.base, '/function/helper')).status).toBe(401);
});

test('svc start says what is served, svc check what is not', async () => {
  using folder = folderWith(files);
  const faux = await runSvc(['start', 'main.svc', '--faux'], { cwd: folder.path });
  expect(faux.stdout).toMatch(/^POST {3}\/function\/shown +public$/m);
  expect(faux.stdout).toMatch(/^WS {5}\/ws\/function\/talk +token$/m);
  expect(faux.stdout).not.toContain('helper');
  expect(faux.stderr).toContain('internal functions: helper, _under, of_lib, plain\n');
  await using server = spawnSvc(['start', 'main.svc', '--port', '0', '--host', '127.0.0.1'], { cwd: folder.path });
  await server.until(/3 walkers, 9 functions, 1 websocket served; 4 functions are internal\n/);

  const check = async (config: string) => {
    using other = folderWith({ ...files, 'svc.toml': config });
    const { code, stdout } = await runSvc(['check', 'main.svc', '--json'], { cwd: other.path });
    const found = stdout
      .trim()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    const notes = found.filter(({ severity }) => severity === 'note').map(({ code, message }) => `${code} ${message}`);
    return { code, notes };
  };
  const remote = [
    'W0645 client code imports `far`, which makes it an endpoint with a token',
    'W0645 client code imports `Mine`, which makes it an endpoint with a token',
    'W0645 client code calls `total`, which makes it an endpoint with a token',
  ];
  const unmarked = 'W0513 3 functions are not served, because they have no access marker: of_lib, helper, plain';
  const found = await check('');
  expect(found.notes.toSorted()).toEqual([unmarked, ...remote].toSorted());
  expect(found.code).toBe(0);
  for (const rule of ['all', 'marked']) expect((await check(`[serve]\nfunctions = "${rule}"\n`)).notes).toEqual(remote);
});

test('the path of a function in client code is a call of it', async () => {
  using folder = folderWith({
    'main.svc': `import from lib { of_lib }
def helper() -> int { return 7; }
def plain() -> int { return 8; }
def _under() -> int { return plain() + of_lib(); }
walker Look { can look with Root entry { report _under(); } }
cl import from .panel { Panel }
cl def:pub app() -> JsxElement { return <Panel base="/function/"/>; }
`,
    'lib.svc': 'def of_lib() -> int { return len([root-->]); }\ndef near() -> int { return of_lib(); }\n',
    'panel.cl.svc': `async def ask(path: str) -> any { return await (await fetch(path, {"method": "POST"})).json(); }
def:pub Panel(base: str) -> JsxElement {
    async def go {
        print(await ask("/function/helper"), await ask(f"{location.origin}/function/near/?from=a"));
        print(await ask("/function/_under"), await ask("/function/unknown"), await ask(base + "plain"), "/functions/plain");
    }
    return <b onClick={go}>x</b>;
}
`,
  });
  await using server = await startServer({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  expect((await post(server.base, '/function/helper', {}, token)).result).toBe(7);
  expect((await post(server.base, '/function/helper')).status).toBe(401);
  expect((await post(server.base, '/function/near', {}, token)).result).toBe(0);
  for (const name of ['plain', 'of_lib', '_under'])
    expect((await post(server.base, `/function/${name}`, {}, token)).status, name).toBe(404);
});

test('a file of the client asks as well; a TypeScript function is declared to be served', async () => {
  using folder = folderWith({
    'main.svc':
      'import from panel { Panel }\nimport from "./extra.ts" { twice, plain }\ndef helper() -> int { return 7; }\ndef other() -> int { return plain(1) + twice(1); }\nwalker Look { can look with Root entry { report other(); } }\n',
    'panel.cl.svc': 'sv import from .main { helper }\ndef:pub Panel() -> JsxElement { return <b>x</b>; }\n',
    'extra.ts': `import { def, int, param } from 'svc-scale';
export const twice = def('twice', { params: [param('n', int())], returns: int() }, (n) => 2 * n);
export const plain = (n: number) => n;
`,
  });
  const faux = await runSvc(['start', 'main.svc', '--faux'], { cwd: folder.path });
  const own = faux.stdout.split('\n').filter((line) => line.startsWith('POST   /function/'));
  expect(own.map((line) => line.replace(/ +/g, ' '))).toEqual([
    'POST /function/helper token',
    'POST /function/twice token',
  ]);
});
