import collections.abc
from collections.abc import *
from collections import OrderedDict, defaultdict, deque, UserDict
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Reg:
    def __init__(self):
        self.d = {}
    def __getitem__(self, k):
        return self.d[k]
    def __setitem__(self, k, v):
        self.d[k] = v
    def __delitem__(self, k):
        del self.d[k]
    def __iter__(self):
        return iter(self.d)
    def __len__(self):
        return len(self.d)
print(isinstance(Reg(), Mapping), isinstance(Reg(), Iterable), isinstance(Reg(), Sized), isinstance(Reg(), Container), isinstance(Reg(), Collection))
MutableMapping.register(Reg)
print(isinstance(Reg(), MutableMapping), isinstance(Reg(), Mapping), issubclass(Reg, MutableMapping))
r = Reg()
MutableMapping.update(r, {"a": 1}, b=2)
print(r.d, Mapping.get(r, "a"), Mapping.get(r, "z", 5), list(Mapping.items(r)), list(MutableMapping.keys(r)))
print(MutableMapping.pop(r, "a"), MutableMapping.setdefault(r, "q", 4), r.d)
@Sequence.register
class Seq:
    def __getitem__(self, i):
        return [1, 2, 3][i]
    def __len__(self):
        return 3
print(isinstance(Seq(), Sequence), isinstance(Seq(), Collection), Sequence.count(Seq(), 2), Sequence.index(Seq(), 3))
class LowerDict(MutableMapping):
    def __init__(self, *args, **kw):
        self.store = {}
        self.update(*args, **kw)
    def __getitem__(self, k):
        return self.store[k.lower()]
    def __setitem__(self, k, v):
        self.store[k.lower()] = v
    def __delitem__(self, k):
        del self.store[k.lower()]
    def __iter__(self):
        return iter(self.store)
    def __len__(self):
        return len(self.store)
d = LowerDict({"A": 1}, Bee=2)
print(dict(d), d.get("a"), "BEE" in d, list(d.keys()), list(d.values()), list(d.items()), d.keys() & {'a', 'q'}, len(d.items()), d == {"a": 1, "bee": 2})
print(d.pop("a"), d.pop("zz", None), d.setdefault("N", []), len(d), list(d), d.popitem())
t(lambda: d.pop("zz"))
t(lambda: d["zz"])
d.clear()
print(len(d), bool(d))
class Vec(Sequence):
    def __init__(self, *xs):
        self.xs = xs
    def __getitem__(self, i):
        return self.xs[i]
    def __len__(self):
        return len(self.xs)
v = Vec(1, 2, 3, 2)
print(list(v), 2 in v, list(reversed(v)), v.index(2), v.count(2), v.index(2, 2), [*v])
t(lambda: v.index(9))
class S2(Set):
    def __init__(self, xs):
        self.xs = list(dict.fromkeys(xs))
    def __contains__(self, x):
        return x in self.xs
    def __iter__(self):
        return iter(self.xs)
    def __len__(self):
        return len(self.xs)
a, b = S2([1, 2, 3]), S2([2, 3, 4])
print(list(a & b), list(a | b), list(a - b), list(a ^ b), a <= b, a == S2([3, 2, 1]), a.isdisjoint(b), list(a & {1}), type(a & b).__name__)
class MS(MutableSet):
    def __init__(self, xs=()):
        self.xs = []
        for x in xs:
            self.add(x)
    def add(self, x):
        if x not in self.xs:
            self.xs.append(x)
    def discard(self, x):
        if x in self.xs:
            self.xs.remove(x)
    def __contains__(self, x):
        return x in self.xs
    def __iter__(self):
        return iter(self.xs)
    def __len__(self):
        return len(self.xs)
m = MS([1, 2])
m |= {3}
m -= {1}
m.remove(2)
print(list(m), m.pop(), len(m))
t(lambda: m.remove(7))
class ML(MutableSequence):
    def __init__(self):
        self.xs = []
    def __getitem__(self, i):
        return self.xs[i]
    def __setitem__(self, i, v):
        self.xs[i] = v
    def __delitem__(self, i):
        del self.xs[i]
    def __len__(self):
        return len(self.xs)
    def insert(self, i, v):
        self.xs.insert(i, v)
l = ML()
l.append(1)
l.extend([2, 3])
l += [4]
l.reverse()
print(l.xs, l.pop(), l.pop(0), 3 in l)
l.remove(3)
print(l.xs)
class Bad:
    def __len__(self):
        return 1
print(isinstance({}, MutableMapping), isinstance([], MutableSequence), isinstance((), Sequence), isinstance("a", Sequence), isinstance(b"", Sequence), isinstance(range(3), Sequence), isinstance({1}, Set), isinstance(frozenset(), MutableSet), isinstance({}.keys(), KeysView), isinstance({}.items(), ItemsView), isinstance(deque(), MutableSequence), isinstance(defaultdict(), MutableMapping), isinstance(UserDict(), MutableMapping))
print(isinstance(len, Callable), isinstance(lambda: 1, Callable), isinstance(iter([]), Iterator), isinstance((x for x in []), Generator), isinstance([], Hashable), isinstance((), Hashable), isinstance(3, Iterable), isinstance("", Iterable), isinstance(bytearray(), MutableSequence), isinstance(b"", ByteString), isinstance([], Reversible), isinstance({}, Reversible), isinstance(set(), Reversible))
print(issubclass(list, Sequence), issubclass(dict, Mapping), issubclass(str, Sequence), issubclass(set, MutableSet), issubclass(int, Hashable), issubclass(list, Hashable), issubclass(LowerDict, Mapping), issubclass(Vec, Iterable), issubclass(Reg, Sized))
print(Iterable, Mapping, Callable, Set, Iterable[int], Callable[[int], str], Mapping.__name__, collections.abc.Sequence)
class It(Iterator):
    def __init__(self):
        self.n = 0
    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n
print(list(It()), isinstance(It(), Iterable))
class G(Generator):
    def send(self, v):
        return 1
    def throw(self, *a):
        raise StopIteration
print(next(G()))
class Called:
    def __call__(self):
        return 1
print(isinstance(Called(), Callable), isinstance(Reg, Callable))
match r:
    case _:
        print("map")
class HK:
    def keys(self):
        return ["a"]
    def __getitem__(self, k):
        return 1
print(isinstance(HK(), Mapping), dict(HK()))
