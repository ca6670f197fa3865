import dataclasses
from dataclasses import dataclass, field, replace, asdict, astuple, fields, InitVar, KW_ONLY, is_dataclass, make_dataclass, FrozenInstanceError
from typing import ClassVar, List, Optional

def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)

@dataclass
class P:
    x: int
    y: int = 0

print(P(1), P(1) == P(1, 0), P.__doc__)
t(lambda: P())
t(lambda: P(1, 2, 3))
t(lambda: P(z=1))
t(lambda: hash(P(1)))
t(lambda: P(1) < P(2))
def mutable():
    @dataclass
    class M:
        a: list = []
    return M
t(mutable)
def mutable2():
    @dataclass
    class M:
        a: dict = {}
    return M
t(mutable2)
def mutable3():
    @dataclass
    class M:
        a: set = field(default={1})
    return M
t(mutable3)
def order():
    @dataclass
    class B(P):
        z: int
    return B
t(order)
def order2():
    @dataclass
    class F:
        a: int
    @dataclass(frozen=True)
    class G(F):
        b: int
    return G
t(order2)
def order3():
    @dataclass(frozen=True)
    class F:
        a: int
    @dataclass
    class G(F):
        b: int
    return G
t(order3)

@dataclass(order=True, frozen=True)
class V:
    major: int
    minor: int = field(default=0, compare=True)
    tag: str = field(default="", compare=False, repr=False)
print(V(1, 2, "a"), V(1, 2, "a") == V(1, 2, "b"), V(1) < V(1, 1), sorted([V(2), V(1, 5), V(1)]))
print(hash(V(1)) == hash(V(1)), {V(1): 1}[V(1, 0, "k")])
def setit():
    v = V(1)
    v.major = 3
t(setit)
def delit():
    v = V(1)
    del v.major
t(delit)
def setnew():
    v = V(1)
    v.other = 3
t(setnew)
print([f.name for f in fields(V)], [f.type for f in fields(V)], fields(V)[1].default, fields(V)[2].compare)

@dataclass(slots=True)
class S:
    a: int
    b: str = "q"
s = S(1)
print(s, S.__slots__)
def slot():
    s.c = 4
t(slot)

@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int = 2
    c: int = 3
print(K(1, b=5))
t(lambda: K(1, 2))
t(lambda: [f.kw_only for f in fields(K)])

@dataclass(kw_only=True)
class K2:
    a: int = 0
    b: int
print(K2(b=4))
t(lambda: K2(4))
t(lambda: K2())
print(K.__match_args__, V.__match_args__, K2.__match_args__)

@dataclass
class I:
    a: int
    scale: InitVar[int] = 2
    total: int = field(init=False)
    names: List[str] = field(default_factory=list, metadata={"unit": "m"})
    count: ClassVar[int] = 7
    def __post_init__(self, scale):
        self.total = self.a * scale
i = I(3, 4)
print(i, I(3), I.count, asdict(i), astuple(i))
print([f.name for f in fields(I)], fields(I)[2].metadata["unit"], fields(I)[2].metadata)
t(lambda: replace(i, a=5))
t(lambda: replace(i, a=5, scale=10))
t(lambda: replace(i, total=5, scale=1))

@dataclass
class Tree:
    value: int
    kids: list = field(default_factory=list)
    up: Optional["Tree"] = None
tree = Tree(1, [Tree(2), Tree(3, [Tree(4)])])
print(tree)
print(asdict(tree))
print(asdict(tree, dict_factory=lambda items: {k: v for k, v in items if v}))
tree.up = tree
print(tree)

C = make_dataclass("C", [("x", int), "y", ("z", int, field(default=5))], namespace={"add": lambda self: self.x + self.z}, frozen=True)
print(C(1, 2), C(1, 2).add())
t(lambda: setattr(C(1, 2), "x", 3))
t(lambda: make_dataclass("Q", ["a", "a"]))
print(is_dataclass(P), is_dataclass(P(1)), is_dataclass(int), is_dataclass(3))
t(lambda: fields(int))
t(lambda: asdict(P))
t(lambda: asdict(3))
t(lambda: replace(3))
t(lambda: replace(P(1), q=3))
t(lambda: field(default=1, default_factory=list))

@dataclass(repr=False, eq=False)
class N:
    a: int
print(N(1) == N(1), repr(N(1))[:15] == "<__main__.N obj" , N(1) != N(1))
@dataclass(init=False)
class NI:
    a: int
    b: int = 3
    def __init__(self, q):
        self.a = q
print(NI(4))
@dataclass(unsafe_hash=True)
class UH:
    a: int
    b: int = field(hash=False, default=1)
print(hash(UH(1)) == hash(UH(1, 5)), UH(1) == UH(1, 5))
@dataclass
class A:
    x: int = 1
    y: int = 2
@dataclass
class B(A):
    z: int = 3
    x: int = 10
print(B(), B(5), [f.name for f in fields(B)], B(1, 2, 3) == A(1, 2))
print(A.x, B.x, dataclasses.MISSING is fields(P)[0].default)
print(P.__dataclass_fields__["x"].name, list(P.__dataclass_fields__), P.__annotations__)
match P(1, 2):
    case P(a, b):
        print("matched", a, b)
t(lambda: P.x)
print(P.y, P.__eq__(P(1), 3))
@dataclass
class D:
    """My doc."""
    x: int
def dflt():
    @dataclass
    class X:
        a: int = field(default=1)
        b: int
    return X
t(dflt)
@dataclass(order=True)
class O:
    a: int
t(lambda: O(1) < 3)
t(lambda: O(1) <= O(1))
def dup():
    @dataclass(order=True)
    class X:
        a: int
        def __lt__(self, o):
            return True
    return X
t(dup)
def eqorder():
    return dataclass(eq=False, order=True)(P)
t(eqorder)
t(lambda: fields(P)[0].foo)
