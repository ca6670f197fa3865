import time
def w(x=None):
    time.sleep(0)
    return x
class Box:
    def __init__(self, v):
        w()
        self.v = v
    def __str__(self): return w(f"Box<{self.v}>")
    def __repr__(self): return w(f"Box({self.v!r})")
    def __format__(self, spec): return w(f"F[{spec}]{self.v}")
    def __len__(self): return w(self.v)
    def __eq__(self, o): return w(isinstance(o, Box) and self.v == o.v)
    def __hash__(self): return w(hash(self.v))
    def __lt__(self, o): return w(self.v < o.v)
    def __contains__(self, x): return w(x == self.v)
    def __getitem__(self, i): return w(self.v + i)
    def __setitem__(self, i, v):
        w()
        self.v = v
    def __delitem__(self, i):
        w()
        self.v = 0
    def __call__(self, a, b=2): return w(self.v + a + b)
    def __add__(self, o): return w(Box(self.v + (o.v if isinstance(o, Box) else o)))
    def __radd__(self, o): return w(Box(self.v + o))
    def __neg__(self): return w(Box(-self.v))
    def __abs__(self): return w(abs(self.v))
    def __int__(self): return w(self.v)
    def __float__(self): return w(float(self.v))
    def __round__(self, n=0): return w(self.v)
    def __index__(self): return w(self.v)
    def __iter__(self):
        for i in range(self.v):
            w()
            yield i
    def __reversed__(self): return w(iter([9, 8]))
    def __enter__(self):
        w()
        return self
    def __exit__(self, *a):
        w()
        return False
    @property
    def p(self): return w(self.v * 10)
    @p.setter
    def p(self, x):
        w()
        self.v = x // 10
    def __getattr__(self, name):
        if name.startswith('dyn_'):
            return w(name)
        raise AttributeError(name)
class T:
    def __init__(self, b): self.b = b
    def __bool__(self): return w(self.b)
def sec(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, e)
b = Box(3)
def s1(): print(b); return 1
def s2(): print([b], (b,), {"k": b}); return str([b])
sec('print', s1)
sec('nested', s2)
sec('str', lambda: str(b))
sec('repr', lambda: repr(b))
sec('fstr', lambda: f"{b} {b!r} {b!s} {b:>5} {[b]}")
sec('format', lambda: format(b, 'x'))
sec('strformat', lambda: "{} {!r} {:q}".format(b, b, b))
sec('percent', lambda: "%s %r" % (b, b))
sec('percent2', lambda: "%s" % b)
sec('len', lambda: len(b))
sec('eq', lambda: (b == Box(3), b != Box(3), b == Box(4)))
sec('listeq', lambda: ([b] == [Box(3)], [b] == [Box(4)], (b,) == (Box(4),), {"a": b} == {"a": Box(4)}))
sec('in', lambda: (Box(3) in [b], Box(4) in [b], Box(4) not in [b], Box(3) in (b,)))
sec('lt', lambda: (b < Box(4), b > Box(4)))
sec('sorted', lambda: [x.v for x in sorted([Box(3), Box(1), Box(2)])])
sec('sortedrev', lambda: [x.v for x in sorted([Box(3), Box(1), Box(2)], reverse=True)])
def s3():
    xs = [Box(3), Box(1), Box(2)]
    xs.sort()
    return [x.v for x in xs]
sec('sort', s3)
sec('sortkey', lambda: [x.v for x in sorted([Box(3), Box(1), Box(2)], key=lambda x: (x, 1))])
sec('min', lambda: (min([Box(3), Box(1)]).v, max(Box(3), Box(1)).v, min([Box(3), Box(1)], key=lambda q: q).v))
sec('contains', lambda: (3 in b, 4 in b, 4 not in b))
sec('getitem', lambda: b[2])
def s4():
    q = Box(1); q[0] = 5; r = q.v; q[0] += 1; r2 = q.v; del q[0]; return (r, r2, q.v)
sec('setitem', s4)
sec('call', lambda: (b(1), b(1, b=5)))
sec('add', lambda: ((b + b).v, (b + 1).v, (1 + b).v))
sec('sum', lambda: sum([Box(1), Box(2)]).v)
sec('sum2', lambda: sum([Box(1), Box(2)], Box(0)).v)
sec('neg', lambda: ((-b).v, abs(b)))
sec("int", lambda: (int(b), float(b) == 3.0, round(b)))
sec('index', lambda: ([10, 20, 30, 40][b], list(range(b)), [1,2,3,4,5][:b]))
sec('iter', lambda: [x for x in b])
sec('list', lambda: (list(b), tuple(b), set(b), sorted(b), sum(b), max(b)))
sec('unpack', lambda: [*b])
def s5():
    x, y, z = b
    return x + y + z
sec('unpack2', s5)
sec('star', lambda: print(*b))
sec('enumerate', lambda: list(enumerate(b)))
sec('zip', lambda: list(zip(b, b)))
sec('dictcomp', lambda: {i: 1 for i in b})
sec('reversed', lambda: list(reversed(b)))
def s6():
    with b as q:
        return q.v
sec('with', s6)
def s7():
    q = Box(1); r = q.p; q.p = 50; q.p += 10; return (r, q.p, q.v)
sec('prop', s7)
sec('bool', lambda: (bool(T(True)), bool(T(False)), not T(True), 1 if T(False) else 2))
def s8():
    r = []
    if T(False): r.append(1)
    elif T(True): r.append(2)
    while T(False): r.append(3)
    r.append(T(False) or 5)
    r.append(bool(T(True) and 7))
    assert T(True)
    return r
sec('truth', s8)
sec('anyall', lambda: (any([T(False), T(False)]), all([T(True), T(False)]), [1 for x in [T(False), T(True)] if x]))
sec('filter', lambda: len(list(filter(None, [T(False), T(True)]))))
sec('boxbool', lambda: (bool(Box(0)), bool(Box(2))))
def s9():
    d = {Box(1): 'a'}
    d[Box(2)] = 'b'
    return (d[Box(1)], d.get(Box(2)), d.get(Box(3), 'no'), Box(1) in d, len(d), len({Box(1), Box(1)}))
sec('dictkey', s9)
sec('count', lambda: ([Box(1), Box(2), Box(1)].count(Box(1)), [Box(1), Box(2)].index(Box(2))))
def s10():
    xs = [Box(1), Box(2)]
    xs.remove(Box(2))
    return len(xs)
sec('remove', s10)
sec('getattr', lambda: (b.dyn_a, getattr(b, 'dyn_b'), hasattr(b, 'nope'), getattr(b, 'nope', 1), getattr(b, 'p')))
sec('hash', lambda: hash(Box(5)))
sec('join', lambda: ",".join(str(x) for x in [b, b]))
sec('map', lambda: list(map(str, [b])))
sec('mapBox', lambda: [x.v for x in map(Box, [1, 2])])
sec('method', lambda: list(map(b.__add__, [1]))[0].v)
sec('isinst', lambda: isinstance(b, Box))
sec('match', lambda: [x for x in [b] if x == Box(3)] != [])
