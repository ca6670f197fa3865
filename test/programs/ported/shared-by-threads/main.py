import threading, time, queue, functools
from contextlib import contextmanager
from collections import OrderedDict, defaultdict
class SafeDict:
    def __init__(self):
        self._lock = threading.RLock()
        self._d = {}
    def __setitem__(self, k, v):
        with self._lock:
            self._d[k] = v
    def __getitem__(self, k):
        with self._lock:
            return self._d[k]
    def __delitem__(self, k):
        with self._lock:
            del self._d[k]
    def __len__(self):
        with self._lock:
            return len(self._d)
    def __contains__(self, k):
        with self._lock:
            return k in self._d
    def __iter__(self):
        with self._lock:
            keys = list(self._d)
        return iter(keys)
    def __repr__(self):
        with self._lock:
            return f"SafeDict({self._d})"
    def get(self, k, dflt=None):
        with self._lock:
            return self._d.get(k, dflt)
    def setdefault(self, k, d):
        with self._lock:
            return self._d.setdefault(k, d)
    @property
    def size(self):
        with self._lock:
            return len(self._d)
d = SafeDict()
d['a'] = 1
d['b'] = 2
d['a'] += 5
print(d, len(d), 'a' in d, 'z' not in d, d['a'], d.get('q', 0), d.size, sorted(d), list(d))
del d['b']
print(d, [k for k in d], {k: d[k] for k in d}, bool(d), "yes" if d else "no", d.setdefault('n', []))
for k in d: print(k, d[k])
print(f"{d} has {len(d)} items; {d.size:>4}|{d!r:>30}")
try:
    d['missing']
except KeyError as e:
    print('KeyError', e)
class LRU:
    def __init__(self, cap):
        self.cap = cap
        self.lock = threading.Lock()
        self.data = OrderedDict()
        self.hits = 0
    def get(self, key):
        with self.lock:
            if key not in self.data: return None
            self.data.move_to_end(key)
            self.hits += 1
            return self.data[key]
    def put(self, key, v):
        with self.lock:
            self.data[key] = v
            self.data.move_to_end(key)
            if len(self.data) > self.cap: self.data.popitem(last=False)
    def __call__(self, fn):
        @functools.wraps(fn)
        def inner(*args):
            v = self.get(args)
            if v is None:
                v = fn(*args)
                self.put(args, v)
            return v
        return inner
cache = LRU(2)
@cache
def square(x):
    print('computing', x)
    return x * x
print([square(x) for x in (2, 3, 2, 4, 3)], cache.hits)
class Account:
    total = 0
    def __init__(self, owner, balance=0):
        self.owner, self._balance = owner, balance
        self._lock = threading.Lock()
    @property
    def balance(self):
        with self._lock: return self._balance
    @balance.setter
    def balance(self, v):
        with self._lock:
            if v < 0: raise ValueError('negative')
            self._balance = v
    def __lt__(self, o): return self.balance < o.balance
    def __eq__(self, o): return isinstance(o, Account) and self.balance == o.balance
    def __add__(self, o): return Account(self.owner + '&' + o.owner, self.balance + o.balance)
    def __str__(self): return f"{self.owner}: {self.balance:.2f}"
    def __repr__(self): return f"Account({self.owner!r}, {self.balance})"
    def __bool__(self): return self.balance > 0
a, b = Account('ann', 10), Account('bob', 5)
a.balance += 7
a.balance -= 2
try:
    b.balance = -1
except ValueError as e:
    print('ValueError', e)
print(a, b, a + b, a == b, a < b, a > b, sorted([a, b]), max(a, b), min([a, b]), sorted([a, b], reverse=True))
print([x.owner for x in sorted([a, b], key=lambda x: x.balance)], sum(x.balance for x in [a, b]), any(x.balance > 9 for x in [a, b]))
print("rich" if a and b else "poor", not Account('z'), [str(x) for x in (a, b)], ', '.join(map(str, [a, b])), a in [b, a], [b, a].index(a))
print("%s and %r" % (a, b), "{} {!r}".format(a, b), {'x': a}, (a,), str([a, b]))
match a:
    case Account(owner='ann', balance=15): print('match ann')
    case _: print('other')
class Counter2:
    def __init__(self): self.n, self.lock = 0, threading.Lock()
    def __enter__(self):
        self.lock.acquire()
        return self
    def __exit__(self, *e):
        self.lock.release()
        return False
    def __iadd__(self, k):
        with self.lock: self.n += k
        return self
c = Counter2()
def work():
    global c
    for i in range(5): c += 1
ts = [threading.Thread(target=work) for i in range(4)]
[t.start() for t in ts]
[t.join() for t in ts]
with c as q: print(q.n)
class Pool:
    def __init__(self, n):
        self.q = queue.Queue()
        for i in range(n): self.q.put(i)
    @contextmanager
    def conn(self):
        x = self.q.get()
        try:
            yield x
        finally:
            self.q.put(x)
    def __len__(self): return self.q.qsize()
p = Pool(2)
with p.conn() as x, p.conn() as y: print(x, y, len(p))
print(len(p))
def producer(q, n):
    for i in range(n): q.put(i)
    q.put(None)
def consume(q):
    while (item := q.get()) is not None:
        yield item
q = queue.Queue()
t = threading.Thread(target=producer, args=(q, 4))
t.start()
print(sum(consume(q)), list(zip('ab', [1, 2])))
t.join()
class Matrix:
    def __init__(self, rows): self.rows = rows; time.sleep(0)
    def __matmul__(self, o): return Matrix([[sum(x * y for x, y in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __eq__(self, o): return self.rows == o.rows
    def __getitem__(self, ij):
        time.sleep(0)
        i, j = ij
        return self.rows[i][j]
    def __repr__(self): return f"M{self.rows}"
m = Matrix([[1, 2], [3, 4]])
print(m @ m, m[1, 0], m == Matrix([[1, 2], [3, 4]]), -m[0, 1])
class Chain:
    def __init__(self): self.ops = []
    def add(self, x): time.sleep(0); self.ops.append(x); return self
    def __or__(self, f): time.sleep(0); return f(self)
print((Chain().add(1).add(2) | (lambda c: c.ops)))
words = defaultdict(list)
def slow_key(s): time.sleep(0); return len(s)
for s in ['a', 'bb', 'cc']: words[slow_key(s)].append(s)
print(dict(words), max(words.items(), key=lambda kv: slow_key(kv[1])))
print(list(filter(lambda s: slow_key(s) > 1, ['a', 'bb'])), [*map(slow_key, ['a', 'bb'])], dict(map(lambda s: (s, slow_key(s)), ['x', 'yy'])))
