"""Ints stay ints and floats stay floats, part 3 of 4: each function is a program of its own."""

import json
import math

def match_kind():
    def kind(x):
        match x:
            case int():
                return "int"
            case float():
                return "float"
            case _:
                return "other"
    print(kind(1), kind(1.0), kind(1.5))


def json_out():
    def save(rec):
        return json.dumps(rec)
    print(save({"a": 1, "b": 2.0, "c": [3.0, 4]}), save(2.0), save([1]))


def json_in():
    d = json.loads('{"a": 1, "b": 2.0, "c": [3.0, 4]}')
    print(d, d["a"], d["b"], d["c"])


def json_round_trip():
    print(json.loads(json.dumps({"x": 2.0, "n": 2})))


def float_of_text():
    vals = [float(t) for t in "1 2.5 3".split()]
    mixed = [float(t) if "." in t else int(t) for t in "1 2.5 3.0".split()]
    print(vals, mixed, mixed[2])


def csv_numbers():
    def parse(t):
        try:
            return int(t)
        except ValueError:
            return float(t)
    print([parse(t) for t in ["1", "2.0", "x1"[1:], "3.5"]])


def map_float():
    print(list(map(float, [1, 2])), list(map(lambda v: v / 2, [2, 4])), list(map(int, [1.0, 2.0])))


def zip_both():
    for n, p in zip([1, 2], [1.0, 2.0]):
        print(n, p, n * p)


def enumerate_pairs():
    rows = [("a", 1.0, 2), ("b", 3.0, 4)]
    for i, (name, p, q) in enumerate(rows):
        print(i, name, p, q, p * q)
    for row in rows:
        for cell in row:
            print(cell, end=" ")
    print()


def nested_record():
    def stats(xs):
        return {"n": len(xs), "mean": sum(xs) / len(xs), "max": max(xs), "range": (min(xs), max(xs))}
    print(stats([1, 2, 3]), stats([1.0, 3.0]))


def power():
    def p(a, b):
        return a ** b
    print(p(2, 3), p(2.0, 3), p(2, -1), p(4, 0.5), p(2, 0.0))


def floor_division_and_remainder():
    def f(a, b):
        return (a // b, a % b, divmod(a, b))
    print(f(7, 2), f(7.0, 2), f(7, 2.0), f(-7.5, 2))


def rounding():
    def r(x, n=None):
        return round(x, n)
    print(r(2.5), r(2.0), r(2.0, 1), r(7, 1), r(2.46, 1))


def abs_and_negative():
    def g(x):
        return (abs(x), -x, +x)
    print(g(2.0), g(-3), g(-1.0), g(0.0))


def math_of_unknown():
    fs = [math.sqrt, math.floor, math.fabs, math.ceil]
    print([f(4) for f in fs], [f(4.0) for f in fs])


def keys_and_equality():
    d = {1: "a"}
    d[1.0] = "b"
    s = {1, 1.0, 2.0, 2}
    print(d, 1 == 1.0, s, {2.0: 1}, [1.0, 2].index(2.0), 2.0 in [1, 2], hash(2.0) == hash(2))


def set_and_tuple():
    t = (1, 2.0)
    s = {3.0}
    print(t, s, t + (4.0,), list(t), t[0], t[1])


match_kind()
json_out()
json_in()
json_round_trip()
float_of_text()
csv_numbers()
map_float()
zip_both()
enumerate_pairs()
nested_record()
power()
floor_division_and_remainder()
rounding()
abs_and_negative()
math_of_unknown()
keys_and_equality()
set_and_tuple()
