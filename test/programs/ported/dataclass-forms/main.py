from dataclasses import dataclass, field, InitVar, KW_ONLY, asdict, replace, fields
from typing import ClassVar, Optional
import math
import dataclasses

@dataclass
class A:
    x: int
    scale: InitVar[int]
    _: KW_ONLY
    y: int = 5
    z: int = field(default=3, kw_only=True)
    def __post_init__(self, scale):
        self.x = self.x * scale

@dataclass
class B:
    a: int
    k: int = field(kw_only=True)
    b: int = 7

@dataclass
class C:
    a: int
    d: InitVar[int] = 4
    e: int = field(init=False)
    n: ClassVar[int] = 9
    def __post_init__(self, d):
        self.e = self.a + d

@dataclass
class D(A):
    w: int = 1
    extra: InitVar[str | None] = None
    def __post_init__(self, scale, extra):
        super().__post_init__(scale)
        self.note = extra

@dataclass
class E:
    a: int
    db: dataclasses.InitVar[dict]
    _: dataclasses.KW_ONLY
    q: list = field(default_factory=list)
    def __post_init__(self, db):
        if self.a in db:
            self.a = db[self.a]

def att(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"

print(A(2, 3), A(2, 3, y=9, z=1))
print(att(lambda: A(2, 3, 4)))
print(att(lambda: A(2)))
print(B(1, k=3), B(1, 2, k=3), att(lambda: B(1)), att(lambda: B(1, 2, 3)))
print(C(1), C(1, 10), C.n, C.d)
print(D(2, 3), D(2, 3, 8, "hey").note, D(2, 3, y=1))
print([f.name for f in fields(A)], asdict(A(1, 2)), [f.name for f in fields(D)])
print(att(lambda: replace(A(2, 3), y=1)))
print(replace(A(2, 3), y=1, scale=1))
print(att(lambda: replace(C(2, 3), a=1)))
print(E(1, {1: 5}), E(2, db={}, q=[1]))
print(A(2, 3) == A(3, 2), hasattr(A(2, 3), "scale"), [f.kw_only for f in fields(A)])
print(A.__match_args__)
def default_name(): return None
@dataclass
class Made:
    x: Optional[int] = default_name()
    y: float = math.pi
    z: list = field(default_factory=lambda: [1, 2])
    count: ClassVar[int] = 0
    def __post_init__(self):
        Made.count += 1
print(Made(), Made(1, 2.5), Made.count, Made.x, Made.y, hasattr(Made, "z"))
@dataclass(order=True, frozen=True)
class V:
    major: int
    minor: int = 0
    tag: str = field(default="", compare=False)
try: V(1).major = 3
except Exception as e: print(type(e).__name__, e)
print(sorted([V(2), V(1, 5)]), V(1) == V(1, tag="x"), hash(V(1)) == hash(V(1, tag="y")))
@dataclass
class Base:
    id: int
    name: str = "n"
@dataclass
class Child(Base):
    extra: int = 3
    _: KW_ONLY
    opt: bool = False
print(Child(1), Child(1, "a", 4, opt=True), [f.name for f in fields(Child)])
try: Child(1, "a", 4, True)
except TypeError as e: print(e)
@dataclass
class Temp:
    celsius: InitVar[float]
    kelvin: float = field(init=False)
    def __post_init__(self, celsius):
        self.kelvin = celsius + 273.15
print(Temp(10.0), Temp(celsius=0.0).kelvin)
@dataclass(kw_only=True)
class K:
    a: int
    b: int = field(default=2, kw_only=False)
print(K(5, a=1), [f.kw_only for f in fields(K)])
@dataclass
class T:
    items: list[int] = field(default_factory=list)
    total: int = field(init=False, default=0)
    def add(self, n):
        self.items.append(n); self.total += n
        return self
print(T().add(3).add(4), T())
match V(1, 2):
    case V(a, b): print(a, b)
match Child(1, opt=True):
    case Child(i, n, opt=o): print(i, n, o)
