"""Decorators of functions, methods and classes where the wrapper, or the decorator itself, has to wait."""

import enum
import functools
import time

log = []


def retrying(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except ValueError as error:
                    log.append(f"{function.__name__} {attempt + 1}: {error}")
                    time.sleep(0)
            return "gave up"

        return wrapper

    return decorate


def announced(thing):
    time.sleep(0)
    log.append("made " + thing.__name__)
    return thing


def doubled(function):
    time.sleep(0)
    return lambda *args: function(*args) * 2


class Client:
    def __init__(self, failures):
        self.failures = failures

    @retrying(3)
    def fetch(self, what):
        if self.failures > 0:
            self.failures -= 1
            raise ValueError("no " + what)
        return what.upper()

    @doubled
    @retrying(2)
    def pair(self):
        return ["x"]

    @staticmethod
    @doubled
    def number(n):
        return n + 1

    def both(self):
        return self.fetch("a") + self.fetch("b")


@announced
@doubled
def price(n):
    return n


@announced
class Shop:
    def __str__(self):
        time.sleep(0)
        return "the shop"


def local(n):
    @doubled
    def inner(m):
        return n + m

    return inner(1)


class Word:
    def __init__(self, text):
        self.text = text

    def __str__(self):
        time.sleep(0)
        return self.text

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        time.sleep(0)
        return hash(self.text)


def slowly(value):
    time.sleep(0)
    return value


class Limits:
    low = slowly(3)
    high: int = slowly(low + 4)

    class Inner:
        names = [slowly("a"), "b"]

    @retrying(slowly(1))
    def check(self, n):
        return self.low <= n <= self.high


class Level(enum.Enum):
    ONE = slowly(1)
    TWO = slowly(2)


print(Limits.low, Limits.high, Limits.Inner.names, Limits().check(5), Level.TWO.value, Level(1))
client = Client(2)
print(client.fetch("page"), client.both(), [c.fetch("z") for c in (Client(9), Client(1))])
print(client.pair(), Client.number(4), price(21), local(10))
print(str(Shop()), len(log), log[0], log[-1])
words = frozenset([Word("pear"), Word("fig"), Word("plum")])
print([str(w) for w in sorted(words, key=str)], str(min(words, key=str)))
print([str(w) for w in dict.fromkeys(sorted([Word("b"), Word("a"), Word("b")], key=str))])
