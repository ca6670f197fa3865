from typing import Dict, List
import json
from functools import reduce
class Stack(list):
    def append(self, x):
        list.append(self, x * 2)
    def peek(self): return list.__getitem__(self, -1)
s = Stack(); s.append(4); s.append(5)
print(s, s.peek(), len(s))
class Lower(dict):
    def __setitem__(self, k, v):
        dict.__setitem__(self, k.lower(), v)
    def __getitem__(self, k):
        return dict.__getitem__(self, k.lower())
    def get(self, k, d=None):
        return dict.get(self, k.lower(), d)
    def __contains__(self, k): return super().__contains__(k.lower())
    def __or__(self, o):
        r = Lower(); 
        for k, v in {**self, **o}.items(): r[k] = v
        return r
d = Lower(); d["ABC"] = 5
print(d, d["aBc"], d.get("Abc"), "ABC" in d, d | {"Q": 1})
class Default(dict):
    def __missing__(self, k):
        self[k] = k * 2
        return self[k]
e = Default(); print(e["a"], e, dict.get(e, "zz"))
class Money(int):
    def __add__(self, o): return Money(int.__add__(self, o))
    def __repr__(self): return f"${int.__repr__(self)}"
    def __str__(self): return "m"
print(Money(5) + Money(6), repr(Money(4) + 1), sum([Money(1), Money(2)], Money(0)))
class Name(str):
    def __eq__(self, o): return str.lower(self) == str.lower(o)
    def __hash__(self): return str.__hash__(self.lower())
print(Name("Ab") == "aB")
class Cnt(dict):
    def __init__(self, *a, **k):
        dict.__init__(self, *a, **k)
        self.hits = 0
    def __getitem__(self, k):
        self.hits += 1
        return super().__getitem__(k)
    def __delitem__(self, k):
        print("del", k)
        super().__delitem__(k)
    def update(self, *a):
        super().update(*a)
        return self
c = Cnt({"x": 1}, y=2); c["x"]; del c["y"]
print(c, c.hits, c.update({"z": 3}), list(c), len(c), c == {"x": 1, "z": 3})
class T(tuple):
    def __new__(cls, *a): return tuple.__new__(cls, a)
    def __add__(self, o): return T(*tuple.__add__(self, tuple(o)))
print(T(1, 2) + [3], type(T(1) + (2,)).__name__)
class S(set):
    def add(self, x):
        set.add(self, x + 1)
    def __contains__(self, x): return set.__contains__(self, x + 1)
z = S(); z.add(1); print(z, 1 in z, 2 in z)
ops = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}
def ev(tokens):
    st = []
    for t in tokens.split():
        if t in ops:
            b, a = st.pop(), st.pop()
            st.append(ops[t](a, b))
        else: st.append(int(t))
    return st[0]
print(ev("3 4 + 2 *"), reduce(lambda a, b: a | b, map(dict.copy, [{"a": 1}, {"b": 2}])))
print((3).__class__, "abc".__len__(), [3, 1].__contains__(3), (1.5).__add__(1), (5).__divmod__(3), "x".__mul__(3), {"a": 1}.__len__(), (1, 2).__getitem__(0), {1}.__or__({2}), (7).__rsub__(10))
it = iter([1, 2]); print(it.__next__(), next(it))
try: it.__next__()
except StopIteration: print("stop")
def gen(): yield 1; yield 2
g = gen(); print(g.__next__(), list(iter(g.__next__, 2)))
print(sorted([[3], [1, 2]], key=list.__len__), max("abc", key=str.__hash__) in "abc", hasattr(5, "__add__"), hasattr("a", "__sub__"), hasattr([], "__len__"), hasattr(5, "__len__"), hasattr(5, "__iter__"), hasattr([], "__iter__"), hasattr("", "__iter__"), hasattr({}, "__getitem__"))


class Label(str):
    prefix = "<"

    @classmethod
    def quoted(cls, text):
        return cls(cls.prefix + text + ">")

    @staticmethod
    def plain(text):
        return "plain " + text

    def both(self):
        make = self.quoted
        return make("a") + self.quoted("b")


class Level(int):
    names = {1: "low"}

    @classmethod
    def parse(cls, text):
        return cls(int(text))


label = Label("x")
print(label.prefix, label.quoted("y"), type(label.quoted("y")).__name__, label.plain("z"), label.both(), label.upper())
print(Level(1).names[Level(1)], Level(3).parse("4") + 1, hasattr(Level(2), "parse"), getattr(label, "quoted")("q"))


class Metres(float):
    def half(self):
        return self / 2


class Depth(Metres):
    pass


class Table(dict):
    @classmethod
    def zeros(cls, names):
        return super().fromkeys(names, 0)


class Code(int):
    @classmethod
    def read(cls, data):
        return super().from_bytes(data, "big")


far = [Metres(3.0), Metres("4"), Depth.fromhex("0x1p1")]
print(far[0], far, f"{far[1]} {far[1]!r:>6} {far[1]:.2f}", repr(far[2]), type(far[2]).__name__, "%s" % far[0], json.dumps({"d": far[0]}))
print(Metres(2.0) + 1, Metres(4.0).half(), 3 * Depth(2.0), max(far), sorted(far), str(Metres(5)))
print(Table.zeros("ab"), type(Table.zeros("a")).__name__, type(Table.fromkeys([1])).__name__, Code.read(b"\x01\x02"), type(Code.from_bytes(b"\x01", "big")).__name__)


class Registry(Dict[str, int]):
    @classmethod
    def ones(cls, names):
        return super().fromkeys(names, 1)


class Numbers(List[int]):
    def total(self):
        return sum(self)


r = Registry.ones("ab")
r["c"] = 2
print(r, isinstance(r, dict), type(r).__name__, Numbers([1, 2]).total(), Numbers([3]) + [4])
