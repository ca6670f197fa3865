import abc
import contextlib
import copy
import functools
import inspect
import itertools
import operator
import sys
import time
import types
import weakref
from collections import UserDict, UserList, namedtuple, ChainMap, defaultdict
from collections.abc import Iterable, Mapping, MutableMapping, Callable, Iterator, Sequence
from dataclasses import dataclass, field, KW_ONLY, InitVar, make_dataclass
from functools import cached_property, lru_cache, partial, partialmethod, singledispatch, singledispatchmethod, total_ordering, wraps, reduce
from typing import Any, Generic, NamedTuple, Optional, Protocol, TypeVar, runtime_checkable


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


# plugin registry with decorators and class hooks
class PluginMeta:
    def __init__(self, kind):
        self.kind = kind

    def __call__(self, cls):
        cls.kind = self.kind
        Plugins.register(cls)
        return cls


class Plugins:
    _all = {}

    @classmethod
    def register(cls, plugin):
        cls._all.setdefault(plugin.kind, []).append(plugin)

    def __class_getitem__(cls, kind):
        return [p.__name__ for p in cls._all.get(kind, [])]

    @staticmethod
    def create(kind, *a, **k):
        return [p(*a, **k) for p in Plugins._all.get(kind, ())]


class BasePlugin(abc.ABC):
    priority = 0

    def __init_subclass__(cls, *, priority=None, **kw):
        super().__init_subclass__(**kw)
        if priority is not None:
            cls.priority = priority

    @property
    @abc.abstractmethod
    def title(self): ...

    @classmethod
    @abc.abstractmethod
    def make(cls): ...

    @abc.abstractmethod
    def run(self, data): ...

    def __lt__(self, other):
        return self.priority < other.priority


@PluginMeta("text")
class Upper(BasePlugin, priority=5):
    @property
    def title(self):
        return "upper"

    @classmethod
    def make(cls):
        return cls()

    def run(self, data):
        return data.upper()


@PluginMeta("text")
class Rev(BasePlugin, priority=1):
    title = "rev"

    @classmethod
    def make(cls):
        return cls()

    def run(self, data):
        return data[::-1]


class Half(BasePlugin):
    title = "half"


# attribute tricks
class Typed:
    def __init__(self, *types_):
        self.types = types_

    def __set_name__(self, owner, name):
        self.private = "_" + name
        self.public = name

    def __get__(self, obj, cls):
        return self if obj is None else getattr(obj, self.private)

    def __set__(self, obj, v):
        if not isinstance(v, self.types):
            names = "/".join(t.__name__ for t in self.types)
            raise TypeError(f"{self.public} must be {names}, not {type(v).__name__}")
        setattr(obj, self.private, v)


class Point:
    x = Typed(int, float)
    y = Typed(int, float)
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y

    def __eq__(self, o):
        if not isinstance(o, Point):
            return NotImplemented
        return tuple(self) == tuple(o)

    def __hash__(self):
        return hash(tuple(self))

    def __add__(self, o):
        return Point(self.x + o[0], self.y + o[1]) if isinstance(o, (tuple, list)) else Point(self.x + o.x, self.y + o.y)

    __radd__ = __add__

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __abs__(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    def __repr__(self):
        return f"{self.__class__.__name__}({self.x!r}, {self.y!r})"

    def __format__(self, spec):
        return f"<{self.x:{spec}}, {self.y:{spec}}>" if spec else repr(self)

    def __bool__(self):
        return any(self)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __len__(self):
        return 2


class AttrDict(dict):
    def __getattr__(self, n):
        try:
            return self[n]
        except KeyError:
            raise AttributeError(f"no {n}") from None

    def __setattr__(self, n, v):
        self[n] = v

    def __delattr__(self, n):
        del self[n]


class CaseDict(MutableMapping):
    def __init__(self, data=(), **kw):
        self._d = {}
        self.update(data, **kw)

    def __getitem__(self, k):
        return self._d[k.lower()][1]

    def __setitem__(self, k, v):
        self._d[k.lower()] = (k, v)

    def __delitem__(self, k):
        del self._d[k.lower()]

    def __iter__(self):
        return (orig for orig, _ in self._d.values())

    def __len__(self):
        return len(self._d)

    def __repr__(self):
        return f"{type(self).__name__}({dict(self)})"


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, o):
        return self.parts == o.parts

    def __lt__(self, o):
        return self.parts < o.parts

    def __str__(self):
        return ".".join(map(str, self.parts))


class Shape:
    @singledispatchmethod
    def area(self, spec):
        raise NotImplementedError(type(spec).__name__)

    @area.register
    def _(self, spec: int):
        return spec * spec

    @area.register(tuple)
    def _t(self, spec):
        return spec[0] * spec[1]

    def scale(self, k, unit="cm"):
        return f"{k}{unit}"

    double = partialmethod(scale, 2)
    inches = partialmethod(scale, unit="in")

    @cached_property
    def heavy(self):
        print("computing")
        return 42


@dataclass(order=True, slots=False)
class Item:
    sort_index: tuple = field(init=False, repr=False)
    name: str
    _: KW_ONLY
    price: float = 0.5
    qty: int = 1
    disc: InitVar[float] = 0.0

    def __post_init__(self, disc):
        self.sort_index = (self.price, self.name)
        self.total = self.price * self.qty * (1 - disc)


class Base1:
    def hi(self):
        return ["B1"]


class L(Base1):
    def hi(self):
        return ["L"] + super().hi()


class R(Base1):
    def hi(self):
        return ["R"] + super().hi()


class D(L, R):
    def hi(self):
        return ["D"] + super().hi()


class Singleton:
    _instances = {}

    def __new__(cls, *a, **k):
        if cls not in cls._instances:
            cls._instances[cls] = super().__new__(cls)
        return cls._instances[cls]


class Conf(Singleton):
    def __init__(self, v=None):
        if v is not None:
            self.v = v


class Temp:
    def __init__(self, c=0.5):
        self._c = c

    @property
    def f(self):
        """Fahrenheit."""
        return self._c * 9 / 5 + 32

    @f.setter
    def f(self, v):
        self._c = (v - 32) * 5 / 9

    @f.deleter
    def f(self):
        self._c = None

    @classmethod
    def from_f(cls, v):
        t = cls()
        t.f = v
        return t


def main():
    class NoMake(Half):
        def run(self, d):
            return d
    try:
        NoMake()
    except TypeError as e:
        print("abstract", "make" in str(e))
    print(Plugins["text"], Plugins["none"], [p.title for p in sorted(Plugins.create("text"))], [p.run("abc") for p in Plugins.create("text")])
    print(Upper.priority, Rev.priority, Half.priority, Upper.__mro__[1].__name__, Upper.kind)
    try:
        Half()
    except TypeError as e:
        print("abstract", "make" in str(e) and "run" in str(e))
    print(sorted(BasePlugin.__abstractmethods__), inspect.isabstract(BasePlugin), inspect.isabstract(Upper))
    p = Point(1, 2.5)
    tried(lambda: Point("a", 1))
    print(p, p + (1, 1), (1, 1) + p if False else p + [1, 2], p @ p, -p, round(abs(p), 3), f"{p:.2f}", f"{p}", bool(Point(0, 0)), p == Point(1, 2.5), p != 3, {p: 1}[Point(1, 2.5)], [*p], len(p), p[1])
    match p:
        case Point(1, y):
            print("y is", y)
    a, b = p
    print(a, b, Point.x.public, max([Point(3, 4), p], key=abs))
    d = AttrDict(a=1)
    d.b = 2
    print(d, d.a, d.b, hasattr(d, "c"), "b" in d)
    del d.a
    tried(lambda: d.a)
    h = CaseDict({"Content-Type": "x"}, Accept="y")
    h["ACCEPT"] = "z"
    print(h, h["content-type"], "accept" in h, h.get("nope", 1), h.pop("Accept"), len(h), list(h.items()), h == {"Content-Type": "x"})
    tried(lambda: h["zz"])
    vs = [Version(v) for v in ("1.10.0", "1.2", "1.2.1")]
    print([str(v) for v in sorted(vs)], vs[0] > vs[1], vs[1] >= vs[1], str(max(vs)))
    s = Shape()
    print(s.area(3), s.area((2, 5)), s.double(), s.inches(3), s.heavy, s.heavy)
    tried(lambda: s.area("x"))
    i = Item("pen", price=1.5, qty=4, disc=0.5)
    print(i, Item("a", price=0.25) < i, sorted([i, Item("b")])[0].name)
    tried(lambda: Item("x", 3))
    print(D().hi(), [c.__name__ for c in D.__mro__], D.__bases__, issubclass(D, Base1))
    print(Conf(1) is Conf(), Conf().v, Conf(5).v)
    t = Temp.from_f(212)
    print(t._c, t.f)
    t.f = 50
    print(t._c)
    del t.f
    print(t._c, isinstance(Temp.f, property), Temp.f.fget.__name__)

    class Stack(UserList):
        def push(self, x):
            self.append(x)
            return self

        def __repr__(self):
            return f"Stack{self.data}"
    st = Stack([1]).push(2).push(3)
    print(st, st[-1], st[1:], len(st), st + [9], st == [1, 2, 3], 2 in st)

    class Defaults(UserDict):
        def __missing__(self, k):
            return f"<{k}>"

        def __setitem__(self, k, v):
            super().__setitem__(str(k), v)
    dd = Defaults({1: "a"})
    dd[2] = "b"
    print(dd, dd["1"], dd["zz"], dict(dd))

    @contextlib.contextmanager
    def tag(name, out):
        out.append(f"<{name}>")
        try:
            yield out
        except ValueError as e:
            out.append(f"!{e}")
        finally:
            out.append(f"</{name}>")
    out = []
    with tag("a", out), tag("b", out) as o:
        o.append("text")
        raise ValueError("bad")
    print("".join(out))

    def retry(times=3, exceptions=(Exception,)):
        def deco(fn):
            @wraps(fn)
            def inner(*a, **k):
                last = None
                for n in range(1, times + 1):
                    try:
                        return fn(*a, attempt=n, **k)
                    except exceptions as e:
                        last = e
                raise RuntimeError(f"{fn.__name__} failed after {times}") from last
            inner.tries = times
            return inner
        return deco

    @retry(times=2, exceptions=(KeyError,))
    def flaky(ok_at, attempt):
        if attempt < ok_at:
            raise KeyError(attempt)
        return f"ok {attempt}"
    print(flaky(2), flaky.tries, flaky.__name__)
    try:
        flaky(5)
    except RuntimeError as e:
        print(e, repr(e.__cause__))
    print(inspect.signature(flaky.__wrapped__), inspect.signature(Point.__init__), list(inspect.signature(Item).parameters))

    class Observer:
        def __init__(self):
            self._subs = weakref.WeakSet()

    ns = types.SimpleNamespace(a=1, b=[2])
    ns.c = ns.a + 1
    print(ns, vars(ns), ns == types.SimpleNamespace(a=1, b=[2], c=2))
    Dyn = type("Dyn", (Base1,), {"x": 5, "hi": lambda self: ["dyn"] + super(Dyn, self).hi()})
    print(Dyn().hi(), Dyn.x, Dyn.__name__, isinstance(Dyn(), Base1))
    P3 = make_dataclass("P3", [("x", int), ("y", int, field(default=2))], namespace={"sum": lambda self: self.x + self.y})
    print(P3(1), P3(1).sum(), P3(1) == P3(1, 2))
    setattr(Point, "norm1", lambda self: abs(self.x) + abs(self.y))
    print(Point(3, -4).norm1(), hasattr(Point, "norm1"))
    f = Point(3, 4)
    f.bound = types.MethodType(lambda self, k: self.x * k, f)
    print(f.bound(5), callable(f.bound))
    print(operator.attrgetter("x", "y")(f), operator.methodcaller("__len__")(f), operator.itemgetter(1)(f))
    print(getattr(f, "nope", "dflt"), [n for n in dir(f) if not n.startswith("_")])


main()
