from abc import ABCMeta, abstractmethod
import abc


class Shape(metaclass=ABCMeta):
    @abstractmethod
    def area(self):
        ...

    def twice(self):
        return self.area() * 2


class Sq(Shape):
    def __init__(self, n):
        self.n = n

    def area(self):
        return self.n ** 2


class Base:
    pass


class Mixed(Base, metaclass=abc.ABCMeta):
    @property
    @abstractmethod
    def name(self):
        ...


class M2(Mixed):
    name = "m2"


class Other:
    def area(self):
        return 1


Shape.register(Other)
try:
    Shape()
except TypeError as e:
    print("abstract", "area" in str(e))
try:
    Mixed()
except TypeError as e:
    print("abstract", "name" in str(e))
print(Sq(3).twice(), M2().name, isinstance(Other(), Shape), issubclass(Sq, Shape), isinstance(Sq(1), Shape), Shape.__abstractmethods__)


