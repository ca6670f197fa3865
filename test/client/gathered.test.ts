/** `*rest` and `**more` of functions that the server has, called from a page and over plain HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

/** Each call as it is written in the page, with the body that it sends and what the function got. */
const calls: readonly (readonly [call: string, body: object, got: string])[] = [
  ['tell(1)', { a: 1 }, '1 () k {}'],
  ['tell(1, 2, 3)', { a: 1, rest: [2, 3] }, '1 (2, 3) k {}'],
  ['tell(a=1, y=5)', { a: 1, more: { y: 5 } }, "1 () k {'y': 5}"],
  ['tell(1, 2, k="x", y=5, z=6)', { a: 1, rest: [2], k: 'x', more: { y: 5, z: 6 } }, "1 (2,) x {'y': 5, 'z': 6}"],
  ['tell(*xs, **more)', { a: 7, rest: [8], k: 'q', more: { z: 1 } }, "7 (8,) q {'z': 1}"],
  [
    'tell(1, *xs, rest=2, more=3)',
    { a: 1, rest: [7, 8], more: { rest: 2, more: 3 } },
    "1 (7, 8) k {'rest': 2, 'more': 3}",
  ],
  ['named(1, 2, k="x", y=5)', { a: 1, rest: [2], k: 'x', more: { y: 5 } }, "1 (2,) x {'y': 5}"],
  ['exact(1, 5, c=6)', { a: 1, b: 5, c: 6 }, '1 5 6'],
  ['exact(*xs)', { a: 7, b: 8 }, '7 8 3'],
  ['exact(1, **only)', { a: 1, c: 9 }, '1 2 9'],
];

const files = {
  'main.svc': `import from "@svc/runtime" { live, useAction }
def:pub tell(a: int, *rest: int, k: str = "k", **more: int) -> str { return f"{a} {rest} {k} {more}"; }
def:pub exact(a: int, /, b: int = 2, *, c: int = 3) -> str { return f"{a} {b} {c}"; }
@restspec(method="GET")
def:pub asked(*words: str, **counts: int) -> str { return f"{words} {counts}"; }
def:pub app() -> JsxElement {
    has out: str = "";
    xs = [7, 8];
    more = {"z": 1, "k": "q"};
    only = {"c": 9};
    named = tell;
    followed = live(tell(1, *xs, y=2));
    action = useAction(tell(1, 2, y=5));
    async def go(call: any) -> None {
        out = "";
        try { out = await call(); } except e { out = f"{e.name}: {e.message}"; }
    }
    return <main>
        <output>{out}</output><p>{followed.result}</p><i>{action.result}</i>
        <b onClick={lambda { action.run(k="z"); }}>run</b>
        ${calls.map(([call], i) => `<button id="c${i}" onClick={lambda { go(lambda -> any { return ${call}; }); }}>go</button>`).join('\n        ')}
        <button id="twice" onClick={lambda { go(lambda -> any { return tell(*xs, a=2); }); }}>go</button>
        <button id="query" onClick={lambda { go(lambda -> any { return asked("a", "b", n=1); }); }}>go</button>
    </main>;
}
`,
  'svc.toml': '[plugins.client]\nport = 0\n',
};

describe.skipIf(chromium === undefined)('what parameters gather', () => {
  const folder = folderWith(files);
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  beforeAll(async () => {
    [server, pages] = await Promise.all([
      startServer({ folder: folder.path, env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
    ({ page } = await pages.open(server.base));
    await page.waitForSelector('main');
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });

  const click = async (id: string): Promise<string> => {
    await page.click(`#${id}`);
    await page.waitForSelector('output:not(:empty)');
    return await page.innerText('output');
  };

  test.each(calls.map((call, i) => [...call, i] as const))('comes with %s', async (_, body, got, i) => {
    const sent = page.waitForRequest('**/function/*');
    expect(await click(`c${i}`)).toBe(got);
    expect((await sent).postDataJSON()).toEqual(body);
  });

  test('comes in the query of a GET', async () => {
    expect(await click('query')).toBe("('a', 'b') {'n': 1}");
  });

  test('cannot have two values for one parameter', async () => {
    expect(await click('twice')).toBe("TypeError: tell() got multiple values for argument 'a'");
  });

  test('is there for live values and actions', async () => {
    await page.waitForSelector(`p:text-is("1 (7, 8) k {'y': 2}")`);
    await page.click('b');
    await page.waitForSelector(`i:text-is("1 (2,) z {'y': 5}")`);
  });

  test('is read, checked and described like other fields', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const ask = async (body: object) =>
      (await (
        await fetch(`${server.base}/function/tell`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json()) as { readonly detail?: unknown; readonly data: { readonly warnings?: readonly string[] } };
    expect((await ask({ a: 1, rest: ['x'], more: { y: 'z' } })).detail).toMatchObject([
      { loc: ['body', 'rest', 0], type: 'int_parsing' },
      { loc: ['body', 'more', 'y'], type: 'int_parsing' },
    ]);
    expect((await ask({ a: 1, y: 5 })).data.warnings).toEqual(["unknown field 'y'"]);
    const document = (await (await fetch(`${server.base}/openapi.json`)).json()) as any;
    expect(document.components.schemas.tellRequest).toMatchObject({
      required: ['a'],
      properties: {
        rest: { type: 'array', items: { type: 'integer' }, default: [] },
        more: { type: 'object', additionalProperties: { type: 'integer' }, default: {} },
      },
    });
  });
});
