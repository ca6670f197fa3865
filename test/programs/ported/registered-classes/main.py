"""Classes that count as others without inheriting from them, and constructors that choose another class."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableSequence, Sequence


class Shape(ABC):
    @abstractmethod
    def area(self):
        ...


class Round(Shape):
    pass


class Square(Shape):
    def area(self):
        return 4


@Shape.register
class Field:
    def area(self):
        return 9


class Coin:
    pass


Round.register(Coin)
print([isinstance(x, Shape) for x in (Square(), Field(), Coin(), 5, "a")])
print(isinstance(Coin(), Round), isinstance(Field(), Round), isinstance(Coin(), Square))
print(issubclass(Field, Shape), issubclass(Coin, Shape), issubclass(Coin, Square), issubclass(Square, Shape))
Shape.register(int)
print(isinstance(5, Shape), issubclass(int, Shape), isinstance(2.5, Shape))
try:
    Shape.register(3)
except TypeError as error:
    print(error)


class Deck:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return "ab"[i]


Sequence.register(Deck)
MutableSequence.register(Coin)
print(isinstance(Deck(), Sequence), issubclass(Deck, Sequence), isinstance(Deck(), Mapping))
print(isinstance(Coin(), Sequence), isinstance(Coin(), MutableSequence), isinstance(Field(), Sequence))


class Table:
    def __new__(cls, rows=(), key=None):
        if key is None:
            return object.__new__(cls)
        return object.__new__(KeyedTable)

    def __init__(self, rows=(), key=None):
        self.rows = sorted(rows)
        self.made = "by Table"


class KeyedTable(Table):
    def __init__(self, rows=(), key=None):
        self.rows = sorted(rows, key=key)
        self.made = "by KeyedTable"


for table in (Table([3, 1]), Table(["ccc", "a"], key=len), KeyedTable([2, 1])):
    print(type(table).__name__, table.rows, table.made)
