"""Event bus, observers, weak-ish handlers, middleware, history with undo; plugin registry."""
from __future__ import annotations
import inspect
import re
import sys
from abc import ABC, abstractmethod
from collections import OrderedDict, defaultdict, deque, ChainMap
from dataclasses import dataclass, field, asdict, fields
from enum import Enum, Flag, auto
from functools import cached_property, lru_cache, partial, reduce, singledispatch, wraps
from typing import Any, Callable, ClassVar, Generic, NamedTuple, Optional, Protocol, TypeVar, Union

T = TypeVar("T")
E = TypeVar("E", bound="Event")


class Level(Flag):
    DEBUG = auto()
    INFO = auto()
    WARN = auto()
    ALL = DEBUG | INFO | WARN


@dataclass(frozen=True)
class Event:
    source: str
    topic: ClassVar[str] = "event"

    def describe(self) -> str:
        parts = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self)]
        return f"{self.topic}({', '.join(parts)})"


@dataclass(frozen=True)
class UserCreated(Event):
    name: str = "?"
    tags: tuple[str, ...] = ()
    topic: ClassVar[str] = "user.created"


@dataclass(frozen=True)
class OrderPlaced(Event):
    amount: float = 0.0
    items: tuple = ()
    topic: ClassVar[str] = "order.placed"

    @property
    def total_items(self) -> int:
        return sum(n for _, n in self.items)


class Handler(Protocol):
    def __call__(self, event: Event) -> Any: ...


class Subscription(NamedTuple):
    topic: str
    handler: Callable
    priority: int = 0
    once: bool = False

    def matches(self, topic: str) -> bool:
        pattern = re.escape(self.topic).replace(r"\*\*", ".+").replace(r"\*", r"[^.]+")
        return re.fullmatch(pattern, topic) is not None


class Bus:
    def __init__(self) -> None:
        self._subs: list[Subscription] = []
        self._middleware: list[Callable[[Event, Callable], Any]] = []
        self.history: deque[tuple[str, int]] = deque(maxlen=4)
        self.errors: list[Exception] = []

    def on(self, topic: str, *, priority: int = 0, once: bool = False) -> Callable[[Handler], Handler]:
        def decorator(handler: Handler) -> Handler:
            self._subs.append(Subscription(topic, handler, priority, once))
            self._subs.sort(key=lambda s: -s.priority)
            return handler
        return decorator

    def off(self, handler) -> int:
        before = len(self._subs)
        self._subs[:] = [s for s in self._subs if s.handler is not handler and s.handler != handler]
        return before - len(self._subs)

    def use(self, fn):
        self._middleware.append(fn)
        return fn

    def emit(self, event: Event) -> list:
        results = []

        def deliver(ev):
            for sub in list(self._subs):
                if not sub.matches(ev.topic):
                    continue
                if sub.once:
                    self._subs.remove(sub)
                try:
                    results.append(sub.handler(ev))
                except Exception as exc:
                    self.errors.append(exc)
                    results.append(None)
            return results

        chain = reduce(lambda nxt, mw: partial(mw, nxt=nxt), reversed(self._middleware), deliver)
        chain(event)
        self.history.append((event.topic, len(results)))
        return results


class Store(Generic[T]):
    """Keeps values with history."""

    def __init__(self, initial: T):
        self._value = initial
        self._undo: list[T] = []
        self._redo: list[T] = []
        self._watchers: list[Callable[[T, T], None]] = []

    @property
    def value(self) -> T:
        return self._value

    @value.setter
    def value(self, new: T) -> None:
        if new == self._value:
            return
        self._undo.append(self._value)
        self._redo.clear()
        self._change(new)

    @value.deleter
    def value(self):
        raise AttributeError("cannot forget")

    def _change(self, new):
        old, self._value = self._value, new
        for w in self._watchers:
            w(old, new)

    def watch(self, fn):
        self._watchers.append(fn)
        return lambda: self._watchers.remove(fn)

    def undo(self) -> bool:
        if not self._undo:
            return False
        self._redo.append(self._value)
        self._change(self._undo.pop())
        return True

    def redo(self) -> bool:
        if not self._redo:
            return False
        self._undo.append(self._value)
        self._change(self._redo.pop())
        return True


class Plugin(ABC):
    registry: ClassVar[dict[str, type]] = OrderedDict()
    order = 0

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.plugin_name = cls.__dict__.get("alias") or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        Plugin.order += 1
        cls.order = Plugin.order
        Plugin.registry[cls.plugin_name] = cls

    @abstractmethod
    def run(self, text: str) -> str:
        ...

    @classmethod
    def create(cls, name: str, *args, **kwargs) -> "Plugin":
        try:
            return cls.registry[name](*args, **kwargs)
        except KeyError:
            raise LookupError(f"no plugin {name!r}; have {', '.join(cls.registry)}") from None


class UpperCase(Plugin):
    def run(self, text):
        return text.upper()


class Repeat(Plugin):
    alias = "rep"

    def __init__(self, times: int = 2, sep: str = ""):
        self.times, self.sep = times, sep

    def run(self, text):
        return self.sep.join([text] * self.times)


class Chain(Plugin):
    def __init__(self, *plugins):
        self.plugins = plugins

    def __or__(self, other):
        return Chain(*self.plugins, other)

    def __len__(self):
        return len(self.plugins)

    def run(self, text):
        for p in self.plugins:
            text = p.run(text)
        return text


@singledispatch
def show(x) -> str:
    return f"?{type(x).__name__}"


@show.register
def _(x: int) -> str:
    return f"int {x}"


@show.register(list)
@show.register(tuple)
def show_seq(x):
    return "[" + ", ".join(map(show, x)) + "]"


@show.register(Event)
def show_event(x):
    return x.describe()


class Circle:
    calls = 0

    def __init__(self, r):
        self.r = r

    @cached_property
    def area(self):
        Circle.calls += 1
        return round(3.14159 * self.r ** 2, 3)


@lru_cache(maxsize=2)
def slow_square(n):
    print("computing", n)
    return n * n


def run():
    bus = Bus()
    seen = []

    @bus.on("user.*", priority=1)
    def welcome(e):
        seen.append(f"welcome {e.name}")
        return e.name

    @bus.on("**")
    def log(e):
        seen.append(f"log {e.topic} from {e.source}")

    @bus.on("order.placed", priority=5, once=True)
    def first_order(e):
        seen.append(f"first order {e.amount:.2f} x{e.total_items}")
        return "first"

    @bus.on("order.*")
    def bad(e):
        raise ValueError(f"cannot handle {e.amount}")

    @bus.use
    def stamp(event, nxt):
        seen.append("before")
        out = nxt(event)
        seen.append("after")
        return out

    @bus.use
    def only_known(event, nxt):
        if event.source == "spam":
            return []
        return nxt(event)

    print(bus.emit(UserCreated("web", "Ann", ("new", "vip"))))
    print(bus.emit(OrderPlaced("shop", 12.5, (("pen", 2), ("ink", 1)))))
    print(bus.emit(OrderPlaced("shop", 3.5, ())))
    print(bus.emit(OrderPlaced("spam")))
    print(bus.emit(UserCreated(source="cli")))
    for s in seen:
        print(" ", s)
    print(list(bus.history), [str(e) for e in bus.errors], bus.off(log), bus.off(log))
    e = UserCreated("a", "b")
    print(e, e == UserCreated("a", "b"), hash(e) == hash(UserCreated("a", "b")), e.describe(), asdict(e))
    try:
        e.name = "c"
    except AttributeError as err:
        print(type(err).__name__, err)
    st: Store[int] = Store(1)
    changes = []
    stop = st.watch(lambda a, b: changes.append((a, b)))
    st.value = 2
    st.value += 5
    st.value = 7
    print(st.undo(), st.value, st.redo(), st.value, st.undo(), st.undo(), st.undo(), st.value)
    stop()
    st.value = 100
    print(changes, st.redo())
    try:
        del st.value
    except AttributeError as err:
        print(err)
    print(list(Plugin.registry), [c.order for c in Plugin.registry.values()], Plugin.order)
    c = Chain(UpperCase()) | Repeat(3, sep="-") | Plugin.create("rep")
    print(c.run("ab"), len(c), bool(Chain()), Plugin.create("rep", times=1, sep="x").run("q"))
    for make in (lambda: Plugin.create("nope"), lambda: Plugin()):
        try:
            make()
        except LookupError as err:
            print(err, err.__cause__)
        except TypeError as err:
            print("TypeError", str(err)[:40])
    print(show(5), show([1, (2, "x")]), show(2.5), show(e), show.dispatch(bool) is show.dispatch(int))
    k = Circle(2)
    print(k.area, k.area, Circle.calls, "area" in vars(k))
    del k.area
    print(k.area, Circle.calls)
    print([slow_square(n) for n in (1, 2, 1, 3, 2)], slow_square.cache_info(), slow_square.__name__)
    lv = Level.DEBUG | Level.WARN
    print(lv, Level.INFO in lv, Level.ALL & ~Level.DEBUG, bool(lv & Level.INFO), [l.name for l in Level], lv.value, Level.ALL == Level(7))
    config = ChainMap({"a": 1}, {"a": 2, "b": 3}, {"c": 4})
    child = config.new_child({"b": 0})
    print(child["b"], child["a"], dict(sorted(child.items())), len(child), "z" in child, child.maps[1], child.parents["b"])
    sig = inspect.signature(Bus.on)
    print(list(sig.parameters), sig.parameters["priority"].default, sig.parameters["once"].kind.name)
    s = Subscription("a.*", print)
    print(s.matches("a.b"), s.matches("a.b.c"), s._replace(once=True).once, s.topic, Subscription._fields, s[2], len(s))
    topic, *rest = s
    print(topic, len(rest))


run()
