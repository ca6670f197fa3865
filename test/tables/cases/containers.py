from collections import OrderedDict

WORDS = ["pear", "Fig", "apple", "fig", "Kiwi"]
NESTED = {"a": [1, (2, 3), {"b": {4}}], "c": None, 5: True, (1, 2): "t", "s": set(), "f": 1.5}


def numbers():
    return [3, 1, 2]


sorted(WORDS), sorted(WORDS, key=str.lower), sorted(WORDS, key=len), sorted(WORDS, key=len, reverse=True), sorted(WORDS, reverse=True), sorted(WORDS, key=lambda w: (len(w), w.lower()))
sorted([(1, "b"), (1, "a"), (0, "z")], key=lambda t: t[0]), sorted([(1, "b"), (1, "a"), (0, "z")], key=lambda t: t[0], reverse=True), sorted({"b": 1, "a": 2}), sorted("hello"), sorted([True, 0, 2.5, -1]), sorted([[2], [1, 5], [1]]), sorted([]), sorted({3, 1})
sorted([1, "a"])
sorted([None, 1])
sorted([{}, {}])
sorted(5)
sorted([1], lambda x: x)
NESTED
str(NESTED), repr([[]]), repr((1,)), repr(()), repr({}), repr(set()), repr(frozenset()), repr(frozenset([1])), repr([None, True, "a'b"]), str(["é", "\n"]), repr({1: {2: {3: []}}}), repr(range(3)), repr(slice(1, None)), repr([1.5, 2 / 3]), repr(type), repr(int), repr(ValueError), repr(...), repr(NotImplemented), repr(len)
numbers()[::-1], numbers()[-2:], numbers()[5:], numbers()[:-5], numbers()[::2], [0, 1, 2, 3, 4][-1:0:-2], [0, 1, 2][slice(None, None, -1)], (1, 2, 3)[1:], numbers() + [4], numbers() * 2, [1] * 0, 2 in numbers(), numbers() == [3, 1, 2], numbers() < [3, 2], [1, 2] != (1, 2), numbers().index(2), numbers().count(3), len(numbers())
numbers()[3]
numbers()[-4]
numbers()["a"]
numbers()[1.5]
numbers().index(9)
numbers().index(3, 1)
numbers().remove(9)
numbers().pop(9)
[].pop()
numbers().nope
numbers().insert()
numbers().append(1, 2)
numbers().sort(lambda x: x)
numbers()[::0]
(1, 2)[5]
(1, 2).append(3)
[1, 2] + (3,)
[1] + None
[*numbers(), *"ab"], (*numbers(),), {**{"a": 1}, "b": 2, **{"a": 3}}, [[]] * 2, [x for x in range(10) if x % 2 if x > 3], {x: x**2 for x in range(3)}, {x % 2 for x in range(5)}, [(x, y) for x in "ab" for y in range(2)], [[j for j in range(i)] for i in range(3)]
{"a": 1}["b"]
{1: 2}[3]
{"a": 1}[[1]]
{[1]: 2}
{{1}}
{"a": 1}.pop("z")
{}.popitem()
{}.nope
{"a": 1} < {"b": 2}
{"a": 1} | {"b": 2}, {"a": 1} == {"a": 1.0}, {1: "a", True: "b", 1.0: "c"}, dict([("a", 1)], b=2), dict(zip("ab", [1, 2])), dict({"a": 1}), dict.fromkeys("ab"), dict.fromkeys([1, 2], []), {"a": 1}.get("z"), {"a": 1}.get("z", 0), list({"a": 1, "b": 2}), "a" in {"a": 1}, len({"a": 1}), list(reversed({"a": 1, "b": 2})), max({"a": 1, "b": 2}), bool({})
dict([1])
dict([(1, 2, 3)])
dict(5)
dict("ab")
{"a": 1}.keys(), {"a": 1}.values(), {"a": 1}.items(), {"a": 1, "b": 2}.keys() & {"a"}, {"a": 1, "b": 2}.keys() - {"a"}, {"a": 1}.items() & {("a", 1)}, {"a": 1}.keys() == {"a"}, ("a", 1) in {"a": 1}.items(), 1 in {"a": 1}.values(), sorted({"b": 1, "a": 2}.items()), len({"a": 1}.keys()), list({"a": 1}.items())[0], {"a": 1}.keys() <= {"a", "b"}, {"a": 1}.keys().isdisjoint({"b"})
{"a": 1}.keys()[0]
{"a": 1}.items()[0]
{1, 2} | {3}, {1, 2} & {2, 3}, {1, 2} - {2}, {1, 2} ^ {2, 3}, {1} <= {1, 2}, {1, 2} < {1, 2}, {1, 2} >= {2}, {1} == {1.0}, {1, 2}.isdisjoint({3}), {1}.union([2], (3,)), {1, 2, 3}.intersection([2, 3], [3]), {1, 2}.difference([1]), {1}.symmetric_difference([2]), {1}.issubset([1, 2]), {1, 2}.issuperset([1]), frozenset([1, 2]) | {3}, {frozenset([1])}, len({1, 1.0, True}), frozenset("ab") == {"a", "b"}, hash(frozenset([1, 2])) == hash(frozenset([2, 1]))
{1} | [2]
{1} + {2}
{1}[0]
{1}.remove(5)
set().pop()
{1} < [1]
{1}.add([2])
frozenset([1]).add(2)
[*5]  # language: !TypeError: 'int' object is not iterable
{**[1]}
list(5)
tuple(None)
set(5)
[1, 2, 3] > [1, 2], (1, 2) < (1, 2, 0), [[1, 2], [3]] == [[1, 2], [3]], (1, "a") == (1, "a"), [] == (), (1, 2) + (3,), (1,) * 3, (1, 2).index(2), (1, 1).count(1), hash((1, 2)) == hash((1, 2)), {(1, 2): 3}[1, 2]
any([]), all([]), any([0, 1]), all([1, 0]), any(x > 1 for x in [1, 2]), list(map(str, [1])), list(filter(lambda x: x, [0, 1])), list(zip([1, 2], "ab")), list(enumerate("ab", 1)), list(reversed([1, 2])), list(reversed("ab")), list(reversed(range(3))), next(iter([5])), next(iter([]), "d"), list(iter("ab")), sum(x * x for x in range(4))
next(iter([]))
next([1])
reversed({1})
reversed(5)
enumerate(5)
zip(5)
map(str, 5)
list(map(5, [1]))
isinstance([], list), isinstance((), (list, tuple)), isinstance({}, dict), isinstance(None, type(None)), isinstance("a", str), type([]) is list, type({}) == dict, type(None).__name__, type(()).__name__, type(b"").__name__, type(set()).__name__, type(lambda: 0).__name__, type(len).__name__, type(int).__name__, type(x for x in []).__name__, type(range(0)).__name__, type({}.keys()).__name__, type({}.items()).__name__, type(iter([])).__name__, type(zip()).__name__, type(...).__name__, type(NotImplemented).__name__
isinstance(1, "int")
issubclass(1, int)
isinstance(1, int | str), isinstance("a", int | None), isinstance(None, int | None)


def case_slice_assignment():
    a = list(range(6))
    a[1:3] = ["x", "y", "z"]
    b = list(range(6))
    b[::2] = "abc"
    c = list(range(6))
    del c[::2]
    d = list(range(6))
    d[2:2] = [9, 9]
    e = list(range(6))
    e[5:1:-2] = "pq"
    f = list(range(6))
    del f[-2:]
    g = [1, 2, 3]
    g[:] = []
    h = [1]
    h[5:] = [2]
    return [a, b, c, d, e, f, g, h]


def case_slice_assignment_size():
    a = list(range(6))
    a[::2] = [1]


def case_slice_assignment_kind():
    a = [1]
    a[0:1] = 5


def case_list_methods():
    a = [3, 1, 2]
    a.append(4)
    a.extend("xy")
    a.insert(0, "first")
    a.insert(-1, "before last")
    a.insert(99, "end")
    b = a.copy()
    b.reverse()
    last = a.pop()
    first = a.pop(0)
    a.remove("x")
    a += [7]
    a *= 2
    c = [3, 1, 2]
    none = c.sort(reverse=True)
    return [a, b, last, first, c, none, a.index(7), c.clear()]


def case_sort_is_stable():
    rows = [(n % 3, n) for n in range(20)]
    rows.sort(key=lambda r: r[0], reverse=True)
    return rows


def case_dict_methods():
    d = {"a": 1}
    d.update({"b": 2}, c=3)
    d.update([("d", 4)])
    e = d.setdefault("a", 9)
    f = d.setdefault("z", [])
    f.append(1)
    g = d.pop("b")
    h = d.pop("nope", "default")
    i = d.popitem()
    d |= {"q": 0}
    d["a"] += 10
    del d["c"]
    return [d, e, f, g, h, i, d.copy() == d, list(d.items())]


def case_views_live():
    d = {"a": 1}
    (k, v) = (d.keys(), d.values())
    d["b"] = 2
    return [list(k), list(v), len(k), "b" in k]


def case_dict_changed_in_loop():
    d = {"a": 1}
    for k in d:
        d[k + "x"] = 1


def case_dict_deleted_in_loop():
    d = {"a": 1, "b": 2}
    for k in d:
        del d[k]


def case_set_changed_in_loop():
    s = {1, 2}
    for x in s:
        s.add(x + 10)


def case_list_changed_in_loop():
    a = [1, 2, 3, 4]
    for x in a:
        if x % 2 == 0:
            a.remove(x)
    return a


def case_list_grown_in_loop():
    a = [1]
    for x in a:
        if x < 5:
            a.append(x + 1)
    return a


def case_self_reference():
    a = [1]
    a.append(a)
    d = {}
    d["self"] = d
    return [repr(a), repr(d), str(a)]


def case_set_methods():
    s = {1, 2, 3}
    s.add(4)
    s.discard(99)
    s.remove(1)
    s.update([5], (6,))
    s -= {2}
    s |= {7}
    s &= {3, 4, 5, 7}
    s ^= {3, 100}
    return [sorted(s), sorted(s.copy()), s.clear(), s]


def case_unpack():
    (a, *b) = [1, 2, 3]
    (*c, d) = "xyz"
    (e, (f, *g)) = (1, (2, 3, 4))
    [h, i] = {"k": 1, "l": 2}
    a, e = e, a + 10
    return [a, b, c, d, e, f, g, h, i]


def case_unpack_short():
    (a, b, c) = [1, 2]


def case_unpack_long():
    (a, b) = [1, 2, 3]


def case_unpack_star_short():
    (a, b, *c) = [1]


def case_unpack_kind():
    (a, b) = 5


def case_unpack_none():
    (a, b) = None


def case_del():
    d = {"a": 1}
    del d["z"]


def case_del_list():
    a = [1]
    del a[5]


def case_tuple_assign():
    t = (1, 2)
    t[0] = 5


def case_str_assign():
    s = "ab"
    s[0] = "x"


def case_int_assign():
    n = 5
    n[0] = 1


def case_none_index():
    n = None
    return n[0]


def case_none_attribute():
    n = None
    return n.name


def case_tuple_del():
    t = (1, 2)
    del t[0]


def case_aliasing():
    a = [1]
    b = a
    b += [2]
    c = [a] * 2
    c[0].append(3)
    t = ([],)
    t[0].append(1)
    return [a, c, t]


def case_generators():
    def gen():
        got = yield 1
        while got is not None:
            got = yield got * 2
        return "end"

    def outer():
        r = yield from gen()
        yield r

    g = outer()
    return [next(g), g.send(5), g.send(6), g.send(None), next(g, "done"), list(outer())]


def case_generator_close():
    log = []

    def gen():
        try:
            yield 1
            yield 2
        except GeneratorExit:
            log.append("exit")
            raise
        finally:
            log.append("finally")

    g = gen()
    next(g)
    g.close()
    g.close()
    return [log, next(g, "over")]


def case_generator_throw():
    def gen():
        try:
            yield 1
        except ValueError as e:
            yield f"caught {e}"

    g = gen()
    next(g)
    return g.throw(ValueError("x"))


def case_generator_return_value():
    def gen():
        yield 1
        return 7

    g = gen()
    next(g)
    try:
        next(g)
    except StopIteration as e:
        return e.value


def case_send_unstarted():
    def gen():
        yield 1

    gen().send(5)


def case_iterator_class():
    class Count:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if self.n == 0:
                raise StopIteration
            self.n -= 1
            return self.n

    return [list(Count(3)), sum(Count(4)), 2 in Count(5), [*Count(2)], max(Count(4)), dict(zip("ab", Count(2))), sorted(Count(3))]


def case_sequence_class():
    class Seq:
        def __getitem__(self, i):
            if i > 3:
                raise IndexError("no more")
            return i * 10

        def __len__(self):
            return 4

    s = Seq()
    return [list(s), s[2], len(s), 20 in s, list(reversed(s)), bool(s)]


def case_slices_reach_class():
    class S:
        def __getitem__(self, i):
            return i

    return [S()[1:2], S()[::3], S()[1, 2], S()[1:2, ::3], S()[...], S()[-1]]


def case_throw_through_yield_from():
    def inner():
        try:
            yield 1
        except KeyError as e:
            yield f"inner {e}"
        finally:
            yield "cleanup"

    def outer():
        try:
            yield from inner()
        except ValueError as e:
            yield f"outer {e}"

    g = outer()
    a = [next(g), g.throw(KeyError("k")), next(g)]
    h = outer()
    next(h)
    b = [h.throw(ValueError("v")), next(h)]
    return [a, b]


def case_close_through_yield_from():
    log = []

    def inner():
        try:
            yield 1
        finally:
            log.append("inner")

    def outer():
        try:
            yield from inner()
        finally:
            log.append("outer")

    g = outer()
    next(g)
    g.close()
    return log


def case_generator_ignores_exit():
    def gen():
        while True:
            try:
                yield 1
            except GeneratorExit:
                pass

    g = gen()
    next(g)
    g.close()


def case_generator_already_executing():
    def gen():
        yield next(me)

    me = gen()
    next(me)


def case_generator_attributes():
    def gen():
        yield 1

    g = gen()
    return [iter(g) is g, list(g), list(g), type(g).__name__]


def case_bytearrays_change_in_place():
    data = bytearray(b"ab")
    same = data
    data += b"cd"
    data *= 2
    return (data, same is data, same)


def case_keywords_are_texts():
    return dict(**{1: 2})


def case_spread_keywords_join_others():
    return dict(a=1, **{"b": 2}, **{"c": 3})


class Third:
    def __index__(self):
        return 3


def case_slices_ask_for_indices():
    return (slice(None, Third(), None).indices(10), slice(1, 9, Third()).indices(Third()), slice(None, None, -1).indices(4))


def case_lists_do_not_change_while_their_keys_are_asked():
    items = [3, 1, 2]

    def key(item):
        items.append(item)
        return item

    items.sort(key=key)


class Watched:
    def __init__(self, value, items, seen):
        self.value = value
        self.items = items
        self.seen = seen

    def __lt__(self, other):
        self.seen.append(len(self.items))
        return self.value < other.value


def case_a_list_looks_empty_while_it_is_sorted():
    items, seen = [3, 1, 2], []

    def key(item):
        seen.append(list(items))
        return item

    items.sort(key=key)
    watched, lengths = [], []
    watched.extend(Watched(i, watched, lengths) for i in [2, 3, 1])
    watched.sort(reverse=True)
    return items, seen, [w.value for w in watched], set(lengths)


def case_a_sort_that_fails_keeps_the_items():
    items, tries = [3, 1, 2], []

    def add(item):
        items.append(item)
        return item

    def fail(item):
        raise KeyError(item)

    for key in [add, fail, lambda item: "x" if item == 1 else item]:
        try:
            items.sort(key=key)
        except Exception as e:
            tries.append((repr(e), sorted(items)))
    return tries


def case_items_taken_from_the_end_while_others_come_and_go():
    d = {i: str(i) for i in range(200)}
    taken = [d.popitem() for _ in range(3)]
    del d[190], d[0]
    d[500] = "new"
    d[5] = "same place"
    d.pop(196)
    d[196] = "at the end"
    taken += [d.popitem() for _ in range(12)]
    d.clear()
    d.update({1: 2, True: 3, (1, 2): 4})
    taken += [d.popitem(), d.popitem(), len(d)]
    return taken


def case_items_taken_from_both_ends_of_ordered_dicts():
    d = OrderedDict((i, None) for i in range(100))
    taken = [d.popitem(last=False)[0], d.popitem(last=False)[0], d.popitem()[0]]
    d.move_to_end(50)
    d.move_to_end(60, last=False)
    d[0] = None
    taken += [d.popitem(last=False)[0] for _ in range(3)] + [d.popitem()[0] for _ in range(3)]
    return taken, len(d)


def case_many_popped():
    d, s, b = {i: i for i in range(60000)}, set(range(60000)), bytearray()
    while d:
        d.popitem()
    total = 0
    while s:
        total += s.pop()
    s.add(7)
    for i in range(60000):
        b.append(i & 255)
    c = bytearray(b)
    b.pop()
    b.append(1)
    b += b"xy"
    b.extend([1, 2])
    b.pop(0)
    return len(d), total, s.pop(), len(b), sum(b), bytes(b[-5:]), c[-1], len(c)
