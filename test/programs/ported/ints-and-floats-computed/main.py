"""Ints stay ints and floats stay floats, part 4 of 4: each function is a program of its own."""

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass

def format_strings():
    def f(a, b):
        return f"{a} {b!r} {a:>6} {b:.2f} " + "%s %r" % (a, b) + " {} {}".format(a, b)
    print(f(2.0, 3), f(2, 3.0))


def str_of_unknown():
    def s(x):
        return str(x) + "|" + repr(x)
    print(s(1), s(1.0), s(1e16), s(1e22), s(-0.0), s(1e-5))


def return_int_or_float():
    def convert(t):
        v = float(t)
        if v == int(v):
            return int(v)
        return v
    print(convert("3"), convert("3.5"), convert("4.0"))


def default_dict_sum():
    d = defaultdict(float)
    d["a"] += 1
    d["b"] += 2.5
    e = defaultdict(int)
    e["x"] += 1
    print(dict(d), dict(e))


def counter_of_floats():
    print(Counter([1.0, 1.0, 2.0]), Counter([1, 2]).most_common(1))


def generators():
    def halves(n):
        while n > 1:
            yield n
            n = n / 2
    print(list(halves(8)))


def walrus_and_while():
    x = 100
    steps = []
    while (x := x // 2) > 10:
        steps.append(x)
    y = 100.0
    while (y := y // 2) > 10:
        steps.append(y)
    print(steps)


def bank_account():
    class Account:
        def __init__(self, owner, balance=0):
            self.owner = owner
            self.balance = balance
        def deposit(self, amount):
            self.balance += amount
            return self.balance
    a = Account("ann")
    print(a.deposit(100), a.deposit(50.5), a.deposit(49.5))
    b = Account("bob", 10)
    print(b.deposit(5))


def matrix():
    def mul(a, b):
        return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
    print(mul([[1, 2], [3, 4]], [[1, 0], [0, 1]]), mul([[1.0, 2], [3, 4]], [[1, 0], [0, 1]]))


def as_dict():
    @dataclass
    class Trip:
        name: str
        distance: float
        n: int
    t = Trip("x", 12.0, 3)
    for k, v in asdict(t).items():
        print(k, v)


def comparison_chain():
    def clamp(x, lo, hi):
        return max(lo, min(x, hi))
    print(clamp(5, 0, 10), clamp(5.0, 0, 10), clamp(15.0, 0, 10), clamp(-1, 0.0, 10))


def averages_by_group():
    rows = [("a", 4), ("b", 5), ("a", 6)]
    g = {}
    for k, v in rows:
        g.setdefault(k, []).append(v)
    out = {k: sum(v) / len(v) for k, v in g.items()}
    out["n"] = len(rows)
    print(g, out)


def celsius_declared():
    def to_f(c: float) -> float:
        return c * 9 / 5 + 32
    for c in [0, 10, 100.0]:
        print(c, to_f(c))


def interest_declared():
    def grow(amount: float, rate: float, years: int) -> float:
        for _ in range(years):
            amount = amount * (1 + rate)
        return amount
    print(grow(100, 1, 2), grow(100.0, 1, 2), grow(100, 0.0, 1))


def declared_dict_of_floats():
    prices: dict[str, float] = {"a": 1, "b": 2.0}
    for k, v in prices.items():
        print(k, v)
    prices["c"] = 3
    print(prices, prices["c"])


def declared_attributes_of_a_class():
    class Shape:
        def __init__(self, w: float, h: float):
            self.w = w
            self.h = h
        def area(self) -> float:
            return self.w * self.h
    print(Shape(2, 3).area(), Shape(2.0, 3).area(), Shape(2, 3).w)


format_strings()
str_of_unknown()
return_int_or_float()
default_dict_sum()
counter_of_floats()
generators()
walrus_and_while()
bank_account()
matrix()
as_dict()
comparison_chain()
averages_by_group()
celsius_declared()
interest_declared()
declared_dict_of_floats()
declared_attributes_of_a_class()
