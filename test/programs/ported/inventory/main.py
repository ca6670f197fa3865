"""Inventory with a registry decorator, descriptors, events and reports."""
from collections import defaultdict, Counter, OrderedDict
from functools import wraps, partial
import json


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __init__(self, name=None):
        self.name = "_" + (name or "")

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        return getattr(owner, self.name)

    def __set__(self, owner, value):
        if value < 0:
            raise ValueError(f"{self.name[1:]} must not be negative: {value}")
        setattr(owner, self.name, value)


COMMANDS = {}


def command(name, *, aliases=()):
    def register(f):
        @wraps(f)
        def wrapper(*args, **kwargs):
            wrapper.calls += 1
            return f(*args, **kwargs)

        wrapper.calls = 0
        for n in (name, *aliases):
            COMMANDS[n] = wrapper
        return wrapper

    return register


class Product:
    price = Positive("price")
    stock = Positive("stock")

    def __init__(self, sku, name, price, stock=0, tags=None):
        self.sku = sku
        self.name = name
        self.price = price
        self.stock = stock
        self.tags = set(tags or ())

    @property
    def value(self):
        return self.price * self.stock

    def __repr__(self):
        return f"<{self.sku}: {self.name} x{self.stock}>"

    def to_dict(self):
        return {"sku": self.sku, "name": self.name, "price": f"{self.price:.2f}", "stock": self.stock, "tags": sorted(self.tags)}


class Events:
    def __init__(self):
        self.handlers = defaultdict(list)

    def on(self, event, handler=None):
        if handler is None:
            return partial(self.on, event)
        self.handlers[event].append(handler)
        return handler

    def emit(self, event, **data):
        return [h(**data) for h in self.handlers[event]]


class Inventory:
    def __init__(self):
        self.items = OrderedDict()
        self.events = Events()

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items.values())

    def __contains__(self, sku):
        return sku in self.items

    def __getitem__(self, sku):
        return self.items[sku]

    def add(self, product):
        self.items[product.sku] = product
        self.events.emit("added", product=product)
        return self

    @command("sell", aliases=("s", "vend"))
    def sell(self, sku, n=1):
        p = self[sku]
        p.stock -= n
        if p.stock < 3:
            self.events.emit("low", product=p, left=p.stock)
        return p.price * n

    @command("restock")
    def restock(self, sku, n):
        self[sku].stock += n
        return self[sku].stock

    def by_tag(self):
        groups = defaultdict(list)
        for p in self:
            for t in sorted(p.tags):
                groups[t].append(p.name)
        return dict(groups)


inv = Inventory()
seen = []


@inv.events.on("low")
def warn(product, left):
    seen.append(f"low {product.name}: {left}")


inv.events.on("added", lambda product: seen.append(f"added {product!r}"))
inv.add(Product("a1", "Pen", 1.5, 10, ["office", "blue"])).add(Product("b2", "Lamp", 20.0, 2)).add(Product("c3", "Cup", 4.25, 7, ["kitchen"]))
print(len(inv), "a1" in inv, [p.sku for p in inv])
revenue = 0
for line in ["sell a1 8", "s b2", "vend c3 2", "restock b2 5", "sell b2 9", "drop x"]:
    name, *args = line.split()
    try:
        result = COMMANDS[name](inv, args[0], *map(int, args[1:]))
        revenue += result if name != "restock" else 0
        print(f"{line:<14}-> {result:g}")
    except KeyError as e:
        print("no command", e)
    except ValueError as e:
        print("refused:", e)
print(revenue, [(n, f.calls, f.__name__) for n, f in COMMANDS.items()])
print(seen)
print(inv.by_tag())
print(json.dumps([p.to_dict() for p in inv], indent=1))
total = sum(p.value for p in inv)
print(f"{total:.2f}", Counter(t for p in inv for t in p.tags).most_common(), type(Product.price).__name__)
print("{:<6}|{:>8}|{:^7}".format("name", "price", "stock"))
for p in sorted(inv, key=lambda p: (-p.value, p.name)):
    print("{0.name:<6}|{0.price:>8.2f}|{0.stock:^7d}".format(p))
