class Loud:
    mark = "!"
    name = "loud"
    def greet(self): return super().greet().upper() + self.mark
class Counted:
    count = 0
    items = []
    name = "counted"
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        type(self).count += 1
        self.items.append(type(self).__name__)
    def __add__(self, o): return (self.count, o)
    __radd__ = __add__
class Base:
    kind = "base"
    def __init__(self, who="world"): self.who = who
    def greet(self): return f"hello {self.who}"
class Both(Loud, Counted, Base): pass
class Second(Base, Loud): extra = 1
class Third(Both): kind = "third"
b = Both("x")
print(b.greet(), b.count, Both.count, Counted.count, Both.items, b.kind, Both.name, b.name)
Both("y"); Third("z")
print(Both.count, Third.count, Counted.count, Counted.items, Third.kind, Both.kind)
Counted.count = 50
print(Both.count, Counted.count, 5 + b, b + 1)
Base.kind = "changed"
print(b.kind, Both.kind, Second().kind, Third("q").kind, Second.mark, Second.extra, hasattr(Second, "count"))
