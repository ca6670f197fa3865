"""Floats in variables of a module, in named tuples, and through functions of standard modules."""
import copy
import heapq
import itertools
import statistics
from abc import ABC, abstractmethod
from collections import defaultdict, deque, namedtuple

Order = namedtuple("Order", ["id", "customer", "items", "discount"])
Point = namedtuple("Point", "x y")
RAW = [(1, "ann", [("pen", 2, 1.5), ("book", 1, 12.0)], 0.0), (2, "bob", [("ink", 4, 2.0)], 0.5)]


def subtotal(order):
    return sum(count * price for _, count, price in order.items)


def total(order):
    return subtotal(order) * (1 - order.discount)


orders = [Order(*row) for row in RAW]
for order in orders:
    print(order.id, subtotal(order), total(order), order.discount, order.items)
print(orders[1])
by_customer = defaultdict(list)
seen = []
latest = {}
for order in orders:
    by_customer[order.customer].append(total(order))
    seen.append(total(order))
    latest.setdefault(order.customer, {})["total"] = total(order)
print(dict(by_customer), seen, latest)
summary = {name: {"orders": len(totals), "total": sum(totals)} for name, totals in by_customer.items()}
print(summary, statistics.median(totals for totals in seen))


def remember(value):
    seen.append(value)


remember(8.0)
print(seen[-1], max(seen))
points = [Point(1.0, 2.0), Point(3.0, 4.0)]
print(points, points[0].x, Point(*map(sum, zip(*points))), Point(y=5.0, x=6.0))
rows = sorted(zip("aba", [1.0, 2.0, 3.0]))
for key, group in itertools.groupby(rows, key=lambda row: row[0]):
    values = [value for _, value in group]
    print(key, values, sum(values))
floats = [4.0, 2.0, 6.0]
print(list(itertools.accumulate(floats)), list(itertools.chain(floats, [8.0])), list(itertools.islice(floats, 2)), list(itertools.pairwise(floats)))
print(heapq.nlargest(2, floats), heapq.nsmallest(1, floats), copy.copy(floats), copy.deepcopy({"a": floats}), sum(map(sum, [floats, floats])), list(map(abs, [-1.0])))
line = deque(floats)
line.append(8.0)
print(line, line[0], line.popleft(), sum(line))
scale = lambda value, by=2.0: value * by
print(scale(1.5), [scale(value) for value in floats])


class Shape(ABC):
    @property
    @abstractmethod
    def area(self): ...

    def describe(self):
        return f"{type(self).__name__} {self.area}"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side * self.side


print(Square(2.0).describe(), Square(3.0).area)
print({"count": len(floats), "total": sum(floats)})
