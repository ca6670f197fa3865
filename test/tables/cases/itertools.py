import functools
import itertools
import operator
from functools import cache, cmp_to_key, lru_cache, partial, reduce, singledispatch, total_ordering, wraps
from itertools import chain, islice

list(itertools.accumulate([1, 2, 3, 4]))
list(itertools.accumulate([1, 2, 3], operator.mul))
list(itertools.accumulate([1, 2, 3], initial=10))
list(itertools.accumulate([3, 1, 2], max))
list(itertools.accumulate([]))
list(chain([1], "ab", (2,)))
list(chain.from_iterable([[1], [2, 3]]))
list(itertools.combinations("abcd", 2))
list(itertools.combinations([1], 2))
list(itertools.combinations_with_replacement("ab", 2))
list(itertools.permutations("abc"))
list(itertools.permutations(range(3), 2))
list(itertools.product("ab", [1, 2]))
list(itertools.product([0, 1], repeat=3))
list(itertools.product())
list(itertools.compress("abcdef", [1, 0, 1, 0, 1, 1]))
list(islice(itertools.count(5, 2), 3))
list(islice(itertools.count(0.5, 0.5), 3))
list(islice(itertools.count(), 3))
list(islice(itertools.cycle("ab"), 5))
list(itertools.repeat("x", 3))
list(islice(itertools.repeat(1), 2))
list(itertools.dropwhile(lambda x: x < 3, [1, 3, 2]))
list(itertools.takewhile(lambda x: x < 3, [1, 3, 2]))
list(itertools.filterfalse(lambda x: x % 2, range(6)))
list(itertools.filterfalse(None, [0, 1, "", "a"]))
[(k, list(g)) for k, g in itertools.groupby("aaabbc")]
[(k, len(list(g))) for k, g in itertools.groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)]
[k for k, g in itertools.groupby("aabb")]
list(islice("abcdef", 2))
list(islice("abcdef", 2, 4))
list(islice("abcdef", 1, None, 2))
islice("abc", -1)
list(itertools.pairwise("abcd"))
list(itertools.pairwise("a"))
list(itertools.starmap(pow, [(2, 3), (3, 2)]))
list(itertools.zip_longest("ab", "c", fillvalue="-"))
list(itertools.zip_longest([1], [2, 3]))
[list(t) for t in itertools.tee([1, 2], 2)]
next(itertools.count(3))
list(zip(itertools.count(), "ab"))
list(zip("ab", [1], strict=True))
list(zip([1], "ab", strict=True))
list(map(lambda a, b: a + b, [1, 2], [10, 20, 30]))
list(filter(None, [0, 1, [], "x"]))
list(enumerate("ab", start=5))
reduce(lambda a, b: a * b, [1, 2, 3, 4])
reduce(lambda a, b: a + [b], [1, 2], [])
reduce(operator.add, [])
reduce(operator.add, [], 5)
partial(pow, 2)(5)
partial(int, base=2)("101")
partial(print, "a", sep="-").args
partial(print, "a", sep="-").keywords
sorted(["b", "C", "a"], key=cmp_to_key(lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower())))
sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))
operator.itemgetter(1)([1, 2])
operator.itemgetter(1, "a")({1: 2, "a": 3})
operator.itemgetter(slice(1))("abc")
operator.attrgetter("real")(5)
operator.methodcaller("split", ",")("a,b")
operator.add(1, 2), operator.sub(1, 2), operator.mul(2, 3), operator.truediv(1, 2), operator.floordiv(-7, 2)
operator.mod(-7, 3), operator.pow(2, 10), operator.neg(1), operator.not_(0), operator.xor(5, 3)
operator.contains([1], 1), operator.countOf([1, 1], 1), operator.indexOf([5, 6], 6)
operator.lt(1, 2), operator.eq(1, 1.0), operator.is_(None, None), operator.truth([])
operator.concat([1], [2]), operator.getitem({"a": 1}, "a"), operator.index(5)
operator.lshift(1, 4), operator.rshift(16, 2), operator.and_(6, 3), operator.or_(6, 3), operator.inv(5), operator.abs(-3)
operator.iadd([1], [2])
operator.length_hint([1, 2])


def case_lru_cache():
    calls = []

    @lru_cache(maxsize=2)
    def f(x):
        calls.append(x)
        return x * 2

    shown = [f(1), f(1), f(2), f(3), f(1)]
    info = f.cache_info()
    f.cache_clear()
    return [shown, calls, info, f.cache_info(), info.hits, f.__name__, f.__wrapped__(5)]


def case_lru_cache_kinds():
    calls = []

    @lru_cache
    def f(x, y=1, *, z=2):
        calls.append((x, y, z))
        return x

    f(1)
    f(1, 1)
    f(x=1)
    f(1, z=2)
    f(1)
    return [calls, f.cache_info()]


def case_cache():
    @cache
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return [fib(80), fib.cache_info()]


def case_cache_unhashable():
    @cache
    def f(x):
        return x

    return f([1])


def case_cached_property():
    calls = []

    class C:
        @functools.cached_property
        def value(self):
            calls.append(1)
            return 42

    c = C()
    return [c.value, c.value, calls]


def case_cache_method():
    class C:
        def __init__(self):
            self.n = 0

        @lru_cache(maxsize=None)
        def f(self, x):
            self.n += 1
            return x + 1

    c = C()
    return [c.f(1), c.f(1), c.f(2), c.n]


def case_wraps():
    def deco(f):
        @wraps(f)
        def inner(*args, **kwargs):
            "inner"
            return f(*args, **kwargs)

        return inner

    @deco
    def greet(name):
        "Says hello."
        return "hi " + name

    return [greet("x"), greet.__name__, greet.__wrapped__("y")]


def case_total_ordering():
    @total_ordering
    class V:
        def __init__(self, n):
            self.n = n

        def __eq__(self, other):
            return self.n == other.n

        def __lt__(self, other):
            return self.n < other.n

    return [V(1) <= V(1), V(2) > V(1), V(1) >= V(2), V(1) != V(2)]


def case_singledispatch():
    @singledispatch
    def show(x):
        return "any"

    @show.register(int)
    def show_int(x):
        return "int"

    @show.register
    def show_list(x: list):
        return "list"

    show.register(str, lambda x: "str")
    return [show(1), show("a"), show([]), show(2.5), show(True), show(None)]


def case_groupby_sorted():
    rows = [{"k": "b", "v": 1}, {"k": "a", "v": 2}, {"k": "b", "v": 3}]
    rows.sort(key=operator.itemgetter("k"))
    return {k: [r["v"] for r in g] for k, g in itertools.groupby(rows, key=operator.itemgetter("k"))}


def case_tee_independent():
    (a, b) = itertools.tee(iter([1, 2, 3]))
    return [next(a), next(a), next(b), list(a), list(b)]


def case_chain_lazy():
    seen = []

    def gen(n):
        seen.append(n)
        yield n

    it = chain(gen(1), gen(2))
    first = next(it)
    return [first, seen]


def case_partial_nested():
    p = partial(partial(lambda a, b, c: (a, b, c), 1), 2)
    return [p(3), p.args]


def case_batches():
    it = iter(range(7))
    return [chunk for chunk in iter(lambda: list(islice(it, 3)), [])]

# What these functions are given is looked at when they are called, not when the first item is asked for.
itertools.combinations([1, 2], -1)
itertools.pairwise(5)
itertools.zip_longest([1], 5)
itertools.cycle(3)
itertools.product([1], 7)
[itertools.repeat("a", 3), itertools.repeat("a"), itertools.repeat("a", -2), list(itertools.repeat(1, 2))]


def case_pools_are_taken_when_the_call_is_made():
    numbers = [1, 2, 3]
    pairs, orders, products = itertools.combinations(numbers, 2), itertools.permutations(numbers, 2), itertools.product(numbers, repeat=2)
    numbers.clear()
    return (len(list(pairs)), len(list(orders)), len(list(products)))


class Asked:
    def __init__(self, log):
        self.log = log

    def __iter__(self):
        self.log.append("asked")
        return iter([1, 2])


def case_what_is_gone_through_is_asked_once_for_its_iterator():
    log = []
    made = [list(enumerate(Asked(log))), list(zip(Asked(log), "ab")), list(map(str, Asked(log))), list(filter(None, Asked(log)))]
    return made, functools.reduce(lambda a, b: a + b, Asked(log)), len(log)
