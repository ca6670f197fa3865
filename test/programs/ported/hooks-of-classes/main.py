from typing import ClassVar
class P:
    registry: ClassVar[dict] = {}
    order = 0
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        P.order += 1
        cls.order = P.order
        P.registry[cls.__dict__.get("alias", cls.__name__.lower())] = cls
    @classmethod
    def make(cls, name, *args, **kw):
        return cls.registry[name](*args, **kw)
class A(P):
    alias = "x"
    def __init__(self, n=1): self.n = n
class B(A): pass
class Q(P):
    def __init_subclass__(cls):
        super().__init_subclass__()
        cls.label = f"<{cls.__name__}>"
class R(Q): limit = 5
class Field:
    def __init__(self, kind=str): self.kind = kind
    def __set_name__(self, owner, name):
        self.name = name
        self.key = "_" + name
        owner.__fields__ = getattr(owner, "__fields__", ()) + (name,)
    def __get__(self, target, owner=None):
        if target is None: return self
        return getattr(target, self.key, None)
    def __set__(self, target, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}, not {type(value).__name__}")
        setattr(target, self.key, value)
class Named:
    def __set_name__(self, owner, name): self.where = f"{owner.__name__}.{name}"
class Model:
    models = []
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.models.append((cls.__name__, cls.__fields__))
    def __init__(self, **kw):
        for k, v in kw.items(): setattr(self, k, v)
    @classmethod
    def describe(cls, **kw): return f"{cls.__name__}{sorted(kw)}"
class User(Model):
    name = Field()
    age = Field(int)
    note = Named()
    @classmethod
    def describe(cls, **kw): return "user " + super().describe(**kw)
class Admin(User):
    level = Field(int)
    @classmethod
    def describe(cls, *args, **kw): return super().describe(*args, **kw) + "!"
print({k: v.__name__ for k, v in P.registry.items()}, P.order, A.order, B.order, P.make("x", 5).n, P.make("b", n=7).n, type(P.make("b")).__name__)
print(R.label, hasattr(Q, "label"), R.limit, R.order)
u = User(name="Ann", age=3)
print(u.name, u.age, User.note.where, User.name.kind, User.__fields__, Admin.__fields__, Model.models)
try: Admin(level="q")
except TypeError as e: print(e)
print(Admin.describe(a=1), User.describe(), Admin().describe(z=0))
def local(base):
    class Inner(base): pass
    return Inner
print(local(Q).label, type("Late", (P,), {"alias": "late"}).order, list(P.registry))
class Mixin:
    def __init_subclass__(cls, **kw):
        cls.mixed = True
        super().__init_subclass__(**kw)
class Both(Mixin, P): pass
print(Both.mixed, "both" in P.registry)
print(A, type(u), A.__module__, type("Made", (), {}), [int, Both])
