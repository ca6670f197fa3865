/** Routes of the server that hide pages: the list of the compiler beside what is served. */
import { expect, test } from 'vitest';
import { optionalRoutes, serverRoutes } from '../../lang/6-emit-client/server-routes.ts';
import { runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = (name: string) => `def:pub page -> JsxPage { return <h1>${name}</h1>; }\n`;

test('the server answers each of them itself, and describes no others', async () => {
  using folder = folderWith({ 'main.svc': 'walker:pub W { }\n', 'pages/index.svc': page('start') });
  await using server = await startServer({ folder: folder.path, env: { SVC_ENV: 'development' } });
  const isPage = async (path: string) => {
    const abort = new AbortController();
    const answer = await fetch(server.base + path, { headers: { Accept: 'text/html' }, signal: abort.signal });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await answer.text();
    abort.abort();
    return text.includes('__svc_init__');
  };
  expect(await isPage('/elsewhere')).toBe(true);
  for (const route of serverRoutes)
    if (!optionalRoutes.has(route))
      expect([route, await isPage(route.replace(/\{\w+\}/g, 'W'))]).toEqual([route, false]);
  const { paths } = (await (await fetch(`${server.base}/openapi.json`)).json()) as { paths: Record<string, object> };
  const described = Object.keys(paths).filter((path) => 'get' in paths[path]! && !path.startsWith('/walker/'));
  expect(described.filter((path) => !/^\/$|^\/sso\//.test(path) && !serverRoutes.includes(path))).toEqual([]);
});

test.each([
  ['pages/docs.svc', '/docs', 'GET /docs'],
  ['pages/walker/Hello.svc', '/walker/Hello', 'GET /walker/Hello'],
  ['pages/things/[id].svc', '/things/:id', 'GET /things/{key}'],
  ['pages/live/[topic].svc', '/live/:topic', 'GET /live/{walker}'],
])('a page that is hidden is told by its place: %s', async (file, address, route) => {
  const text = `import from http { HTTPMethod }
walker:pub Hello { }
@restspec(method=HTTPMethod.GET, path="/things/{key}")
walker:pub Things { has key: str; }
`;
  using folder = folderWith({ 'main.svc': text, [file]: page('hidden') });
  const { stdout } = await runSvc(['check'], { cwd: folder.path });
  expect(stdout).toContain(
    `warning[W0637]: the server answers \`${route}\` itself, so the page \`${address}\` is hidden`,
  );
  expect(stdout).toContain(`--> ${file}:1:9`);
});

test('pages that are not hidden, and those behind #, are not told', async () => {
  const files = {
    'main.svc': 'walker:pub Hello { }\n',
    ...Object.fromEntries(
      ['user/login', 'user/index', 'users/[id]', 'docs/intro', '[...rest]', 'walker/Other', 'health'].map((name) => [
        `pages/${name}.svc`,
        page(name),
      ]),
    ),
  };
  using folder = folderWith(files);
  expect((await runSvc(['check'], { cwd: folder.path })).stdout).toContain('no problems');
  using hash = folderWith({
    'main.svc': 'walker:pub Hello { }\n',
    'pages/docs.svc': page('docs'),
    'svc.toml': '[plugins.client]\nrouter = "hash"\n',
  });
  expect((await runSvc(['check'], { cwd: hash.path })).stdout).toContain('no problems');
});
