import time, re, json, heapq, bisect, functools, itertools, collections, contextlib, statistics, operator, threading, copy, logging
from dataclasses import dataclass, field
from unittest import mock
def w(x=None):
    time.sleep(0)
    return x
def dbl(x): return w(x * 2)
def odd(x): return w(x % 2 == 1)
def sec(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, e)
def s1():
    r = []
    for x in map(dbl, itertools.count()):
        if x > 6: break
        r.append(x)
    return r
sec('mapcount', s1)
def s2():
    r = []
    for a, b in zip(map(dbl, itertools.count()), 'abc'):
        r.append((a, b))
    return r
sec('zipcount', s2)
sec('filtercount', lambda: list(itertools.islice(filter(odd, itertools.count()), 3)))
sec('takewhile', lambda: list(itertools.takewhile(lambda x: w(x < 4), itertools.count())))
sec('dropwhile', lambda: list(itertools.islice(itertools.dropwhile(lambda x: w(x < 4), itertools.count()), 2)))
sec('accumulate', lambda: list(itertools.islice(itertools.accumulate(itertools.count(1), lambda a, b: w(a * b)), 4)))
sec('starmap', lambda: list(itertools.islice(itertools.starmap(lambda a, b: w(a + b), zip(itertools.count(), itertools.count())), 3)))
sec('filterfalse', lambda: list(itertools.islice(itertools.filterfalse(odd, itertools.count()), 3)))
sec('groupby', lambda: [(k, list(g)) for k, g in itertools.groupby([1, 3, 2, 4, 5], odd)])
def s3():
    m = map(dbl, itertools.count())
    return (next(m), next(m), next(m))
sec('nextmap', s3)
def gen():
    i = 0
    while True:
        w()
        yield i
        i += 1
sec('islicegen', lambda: list(itertools.islice(gen(), 3)))
sec('chain', lambda: list(itertools.islice(itertools.chain([9], gen()), 3)))
sec('enumgen', lambda: next(enumerate(gen(), 5)))
sec('zipgen', lambda: list(zip(gen(), gen(), 'ab')))
sec('anygen', lambda: any(x > 3 for x in gen()))
sec('any2', lambda: any(map(lambda x: w(x > 3), itertools.count())))
sec('ingen', lambda: 4 in gen())
sec('nextgen', lambda: next(x for x in gen() if x > 2))
sec('pairwise', lambda: list(itertools.islice(itertools.pairwise(gen()), 2)))
sec('tee', lambda: [list(itertools.islice(t, 2)) for t in itertools.tee(gen())])
sec('ziplongest', lambda: list(itertools.zip_longest(itertools.islice(gen(), 2), 'abc')))
sec('compress', lambda: list(itertools.islice(itertools.compress(gen(), itertools.cycle([1, 0])), 2)))
sec('cycle', lambda: list(itertools.islice(itertools.cycle(itertools.islice(gen(), 2)), 5)))
sec('product', lambda: list(itertools.product(itertools.islice(gen(), 2), 'a')))
sec('comb', lambda: list(itertools.combinations(itertools.islice(gen(), 3), 2)))
sec('joinmap', lambda: ','.join(map(str, map(dbl, [1, 2]))))
sec('dictzip', lambda: dict(zip('ab', map(dbl, [1, 2]))))
sec('counter', lambda: collections.Counter(map(dbl, [1, 1, 2])))
sec('deque', lambda: collections.deque(map(dbl, [1, 2]), maxlen=5))
def s4():
    xs = [0]
    xs.extend(map(dbl, [1, 2]))
    xs += map(dbl, [3])
    xs[1:1] = map(dbl, [9])
    s = set()
    s.update(map(dbl, [1, 2]))
    d = {}
    d.update(zip('ab', map(dbl, [1, 2])))
    return xs, sorted(s), d
sec('extend', s4)
sec('unpackmap', lambda: [*map(dbl, [1, 2])] + list((*map(dbl, [3]),)))
def s5():
    a, b = map(dbl, [1, 2])
    c, *d = map(dbl, [1, 2, 3])
    return a, b, c, d
sec('unpack', s5)
sec('printstar', lambda: print(*map(dbl, [1, 2]), sep='-'))
sec('sum', lambda: (sum(map(dbl, [1, 2])), max(map(dbl, [1, 2])), sorted(map(dbl, [2, 1])), set(map(dbl, [1])), tuple(map(dbl, [1]))))
sec('resub', lambda: re.sub(r'\d', lambda m: w(str(int(m.group()) * 2)), 'a1b2'))
sec('resubn', lambda: re.subn(r'\d', lambda m: w('x'), 'a1b2'))
def s6():
    p = re.compile(r'(\w)(\d)')
    def rep(m): return w(m.group(2) + m.group(1))
    return p.sub(rep, 'a1b2', count=1)
sec('patsub', s6)
sec('reduce', lambda: functools.reduce(lambda a, b: w(a + b), [1, 2, 3], 0))
sec('cmp', lambda: sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: w(b - a))))
sec('minkey', lambda: (min([3, 1, 2], key=lambda x: w(-x)), max([3, 1, 2], key=lambda x: w(-x))))
sec('sortkey', lambda: sorted(['b', 'a'], key=lambda x: w((x, 1)), reverse=True))
sec('nlargest', lambda: (heapq.nlargest(2, [1, 2, 3], key=lambda x: w(-x)), heapq.nsmallest(2, [1, 2, 3], key=lambda x: w(-x))))
sec('merge', lambda: list(heapq.merge([1, 3], [2], key=lambda x: w(x))))
sec('bisect', lambda: bisect.bisect_left([1, 2, 3], 2, key=lambda x: w(x)))
class Odd:
    pass
sec('jsondefault', lambda: json.dumps({'a': Odd()}, default=lambda o: w('odd')))
sec('jsonhook', lambda: json.loads('{"a": {"b": 1}}', object_hook=lambda d: w(sorted(d))))
class Enc(json.JSONEncoder):
    def default(self, o): return w('enc')
sec('jsoncls', lambda: json.dumps([Odd()], cls=Enc))
sec('jsonencode', lambda: Enc().encode([Odd()]))
def s7():
    d = collections.defaultdict(lambda: w([]))
    d['a'].append(1)
    d['b'] += [2]
    d['a'].append(3)
    return dict(d)
sec('defaultdict', s7)
def s8():
    d = collections.defaultdict(lambda: w(0))
    for c in 'aab': d[c] += 1
    return dict(d)
sec('defaultdict2', s8)
class Miss(dict):
    def __missing__(self, k):
        self[k] = w(k * 2)
        return self[k]
sec('missing', lambda: (Miss()['ab'], Miss(a=1)['a']))
@dataclass
class P:
    a: int = field(default_factory=lambda: w(5))
    b: int = 1
    def __post_init__(self):
        self.c = w(self.a + self.b)
sec('dataclass', lambda: (P(), P().c, P(1, 2).c))
sec('dcset', lambda: [P(x).c for x in [1, 2]])
@functools.lru_cache(maxsize=None)
def slow(n): return w(n + 1)
sec('lru', lambda: (slow(1), slow(1), slow(2), slow.cache_info()))
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else w(fib(n - 1) + fib(n - 2))
sec('fib', lambda: fib(20))
calls = []
@functools.lru_cache(maxsize=None)
def bad(n):
    calls.append(n)
    w()
    raise ValueError('no')
def s9():
    for i in range(2):
        try:
            bad(1)
        except ValueError as e:
            pass
    return calls, bad.cache_info()
sec('lruerr', s9)
def timed(f):
    @functools.wraps(f)
    def inner(*a, **k):
        r = f(*a, **k)
        w()
        return ('t', r)
    return inner
@timed
def add(a, b=1):
    return w(a + b)
sec('wraps', lambda: (add(1), add(1, b=3), add.__name__))
def retry(n):
    def deco(f):
        @functools.wraps(f)
        def inner(*a, **k):
            for i in range(n):
                try:
                    return f(*a, **k)
                except ValueError:
                    w()
            return 'gave up'
        return inner
    return deco
class Svc:
    tries = 0
    @retry(3)
    def go(self):
        self.tries += 1
        if self.tries < 3: raise ValueError('x')
        return w(self.tries)
sec('retry', lambda: Svc().go())
class Cached:
    @functools.cached_property
    def v(self): return w([1])
    @staticmethod
    def st(x): return w(x)
    @classmethod
    def cl(cls, x): return w((cls.__name__, x))
def s10():
    c = Cached()
    return c.v is c.v, c.v, c.st(1), Cached.st(2), c.cl(3), Cached.cl(4)
sec('cachedprop', s10)
@contextlib.contextmanager
def cm(x):
    w()
    try:
        yield x
    except KeyError:
        print('swallow')
    finally:
        w()
        print('exit', x)
def s11():
    with cm(1) as a, cm(2) as b:
        print(a, b)
    with cm(3):
        raise KeyError('k')
    return 'ok'
sec('cm', s11)
def s12():
    with contextlib.ExitStack() as st:
        st.enter_context(cm('es'))
        st.callback(lambda x: print('cb', w(x)), 7)
        st.push(lambda *a: w(None))
    return 'done'
sec('exitstack', s12)
class Closer:
    def close(self):
        w()
        print('closed')
def s13():
    with contextlib.closing(Closer()) as c:
        pass
    with contextlib.suppress(ValueError):
        w()
        raise ValueError()
    return 1
sec('closing', s13)
def s14():
    out = []
    def t(x):
        w()
        out.append(x)
    ts = [threading.Thread(target=t, args=(i,)) for i in range(3)]
    for x in ts: x.start()
    for x in ts: x.join()
    return sorted(out)
sec('thread', s14)
def s15():
    m = mock.Mock(side_effect=lambda x: w(x + 1))
    r = m(1)
    m.assert_called_once_with(1)
    return r
sec('mock', s15)
class H(logging.Handler):
    def emit(self, record):
        w()
        print('LOG', record.getMessage())
def s16():
    lg = logging.getLogger('x')
    lg.addHandler(H())
    lg.propagate = False
    lg.setLevel(logging.INFO)
    lg.info('hello %s', 1)
    print('after')
    return 1
sec('logging', s16)
sec('partial', lambda: functools.partial(dbl, 4)())
sec('mappartial', lambda: list(map(functools.partial(lambda a, b: w(a + b), 1), [1, 2])))
class D:
    def __get__(self, o, t=None): return w(41 if o else 'cls')
    def __set__(self, o, v):
        w()
        o.seen = v
class HasD:
    d = D()
def s17():
    h = HasD()
    h.d = 5
    return h.d, h.seen
sec('descr', s17)
class CP:
    def __init__(self, v): self.v = v
    def __copy__(self): return w(CP(self.v + 1))
    def __deepcopy__(self, memo): return w(CP(self.v + 2))
sec('copy', lambda: (copy.copy(CP(1)).v, copy.deepcopy([CP(1)])[0].v))
class Lt:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return w(self.v < o.v)
def s18():
    h = []
    for v in [3, 1, 2]: heapq.heappush(h, Lt(v))
    r = [heapq.heappop(h).v for i in range(3)]
    h2 = [Lt(3), Lt(1), Lt(2)]
    heapq.heapify(h2)
    r.append(h2[0].v)
    xs = []
    for v in [3, 1, 2]: bisect.insort(xs, Lt(v))
    return r, [x.v for x in xs], [x.v for x in sorted([Lt(2), Lt(1)])], max([Lt(1), Lt(5)]).v if False else 0
sec('heap', s18)
@functools.singledispatch
def show(x): return w('obj')
@show.register(int)
def show_int(x): return w('int')
sec('singledispatch', lambda: (show(1), show('a')))
@functools.total_ordering
class TO:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return w(self.v == o.v)
    def __lt__(self, o): return w(self.v < o.v)
sec('total', lambda: (TO(1) <= TO(1), TO(2) > TO(1), TO(1) >= TO(2), [t.v for t in sorted([TO(2), TO(1)])]))
sec('attrgetter', lambda: sorted([CP(2), CP(1)], key=lambda c: w(c.v))[0].v)
class Pr:
    def __init__(self, v): self._v = v
    @property
    def v(self): return w(self._v)
sec('attrprop', lambda: [p.v for p in sorted([Pr(2), Pr(1)], key=operator.attrgetter('v'))])
sec('maxprop', lambda: max([Pr(2), Pr(1)], key=lambda p: p.v).v)
class Node2:
    def __init__(self, n, kids=()): self.n, self.kids = n, kids
    def __iter__(self):
        w()
        yield self.n
        for k in self.kids: yield from k
sec('yieldfrom', lambda: list(Node2(1, [Node2(2), Node2(3)])))
sec('lamdef', lambda: (lambda f: f(2))(dbl))
sec('dictdispatch', lambda: {'a': dbl, 'b': odd}['a'](3))
sec('listofl', lambda: [f(3) for f in (dbl, odd)])
sec('iterf', lambda: list(iter(lambda it=iter([1, 2, 0, 3]): w(next(it)), 0)))
sec('statistics', lambda: statistics.mean(map(dbl, [1, 2, 3])))
class NT(threading.Thread):
    def run(self):
        w()
        self.r = 5
def s20():
    t = NT(); t.start(); t.join(); return t.r
sec('threadrun', s20)
def s21():
    lock = threading.Lock()
    with lock:
        return w(1)
sec('lock', s21)
