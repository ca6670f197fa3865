import enum
import json
import copy
from enum import Enum, IntEnum, StrEnum, Flag, IntFlag, auto, unique, verify, UNIQUE, CONTINUOUS, NAMED_FLAGS, STRICT, CONFORM, EJECT, KEEP, member, nonmember, global_enum, FlagBoundary, EnumMeta


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class A(Flag, boundary=STRICT):
    R = auto()
    W = auto()


class B(Flag, boundary=CONFORM):
    R = auto()
    W = auto()


class C(Flag, boundary=EJECT):
    R = auto()
    W = auto()


class D(Flag, boundary=KEEP):
    R = auto()
    W = auto()


class I(IntFlag):
    R = 4
    W = 2
    X = 1
    RWX = 7


class Planet(Enum):
    EARTH = (5.976e+24, 6.37814e-6)
    MARS = (6.421e+23, 3.3972e-6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def g(self):
        return 6.67e-11 * self.mass / (self.radius * self.radius)

    @classmethod
    def first(cls):
        return list(cls)[0]

    @staticmethod
    def s():
        return "static"


class Ordinal(Enum):
    def __new__(cls, value, label):
        obj = object.__new__(cls)
        obj._value_ = value
        obj.label = label
        return obj
    ONE = (1, "first")
    TWO = (2, "second")


class Low(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower() + str(count)
    AA = auto()
    BB = auto()


class Miss(Enum):
    A = "a"
    B = "b"

    @classmethod
    def _missing_(cls, value):
        if isinstance(value, str):
            for m in cls:
                if m.value == value.lower():
                    return m
        return None


class Mixed(Enum):
    X = 1
    Y = auto()
    Z = 10
    W = auto()
    ALIAS = 1


class Outer(Enum):
    v = nonmember(5)
    A = 1

    def f(self):
        return self.name


class Sh(str, Enum):
    A = "a"
    B = "b"

    def __str__(self):
        return f"<{self.value}>"


class Op(Enum):
    ADD = "+"

    def __call__(self, a, b):
        return a + b


class Ord(Enum):
    LO = 1
    HI = 2

    def __lt__(self, other):
        if self.__class__ is other.__class__:
            return self.value < other.value
        return NotImplemented

    def __eq__(self, o):
        return super().__eq__(o)

    def __hash__(self):
        return hash(self.value)


def main():
    tried(lambda: A(8))
    tried(lambda: B(9))
    tried(lambda: C(9))
    tried(lambda: type(C(9)))
    tried(lambda: D(9))
    tried(lambda: A(3))
    print(repr(A.R | A.W), str(A.R | A.W), A.R in (A.R | A.W), bool(A.R & A.W), list(A), list(A.R | A.W), len(A.R | A.W), ~A.R, A(0), repr(A(0)), str(A(0)))
    tried(lambda: 1 in A.R)
    tried(lambda: A.R | 1)
    print(I.R | I.W, repr(I.R | I.W), repr(I(9)), repr(I(16)), I.R + 1, I.RWX, repr(~I.R), I(0), repr(I(0)), f"{I.R}", f"{I.R:>5}", I.R == 4, list(I), repr(I.R | 8), I.R in I.RWX)
    print(repr(I.RWX & ~I.R), I.R.name, (I.R | I.W).name, I(9).name, I(16).name)
    print(Planet.EARTH, repr(Planet.MARS), round(Planet.EARTH.g, 2), Planet.first(), Planet.s(), Planet.EARTH.value, Planet((6.421e+23, 3.3972e-6)))
    print(Ordinal(1).label, Ordinal.TWO.value, repr(Ordinal.ONE))
    print([m.value for m in Low], Miss("A"), [m.value for m in Mixed], list(Mixed.__members__.items()), Mixed.ALIAS, Mixed.ALIAS is Mixed.X, Mixed["ALIAS"].name)
    tried(lambda: Miss("zz"))
    tried(lambda: Miss(3))
    tried(lambda: Mixed["nope"])
    print(Outer.v, [m.name for m in Outer], Outer.A.f())
    print(Sh.A, repr(Sh.A), f"{Sh.A}", Sh.A == "a", Sh.A.upper(), "x" + Sh.A, json.dumps({"k": Sh.A}), json.dumps([I.R, Sh.B]), f"{Sh.A!r}")
    print(Op.ADD(1, 2), Ord.LO < Ord.HI, sorted([Ord.HI, Ord.LO]), Ord.LO == Ord.LO, {Ord.LO: 1}[Ord.LO])
    tried(lambda: Ord.LO < 3)
    F = Enum("F", "RED GREEN BLUE")
    print(list(F), F.RED.value, F, repr(F), F.__name__, F["GREEN"])
    G = Enum("G", ["P", "Q"], start=0)
    print(list(G))
    H = IntEnum("H", {"A": 5, "B": 6})
    print(list(H), H.A + 1, H.A, repr(H.A), str(H.A), f"{H.A}")
    K = StrEnum("K", "aa bb")
    print(list(K), K.aa)
    L = Enum("L", [("x", 1), ("y", 2)], type=int)
    print(list(L), L.x + 1)
    P = Flag("P", "a b c")
    print(list(P), P.a | P.c)
    try:
        @unique
        class U(Enum):
            A = 1
            B = 1
    except ValueError as e:
        print(e)
    try:
        @verify(UNIQUE)
        class U2(Enum):
            A = 1
            B = 1
    except ValueError as e:
        print(e)
    try:
        @verify(CONTINUOUS)
        class U3(Enum):
            A = 1
            B = 3
    except ValueError as e:
        print(e)
    try:
        @verify(NAMED_FLAGS)
        class U4(Flag):
            A = 1
            B = 14
    except ValueError as e:
        print(e)
    try:
        class U5(Enum):
            A = 1
            A = 2
    except TypeError as e:
        print(e)
    try:
        class U6(Mixed):
            A = 1
    except TypeError as e:
        print(e)
    try:
        Mixed.X = 3
    except AttributeError as e:
        print(e)
    try:
        del Mixed.X
    except AttributeError as e:
        print(e)
    try:
        Mixed.X.value = 3
    except AttributeError as e:
        print(e)
    try:
        Mixed.X.name = 3
    except AttributeError as e:
        print(e)
    print(copy.copy(Mixed.X) is Mixed.X, copy.deepcopy([Mixed.X])[0] is Mixed.X, copy.deepcopy({Mixed.X: 1}))
    print(len(Mixed), list(reversed(Mixed)), isinstance(Mixed.X, Mixed), isinstance(Mixed, EnumMeta), type(Mixed.X))
    print(Mixed.X.__class__, Mixed.__doc__, Mixed.X.name, Mixed.__module__, Mixed.__qualname__, bool(Mixed.X), hash(Mixed.X) == hash(Mixed.X))
    print(hasattr(Mixed.X, "_value_"), Mixed.X._name_, Mixed._member_names_)
    print(repr(FlagBoundary.STRICT), STRICT, KEEP.value)

    class St(StrEnum):
        FOO = auto()
        BAR = "b"
    print(St.FOO, repr(St.FOO), St("foo"), St.FOO == "foo", f"{St.FOO:>6}|", St.BAR.upper(), ",".join(St), {"foo": 1}[St.FOO])
    try:
        class St2(StrEnum):
            A = 1
    except TypeError as e:
        print(e)

    class Num(IntEnum):
        ONE = 1
        TWO = 2
        THREE = 3
    print(Num.ONE + Num.TWO, Num(3), Num.ONE < Num.TWO, max(Num), sorted(Num, reverse=True), sum(Num), [0, 10, 20][Num.ONE], range(Num.THREE), Num.ONE.real, int(Num.TWO), f"{Num.ONE:03d}", "%d %s" % (Num.ONE, Num.ONE), str(Num.ONE), repr(Num.ONE), Num.TWO == 2, Num.ONE / 2, -Num.ONE, Num.THREE & 1, isinstance(Num.ONE, int), json.dumps({Num.ONE: Num.TWO}))

    class Emp(Enum):
        def hello(self):
            return "hello " + self.name

    class Sub(Emp):
        A = 1
    print(Sub.A.hello())

    class Fl(float, Enum):
        PI = 3.5
    print(Fl.PI + 1, repr(Fl.PI), Fl.PI.value)

    class Color(Enum):
        RED = 1
        GREEN = 2

        @classmethod
        def parse(cls, t):
            return cls[t.upper()]

        @property
        def nice(self):
            return self.name.title()
    print(Color.parse("red").nice, [c.nice for c in Color], Color.RED.__class__.__members__["GREEN"], dict(Color.__members__))
    match Color.RED:
        case Color.RED:
            print("red")
    print(callable(Color), iter(Color) is not None, Color.__members__)
    e = Color
    print(e(1), e.RED != e.GREEN, e.RED is e(1), not e.RED)


main()
