"""Plugins without metaclasses: registries by decorator, mixins, properties, slots, cooperative inheritance, comparison by key."""
from collections import ChainMap, UserDict, namedtuple
from functools import singledispatch, singledispatchmethod, total_ordering, wraps, reduce
from operator import attrgetter, itemgetter, methodcaller
import json
import re

REGISTRY = {}


def plugin(name=None, *, version="1.0", **meta):
    def wrap(cls):
        cls.plugin_name = name or cls.__name__.lower()
        cls.meta = {"version": version, **meta}
        REGISTRY[cls.plugin_name] = cls
        return cls

    return wrap


class Loud:
    def greet(self):
        return super().greet().upper() + "!"


class Counted:
    count = 0

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        type(self).count += 1
        self.id = type(self).count


class Base:
    def __init__(self, who="world"):
        self.who = who

    def greet(self):
        return f"hello {self.who}"

    def __repr__(self):
        return f"{type(self).__name__}({self.who!r})"


@plugin()
class Plain(Base):
    pass


@plugin("shout", version="2.1", author="ann")
class Shouter(Loud, Counted, Base):
    pass


@plugin(lang="de")
class German(Counted, Base):
    def greet(self):
        return super().greet().replace("hello", "hallo")


def retry(times, *errors):
    def deco(f):
        @wraps(f)
        def inner(*a, **k):
            for attempt in range(1, times + 1):
                try:
                    return f(*a, **k)
                except errors as e:
                    inner.failures.append((attempt, type(e).__name__))
                    last = e
            raise RuntimeError(f"{f.__name__} failed {times} times") from last

        inner.failures = []
        return inner

    return deco


calls = []


@retry(3, ValueError, KeyError)
def flaky(limit):
    calls.append(limit)
    if len(calls) < limit:
        raise (ValueError if len(calls) % 2 else KeyError)("try again")
    return "ok after %d" % len(calls)


@singledispatch
def encode(x):
    raise TypeError(f"cannot encode {type(x).__name__}")


@encode.register(int)
@encode.register(float)
def _(x):
    return f"n:{x}"


@encode.register
def _(x: str):
    return f"s:{x}"


@encode.register(list)
@encode.register(tuple)
def _(x):
    return "[" + " ".join(map(encode, x)) + "]"


@encode.register
def _(x: dict):
    return "{" + " ".join(f"{k}={encode(v)}" for k, v in sorted(x.items())) + "}"


@encode.register(Base)
def _(x):
    return f"<{x!r}>"


class CaseInsensitive(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __contains__(self, key):
        return key.lower() in self.data


@total_ordering
class Version:
    pattern = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(?:-(\w+))?$")

    def __init__(self, text):
        m = self.pattern.match(text)
        if not m:
            raise ValueError(f"bad version {text!r}")
        *nums, self.pre = m.groups()
        self.nums = tuple(int(n or 0) for n in nums)

    def _key(self):
        return (*self.nums, self.pre is None, self.pre or "")

    def __eq__(self, other):
        return self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __str__(self):
        return ".".join(map(str, self.nums)) + (f"-{self.pre}" if self.pre else "")

    def __hash__(self):
        return hash(self._key())


class Formatter:
    @singledispatchmethod
    def fmt(self, x):
        return repr(x)

    @fmt.register
    def _(self, x: int):
        return f"{x:,}"

    @fmt.register
    def _(self, x: str):
        return x.title()


print(sorted(REGISTRY), [c.meta for c in REGISTRY.values()])
objs = [REGISTRY[n](w) for n, w in [("plain", "a"), ("shout", "b"), ("german", "c"), ("shout", "d")]]
print(objs, [o.greet() for o in objs], [getattr(o, "id", None) for o in objs], Counted.count, Shouter.count)
print([c.__name__ for c in Shouter.__mro__], issubclass(Shouter, Loud), isinstance(objs[2], (Loud, German)))
print(flaky(3), flaky.failures, flaky.__name__, calls)
try:
    flaky(99)
except RuntimeError as e:
    print(e, repr(e.__cause__), type(e.__context__).__name__)
print(encode([1, "a", (2, {"k": 3, "b": [None][:0]})]), encode(objs[0]))
try:
    encode({1})
except TypeError as e:
    print(e)
h = CaseInsensitive({"Content-Type": "json"})
h["X-A"] = 1
print(h, h["content-TYPE"], "x-a" in h, h.get("nope", "-"), len(h), sorted(h), dict(h))
vs = [Version(v) for v in "1.2 1.10.1 1.2.0-beta 2.0 1.10".split()]
print(*sorted(vs), max(vs), Version("1.2") == Version("1.2.0"), Version("1.2") >= Version("1.2-rc"), len({Version("1.0"), Version("1.0.0")}))
try:
    Version("x")
except ValueError as e:
    print(e)
f = Formatter()
print(f.fmt(1234567), f.fmt("some text"), f.fmt([1]))
cfg = ChainMap({"a": 1}, {"a": 2, "b": 3}, {"c": 4})
print(cfg["a"], cfg["c"], dict(cfg), cfg.maps[1], "z" in cfg, cfg.new_child({"b": 0})["b"])
P = namedtuple("P", "name age city", defaults=["?"])
people = [P("Bob", 30, "Rome"), P("Al", 25), P("Cy", 30, "Oslo")]
print(sorted(people, key=attrgetter("age", "name")), list(map(itemgetter(0, 2), people)), list(map(methodcaller("upper"), "ab")))
print(json.dumps([p._asdict() for p in people[:2]], sort_keys=True), people[0]._replace(age=31), P._fields)
