import bisect
import contextlib
import functools
import heapq
import inspect
import io
import itertools
import json
import logging
import operator
import random
import re
import sys
import textwrap
import typing
from abc import ABC, abstractmethod
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from copy import deepcopy
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from enum import Enum, Flag, IntEnum, auto
from functools import singledispatch
from typing import Any, Callable, ClassVar, Generic, Iterable, Iterator, Optional, Protocol, TypeVar

T = TypeVar("T")
K = TypeVar("K")


class AppError(Exception):
    code = 500

    def __init__(self, message, **details):
        super().__init__(message)
        self.details = details

    def to_dict(self):
        return {"error": type(self).__name__, "code": self.code, "message": str(self), **self.details}


class NotFound(AppError):
    code = 404


class Denied(AppError):
    code = 403

    def __str__(self):
        return f"denied: {super().__str__()}"


# cooperative mixins
class Root_:
    def __init__(self, **kw):
        if kw:
            raise TypeError(f"unexpected {sorted(kw)}")
        self.trace = ["root"]


class Named(Root_):
    def __init__(self, *, name, **kw):
        super().__init__(**kw)
        self.name = name
        self.trace.append("named")


class Stamped(Root_):
    counter = itertools.count(1)

    def __init__(self, *, stamp=None, **kw):
        super().__init__(**kw)
        self.stamp = stamp or next(self.counter)
        self.trace.append("stamped")


class Doc(Named, Stamped):
    def __init__(self, text="", **kw):
        super().__init__(**kw)
        self.text = text


# visitor interpreter
class Visitor:
    def visit(self, node, *a):
        for cls in type(node).__mro__:
            m = getattr(self, f"visit_{cls.__name__}", None)
            if m is not None:
                return m(node, *a)
        raise NotImplementedError(type(node).__name__)


@dataclass
class Expr:
    pass


@dataclass
class Lit(Expr):
    value: Any


@dataclass
class Add(Expr):
    left: Expr
    right: Expr


@dataclass
class Neg(Expr):
    inner: Expr


class Evaluate(Visitor):
    def visit_Lit(self, n):
        return n.value

    def visit_Add(self, n):
        return self.visit(n.left) + self.visit(n.right)

    def visit_Neg(self, n):
        return -self.visit(n.inner)


class Show(Visitor):
    def visit_Expr(self, n, depth=0):
        pad = "  " * depth
        parts = [self.visit(getattr(n, f.name), depth + 1) for f in fields(n)]
        return f"{pad}{type(n).__name__}\n" + "\n".join(parts)

    def visit_Lit(self, n, depth=0):
        return "  " * depth + repr(n.value)


# commands with undo
class Command(ABC):
    registry: ClassVar[dict] = {}

    def __init_subclass__(cls, /, verb=None, **kw):
        super().__init_subclass__(**kw)
        if verb:
            if verb in Command.registry:
                raise ValueError(f"duplicate verb {verb!r}")
            Command.registry[verb] = cls

    @abstractmethod
    def do(self, doc): ...

    @abstractmethod
    def undo(self, doc): ...

    @classmethod
    def parse(cls, line):
        verb, *args = line.split()
        try:
            return cls.registry[verb](*args)
        except KeyError:
            raise NotFound(f"no command {verb}", known=sorted(cls.registry)) from None


class Insert(Command, verb="ins"):
    def __init__(self, pos, text):
        self.pos, self.text = int(pos), text

    def do(self, doc):
        doc.text = doc.text[:self.pos] + self.text + doc.text[self.pos:]

    def undo(self, doc):
        doc.text = doc.text[:self.pos] + doc.text[self.pos + len(self.text):]


class Delete(Command, verb="del"):
    def __init__(self, start, end):
        self.start, self.end = int(start), int(end)

    def do(self, doc):
        self.old = doc.text
        doc.text = doc.text[:self.start] + doc.text[self.end:]

    def undo(self, doc):
        doc.text = self.old


class History:
    def __init__(self, doc):
        self.doc, self.done, self.undone = doc, [], []

    def run(self, line):
        cmd = Command.parse(line)
        cmd.do(self.doc)
        self.done.append(cmd)
        self.undone.clear()
        return self

    def undo(self):
        if not self.done:
            raise IndexError("nothing to undo")
        cmd = self.done.pop()
        cmd.undo(self.doc)
        self.undone.append(cmd)
        return self

    def redo(self):
        cmd = self.undone.pop()
        cmd.do(self.doc)
        self.done.append(cmd)
        return self

    __lshift__ = run


# DI container
class Container:
    def __init__(self):
        self._make = {}
        self._single = {}

    def register(self, key=None, *, single=False):
        def deco(f):
            self._make[key or f] = (f, single)
            return f
        return deco

    def resolve(self, key):
        if key in self._single:
            return self._single[key]
        if key not in self._make:
            raise LookupError(f"nothing registered for {getattr(key, '__name__', key)}")
        f, single = self._make[key]
        params = inspect.signature(f).parameters
        made = f(**{n: self.resolve(p.annotation) for n, p in params.items() if p.annotation is not inspect.Parameter.empty and p.default is inspect.Parameter.empty})
        if single:
            self._single[key] = made
        return made


# pipelines
class Pipe:
    def __init__(self, *steps):
        self.steps = steps

    def __or__(self, other):
        return Pipe(*self.steps, other)

    def __ror__(self, value):
        return self(value)

    def __call__(self, v):
        return functools.reduce(lambda acc, f: f(acc), self.steps, v)

    def __repr__(self):
        return " | ".join(getattr(s, "__name__", repr(s)) for s in self.steps)


class Fluent:
    def __init__(self, parts=()):
        self._parts = tuple(parts)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Fluent(self._parts + (name,))

    def __call__(self, *args, **kw):
        shown = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in kw.items())])
        return Fluent(self._parts[:-1] + (f"{self._parts[-1]}({shown})",))

    def __str__(self):
        return ".".join(self._parts)


class Perm(Flag):
    READ = auto()
    WRITE = auto()
    EXEC = auto()
    ALL = READ | WRITE | EXEC


def requires(perm):
    def deco(f):
        @functools.wraps(f)
        def inner(self, user, *a, **k):
            if perm not in user.perms:
                raise Denied(f"{user.name} lacks {perm.name}", user=user.name)
            return f(self, user, *a, **k)
        inner.perm = perm
        return inner
    return deco


@dataclass
class Account:
    name: str
    perms: Perm = Perm.READ


class Store:
    def __init__(self):
        self.items = OrderedDict()

    @requires(Perm.WRITE)
    def put(self, user, key, value):
        self.items[key] = value
        return len(self.items)

    @requires(Perm.READ)
    def get(self, user, key):
        try:
            return self.items[key]
        except KeyError as e:
            raise NotFound(f"no {key}", key=key) from e


# event sourcing
@dataclass(frozen=True)
class State:
    balance: int = 0
    log: tuple = ()


@dataclass(frozen=True)
class Deposited:
    amount: int


@dataclass(frozen=True)
class Withdrawn:
    amount: int


@singledispatch
def apply(event, state):
    raise TypeError(f"unknown event {event!r}")


@apply.register
def _(event: Deposited, state):
    return replace(state, balance=state.balance + event.amount, log=(*state.log, "dep"))


@apply.register
def _(event: Withdrawn, state):
    if event.amount > state.balance:
        raise AppError("insufficient", need=event.amount - state.balance)
    return replace(state, balance=state.balance - event.amount, log=state.log + ("wd",))


class LRU(Generic[K, T]):
    def __init__(self, size):
        self.size = size
        self.data: OrderedDict = OrderedDict()
        self.stats = Counter()

    def __getitem__(self, k):
        if k in self.data:
            self.data.move_to_end(k)
            self.stats["hit"] += 1
            return self.data[k]
        self.stats["miss"] += 1
        raise KeyError(k)

    def __setitem__(self, k, v):
        self.data[k] = v
        self.data.move_to_end(k)
        while len(self.data) > self.size:
            old, _ = self.data.popitem(last=False)
            self.stats["evict " + str(old)] += 1

    def __contains__(self, k):
        return k in self.data


class Linked(Generic[T]):
    class _Node:
        __slots__ = ("v", "next")

        def __init__(self, v, next=None):
            self.v, self.next = v, next

    def __init__(self, items=()):
        self.head = None
        self._len = 0
        for i in reversed(list(items)):
            self.push(i)

    def push(self, v):
        self.head = self._Node(v, self.head)
        self._len += 1

    def __iter__(self):
        n = self.head
        while n:
            yield n.v
            n = n.next

    def __len__(self):
        return self._len

    def __reversed__(self):
        return reversed(list(self))

    def __getitem__(self, i):
        if isinstance(i, slice):
            return Linked(list(self)[i])
        if i < 0:
            i += len(self)
        for n, v in enumerate(self):
            if n == i:
                return v
        raise IndexError(f"index {i} out of range")

    def __eq__(self, o):
        return isinstance(o, Linked) and list(self) == list(o)

    def __repr__(self):
        return f"Linked({list(self)!r})"


class Scheduler:
    def __init__(self):
        self.heap = []
        self.seq = itertools.count()

    def at(self, when, fn, *a):
        heapq.heappush(self.heap, (when, next(self.seq), functools.partial(fn, *a)))

    def run(self):
        while self.heap:
            when, _, f = heapq.heappop(self.heap)
            yield when, f()


class Table:
    def __init__(self, *cols):
        self.cols, self.rows = cols, []

    def __iadd__(self, row):
        self.rows.append(tuple(row))
        return self

    def __str__(self):
        w = [max(len(str(r[i])) for r in [self.cols, *self.rows]) for i in range(len(self.cols))]
        line = lambda r: " | ".join(f"{str(c):{'>' if isinstance(c, (int, float)) else '<'}{w[i]}}" for i, c in enumerate(r))
        return "\n".join([line(self.cols), "-+-".join("-" * x for x in w), *map(line, self.rows)])


c = Container()

@c.register(single=True)
class Db:
    def __init__(self):
        self.q = []

@c.register()
class Repo:
    def __init__(self, db: Db, limit: int = 10):
        self.db, self.limit = db, limit

@c.register("svc")
def service(repo: Repo):
    return ("svc", repo.limit, repo.db is c.resolve(Db))


def main():
    for e in (AppError("x", a=1), NotFound("y"), Denied("z", who="me")):
        print(e.to_dict(), isinstance(e, AppError), repr(e))
    d = Doc("hello", name="n")
    print(d.trace, d.name, d.stamp, Doc(name="b").stamp, [c.__name__ for c in Doc.__mro__])
    try:
        Doc(name="a", extra=1)
    except TypeError as e:
        print(e)
    try:
        Doc("t")
    except TypeError as e:
        print(e)
    tree = Add(Lit(1), Neg(Add(Lit(2), Lit(3))))
    print(Evaluate().visit(tree))
    print(Show().visit(tree))
    print(tree, tree == deepcopy(tree), asdict(tree), astuple(tree))
    h = History(d)
    h.run("ins 5 !!") << "del 0 1"
    print(d.text, h.undo().doc.text, h.undo().doc.text, h.redo().doc.text)
    try:
        h.run("jump 3")
    except NotFound as e:
        print(e.to_dict(), e.__cause__, e.__suppress_context__)
    try:
        class Again(Insert, verb="ins"):
            pass
    except ValueError as e:
        print(e)
    print(sorted(Command.registry), [c.__name__ for c in Command.__subclasses__()][:2])
    print(c.resolve("svc"), c.resolve(Repo) is c.resolve(Repo))
    try:
        c.resolve("zip")
    except LookupError as e:
        print(e)
    p = Pipe(str.strip) | str.title | (lambda s: s + "!") | len
    print("  hello world " | p, Pipe(str.upper) | str.lower)
    print(Fluent().select("a", b=1).where(x=2).limit(3), str(Fluent().a.b))
    s = Store()
    root_, guest = Account("root", Perm.ALL), Account("guest")
    print(s.put(root_, "k", 1), s.get(guest, "k"), Store.put.perm, Store.put.__name__)
    for act in (lambda: s.put(guest, "k", 2), lambda: s.get(guest, "zz")):
        try:
            act()
        except AppError as e:
            print(type(e).__name__, e, e.details, type(e.__cause__).__name__)
    st = functools.reduce(lambda acc, ev: apply(ev, acc), [Deposited(50), Withdrawn(20), Deposited(5)], State())
    print(st)
    for ev in (Withdrawn(500), "junk"):
        try:
            apply(ev, st)
        except (AppError, TypeError) as e:
            print(type(e).__name__, e, getattr(e, "details", None))
    cache = LRU(2)
    for k in "abca":
        if k not in cache:
            cache[k] = k.upper()
        else:
            cache[k]
    try:
        cache["zz"]
    except KeyError as e:
        print(e, dict(cache.stats), list(cache.data))
    l = Linked([1, 2, 3])
    l.push(0)
    print(l, len(l), l[1], l[-1], l[1:3], list(reversed(l)), 2 in l, l == Linked(range(4)), sum(l), [*map(str, l)], max(l))
    try:
        l[10]
    except IndexError as e:
        print(e)
    sch = Scheduler()
    sch.at(5, print, "five")
    sch.at(1, str.upper, "one")
    sch.at(1, lambda: sch.at(2, lambda: "nested") or "scheduled")
    for when, r in sch.run():
        print(when, r)
    t = Table("name", "qty", "price")
    t += ("apple", 3, 1.25)
    t += ("kiwi", 12, 0.5)
    print(t)
    out = io.StringIO()
    log = logging.getLogger("app.core")
    hd = logging.StreamHandler(out)
    hd.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
    log.addHandler(hd)
    log.setLevel(logging.INFO)
    log.propagate = False
    log.info("started %s", {"a": 1})
    log.debug("hidden")
    try:
        1 / 0
    except ZeroDivisionError:
        log.exception("oops")
    print(out.getvalue().splitlines()[:2], out.getvalue().splitlines()[-1])

    @contextlib.contextmanager
    def patched(obj, **kw):
        old = {k: getattr(obj, k) for k in kw}
        for k, v in kw.items():
            setattr(obj, k, v)
        try:
            yield obj
        finally:
            for k, v in old.items():
                setattr(obj, k, v)
    with patched(root_, name="tmp", perms=Perm.READ) as r:
        print(r, r.perms | Perm.EXEC)
    print(root_, ChainMap({"a": 1}, {"a": 2, "b": 3})["b"], Perm.ALL & ~Perm.READ, [m.name for m in Perm.ALL])
    print(textwrap.dedent("""
        a
          b
    """).strip().split("\n"), date(2024, 2, 28) + timedelta(days=2), f"{datetime(2024, 1, 2, 3, 4):%d/%m %H:%M}")


main()
