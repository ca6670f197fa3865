import inspect
from dataclasses import dataclass, fields
from enum import Enum
from functools import singledispatch
from typing import Optional, get_type_hints


def main():
    class Kind(Enum):
        A = 1

    @dataclass
    class Dep:
        amount: int

    @dataclass
    class Wd:
        amount: int
        kind: Kind = Kind.A
        before: Optional[Dep] = None

    @singledispatch
    def apply(ev, s):
        return ("unknown", s)

    @apply.register
    def _(ev: Dep, s):
        return s + ev.amount

    @apply.register
    def _(ev: Wd, s):
        return s - ev.amount
    print(apply(Dep(5), 1), apply(Wd(2), 1), apply("x", 1))
    print([f.type.__name__ for f in fields(Wd)[:2]], Wd(1).kind)

    def make(kind: Kind, d: Dep = Dep(1)) -> Wd:
        return Wd(d.amount, kind)
    print([p.annotation.__name__ for p in inspect.signature(make).parameters.values()], get_type_hints(make)["return"] is Wd, make(Kind.A).amount)

    class Inner:
        def link(self, other: "Inner", kind: Kind) -> "Inner":
            self.other = other
            return self
    print(list(inspect.signature(Inner.link).parameters), Inner.link.__annotations__["kind"] is Kind)
    for n in range(2):
        class Item:
            v = n

        def f(x: Item) -> int:
            return x.v
        print(f(Item()), f.__annotations__["x"] is Item)


main()
