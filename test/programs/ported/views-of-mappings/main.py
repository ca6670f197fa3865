from collections.abc import Mapping, MutableMapping, Sequence, MutableSequence, Set, MutableSet, KeysView, ItemsView, ValuesView, Iterable, Sized, Container, Hashable, Callable, Collection, Iterator, Reversible, Generator


class M(Mapping):
    def __init__(self, d):
        self.d = dict(d)

    def __getitem__(self, k):
        return self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


class MM(MutableMapping):
    def __init__(self, *a, **k):
        self.d = {}
        self.update(*a, **k)

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

    def __repr__(self):
        return f"MM({self.d})"


class S(Sequence):
    def __init__(self, x):
        self.x = list(x)

    def __getitem__(self, i):
        return self.x[i]

    def __len__(self):
        return len(self.x)


class ST(Set):
    def __init__(self, x=()):
        self.x = []
        for i in x:
            if i not in self.x:
                self.x.append(i)

    def __contains__(self, i):
        return i in self.x

    def __iter__(self):
        return iter(self.x)

    def __len__(self):
        return len(self.x)

    def __repr__(self):
        return f"ST({self.x})"


class MS(MutableSet):
    def __init__(self, x=()):
        self.x = list(x)

    def __contains__(self, i):
        return i in self.x

    def __iter__(self):
        return iter(self.x)

    def __len__(self):
        return len(self.x)

    def add(self, i):
        if i not in self.x:
            self.x.append(i)

    def discard(self, i):
        if i in self.x:
            self.x.remove(i)

    def __repr__(self):
        return f"MS({self.x})"


class ML(MutableSequence):
    def __init__(self, x=()):
        self.x = list(x)

    def __getitem__(self, i):
        return self.x[i]

    def __setitem__(self, i, v):
        self.x[i] = v

    def __delitem__(self, i):
        del self.x[i]

    def __len__(self):
        return len(self.x)

    def insert(self, i, v):
        self.x.insert(i, v)


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


def main():
    m = MM(a=1, b=2)
    print(m.keys(), m.values(), m.items())
    print(type(m.keys()).__name__, type(m.values()).__name__, type(m.items()).__name__)
    k = m.keys()
    m["c"] = 3
    print(len(k), list(k), "c" in k)
    print(sorted(k & {"a", "z"}), sorted(k | {"z"}), sorted(k - {"a"}), sorted(k ^ {"a", "q"}))
    print(type(k & {"a"}))
    print(m.items() & {("a", 1)})
    print(("a", 1) in m.items(), ("a", 2) in m.items(), 3 in m.values())
    print(isinstance(k, KeysView), isinstance(m.items(), ItemsView), isinstance(m.values(), ValuesView))
    print(isinstance(k, Set), isinstance({}.keys(), KeysView), isinstance({}.keys(), Set))
    print(k == {"a", "b", "c"}, k <= {"a", "b", "c", "d"}, k.isdisjoint({"x"}))
    print(m.pop("a"), m.pop("zz", None), m.setdefault("n", 9), m.popitem())
    tried(lambda: m.pop("nope"))
    tried(lambda: m["nope"])
    print(m.get("b"), m.get("zzz"), m.get("zzz", 4), m == {"b": 2, "c": 3}, {"b": 2} == m, dict(m), {**m})
    m.update({"x": 1}, y=2)
    m.update([("p", 1)])
    print(m, len(m), bool(m))
    m.clear()
    print(m, bool(m))
    tried(lambda: m.popitem())
    tried(lambda: hash(M({})))
    print(M({1: 2}) == M({1: 2}), M({1: 2}) != M({1: 3}))
    s = S("abcab")
    print(s.index("b"), s.count("a"), "c" in s, list(reversed(s)), list(s), s.index("a", 1))
    tried(lambda: s.index("q"))
    a, b = ST("abc"), ST("bcd")
    print(a & b, a | b, a - b, a ^ b, a <= b, a < ST("abcd"), a == ST("cba"), a.isdisjoint("xyz"), a & "ab")
    print({"a"} <= a, {"a"} | a)
    ms = MS([1, 2, 3])
    ms |= {4}
    ms &= {1, 4, 5}
    print(ms, ms.pop(), ms)
    ms.remove(4)
    tried(lambda: ms.remove(99))
    ms.clear()
    tried(lambda: ms.pop())
    ms ^= {7}
    ms -= {8}
    print(ms)
    ml = ML([1, 2])
    ml.append(3)
    ml.extend([4, 5])
    ml += [6]
    print(ml.pop(), ml.pop(0), list(ml))
    ml.reverse()
    ml.remove(3)
    print(list(ml), ml.count(4))
    tried(lambda: ml.remove(1000))
    ml.clear()
    tried(lambda: ml.pop())
    print(isinstance([], MutableSequence), isinstance((), Sequence), isinstance("", Sequence), isinstance({}, MutableMapping), issubclass(dict, Mapping), issubclass(list, Sequence), isinstance(range(3), Sequence), issubclass(str, Sequence), issubclass(bytes, Sequence), isinstance(set(), MutableSet), isinstance(frozenset(), MutableSet), issubclass(frozenset, Set))
    print(isinstance([], Iterable), isinstance(3, Iterable), isinstance(iter([]), Iterator), isinstance((x for x in []), Generator), isinstance(len, Callable), isinstance([], Hashable), isinstance((), Hashable), isinstance([], Collection), isinstance([], Reversible), isinstance([], Sized), isinstance([], Container))

    class X:
        def __len__(self):
            return 1

        def __iter__(self):
            return iter([])

        def __contains__(self, x):
            return True
    print(isinstance(X(), Sized), isinstance(X(), Iterable), isinstance(X(), Container), isinstance(X(), Collection), issubclass(X, Sized))
    print(list(MM(a=1).items()), sorted(MM(b=1, a=2)))
    print(repr(M({1: 2}).keys())[:5], [f"{k}={v}" for k, v in MM(q=1).items()])
    print(Mapping.__name__, Mapping.__abstractmethods__ == frozenset({"__getitem__", "__iter__", "__len__"}))
    print(json_like(MM(a=1)))


def json_like(m):
    return {k: v for k, v in m.items()}


main()
