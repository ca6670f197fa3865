/** Rows of the language reference's chapter about the client, each as a program in a browser. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromium, type Page, startBrowser } from '../harness/browser.ts';
import { repository } from '../harness/server.ts';
import { type Answered, type Asked, type Rows, serveRows } from './bundle-rows.ts';

const task = { _svc_type: 'Task', _svc_id: 'a'.repeat(32), _svc_archetype: 'node', title: 'milk', done: false };
const token = `h.${Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString('base64url')}.s`;

const money = (cents: number) => ({
  _svc_type: 'Money',
  _svc_id: null,
  _svc_archetype: 'archetype',
  cents,
  currency: 'EUR',
});

function answer({ path }: Asked): Answered {
  const reports = (...values: unknown[]) => ({ body: { ok: true, data: { result: {}, reports: values } } });
  if (path === '/walker/AddTask') return reports(task);
  if (path.startsWith('/walker/Toggle') || path.startsWith('/api/') || path === '/walker/Upload') return reports(task);
  if (path === '/walker/Prices') return reports(money(1250), { all: [money(5)] });
  if (path === '/walker/Refs') return reports(task, { $ref: task._svc_id, $type: 'Task' });
  if (path === '/function/add') return { body: { ok: true, data: { result: 6 } } };
  if (path === '/function/internal') return { body: { ok: true, data: { result: 4 } } };
  if (path === '/function/costs')
    return { body: `data: ${JSON.stringify(money(7))}\n\nevent: end\ndata: {}\n\n`, type: 'text/event-stream' };
  if (path === '/function/fails')
    return { status: 409, body: { ok: false, error: { code: 'TAKEN', message: 'is taken' } } };
  if (path === '/function/count_up')
    return {
      body: 'data: 0\n\ndata: 1\n\n: keep-alive\n\ndata: 2\n\nevent: end\ndata: {}\n\n',
      type: 'text/event-stream',
    };
  if (path === '/user/login') return { body: { ok: true, data: { access_token: token } } };
  if (path === '/user/register')
    return { status: 409, body: { ok: false, error: { code: 'IDENTITY_TAKEN', message: 'taken' } } };
  if (path === '/user/logout') return { body: { ok: true } };
  return { status: 404, body: { ok: false, error: { code: 'NOT_FOUND', message: 'no such walker' } } };
}

describe.skipIf(chromium === undefined)('client code in a browser', () => {
  let browser: Browser;
  let rows: Rows;
  beforeAll(async () => {
    rows = await serveRows(join(repository, 'test/client/rows'), answer);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await rows?.[Symbol.asyncDispose]();
  });

  async function open(name: string): Promise<Page> {
    const page = await browser.open(`${rows.base}/?case=${name}`);
    await page.until("document.querySelector('#root > *') !== null");
    return page;
  }
  const text = (page: Page, selector: string): Promise<string> =>
    page.run(`document.querySelector(${JSON.stringify(selector)})?.textContent`);
  const click = async (page: Page, selector: string): Promise<void> => {
    await page.run(
      `new Promise((done) => { document.querySelector(${JSON.stringify(selector)}).click(); setTimeout(done, 20); })`,
    );
  };

  test('components take properties as their declarations say', async () => {
    const page = await open('components');
    expect(await text(page, '#none')).toBe('none');
    expect(await text(page, '#whole')).toBe('n child');
    expect(await text(page, '#kept')).toBe('dark True');
    expect(await page.run("document.querySelector('#parts').outerHTML")).toBe(
      '<div id="parts" data-x="1" data-k="v">t/3/kid</div>',
    );
    expect(await page.run("[...document.querySelectorAll('.row')].map((e) => e.textContent).join()")).toBe('-1,-2');
    expect(await text(page, '#special')).toBe('w');
    // The only parameter takes the object where no tag gives a property of its name.
    expect([await text(page, '#guarded'), await text(page, '#only')]).toEqual(['in', '7']);
    expect(await text(page, '#last')).toBe('last');
    expect(await text(page, '#tail')).toBe('tail');
    expect(await text(page, '#shown')).toBe('shown');
    // A tag in lower case is an element of the host, also where a component has that name.
    expect(
      await page.run("[document.querySelectorAll('small').length, document.querySelectorAll('#small').length].join()"),
    ).toBe('1,1');
    expect(await page.run("document.querySelectorAll('#parts')[1].textContent")).toBe('called/9/');
    expect(await page.run("document.querySelectorAll('#parts')[2].textContent")).toBe('given/3/whole');
    expect(await page.run("document.querySelectorAll('#only')[1].textContent")).toBe('8');
    expect(await text(page, '.positions')).toBe('pq');
    // Lists give what they hold by position, also to a function that takes properties.
    expect(await page.run("[...document.querySelectorAll('.head, .pill')].map((e) => e.textContent).join()")).toBe(
      'A0*10,B1*10,x,y,z',
    );
    expect(await text(page, '.inner')).toBe('1');
    await click(page, '#read');
    expect(await page.run('document.title')).toBe('boxed');
    expect(await text(page, 'em')).toBe('frag');
    expect(await text(page, '#and')).toBe('yes');
    expect(await page.run("document.querySelector('main').textContent.includes('never')")).toBe(false);
    expect(await page.run("document.querySelector('main').lastChild.textContent")).toBe('0');
    expect(page.errors).toEqual([]);
  });

  test('state cells', async () => {
    const page = await open('state');
    await click(page, '#plus');
    expect(await text(page, '#n')).toBe('5');
    await click(page, '#twice');
    expect(await text(page, '#n')).toBe('10');
    await click(page, '#shadow');
    expect(await text(page, '#log')).toBe('[101]');
    expect(await text(page, '#n')).toBe('10');
    await click(page, '#set');
    expect(await text(page, '#n')).toBe('50');
    await click(page, '#self');
    expect(await text(page, '#n')).toBe('100');
    await click(page, '#swap');
    expect(await text(page, '#ab')).toBe('2,1');
    await click(page, '#inc');
    expect(await text(page, '#other')).toBe('15');
    await click(page, '#focus');
    expect(await page.run("document.querySelector('#box').value")).toBe('found');
    expect(await text(page, '#made')).toBe('1');
    expect(page.errors).toEqual([]);
  });

  test('parts that are loaded later, workers and files with a query', async () => {
    const page = await open('late');
    await page.until("document.querySelector('#plain')?.textContent === 'other'");
    expect(await text(page, '#chart')).toBe('chart with axis');
    expect(await text(page, '#notes')).toBe('notes');
    expect(await text(page, '#words')).toBe('seven words');
    // Values that scripts export have the methods of their kinds.
    expect(await text(page, '#tones')).toBe('1 low1');
    await page.until("document.querySelector('#squared').textContent === '144'");
    await page.until("document.querySelector('#dot').naturalWidth === 4");
    expect(page.errors).toEqual([]);
  });

  test('effects and their clean-ups', async () => {
    const page = await open('effects');
    await page.until("document.querySelector('#child').textContent === 'c 7'");
    await click(page, '#hide');
    await click(page, '#log');
    expect((await text(page, '#events')).split(';')).toEqual([
      'mount c',
      'n 0',
      'pair',
      'bare 0',
      'hook',
      'clean 0',
      'left 0',
      'n 7',
      'pair',
      'bare 7',
      'exit c',
      'clean 7',
      'left 7',
      'hook gone',
    ]);
    expect(page.errors).toEqual([]);
  });

  test('markup, slots and suspense', async () => {
    const page = await open('markup');
    expect(await page.run("[...document.querySelectorAll('#slot li')].map((e) => e.textContent).join()")).toBe(
      'ONE,THREE',
    );
    expect(await text(page, '#nested')).toBe('onetwothree');
    expect(await text(page, '#if')).toBe('some');
    expect(await page.run('document.title')).toBe('short — page 3');
    expect(await text(page, '#match')).toBe('B or C');
    expect(await text(page, '#while')).toBe('01');
    expect(await text(page, '#skip')).toBe('12');
    expect(await page.run("document.querySelector('#html').innerHTML")).toBe('<b>raw</b> &amp; ok');
    expect(await text(page, '#mixed')).toBe('a raw c');
    expect(await text(page, '#text')).toBe('<b> © ab   spaced line');
    expect(await page.run("document.querySelector('#attrs').getAttribute('title')")).toBe('short');
    expect(await page.run("document.querySelector('#attrs').style.color")).toBe('red');
    expect(await page.run("document.querySelector('#attrs').style.fontSize")).toBe('12px');
    expect(await text(page, '#bools')).toBe('01x');
    expect(await text(page, '#ternary')).toBe('yes');
    await page.until("document.querySelector('#wait .came')?.textContent === 'arrived'");
    await page.until("document.querySelector('#fail').textContent === 'failed: broken'");
    const tried = () => page.run("[...document.querySelectorAll('#tried > p')].map((e) => e.textContent).join()");
    const write = (value: string) =>
      page.run(`new Promise((done) => {
        const field = document.querySelector('#tried input');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(done, 20);
      })`);
    expect(await tried()).toBe('caught bad,goodbad,no number');
    await write('none');
    expect(await tried()).toMatch(/^another,good.*none.*,no number$/);
    await write('7');
    expect(await tried()).toBe('7,good7,7');
  });

  test('built-ins, methods and operators', async () => {
    const page = await open('python');
    const rowsOf = Object.fromEntries(
      JSON.parse(await text(page, '#out')).map(([name, ...values]: [string]) => [name, values]),
    );
    expect(rowsOf).toEqual({
      dict: ['none', 1, ['a', 'b'], ['a=1', 'b=[1, 2]']],
      sort: [
        [1, 2, 3],
        [3, 2, 1],
        ['a', 'bb'],
      ].map((row, i) => (i === 0 ? [10, 30] : row)),
      neg: [3, 'd', 'el', [3, 2, 1], [2, 3]],
      text: ['HELLO WORLD', ['hello', 'world'], 'hell0 w0rld', 6, 'Hello World', 'a, b', true],
      js: [[2, 4, 6], true, 3, '**hello world'],
      ops: [3, -4, 2, 32, 3, 'abab', [1, 2], 2.5],
      eq: [true, true, true, true, true, true, true, false],
      truth: [false, false, false, true, 'default', 'yes'],
      fmt: ['3.14', '00042', '1,234,567', '   x|y  | z ', "'hello world'", 'q-007', '1 2'],
      alone: [true, '1B', '2x'],
      float: [
        '1.0 3.5 3.0 3.0',
        '3.0',
        '1.0',
        '3.0 whole=3.0',
        '  3.0|1,234.0|3|+3.0',
        'None',
        '1e+16',
        '1e-05',
        '-0.0',
        '3 3 2.0 2',
      ],
      floats: [
        '[1.0, 2.5]',
        "{'a': 2.0}",
        "[1.0, 2.5] [1.0, 2.5] by={'a': 2.0}",
        "{'a': [2.0]}",
        "(1.0, 'x') [1, 2.5] [1, 2] None [3.0, None]",
        '[4.0, 5.0]',
        '[3] []',
      ],
      'float forms': ['3.0|  3.5|3.0|3%', '3.0', '3.0 1.0 3.50 3', '3 3.0 {} [1.0, 2.5]', '{1.0, 2.5} {3.0} {1}'],
      times: ['abab', [1, 1], [2, 2]],
      affixes: [true, true, true, true],
      joined: ['1,2,3', 'a-b', 'x-y'],
      counted: [[1, 2], { 1: 'b' }, [[1, 1]]],
      iter: [7, 8, 'end', [0, 2, 4]],
      types: [['b', 'A', 'b'], ['A', 'b', 'C'], 'A', ['b', 'a'], { a: 0, b: 0 }, '[1, 2]', 'a-1', "'q' z"],
      builtins: [
        6,
        1,
        3,
        true,
        false,
        2,
        2,
        3.14,
        3,
        [3, 1],
        [0, 1, 2],
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [[1, 'x']],
      ],
      class: [5, 6, 'BOB', 0, true, 'cat:4', 'tit:2!', 'Point(x=3, y=4)'],
      enum: [true, true, 'Color.RED', 'red', 'RED', ['RED', 'GREEN']],
      is: [true, true, true, true, false],
      try: [['bad', 9, 'fin', 'json', 'attr', 'ok', 'else']],
      loops: [[[0, 1], [2, 3], 'done', 'a', 'b', 0, 1, 'three', 'four']],
      match: [1, [2, 3]],
      unpack: [5, [2, 3], 1, 2, 6, { a: 1, b: [1, 2], c: 3 }, [1, 2, 3, 9], {}],
      gen: [[4, 9], { 1: 1, 2: 2, 3: 3 }, {}, ['ac', 'ad', 'bc', 'bd']],
      new: [2020, 1, '/p'],
      places: [[10, 30], { b: [1, 2], new: 1, n: 6 }],
    });
    expect(page.errors).toEqual([]);
  });

  test.each(['methods', 'rules', 'found', 'strangers'])('rows of %s', async (name) => {
    const page = await open(name);
    const rowsOf: unknown[] = JSON.parse(await text(page, '#rows'));
    // A row that is as it should be gives its name alone.
    expect(rowsOf.filter((row) => typeof row !== 'string')).toEqual([]);
    expect(rowsOf.length).toBeGreaterThan(8);
    if (name === 'found') {
      await page.until("document.querySelector('#measured').textContent === 'measured'");
      expect(await text(page, 'table')).toBe('24line 068');
    }
    if (name === 'strangers') {
      expect(await text(page, '#members')).toBe('excellent 200 kind one kind twogood Size.S');
      expect(await page.run("document.querySelector('#members').className")).toBe('low');
      await click(page, '#memo');
      expect(await text(page, '#memo')).toBe('3');
      await page.until("document.title === 'n=6'");
      await click(page, '#hoc');
      expect(await text(page, '#hoc')).toBe('1');
      expect(await text(page, '#row')).toBe('one');
      expect(await text(page, '#slots')).toBe('0a1bc01');
      expect(await text(page, '#texts')).toBe('t01kelabsum 200X,Y12X,Y');
    }
    if (name === 'rules') {
      expect(await text(page, '#themed')).toBe('light');
      expect(await text(page, '#hash')).toBe('#svcdev #2text');
      expect(await page.run("document.querySelector('#hash b').className")).toBe('bold');
    }
    expect(page.errors).toEqual([]);
  });

  test('calls over the network', async () => {
    const page = await open('wire');
    const run = async (what: string): Promise<string> => {
      await page.run("document.querySelector('#out').textContent = ''");
      await click(page, `#${what}`);
      return await page.until("document.querySelector('#out').textContent");
    };
    const last = (): Asked => rows.asked.at(-1)!;
    expect(await run('spawn')).toBe('200 True milk milk True');
    expect(last()).toMatchObject({ method: 'POST', path: '/walker/AddTask', body: { title: 'milk', tags: ['a'] } });
    expect(await run('node')).toBe('1');
    expect(last().path).toBe(`/walker/Toggle/${'b'.repeat(32)}`);
    expect(await run('id')).toBe('200');
    expect(last().path).toBe(`/walker/Toggle/${'a'.repeat(32)}`);
    expect(await run('post')).toBe('True');
    expect(await run('path')).toBe('True');
    expect(last()).toMatchObject({ method: 'GET', path: '/api/tasks/3?q=a+b' });
    // A path that is put together, positions of the decorator, members of enums, sets and dates as texts.
    expect(await run('texts')).toBe('texts True');
    expect(last()).toMatchObject({
      method: 'GET',
      path: '/api/v1/tones/loud?tags=x&tags=y&other=loud&at=1970-01-01T00%3A00%3A00.000Z',
    });
    expect(await run('sets')).toBe('sets True');
    expect(last().body).toEqual({ file: { s: [1, 2] } });
    // Objects of two answers are equal where their fields are.
    expect(await run('equal')).toBe('[True, True, False]');
    // Of a walker in another module of the program, without an import.
    expect(await run('unimported')).toBe('far True');
    expect(last()).toMatchObject({ method: 'GET', path: '/api/far/4?q=b' });
    expect(await run('unknown')).toBe('False 404 NOT_FOUND');
    expect(await run('function')).toBe('6');
    expect(last()).toMatchObject({ path: '/function/add', body: { a: 1, b: 5 } });
    expect(await run('internal')).toBe('4');
    expect(last()).toMatchObject({ path: '/function/internal', body: { n: 1 } });
    expect(await run('lambda')).toBe('200');
    expect(await run('fails')).toBe('error CallError is taken');
    expect(await run('stream')).toBe('[0, 1, 2]');
    // A walk that does not stream has its reports for `async for`; one that failed is an exception there.
    expect(await run('each')).toBe("['milk', False]");
    expect(await run('none')).toBe('error CallError no such walker');
    expect(await run('upload')).toBe('True');
    expect(last().type).toContain('multipart/form-data');
    // Objects of a type that both halves have are of its class.
    expect(await run('objects')).toBe('12.50 EUR 0.05 EUR 0.01 EUR True 0.07 EUR');
    expect(await run('gather')).toBe('1 CallError 2 1 late');
    // A handler in a comprehension waits by itself; the component does not.
    expect(await run('within')).toBe('each True');
    expect(await run('ref')).toBe('True');
    expect(await run('login')).toBe('True True');
    expect(last().body).toEqual({ email: 'ada@example.com', password: 'pw' });
    expect(await run('identity')).toBe('True');
    expect(last().body).toEqual({
      identity: { type: 'email', value: 'a@b.c' },
      credential: { type: 'password', password: 'pw' },
    });
    expect(await run('identities')).toBe('IDENTITY_TAKEN');
    expect(last().body).toMatchObject({ identities: [{ type: 'username', value: 'bob' }] });
    expect(await run('helper')).toBe('200');
    expect(last().token).toBe(`Bearer ${token}`);
    expect(await run('logout')).toBe('False');
    expect(await run('signup')).toBe('False taken');
  });

  test('routes, guards and links', async () => {
    const page = await open('routing');
    expect(await text(page, 'h1')).toBe('Home');
    await click(page, '#go');
    await page.until("document.querySelector('h1').textContent === 'User 7 /user/7 ?x=1 7'");
    expect(await page.run("document.querySelector('#shell') !== null")).toBe(true);
    await click(page, '#out');
    await page.until("document.querySelector('h1').textContent.startsWith('User 9')");
    await page.run("history.pushState(null, '', '/secret'), dispatchEvent(new PopStateEvent('popstate'))");
    await page.until("document.querySelector('h1').textContent === 'Login'");
    await click(page, '#in');
    await page.until("document.querySelector('h1').textContent === 'Secret'");
    // A route that asks while the application is drawn knows of the token, too.
    await page.run("history.pushState(null, '', '/mine'), dispatchEvent(new PopStateEvent('popstate'))");
    await page.until("document.querySelector('h1').textContent === 'Mine'");
    // Who signs out and goes elsewhere is there: the guard of the page before does not send to the login.
    await click(page, '#in');
    await page.until("document.querySelector('h1').textContent === 'Secret'");
    await click(page, '#leave');
    await page.until("!['Secret', 'Mine'].includes(document.querySelector('h1').textContent)");
    expect(await text(page, 'h1')).toBe('User 1 /user/1  1');
    expect(page.errors).toEqual([]);
  });

  test('the spelling of the early era', async () => {
    const page = await open('early');
    // The first of them comes with the answer of a walker.
    await page.until("document.querySelector('#nested')?.textContent === '-first+xy'");
    await page.until("document.querySelector('h1').textContent === '1 todos, 0'");
    expect(await page.run("document.querySelector('li').className")).toBe('done');
    await type(page, 'input', 'second ');
    await click(page, 'button');
    await page.until("document.querySelector('h1').textContent === '2 todos, 1'");
    expect(await page.run("document.querySelectorAll('li')[1].textContent")).toBe('second');
    expect(page.errors).toEqual([]);
  });

  test('a drawn form has groups for objects, and rows for lists that are added, moved and removed', async () => {
    const page = await open('forms');
    await page.until("document.querySelector('#parcel form') !== null");
    const parcel = (selector: string) => `#parcel ${selector}`;
    const words = (selector: string) =>
      page.run(`[...document.querySelectorAll(${JSON.stringify(parcel(selector))})].map((e) => e.textContent).join()`);
    const press = (spoken: string) => click(page, parcel(`button[aria-label="${spoken}"]`));
    expect(await words('legend')).toBe('To,Items,Tag');
    expect(await words('label')).toBe('Road,Zip');
    await click(page, parcel('button[type=submit]'));
    await page.until(`document.querySelectorAll('#parcel [role=alert]').length === 2`);
    expect(await words('[role=alert]')).toBe('no street,nothing in it');
    for (const spoken of ['Add to Items', 'Add to Items', 'Add to Items', 'Add to Tag']) await press(spoken);
    expect(await words('legend')).toBe('To,Items,Items 1,Items 2,Items 3,Tag');
    expect(await words('label')).toBe('Road,Zip,Title,Count,Title,Count,Title,Count,Tag 1');
    for (const [name, value] of [
      ['to.street', 'High'],
      ['items[0].title', 'a'],
      ['items[0].count', '1'],
      ['items[1].title', 'b'],
      ['items[1].count', '2'],
      ['items[2].count', '3'],
      ['tags[0]', 'red'],
    ])
      await type(page, parcel(`input[name="${name}"]`), value!);
    await click(page, parcel('button[type=submit]'));
    await page.until(`document.querySelector('#parcel [role=alert]')?.textContent === 'no title'`);
    expect(
      await page.run(
        `(() => { const e = document.querySelector('#parcel [aria-invalid=true]'); return [e.name, document.getElementById(e.getAttribute('aria-describedby')).textContent].join(); })()`,
      ),
    ).toBe('items[2].title,no title');
    await press('Remove Items 3');
    await press('Move Items 2 up');
    expect(await page.run(`document.querySelector('#parcel input[name="items[0].count"]').placeholder`)).toBe(
      'how many',
    );
    await click(page, parcel('button[type=submit]'));
    await page.until("document.querySelector('#parcelled').textContent !== ''");
    expect(JSON.parse(await text(page, '#parcelled'))).toEqual({
      to: { street: 'High', zip: '' },
      items: [
        { title: 'b', count: 2 },
        { title: 'a', count: 1 },
      ],
      tags: ['red'],
    });
    expect(page.errors).toEqual([]);
  });

  test('forms made from schemas', async () => {
    const page = await open('forms');
    expect(await text(page, 'label')).toBe('Address');
    await type(page, 'input[name=email]', 'nobody');
    await page.until("document.querySelector('[role=alert]')?.textContent === 'not an address'");
    const described = await page.run(
      "document.getElementById(document.querySelector('input[name=email]').getAttribute('aria-describedby')).textContent",
    );
    expect(described).toBe('not an address');
    await type(page, 'input[name=email]', 'a@example.com');
    await type(page, 'input[name=password]', 'long enough');
    await page.run(
      "(() => { const e = document.querySelector('select'); e.value = 'user'; e.dispatchEvent(new Event('change', { bubbles: true })); })()",
    );
    await click(page, 'input[value=s]');
    await type(page, 'textarea.wide', 'n');
    await click(page, 'button[type=submit]');
    await page.until("document.querySelector('#sent').textContent !== ''");
    expect(JSON.parse(await text(page, '#sent'))).toEqual({
      email: 'a@example.com',
      password: 'long enough',
      role: 'user',
      agree: false,
      size: 's',
      note: 'n',
    });
    // An empty field that may be left out is left out, whatever its type.
    await page.until("document.querySelector('#taken') !== null");
    await type(page, 'input[name=age]', '7');
    await page.until("document.querySelector('[role=alert]')?.textContent === 'too young'");
    await type(page, 'input[name=age]', '');
    await page.until("document.querySelector('[role=alert]') === null");
    expect(await page.run("document.querySelector('form').className")).toBe('form');
    expect(
      await page.run("getComputedStyle(document.querySelector('form')).gridTemplateColumns.split(' ').length"),
    ).toBe(3);
    expect(
      await page.run(
        "[...document.querySelectorAll('label[for]')].every((e) => document.getElementById(e.htmlFor) !== null)",
      ),
    ).toBe(true);
    await type(page, '#name', 'Ada');
    await page.run("document.querySelector('#other').requestSubmit()");
    await page.until("document.querySelector('#named').textContent === 'Ada'");
    // A check that waits: told with the others, and before anything is sent.
    await type(page, '#orderer', 'b');
    await page.until("document.querySelector('#taken').textContent === 'too short'");
    await type(page, '#orderer', 'bob');
    await page.until("document.querySelector('#taken').textContent === 'is taken'");
    await page.run("document.querySelector('#order').requestSubmit()");
    await click(page, '#more');
    await type(page, '#orderer', 'ann');
    await type(page, '#zip', '12345');
    await page.until("document.querySelector('#taken').textContent === ''");
    expect(await text(page, '#ordered')).toBe('');
    await page.run("document.querySelector('#order').requestSubmit()");
    await page.until("document.querySelector('#ordered').textContent !== ''");
    const ordered = { name: 'ann', to: { zip: '12345' }, items: [{ title: 't' }] };
    expect(JSON.parse(await text(page, '#ordered'))).toEqual(ordered);
    // A mistake that was there when a field was left, and is mended, keeps nothing from being sent; and it is told once.
    await page.run("document.querySelector('#terms').requestSubmit()");
    await page.until("document.querySelector('#short').textContent === 'short'");
    await type(page, '#agreer', 'ann');
    await click(page, '#agree');
    await page.run("document.querySelector('#terms').requestSubmit()");
    await page.until("document.querySelector('#agreed').textContent === '1'");
    expect(page.errors).toEqual([]);
  });

  async function type(page: Page, selector: string, value: string): Promise<void> {
    await page.run(`(() => {
      const e = document.querySelector(${JSON.stringify(selector)});
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, ${JSON.stringify(value)});
      e.dispatchEvent(new Event('input', { bubbles: true }));
      e.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    })()`);
  }
});
