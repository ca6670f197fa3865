"""A turnstile and an order workflow as state machines, an undo stack, a pub/sub bus, generators piped together."""
from abc import ABC, abstractmethod
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum, auto, Flag
from functools import partial, reduce
import itertools


class State(Enum):
    NEW = auto()
    PAID = auto()
    SHIPPED = auto()
    CANCELLED = auto()

    @property
    def final(self):
        return self in (State.SHIPPED, State.CANCELLED)


class Perm(Flag):
    READ = 1
    WRITE = 2
    ALL = READ | WRITE


class InvalidTransition(RuntimeError):
    def __init__(self, state, event):
        self.state, self.event = state, event
        super().__init__(f"{event!r} not allowed in {state.name}")


class Machine:
    table = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)

    def __init__(self):
        self.state = State.NEW
        self.trail = [self.state]

    def fire(self, event, *args):
        try:
            target, action = self.table[self.state, event]
        except KeyError:
            raise InvalidTransition(self.state, event) from None
        result = action(self, *args) if action else None
        self.state = target
        self.trail.append(target)
        return result


class Order(Machine):
    def pay(self, amount):
        self.paid = amount
        return f"paid {amount}"

    def ship(self, where="home"):
        return f"to {where}"

    table = {
        (State.NEW, "pay"): (State.PAID, pay),
        (State.PAID, "ship"): (State.SHIPPED, ship),
        (State.NEW, "cancel"): (State.CANCELLED, None),
        (State.PAID, "cancel"): (State.CANCELLED, lambda self: f"refund {self.paid}"),
    }


class Command(ABC):
    @abstractmethod
    def do(self, doc): ...

    @abstractmethod
    def undo(self, doc): ...


class Insert(Command):
    def __init__(self, at, text):
        self.at, self.text = at, text

    def do(self, doc):
        doc.text = doc.text[: self.at] + self.text + doc.text[self.at :]

    def undo(self, doc):
        doc.text = doc.text[: self.at] + doc.text[self.at + len(self.text) :]


class Delete(Command):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def do(self, doc):
        self.cut = doc.text[self.start : self.end]
        doc.text = doc.text[: self.start] + doc.text[self.end :]

    def undo(self, doc):
        doc.text = doc.text[: self.start] + self.cut + doc.text[self.start :]


class Document:
    def __init__(self, text=""):
        self.text = text
        self.__done, self.__undone = [], []

    def run(self, cmd):
        cmd.do(self)
        self.__done.append(cmd)
        self.__undone.clear()
        return self

    def undo(self):
        with suppress(IndexError):
            cmd = self.__done.pop()
            cmd.undo(self)
            self.__undone.append(cmd)
        return self

    def redo(self):
        if self.__undone:
            cmd = self.__undone.pop()
            cmd.do(self)
            self.__done.append(cmd)
        return self


@contextmanager
def tag(out, name, **attrs):
    out.append(f"<{name}{''.join(f' {k}={v!r}' for k, v in attrs.items())}>")
    try:
        yield out
    except ValueError as e:
        out.append(f"<!-- {e} -->")
    finally:
        out.append(f"</{name}>")


def coroutine(f):
    def start(*args, **kwargs):
        g = f(*args, **kwargs)
        next(g)
        return g

    return start


@coroutine
def averager():
    total, n, mean = 0, 0, None
    while True:
        x = yield mean
        if x is None:
            return
        total += x
        n += 1
        mean = total / n


def numbers():
    n = 1
    while True:
        reset = yield n
        n = 1 if reset else n * 2


def pipe(*fs):
    return partial(reduce, lambda v, f: f(v), fs)


o = Order()
print(o.fire("pay", 30), o.fire("ship", "work"), [s.name for s in o.trail], o.state.final, State.NEW.final)
for events in (["ship"], ["pay", "pay"], ["cancel", "pay"]):
    m = Order()
    try:
        for e in events:
            m.fire(e, *([5] if e == "pay" else []))
    except InvalidTransition as err:
        print(err, err.state, err.__cause__, err.__suppress_context__, err.args)
m = Order()
m.fire("pay", 7)
print(m.fire("cancel"), m.state, repr(m.state), State["PAID"].value, list(State)[-1].name)
d = Document("hello world")
d.run(Insert(5, ",")).run(Delete(0, 1)).run(Insert(0, "J"))
print(d.text, d.undo().text, d.undo().undo().undo().text, d.redo().redo().text, hasattr(d, "_Document__done"))
try:
    Command()
except TypeError as e:
    print(str(e)[:44])
out = []
with tag(out, "a", href="x"), tag(out, "b"):
    out.append("text")
    raise ValueError("oops")
print("".join(out))
log = []
with ExitStack() as stack:
    for i in range(3):
        stack.callback(log.append, i)
    stack.enter_context(tag(log, "s"))
print(log)
avg = averager()
print([f"{avg.send(x):g}" for x in (10, 20, 60)])
try:
    avg.send(None)
except StopIteration:
    print("stopped")
g = numbers()
print([next(g) for _ in range(4)], g.send(True), next(g))
g.close()
print(next(g, "closed"), pipe(str.strip, str.title, lambda s: s.split(), len)("  a b c "))
print(Perm.READ | Perm.WRITE == Perm.ALL, Perm.READ in Perm.ALL, Perm.ALL & ~Perm.READ, (Perm.READ | Perm.WRITE).name)
pairs = list(itertools.combinations("abc", 2))
print(pairs, list(itertools.accumulate([1, 2, 3, 4])), list(itertools.islice(itertools.cycle("ab"), 5)), list(itertools.chain.from_iterable(pairs))[:3])
