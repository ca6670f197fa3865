"""Ints stay ints and floats stay floats, part 2 of 4: each function is a program of its own."""

import math
from collections import namedtuple
from functools import reduce

def dict_record_update():
    d = {}
    d["mean"] = 4.0
    d["count"] = 2
    d.update(low=1.0, n=1)
    print(d, list(d.values()))


def fractions_beside_ints():
    rows = [{"price": 7}, {"price": 6.5}]
    print([r["price"] for r in rows], sum(r["price"] for r in rows) + 0.5)


def infinity_beside_ints():
    best = math.inf
    for v in [5, 3, 4]:
        if v < best:
            best = v
    dist = {"a": 0, "b": float("inf")}
    print(best, dist)


def running_sum_of_ints_then_float():
    t = 0
    for x in [1, 2, 3]:
        t += x
    print(t)
    for x in [1.0, 2.0]:
        t += x
    print(t)


def conditional_int_or_float():
    def pick(flag):
        return 1 if flag else 2.0
    print(pick(True), pick(False))


def max_of_both():
    print(max(1, 2.0), min(1, 2.0), max([1, 3.0]), max(*[4, 2.0]), sorted([3, 1.0, 2]))


def reduced():
    print(reduce(lambda a, b: a + b, [1.0, 2.0, 3.0]), reduce(lambda a, b: a * b, [1, 2, 3]))


def sum_of_both():
    print(sum([1, 2]), sum([1.0, 2]), sum([]), sum([0.5, 0.5]), sum([1, 2], 0.0))


def functions_in_a_dict():
    ops = {"add": lambda a, b: a + b, "div": lambda a, b: a / b, "idiv": lambda a, b: a // b}
    for name in ["add", "div", "idiv"]:
        print(name, ops[name](6, 3), ops[name](6.0, 3))


def star_arguments():
    def show(*args, **kw):
        print(args, kw)
    show(1, 2.0, a=3.0, b=4)


def class_attributes_both():
    class Box:
        def __init__(self, v):
            self.v = v
        def double(self):
            return self.v * 2
    print(Box(2.0).v, Box(3).v, Box(2.0).double(), Box(3).double())


def class_counter_and_sum():
    class Stats:
        def __init__(self):
            self.total = 0
            self.n = 0
        def add(self, x):
            self.total += x
            self.n += 1
        def mean(self):
            return self.total / self.n
    s = Stats()
    s.add(2)
    s.add(4)
    print(s.total, s.n, s.mean())
    t = Stats()
    t.add(2.0)
    t.add(4.0)
    print(t.total, t.n, t.mean())


def repr_of_object():
    class V:
        def __init__(self, x, y):
            self.x = x
            self.y = y
        def __repr__(self):
            return f"V({self.x}, {self.y})"
        def __add__(self, o):
            return V(self.x + o.x, self.y + o.y)
    print(V(1, 2) + V(3, 4), V(1.0, 2.0) + V(3, 4))


def named_tuple():
    P = namedtuple("P", "x y")
    print(P(1, 2.0), P(1.0, 2).x, P(1.0, 2).y)


def of_a_property():
    class Temp:
        def __init__(self, c):
            self._c = c
        @property
        def f(self):
            return self._c * 9 / 5 + 32
    print(Temp(100).f, Temp(100)._c, Temp(10.0)._c)


def isinstance_of_unknown():
    def kind(x):
        if isinstance(x, int):
            return "int"
        if isinstance(x, float):
            return "float"
        return "other"
    print(kind(1), kind(1.0), kind(1.5), kind("x"), [kind(v) for v in [2, 2.0]])


def type_of_unknown():
    def name(x):
        return type(x).__name__
    print(name(1), name(1.0), [type(v).__name__ for v in [2, 2.0, 2.5]])


dict_record_update()
fractions_beside_ints()
infinity_beside_ints()
running_sum_of_ints_then_float()
conditional_int_or_float()
max_of_both()
reduced()
sum_of_both()
functions_in_a_dict()
star_arguments()
class_attributes_both()
class_counter_and_sum()
repr_of_object()
named_tuple()
of_a_property()
isinstance_of_unknown()
type_of_unknown()
