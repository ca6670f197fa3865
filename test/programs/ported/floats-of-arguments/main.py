import math
from collections import defaultdict


class Shape:
    def __init__(self, name):
        self.name = name

    def around(self):
        raise NotImplementedError

    def area(self):
        raise NotImplementedError

    def describe(self):
        return f"{self.name}: {self.area()} around {self.around()}"


class Rect(Shape):
    def __init__(self, width, height):
        super().__init__("rect")
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height

    def around(self):
        return 2 * (self.width + self.height)

    def sides(self):
        yield self.width
        yield self.height

    def __repr__(self):
        return f"Rect({self.width}, {self.height})"


class Square(Rect):
    def __init__(self, side):
        super().__init__(side, side)
        self.name = "square"


class Circle(Shape):
    def __init__(self, radius):
        super().__init__("circle")
        self.radius = radius

    def area(self):
        return math.pi * self.radius**2

    def around(self):
        return 2 * math.pi * self.radius


class Product:
    def __init__(self, label, price, count=1):
        self.label = label
        self.price = price
        self.count = count

    @property
    def worth(self):
        return self.price * self.count

    def __str__(self):
        return f"{self.label} x{self.count} @ {self.price} = {self.worth}"


class Import(Product):
    pass


class Cell:
    def __init__(self, row, column):
        self.row = row
        self.column = column

    def __repr__(self):
        return f"Cell({self.row}, {self.column})"


class Tank:
    def __init__(self, level, limit=None):
        self.level = level
        self.limit = limit

    def fill(self, amount):
        self.level += amount
        return self.level


def taxed(amount, rate=0.25):
    return amount * (1 + rate)


def show(value):
    print("value", value)


def plain(value):
    print("plain", value)


def halved(x, again=None):
    if again:
        return halved(x)
    return f"{x}!"


def perhaps(flag):
    return 1.0 if flag else None


def means():
    total, count, mean = 0.0, 0, None
    while True:
        total += yield mean
        count += 1
        mean = total / count


def priced(goods):
    for good in goods:
        yield good.label, good.price


def tally(pairs):
    sums = defaultdict(float)
    for key, value in pairs:
        sums[key] += value
    return sums


def main():
    shapes = [Rect(2.0, 3.5), Rect(4.0, 2.0), Circle(1.0), Square(3.0)]
    for shape in shapes:
        print(shape.describe())
    print(shapes[0], shapes[3], shapes[1].area(), shapes[1].width, [s.area() for s in shapes[:2]])
    goods = [Product("pen", 1.5, 4), Product("book", 12.0), Import("bag", price=40.0, count=2)]
    for good in goods:
        print(good)
    print(min(goods, key=lambda g: g.price).price, max(goods, key=lambda g: g.price).price, sum(g.worth for g in goods))
    print(Cell(1, 2), Cell(3, 4).row, Tank(5, 7).fill(2), Tank(0).level)
    print(taxed(10), taxed(50.0), taxed(8, 0.5), halved(2.0, True))
    show(3.0)
    show(4.5)
    plain(3)
    plain(4.5)
    print(perhaps(True) + 1, perhaps(False))
    running = means()
    next(running)
    print([running.send(x) for x in (10, 20, 33)])
    sums = tally([("a", 1), ("b", 2.5), ("a", 1)])
    print(list(Rect(4.0, 2.0).sides()), [side for side in Rect(2.0, 3.5).sides()], max(Rect(2.0, 1.0).sides()))
    for label, price in (lambda: ((g.label, g.price) for g in goods))():
        print(label, price)
    for label, price in priced(goods):
        print(label, price)
    settings = {"rate": 2.0, "name": "n", "tags": ["x"], "none": None}
    for key, value in settings.items():
        print(key, value, f"{value}")
    print(list(settings.values()), settings.get("rate"), [perhaps(x) for x in (1, 0)])
    print(sums["a"], sums["none"], dict(sums), sums)
    points = [(0.0, 1.0), (2.0, 3.0)]
    xs, ys = zip(*points)
    print(xs, ys, sum(xs), list(zip(*points)), list(zip(*[(1, 2), (3, 4)])))


main()
