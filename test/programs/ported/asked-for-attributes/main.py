class GA:
    def __init__(self):
        self.x = 1
        self.log = []

    def __getattribute__(self, name):
        if name.startswith("secret"):
            raise AttributeError("no " + name)
        v = object.__getattribute__(self, name)
        if name != "log" and not name.startswith("_"):
            object.__getattribute__(self, "log").append(name)
        return v

    def m(self):
        return self.x + 1

    def __getattr__(self, name):
        return f"fallback {name}"


class Lazy:
    def __init__(self, f):
        self.f = f

    def __getattribute__(self, name):
        if name == "value":
            return super().__getattribute__("f")()
        return super().__getattribute__(name)


class Proxy:
    def __init__(self, t):
        object.__setattr__(self, "_t", t)

    def __getattribute__(self, name):
        return getattr(object.__getattribute__(self, "_t"), name)

    def __setattr__(self, name, v):
        setattr(object.__getattribute__(self, "_t"), name, v)


class P:
    def __init__(self):
        self.a = 1

    def hi(self, n=2):
        return ("hi", self.a, n)


def main():
    g = GA()
    print(g.m(), g.x, g.log, g.secret1, hasattr(g, "zzz"), str(g)[:12], vars(g)["x"], g == g, {g: 1}[g], isinstance(g, GA), bool(g), g.__class__.__name__, g.__dict__["x"], getattr(g, "x"))
    print(g.log)
    l = Lazy(lambda: 5)
    print(l.value, l.f())
    p = Proxy(P())
    print(p.a, p.hi(), p.hi(n=3))
    p.a = 9
    print(p.a, p.hi(4))
    try:
        print(p.nope)
    except AttributeError as e:
        print(e)


main()


class St(list):
    def __init__(self, *a):
        super().__init__(*a)
        self.tag = "t"


print(vars(St([1])), St([1]).__dict__)
try:
    vars([])
except TypeError as e:
    print(e)
