import copy


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Base:
    registry = {}

    def __init_subclass__(cls, /, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry[name or cls.__name__] = cls
        cls.tag = name


class A(Base, name="alpha"):
    pass


class B(Base):
    pass


class C(A, name="gamma"):
    pass


class CG:
    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item}]"


class Desc:
    def __set_name__(self, owner, name):
        self.name = name
        self.owner = owner.__name__

    def __get__(self, inst, owner=None):
        if inst is None:
            return self
        return inst.__dict__.get("_" + self.name, "unset")

    def __set__(self, inst, v):
        inst.__dict__["_" + self.name] = v

    def __delete__(self, inst):
        del inst.__dict__["_" + self.name]


class H:
    a = Desc()
    b = Desc()


class Miss(dict):
    def __missing__(self, key):
        self[key] = v = f"made {key}"
        return v


class Fm:
    def __format__(self, spec):
        return f"<{spec}>"

    def __sizeof__(self):
        return 42


class Rd:
    def __init__(self, a):
        self.a = a
        self.cache = "c"

    def __reduce__(self):
        return (Rd, (self.a + 1,))


class GS:
    def __init__(self):
        self.a = [1]
        self.lock = object()

    def __getstate__(self):
        s = self.__dict__.copy()
        del s["lock"]
        return s

    def __setstate__(self, s):
        self.__dict__.update(s)
        self.lock = "new"


class Cp:
    def __init__(self, v):
        self.v = v

    def __copy__(self):
        return Cp("copied")

    def __deepcopy__(self, memo):
        c = Cp(copy.deepcopy(self.v, memo))
        memo[id(self)] = c
        return c


def main():
    print(list(Base.registry), A.tag, B.tag, C.tag)
    print([c.__name__ for c in Base.__subclasses__()], [c.__name__ for c in A.__subclasses__()])
    print(CG[int], CG["x", 1])
    h = H()
    print(h.a, H.a.name, H.b.owner)
    h.a = 5
    print(h.a, h.__dict__)
    del h.a
    print(h.a)
    m = Miss()
    print(m["k"], m, m.get("zz"), "zz" in m)
    print(f"{Fm():abc}", format(Fm(), "q"), "{:z}".format(Fm()), Fm().__sizeof__())
    x = Fm()
    del x
    r = copy.copy(Rd(1))
    print(r.a, copy.deepcopy(Rd(5)).a)
    s = copy.copy(GS())
    print(s.lock, s.a, copy.deepcopy(GS()).lock)
    print(copy.copy(Cp(1)).v, copy.deepcopy(Cp([1])).v)
    class Opt:
        def __init_subclass__(cls, **kw):
            print("sub", cls.__name__, kw)

    class O1(Opt, a=1, b="x"):
        pass
    tried(lambda: type("Dyn", (Opt,), {"v": 1}, z=3).v)
    try:
        class Bad(Fm, foo=1):
            pass
    except TypeError as e:
        print("takes no keyword arguments" in str(e))
    print(type("N", (), {"x": 5})().x, isinstance(A(), Base), issubclass(C, Base), A.__bases__, C.__mro__, A.mro())
    print(A.__base__, A.__dict__.get("tag"), vars(B)["tag"], A.__qualname__, A.__module__, B().__class__.__name__)
    print(dir(H)[-2:], [n for n in dir(h) if not n.startswith("__")])

    class Num:
        def __init__(self, v):
            self.v = v

        def __index__(self):
            return self.v

        def __bool__(self):
            return self.v > 0

        def __hash__(self):
            return hash(self.v)

        def __eq__(self, o):
            return isinstance(o, Num) and self.v == o.v

        def __int__(self):
            return self.v

        def __float__(self):
            return float(self.v)

        def __complex__(self):
            return 0

        def __bytes__(self):
            return b"n"

        def __round__(self, n=None):
            return ("r", n)

        def __trunc__(self):
            return 7

        def __floor__(self):
            return 8

        def __ceil__(self):
            return 9

        def __divmod__(self, o):
            return ("dm", o)

        def __rdivmod__(self, o):
            return ("rdm", o)

        def __reversed__(self):
            return iter([3, 2])

        def __length_hint__(self):
            return 4

        def __dir__(self):
            return ["zz", "aa"]
    import math
    n = Num(2)
    print([1, 2, 3][n], bool(n), {n: 1}[Num(2)], int(n), float(n), bytes(n), round(n), round(n, 2), math.trunc(n), math.floor(n), math.ceil(n), divmod(n, 3), divmod(3, n), list(reversed(n)), dir(n), hex(n), range(n), "ab" * n if False else "")

    class Ctx:
        def __enter__(self):
            print("in")
            return self

        def __exit__(self, *a):
            print("out", a[0].__name__ if a[0] else None)
            return True
    with Ctx() as c:
        raise ValueError("x")

    class Iter:
        def __getitem__(self, i):
            if i > 2:
                raise IndexError
            return i * 10
    print(list(Iter()), 10 in Iter(), max(Iter()), [*Iter()])

    class Priv:
        __x = 1

        def get(self):
            return self.__x
    print(Priv().get(), Priv._Priv__x, [k for k in vars(Priv) if "x" in k])

    class WithCall:
        def __call__(self, *a, **k):
            return a, k
    print(WithCall()(1, b=2), callable(WithCall()), callable(Priv()))

    class Cached:
        _inst = None

        def __new__(cls, *a, **k):
            if cls._inst is None:
                cls._inst = super().__new__(cls)
            return cls._inst

        def __init__(self, v):
            self.v = v
    print(Cached(1) is Cached(2), Cached(3).v)


main()
