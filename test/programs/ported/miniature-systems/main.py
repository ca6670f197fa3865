from __future__ import annotations
import json
import re
import functools
import itertools
from abc import ABC, abstractmethod
from collections import defaultdict, OrderedDict, deque, Counter
from dataclasses import dataclass, field, asdict, fields, is_dataclass, replace
from enum import Enum, auto
from typing import Any, Callable, ClassVar, Dict, Generic, Iterator, List, Optional, Type, TypeVar, Union

T = TypeVar("T")


# ---- miniature ORM
class Field:
    _order = itertools.count()

    def __init__(self, type_, default=None, *, primary=False, null=True):
        self.type = type_
        self.default = default
        self.primary = primary
        self.null = null
        self.order = next(Field._order)

    def __set_name__(self, owner, name):
        self.name = name
        fs = dict(getattr(owner, "_fields", {}))
        fs[name] = self
        owner._fields = fs

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, self.default)

    def __set__(self, obj, value):
        if value is None:
            if not self.null:
                raise ValueError(f"{type(obj).__name__}.{self.name} may not be null")
        elif not isinstance(value, self.type):
            raise TypeError(f"{self.name}: expected {self.type.__name__}, got {type(value).__name__}")
        obj.__dict__[self.name] = value

    def __repr__(self):
        return f"<Field {self.name}: {self.type.__name__}>"


class Model:
    _registry: ClassVar[Dict[str, type]] = {}
    _table = None

    def __init_subclass__(cls, table=None, **kw):
        super().__init_subclass__(**kw)
        cls._table = table or cls.__name__.lower() + "s"
        Model._registry[cls._table] = cls
        cls._rows = []

    def __init__(self, **values):
        for name, f in self._fields.items():
            setattr(self, name, values.pop(name, f.default))
        if values:
            raise TypeError(f"unknown fields: {', '.join(sorted(values))}")

    def save(self):
        self._rows.append(self)
        return self

    @classmethod
    def where(cls, **conds):
        return Query(cls).filter(**conds)

    def __repr__(self):
        vals = ", ".join(f"{n}={getattr(self, n)!r}" for n in self._fields)
        return f"{type(self).__name__}({vals})"


class Query(Generic[T]):
    OPS = {"gt": lambda a, b: a > b, "lt": lambda a, b: a < b, "in": lambda a, b: a in b, "eq": lambda a, b: a == b}

    def __init__(self, model, preds=(), order=None, limit=None):
        self.model, self.preds, self.order, self.limit_ = model, tuple(preds), order, limit

    def filter(self, **conds):
        preds = list(self.preds)
        for k, v in conds.items():
            name, _, op = k.partition("__")
            preds.append((name, self.OPS[op or "eq"], v))
        return Query(self.model, preds, self.order, self.limit_)

    def order_by(self, key):
        return Query(self.model, self.preds, key, self.limit_)

    def __getitem__(self, item):
        return list(self)[item]

    def __iter__(self):
        rows = (r for r in self.model._rows if all(op(getattr(r, n), v) for n, op, v in self.preds))
        if self.order:
            rev = self.order.startswith("-")
            rows = iter(sorted(rows, key=lambda r: getattr(r, self.order.lstrip("-")), reverse=rev))
        return rows

    def __len__(self):
        return sum(1 for _ in self)

    def first(self):
        return next(iter(self), None)

    def sql(self):
        names = {v: k for k, v in self.OPS.items()}
        w = " AND ".join(f"{n} {names[op]} {v!r}" for n, op, v in self.preds)
        return f"SELECT * FROM {self.model._table}" + (f" WHERE {w}" if w else "")


class User(Model):
    name = Field(str, null=False)
    age = Field(int, 0)


class Post(Model, table="articles"):
    title = Field(str)
    author = Field(User)
    tags = Field(list)


# ---- events
class Event:
    pass


@dataclass(frozen=True)
class UserCreated(Event):
    user: Any
    at: int = 0


@dataclass(frozen=True)
class UserDeleted(Event):
    name: str


class Bus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self.log: List[str] = []

    def on(self, etype: Type[Event], priority: int = 0):
        def deco(fn):
            self._handlers[etype].append((priority, fn))
            self._handlers[etype].sort(key=lambda p: -p[0])
            return fn
        return deco

    def emit(self, event):
        for cls in type(event).__mro__:
            for _, fn in self._handlers.get(cls, ()):
                try:
                    fn(event)
                except Exception as e:
                    self.log.append(f"{fn.__name__} failed: {e!r}")


# ---- state machine
class State(Enum):
    IDLE = auto()
    RUNNING = auto()
    DONE = auto()

    @property
    def final(self):
        return self is State.DONE


def transition(*sources, to):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(self, *a, **k):
            if self.state not in sources:
                raise RuntimeError(f"cannot {fn.__name__} from {self.state.name}")
            result = fn(self, *a, **k)
            self.history.append((self.state, to))
            self.state = to
            return result
        wrapper.transition = (sources, to)
        return wrapper
    return deco


class Job:
    def __init__(self):
        self.state = State.IDLE
        self.history = []

    @transition(State.IDLE, to=State.RUNNING)
    def start(self, who="x"):
        """Start it."""
        return f"started by {who}"

    @transition(State.RUNNING, to=State.DONE)
    def finish(self):
        return "finished"


# ---- parser
class Node(ABC):
    @abstractmethod
    def eval(self, env): ...

    def __str__(self):
        return self.show()

    @abstractmethod
    def show(self): ...


@dataclass
class Num(Node):
    v: float

    def eval(self, env):
        return self.v

    def show(self):
        return f"{self.v:g}"


@dataclass
class Var(Node):
    name: str

    def eval(self, env):
        try:
            return env[self.name]
        except KeyError:
            raise NameError(f"undefined: {self.name}") from None

    def show(self):
        return self.name


@dataclass
class Bin(Node):
    op: str
    l: Node
    r: Node
    OPS: ClassVar[dict] = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": lambda a, b: a ** b}

    def eval(self, env):
        return self.OPS[self.op](self.l.eval(env), self.r.eval(env))

    def show(self):
        return f"({self.l} {self.op} {self.r})"


@dataclass
class CallN(Node):
    fn: str
    args: List[Node]

    def eval(self, env):
        return env[self.fn](*(a.eval(env) for a in self.args))

    def show(self):
        return f"{self.fn}({', '.join(map(str, self.args))})"


class Parser:
    TOKEN = re.compile(r"\s*(?:(?P<num>\d+(?:\.\d+)?)|(?P<name>[a-z]\w*)|(?P<op>[-+*/^(),]))")
    PREC = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

    def __init__(self, text):
        self.toks = list(self.lex(text))
        self.i = 0

    @classmethod
    def lex(cls, text):
        pos = 0
        text = text.rstrip()
        while pos < len(text):
            m = cls.TOKEN.match(text, pos)
            if not m:
                raise SyntaxError(f"bad character {text[pos]!r} at {pos}")
            pos = m.end()
            yield m.lastgroup, m[m.lastgroup]

    @property
    def cur(self):
        return self.toks[self.i] if self.i < len(self.toks) else (None, None)

    def take(self, expected=None):
        kind, val = self.cur
        if expected and val != expected:
            raise SyntaxError(f"expected {expected!r}, got {val!r}")
        self.i += 1
        return kind, val

    def parse(self):
        n = self.expr(0)
        if self.cur != (None, None):
            raise SyntaxError(f"trailing {self.cur[1]!r}")
        return n

    def expr(self, p):
        left = self.atom()
        while (op := self.cur[1]) in self.PREC and self.PREC[op] > p:
            self.take()
            right = self.expr(self.PREC[op] - (op == "^"))
            left = Bin(op, left, right)
        return left

    def atom(self):
        kind, val = self.take()
        match kind, val:
            case "num", v:
                return Num(float(v))
            case "name", v if self.cur[1] == "(":
                self.take("(")
                args = []
                while self.cur[1] != ")":
                    args.append(self.expr(0))
                    if self.cur[1] == ",":
                        self.take()
                self.take(")")
                return CallN(v, args)
            case "name", v:
                return Var(v)
            case "op", "(":
                n = self.expr(0)
                self.take(")")
                return n
            case "op", "-":
                return Bin("-", Num(0.0), self.expr(2))
            case _:
                raise SyntaxError(f"unexpected {val!r}")


# ---- dataclass trees with serialisation
@dataclass
class Tree:
    name: str
    children: List["Tree"] = field(default_factory=list)
    meta: Dict[str, Union[int, str]] = field(default_factory=dict, compare=False, repr=False)
    _cache: Optional[int] = field(default=None, init=False, repr=False, compare=False)

    def size(self):
        if self._cache is None:
            self._cache = 1 + sum(c.size() for c in self.children)
        return self._cache

    def walk(self, depth=0):
        yield depth, self
        for c in self.children:
            yield from c.walk(depth + 1)

    @classmethod
    def load(cls, d):
        return cls(d["name"], [cls.load(c) for c in d.get("children", [])], d.get("meta", {}))


class Enc(json.JSONEncoder):
    def default(self, o):
        if is_dataclass(o):
            return {"__type__": type(o).__name__, **{f.name: getattr(o, f.name) for f in fields(o) if not f.name.startswith("_")}}
        if isinstance(o, Enum):
            return o.name
        if isinstance(o, (set, frozenset)):
            return sorted(o)
        return super().default(o)


def main():
    ann = User(name="Ann", age=31).save()
    User(name="Bob", age=17).save()
    User(name="Cy", age=45).save()
    Post(title="Hi", author=ann, tags=["a"]).save()
    print(Model._registry, User._fields, sorted(User._fields.values(), key=lambda f: f.order))
    print(list(User.where(age__gt=20)), User.where(age__gt=20).order_by("-age").first(), len(User.where()), User.where(name__in=["Bob"])[0])
    print(User.where(age__gt=20, name="Ann").sql(), Post.where().sql())
    for bad in (lambda: User(age=3), lambda: User(name=3), lambda: User(name="x", zip=1), lambda: setattr(ann, "age", "old")):
        try:
            bad()
        except (TypeError, ValueError) as e:
            print(type(e).__name__, e)
    print(User.name, ann.age, vars(ann))

    bus = Bus()
    seen = []

    @bus.on(UserCreated, priority=1)
    def first(e):
        seen.append(("first", e.user))

    @bus.on(UserCreated, priority=5)
    def urgent(e):
        seen.append(("urgent", e.at))

    @bus.on(Event)
    def every(e):
        seen.append(("any", type(e).__name__))

    @bus.on(UserDeleted)
    def broken(e):
        raise KeyError(e.name)
    bus.emit(UserCreated("ann", 3))
    bus.emit(UserDeleted("bob"))
    print(seen, bus.log)
    try:
        UserCreated("a").at = 4
    except Exception as e:
        print(type(e).__name__, e)
    print(UserCreated("a"), hash(UserCreated("a")) == hash(UserCreated("a")), {UserCreated("a"): 1}[UserCreated("a")])

    j = Job()
    print(j.start(who="me"), j.state, j.start.__name__, Job.start.transition)
    try:
        j.start()
    except RuntimeError as e:
        print(e)
    print(j.finish(), j.state.final, [f"{a.name}->{b.name}" for a, b in j.history])

    env = {"x": 3.5, "max": max, "sq": lambda v: v * v}
    for text in ("1 + 2 * 3.5", "2 ^ 3 ^ 0.5 - x", "-(x - 1) * 2.5", "max(1.5, sq(x), 2)", "y + 1", "1 +", "(1", "3 $ 4", "1 2"):
        try:
            tree = Parser(text).parse()
            print(tree, "=", round(tree.eval(env), 4))
        except (SyntaxError, NameError) as e:
            print(f"{text!r}: {type(e).__name__}: {e}")
    print(repr(Parser("1 + x").parse()))
    t = Tree.load({"name": "root", "children": [{"name": "a", "meta": {"k": 1}}, {"name": "b", "children": [{"name": "c"}]}]})
    print(t, t.size(), [(d, n.name) for d, n in t.walk()])
    print(json.dumps(t, cls=Enc, sort_keys=True))
    print(json.dumps({"s": {3, 1}, "st": State.DONE, "e": UserDeleted("q")}, cls=Enc))
    print(asdict(t)["children"][1], t == Tree.load(asdict(t)), replace(t, name="new").name)
    try:
        json.dumps(object(), cls=Enc)
    except TypeError as e:
        print(e)
    print(Counter(n.name for _, n in t.walk()).most_common(2), [f.name for f in fields(Tree)])


main()
