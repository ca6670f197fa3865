import typing
from typing import *
import collections.abc as cabc
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
T = TypeVar("T")
K = TypeVar("K", bound=int)
t(lambda: get_origin(List[int]))
t(lambda: get_args(List[int]))
t(lambda: get_origin(Dict[str, int]))
t(lambda: get_args(Dict[str, List[int]]))
t(lambda: get_origin(list[int]))
t(lambda: get_origin(Optional[int]))
t(lambda: get_args(Optional[int]))
t(lambda: get_origin(Callable[[int, str], bool]))
t(lambda: get_args(Callable[[int, str], bool]))
t(lambda: get_args(Callable[..., bool]))
t(lambda: get_origin(Literal["a", 1]))
t(lambda: get_args(Literal["a", 1]))
t(lambda: get_args(Annotated[int, "meta", 3]))
t(lambda: Annotated[int, "meta"].__metadata__)
t(lambda: Annotated[int, "meta"].__origin__)
t(lambda: get_origin(Tuple[int, ...]))
t(lambda: get_args(Tuple[int, ...]))
t(lambda: get_origin(Iterable[int]))
t(lambda: get_origin(Mapping[str, int]))
t(lambda: get_origin(Type[int]))
t(lambda: get_origin(int))
t(lambda: get_origin(List))
t(lambda: get_args(int))
t(lambda: get_origin(Union[int, str]))
t(lambda: get_args(int | str | None))
t(lambda: get_origin(Set[int]))
t(lambda: get_origin(FrozenSet[int]))
t(lambda: get_origin(Generator[int, None, str]))
t(lambda: get_origin(ClassVar[int]))
t(lambda: get_origin(Final[int]))
t(lambda: get_origin(DefaultDict[str, int]))
t(lambda: get_origin(Deque[int]))
t(lambda: get_origin(Counter[str]))
print(List[int], Dict[str, int], Optional[int], Union[int, str], Union[int, None, str], Union[int])
print(Union[int, Union[str, int]], Union[int, int], Optional[Union[str, int]])
print(Callable[[int], str], Callable[..., int], Callable, Literal["a", 1], Tuple[int, ...], Tuple[()], Type[int])
print(Annotated[int, "m"], Annotated[Annotated[int, 1], 2])
print(List, Dict, Any, Optional, Union, Callable, Iterable[str], Generator[int, None, None])
print(T, K, TypeVar("A", int, str), List[T], Dict[str, T])
print(ClassVar[int], Final[str], NoReturn, Type, Sequence[int], Mapping[str, Any], Awaitable[int])
print(Dict[str, List[Optional[int]]], list[int], dict[str, list[int]], tuple[int, ...], int | None)
print(List["Node"], Optional["Node"], ForwardRef("X"))
print(Union[int, str] == Union[str, int], List[int] == List[int], Optional[int] == Union[int, None], Literal[1] == Literal[1], int | str == str | int, List[int] == List[str])
print(hash(Union[int, str]) == hash(Union[str, int]), {List[int]: 1}[List[int]])
print(T.__name__, T.__bound__, K.__bound__, TypeVar("A", int, str).__constraints__, T.__covariant__)
UserId = NewType("UserId", int)
print(UserId(5), UserId.__name__, UserId, UserId.__supertype__)
def f(a: int, b: "str" = "x", *, c: Optional[int] = None) -> List[int]:
    return []
class Pt(NamedTuple):
    x: int
    y: float = 1.0
    def norm(self):
        return self.x
p = Pt(1)
t(lambda: Pt())
class Movie(TypedDict, total=False):
    title: str
    year: int
m = Movie(title="a", year=3)
class Req(TypedDict):
    a: int
    b: NotRequired[str]
class Below(Req):
    extra: str


M2 = TypedDict("M2", {"a": int, "b-c": str})
@runtime_checkable
class Closer(Protocol):
    def close(self) -> None: ...
class Door:
    def close(self):
        return None
class Win: 
    pass
class NotRt(Protocol):
    name: str
@runtime_checkable
class HasName(Protocol):
    name: str
class Nm:
    def __init__(self):
        self.name = "q"
print(isinstance(Nm(), HasName), isinstance(3, HasName))
class Stack(Generic[T]):
    def __init__(self):
        self.items: List[T] = []
    def push(self, x: T) -> None:
        self.items.append(x)
s = Stack[int]()
s.push(1)
class Sub(Stack[str]):
    pass
@overload
def ov(a: int) -> int: ...
@overload
def ov(a: str) -> str: ...
def ov(a):
    return a
print(ov(3), cast(int, "x"), cast("List[int]", [1]))
t(lambda: isinstance([], List))
t(lambda: isinstance({}, Dict))
t(lambda: isinstance(3, Union[int, str]))
t(lambda: isinstance("s", int | str))
t(lambda: isinstance(3, Optional[int]))
t(lambda: Union())
t(lambda: T())
t(lambda: Optional[int, str])
t(lambda: Union[()])
t(lambda: List[int].__origin__)
t(lambda: List[int].__args__)
t(lambda: (int | str).__args__)
t(lambda: Callable[[int], str].__args__)
t(lambda: Callable[[int, T], T][str] if False else 1)
t(lambda: List[T][int])
t(lambda: Dict[K, T][int, str])
t(lambda: List[T].__parameters__)
class C:
    a: int
    b: "Optional[str]" = None
    c: ClassVar[List[int]] = []
print(get_type_hints(Pt))
def g(x: Annotated[int, "pos"]): ...
print(TYPE_CHECKING, Text, AnyStr)
print(issubclass(list, Sequence), issubclass(dict, Mapping), isinstance([], Iterable), isinstance(3, Hashable), isinstance([], Hashable), isinstance("", Sized), isinstance(3, SupportsInt), isinstance("3", SupportsInt), isinstance(3, SupportsFloat), isinstance([], SupportsIndex))
t(lambda: ParamSpec("P"))
t(lambda: get_args(Optional[List[int]])[0])
print(typing.Self, typing.Never, typing.LiteralString, Concatenate, TypeAlias)
t(lambda: Final[int, str])
assert_type(3, int)
t(lambda: assert_never(3))
print(str(Optional[Callable[[int], None]]))
print(Dict[str, "Foo"], list["Foo"])
from typing import *
KINDS = {"a": int, "b": [str, float]}
def kind_of(kinds, k):
    return isinstance(3, kinds[k])
print(isinstance(3, KINDS["a"]), kind_of(KINDS, "a"), isinstance("x", KINDS["b"][0]))
print(isinstance(3, Optional[int]), isinstance(None, Optional[int]), isinstance("", Union[int, str]), issubclass(int, Union[int, str]), isinstance(2.5, Union[int, str]))
try:
    kind_of(KINDS, "zz")
except KeyError as e:
    print(repr(e))
below = Below(extra="e")
print(below, isinstance(below, dict))
