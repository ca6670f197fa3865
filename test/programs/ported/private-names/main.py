class A:
    __count = 0
    def __init__(self, x):
        self.__x = x
        self._y = 2
        A.__count += 1
    def get(self):
        return self.__x
    def __secret(self):
        return "A secret"
    def call(self):
        return self.__secret()
    @classmethod
    def count(cls): return cls.__count
    @staticmethod
    def __helper(): return "h"
    def use(self): return A.__helper() + self.__helper()
class B(A):
    def __init__(self, x):
        super().__init__(x + 100)
        self.__x = x
    def both(self):
        return (self.get(), self.__x)
    def __secret(self):
        return "B secret"
    def bcall(self): return self.__secret()
b = B(1)
print(b.both(), b.call(), b.bcall(), A.count(), b.use())
print(sorted(b.__dict__), vars(A(2)))
print(getattr(b, "_A__x"), getattr(b, "_B__x"), b._A__x, hasattr(b, "__x"), hasattr(A, "_A__count"))
try: b.__x
except AttributeError as e: print(e)
setattr(b, "_A__x", 7)
print(b.get())
class C:
    def __init__(self):
        self.__private__ = 1
        self.__ = 2
    def f(self):
        def inner(): return self.__z
        self.__z = 4
        return [self.__z for _ in range(2)], inner(), (lambda: self.__z)()
    def other(self, o): return o.__z
c = C()
print(c.__private__, c.__, c.f(), c._C__z, c.other(c))
class _U:
    def __init__(self): self.__v = 1
print(vars(_U()))
class Cell:
    __slots__ = ("__a",)
    def __init__(self): self.__a = 1
    def a(self): return self.__a
print(Cell().a())
class Prop:
    def __init__(self): self.__v = 3
    @property
    def v(self): return self.__v
    @v.setter
    def v(self, n): self.__v = n
p = Prop(); p.v = 9
print(p.v, p._Prop__v)
class Local:
    def m(self):
        __tmp = 5
        return __tmp
    def kw(self, __arg=3): return __arg
print(Local().m(), Local().kw(4))
class Outer:
    class __Inner:
        val = 1
    def make(self): return self.__Inner()
print(Outer().make().val)
del b._A__x
try: b.get()
except AttributeError as e: print(e)
print(repr([k for k in dir(A) if "count" in k]))
class M:
    def __init__(self): self.__d = {}
    def __getattr__(self, n): return "missing " + n
m = M()
print(m.__zz, m._M__d)
def out(o): return o.__x
try: out(b)
except AttributeError as e: print(e)
class Cnt:
    __instances = []
    def __init__(self):
        Cnt.__instances.append(self)
        self.__n = len(Cnt.__instances)
        self.__n += 1
    def __eq__(self, o): return self.__n == o.__n
    def __repr__(self): return f"Cnt({self.__n})"
print(Cnt(), Cnt(), Cnt() == Cnt(), len(Cnt._Cnt__instances))
