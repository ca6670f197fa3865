import asyncio, heapq, itertools, functools, bisect
from functools import reduce, cmp_to_key, partial
from itertools import *
import time
class Db:
    def fetch(self, x): return asyncio.run(self.a(x))
    async def a(self, x):
        await asyncio.sleep(0)
        return x
def w(x):
    time.sleep(0)
    return x
async def coro(x):
    await asyncio.sleep(0)
    return -x
def neg(x):
    return asyncio.run(coro(x))
def add(a, b):
    return a + asyncio.run(coro(b))
def pos(x): return asyncio.run(coro(x)) < -2
def cmp(a, b): return asyncio.run(coro(a)) - asyncio.run(coro(b))
def par(x): return asyncio.run(coro(x)) % 3
xs = [3, 1, 4, 1, 5, 9, 2, 6]
def t(name, f):
    try: print(name, f())
    except Exception as e: print(name, type(e).__name__, e)
t("reduce", lambda: reduce(add, xs))
t("reduce0", lambda: reduce(add, xs, 100))
t("sorted", lambda: sorted(xs, key=neg))
t("sortedr", lambda: sorted(xs, key=neg, reverse=True))
t("min", lambda: min(xs, key=neg))
t("max", lambda: max(xs, key=neg))
t("max2", lambda: max(3, 8, key=neg))
t("map", lambda: list(map(neg, xs)))
t("map2", lambda: list(map(add, xs, xs)))
t("filter", lambda: list(filter(pos, xs)))
t("filterl", lambda: [x for x in filter(pos, xs)])
t("sum", lambda: sum(neg(x) for x in xs))
t("sumap", lambda: sum(map(neg, xs)))
def ls():
    a = list(xs); a.sort(key=neg); return a
t("ls", ls)
t("nsmall", lambda: heapq.nsmallest(3, xs, key=neg))
t("nlarge", lambda: heapq.nlargest(3, xs, key=neg))
t("merge", lambda: list(heapq.merge([5, 3, 1], [4, 2], key=neg)))
t("groupby", lambda: [(k, list(g)) for k, g in groupby(sorted(xs, key=par), key=par)])
t("takewhile", lambda: list(takewhile(lambda x: neg(x) > -5, xs)))
t("dropwhile", lambda: list(dropwhile(lambda x: neg(x) > -5, xs)))
t("filterfalse", lambda: list(filterfalse(pos, xs)))
t("accumulate", lambda: list(accumulate(xs, add)))
t("accumulatei", lambda: list(accumulate(xs, add, initial=10)))
t("starmap", lambda: list(starmap(add, [(1, 2), (3, 4)])))
t("cmp_to_key", lambda: sorted(xs, key=cmp_to_key(cmp)))
t("cmp_min", lambda: min(xs, key=cmp_to_key(cmp)))
def cls():
    a = list(xs); a.sort(key=cmp_to_key(cmp)); return a
t("cmpls", cls)
t("bis", lambda: bisect.bisect_left([1, 2, 3, 4], -3, key=lambda x: -neg(x) - 6))
t("bis", lambda: bisect.bisect([9, 7, 5], -6, key=neg))
def ins():
    a = [9, 7, 5]; bisect.insort(a, 6, key=neg); return a
t("insort", ins)
t("any", lambda: any(map(pos, xs)))
t("all", lambda: all(pos(x) for x in xs))
t("partial", lambda: list(map(partial(add, 10), xs)))
t("dict", lambda: dict(zip(xs, map(neg, xs))))
t("set", lambda: sorted(set(map(neg, xs))))
t("join", lambda: "-".join(map(lambda x: str(neg(x)), xs)))
t("next", lambda: next(filter(pos, xs)))
t("zip", lambda: list(zip(map(neg, xs), filter(pos, xs))))
t("enum", lambda: list(enumerate(map(neg, xs))))
t("chain", lambda: list(chain(map(neg, xs), filter(pos, xs))))
t("islice", lambda: list(islice(map(neg, xs), 3)))
t("tee", lambda: [list(q) for q in tee(map(neg, xs), 2)])
t("star", lambda: [*map(neg, xs)])
t("tuple", lambda: tuple(map(neg, xs)))
t("in", lambda: -4 in map(neg, xs))
t("unpack", lambda: (lambda a, b, *c: (a, b, c))(*map(neg, xs)))
t("sorted_of_map", lambda: sorted(map(neg, xs)))
t("maxmap", lambda: max(map(neg, xs)))
t("itercall", lambda: list(iter(partial(w, 1), 1)))
cache = functools.lru_cache(None)(neg)
t("lru", lambda: [cache(3), cache(3)])
t("defaultdict", lambda: __import__("collections").defaultdict(lambda: neg(5))["a"])
t("nested", lambda: list(map(lambda f: f(3), [neg, par])))
t("compress", lambda: list(compress(xs, map(pos, xs))))
t("extend", lambda: [a for a in [[]] if a.extend(map(neg, xs)) is None])
t("Counter", lambda: __import__("collections").Counter(map(par, xs)).most_common())
t("pairwise", lambda: list(pairwise(map(neg, xs))))
t("zip_longest", lambda: list(zip_longest(map(neg, xs), [1])))
t("deque", lambda: __import__("collections").deque(map(neg, xs), 3))
