import abc
import contextlib
import dataclasses
import enum
import functools
import inspect
import io
import types
import typing
from abc import ABC, abstractmethod
from collections import abc as cabc
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique
from typing import NamedTuple, TypedDict, cast, get_type_hints


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Kind(str, Enum):
    A = "a"
    B = "b"


class Mode(StrEnum):
    READ = auto()
    WRITE = auto()


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()


class Bits(IntFlag):
    ONE = 1
    TWO = 2


class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def heavy(self):
        return self.mass > 1e24

    def label(self):
        return self.name.lower()

    @classmethod
    def first(cls):
        return list(cls)[0]


class Auto(Enum):
    X = auto()
    Y = auto()


@dataclass
class Item:
    name: str
    price: float = 1.5
    tags: list = field(default_factory=list)

    def total(self):
        return self.price * 2


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0


@dataclass(frozen=True)
class Frozen:
    x: int
    y: int = 2


@dataclass
class Child(Item):
    extra: int = 5


@dataclass
class Post:
    a: int
    b: int = field(init=False)
    c: int = field(default=3, repr=False, compare=False)

    def __post_init__(self):
        self.b = self.a * 2


@dataclass(kw_only=True)
class Keyed:
    a: int
    b: int = 1


@dataclass(eq=False)
class NoEq:
    a: int


class Employee(NamedTuple):
    name: str
    id: int = 3


class Movie(TypedDict):
    title: str
    year: int


class Shape(ABC):
    @abstractmethod
    def area(self):
        pass

    def describe(self):
        return f"{type(self).__name__} {self.area()}"


class Square(Shape):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s**2


class Temp:
    count = 0

    def __init__(self, c):
        self._c = c
        Temp.count += 1

    @property
    def c(self):
        return self._c

    @c.setter
    def c(self, v):
        if v < -273:
            raise ValueError("too cold")
        self._c = v

    @property
    def f(self):
        return self._c * 9 / 5 + 32

    @staticmethod
    def boiling():
        return 100

    @classmethod
    def make(cls, f):
        return cls((f - 32) * 5 / 9)


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __eq__(self, o):
        return isinstance(o, Vec) and (self.x, self.y) == (o.x, o.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Vec({self.x}, {self.y})"

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __bool__(self):
        return bool(self.x or self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iter__(self):
        return iter((self.x, self.y))

    def __call__(self, k):
        return k

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __iadd__(self, o):
        self.x += o.x
        return self


class Dynamic:
    def __init__(self):
        self.real = 1

    def __getattr__(self, name):
        if name.startswith("get_"):
            return name[4:]
        raise AttributeError(name)


@contextmanager
def tag(log, name):
    log.append("<" + name)
    try:
        yield name
    except KeyError as e:
        log.append(repr(e))
    finally:
        log.append(name + ">")


@contextmanager
def bad_manager():
    return
    yield


Color.RED, Color.RED.name, Color.RED.value, Color(1), Color["GREEN"], list(Color), Color.CRIMSON is Color.RED, str(Color.RED), f"{Color.RED}", len(Color), Color.RED in Color, isinstance(Color.RED, Color), Color.RED == 1, Color.RED != Color.GREEN, {Color.RED: 1}[Color.RED], [c.name for c in Color], Color.__members__["CRIMSON"], Color.RED.__class__.__name__, hash(Color.RED) == hash(Color.RED), Color.__name__
Color(9)
Color["NOPE"]
Color.NOPE  # 3.12: !AttributeError: type object 'Color' has no attribute 'NOPE'
Color.RED < Color.GREEN
Color.RED.nope
Level.LOW < Level.HIGH, Level.LOW + 1, Level.HIGH == 10, sorted([Level.HIGH, Level.LOW]), Level(10), int(Level.HIGH), str(Level.LOW), f"{Level.LOW}", repr(Level.LOW), isinstance(Level.LOW, int), max(Level), [10, 20][Level.LOW], f"{Level.HIGH:03d}", Level.LOW * 2.5
Kind.A == "a", Kind("b"), Kind.A.value, Kind.A.upper(), repr(Kind.A), isinstance(Kind.A, str), "x" + Kind.A, {"a": 1}[Kind.A], len(Kind.A), "-".join([Kind.A, Kind.B]), Kind.A in ("a", "b"), f"{Kind.A.value}"
Mode.READ, str(Mode.READ), Mode.READ == "read", f"{Mode.WRITE}", Mode("write"), repr(Mode.READ)
Perm.R | Perm.W, Perm.R & Perm.W, (Perm.R | Perm.W).value, Perm.R in (Perm.R | Perm.W), bool(Perm.R & Perm.W), ~Perm.R, Perm.R ^ Perm.R, Perm(3), list(Perm), Perm.X.value, Perm(0)
Bits.ONE | Bits.TWO, Bits.ONE + 1, Bits(3), Bits.ONE == 1
Planet.EARTH.mass, Planet.MARS.heavy, Planet.EARTH.label(), Planet.first(), Planet.MARS.value, Planet((6.42e23, 3.39e6)).name
Auto.X.value, Auto.Y.value, Auto.Y
Enum("Dyn", "A B C"), list(Enum("Dyn", ["P", "Q"])), Enum("Dyn", {"K": 5}).K.value
Item("pen"), Item("pen", 2.5, ["x"]), Item(name="a", price=3.25) == Item("a", 3.25), Item("a") != Item("b"), Item("a").total(), asdict(Item("a", 2.5, [Item("b", 1.25)])), astuple(Item("a", 2.5)), replace(Item("a"), price=9.5), [f.name for f in dataclasses.fields(Item)], dataclasses.is_dataclass(Item), dataclasses.is_dataclass(5), Item("a").tags is Item("b").tags
asdict(Item(Color.RED, Mode.READ, [Employee("a"), (Kind.B, Perm.R), {Color.GREEN: [Item("b")]}])), astuple(Item(Color.RED, Level.LOW, [Employee("a", 2)]))
dataclasses.is_dataclass(Vec), dataclasses.is_dataclass(Color.RED), dataclasses.is_dataclass(Employee("a")), dataclasses.is_dataclass(Child), [type(asdict(Item(Vec(1, 2)))["name"]).__name__, asdict(Item(Vec(1, 2)))["name"] is Vec]
asdict(Vec(1, 2))
Item()
Item("a", 1, [], 4)
Item(nope=1)
hash(Item("a"))
Version(1, 2) < Version(1, 3), Version(2) > Version(1, 9), sorted([Version(2), Version(1, 5), Version(1)]), max(Version(1), Version(0, 9)), Version(1) <= Version(1), Version(1) == Version(1, 0)
Version(1) < 5
Frozen(1), Frozen(1) == Frozen(1), hash(Frozen(1)) == hash(Frozen(1)), {Frozen(1): "a"}[Frozen(1)], replace(Frozen(1), x=7), asdict(Frozen(3))
Child("c"), Child("c", 2.5, [], 9), isinstance(Child("c"), Item), asdict(Child("c", 0.5)), [f.name for f in dataclasses.fields(Child)]
Post(2), Post(2).c, Post(2, 9) == Post(2), asdict(Post(1))
Keyed(a=1), Keyed(b=5, a=2)
Keyed(1)
NoEq(1) == NoEq(1), repr(NoEq(1))
Employee("Ann"), Employee("Bob", 5).id, Employee("a")._asdict(), Employee("a") == ("a", 3), Employee._fields, Employee._field_defaults, Employee("a")._replace(id=9)
Movie(title="x", year=1), type(Movie(title="x", year=1)).__name__, cast(int, "5"), get_type_hints(Employee) == {"name": str, "id": int}
Shape()  # 3.12: !TypeError: Can't instantiate abstract class Shape without an implementation for abstract method 'area'
Square(3).describe(), isinstance(Square(1), Shape), issubclass(Square, Shape)
Temp.boiling(), Temp(25).f, Temp.make(212).c, Temp(1).boiling(), type(Temp.make(32)).__name__
Vec(1, 2) + Vec(3, 4), Vec(1, 2) * 3, 3 * Vec(1, 2), Vec(1, 2) == Vec(1, 2), Vec(1, 2) != Vec(1, 3), {Vec(1, 2): 1}[Vec(1, 2)], -Vec(1, 2), abs(Vec(3, 4)), bool(Vec(0, 0)), Vec(5, 6)[1], list(Vec(7, 8)), Vec(1, 2)(9), 2 in Vec(1, 2), sum([Vec(1, 1), Vec(2, 2)], Vec(0, 0)), [*Vec(1, 2)], callable(Vec(1, 2)), callable(Vec), callable(5)
Vec(1, 2) - Vec(1, 1)
Vec(1, 2) < Vec(2, 3)
Vec(1, 2) + 5
Dynamic().get_x, Dynamic().real, getattr(Dynamic(), "zz", "default"), hasattr(Dynamic(), "get_q"), hasattr(Dynamic(), "q")
Dynamic().other
isinstance([], cabc.Sequence), isinstance({}, cabc.Mapping), isinstance((), cabc.Hashable), isinstance([], cabc.Hashable), isinstance("a", cabc.Iterable), isinstance(5, cabc.Iterable), isinstance({1}, cabc.Set), isinstance(len, cabc.Callable), isinstance(iter([]), cabc.Iterator), isinstance((x for x in []), cabc.Generator), isinstance({}, cabc.MutableMapping), isinstance((), cabc.MutableSequence), isinstance([], cabc.Collection), isinstance([], cabc.Sized)
inspect.isclass(Vec), inspect.ismethod(Vec(1, 2).__add__), str(inspect.signature(lambda a, b=2, *args, c, d=4, **kw: 0)), list(inspect.signature(Vec.__add__).parameters), inspect.getdoc(Vec), inspect.isgeneratorfunction(tag), inspect.iscoroutinefunction(tag)
types.SimpleNamespace(a=1, b="x"), types.SimpleNamespace(a=1).a, types.SimpleNamespace(a=1) == types.SimpleNamespace(a=1), isinstance(len, types.BuiltinFunctionType), isinstance((x for x in []), types.GeneratorType), types.MappingProxyType({"a": 1})["a"], isinstance(types, types.ModuleType), types.NoneType is type(None)


def case_property_set():
    t = Temp(5)
    t.c = 10
    t.c += 1
    return [t.c, t.f]


def case_property_validates():
    Temp(5).c = -300


def case_property_read_only():
    Temp(5).f = 1


def case_frozen_set():
    Frozen(1).x = 5


def case_inplace():
    v = Vec(1, 2)
    w = v
    v += Vec(5, 5)
    return [v, v is w]


def case_set_enum():
    Color.RED.value = 5


def case_unique():
    @unique
    class U(Enum):
        A = 1
        B = 1


def case_instance_dict():
    v = Vec(1, 2)
    v.z = 3
    return [vars(v), v.__dict__, sorted(k for k in dir(v) if not k.startswith("_")), v.__class__.__name__, type(v) is Vec]


def case_class_attributes():
    class A:
        shared = []
        n = 1

        def bump(self):
            self.n += 1
            return self.n

    a, b = A(), A()
    a.shared.append(1)
    a.bump()
    A.n = 50
    return [b.shared, a.n, b.n, A.n]


def case_inheritance():
    class A:
        def who(self):
            return "A"

        def call(self):
            return self.who()

    class B(A):
        def who(self):
            return "B" + super().who()

    class C(A):
        def who(self):
            return "C" + super().who()

    class D(B, C):
        def who(self):
            return "D" + super().who()

    return [D().call(), [k.__name__ for k in D.__mro__], B().who(), issubclass(D, A), D.__bases__[0].__name__]


def case_contextmanager():
    log = []
    with tag(log, "a") as name:
        log.append(name.upper())
    with tag(log, "b"):
        raise KeyError("swallowed")
    try:
        with tag(log, "c"):
            raise ValueError("out")
    except ValueError as e:
        log.append(str(e))
    return log


def case_contextmanager_did_not_yield():
    with bad_manager():
        pass


def case_contextmanager_decorator():
    log = []

    @tag(log, "d")
    def run(x):
        log.append(x)
        return x

    return [run(1), run(2), log]


def case_contextmanager_return():
    log = []

    def run():
        with tag(log, "r") as t:
            return t

    return [run(), log]


def case_exit_stack():
    log = []
    with ExitStack() as stack:
        a = stack.enter_context(tag(log, "1"))
        b = stack.enter_context(tag(log, "2"))
        stack.callback(log.append, "callback")
        log.append(a + b)
    return log


def case_suppress():
    with suppress(KeyError, ZeroDivisionError):
        {}["x"]
    with suppress(Exception):
        1 / 0
    return "on"


def case_redirect():
    f = io.StringIO()
    with redirect_stdout(f):
        print("caught", 1, sep="-", end="!")
    return f.getvalue()


def case_closing():
    class R:
        closed = False

        def close(self):
            self.closed = True

    r = R()
    with closing(r) as x:
        same = x is r
    with nullcontext(5) as five:
        pass
    return [r.closed, same, five]


def case_string_io():
    f = io.StringIO("one\ntwo\nthree")
    first = f.readline()
    rest = f.readlines()
    f.seek(0)
    n = f.read(3)
    at = f.tell()
    lines = [line for line in f]
    f.write("!")
    return [first, rest, n, at, lines, f.getvalue(), f.seekable(), f.closed]


def case_string_io_closed():
    f = io.StringIO()
    f.close()
    f.write("x")


def case_bytes_io():
    f = io.BytesIO(b"abc")
    f.seek(1)
    f.write(b"ZZZ")
    f.seek(-2, 2)
    return [f.read(), f.getvalue(), f.tell(), io.BytesIO(b"a\nb").readlines(), f.truncate(2), f.getvalue()]


def case_bytes_io_kind():
    io.BytesIO().write("text")


def case_string_io_kind():
    io.StringIO().write(b"x")


def case_closures():
    fs = [lambda i=i: i for i in range(3)]

    def counter():
        n = 0

        def inc(step=1):
            nonlocal n
            n += step
            return n

        return inc

    c = counter()
    return [[f() for f in fs], c(), c(5), counter()()]


def case_defaults_shared():
    def add(x, xs=[]):
        xs.append(x)
        return xs

    return [add(1), add(2), add(3, [])]


def case_decorators():
    def times(n):
        def deco(f):
            def inner(*a, **k):
                return [f(*a, **k) for _ in range(n)]

            return inner

        return deco

    @times(2)
    @times(3)
    def hello(name="x"):
        return name

    return hello(name="q")


def case_class_decorator():
    def plugin(cls):
        cls.tagged = True
        return cls

    @plugin
    class P:
        pass

    return [P.tagged, P().tagged, P.__name__]


def case_getattr_setattr():
    v = Vec(1, 2)
    setattr(v, "x", 9)
    delattr(v, "y")
    return [getattr(v, "x"), hasattr(v, "y"), getattr(v, "nope", None)]


def case_setattr_hook():
    class S:
        def __setattr__(self, name, value):
            object.__setattr__(self, name, value * 2)

    s = S()
    s.a = 5
    return s.a


def case_descriptor_like_call():
    return [Vec.__add__(Vec(1, 1), Vec(2, 2)), str.upper("a"), list.append.__name__, dict.get({"a": 1}, "a"), int.__name__, "abc".upper.__name__]


def case_dataclass_defaults_mutable():
    a, b = Item("a"), Item("b")
    a.tags.append(1)
    return [a, b]


def case_dataclass_repr_nested():
    return repr(Item("a", 2.5, [Version(1), {"k": Frozen(2)}]))


def case_make_dataclass():
    P = dataclasses.make_dataclass("P", [("x", int), ("y", int, field(default=5))])
    return [P(1), P(1) == P(1, 5)]


class Ring:
    made = 0

    def __init__(self, r):
        self.r = r

    @functools.cached_property
    def area(self):
        Ring.made += 1
        return self.r * self.r

    @property
    def size(self):
        return self.r

    @size.deleter
    def size(self):
        self.r = 0


def case_cached_properties_are_deleted():
    ring = Ring(3)
    seen = [ring.area, ring.area, "area" in vars(ring)]
    del ring.area
    ring.r = 5
    seen += ["area" in vars(ring), ring.area, Ring.made]
    del ring.size
    return seen + [ring.size]


class Gauge:
    def __init__(self):
        self._level = 1

    def read(self):
        return self._level

    def write(self, level):
        self._level = level

    def empty(self):
        del self._level

    level = property(read, write, empty, "How full it is.")
    double = property(lambda self: self._level * 2)

    @property
    def half(self):
        return self._level / 2

    def labelled(cls, text="x"):
        return f"{cls.__name__}:{text}"

    labelled = classmethod(labelled)

    def add(a, b=1):
        return a + b

    add = staticmethod(add)


class SmallGauge(Gauge):
    @classmethod
    def labelled(cls, text="y"):
        return "small " + super().labelled(text)

    shout = staticmethod(str.upper)


def of_class(f):
    return classmethod(f)


class Registered:
    @of_class
    def who(cls, n=0):
        return [cls.__name__, n]


def case_property_made_of_functions():
    g = Gauge()
    g.level = 5
    before = [g.level, g.double, g.half]
    del g.level
    return [before, hasattr(g, "level")]


def case_property_without_deleter():
    del Gauge().double


def case_property_of_the_class():
    return [Gauge.level.fget is Gauge.read, Gauge.double.fset, isinstance(Gauge.half, property), Gauge.level.__doc__, Gauge.half.fget(Gauge())]


def case_classmethod_and_staticmethod_as_functions():
    g = SmallGauge()
    return [Gauge.labelled(), g.labelled("a"), SmallGauge.labelled(), Gauge.add(1), g.add(1, b=4), g.shout("a"), SmallGauge.shout("b")]


def case_classmethod_from_a_decorator():
    Registered.late = classmethod(lambda cls: cls.__name__)
    Registered.fixed = staticmethod(lambda a: a * 2)
    return [Registered.who(1), Registered().who(n=2), Registered.late(), Registered().late(), Registered.fixed(3), Registered().fixed(4)]


class Limits:
    limit = 3

    @classmethod
    def make(cls, n=1):
        return [cls.__name__, n]

    @staticmethod
    def twice(a):
        return a * 2


class Kinds:
    kind = "plain"

    @classmethod
    def make(cls, n=1):
        return ["never"]


class Made(Limits, Kinds):
    @classmethod
    def make(cls, n=1):
        return super().make(n) + [super().limit, super().kind, super().twice(2)]

    def again(self):
        return [super().twice(4), super().limit, super().make(9)]


class MadeDeeper(Made):
    @classmethod
    def make(cls, n=1):
        return ["deeper", *super().make(n=n * 2)]


def case_super_of_class_methods_with_mixins():
    return [Made.make(2), Made().again(), MadeDeeper.make(3), MadeDeeper().make()]


def marked(**marks):
    def mark(f):
        f.__dict__.update(marks)
        return f

    return mark


@marked(author="me", n=3)
def signed(x):
    return x


class Pages:
    @marked(route="/a")
    def first(self):
        return "A"

    def second(self):
        return "B"

    second.route = "/b"


def case_attributes_of_functions_as_a_dict():
    def plain(y):
        return y

    plain.__dict__["hits"] = 1
    plain.count = 2
    before = [plain.hits, sorted(vars(plain)), "count" in plain.__dict__]
    del plain.__dict__["hits"]
    return [signed.author, signed.__dict__, before, hasattr(plain, "hits"), plain.__dict__.setdefault("z", 9), plain.z]


def case_attributes_of_methods():
    pages = Pages()
    table = {getattr(pages, n).route: getattr(pages, n)() for n in sorted(dir(pages)) if hasattr(getattr(pages, n), "route")}
    return [table, Pages.first.route, pages.second.route, pages.second.__func__.route, pages.first.__dict__]


class Gathered:
    def __init__(*args, **named):
        args[0].values = args[1:]
        args[0].named = named

    def first(*args):
        return (type(args[0]).__name__, args[1:])

    def each(*args):
        yield from args[1:]

    @classmethod
    def made(*args):
        return (args[0].__name__, args[1:])

    @staticmethod
    def loose(*args):
        return args


def case_the_receiver_may_be_the_first_of_the_gathered_arguments():
    g = Gathered(1, 2, k=3)
    return (g.values, g.named, g.first(5), Gathered.first(g, 6), list(g.each(7, 8)), g.made(9), g.loose(1), Gathered.loose(2))


class Outside:
    def __init__(self, x):
        self.x = x

    def inside(self):
        class Inside:
            def __init__(this, y):
                this.y = y + self.x

            def both(me):
                return (self.x, me.y, [self.x + me.y for _ in range(2)])

            @staticmethod
            def loose():
                return self.x

            @classmethod
            def named(cls):
                return (cls.__name__, self.x)

            def own(self):
                return self.y

        made = Inside(5)
        return (made.both(), made.loose(), Inside.named(), made.own())


def case_methods_with_receivers_of_other_names_see_the_self_around_their_class():
    return Outside(4).inside()


class Snapshot:
    def __init__(self, x):
        self.x = x

    def names(self, n):
        total = sum(i * self.x for i in range(n))
        seen = locals()
        return (sorted(seen), seen["self"] is self, seen["total"])


def case_locals_of_methods_have_the_receiver():
    return Snapshot(2).names(4)


class Column:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return Column(f"{self.text} = {other!r}")

    def __ne__(self, other):
        return Column(f"{self.text} <> {other!r}")

    def __lt__(self, other):
        return Column(f"{self.text} < {other!r}")

    def __ge__(self, other):
        return Column(f"{self.text} >= {other!r}")

    def __and__(self, other):
        return Column(f"({self.text} AND {other.text})")

    def __repr__(self):
        return self.text


class Unlike:
    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return ""

    def __gt__(self, other):
        return "more"


def case_comparisons_give_what_their_methods_answer():
    age = Column("age")
    build = lambda column: column >= 18
    return (age >= 25, age == 3, age != 4, 5 > age, 5 <= age, (age >= 25) & (age < 65), f"{age == 'x'}", [age == 1, {"k": age < 2}], build(age))


def case_the_truth_of_what_comparisons_answer_is_asked():
    thing = Unlike()
    seen = [thing > 1, thing < 2, not thing > 1, not thing < 1, thing < 1 or "other", thing > 1 and 5, 1 < thing < 3, 1 > thing < 3]
    if thing > 1 and not thing < 1:
        seen.append("taken")
    seen.append([i for i in [1, 2] if thing < i])
    return seen


def case_unequal_asks_the_method_of_either_side():
    same = type("Same", (), {"__eq__": lambda self, other: True})()
    return (1 != Unlike(), Unlike() != 1, "x" != Unlike(), None != Unlike(), [Unlike()] != [2], Unlike() == Unlike(), 1 != same, same != 1)
# ---------------------------------------------------------------- values that enums make


class Named(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return f"{name.lower()}-{start}-{count}-{len(last_values)}"


class Road(Named):
    MAIN = auto()
    SIDE = auto()
    DIRT = "dirt"
    PATH = auto()


class Step(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return (count + start) * 10

    FIRST = auto()
    SECOND = auto()


[list(Road), list(Step), Road("dirt"), Road.PATH.value]
[list(Enum("Color", "RED GREEN", start=10)), list(Enum("Color", ["RED", "GREEN"], start=0)), list(Enum(value="Color", names="RED, GREEN")), Enum("Size", "S M", type=int, start=4).M == 5, Enum("Word", {"HI": "hi"}, type=str).HI == "hi"]


def case_enums_made_by_new():
    class AutoNumber(enum.Enum):
        def __new__(cls, *args):
            made = object.__new__(cls)
            made._value_ = len(cls.__members__) + 1
            return made

    class Color(AutoNumber):
        RED = ()
        GREEN = ()

    class Size(int, enum.Enum):
        def __new__(cls, number, label):
            made = int.__new__(cls, number)
            made._value_ = number
            made.label = label
            return made

        SMALL = (1, "s")
        LARGE = (9, "l")

    class Tone(str, enum.Enum):
        def __new__(cls, text, level):
            made = str.__new__(cls, text)
            made._value_ = text
            made.level = level
            return made

        LOW = ("low", 1)
        HIGH = ("high", 2)

    return [list(Color), Color(2), list(Size), Size.LARGE.label, Size(1).label, Size.LARGE + 1, Size.SMALL < 5, Tone("high").level, Tone.LOW.upper(), list(Color.__members__)]


def case_names_given_twice_in_an_enum():
    try:
        class Twice(enum.Enum):
            A = 1
            B = 2
            A = 3
    except TypeError as e:
        return str(e)


def case_enums_with_members_are_not_extended():
    class Color(enum.Enum):
        RED = 1

    try:
        class More(Color):
            BLUE = 2
    except TypeError as e:
        return str(e)


def case_marked_members():
    class Mixed(enum.Enum):
        A = 1
        LIMIT = enum.nonmember(5)
        LENGTH = enum.member(len)

    return [[m.name for m in Mixed], Mixed.LIMIT, Mixed.LENGTH.value("abc"), Mixed.A.value]


def case_tables_of_enums():
    class Color(enum.Enum):
        RED = 1
        GREEN = 2
        LIME = 2

    return [list(Color._value2member_map_), list(Color._member_map_), Color._member_names_, 2 in Color._value2member_map_]


def case_texts_of_classes_on_texts():
    class Symbol(str):
        def __repr__(self):
            return f"<{str(self)}>"

    class Count(int):
        def __repr__(self):
            return f"<{int(self)}>"

    return [Symbol("a"), str(Symbol("b")), f"{Symbol('c')} {Symbol('d')!r}", Count(3), str(Count(4)), [Symbol("e")]]


def case_abstract_properties_given_as_attributes():
    class Shape(ABC):
        @property
        @abstractmethod
        def name(self): ...

        @abstractmethod
        def area(self): ...

    class Square(Shape):
        name = "square"

        def area(self):
            return 4

    class Titled:
        name = "titled"

    class Both(Titled, Shape):
        def area(self):
            return 1

    class Neither(Shape, Titled):
        def area(self):
            return 1

    try:
        Neither()
        made = True
    except TypeError:
        made = False
    return [Square().name, Square.name, Square().area(), Both().name, made]


def case_typed_dicts_below_typed_dicts_have_all_keys():
    class Base(TypedDict):
        id: int

    class Film(Base, total=False):
        title: str
        year: int

    keys = (sorted(Film.__required_keys__), sorted(Film.__optional_keys__))
    return (Base.__annotations__, Film.__annotations__, keys, TypedDict("Made", {"a": int}).__annotations__)


def case_what_a_container_holds_is_no_test():
    kinds = {"numbers": list[int]}
    tries = []
    for test in [
        lambda: isinstance([1], list[int]),
        lambda: isinstance(1, dict[str, int]),
        lambda: isinstance([1], kinds["numbers"]),
        lambda: isinstance([1], (str, list[int])),
        lambda: isinstance("", (str, list[int])),
        lambda: isinstance([1], str | list[int]),
        lambda: isinstance([1], typing.List[int]),
        lambda: isinstance([1], typing.Sequence[int]),
        lambda: isinstance([1], typing.Optional[typing.List[int]]),
        lambda: isinstance([1], typing.List),
        lambda: isinstance(None, typing.Optional[int]),
        lambda: issubclass(list, list[int]),
        lambda: issubclass(list, typing.List[int]),
    ]:
        try:
            tries.append(test())
        except TypeError as e:
            tries.append(str(e))
    return tries
