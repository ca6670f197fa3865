"""What programs ask of the standard modules in passing: of decorators, signatures, enums and classes that stand on those of the library."""

import abc
import contextlib
import collections.abc
import copy
import datetime
import enum
import fractions
import functools
import gc
import inspect
import itertools
import json
import os
import pathlib
import re
import threading
import traceback
import types
import warnings
from collections import namedtuple
from typing import NamedTuple


@contextlib.contextmanager
def tagged(n: int, mark="x"):
    yield n


class Holder:
    @contextlib.contextmanager
    def opened(self):
        yield self


[tagged.__name__, tagged.__qualname__, str(inspect.signature(tagged)), Holder.opened.__name__]


def case_the_end_of_an_iteration_leaves_a_context_manager():
    with tagged(1):
        raise StopIteration("s")


@functools.singledispatch
def shown(x):
    return "other"


shown()

# ---------------------------------------------------------------- signatures made by programs


def served(a, b: int = 2, *rest, c, d=None, **more) -> bool:
    return True


def parameter(name, kind="POSITIONAL_OR_KEYWORD", **more):
    return inspect.Parameter(name, getattr(inspect.Parameter, kind), **more)


inspect.signature(served).replace(return_annotation=int)
inspect.signature(served).replace(parameters=list(inspect.signature(served).parameters.values())[1:3])
inspect.signature(served).parameters["c"].replace(default=3)
inspect.signature(served).parameters["b"].replace(name="z", annotation=str, kind=inspect.Parameter.KEYWORD_ONLY)
inspect.Signature([parameter("a"), parameter("b", default=1), parameter("c", "VAR_KEYWORD")], return_annotation=str)
inspect.Signature([parameter("a"), parameter("b", annotation=list[int])]).bind(1, b=2).arguments
inspect.Signature()
parameter("a") == parameter("a")
[parameter("a") == parameter("a", default=1), inspect.signature(served) == inspect.signature(served)]
parameter("1a")
parameter("a", "VAR_POSITIONAL", default=1)
inspect.Signature([parameter("a", "KEYWORD_ONLY"), parameter("b")])
inspect.Signature([parameter("a"), parameter("a")])


class Drawn(abc.ABC):
    @property
    @abc.abstractmethod
    def size(self):
        ...

    @abc.abstractmethod
    def draw(self):
        ...

    @abc.abstractmethod
    def clear(self):
        ...


class Half(Drawn):
    def draw(self):
        return 1


class Whole(Half):
    size = 5

    def clear(self):
        return 0


Drawn()  # 3.12: !TypeError: Can't instantiate abstract class Drawn without an implementation for abstract methods 'clear', 'draw', 'size'
[sorted(Half.__abstractmethods__), sorted(Whole.__abstractmethods__), inspect.isabstract(Half), inspect.isabstract(Whole), Whole().size]
[Whole.__dict__["size"], inspect.getattr_static(Whole, "size"), inspect.getattr_static(Whole(), "none", 7)]
inspect.getattr_static(Whole(), "none")
[inspect.isdatadescriptor(Drawn.size), inspect.isdatadescriptor(Whole.clear)]


def case_generators_tell_their_state():
    def steps():
        yield 1

    made = steps()
    before = inspect.getgeneratorstate(made)
    next(made)
    within = inspect.getgeneratorstate(made)
    made.close()
    return before, within, inspect.getgeneratorstate(made)


# ---------------------------------------------------------------- enums over other types (how they show is language.md 2.10's, not CPython's)


class Kind(str, enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Loud(str, enum.Enum):
    A = "a"

    def __str__(self):
        return self.value.upper()


class Level(int, enum.Enum):
    LOW = 1
    HIGH = 3


class Shaped(str, enum.Enum):
    A = "a"

    def __format__(self, spec):
        return "as " + spec


class Base(str, enum.Enum):
    def described(self):
        return f"{self.name}={self.value}"


class Below(Base):
    OK = "ok"


class Bits(enum.IntFlag):
    A = 1
    B = 2


[json.dumps({"k": Kind.SMALL, Kind.LARGE: 1}), Kind.SMALL == "s", Kind.SMALL + "!", "-".join(Kind), Kind("l"), len(Kind.SMALL), Kind.SMALL.upper(), "s" in {Kind.SMALL: 1}]
[str(Loud.A), f"{Loud.A}", f"{Loud.A:>3}|", f"{Shaped.A:q}"]
[Level.LOW < Level.HIGH, Level.LOW + 1, "%d" % Level.HIGH, max(Level)]
[Below.OK.described(), sorted(Kind)]
[Bits.A | True, Bits.A | 2, Bits.B & True]

# ---------------------------------------------------------------- __new__ of classes on those of the library


class Pair(namedtuple("Pair", "a b")):
    __slots__ = ()

    def __new__(cls, a, b=10):
        return super().__new__(cls, a, b)


class Double(namedtuple("Double", "a b")):
    def __new__(cls, a):
        return super().__new__(cls, a, a * 2)


class Point(NamedTuple):
    x: int
    y: int


class Diagonal(Point):
    def __new__(cls, x):
        return super().__new__(cls, x, x)


class Month(datetime.date):
    def __new__(cls, year, month=1):
        return super().__new__(cls, year, month, 1)

    def __init__(self, year, month=1):
        self.label = f"{year}/{month}"


class Quarter(fractions.Fraction):
    def __new__(cls, n):
        return super().__new__(cls, n, 4)


[Pair(1), Pair(1, 2), Pair(1)._replace(a=5), Double(3), Double(3)._replace(b=1), Double._make([1, 2])]
[Diagonal(4), Diagonal(4) + (1,)]
[str(Month(2024)), Month(2024, 5).label, Month(2024, 5).replace(day=9).isoformat(), Month(2024, 3) < Month(2024, 4)]
str(Quarter(3))

# ---------------------------------------------------------------- smaller ones

re.match(".*", "a long text of which only the beginning is shown in the match")
re.match("a+", "a" * 60)
namedtuple("1P", "a")
namedtuple("class", "a")
datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).timetuple().tm_isdst


class Summer(datetime.tzinfo):
    def utcoffset(self, moment):
        return datetime.timedelta(hours=2)

    def dst(self, moment):
        return datetime.timedelta(hours=1)


datetime.datetime(2024, 1, 1, tzinfo=Summer()).timetuple().tm_isdst
types.SimpleNamespace(a=1).b
threading.local().x
[types.MappingProxyType({"a": 1}) | {"b": 2}, {"b": 2} | types.MappingProxyType({"a": 1})]
warnings.formatwarning("text", UserWarning, "f.py", 3, "  line  ")
warnings.simplefilter("odd")


def case_descriptions_of_exceptions_lead_to_their_causes():
    try:
        try:
            {}["k"]
        except KeyError as e:
            raise ValueError("outer") from e
    except ValueError as e:
        told = traceback.TracebackException.from_exception(e)
    return str(told), str(told.__cause__), told.__cause__.__cause__, told.__suppress_context__, str(told.__context__)


[gc.isenabled(), gc.collect() >= 0, gc.get_threshold()]


# ---------------------------------------------------------------- iterators that end, views of programs


def grouped(n, items):
    return [list(row) for row in zip(*[iter(items)] * n)]


def case_the_end_of_what_is_called_for_an_item_ends_built_in_iterators():
    def ends(*_):
        raise StopIteration

    shared = iter([1, 2])
    taken = list(map(next, [shared, shared, shared]))
    others = [list(filter(ends, [1])), list(itertools.starmap(ends, [(1,)])), list(itertools.takewhile(ends, [1])), list(itertools.accumulate([1, 2], ends))]
    try:
        [ends() for _ in [1]]
    except StopIteration:
        others.append("raised")
    return taken, others


class Sorted(collections.abc.KeysView, collections.abc.Sequence):
    def __getitem__(self, index):
        return sorted(self._mapping)[index]


class Amounts(collections.abc.ValuesView):
    pass


class Pairs(collections.abc.ItemsView):
    pass


def case_views_of_classes_of_the_program():
    shelf = {"b": 1, "a": 2}
    keys = Sorted(shelf)
    return [keys[0], len(keys), "a" in keys, list(keys), sorted(keys & {"a"}), keys == {"a", "b"}, keys.index("b"), repr(keys), sorted(keys | {"z"}), type(keys - {"a"}).__name__, list(Amounts(shelf)), 2 in Amounts(shelf), repr(Amounts(shelf)), list(Pairs(shelf)), ("a", 2) in Pairs(shelf), len(Pairs(shelf))]


[os.path.commonpath(["/a/b", "/a/c"]), os.path.commonpath(["a/b", "a/./b/c"]), os.path.commonpath(["/a/b/", "/a/b"]), os.path.commonpath(["/x", "/y"])]
os.path.commonpath(["/a", "b"])
os.path.commonpath([])
pathlib.Path("/").read_text()
