from functools import singledispatch, singledispatchmethod
from typing import overload
@singledispatch
def show(x):
    return f"obj {x}"
@show.register
def _(x: int):
    return f"int {x}"
@show.register(str)
def _(x):
    return f"str {x}"
@show.register
def _(x: list):
    return f"list {len(x)}"
@show.register(dict)
@show.register(tuple)
def _(x):
    return f"dt {len(x)}"
@show.register
def show_float(x: float):
    return f"float {x}"
print(show(1), show("a"), show([1]), show({}), show((1,)), show(None), show(2.5), show(True))
class Animal: pass
class Dog(Animal): pass
@show.register(Animal)
def _(x): return "animal"
print(show(Dog()))
@overload
def conv(x: int) -> str: ...
@overload
def conv(x: str) -> int: ...
def conv(x):
    return str(x) if isinstance(x, int) else int(x)
print(conv(5), conv("6") + 1)
class P:
    def __init__(self): self._v = 1
    @property
    def v(self): return self._v
    @v.setter
    def v(self, x): self._v = x
    @v.deleter
    def v(self): self._v = None
    @overload
    def m(self, x: int) -> int: ...
    @overload
    def m(self, x: str) -> str: ...
    def m(self, x): return x
    @singledispatchmethod
    def fmt(self, a): return "any"
    @fmt.register
    def _(self, a: int): return "int"
    @fmt.register(str)
    def _(self, a): return "str"
p = P()
p.v = 5
print(p.v, p.m(3), p.m("q"), p.fmt(1), p.fmt("a"), p.fmt(None))
del p.v
print(p.v)
handlers = {}
def on(name):
    def deco(f):
        handlers[name] = f
        return f
    return deco
@on("a")
def handle(x): return "A" + x
@on("b")
def handle(x): return "B" + x
print(handlers["a"]("1"), handlers["b"]("2"), handle("3"))
def outer():
    @singledispatch
    def f(x): return "o"
    @f.register(int)
    def _(x): return "i"
    @f.register(str)
    def _(x): return "s"
    return f(1) + f("") + f(None)
print(outer())
print(show.dispatch(int)(4), sorted(t.__name__ for t in show.registry))
class Reg:
    items = []
    def add(self, f):
        self.items.append(f)
        return f
reg = Reg()
@reg.add
def step(): return 1
@reg.add
def step(): return 2
print([f() for f in reg.items])
@on("cls")
class Plug:
    n = 1
@on("cls2")
class Plug:
    n = 2
print(handlers["cls"].n, handlers["cls2"].n, Plug.n)
