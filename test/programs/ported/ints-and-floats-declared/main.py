"""Ints stay ints and floats stay floats, part 1 of 4: each function is a program of its own."""

from dataclasses import dataclass

def declared_parameter_given_an_int():
    def square(n: float) -> float:
        return n * n
    print(square(7))


def declared_parameter_given_a_float():
    def square(n: float) -> float:
        return n * n
    print(square(7.0))


def declared_parameter_given_both():
    def square(n: float) -> float:
        return n * n
    print(square(7), square(7.0), square(1.5))


def declared_variable_given_an_int():
    x: float = 5
    print(x, x + 1, x / 5, [x])


def declared_field_given_an_int():
    @dataclass
    class Point:
        x: float
        y: float = 0
    p = Point(3)
    q = Point(3.0, 4.0)
    print(p.x, p.y, q.x, q.y)


def declared_result_that_is_an_int():
    def size(xs: list) -> float:
        return len(xs)
    print(size([1, 2]))


def declared_list_of_ints():
    def total(xs: list[float]) -> float:
        return sum(xs)
    print(total([1, 2, 3]), total([1.0, 2.0]))


def declared_default_int():
    def area(w: float = 2, h: float = 3) -> float:
        return w * h
    print(area(), area(2.0), area(h=1.5))


def declared_optional():
    def show(x: float | None = None):
        print(x)
    show()
    show(2.0)
    show(3)


def untyped_parameter_float():
    def show(x):
        print(x, [x], {"k": x})
    show(2.0)
    show(4 / 2)


def untyped_parameter_both():
    def show(x):
        print(x)
    show(2.0)
    show(3)


def untyped_through_two():
    def twice(x):
        return x * 2
    def show(x):
        print(twice(x))
    show(2.0)
    show(3)
    show(10 / 5)


def any_parameter():
    def show(x: object):
        print(x)
    show(2.0)
    show(1)
    show("t")


def list_mixed():
    a = [0.5, 1, 2.0]
    print(a, a[1], a[2])
    for v in a:
        print(v)


def list_of_both_appended():
    xs = []
    xs.append(1)
    xs.append(2.0)
    xs.append(6 / 3)
    print(xs, xs[1], xs[0])


def dict_mixed_items():
    d = {"name": "pen", "price": 10.0, "qty": 2}
    for k, v in d.items():
        print(k, v)
    print(d)


def dict_mixed_dynamic_key():
    d = {"price": 10.0, "qty": 2}
    for k in ["price", "qty"]:
        print(d[k], d.get(k))


declared_parameter_given_an_int()
declared_parameter_given_a_float()
declared_parameter_given_both()
declared_variable_given_an_int()
declared_field_given_an_int()
declared_result_that_is_an_int()
declared_list_of_ints()
declared_default_int()
declared_optional()
untyped_parameter_float()
untyped_parameter_both()
untyped_through_two()
any_parameter()
list_mixed()
list_of_both_appended()
dict_mixed_items()
dict_mixed_dynamic_key()
