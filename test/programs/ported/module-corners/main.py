import abc
import collections
import contextvars
import functools
import inspect


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


# What a context runs changes nothing outside of it.
cv = contextvars.ContextVar("cv", default=1)
ctx = contextvars.copy_context()
print(cv.get(), ctx.run(lambda: cv.set(9) and cv.get()), cv.get(), ctx[cv])


# An attribute of the class stands for an abstract property; other classes may be registered.
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        return 0

    @property
    @abc.abstractmethod
    def name(self):
        return ""

    @classmethod
    def make(cls):
        return cls()


class Square(Shape):
    def area(self):
        return 1


class Named(Square):
    name = "named"


class Other:
    pass


print(Named().name, Named.make().area(), inspect.isabstract(Shape), sorted(Shape.__abstractmethods__), issubclass(Named, Shape))
print(isinstance(3, Shape), isinstance(Other(), Shape))
Shape.register(int)
Shape.register(Other)
print(isinstance(3, Shape), isinstance(Other(), Shape), issubclass(Other, Shape), isinstance("x", Shape), isinstance(Named(), Shape), isinstance(3, Named))


# Signatures.
def sig(a, /, b: int, *args, c=3, d: str = "x", **kw) -> bool:
    return True


s = inspect.signature(sig)
print(s, list(s.parameters), s.parameters["b"].kind, s.parameters["c"].default, s.return_annotation, s.parameters["b"].annotation)
ba = s.bind(1, 2, 3, c=4, z=5)
print(ba.arguments, ba.args, ba.kwargs, ba)
ba2 = s.bind(1, 2)
ba2.apply_defaults()
print(ba2.arguments, s.bind_partial(1).arguments)
t(lambda: s.bind(1))
t(lambda: inspect.signature(lambda x: x).bind(1, 2))
t(lambda: inspect.signature(lambda x: x).bind(y=2))
t(lambda: inspect.signature(lambda x: x).bind(2, x=2))
print(inspect.getfullargspec(sig))


@functools.lru_cache(maxsize=2)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(10), fib.cache_parameters(), collections.namedtuple("P", "x y").__doc__)
t(lambda: collections.deque([1]).remove(5))
