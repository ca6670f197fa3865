class A:
    name = "x"
    length = 3
class B(A): pass
class C: pass
class D:
    def __init__(self, n=None):
        if n: self.name = n
class E(Exception): pass
class F(E):
    name = "f"
print(B.name, B().name, B.length, A.length)
B.name = "y"
print(B.name, A.name, B().name)
A.length = 7
print(B.length, A().length)
print(getattr(C(), "name", "none"), hasattr(C(), "name"), hasattr(C, "name"), hasattr(C, "length"), getattr(D(), "name", None), D("q").name)
C.name = "late"
print(C.name, C().name)
try: D().name
except AttributeError as e: print(e)
try: D.name
except AttributeError as e: print(e)
print(hasattr(E("q"), "name"), F.name, F().name, type(F()).__name__)
print([k for k in dir(A) if not k.startswith("_")], [k for k in dir(B()) if not k.startswith("_")])
print({k: v for k, v in vars(A).items() if not k.startswith("_")})
class G:
    name: str = "g"
    def length(self): return 5
print(G.name, G().name, G().length(), G.length(G()))
setattr(C, "length", 1); print(C.length, C().length)
del C.name
print(hasattr(C, "name"))
class P:
    def __init__(self): self._n = "p"
    @property
    def name(self): return self._n
    @name.setter
    def name(self, v): self._n = v
p = P(); p.name = "z"; print(p.name)
class Q:
    def constructor(self, x): return x + 1
    def toString(self): return "q"
    @staticmethod
    def valueOf(): return 3
    @property
    def then(self): return len(self.__class__.__name__)
print(Q().constructor(1), Q.constructor(Q(), 2), Q.constructor.__name__, Q.toString(Q()), Q.valueOf(), Q().then)
words = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "prototype", "message", "caller", "length"]
print([w for v in (str, list, dict, b"a", bytes, type(5), ValueError("x"), Q(), print, object(), 5, "a", [], {}) for w in words if hasattr(v, w)])
class R:
    @staticmethod
    def name(): return "r"
    @classmethod
    def length(cls): return len(cls.name()) + 1
class S(R): pass
class T(C, S):
    @classmethod
    def name(cls): return super().name() + "/" + cls.__name__
print([(k.name(), k().name(), k.length(), k().length(), k.__name__, hasattr(k, "name"), "length" in dir(k)) for k in (R, S)])
print(R.name(), S.name(), T.name(), T().name(), getattr(S, "name")(), S.length())
from enum import Enum
class Odd(Enum):
    _A = 1
    _ = 2
    constructor = 3
    toString = 4
    def valueOf(self): return self.name
print(list(Odd), Odd.constructor.name, Odd.toString.valueOf(), Odd["_A"].value)
