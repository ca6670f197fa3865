import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addModule, hasModule, load, std } from '../registry.ts';
import * as $ from '../values/index-of-runtime.ts';
import '../../core/modules/modules.ts';
import { setOutput } from '../builtins/output.ts';
import { b } from '../builtins/table.ts';

await load('every one');

const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);
const kw = (o: unknown, name: string, args: unknown[], kwargs: Record<string, unknown>) =>
  $.callMethodKw(o, name, args, kwargs);

test('modules are made once, on first use; members that do not exist are attribute errors', () => {
  expect(std('math')).toBe(std('math'));
  expect($.repr(std('math'))).toBe("<module 'math' (built-in)>");
  expect(() => std('math').nope).toThrow("module 'math' has no attribute 'nope'");
  expect([$.hasattr(std('math'), 'nope'), $.getattr(std('math'), '__name__'), std('math').then]).toEqual([
    false,
    'math',
    undefined,
  ]);
  expect(() => std('numpy')).toThrow('module numpy is a CPython package and is not available on this runtime');
  expect(() => std('numpy')).toThrow($.ModuleNotFoundError);
  addModule('probe', () => ({ answer: 42 }));
  expect([hasModule('probe'), std('probe').answer]).toEqual([true, 42]);
  expect($.call(b['__import__'], 'os.path')).toBe(std('os'));
});

test('every provided module can be made', () => {
  const names = [
    'abc',
    'asyncio',
    'base64',
    'builtins',
    'collections.abc',
    'contextlib',
    'copy',
    'dataclasses',
    'enum',
    'functools',
    'hashlib',
    'hmac',
    'http',
    'inspect',
    'os',
    'platform',
    'pprint',
    'secrets',
    'socket',
    'struct',
    'sys',
    'types',
    'typing',
    'unittest.mock',
    'uuid',
    'warnings',
    'zlib',
  ];
  for (const name of names) expect(Object.keys(std(name)).length, name).toBeGreaterThan(0);
});

test('collections', () => {
  const { Counter, defaultdict, OrderedDict, deque, namedtuple, ChainMap } = std('collections');
  const c = $.call(Counter, 'abracadabra');
  expect([
    $.repr(run(c, 'most_common', 2)),
    $.getitem(c, 'zz'),
    $.repr($.sub(c, $.call(Counter, 'aaaaab'))),
    run(c, 'total'),
  ]).toEqual(["[('a', 5), ('b', 2)]", 0, "Counter({'r': 2, 'b': 1, 'c': 1, 'd': 1})", 11]);
  const d = $.call(defaultdict, b['list']);
  run($.getitem(d, 'k'), 'append', 1);
  expect([$.repr(d), run(d, 'get', 'none'), $.eq(d, $.Dict.of('k', [1]))]).toEqual([
    "defaultdict(<class 'list'>, {'k': [1]})",
    null,
    true,
  ]);
  expect(() => $.getitem($.call(defaultdict), 'k')).toThrow("'k'");
  const o = $.call(OrderedDict, [$.tuple('a', 1), $.tuple('b', 2)]);
  run(o, 'move_to_end', 'a');
  expect([$.repr(o), $.repr(kw(o, 'popitem', [], { last: false }))]).toEqual([
    "OrderedDict({'b': 2, 'a': 1})",
    "('b', 2)",
  ]);
  const q = $.callkw(deque, [[1, 2, 3]], { maxlen: 3 });
  run(q, 'append', 4);
  run(q, 'appendleft', 0);
  run(q, 'rotate', 1);
  expect([$.repr(q), run(q, 'popleft'), run(q, 'pop'), b['len'](q), $.contains(q, 0)]).toEqual([
    'deque([3, 0, 2], maxlen=3)',
    3,
    2,
    1,
    true,
  ]);
  for (let i = 0; i < 100; i += 1) run(q, 'append', i);
  expect(b['list'](q)).toEqual([97, 98, 99]);
  const P = $.callkw(namedtuple, ['P', 'x y z'], { defaults: [9] });
  const p = $.callkw(P, [1], { y: 2 });
  expect([
    $.repr(p),
    $.getattr(p, 'z'),
    $.repr(kw(p, '_replace', [], { x: 5 })),
    $.repr($.getattr(P, '_fields')),
    $.eq(p, $.tuple(1, 2, 9)),
  ]).toEqual(['P(x=1, y=2, z=9)', 9, 'P(x=5, y=2, z=9)', "('x', 'y', 'z')", true]);
  expect(() => $.call(P)).toThrow("P.__new__() missing 2 required positional arguments: 'x' and 'y'");
  expect(() => $.call(namedtuple, 'Q', 'a a')).toThrow("Encountered duplicate field name: 'a'");
  const chained = $.call(ChainMap, $.Dict.of('a', 1), $.Dict.of('a', 2, 'b', 3));
  expect([$.getitem(chained, 'a'), $.getitem(chained, 'b'), b['len'](chained)]).toEqual([1, 3, 2]);
});

test('functools', async () => {
  const { reduce, partial, lru_cache, wraps, cmp_to_key, singledispatch, total_ordering } = std('functools');
  expect([$.call(reduce, $.add, [1, 2, 3], 10), $.call(reduce, $.add, ['a', 'b'])]).toEqual([16, 'ab']);
  expect(await $.call(reduce, async (x: number, y: number) => x + y, [1, 2, 3])).toBe(6);
  expect(() => $.call(reduce, $.add, [])).toThrow('reduce() of empty iterable with no initial value');
  expect($.call($.callkw(partial, [b['int']], { base: 2 }), '101')).toBe(5);
  let calls = 0;
  const slow = $.call($.callkw(lru_cache, [], { maxsize: 2 }), (x: number) => {
    calls += 1;
    return x * 2;
  });
  expect([1, 1, 2, 3, 1].map((x) => $.call(slow, x))).toEqual([2, 2, 4, 6, 2]);
  expect([calls, $.repr(run(slow, 'cache_info'))]).toEqual([4, 'CacheInfo(hits=1, misses=4, maxsize=2, currsize=2)']);
  const inner = $.call($.call(wraps, b['len']), (x: unknown) => x);
  expect([$.getattr(inner, '__name__'), $.getattr(inner, '__wrapped__')]).toEqual(['len', b['len']]);
  expect($.callkw(b['sorted'], [[3, 1, 2]], { key: $.call(cmp_to_key, (x: number, y: number) => y - x) })).toEqual([
    3, 2, 1,
  ]);
  const show = $.call(singledispatch, () => 'other');
  $.call($.call($.getattr(show, 'register'), b['int']), () => 'int');
  expect([$.call(show, 1), $.call(show, 'x')]).toEqual(['int', 'other']);
  class Rank {
    n: number;
    constructor(n: number) {
      this.n = n;
    }
    __lt__(other: Rank): boolean {
      return this.n < other.n;
    }
    __eq__(other: unknown): boolean {
      return other instanceof Rank && other.n === this.n;
    }
  }
  $.call(total_ordering, Rank);
  expect([$.ge(new Rank(2), new Rank(1)), $.le(new Rank(1), new Rank(1)), $.gt(new Rank(1), new Rank(2))]).toEqual([
    true,
    true,
    false,
  ]);
});

test('itertools keep their place', () => {
  const it = std('itertools');
  const [one, two] = $.unpack($.call(it.tee, [1, 2]), 2);
  expect([b['list'](one), b['list'](two)]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const groups: unknown[] = [];
  for (const pair of $.iter($.call(it.groupby, 'aabc'))) {
    const [key, members] = $.unpack(pair, 2);
    groups.push([key, b['list'](members).length]);
  }
  expect(groups).toEqual([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
  const source = b['iter']([1, 2, 3, 4]);
  expect([b['list']($.call(it.islice, source, 2)), b['next'](source)]).toEqual([[1, 2], 3]);
  expect(b['list']($.call($.getattr(it.chain, 'from_iterable'), [[1], [2]]))).toEqual([1, 2]);
});

test('json of objects, hooks, floats', () => {
  const json = std('json');
  class Thing {}
  expect(() => run(json, 'dumps', new Thing())).toThrow('Object of type Thing is not JSON serializable');
  expect(kw(json, 'dumps', [new Thing()], { default: () => 'thing' })).toBe('"thing"');
  expect(run(json, 'dumps', [$.f(1), 2])).toBe('[1.0, 2]');
  expect($.repr(kw(json, 'loads', ['{"a": 1}'], { object_hook: (d: any) => d.get('a') }))).toBe('1');
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(() => run(json, 'dumps', cyclic)).toThrow('Circular reference detected');
  const e: any = $.caught(
    (() => {
      try {
        run(json, 'loads', '{\n"a": }');
      } catch (error) {
        return error;
      }
      return undefined;
    })(),
  );
  expect([$.getattr(e, 'lineno'), $.getattr(e, 'colno'), $.getattr(e, 'pos'), $.excMatch(e, $.ValueError)]).toEqual([
    2,
    6,
    7,
    true,
  ]);
});

test('asyncio', async () => {
  const aio = std('asyncio');
  const later = async (value: unknown, ms = 1) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return value;
  };
  const fail = async () => {
    throw new $.ValueError('no');
  };
  expect(await $.awaitable($.call(aio.gather, later(1), 2, later(3)))).toEqual([1, 2, 3]);
  expect($.repr(await $.awaitable($.callkw(aio.gather, [fail(), 1], { return_exceptions: true })))).toBe(
    "[ValueError('no'), 1]",
  );
  await expect($.call(aio.wait_for, later(1, 500), 0.001)).rejects.toBeInstanceOf($.TimeoutError);
  const task = $.call(aio.create_task, later('done'));
  expect(run(task, 'done')).toBe(false);
  expect([await $.awaitable(task), run(task, 'result'), run(task, 'done')]).toEqual(['done', 'done', true]);
  const queue = $.callkw(aio.Queue, [], { maxsize: 1 });
  const taking = run(queue, 'get');
  await run(queue, 'put', 'x');
  expect([await taking, run(queue, 'empty')]).toEqual(['x', true]);
  expect(() => run(queue, 'get_nowait')).toThrow(aio.QueueEmpty);
  const lock = $.call(aio.Lock);
  const order: unknown[] = [];
  const critical = async (name: string) => {
    await $.aenter(lock);
    order.push(`${name} in`);
    await later(null);
    order.push(`${name} out`);
    await $.aexit(lock);
  };
  await Promise.all([critical('a'), critical('b')]);
  expect(order).toEqual(['a in', 'a out', 'b in', 'b out']);
  const event = $.call(aio.Event);
  const waiting = run(event, 'wait');
  run(event, 'set');
  expect(await waiting).toBe(true);
  expect(await $.call(aio.run, later(5))).toBe(5);
  expect([$.call(aio.iscoroutine, later(1)), await $.call(aio.sleep, 0, 'slept')]).toEqual([true, 'slept']);
});

test('contextlib', () => {
  const { contextmanager, suppress, redirect_stdout, ExitStack, closing, nullcontext } = std('contextlib');
  const log: string[] = [];
  const managed = $.call(contextmanager, (name: string) =>
    $.gen(
      (function* () {
        log.push(`in ${name}`);
        try {
          yield name;
        } finally {
          log.push(`out ${name}`);
        }
      })(),
    ),
  );
  const manager = $.call(managed, 'a');
  expect([$.enter(manager), $.exit(manager)]).toEqual(['a', false]);
  const failing = $.call(managed, 'b');
  $.enter(failing);
  expect($.exit(failing, new $.ValueError('x'))).toBe(false);
  expect(log).toEqual(['in a', 'out a', 'in b', 'out b']);
  expect([
    $.exit($.call(suppress, $.KeyError), new $.KeyError('k')),
    $.exit($.call(suppress, $.KeyError), new $.ValueError()),
  ]).toEqual([true, false]);
  const parts: string[] = [];
  const redirected = $.call(redirect_stdout, { write: (text: string) => parts.push(text) });
  const port = setOutput({ out: () => {}, err: () => {} });
  $.enter(redirected);
  $.call(b['print'], 'inside');
  $.exit(redirected);
  $.call(b['print'], 'outside');
  setOutput(port);
  expect(parts).toEqual(['inside\n']);
  const stack = $.call(ExitStack);
  $.enter(stack);
  run(stack, 'callback', () => log.push('callback'));
  run(stack, 'enter_context', $.call(managed, 'c'));
  $.exit(stack);
  expect(log.slice(4)).toEqual(['in c', 'out c', 'callback']);
  expect($.enter($.call(nullcontext, 5))).toBe(5);
  let closed = false;
  $.exit(
    $.call(closing, {
      close: () => {
        closed = true;
      },
    }),
  );
  expect(closed).toBe(true);
});

test('copy', () => {
  const { copy, deepcopy } = std('copy');
  const inner = [1];
  const d = $.Dict.of('a', inner, 'b', inner);
  const shallow = $.call(copy, d);
  expect([shallow === d, shallow.get('a') === inner]).toEqual([false, true]);
  const deep = $.call(deepcopy, d);
  expect([deep.get('a') === inner, deep.get('a') === deep.get('b'), $.eq(deep, d)]).toEqual([false, true, true]);
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const again = $.call(deepcopy, cyclic);
  expect([again[0] === again, again === cyclic]).toEqual([true, false]);
});

test('os, os.path and the file system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-os-'));
  const os = std('os');
  try {
    const deep = run(os.path, 'join', folder, 'a', 'b');
    kw(os, 'makedirs', [deep], { exist_ok: true });
    expect(() => run(os, 'mkdir', deep)).toThrow($.FileExistsError);
    expect(() => run(os, 'makedirs', deep)).toThrow('[Errno 17] File exists');
    const file = run(os.path, 'join', deep, 'f.txt');
    run($.call(b['open'], file, 'w'), 'write', 'hello');
    expect([
      run(os.path, 'getsize', file),
      run(os.path, 'isfile', file),
      run(os.path, 'isdir', deep),
      run(os, 'listdir', deep),
    ]).toEqual([5, true, true, ['f.txt']]);
    expect(b['list'](run(os, 'walk', folder)).map((entry: any) => entry.items.slice(1))).toEqual([
      [['a'], []],
      [['b'], []],
      [[], ['f.txt']],
    ]);
    expect($.getattr(run(os, 'stat', file), 'st_size')).toBe(5);
    run(os, 'rename', file, `${file}2`);
    run(os, 'remove', `${file}2`);
    expect(() => run(os, 'remove', file)).toThrow($.FileNotFoundError);
    run(os, 'rmdir', deep);
  } finally {
    rmSync(folder, { recursive: true });
  }
  $.setitem(os.environ, 'SVC_PROBE', 'yes');
  expect([run(os, 'getenv', 'SVC_PROBE'), process.env['SVC_PROBE'], $.contains(os.environ, 'SVC_PROBE')]).toEqual([
    'yes',
    'yes',
    true,
  ]);
  $.delitem(os.environ, 'SVC_PROBE');
  expect([run(os, 'getenv', 'SVC_PROBE', 'gone'), process.env['SVC_PROBE']]).toEqual(['gone', undefined]);
  expect([
    run(os.path, 'basename', '/a/b.c'),
    run(os.path, 'dirname', '/a/b.c'),
    $.repr(run(os.path, 'splitext', '.bashrc')),
    run(os.path, 'normpath', 'a//b/../c'),
  ]).toEqual(['b.c', '/a', "('.bashrc', '')", 'a/c']);
});

test('random, uuid, hashes, time', async () => {
  const { Random, sample, choices, shuffle } = std('random');
  const draws = (seed: unknown) => {
    const r = $.call(Random, seed);
    return [run(r, 'random'), run(r, 'randint', 1, 6), run(r, 'choice', 'abc'), run(r, 'uniform', 1, 2)];
  };
  expect(draws(1)).toEqual(draws(1));
  expect(draws(1)).not.toEqual(draws(2));
  const xs = [1, 2, 3, 4, 5];
  expect([b['sorted']($.call(sample, xs, 5)), $.callkw(choices, [['a', 'b']], { weights: [1, 0], k: 3 })]).toEqual([
    xs,
    ['a', 'a', 'a'],
  ]);
  $.call(shuffle, xs);
  expect(b['sorted'](xs)).toEqual([1, 2, 3, 4, 5]);
  expect(() => run(std('random'), 'choice', [])).toThrow('Cannot choose from an empty sequence');
  expect(() => run(std('random'), 'randint', 2, 1)).toThrow('empty range in randrange(2, 2)');
  const { UUID, uuid4, uuid5, NAMESPACE_DNS } = std('uuid');
  expect([$.str($.call(uuid5, NAMESPACE_DNS, 'python.org')), $.getattr($.call(uuid4), 'version')]).toEqual([
    '886313e1-3b8a-5372-9b90-0c9aee199e5d',
    4,
  ]);
  expect(
    $.eq($.call(UUID, '{12345678-1234-5678-1234-567812345678}'), $.call(UUID, '12345678123456781234567812345678')),
  ).toBe(true);
  expect(() => $.call(UUID, 'zz')).toThrow('badly formed hexadecimal UUID string');
  const sha = run(std('hashlib'), 'sha256');
  run(sha, 'update', $.bytes('a'));
  expect(run(sha, 'hexdigest')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
  run(sha, 'update', $.bytes('b'));
  expect(run(sha, 'hexdigest')).toBe('fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603');
  expect(() => run(std('hashlib'), 'md5', 'text')).toThrow('Strings must be encoded before hashing');
  expect(run(kw(std('hmac'), 'new', [$.bytes('k'), $.bytes('m')], { digestmod: 'sha1' }), 'hexdigest')).toBe(
    '772b71c8a2997e768be01d9711e4a4f34a24ef33',
  );
  const time = std('time');
  expect([$.repr($.call(time.gmtime, 0)), $.call(time.strftime, '%Y-%m-%d', $.call(time.gmtime, 86400))]).toEqual([
    'time.struct_time(tm_year=1970, tm_mon=1, tm_mday=1, tm_hour=0, tm_min=0, tm_sec=0, tm_wday=3, tm_yday=1, tm_isdst=0)',
    '1970-01-02',
  ]);
  expect(await $.call(time.sleep, 0)).toBe(null);
  expect(() => $.call(time.sleep, -1)).toThrow('sleep length must be non-negative');
});

test('typing names are values', () => {
  const { Optional, Union, List, Any, cast, NamedTuple } = std('typing');
  expect([$.repr($.getitem(Optional, b['int'])), $.repr($.getitem(List, b['str'])), $.repr(Any)]).toEqual([
    'typing.Optional[int]',
    'typing.List[str]',
    'typing.Any',
  ]);
  expect([b['isinstance'](1, $.getitem(Union, $.tuple(b['int'], b['str']))), $.call(cast, b['int'], 'x')]).toEqual([
    true,
    'x',
  ]);
  expect($.repr($.call($.call(NamedTuple, 'P', [$.tuple('x', b['int'])]), 1))).toBe('P(x=1)');
});

test('dates with zones', () => {
  const { datetime, timezone, timedelta, date } = std('datetime');
  const utc = $.callkw(datetime, [2024, 1, 1, 12], { tzinfo: timezone.utc });
  const east = $.call(timezone, $.callkw(timedelta, [], { hours: 5, minutes: 30 }));
  expect([$.str(utc), $.str(run(utc, 'astimezone', east)), run(utc, 'timestamp'), $.repr(east)]).toEqual([
    '2024-01-01 12:00:00+00:00',
    '2024-01-01 17:30:00+05:30',
    $.f(1704110400),
    'datetime.timezone(datetime.timedelta(seconds=19800))',
  ]);
  expect($.eq(utc, run(utc, 'astimezone', east))).toBe(true);
  expect(() => $.lt(utc, $.call(datetime, 2024, 1, 1))).toThrow(
    "can't compare offset-naive and offset-aware datetimes",
  );
  expect(() => $.sub(utc, $.call(datetime, 2024, 1, 1))).toThrow(
    "can't subtract offset-naive and offset-aware datetimes",
  );
  expect([
    $.repr(run(datetime, 'fromtimestamp', 0, timezone.utc)),
    $.format(utc, '%H:%M'),
    b['isinstance'](utc, date),
  ]).toEqual(['datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)', '12:00', true]);
  expect($.dict([[$.call(date, 2024, 1, 1), 'new year']]).get($.call(date, 2024, 1, 1))).toBe('new year');
  expect($.repr(run(datetime, 'combine', $.call(date, 2024, 1, 2), $.call(std('datetime').time, 3, 4)))).toBe(
    'datetime.datetime(2024, 1, 2, 3, 4)',
  );
});
