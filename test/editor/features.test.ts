/** Questions of an editor about small programs. `|` in a text is the cursor. */
import { expect, test } from 'vitest';
import { analyse } from '../../lang/analysis.ts';
import { actionsIn } from '../../lang/editor/actions.ts';
import { callItemAt, incomingCalls, outgoingCalls } from '../../lang/editor/calls.ts';
import { completionAt } from '../../lang/editor/complete/completion.ts';
import { definitionsAt, implementationsAt } from '../../lang/editor/definition.ts';
import { hoverAt } from '../../lang/editor/hover.ts';
import { hintsIn } from '../../lang/editor/inlay.ts';
import { lensesOf } from '../../lang/editor/lenses.ts';
import { organiseImports } from '../../lang/editor/organise.ts';
import { highlightsAt, referencesAt } from '../../lang/editor/references.ts';
import { renameAt } from '../../lang/editor/rename.ts';
import { signatureAt } from '../../lang/editor/signature.ts';
import { tokensOf } from '../../lang/editor/tokens.ts';
import { type View, viewOf } from '../../lang/editor/view.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

const standardMembers = () => new Set(['sqrt', 'floor']);

function at(
  marked: string,
  others: Readonly<Record<string, string>> = {},
): { readonly view: View; readonly offset: number } {
  const offset = Math.max(0, marked.indexOf('|'));
  const text = marked.replace('|', '');
  const project = readProject('main.svc', filesInMemory({ 'main.svc': text, ...others }), { root: '.' });
  const analysis = analyse(project, { signatures, graph: 'sync', standardMembers });
  return { view: viewOf(analysis, 'main.svc')!, offset };
}

/** The text after a renaming. */
function edited({ source }: View, renaming: ReturnType<typeof renameAt>): string {
  if (renaming.refused !== undefined) return renaming.refused;
  const edits = renaming.edits.toSorted((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, text: to }) => text.slice(0, start) + to + text.slice(end), source.text);
}

const shop = 'node Item {\n    has price: float;\n    def cost(n: int) -> float { return self.price * n; }\n}\n';

function offered(marked: string, others?: Readonly<Record<string, string>>): readonly string[] {
  const { view, offset } = at(marked, others);
  return completionAt(view, offset, { standardMembers, files: filesInMemory(others ?? {}), packages: [] }).items.map(
    ({ name }) => name,
  );
}

test('completion knows what a variable of an entry block holds', () => {
  const members = (text: string) => offered(text).slice(0, 2);
  expect(members('import re;\nwith entry { found = re.search("a", "b"); found.|')).toEqual(['group', 'groups']);
  expect(members('with entry { with open("a") as file { file.|')).toEqual(['read', 'write']);
});

test('a tag of a component gets the properties that it takes', () => {
  const row = 'def Row(name: str, wide: bool = False) -> JsxElement { return <b>{name}</b>; }\n';
  expect(offered(`${row}def:pub app() -> JsxElement { return <Row name="a" |/>; }`)).toEqual(['wide', 'key']);
});

test('completion knows members, fields of walkers, classes in filters and names of modules', () => {
  expect(offered(`${shop}def f(one: Item) { print(one.|`)).toEqual(['price', 'cost']);
  expect(offered(`${shop}def f(one: Item) { one.|`)).toEqual(['cost', 'price']);
  expect(offered(`${shop}walker Buy { has count: int; can go with Root entry { visit [-->[?:|`).slice(0, 1)).toEqual([
    'Item',
  ]);
  expect(offered(`walker Buy { has count: int; }\nwith entry { root spawn Buy(c|`)[0]).toBe('count');
  expect(offered('import from math { s|')).toEqual(['sqrt']);
  expect(offered('import from .o|', { 'other.svc': '' })).toContain('other');
  expect(offered('# a comment that ends here.|')).toEqual([]);
  expect(offered('def page() -> JsxElement { return <but|')[0]).toBe('button');
  expect(offered('[?|')).toEqual([]);
  for (const end of ['', ';', ').price;', ') {'])
    expect(offered(`${shop}def f(one: any) { two = (one as It|${end}\n}`)[0]).toBe('Item');
  for (const head of [
    'import from math { sqrt as ',
    'with entry { with open("a") as ',
    'with entry { try { } except E as ',
  ])
    expect(offered(`${shop}${head}It|`)).toEqual([]);
});

const page = 'def:pub app() -> JsxElement {\n    ';

test.each([
  [
    'an event of markup',
    `${page}return <input onKeyDown={lambda e: any { if e.|`,
    ['key', 'preventDefault', 'ctrlKey'],
  ],
  [
    'the element of an event',
    `${page}return <select onChange={lambda e: any { e.target.|`,
    ['value', 'selectedOptions'],
  ],
  ['an element that is made', `${page}a = document.createElement("a");\n    a.|`, ['href', 'download', 'click']],
  [
    'what a reference holds',
    `${page}link = useRef(None);\n    link.current = WebSocket("/w");\n    link.current.|`,
    ['send'],
  ],
  ['an answer that was awaited', `${page}async def f() { r = await fetch("/x"); r.|`, ['json', 'ok', 'status']],
  ['an answer that was not', `${page}def f() { fetch("/x").|`, ['then', 'catch']],
  [
    'an item of a list of objects',
    `${shop}${page}has all: list[Item] = [];\n    return all.map(lambda it: any { return it.|`,
    ['price'],
  ],
  ['a caught value', `${page}try { f(); } except problem { problem.|`, ['message', 'name']],
  ['a caught exception', `${page}try { f(); } except Exception as e { e.|`, ['args', 'message']],
  [
    'state of a reducer',
    `${page}[state, dispatch] = useReducer(step, {"count": 0, "log": []});\n    state.|`,
    ['count', 'log'],
  ],
  [
    'what a function of the program returns',
    `def totals() -> dict { return {"paid": 1, "open": 2}; }\n${page}t = totals();\n    t.|`,
    ['paid', 'open'],
  ],
  [
    'what a component is given',
    `def Tag(props: any) -> JsxElement { return <b>{props.| }</b>; }\n${page}return <Tag tone="red" wide />;\n}`,
    ['tone', 'wide', 'children'],
  ],
  ['a list', `${page}has all: list[int] = [];\n    all.|`, ['map', 'filter', 'append', 'push']],
  ['a text', `${page}has word: str = "";\n    word.|`, ['trim', 'strip', 'lower']],
  [
    'classes of a stylesheet',
    `import from "./look.module.css" { default as look }\n${page}return <p className={look.|`,
    ['card', 'wide'],
  ],
])('completion in a page guesses %s', (_what, text, wanted) => {
  const others = { 'look.module.css': '.card { color: red; }\n.wide:hover { width: 1.5em; }' };
  expect(offered(text, others).slice(0, 10)).toEqual(expect.arrayContaining(wanted));
});

test.each([
  [
    'a writer',
    'import csv;\nimport from io { StringIO }\ndef f() {\n    out = StringIO();\n    w = csv.writer(out);\n    w.|',
    'writerow',
  ],
  ['a buffer', 'import from io { StringIO }\ndef f() {\n    out = StringIO();\n    out.|', 'getvalue'],
  ['a moment', 'import from datetime { datetime }\ndef f() {\n    t = datetime.now();\n    t.|', 'isoformat'],
  ['the class of moments', 'import from datetime { datetime }\ndef f() { datetime.|', 'now'],
  [
    'the time between two',
    'import from datetime { datetime }\ndef f() {\n    a = datetime.now();\n    (datetime.now() - a).|',
    'total_seconds',
  ],
  ['a match', 'import re;\ndef f(s: str) {\n    m = re.search("a", s);\n    m.|', 'group'],
  [
    'a file that is sent',
    'import from http { UploadFile }\nwalker W { has one: UploadFile; can go with Root entry { self.one.|',
    'filename',
  ],
  ['a field that `init` is about to assign', 'class A { def init(self: A, total: int) { self.|', 'total'],
])('completion knows the usual members of %s', (_what, text, wanted) => {
  expect(offered(text).slice(0, 10)).toContain(wanted);
});

test.each([
  ['behind a statement of a walker', 'walker Buy {\n    has count: int;\n    |', ['has', 'can']],
  [
    'behind a statement of an ability',
    'walker Buy {\n    can go with Root entry {\n        n = 1;\n        |',
    ['report', 'n'],
  ],
  [
    'in an argument list',
    `${shop}walker Buy { has count: int, to: str = ""; }\nwith entry { root spawn Buy(count=1, |`,
    ['to'],
  ],
  ['in a list of names', 'import from .other { first, |', ['second']],
  ['in a list of modules', 'import from parts { |', ['shop']],
  ['in a filter', `${shop}walker W { can go with Root entry { visit [-->[?:Item, |`, ['price']],
  ['behind the question mark of a filter', `${shop}def f(all: list[Item]) { print(all(?p|`, ['price']],
  ['in a filter of what edges lead to', `${shop}walker W { can go with Root entry { visit [-->[?p|`, ['price']],
  ['in a class pattern', `${shop}${'# '.repeat(100)}\ndef f(one: any) { match one { case Item(p|`, ['price']],
  [
    'in front of another case',
    'def f(n: int) {\n    match n {\n        case 1:\n            print(n);\n        c|',
    ['case'],
  ],
  ['behind `override def`', 'obj A {\n    def area -> int { return 1; }\n}\nobj B(A) {\n    override def a|', ['area']],
  ['behind `static`', 'obj A {\n    static h|', ['has']],
  ['behind `async` in a function', 'def f() {\n    async d|', ['def']],
  ['in an assignment to all', `${shop}${'# '.repeat(100)}\ndef f(all: list[Item]) { all(=p|`, ['price']],
  [
    'behind the comma of an assignment to all',
    `${shop}${'# '.repeat(100)}\ndef f(all: list[Item]) { all(=x=1, p|`,
    ['price'],
  ],
  ['behind `global`', `glob count: int = 0;\n${'# '.repeat(100)}\ndef f() { global c|`, ['count']],
  ['behind a decorator of a member', 'obj A {\n    @classmethod\n    d|', ['def']],
  ['behind a decorator of a member, on its line', 'obj A {\n    @classmethod d|', ['def']],
  ['where a type is written', `${shop}node Box {\n    has first: int;\n    has item: |`, ['str', 'Item']],
  ['where a result is written', `${shop}def f(one: Item) -> |`, ['str', 'Item']],
  ['behind the colon of a parameter', `${shop}def f(one: int, two: |`, ['str', 'Item']],
  ['behind `import`', 'import fr|', ['from']],
  ['behind `async` of a component', 'cl def:pub app() -> JsxElement { async c|', ['can']],
  ['behind the colon of an entry block', 'with entry:|', ['__main__']],
  ['behind the dots of a spread', 'cl def:pub Box(props: any) -> JsxElement { return <input {...p|', ['props']],
  ['in the braces of an attribute', 'cl def:pub app() -> JsxElement { return <input required={T|', ['True']],
  ['in the braces of a text', 'cl def:pub app() -> JsxElement { return <p>{N|', ['None']],
  ['among the options of a model', 'def ask(q: str) -> str by llm(temperature=0.0, m|', ['max_tokens']],
  [
    'in a call that the head of a loop begins with',
    'obj C { def stats(start: int = 1, narrow: int = 2) -> list { return []; } }\nwith entry { for one in C().stats(start=1, n|',
    ['narrow'],
  ],
  [
    'where a tag begins of a component that takes all attributes together',
    'cl def:pub Box(props: any) -> JsxElement { return <input {...props}/>; }\ncl def:pub app() -> JsxElement { return <Box m|',
    ['min', 'max'],
  ],
  [
    'behind a variable of a loop that is assigned from itself',
    'def f(url: str) { new = url; for i in [1] { if i { new = new.|',
    ['strip', 'split'],
  ],
  ['behind bytes', 'def f(body: bytes) { print(body.|', ['decode', 'hex']],
  [
    'behind a field of a class of a standard module',
    'import from collections { deque }\nobj A { has all: deque[int] = deque(); def f() { self.all.|',
    ['append', 'popleft'],
  ],
  ['behind `with` of a module', 'with e|', ['entry']],
  ['behind the class of an `impl`', 'obj A { def m() -> int; }\nimpl A.|', ['m']],
  [
    'behind the component of an `impl`',
    'cl def:pub Box() -> JsxElement { def open(); def close(); return <b/>; }\nimpl Box.|',
    ['open', 'close'],
  ],
  ['behind the class of a `sem`', `${shop}sem Item.|`, ['price', 'cost']],
  ['behind the method of a `sem`', `${shop}sem Item.price = "in euros";\nsem Item.cost.|`, ['n']],
  ['behind the function of a `sem`', 'def ask(text: str) -> str by llm();\nsem ask.|', ['text']],
  [
    'in the `impl` of a function of a component',
    `cl def:pub Box() -> JsxElement { has loading: bool = False; def open(); return <b/>; }\n${'# '.repeat(100)}\nimpl Box.open { l|`,
    ['loading'],
  ],
  [
    'behind a value of a class without fields',
    'class M {\n    def init(self: M, sum: int) { self.sum = sum; }\n    def f(other: M) -> int { return other.|',
    ['sum'],
  ],
])('completion knows where it is %s, when nothing follows', (_where, text, wanted) => {
  const others = { 'other.svc': 'def first() {}\ndef second() {}', 'parts/shop.svc': '' };
  const first = offered(text, others).slice(0, 10);
  for (const name of wanted) expect(first).toContain(name);
});

const wide = `node Wide {
    ${'abcdefghijkl'
      .split('')
      .map((c) => `has field_${c}: str = "";`)
      .join(' ')}
    has kept: list = []; has size: int = 0; has limit: int = 0;
    def reset() { self.size = 0; } def load_context() -> str { return ""; }
}
def g(o: Wide) { ${'abcdefghijkl'
  .split('')
  .map((c) => `print(o.field_${c});`)
  .join(' ')} }
`;

test.each([
  ['a statement calls, or changes a list', 'def f(o: Wide) { o.|', ['reset', 'kept']],
  ['fields are assigned in order', 'def f(o: Wide) { o.size = 1; o.|', ['limit']],
  ['what it is given to is called alike', 'def f(o: Wide) { context = o.|', ['load_context']],
  ['what it is compared with is called alike', 'def f(o: Wide, p: Wide) { print(p.limit == o.|', ['limit']],
])('of many members the likeliest of the place come among the first ten: %s', (_why, text, wanted) => {
  expect(offered(wide + text).slice(0, 10)).toEqual(expect.arrayContaining([...wanted]));
});

const dynamicTag = `cl def:pub Plain() -> JsxElement { return <b/>; }
cl def:pub app() -> JsxElement { ui = {"Plain": Plain}; return <@{ui["Plain"]}>x</@{ui["Plain"]}>; }
`;
const localOops = `with entry {
    class Oops(Exception) { def init(self: Oops, code: int, msg: str = "") { self.code = code; print(msg); } }
    try { raise Oops(7, msg="x"); } except Oops as e { print(e.code); }
}
`;

test.each([
  ['in the expression of a closing tag', dynamicTag, 'ui', 'kit'],
  ['as an argument of a class that a block declares', localOops, 'msg', 'note'],
])('a name is renamed %s', (_where, text, from, to) => {
  const word = new RegExp(`\\b${from}\\b`, 'g');
  for (const { index } of text.matchAll(word)) {
    const { view, offset } = at(`${text.slice(0, index)}|${text.slice(index)}`);
    expect(edited(view, renameAt(view, offset, to))).toBe(text.replace(word, to));
  }
});

const board = `walker Find { has found: list = []; can go with Root entry { self.found.append({"place": 1, "weight": 2}); report self.found; } }
cl def Row(one: any) -> JsxElement { print(one.length); return <b/>; }
cl def:pub Box() -> JsxElement {
    has rows: list = [];
    def load(); def show();
    first = {"colour": 1, "shade": 2};
    return <Row one={first} />;
}
impl Box.load { answer = root spawn Find(); rows = answer.reports[0] if answer.reports else []; }
`;

test.each([
  [
    'what a walker reports',
    `${board}impl Box.show { answer = root spawn Find(); one = answer.reports[0][0]; print(one.|`,
  ],
  ['what a cell of state is given elsewhere', `${board}impl Box.show { for row in rows { print(row.|`],
  ['what a callback of such a list gets', `${board}impl Box.show { rows.map(lambda r: any -> any { return r.|`],
])('keys come first of %s', (_of, text) => {
  expect(offered(text).slice(0, 2)).toEqual(['place', 'weight']);
});

test('keys come first of what markup gives to a component', () => {
  expect(offered(board.replace('print(one.length)', 'print(one.|length)')).slice(0, 2)).toEqual(['colour', 'shade']);
});

test.each(['if one is Item { print(one.|', 'if isinstance(one, Item) and True { print(one.|'])(
  'a condition says what a value is: %s',
  (text) => {
    expect(offered(`${shop}def f() { for one in [-->] { ${text}`).slice(0, 2)).toEqual(
      expect.arrayContaining(['price', 'cost']),
    );
  },
);

test('a page of server code is no page of a browser', () => {
  expect(offered('def f(pages: list) { print([page for page in pages if page.|').slice(0, 10)).not.toContain('click');
});

test('members are offered where the text is too broken for a tree, and those of a class whose name ends as the variable', () => {
  const broken = 'cl def:pub app() -> JsxElement { has names: list = []; return <div>{(<b>none</b>) if names.|';
  expect(offered(broken).slice(0, 10)).toContain('length');
  const classes = 'abcdefghij'.split('').map((c) => `node Other${c} { has field_${c}: int; }`);
  const gap = `${classes.join('\n')}\nnode CareGap { has resolved: bool; }\ndef f(gap: any) { print(gap.|`;
  expect(offered(gap).slice(0, 3)).toContain('resolved');
});

test('a tag is no walker, also where it is imported', () => {
  const others = { 'other.svc': 'walker Buy {}\ndef:pub Bag() -> JsxElement { return <b/>; }' };
  const names = offered('import from .other { Buy, Bag }\ndef:pub page() -> JsxElement { return <|', others);
  expect(names).toContain('Bag');
  expect(names).not.toContain('Buy');
});

test.each([
  [
    'a reference to an element',
    'cl def Box() -> JsxElement { has area: Ref = Ref(None); def f { print(area.|',
    ['current'],
  ],
  [
    'a reference that a hook gives',
    'import from react { useRef }\ncl def Box() -> JsxElement { area = useRef(None); def f { print(area.|',
    ['current'],
  ],
  ['several things', 'cl def Box(cards: any) -> JsxElement { print(cards.|', ['map', 'length', 'filter']],
  ['what people write', 'cl def Box(draft: any) -> JsxElement { print(draft.|', ['trim', 'length']],
  ['a moment', 'import from datetime { datetime }\nwith entry { print(datetime.now().|', ['isoformat', 'strftime']],
  [
    'an event, whatever was read of others',
    'cl def f(e: any) { print(e.code, e.detail, e.data, e.ctrlKey, e.files, e.name); print(e.|',
    ['target'],
  ],
])('of %s the usual members come among the first ten, as guesses', (_of, text, wanted) => {
  expect(offered(text).slice(0, 10)).toEqual(expect.arrayContaining([...wanted]));
});

test('hover, signature help and hints tell types', () => {
  const hover = at(`"""A shop."""\n\n"""What is sold."""\nnode Item { has price: float; }\ndef f(one: It|em) { }`);
  expect(hoverAt(hover.view, hover.offset)?.text).toContain('What is sold.');
  const call = at(`${shop}def f(one: Item) { one.cost(|`);
  expect(signatureAt(call.view, call.offset)).toMatchObject({ label: 'cost(n: int) -> float', active: 0 });
  const { view } = at(
    `def g(n: int) -> list[int] { return [n]; }\nwith entry { def h() { xs = g(3); print(xs); } h(); }`,
  );
  expect(hintsIn(view, 0, 1000).map(({ text }) => text)).toEqual([': list[int]', 'n=']);
});

test('a hint of a type stands where a variable begins, and not where its type is written or a literal says it', () => {
  const hints = (text: string) => hintsIn(at(text).view, 0, 1000).map((hint) => `${hint.at}${hint.text}`);
  const g = 'def g() -> list[int] { return []; }\n';
  expect(hints(`${g}def f() { a: list[int] = []; a = g(); n = 1; n = n + 1; print(a, n); }`)).toEqual([]);
  expect(
    hints(`${g}def:pub app() -> JsxElement { has a: list = []; def h() { a = g(); } return <b>{a}</b>; }`),
  ).toEqual([]);
  expect(hints(`${g}def f() { a = g(); a = g() + a; print(a); }`)).toEqual([
    `${g.length + 'def f() { a'.length}: list[int]`,
  ]);
});

test('hover tells access, where a walker is served, what a `sem` says, and what waits', () => {
  const text = (marked: string) => {
    const { view, offset } = at(marked);
    return hoverAt(view, offset)?.text;
  };
  const walker = 'walker:pub Fi|nd { has wanted: str; can go with Root entry { report self.wanted; } }\n';
  expect(text(`${walker}sem Find.wanted = "the name that is looked for";\n`)).toMatch(/:pub[\s\S]*\/walker\/Find/);
  expect(
    text(
      `${walker.replace('Fi|nd', 'Find').replace('wanted:', 'wa|nted:')}sem Find.wanted = "the name that is looked for";\n`,
    ),
  ).toContain('the name that is looked for');
  const slow = 'import asyncio;\nasync def later() { await asyncio.sleep(1); }\ndef soon() { }\n';
  expect(text(slow.replace('later', 'la|ter'))).toContain('May wait.');
  expect(text(slow.replace('soon', 'so|on'))).not.toContain('wait');
});

test.each(['import from ', 'import from \r', 'import from \n', 'import from \r\n    '])(
  'a module that is still to be named has no colour: %j',
  (text) => {
    const { view } = at(`def f() {}\n${text}`);
    expect(tokensOf(view).map(({ start, end }) => view.source.text.slice(start, end))).toEqual(['f']);
  },
);

test('a declaration and its impl lead to each other', () => {
  const text = 'obj A { def m() -> int; }\nimpl A.m() -> int { return 1; }\n';
  const decl = at(text.replace('def m', 'def |m'));
  expect(definitionsAt(decl.view, decl.offset)).toMatchObject([{ start: text.indexOf('A.m') + 2 }]);
  expect(implementationsAt(decl.view, decl.offset)).toHaveLength(1);
  const impl = at(text.replace('A.m', 'A.|m'));
  expect(definitionsAt(impl.view, impl.offset)).toMatchObject([{ start: text.indexOf('def m') + 4 }]);
});

test('a folder that is a module has no place', () => {
  const { view, offset } = at('import parts.shop;\nwith entry { print(par|ts.shop.total()); }', {
    'parts/shop.svc': 'def total() -> int { return 1; }',
  });
  expect(definitionsAt(view, offset)).toEqual([]);
  const below = at('import parts.shop;\nwith entry { print(parts.sh|op.total()); }', {
    'parts/shop.svc': 'def total() -> int { return 1; }',
  });
  expect(definitionsAt(below.view, below.offset)).toMatchObject([{ source: { path: 'parts/shop.svc' } }]);
});

test('references and renaming reach other modules, keyword arguments and filters', () => {
  const main = `import from shop { Item }\nwith entry { one = Item(pr|ice=2.0); print([root -->[?:Item, price > 1]], one.price); }`;
  const { view, offset } = at(main, { 'shop.svc': shop });
  expect(referencesAt(view, offset, true)).toHaveLength(5);
  const renamed = renameAt(view, offset, 'worth');
  expect('edits' in renamed && renamed.edits).toHaveLength(5);
  expect('warning' in renamed && renamed.warning).toMatch(/callers outside/);
});

test.each([
  [
    'its declaration',
    'obj Till {\n    def add(pri|ce: float) -> float;\n}\nimpl Till.add(price: float) -> float { return price * 2; }',
  ],
  [
    'the `impl`',
    'obj Till {\n    def add(price: float) -> float;\n}\nimpl Till.add(pri|ce: float) -> float { return price * 2; }',
  ],
  [
    'the body',
    'obj Till {\n    def add(price: float) -> float;\n}\nimpl Till.add(price: float) -> float { return pri|ce * 2; }',
  ],
])('a parameter that a declaration and its impl have is renamed in both, from %s', (_where, text) => {
  const { view, offset } = at(text);
  expect(edited(view, renameAt(view, offset, 'cost'))).toBe(text.replace('|', '').replaceAll('price', 'cost'));
});

test('the function that sets a cell of state is renamed with the cell, and no other', () => {
  const text =
    'cl {\ndef Lamp() -> JsxElement {\n    has is|On: bool = False;\n    return <b onClick={lambda { setIsOn(not isOn); }}>{isOn}</b>;\n}\n' +
    'def other() -> None { setIsOn(1); }\n}\n';
  const { view, offset } = at(text);
  const plain = text.replace('|', '');
  const [lamp, rest] = [plain.slice(0, plain.indexOf('def other')), plain.slice(plain.indexOf('def other'))];
  expect(edited(view, renameAt(view, offset, 'lit'))).toBe(
    lamp.replaceAll('isOn', 'lit').replaceAll('setIsOn', 'setLit') + rest,
  );
});

test('attributes of a component inside of another one are renamed with its parameters', () => {
  const text =
    'cl def Outer() -> JsxElement {\n    def Inner(val|ue: int) -> JsxElement { return <b>{value}</b>; }\n    return <Inner value={1}/>;\n}\n';
  const { view, offset } = at(text);
  expect(edited(view, renameAt(view, offset, 'count'))).toBe(text.replace('|', '').replaceAll('value', 'count'));
});

test('an argument by name of a method is renamed with its parameter, also where the object is not known', () => {
  const text = 'obj A { def grow(b|y: int) -> int { return by; } }\ndef f(a: any) -> int { return a.grow(by=2); }';
  const { view, offset } = at(text);
  expect(edited(view, renameAt(view, offset, 'step'))).toBe(text.replace('|', '').replaceAll('by', 'step'));
  const two = at(`${text}\nobj B { def grow(by: int) -> int { return by; } }`);
  expect(edited(two.view, renameAt(two.view, two.offset, 'step'))).toMatch(/type is not known/);
});

test('a name of a comprehension and a variable with a type lead to their names', () => {
  for (const text of [
    'with entry { print({k: |v for (k, v) in {}.items()}); }',
    'with entry { v: int = 1; print(|v); }',
  ]) {
    const { view, offset } = at(text);
    const start = text.replace('|', '').search(/\bv(?=[):])/);
    expect(definitionsAt(view, offset)).toMatchObject([{ start, end: start + 1 }]);
  }
});

test.each([
  'def f(item: int) -> int { return item; }\ndef g -> int { ro|w = 2; return row; }',
  'def f(xs: list) -> list { return [row for ro|w in xs] + [item for item in xs]; }',
  'def f(ro|w: int) -> int { return row + 1; }\nwith entry { item = f(2); print(item); }',
])('a local gets a name that others have where it is not seen: %s', (text) => {
  const { view, offset } = at(text);
  expect(edited(view, renameAt(view, offset, 'item'))).toBe(text.replace('|', '').replaceAll('row', 'item'));
});

test.each([
  ['a name that is taken', 'with entry { a| = 1; b = 2; print(a, b); }', 'b', /taken/],
  ['a name of a function inside', 'def f { a| = 1; def g { b = 2; print(a, b); } g(); }', 'b', /taken/],
  ['a name of the function around', 'def f { b = 2; def g { a|: int = 1; print(a); } g(); print(b); }', 'b', /taken/],
  ['a variable of the module', 'glob b = 2;\ndef f { a| = 1; print(a); }', 'b', /taken/],
  ['a word of the language', 'with entry { a| = 1; print(a); }', 'walker', /word of the language/],
  ['no name', 'with entry { a| = 1; print(a); }', '2a', /no name/],
  ['what is built in', 'with entry { pri|nt(1); }', 'show', /built in/],
  [
    'a member of a standard module',
    'import from math { sq|rt }\nwith entry { print(sqrt(2)); }',
    'root_of',
    /standard/,
  ],
  [
    'a member of a package',
    'import from "kit" { sho|wn }\nwith entry { print(shown(2)); }',
    'told',
    /JavaScript module/,
  ],
  [
    'a parameter that a path of restspec names',
    '@restspec(path="/hello/{name}")\ndef:pub hello(na|me: str) -> str { return name; }',
    'other',
    /named as text/,
  ],
  ['a hook as something else', 'cl def use|Clock() -> int { has n: int = 0; return n; }', 'clock', /hook/],
  ['something else as a hook', 'cl def clo|ck() -> int { return 1; }', 'useClock', /hook/],
  [
    'a tag as an element',
    'cl { def Ca|rd() -> JsxElement { return <b/>; }\ndef app() -> JsxElement { return <Card/>; } }',
    'card',
    /capital/,
  ],
  [
    'the attributes of a component',
    'cl def Card(pro|ps: any) -> JsxElement { return <b>{props.a}</b>; }',
    'given',
    /props/,
  ],
  [
    'a path of restspec',
    '@restspec(path="/x/{name}")\nwalker W { has na|me: str; can go with Root entry { report self.name; } }',
    'other',
    /named as text/,
  ],
])('renaming refuses %s', (_what, text, to, reason) => {
  const { view, offset } = at(text);
  expect(renameAt(view, offset, to)).toEqual({ refused: expect.stringMatching(reason) });
});

test('a finding beside the cursor that the editor asks about has its corrections', () => {
  const { view, offset } = at('with entry {\n    |a = 1\n    print(a);\n}');
  const end = view.source.text.indexOf('1') + 1;
  const titles = (asked: readonly { start: number; end: number }[]) =>
    actionsIn(view, offset, offset, asked).map(({ title }) => title);
  expect(titles([])).not.toContain('Add `;`');
  expect(titles([{ start: end, end }])).toContain('Add `;`');
});

test('quick fixes correct what is wrong', () => {
  const fix = (marked: string, others?: Readonly<Record<string, string>>) => {
    const { view, offset } = at(marked, others);
    return actionsIn(view, offset, offset)
      .filter(({ kind }) => kind === 'quickfix')
      .map(({ title }) => title);
  };
  expect(fix('with entry { total = 1; print(tota|, total); }')).toContain('Change to `total`');
  expect(fix(`${shop}def f(one: Item) { print(one.pric|); }`)).toContain('Change to `price`');
  expect(fix('with entry { print(sqr|t(2)); }')).toContain('Add `import from math { sqrt }`');
  expect(fix('with entry { print(nul|l); }')).toContain('Change to `None`');
  expect(fix('node A { has x: int; def f() -> int { return |x; } }')).toContain('Change to `self.x`');
  expect(fix('obj A { has price: int = 1; def f() { self.pric|e_ = 2; } }')).toContain('Change to `price`');
  expect(fix('with entry { a = 1; print(|!a); }')).toContain('Write `not`');
  expect(fix('with entry { print(1)| }\nwith entry { x = 1 y = 2; }')).toEqual([]);
  expect(
    fix('import from other { g }\nwith entry { g(); help|er(); }', { 'other.svc': 'def g() {}\ndef helper() {}' }),
  ).toContain('Import `helper` from `other`');
});

test.each([
  ['walker W { can go with Root entry { reort| "x"; } }', 'walker W { can go with Root entry { report "x"; } }'],
  ['def f { retrun| 3; }', 'def f { return 3; }'],
  ['with entry { root| spwn W(); }', 'with entry { root spawn W(); }'],
  ['with entry { x = 1| y = 2; }', 'with entry { x = 1; y = 2; }'],
  ['import:p|y math;\nwith entry { print(math.pi); }', 'import math;\nwith entry { print(math.pi); }'],
  ['import from p|y: math { pi }\nwith entry { print(pi); }', 'import from math { pi }\nwith entry { print(pi); }'],
  ['obj A { can are|a(x: int) -> int { return x; } }', 'obj A { def area(x: int) -> int { return x; } }'],
])('what makes a semicolon seem missing, an old `can` and an ignored tag are corrected: %s', (marked, corrected) => {
  const { view, offset } = at(marked);
  const { text } = view.source;
  const [action] = actionsIn(view, offset, offset).filter(({ kind }) => kind === 'quickfix');
  const [edit] = action!.edits;
  expect(text.slice(0, edit!.start) + edit!.text + text.slice(edit!.end)).toBe(corrected);
});

test.each([
  ['str', '""'],
  ['int', '0'],
  ['float', '0.0'],
  ['list[str]', '[]'],
  ['Optional[str]', 'None'],
  ['Sort', 'Sort.NEW'],
  ['Part', 'Part()'],
  ['any', 'None'],
])('a field of type %s that is missing is added with %s', (type, value) => {
  const { view, offset } = at(
    `import from typing { Optional }\nenum Sort { NEW, OLD }\nobj Part { has n: int = 0; }\nnode Item { has first: int, second: ${type}; }\nwith entry { print(Item|(first=1)); }`,
  );
  const found = actionsIn(view, offset, offset).find(({ title }) => title === 'Add `second`');
  expect(found?.edits.map(({ text }) => text)).toEqual([`, second=${value}`]);
});

test('places that give a variable a value are told apart from those that read it', () => {
  const text =
    'def f(x: any) {\n    n: int = 1;\n    for i in [n] { n += i; }\n    (a, [b, *c]) = (n, x);\n    with open(a) as g { print(g, b, c); }\n    print([h for h in x]);\n}\n';
  const { view } = at(text);
  const written = (name: string) =>
    highlightsAt(view, text.search(new RegExp(`\\b${name}\\b`)))
      .map(({ binds }) => (binds ? 'w' : 'r'))
      .join('');
  expect(Object.fromEntries(['n', 'i', 'a', 'b', 'c', 'g', 'h', 'x'].map((name) => [name, written(name)]))).toEqual({
    n: 'wrwr',
    i: 'wr',
    a: 'wr',
    b: 'wr',
    c: 'wr',
    g: 'wr',
    h: 'rw',
    x: 'wrr',
  });
});

/** The text with what stands between the bars made a function; undefined where that is not offered. */
function extracted(marked: string): string | undefined {
  const [before = '', chosen = '', after = ''] = marked.split('¦');
  const { view } = at(before + chosen + after);
  const action = actionsIn(view, before.length, before.length + chosen.length).find(
    ({ kind }) => kind === 'refactor.extract',
  );
  const edits = [...(action?.edits ?? [])].sort((a, b) => b.start - a.start);
  return (
    action &&
    edits.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), view.source.text)
  );
}

test.each([
  [
    'what they read and what is read after them',
    'def f(a: int) -> int {\n    ¦b = a + 1;\n    c = b * 2;¦\n    return c;\n}\n',
    'def extracted(a: any) -> any {\n    b = a + 1;\n    c = b * 2;\n    return c;\n}\n\ndef f(a: int) -> int {\n    c = extracted(a);\n    return c;\n}\n',
  ],
  [
    'a variable with a type',
    'def f() -> int {\n    ¦n: int = 1;¦\n    return n;\n}\n',
    'def extracted() -> any {\n    n: int = 1;\n    return n;\n}\n\ndef f() -> int {\n    n = extracted();\n    return n;\n}\n',
  ],
  [
    'a pair that is looked for',
    'def f(xs: list) {\n    (a, b) = (1, 2);\n    ¦if (a, b) in xs {\n        print(a);\n    }¦\n}\n',
    'def extracted(a: any, b: any, xs: any) -> None {\n    if (a, b) in xs {\n        print(a);\n    }\n}\n\ndef f(xs: list) {\n    (a, b) = (1, 2);\n    extracted(a, b, xs);\n}\n',
  ],
  [
    'a variable that one branch changes',
    'def f(a: int) -> int {\n    w = a;\n    ¦if a > 1 {\n        w = 0;\n    }¦\n    return w;\n}\n',
    'def extracted(a: any, w: any) -> any {\n    if a > 1 {\n        w = 0;\n    }\n    return w;\n}\n\ndef f(a: int) -> int {\n    w = a;\n    w = extracted(a, w);\n    return w;\n}\n',
  ],
  [
    'the count of a loop',
    'def f(n: int) {\n    i = 0;\n    while i < n {\n        ¦i += 1;¦\n    }\n}\n',
    'def extracted(i: any) -> any {\n    i += 1;\n    return i;\n}\n\ndef f(n: int) {\n    i = 0;\n    while i < n {\n        i = extracted(i);\n    }\n}\n',
  ],
  [
    'a text of several lines',
    'def f() {\n    if True {\n        ¦print("""a\n          b""");¦\n    }\n}\n',
    'def extracted() -> None {\n    print("""a\n          b""");\n}\n\ndef f() {\n    if True {\n        extracted();\n    }\n}\n',
  ],
])('selected statements become a function: %s', (_, marked, expected) => {
  expect(extracted(marked)).toBe(expected);
});

test.each([
  [
    'a value of the round before',
    'def f() {\n    for i in range(3) {\n        ¦if i > 0 {\n            print(x);\n        }¦\n        x = i;\n    }\n}\n',
  ],
  [
    'a variable that only one branch gives a value',
    'def f(a: int) {\n    ¦if a > 1 {\n        w = 0;\n    }¦\n    print(w);\n}\n',
  ],
  ['a variable of another function', 'def f() {\n    n = 1;\n    def g() {\n        ¦print(n);¦\n    }\n    g();\n}\n'],
  [
    'a variable that a function inside reads',
    'def f() {\n    n = 1;\n    g = lambda: n;\n    ¦n = 2;¦\n    print(g());\n}\n',
  ],
  [
    'what is left of a block that fails',
    'def f(xs: list) {\n    n = 0;\n    try {\n        ¦n = 1;\n        print(xs[n]);¦\n    } except IndexError {\n        print(n);\n    }\n}\n',
  ],
  [
    'the place of a walk',
    'node A {}\nwalker W {\n    can go with A entry {\n        ¦for x in [-->] {\n            print(x);\n        }¦\n    }\n}\n',
  ],
  ['a function that is called later', 'def f() {\n    ¦def g() {\n        print(1);\n    }¦\n    g();\n}\n'],
])('selected statements become no function: %s', (_, marked) => {
  expect(extracted(marked)).toBeUndefined();
});

test('a keyword of a call of a value is renamed with the parameter, where one function alone may be meant', () => {
  const maker = 'def outer(base: int) -> any { def inner(s|tep: int) -> int { return base + step; } return inner; }\n';
  const uses =
    'with entry { counter = outer(10); counter(step=5); [outer(1)][0](step=3); }\ndef f(step: int) { print(step); }\n';
  const { view, offset } = at(maker + uses);
  expect(edited(view, renameAt(view, offset, 'width'))).toBe(
    `${maker.replace('|', '').replaceAll('step', 'width')}${uses.replaceAll('(step=', '(width=')}`,
  );
  const two = at(`${maker}${uses}glob other = lambda step: int : step;\n`);
  expect(renameAt(two.view, two.offset, 'width').refused).toContain('type is not known');
});

test('texts of the browser that name something are completed with what they may name', () => {
  const walkers = 'walker AddTask { has title: str; }\n';
  const pages = {
    'pages/about.svc': 'def:pub page() -> JsxElement { return <p>a</p>; }\n',
    'pages/(auth)/users/[id].svc': 'def:pub page() -> JsxElement { return <p>b</p>; }\n',
  };
  const shown = (markup: string, more = '') =>
    offered(
      `${walkers}cl {\nimport from "@svc/runtime" { Link, svcSpawn, useNavigate }\ndef:pub app() -> JsxElement { ${more} return ${markup}; }\n}`,
      pages,
    );
  const link = '<Link to="/about">x</Link>';
  expect(shown(`<b>${link}<Link to="|">y</Link></b>`)).toContain('/about');
  expect(shown(link, 'go = useNavigate(); go.navigate("|");')).toContain('/about');
  expect(shown(link, 'svcSpawn("|");')).toEqual(['AddTask']);
  expect(shown(link, 'svcSpawn("AddTask", {"|": 1});')).toEqual(['title']);
  expect(shown('<p style={{|color: "red"}}>x</p>').slice(0, 3)).toEqual(['color', 'display', 'padding']);
  expect(shown('<p title="|">x</p>')).toEqual([]);
});

test('an argument that the cursor stands before is offered again', () => {
  const row = 'def Row(name: str, wide: bool = False) -> JsxElement { return <b>{name}</b>; }\n';
  expect(offered(`${row}def:pub app() -> JsxElement { return <Row name="a" |wide={True}/>; }`)).toContain('wide');
  expect(offered(`${shop}with entry { Item(|price=2.0); }`)[0]).toBe('price');
});

test('a component is not told to be served', () => {
  const text = 'cl {\ndef:pub Card(a: int) -> JsxElement { return <b onC|lick={None}>{a}</b>; }\n}\n';
  const { view, offset } = at(`${text}def:pub total() -> int { return 1; }`);
  const told = (word: string) => hoverAt(view, view.source.text.indexOf(word))?.text;
  expect(told('Card')).toBe('```svc\ndef:pub Card(a: int) -> JsxElement\n```');
  expect(told('total')).toContain('POST /function/total');
  expect(hoverAt(view, offset)?.text).toContain('Event of `<b>`');
});

test('a constant of TypeScript has the members that its text has', () => {
  const files = {
    'fmt.ts': `export const settings = { theme: 'dark', retries: 3, nested: { deep: 'x' }, size(n: number): string { return ''; }, ...more };
export class Money { static zero(): Money { return new Money(); } cents = 1; }`,
  };
  const members = (place: string) =>
    offered(`import from "./fmt.ts" { settings, Money }\ndef f() { ${place} }`, files).toSorted();
  expect(members('settings.|theme;')).toEqual(['nested', 'retries', 'size', 'theme']);
  expect(members('settings.nested.|')).toEqual(['deep']);
  expect(members('Money.|zero();')).toEqual(['zero']);
  expect(members('x = Money.zero(); x.|')).toEqual(['cents']);
});

test('React is completed with names of its own', () => {
  const names = offered('cl {\nimport from react { | }\n}');
  expect(names[0]).toBe('useState');
  expect(names).not.toContain('Link');
});

test('a member that is not written yet before the rest of a comprehension is one of the element', () => {
  const row = 'obj Row { has kind: str, amount: int = 1; }\n';
  for (const use of ['[e.| for e in rows]', '[e for e in rows if e.| and True]', '{e.| if e else 0 for e in rows}'])
    expect(offered(`${row}def f(rows: list[Row]) { return ${use}; }`).toSorted()).toEqual(['amount', 'kind']);
  const cut = offered(`${row}def f(rows: list[Row]) { return [e.|`);
  expect(cut.slice(0, 10)).not.toContain('preventDefault');
  const { view } = at('import math;\ndef f() { return math.; }|');
  expect(view.analysis.diagnostics.map(({ code }) => code)).not.toContain('W0701');
  const number = 'cl {\ndef:pub app() -> JsxElement { has n: float = 1.0; return <b>{n.|}</b>; }\n}';
  expect(offered(number)[0]).toBe('toFixed');
});

test('an impl of an ability is completed as the ability is, and an imported name that the cursor is in is offered', () => {
  const walker = 'node Layer {}\nwalker Draw { can each with Layer entry; }\n';
  expect(offered(`${walker}impl Draw.each with Lay|`)).toEqual(['Layer']);
  expect(offered(`${walker}impl Draw.each with Lay| entry { report 1; }`)).toEqual(['Layer']);
  expect(offered(`${walker}impl Draw.each with Layer |`)).toEqual(expect.arrayContaining(['entry', 'exit']));
  expect(offered('cl {\nimport from react { useSt|ate, useMemo }\n}')).toContain('useState');
});

test('imports that nobody uses are removed where they stand, and a function of JavaScript gets its word', () => {
  const text = `import from math { floor }
def f() -> int { return floor(1.5); }
import from math { sqrt }
cl {
    import from react { useState, useMe|mo }
    import from "@svc/runtime" { Link }
    def:pub app() -> JsxElement { (n, setN) = useState(1); setN(2); return <Link to="/">{n}</Link>; }
}
`;
  const fixed = (marked: string, title: string) => {
    const { view, offset } = at(marked);
    const edits = actionsIn(view, offset, offset).find((one) => one.title === title)?.edits ?? [];
    const { text: whole } = view.source;
    return edits.reduce((now, { start, end, text: to }) => now.slice(0, start) + to + now.slice(end), whole);
  };
  const title = 'Remove imports that nobody uses';
  expect(fixed(text, title)).toContain(
    '{\n    import from "@svc/runtime" { Link }\n    import from react { useState }\n    def',
  );
  expect(fixed(text.replace('|', '').replace('sqrt', 'sq|rt'), title)).not.toContain('sqrt');
  const method = 'obj A { has x: int = 1; function| m() -> int { return 1; } }';
  expect(fixed(method, 'Write `def`')).toBe(method.replace('function|', 'def'));
});

test('what stands behind super is what the bases have', () => {
  const text = `obj Animal { has name: str; def init(name: str) { self.name = name; } def speak(loud: bool = False) -> str { return ""; } }
obj Dog(Animal) { def init() { super.init(name="d"); } def bark() -> str { return super.|speak(loud=True); } }
def other() { {"speaker": 1}.get("a"); }
`;
  expect(offered(text)).toEqual(['init', 'speak']);
  const place = (words: string, shift = 0) => {
    const { view } = at(text.replace('|', ''));
    return { view, offset: view.source.text.indexOf(words) + shift };
  };
  const use = place('super.speak', 7);
  expect(definitionsAt(use.view, use.offset)).toMatchObject([{ start: text.indexOf('speak(loud: bool') }]);
  expect(signatureAt(use.view, use.view.source.text.indexOf('loud=True'))?.label).toBe('speak(loud: bool = …) -> str');
  for (const { view, offset } of [use, place('speak(loud: bool', 1)])
    expect(edited(view, renameAt(view, offset, 'talk'))).toBe(text.replace('|', '').replaceAll('speak(', 'talk('));
  for (const { view, offset } of [place('loud=True', 1), place('loud: bool', 1)])
    expect(edited(view, renameAt(view, offset, 'noisy'))).toBe(text.replace('|', '').replaceAll('loud', 'noisy'));
});

test('reports of a walk on the server are what the walker reports', () => {
  const walk = `${shop}walker Find { can go with Root entry { for i in [-->[?:Item]] { report i; } } }\n`;
  for (const text of [
    `${walk}with entry { (root spawn Find()).reports[0].|price; }`,
    `${walk}with entry { w = root spawn Find(); for one in w.reports { print(one.|price); } }`,
  ]) {
    expect(offered(text).toSorted()).toEqual(['cost', 'price']);
    const { view, offset } = at(text);
    expect(definitionsAt(view, offset)).toMatchObject([{ start: text.indexOf('price: float') }]);
  }
  const { view, offset } = at(`${walk}with entry { first = (root spawn Find()).reports[0]; print(f|irst); }`);
  expect(hoverAt(view, offset)?.text).toContain('first: Item');
});

test('calls: a walker is called where it is spawned, and calls the classes it visits', () => {
  const text = `${shop}walker W| { can go with Root entry { visit [-->[?:Item]]; } }\ndef start() { root spawn W(); }\n`;
  const { view, offset } = at(text);
  expect(callItemAt(view, offset)?.name).toBe('W');
  expect(incomingCalls(view, offset).map(({ item }) => item.name)).toEqual(['start']);
  expect(outgoingCalls(view, offset).map(({ item }) => item.name)).toEqual(['Item']);
});

test('lenses stand above what can be run, imports come in order', () => {
  const { view } = at(
    '@restspec(method=HTTPMethod.GET)\nwalker Show { can go with Root entry { report 1; } }\ntest "adds" { assert True; }',
  );
  expect(lensesOf(view).map(({ title }) => title)).toEqual([
    'run',
    'debug',
    'GET /walker/Show',
    'stories',
    'run',
    'debug',
  ]);
  const imports = at(
    'import from .other { g, b }\nimport from math { sqrt, floor }\nwith entry { g(); b(); sqrt(2); }',
    { 'other.svc': 'def g() {}\ndef b() {}' },
  );
  expect(organiseImports(imports.view)?.text).toBe('import from math { sqrt }\nimport from .other { b, g }');
});
