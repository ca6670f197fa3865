/** Rules about the browser's half, beyond the one case of each code in test/diagnostics. */
import { expect, test } from 'vitest';
import { signatures } from '../../library/signatures/signatures.ts';
import { compileProject } from '../compile.ts';
import { filesInMemory } from '../project/files.ts';
import { readProject } from '../project.ts';

/** `CODE text under it`, in order, without what is only advice about unused names. */
function found(text: string, files: Readonly<Record<string, string>> = {}, tellsInternal = false): string[] {
  const texts: Record<string, string> = { 'main.svc': text, ...files };
  const browser = Object.keys(files).filter((file) => file === 'main.cl.svc');
  const project = readProject('main.svc', filesInMemory(texts), { root: '.', browser });
  const options = { target: 'server', graph: 'sync', runtime: '#runtime', signatures, tellsInternal } as const;
  return compileProject(project, options)
    .diagnostics.filter(({ code }) => !['W0404', 'W0401'].includes(code))
    .map(({ code, path, start, end }) => `${code} ${texts[path]!.slice(start, end).split('\n')[0]}`);
}

/** Gives the help of each finding of `wanted`. */
function helpsOf(text: string, wanted: string): (string | undefined)[] {
  const project = readProject('main.svc', filesInMemory({ 'main.svc': text }), { root: '.' });
  const options = { target: 'server', graph: 'sync', runtime: '#runtime', signatures } as const;
  return compileProject(project, options)
    .diagnostics.filter(({ code }) => code === wanted)
    .map(({ help }) => help);
}

const app = (body: string, markup = '<p>x</p>') => `cl def:pub app -> JsxElement {\n${body}\nreturn ${markup};\n}\n`;

test('the store of a page may spawn walkers, and the server’s own may not be named', () => {
  const walker = 'walker:pub Cards { can go with Root entry { report 1; } }\nimport from "zustand" { create }\n';
  const store = (made: string) => `${walker}glob useCards = ${made};\n`;
  const page =
    'def Board -> JsxElement { cards = useCards(lambda s: any -> any { return s.cards; }); return <p>{cards}</p>; }\n';
  const loads =
    'create(lambda set: any -> dict { return {"load": lambda { set({"cards": (root spawn Cards()).reports}); }}; })';
  expect(found(store(loads) + page)).toEqual([]);
  expect(found(store(`create(root spawn Cards())`) + page)).toEqual(['E0601 useCards']);
  const named = 'walker:pub Names { can go with Root entry { report useCards; } }\n';
  expect(found(store(loads) + page + named)).toEqual(['E0601 useCards']);
});

test('walkers, types and served functions of the server may be named', () => {
  const server = `node Task { has title: str; }
walker W { can go with Root entry { report here; } }
def:pub total -> int { return 1; }
`;
  const body = `async def go -> None {
    r = root spawn W(); id = "a" * 32; q = id spawn W();
    start = root if r.ok else id; s = start spawn W();
    print(isinstance(r.reports[0], Task), await total(), q.status, s.ok, W);
}`;
  expect(found(server + app(body, '<p onClick={go}>x</p>'))).toEqual([]);
});

test('an object that holds nodes is of both halves, unless it makes them or asks their methods', () => {
  const server = `node Card { has price: int = 2; def twice -> int { return self.price * 2; } }
obj Line { has card: Card, n: int = 1; def total -> int { return self.card.price * self.n; } def same(other: Card) -> bool; }
impl Line.same(other: Card) -> bool { found: Card = other; return found.price == self.card.price; }
obj Asks { has card: Card; def both -> int { return self.card.twice(); } }
obj Makes { has n: int = 0; def card -> Card { return Card(price=self.n); } }
obj Joined { has card: Card; def save -> None; }
impl Joined.save -> None { root ++> self.card; }
`;
  const made = (value: string) => found(server + app(`def show(card: Card) -> None { print(${value}); }`));
  expect(made('Line(card=card, n=2).total(), Line(card).same(card)')).toEqual([]);
  expect([made('Asks(card)'), made('Makes(1)'), made('Joined(card)')]).toEqual([
    ['E0601 Asks'],
    ['E0601 Makes'],
    ['E0601 Joined'],
  ]);
});

test('bases of types that only the browser has', () => {
  expect(found('cl { obj A(B) { } obj B(A) { } node W(V) { } walker V { } def f { } class C(f) { } }')).toEqual([
    'E0527 B',
    'E0527 V',
    'E0527 f',
  ]);
});

test('the half in the browser beside a module knows its functions without an import', () => {
  const server = 'def:pub total -> int { return 1; }\ndef brew(n: int) -> int { return n + len([root-->]); }\n';
  const half =
    'def:pub app -> JsxElement { async def go { print(await total(), await brew(2), await brew(3)); nowhere(); } return <p onClick={go}/>; }';
  expect(found(server, { 'main.cl.svc': half })).toEqual(['W0645 brew', 'W0641 nowhere']);
  expect(
    found(server, { 'main.cl.svc': `def total -> int { return 3; }\n${half.replace('brew(3)', 'other')}` }),
  ).toEqual(['W0645 brew', 'W0641 other', 'W0641 nowhere']);
  expect(found('import from .side { app }', { 'app.svc': server, 'side.svc': half })).toContain('W0641 total');
});

test.each([
  ['x = here;', ['E0601 here']],
  ['x = root.title;', ['E0601 root']],
  ['for t in [root-->] { print(t); }', ['E0601 [root-->]']],
  ['save(1); save(2);', ['E0601 save']],
  ['t = Task(title="a");', ['E0601 Task']],
  ['print(_inner());', ['E0601 _inner']],
  ['window.open("/"); open("/");', []],
])('server symbols: %s', (body, expected) => {
  const server = 'node Task { has title: str; }\ndef _inner -> int { return len([root-->]); }\n';
  expect(found(`${server}cl def f { ${body} }\n`)).toEqual(expected);
});

test('names of the browser are known, and words that nothing knows are told once in a function', () => {
  expect(
    found('cl def f { print(window, document, localStorage, fetch, setTimeout, JSON, Promise, undefined); }'),
  ).toEqual([]);
  expect(found('cl def f { print(foo, foo); foo(); }')).toEqual(['W0641 foo']);
  expect(
    found('cl def f(e: FormEvent, g: ChangeEvent | None, h: MouseEventHandler) { x: ReactNode = e; print(x); }'),
  ).toEqual([]);
  expect(
    found(app('has n: int = 0; def up { setN(n + 1); }', '<p onClick={up} style={{color: "red"}}>{n}</p>')),
  ).toEqual([]);
});

test('client code that walks a private walker of another module is told once that this serves it', () => {
  const files = { 'lib.svc': 'walker:priv W { can go with Root entry { report 1; } }\nwalker V { }\n' };
  const page = app(
    'async def go -> None { r = root spawn W(); s = root spawn V(); print(r, s); }',
    '<p onClick={go}/>',
  );
  const of = (text: string) => found(text, files).filter((code) => /^W0(645|510)/.test(code));
  expect(of(`sv import from lib { W, V }\n${page}`)).toEqual(['W0645 W']);
  expect(of(`import from lib { W, V }\n${page}`)).toEqual(['W0645 W']);
  expect(of(`import from lib { W, V }\ndef f { root spawn W(); }\n${page}`)).toEqual(['W0510 W', 'W0645 W']);
  expect(of(`sv import from lib { W }\n`)).toEqual(['W0510 W']);
  expect(of(`walker:priv W { }\nwalker V { }\n${page}`)).toEqual([]);
});

test('a private function of another module that client code calls is reported where the server uses it', () => {
  const files = { 'lib.svc': 'def:priv save(x: int) -> int { return x; }\n' };
  const page = app('async def go -> None { x = await save(1); print(x); }', '<p onClick={go}/>');
  const of = (text: string) => found(text, files).filter((code) => code.startsWith('W0510'));
  expect(of(`import from lib { save }\n${page}`)).toEqual([]);
  expect(of(`sv import from lib { save }\n${page}`)).toEqual([]);
  expect(of(`import from lib { save }\ndef f { save(2); }\n${page}`)).toEqual(['W0510 save']);
  expect(of('import from lib { save }\n')).toEqual(['W0510 save']);
});

test('lists that are longer than a call may have arguments', () => {
  const list = `[${'k, '.repeat(200_000)}]`;
  expect(found(app(`has k: int = 0;\nasync def go { k = 1; print(${list}, k); }`, '<p onClick={go}/>'))).toEqual([
    'W0646 k',
  ]);
});

test('paths of walkers that client code asks for', () => {
  const files = {
    'lib.svc': 'walker:priv W { }\nwalker:priv _U { }\nwalker:priv V { }\nwalker:pub P { }\ndef total { print(1); }\n',
  };
  const of = (path: string) =>
    found(`sv import from lib { W, V }\n${app(`x = fetch(${path}); print(x);`)}`, files).filter((code) =>
      /W064[57]/.test(code),
    );
  expect(of('"/walker/W"')).toEqual(['W0645 "/walker/W"']);
  expect(of('f"/api/walker/W/{x}"')).toEqual(['W0645 /api/walker/W/']);
  expect(of('"/walker/P"')).toEqual([]);
  expect(of('f"/walker/{x}"')).toEqual(['W0647 /walker/']);
  expect(of('"/walker/" + x, ["/walker/" + x, "/walker/W", "/walker/V"]')).toEqual([
    'W0645 "/walker/W"',
    'W0645 "/walker/V"',
  ]);
  expect(of('"/function/" + x')).toEqual(['W0647 "/function/"']);
  expect(of('"/function/" + x, "/function/total"')).toEqual(['W0645 "/function/total"']);
});

test('a helper without a marker that only client code uses is client code', () => {
  const helper =
    'def token -> any { return localStorage.getItem("t"); }\ndef size(xs: list) -> int { return xs.length; }\n';
  expect(found(helper + app('', '<p>{token()} {size([1])}</p>'))).toEqual([]);
  const used = 'walker W { can go with Root entry { report token(); } }\n';
  expect(found(helper + used + app('', '<p>{token()}</p>'))).toContain('E0301 localStorage');
});

test('variables that only code of the browser changes are its own', () => {
  const log = 'glob log: list = [], hits: int = 0;\ndef note(t: str) -> None { log.append(t); window.log = log; }\n';
  const page = app('def up { hits += 1; note("x"); }', '<p onClick={up}>{hits}</p>');
  expect(found(log + page)).toEqual([]);
  const server = 'walker W { can go with Root entry { report [len(log), hits]; } }\n';
  expect(found(log + server + page)).toEqual(['E0301 window', 'E0601 hits', 'W0645 note']);
});

test('a served helper that only a browser can run as it stands is client code', () => {
  const files = {
    'kit.svc': `import from "clsx" { clsx }
import from "date-fns" { format }
glob pattern = "d MMM";
def:pub cn(*inputs: any) -> str { return clsx(inputs); }
def:pub day(d: any) -> str { return format(d, pattern); }
def:pub range_of(a: any, b: any) -> str { return day(a) + "-" + day(b); }
def:pub keep(t: str) -> None { localStorage.setItem("t", t); }
async def:pub kept -> any { return sessionStorage.getItem("t"); }
def:pub hashed(t: str) -> str { return clsx(t); }
def:pub size(t: str) -> int { return len(t); }
`,
    'store.svc': `import from "@reduxjs/toolkit" { createSlice, configureStore }
glob notices = createSlice({"name": "n", "initialState": [], "reducers": {}});
glob store = configureStore({"reducer": {"notices": notices.reducer}});
glob notify = notices.actions.push;
`,
  };
  const text = `import from kit { cn, range_of, keep, kept, hashed, size }
import from store { store, notify }
def:pub app -> JsxElement {
    async def go -> None { keep(await kept()); notify(await hashed("a")); }
    return <p className={cn("a")} onClick={go} title={size("a")}>{range_of(1, 2).upper()}{store.getState().length}</p>;
}
`;
  expect(found(text, files)).toEqual([]);
  expect(found(text.replace('{range_of', '{size("a").real}{range_of'), files)).toEqual(['W0643 size']);
});

test('standard modules that browsers have in part, or not at all, also when a function imports them', () => {
  const whole = 'import math, re, heapq;\nimport from random { gauss, expovariate }\n';
  const body =
    'import bisect; print(math.erf(1), math.pi, re.sub("a", "", "a"), gauss(0, 1), expovariate(1), bisect, heapq);';
  expect(found(`${whole}cl def f -> None { ${body} }`)).toEqual([
    'E0601 erf',
    'E0601 expovariate',
    'E0601 bisect',
    'E0601 heapq',
  ]);
});

test('numbers are keys of tables for `translate`, and of those that are looked up where they are written', () => {
  const code =
    'cl def:pub f(s: str) -> any { return [s.translate({97: "A", 98: None}), {1: s}, {2: "low", 3: "high"}[len(s)]]; }';
  expect(found(code)).toEqual(['W0644 1']);
});

test('hooks that call hooks of packages are client code', () => {
  const hook = `import from "@tanstack/react-query" { useQuery }
walker Get { can go with Root entry { report 1; } }
def:pub useProject(id: str) -> any {
    return useQuery({"queryFn": lambda -> any { r = id spawn Get(); if not r.ok { raise Exception("no"); } return r.reports[0]; }});
}
`;
  expect(found(hook + app('p = useProject("a");', '<p>{p.data}</p>'))).toEqual([]);
});

test('lists and tuples are one in the browser', () => {
  const hook = 'cl def useToggle(first: bool) -> tuple { has on: bool = first; return [on, setOn]; }\n';
  expect(found(`${hook}cl def pair -> list { return (1, 2); }\n`)).toEqual([]);
  expect(found('cl def pair -> tuple { return {"a": 1}; }')).toEqual(['E0411 {"a": 1}']);
  expect(found('def:pub pair -> tuple { return [1, 2]; }')).toEqual(['E0411 [1, 2]']);
});

test('a helper that the browser has itself is not told as unserved', () => {
  const text =
    'def size(xs: list) -> int { return len(xs); }\ndef inner -> int { return size([]); }\ndef:pub all_of -> list { return [inner()]; }\n';
  expect(found(text + app('', '<p>{size([1])}</p>'), {}, true)).toEqual(['W0513 inner']);
});

test('dicts and objects stand for each other in the browser, and sort gives the list', () => {
  const server = 'node Task { has title: str, done: bool = False; }\n';
  const body = `has tasks: list[Task] = [], last: Task | None = None, form: dict = {};
def go(t: Task) -> Task {
    tasks = [{**x, "done": True} for x in tasks]; last = {"title": "a"}; form = t;
    return {**t, "done": True};
}
xs = [2, 1].sort(); ys = xs.map(lambda x: int { x });`;
  expect(found(server + app(body, '<p onClick={go}>{ys.length}{last?.title}{form.title}</p>'))).toEqual([]);
  expect(found(server + app('has n: int = 1; def go { n = {"a": 1}; }', '<p onClick={go}>{n}</p>'))).toEqual([
    'E0410 {"a": 1}',
  ]);
});

test('a helper that waits for the server is asynchronous in the browser', () => {
  const server = 'def:pub all_of -> list { return []; }\n';
  const helper = 'def helper(e: any) -> any { xs = await all_of(); console.log(xs); }\n';
  expect(found(server + helper + app('', '<p onClick={helper}>x</p>'))).toEqual([]);
  expect(found(server + helper)).toEqual(['E0310 await all_of()', 'E0301 console']);
});

test('values of a declared type that are sent', () => {
  const server = 'walker W { has a: int; has b: float = 0; has c: str | None = None; }\n';
  const sent = (args: string) =>
    found(`${server}cl def f(t: str, n: int, x: float, o: str | None, u: any) { root spawn W(${args}); }`);
  expect(sent('a=n, b=x, c=t')).toEqual([]);
  expect(sent('a=x, b=n, c=o')).toEqual([]);
  expect(sent('a=u, b=u, c=u')).toEqual([]);
  expect(sent('a=t, b=t, c=n')).toEqual(['E0410 t', 'E0410 t', 'E0410 n']);
});

test('a cell whose name is missing is one syntax error', () => {
  expect(found('cl def app -> JsxElement { has : int = 0; return <p/>; }').every((one) => one.startsWith('E011'))).toBe(
    true,
  );
});

test('hooks stand at the top', () => {
  const hooks = 'import from react { useState, useRef }\n';
  expect(
    found(hooks + app('[a, setA] = useState(0); b = useRef(None);\nif a { return <i/>; }', '<p ref={b}>{a}</p>')),
  ).toEqual([]);
  expect(found(hooks + app('f = lambda { useRef(1); };', '<p onClick={f}/>'))).toEqual(['W0635 useRef']);
  expect(
    found(`${hooks}${app('def Inner -> JsxElement { r = useRef(1); return <b ref={r}/>; }', '<Inner/>')}`),
  ).toEqual([]);
  expect(found(`${hooks}cl def useBoth(on: bool) -> any { if on { return useRef(1); } return None; }`)).toEqual([
    'W0635 useRef',
  ]);
});

test('live values are hooks, which take a walk itself and know what it reports', () => {
  const walkers =
    'node Task { has title: str; }\nwalker:pub Tasks { has n: int = 1; can go with Root entry { for one in [-->[?:Task]] { report one; } } }\nwalker:pub Say { has text: str; }\n';
  const program = (body: string, shown = '<p/>') =>
    found(`import from "@svc/runtime" { live, useAction }\n${walkers}${app(body, shown)}`);
  expect(program('tasks = live(root spawn Tasks(n=2));', '<p>{tasks.reports[0].title}{tasks.loading}</p>')).toEqual([]);
  expect(program('tasks = live(root spawn Tasks());', '<p>{tasks.reports[0].titel}</p>')).toEqual([
    expect.stringMatching(/titel$/),
  ]);
  expect(program('if 1 > 0 { tasks = live(root spawn Tasks()); }')).toContain('W0635 live');
  // A field that is missing is given when the action runs; a wrong one is wrong.
  expect(program('say = useAction(root spawn Say());', '<p onClick={lambda { say.run(text="x"); }}/>')).toEqual([]);
  expect(program('say = useAction(root spawn Say(txet="x"));', '<p onClick={say.run}/>')).toEqual([
    expect.stringMatching(/^E0412/),
  ]);
});

test('a walker that writes on every way cannot be followed', () => {
  const follow = (ability: string) =>
    found(
      `import from "@svc/runtime" { live }\nnode Task { has n: int = 0; }\nwalker:pub W { has on: bool = False; ${ability} }\n${app('tasks = live(root spawn W());', '<p>{tasks.loading}</p>')}`,
    );
  const ending = (body: string) => follow(`can go with Root entry { ${body} }`);
  for (const body of [
    'report here ++> Task();',
    'x = 1; here ++> Task();',
    'if self.on { print(1); } here ++> Task();',
  ])
    expect(ending(body), body).toEqual(['E0612 W()']);
  expect(follow('can go with entry { here ++> Task(); }')).toEqual(['E0612 W()']);
  for (const body of [
    'report [-->];',
    'if self.on { here ++> Task(); }',
    'if self.on { disengage; } here ++> Task();',
    'for one in [-->] { here ++> one; }',
    'x = (here ++> Task()) if self.on else None;',
    't = Task(); t.n = 3; report t.n;',
  ])
    expect(ending(body), body).toEqual([]);
  expect(follow('can go with Task entry { here.n = 3; }')).toEqual([]);
});

test.each([
  ['a list', 'xs.append(1);', 'assign a new list: `xs = xs + [value];`'],
  ['a list in a dict', 'd["k"].append(1);', 'assign a new value: `d = {**d, "k": d["k"] + [value]};`'],
  ['a list in an object', 'd.k.append(1);', 'assign a new value: `d = {**d, "key": value};` for a dict'],
  ['a dict in a dict', 'd["k"].update({"a": 1});', 'assign a new value: `d = {**d, "key": value};` for a dict'],
  ['a part', 'd["k"] = 1;', 'assign a new value: `d = {**d, "key": value};` for a dict'],
  ['another method', 'xs.clear();', 'assign a new value to `xs`'],
])('what is changed in place is told how to be given anew: %s', (_why, body, help) => {
  const text = app(`has xs: list = [], d: dict = {};\ndef change { ${body} }`, '<p onClick={change}>{xs}{d}</p>');
  expect(helpsOf(text, 'W0632')).toEqual([help]);
});

test('what is changed in place beside a new value is no mistake', () => {
  const change = (then: string) =>
    app(`has xs: list = [];\ndef add { xs.append(1); ${then} }`, '<p onClick={add}>{xs}</p>');
  expect(found(change(''))).toEqual(['W0632 xs.append(1)']);
  for (const same of ['xs = xs;', 'setXs(xs);']) expect(found(change(same))).toEqual(['W0632 xs.append(1)']);
  expect(found(change('xs = [*xs];'))).toEqual([]);
  expect(found(change('setXs([*xs]);'))).toEqual([]);
  expect(
    found(app('has box: Ref = Ref();\ndef go { box.current.value = "x"; }', '<input ref={box} onClick={go}/>')),
  ).toEqual([]);
});

test.each([
  ['a second assignment of the first', 'n = n + 1; n = n + 1;', ['W0646 n']],
  ['an augmented one', 'n += 1; n += 1;', ['W0646 n']],
  ['what is asked with it', 'n = 2; print(n); print(n);', ['W0646 n']],
  ['a part that comes later', 'n = 2; if xs { print(n); }', ['W0646 n']],
  ['behind what is waited for', 'n = 2; await fetch("/"); print(n);', ['W0646 n']],
  ['the turns of a loop', 'for x in [1, 2] { xs = xs + [x]; }', ['W0646 xs']],
  ['a loop that may end with it', 'for x in [1, 2] { xs = xs + [x]; break; }', []],
  ['one of two parts', 'if xs { n = 1; } else { n = n + 1; } print(n);', []],
  ['a variable between', 'm = n + 1; n = m; print(m);', []],
  ['a function that is called later', 'n = 2; setTimeout(lambda { print(n); }, 9);', []],
  ['a variable of its own', 'n: int = 2; print(n);', []],
  ['one that is taken apart', 'n = 2; (xs, n) = ([], 3); [n, xs] = [4, []];', []],
  ['one that was taken apart', '(xs, n) = ([], 3); print(n);', ['W0646 n']],
  ['a read before', 'print(n); n = n + 1;', []],
])('state that is read after it was assigned: %s', (_why, body, expected) => {
  const text = `has n: int = 0, xs: list = [];\nasync def go { ${body} }`;
  expect(found(app(text, '<p onClick={go}>{n}{xs}</p>')).filter((code) => code.startsWith('W0646'))).toEqual(expected);
});

test.each([
  ['an effect', 'can with entry { setInterval(lambda { n = n + 1; }, 9); }', ['W0646 n']],
  [
    'an augmented one',
    'can with entry { t = setInterval(lambda { n += 1; }, 9); return lambda { clearInterval(t); }; }',
    ['W0646 n'],
  ],
  ["React's", 'useEffect(lambda { setInterval(lambda { n = n + 1; }, 9); }, []);', ['W0646 n']],
  ['an effect that is renewed', 'can with [n] entry { setInterval(lambda { n = n + 1; }, 9); }', []],
  ["React's that is renewed", 'useEffect(lambda { setInterval(lambda { n = n + 1; }, 9); }, [n]);', []],
  ['once', 'can with entry { setTimeout(lambda { n = n + 1; }, 9); }', []],
  [
    'by the setter',
    'can with entry { setInterval(lambda { setN(lambda old: int -> int { return old + 1; }); }, 9); }',
    [],
  ],
  ['another value', 'can with entry { setInterval(lambda { n = Date.now(); }, 9); }', []],
  ['a variable of its own', 'can with entry { setInterval(lambda { n: int = 0; n = n + 1; }, 9); }', []],
])('state that a timer reads again and again: %s', (_why, body, expected) => {
  const text = `import from "@svc/runtime" { useEffect }\n${app(`has n: int = 0;\n${body}`, '<p>{n}</p>')}`;
  expect(found(text).filter((code) => code.startsWith('W0646'))).toEqual(expected);
});

test('a chain of operators that is longer than calls may nest is looked through for state', () => {
  const text = `has n: int = 0;\ndef go { n = 1; m = ${'1 + '.repeat(3000)}n; print(m); }`;
  expect(found(app(text, '<p onClick={go}>{n}</p>'))).toEqual(['W0646 n']);
});

test('fields and reports of walkers', () => {
  const server = `node Task { has title: str; has done: bool = False; }
walker All { has limit: int = 10, q: str | None = None; can go with Root entry { visit [-->]; } can t with Task entry { report here; } }
walker Rows { can go with Root entry { report {"a": 1}; } }
walker Both { can go with Root entry { report here; report 3; } }
`;
  const client = (body: string) => `${server}cl async def f { ${body} }\n`;
  expect(
    found(
      client(
        'r = root spawn All(limit=3, q=None); print(r.reports[0].title, r.reports[-1].done, r.error.message, r.reports.length);',
      ),
    ),
  ).toEqual([]);
  expect(found(client('r = root spawn All(limt=3); print(r.report);'))).toEqual(['E0412 limt=3', 'E0413 report']);
  expect(found(client('for t in (root spawn All()).reports { print(t.titel); }'))).toEqual(['E0413 titel']);
  expect(
    found(client('r = root spawn Rows(); print(r.reports[0].b); q = root spawn Both(); print(q.reports[0].x);')),
  ).toEqual([]);
  expect(found(client('r = root spawn Elsewhere(n=1); print(r.reports[0].anything);'))).toEqual([]);
});

test('properties of components', () => {
  const card = `def:pub Card(title: str, size: int = 1, note: str | None, onPick: any, children: any) -> JsxElement {
    return <p onClick={onPick}>{title}{size}{note}{children}</p>;
}
def:pub Rest(a: int = 0, **rest: any) -> JsxElement { return <p {**rest}>{a}</p>; }
def:pub Whole(props: any) -> JsxElement { return <p>{props.x}</p>; }
def:pub Word -> JsxElement { return <p>{props.word}</p>; }
def:pub None_ -> JsxElement { return <p/>; }
`;
  const shown = (markup: string) => found(card + app('more = {"title": "a"};\nprint(more);', markup));
  expect(shown('<Card title="a" onPick={print} key={1} data-x="1" aria-label="x">kid</Card>')).toEqual([]);
  expect(shown('<><Card {**more}/><Rest b={1}/><Whole x={1} y={2}/><Word word="a"/><None_/></>')).toEqual([]);
  expect(shown('<Card onPick={print} titel="a"/>')).toEqual(['E0608 Card', 'E0608 titel']);
  expect(shown('<Card title={3} size onPick={print}/>')).toEqual(['E0410 3']);
  expect(shown('<Card title="a"/>')).toEqual(['E0608 Card']);
  expect(shown('<None_ x={1}/>')).toEqual(['E0608 x']);
});

test('properties of a component of another module, whose body stands in an annex', () => {
  const files = {
    'card.svc': 'def:pub Card(title: str) -> JsxElement;\n',
    'card.impl.svc': 'impl Card(title: str) -> JsxElement { return <p>{title}</p>; }\n',
  };
  const shown = (markup: string) => found(`import from card { Card }\n${app('', markup)}`, files);
  expect(shown('<Card title="a"/>')).toEqual([]);
  expect(shown('<Card titel="a"/>')).toEqual(['E0608 Card', 'E0608 titel']);
});

test.each([
  ['as in a sheet', '"font-size": 12, "-webkit-line-clamp": 2', ['fontSize', 'WebkitLineClamp']],
  ['in other letters', 'backgroundcolor: "red", "ZIndex": 1', ['backgroundColor', 'zIndex']],
  ['misspelt', 'colour: "red", "marginTpo": 1, jusitfyContent: "x"', ['color', 'marginTop', 'justifyContent']],
  ['own, of one browser, unknown', '"--gap": 1, MozAppearance: "x", WebkitBoxOrient: "x", zoomy: 1', []],
  ['variables', 'colour, **more', []],
])('keys of styles: %s', (_why, entries, nearest) => {
  const text = app('colour = "x"; more = {"font-size": 1}; print(colour, more);', `<b style={{${entries}}}>x</b>`);
  const used = entries.includes('colour:')
    ? text.replace('colour = "x"; ', '').replace('print(colour, ', 'print(')
    : text;
  expect(helpsOf(used, 'W0636')).toEqual(nearest.map((name) => `write \`${name}\``));
});

test.each([
  ['<input value="a"/>', 1],
  ['<input type="email" value={v}/>', 1],
  ['<textarea value={v}/>', 1],
  ['<select value={v}><option>a</option></select>', 1],
  ['<input type="checkbox" checked={True}/>', 1],
  ['<input value={v} onChange={print}/>', 0],
  ['<input value={v} onInput={print}/>', 0],
  ['<input value={v} readOnly/>', 0],
  ['<input value={v} disabled/>', 0],
  ['<input value={v} {**more}/>', 0],
  ['<input type={v} value={v}/>', 0],
  ['<input type="submit" value="Send"/>', 0],
  ['<input type="radio" value="a"/>', 0],
  ['<input defaultValue={v}/>', 0],
  ['<option value={v}/>', 0],
])('a box that shows a value: %s', (markup, count) => {
  const text = app('v = "a"; more: dict = {}; print(v, more);', markup);
  expect(helpsOf(text, 'W0649')).toHaveLength(count);
});

test.each([
  ['{for x in xs { <b>{x}</b> }}', 1],
  ['{[<b>{x}</b> for x in xs]}', 1],
  ['{xs.map(lambda x: any -> any { return <b>{x}</b>; })}', 1],
  ['{xs and [<b>{x}</b> for x in xs]}', 1],
  ['{<i/> if not xs else xs.map(lambda x: any: <b>{x}</b>)}', 1],
  ['{[<b key={x}>{x}</b> for x in xs]}', 0],
  ['{xs.map(lambda x: any -> any { return <b {**x}/>; })}', 0],
  ['{[f"{x}" for x in xs]}', 0],
])('a list of elements without keys: %s', (slot, count) => {
  const text = app('has xs: list = [];', `<p>{xs}${slot}</p>`);
  expect(found(text).filter((code) => code.startsWith('W0634'))).toHaveLength(count);
});

test('attributes and events of host elements', () => {
  expect(
    found(app('', '<input class="a" htmlFor="x" tabIndex={1} onChangeCapture={print} aria-x="1" foo="1" css="x"/>')),
  ).toEqual([]);
  expect(found(app('', '<input onChnge={print} tabindex={1} classNmae="x"/>'))).toEqual([
    'W0636 onChnge',
    'W0636 tabindex',
    'W0636 classNmae',
  ]);
  expect(found(app('', '<my-element onclick={print} classname="x" style={{"font-size": 1}}/>'))).toEqual([]);
  // Elements of another renderer.
  expect(found(app('', '<ambientLight intensity={0.5} position={[0, 1]}/>'))).toEqual([]);
});

test('`self` in components is the state, or what the browser calls so', () => {
  const body = 'has n: int = 0;\ncan with entry { self.n = 1; self.Settings = {}; }\ndef go { self.step(); }';
  expect(found(`cl def step { self.Settings = {}; }\n${app(body, '<p onClick={go}>{n}</p>')}`)).toEqual([
    'W0633 self.n',
    'W0633 self.step',
  ]);
});

test('the truth of containers', () => {
  expect(found(app('has xs: list = [], d: dict = {};\nys = xs or [];\ne = d or {};', '<p>{ys}{e}</p>'))).toEqual([]);
  expect(found(app('has xs: list = [];\nys = xs or [1];', '<p>{ys}</p>'))).toEqual(['W0642 xs']);
});

test('results that come later', () => {
  const server = 'def:pub total -> int { return 1; }\n';
  expect(
    found(`${server}cl async def f { a = total(); print(await a, total().then(print), Promise.all([total()])); }`),
  ).toEqual([]);
  expect(found(`${server}cl def f { print(total() + 1, f"{total()}"); }`)).toEqual(['W0643 total', 'W0643 total']);
  expect(found(`${server}${app('has n: int = 0;\ndef go { n = total(); }', '<p onClick={go}>{n}</p>')}`)).toEqual([
    'W0643 total',
  ]);
});

test('types that are imported may stand wherever a type does; as values they are dropped', () => {
  const files = { 'shapes.ts': 'export type Shape = { size: number };\n' };
  const shown = (body: string, more = '') =>
    found(`import type from "./shapes.ts" { Shape }\nimport from typing { cast, TypeVar }\n${more}${app(body)}`, files);
  const body = `has picked: Shape | None = None, all: list[Shape] = [], box: Ref[Shape] = Ref();
def pick(e: Shape, *rest: Shape, **more: Shape) -> Shape | None { x: Shape = e; y = e as Shape; return y or x or cast(Shape, e); }
f = lambda s: Shape -> Shape { return s; };
print(pick, f, picked, all, box, list[Shape](), TypeVar("A", bound=Shape));`;
  expect(shown(body, 'cl glob one: Shape | None = None;\ncl obj Held { has shape: Shape; }\n')).toEqual([]);
  expect(shown('print(isinstance(3, Shape));')).toEqual(['W0601 Shape']);
  expect(shown('print(Shape, Shape);')).toEqual(['W0601 Shape']);
});

test('numbers, texts and lists have their members of both languages, and no others', () => {
  const markup = (body: string) =>
    found(`def:pub Clock(hour: int, s: str, xs: list, d: dict) -> JsxElement { n = 3; return <p>{${body}}</p>; }`);
  expect(markup('[hour.nothing, n.nothing, s.uper(), s.name, "a".foo, xs.lenght]')).toEqual([
    'E0413 nothing',
    'E0413 nothing',
    'E0413 uper',
    'E0413 name',
    'E0413 foo',
    'E0413 lenght',
  ]);
  expect(
    markup('[hour.toFixed(2), n.bit_length(), s.upper(), s.trim(), s.length, xs.length, xs.item(0), d.nothing]'),
  ).toEqual([]);
});

test('names that the runtime has are what an unknown name is told to be, before those of browsers', () => {
  const help = (name: string) => helpsOf(`cl def f { print(${name}); }`, 'W0641')[0];
  expect(help('navigate')).toBe('`useNavigate` of @svc/runtime gives it: `navigate = useNavigate();` in the component');
  expect(help('useNavigat')).toBe('did you mean `useNavigate` of @svc/runtime?');
  expect(help('useState')).toBe('it is in the runtime: `import from "@svc/runtime" { useState }`');
  expect(help('live')).toBe('it is in the runtime: `import from "@svc/runtime" { live }`');
  expect(help('__BUILD__')).toBe('what `vite.config` defines stands in `[plugins.client.vite.define]` too');
  expect(help('documnt')).toBe('did you mean `document`?');
});

test('handlers are functions, and styles are dicts', () => {
  const body = 'has n: int = 0; def go -> None { n = 1; } def make -> any { return go; } def said { return "x"; }';
  const told = (markup: string) => found(app(body, markup));
  expect(told('<p onClick={setN(n + 1)} style="color: red">{n}</p>')).toEqual([
    'E0613 setN(n + 1)',
    'E0613 "color: red"',
  ]);
  expect(told('<p onClick={go()} onChange={said()} onBlur="go()">{n}</p>')).toEqual([
    'E0613 go()',
    'E0613 said()',
    'E0613 "go()"',
  ]);
  expect(told('<p onClick={make()} onBlur={None} onChange={window.maker(n)} onFocus={setTimeout}>{n}</p>')).toEqual([]);
});

test('a setter of React that is called where a handler is due never is one', () => {
  const hooks = 'import from react { useState, useState as held, useReducer, default as React }\n';
  const told = (body: string, markup: string) => found(hooks + app(body, markup));
  for (const pair of [
    '[n, setN] = useState(0);',
    '(n, setN) = useState(0);',
    '(n, setN) = held(0);',
    '[n, setN] = React.useState(0);',
    'pair = useState(0); [n, setN] = pair;',
    'pair = useState(0); n = pair[0]; setN = pair[1];',
    '[n, dispatch] = useReducer(lambda s: any, a: any -> any { return s; }, 0); setN = dispatch;',
  ]) {
    expect([pair, told(pair, '<p onClick={setN(1)}>{n}</p>')]).toEqual([pair, ['E0613 setN(1)']]);
    const right = '<p onClick={setN} onBlur={lambda { setN(1); }} title={str(n)}>{n}</p>';
    expect([pair, told(pair, right)]).toEqual([pair, []]);
  }
  const pair = 'pair = useState(0); [n, setN] = pair;';
  expect(told(pair, '<p onClick={pair[1](2)}>{n}</p>')).toEqual(['E0613 pair[1](2)']);
  expect(told(pair, '<p onClick={setN(1) if n else None} onBlur={n and setN(2)}>{n}</p>')).toEqual([
    'E0613 setN(1)',
    'E0613 setN(2)',
  ]);
  // Whatever a component of a package does with it.
  expect(found(`import from "kit" { Button }\n${hooks}${app(pair, '<Button onPress={setN(1)}>{n}</Button>')}`)).toEqual(
    ['E0613 setN(1)'],
  );
  const other = 'setN = window.made; [n, change] = window.useToggle(); setM = window.made; setM = n;';
  expect(told(other, '<p onClick={setN(1)} onBlur={change(1)} onKeyUp={setM(1)}>{n}</p>')).toEqual([]);
});

test('what browsers, the runtime and the server give is no handler', () => {
  const runtime = 'import from "@svc/runtime" { useNavigate, navigate as move }\n';
  const server = 'def:pub save(n: int) -> any { return [root-->][n]; }\n';
  const told = (markup: string) =>
    found(runtime + server + app('go = useNavigate(); async def send -> any { return await save(1); }', markup));
  for (const call of [
    'alert("x")',
    'console.log("x")',
    'window.alert("x")',
    'localStorage.clear()',
    'go("/")',
    'move("/")',
    'svcLogout()',
    'save(1)',
    'send()',
  ])
    expect([call, told(`<p onClick={${call}}></p>`)]).toEqual([call, [`E0613 ${call}`]]);
  expect(
    told('<p onClick={lambda { go("/"); }} onBlur={send} onKeyUp={window.made()} title={navigator.language}></p>'),
  ).toEqual([]);
});

test('arguments that a function of the server gathers are those that it takes', () => {
  const declared =
    'def:pub tell(a: int, *rest: int, **more: int) -> str { return f"{a} {rest} {more}"; } def:pub exact(a: int, /, *, c: int = 1) -> int { return a + c; }\n';
  const told = (call: string) =>
    found(
      `${declared}${app(`has out: any = 0; async def go -> None { out = await ${call}; }`, '<p onClick={go}>{out}</p>')}`,
    );
  for (const right of ['tell(1)', 'tell(1, 2, 3)', 'tell(a=1, y=2)', 'tell(1, *[2], **{"y": 1})', 'exact(1, c=2)'])
    expect([right, told(right)]).toEqual([right, []]);
  expect(told('tell(1, "x")')).toEqual(['E0410 "x"']);
  expect(told('tell(1, 2, y="u")')).toEqual(['E0410 "u"']);
  expect(told('tell(1, a=2)')).toEqual(['E0412 a=2']);
  expect(told('tell(y=2)')).toEqual(['E0412 tell(y=2)']);
  expect(told('exact(1, 2)')).toEqual(['E0412 2']);
  expect(told('exact(a=1)')).toEqual(['E0412 a=1']);
});

test('an effect without a name and a body does nothing', () => {
  expect(found(app('has n: int = 0; can with entry; can with [n] entry;'))).toEqual([
    'W0514 can with entry;',
    'W0514 can with [n] entry;',
  ]);
});

test('a type of very many is looked through', () => {
  const union = Array.from({ length: 3000 }, () => 'int').join('|');
  expect(found(app(`x: ${union} = 1; print(x);`))).toEqual([]);
});
