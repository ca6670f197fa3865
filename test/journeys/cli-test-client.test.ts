/** `svc test` of components in a DOM, and `svc test --browser`: reports, places in the source, what is said when something is missing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromium } from '../harness/browser.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const withoutTimes = (text: string) => text.replace(/\([\d.]+ m?s\)/g, '(T)');

const tally = `node Tally { has count: int = 0; }
walker:pub Count {
    can count with Root entry {
        found = [-->[?:Tally]];
        tally = found[0] if found else (here ++> Tally());
        tally.count += 1;
        report tally.count;
    }
}
`;

test('tests of both halves are one report; each test of components has a page and a program of its own', async () => {
  using folder = folderWith({
    'main.svc': `${tally}
def:pub Counter() -> JsxElement {
    has n: int = 0;
    async def ask() -> None { n = (root spawn Count()).reports[0]; }
    return <button onClick={ask}>{n}</button>;
}
test "server" { assert (root spawn Count()).reports == [1]; }
test "asks the program" {
    render(<Counter/>);
    for n in ["1", "2"] {
        await userEvent.click(screen.getByRole("button"));
        await screen.findByText(n);
    }
    localStorage.setItem("left", "behind");
}
test "begins anew" {
    assert localStorage.getItem("left") is None;
    assert document.body.textContent == "";
    render(<Counter/>);
    await userEvent.click(screen.getByRole("button"));
    await screen.findByText("1");
}
`,
    'own.cl.svc': `def twice(n: int) -> int { return n * 2; }
test "client code without markup" { print("said"); assert twice(2) == 4; }
`,
  });
  const { code, stdout, stderr } = await runSvc(['test'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  expect(withoutTimes(stdout)).toBe(`main.svc
  ok    server (T)
  ok    asks the program (T)
  ok    begins anew (T)
said
own.cl.svc
  ok    client code without markup (T)

4 tests: 4 passed (T)
`);
});

test('what fails shows the line of the source; a filter and JSON work as for other tests', async () => {
  using folder = folderWith({
    'main.svc': `def:pub Shown(n: int) -> JsxElement { return <b>{n}</b>; }
def:pub Worse() -> JsxElement { x = None; return <b>{x.y}</b>; }
test "wrong number" {
    render(<Shown n={1}/>);
    assert screen.getByText("1").textContent == "2", "the number";
}
test "worse" { render(<Worse/>); }
`,
  });
  const { code, stdout } = await runSvc(['test'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stdout).toContain(`Error: AssertionError: the number
 --> main.svc:5:12
  |
4 |     render(<Shown n={1}/>);
5 |     assert screen.getByText("1").textContent == "2", "the number";
`);
  expect(stdout).toContain("  = left:  '1'\n  = right: '2'\n");
  expect(stdout).toContain("Error: TypeError: Cannot read properties of null (reading 'y')\n --> main.svc:2:");
  const filtered = await runSvc(['test', '--json', '--filter', 'wrong'], { cwd: folder.path });
  const [record, totals] = filtered.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(record).toMatchObject({
    event: 'test',
    file: 'main.svc',
    line: 3,
    name: 'wrong number',
    status: 'failed',
    error: { message: 'AssertionError: the number', file: 'main.svc', line: 5 },
  });
  expect(totals).toMatchObject({ event: 'summary', tests: 1, failed: 1 });
});

test('what cannot be built is said with its place', async () => {
  using folder = folderWith({
    'main.svc': `import from "./none.ts" { gone }
def:pub Shown() -> JsxElement { return <b>{gone}</b>; }
test "never" { render(<Shown/>); }
`,
  });
  const { code, stdout, stderr } = await runSvc(['test'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('none.ts');
  expect(stdout + stderr).toContain('main.svc');
});

describe('--browser', () => {
  const files = {
    'main.svc': `${tally}
def:pub app() -> JsxElement {
    has n: int = 0, done: bool = False;
    async def ask() -> None { n = (root spawn Count()).reports[0]; }
    return <main>
        <h1>Counter</h1>
        <button onClick={ask}>Count</button><button>Other</button><button>Other</button>
        <output>Counted {n}</output>
        <label><input type="checkbox" checked={done} onChange={lambda -> None { done = not done; }}/>Done</label>
        <label>Name <input/></label>
    </main>;
}
test "server" { assert True; }
`,
    'main.e2e.svc': `import from svclang.runtimelib.browser { open_page }
test "counts" {
    page = open_page("/");
    page.click("Count");
    page.click("Count");
    page.expect("Counted 2");
    page.fill("Name", "Ada");
    page.check("Done");
    assert page.value("Name") == "Ada" and page.is_checked("Done") and page.count("Other", role="button") == 2;
    assert page.path == "/" and page.evaluate("1 + 1") == 2 and page.errors == [];
}
test "begins with an empty store" {
    page = open_page();
    page.click("Count");
    page.expect("Counted 1");
}
test "two of a name" { open_page().click("Other"); }
`,
  };

  test.skipIf(chromium === undefined)(
    'each test has an application with an empty store; a failed one leaves a picture',
    async () => {
      using folder = folderWith(files);
      const { code, stdout } = await runSvc(['test', '--browser'], { cwd: folder.path });
      expect(withoutTimes(stdout)).toMatch(
        /^main\.e2e\.svc\n {2}ok {4}counts \(T\)\n {2}ok {4}begins with an empty store \(T\)\n {2}FAIL {2}two of a name/,
      );
      expect(stdout).toContain("AssertionError: 2 things are called 'Other'; say which with role= or within=");
      expect(stdout).toContain('the page then: .svc/failed/two-of-a-name.png');
      expect(readdirSync(join(folder.path, '.svc/failed'))).toEqual(['two-of-a-name.png']);
      expect(code).toBe(1);
    },
  );

  test('each command runs its own tests and names the other', async () => {
    using folder = folderWith(files);
    expect((await runSvc(['test'], { cwd: folder.path })).stdout).toMatch(
      /^main\.svc\n {2}ok {4}server .*\n\n1 test: 1 passed/,
    );
    expect(await runSvc(['test', 'main.e2e.svc'], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: 'svc: test: the tests in main.e2e.svc are for a browser\n  hint: svc test --browser runs them\n',
    });
    expect(await runSvc(['test', '--browser', 'main.svc'], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('they stand in files *.e2e.svc'),
    });
  });

  test('a machine without Chromium is told so', async () => {
    using folder = folderWith(files);
    const env = { SVC_CHROMIUM: join(folder.path, 'none') };
    const { code, stdout } = await runSvc(['test', '--browser', '--bail'], { cwd: folder.path, env });
    expect(code).toBe(1);
    expect(stdout).toContain(`${env.SVC_CHROMIUM} does not start`);
  });
});
