import typing
from typing import Protocol, runtime_checkable, NamedTuple, TypedDict, NewType, get_type_hints, overload, cast, Annotated, Any, Optional, Union, Generic, TypeVar, Callable, ClassVar, Final, Literal, Required, NotRequired, get_origin, get_args, ParamSpec, TypeVarTuple, Self, Concatenate, Unpack, TYPE_CHECKING, no_type_check, final, assert_never, reveal_type, is_typeddict, Never, LiteralString, TypeGuard, SupportsInt, SupportsFloat, SupportsAbs, SupportsIndex, Hashable, Sized

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Pr(Protocol):
    x: int

    def go(self) -> int:
        ...


@runtime_checkable
class Rp(Protocol):
    name: str

    def close(self) -> None:
        ...


class Impl:
    name = "n"

    def close(self):
        pass


class Nope:
    def close(self):
        pass


class Pt(NamedTuple):
    x: int
    y: int = 0
    """doc"""

    def norm(self):
        return self.x + self.y

    @classmethod
    def origin(cls):
        return cls(0, 0)

    @property
    def double(self):
        return self.x * 2

    def __str__(self):
        return f"Pt<{self.x}>"


class Movie(TypedDict):
    name: str
    year: int


class MovieX(Movie, total=False):
    extra: str
    need: Required[int]


UserId = NewType("UserId", int)


class Ex(Pr):
    x = 1

    def go(self):
        return 5


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, i: T) -> Self:
        self.items.append(i)
        return self


@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a):
    return a


def hinted(a: int, b: Optional[str] = None, *c: float, d: "int" = 3, **e: Any) -> list[int]:
    return []


def main():
    print(isinstance(Impl(), Rp), isinstance(Nope(), Rp), isinstance(Ex(), Pr) if False else "-", Ex().go())
    p = Pt(1)
    print(p, repr(p), p._asdict(), p._replace(y=5), Pt._fields, Pt._field_defaults, p.norm(), Pt.origin(), p.double, p == (1, 0), p[0], len(p), tuple(p), Pt._make([4, 5]), Pt.__annotations__)
    tried(lambda: Pt())
    tried(lambda: Pt(1, 2, 3))
    tried(lambda: p._replace(z=1))
    try:
        p.x = 3
    except AttributeError as e:
        print(e)
    x, y = p
    print(x, y, isinstance(p, tuple), hash(p) == hash((1, 0)), p < Pt(2), sorted([Pt(3), Pt(1, 9)]))
    match p:
        case Pt(x=1, y=q):
            print("matched", q)
    match p:
        case Pt(a, b):
            print(a, b)
    m: Movie = {"name": "a", "year": 1}
    Mv = TypedDict("Mv", {"a": int, "b": str}, total=False)
    print(Mv(a=1), Mv.__name__, Mv.__total__)
    print(UserId, UserId(5), UserId.__name__, UserId.__supertype__, repr(UserId))
    print(get_type_hints(Pt), get_type_hints(Movie))
    print(cast(int, "x"), cast("Foo", 3), f(1), f("s"))
    print(Optional[int], Union[int, str], Union[int, None], Union[int], Literal["a", 1], Callable[[int], str], Callable[..., int], list[int], dict[str, list[int]], tuple[int, ...], type[int], int | None, int | str, Any, ClassVar[int], Final[int], typing.List[int], typing.Dict[str, int], typing.Tuple[int, ...], typing.Type[int], typing.Iterable[int], typing.Set[int])
    print(get_origin(list[int]), get_args(dict[str, int]), get_origin(Optional[int]), get_args(Optional[int]), get_origin(Callable[[int], str]), get_args(Callable[[int, str], str]), get_args(Literal[1, 2]), get_origin(int))
    print(Optional[int] == Union[int, None], Union[int, str] == Union[str, int], list[int] == list[int], Literal[1] == Literal[1], isinstance(3, int | str), isinstance("a", Union[int, str]), isinstance(None, Optional[int]))
    print(isinstance([1], typing.List), isinstance(3, SupportsInt), isinstance("a", SupportsAbs), isinstance(3.0, SupportsFloat), isinstance(3, SupportsIndex))
    tried(lambda: Optional[1, 2])
    tried(lambda: assert_never(3))
    print(TYPE_CHECKING, final(Impl) is Impl)
    Vector = list[float]

    class Node(Generic[T]):
        def __init__(self, v: T, nxt: "Optional[Node[T]]" = None):
            self.v = v
            self.nxt = nxt
    n = Node[int](1, Node(2))

    class IntStack(Stack[int]):
        pass
    E = NamedTuple("E", [("name", str), ("id", int)])
    print(E("a", 1), E.__annotations__)
    print(Pt.__match_args__, p.__class__.__name__, p.count(1), p.index(0), p + (9,))

    class Sub(Pt):
        def extra(self):
            return self.x * 100
    print(Sub(2).extra(), repr(Sub(2, 3)), Sub(2)._replace(x=9))

    class Cl(Protocol[T]):
        def __call__(self, a: T) -> T: ...

    class MetaP(Rp, Protocol):
        def more(self) -> int: ...

    @runtime_checkable
    class Cmp(Protocol):
        def __lt__(self, o) -> bool: ...
    print(isinstance(3, Cmp), isinstance("a", Cmp), 1)


def ann(a: Annotated[int, "x"]) -> Annotated[str, 5]:
    return ""


main()


def alias_names():
    from types import UnionType
    for one in (list[str], dict[str, int], tuple[int, ...], Optional[int], Union[int, str]):
        print(one.__name__, get_origin(one))
    either = int | None
    print(get_origin(either) is UnionType, get_origin(either) in (Union, UnionType), type(either) is UnionType)
    print(isinstance(either, UnionType), isinstance(Optional[int], UnionType), get_origin(Optional[int]) is Union)


alias_names()
