import collections
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict, deque, namedtuple
from collections.abc import Hashable, ItemsView, Iterable, Mapping, MutableSequence, MutableSet, Sequence, Set, Sized

Point = namedtuple("Point", "x y")
Shape = namedtuple("Shape", ["name", "sides"], defaults=[4])


def make_counter():
    return Counter("abracadabra")


Counter("abracadabra")
Counter(a=3, b=1)
Counter({"a": 2})
Counter()
Counter("aab").most_common()
make_counter().most_common(2)
make_counter().most_common(0)
make_counter()["z"]
make_counter()["a"]
sorted(make_counter().elements())
make_counter().total()
make_counter() + Counter("abc")
make_counter() - Counter("aaaab")
make_counter() & Counter("aabx")
make_counter() | Counter("zzb")
+Counter(a=1, b=-1)
-Counter(a=1, b=-1)
Counter("ab") == Counter("ba")
Counter("a") < Counter("ab")
Counter("a") <= Counter("ab")
Counter(a=1) == Counter(a=1, b=0)
"z" in make_counter()
len(make_counter())
sum(make_counter().values())
dict(make_counter())
list(make_counter())
Counter([1, 1, 2.5, None])
Counter.fromkeys("ab")
make_counter().copy() == make_counter()
isinstance(make_counter(), dict)
max(make_counter(), key=make_counter().get)
Counter("hello").items()
Counter(x for x in "aab" if x != "b")


def case_counter_update():
    c = make_counter()
    c.update("aaz")
    c.update({"q": 5})
    c.update(q=1)
    c.subtract("bbb")
    c["new"] += 2
    del c["c"]
    del c["notthere"]
    c += Counter(d=10)
    return [c, c.most_common(3)]


def case_counter_pop():
    c = make_counter()
    return [c.pop("a"), c.get("a"), c.setdefault("k", 7), c]


def case_defaultdict():
    d = defaultdict(list)
    d["a"].append(1)
    d["b"]
    return [d, len(d), "c" in d, d.get("c"), d.default_factory is list, dict(d)]


def case_defaultdict_kinds():
    d = defaultdict(int)
    for ch in "hello":
        d[ch] += 1
    e = defaultdict(lambda: "none", a=1)
    f = defaultdict(lambda: defaultdict(int))
    f["x"]["y"] += 1
    return [d, e["zz"], e["a"], sorted(e), f["x"], repr(defaultdict(None, {1: 2}))]


def case_defaultdict_none():
    d = defaultdict(None)
    return d["x"]


def case_defaultdict_bad():
    return defaultdict(5)


def case_defaultdict_copy():
    d = defaultdict(set, {"a": {1}})
    e = d.copy()
    e["b"].add(2)
    return [d, e, type(e).__name__, d | {"q": set()}]


deque([1, 2, 3])
deque("abc", maxlen=2)
deque()
deque(range(5), 3)
deque([1, 2]) + deque([3])
deque([1, 2]) * 2
deque([1, 2]) == deque([1, 2])
deque([1]) == [1]
deque([1, 2]) < deque([1, 3])
deque([1, 2, 3])[1]
deque([1, 2, 3])[-1]
deque([1, 2, 3])[5]
deque([1, 2, 3])[0:1]
deque().pop()
deque().popleft()
deque([1, 2, 1]).count(1)
deque([1, 2, 1]).index(2)
deque([1, 2, 1]).index(5)
list(reversed(deque([1, 2, 3])))
2 in deque([1, 2])
len(deque("abc"))
bool(deque())
deque([1, 2], maxlen=5).maxlen
deque([1], maxlen=-1)
deque([1, 2]) + [3]


def case_deque_changes():
    d = deque([1, 2, 3])
    d.append(4)
    d.appendleft(0)
    d.extend([5, 6])
    d.extendleft([-1, -2])
    d.rotate(2)
    first = list(d)
    d.rotate(-3)
    d.remove(3)
    d.insert(1, 99)
    d[0] = "zero"
    del d[2]
    d.reverse()
    return [first, d, d.pop(), d.popleft(), d.copy(), d]


def case_deque_bounded():
    d = deque(maxlen=3)
    for i in range(6):
        d.append(i)
    d.appendleft("x")
    return d


def case_deque_bounded_insert():
    d = deque([1, 2], maxlen=2)
    d.insert(0, 5)


def case_deque_changed_in_loop():
    d = deque([1, 2, 3])
    for x in d:
        d.append(x)


def case_deque_clear():
    d = deque([1])
    d.clear()
    d += [1, 2]
    return d


Point(1, 2)
Point(x=1, y=2)
Point(1)
Point(1, 2, 3)
Point(1, z=2)
Point(1, 2).x
Point(1, 2)[1]
Point(1, 2)._asdict()
Point(1, 2)._replace(y=5)
Point(1, 2)._replace(z=5)
Point._fields
Point._make([3, 4])
Point(1, 2) == (1, 2)
Point(1, 2) < Point(1, 3)
Point(1, 2) + (3,)
len(Point(1, 2))
list(Point(1, 2))
isinstance(Point(1, 2), tuple)
{Point(1, 2): "a"}[(1, 2)]
Shape("sq")
Shape("tri", 3)
Shape._field_defaults
Point.__name__
Point(1, 2).nope
Point(1, 2).__class__.__name__
str(Point("a", [1]))
f"{Point(1, 2)}"
max(Point(1, 2), Point(3, 0))
Point(*[5, 6])
Point(**{"x": 1, "y": 2})
namedtuple("Bad", "a a")
namedtuple("Bad", "class")
namedtuple("Bad", "_x")
namedtuple("Ok", "a class _b a", rename=True)._fields
namedtuple("Commas", "a, b")(1, 2)
"%s-%s" % Point(1, 2)
Point(1, 2).count(1)
Point(1, 2).index(2)


def case_namedtuple_unpack():
    (a, b) = Point(1, 2)
    return [a, b]


def case_namedtuple_set():
    p = Point(1, 2)
    p.x = 5


def case_namedtuple_subclass():
    class P3(Point):
        def norm(self):
            return self.x**2 + self.y**2

    p = P3(3, 4)
    return [p.norm(), p, p._replace(x=0).norm(), isinstance(p, Point)]


OrderedDict([("b", 1), ("a", 2)])  # 3.12: OrderedDict({'b': 1, 'a': 2})
OrderedDict(b=1, a=2)  # 3.12: OrderedDict({'b': 1, 'a': 2})
OrderedDict()
OrderedDict([("b", 1), ("a", 2)]) == OrderedDict([("a", 2), ("b", 1)])
OrderedDict([("b", 1), ("a", 2)]) == {"a": 2, "b": 1}
list(reversed(OrderedDict([("b", 1), ("a", 2)])))
dict(OrderedDict.fromkeys("cab"))
list(OrderedDict.fromkeys("cab", 0).items())


def case_ordered_moves():
    d = OrderedDict.fromkeys("abcde")
    d.move_to_end("b")
    first = "".join(d)
    d.move_to_end("c", last=False)
    second = "".join(d)
    return [first, second, d.popitem(), d.popitem(last=False), dict(d)]


def case_ordered_missing():
    OrderedDict().move_to_end("x")


def case_ordered_pop_empty():
    OrderedDict().popitem()


def case_lru():
    d = OrderedDict()
    for k in "abcab":
        if k in d:
            d.move_to_end(k)
        d[k] = d.get(k, 0) + 1
        if len(d) > 2:
            d.popitem(last=False)
    return dict(d)


ChainMap({"a": 1}, {"a": 2, "b": 3})
ChainMap({"a": 1}, {"a": 2, "b": 3})["a"]
ChainMap({"a": 1}, {"a": 2, "b": 3})["b"]
ChainMap({"a": 1})["z"]
ChainMap({"a": 1}, {"b": 3}).get("z", 9)
sorted(ChainMap({"a": 1}, {"a": 2, "b": 3}))
dict(ChainMap({"a": 1}, {"a": 2, "b": 3}))
len(ChainMap({"a": 1}, {"a": 2, "b": 3}))
"b" in ChainMap({"a": 1}, {"b": 3})
ChainMap({"a": 1}).maps
ChainMap({"a": 1}).new_child({"a": 5})["a"]
ChainMap({"a": 1}, {"b": 2}).parents
list(ChainMap({"a": 1}, {"b": 2}).items())


def case_chainmap_changes():
    base = {"a": 1}
    c = ChainMap({}, base)
    c["a"] = 5
    c["q"] = 1
    del c["q"]
    return [c, base, c.pop("a"), c["a"]]


def case_chainmap_missing_delete():
    c = ChainMap({}, {"a": 1})
    del c["a"]


def case_userdict():
    class Lower(UserDict):
        def __setitem__(self, key, value):
            self.data[key.lower()] = value

    d = Lower()
    d["ABC"] = 1
    d.update({"Q": 2})
    return [d, "abc" in d, len(d), d.data, list(d.items())]


def case_dict_subclass():
    class D(dict):
        def __missing__(self, key):
            return key * 2

    d = D(a=1)
    return [d["a"], d["xy"], d, d.get("q"), isinstance(d, dict), len(d)]


def case_list_subclass():
    class Stack(list):
        def push(self, x):
            self.append(x)
            return self

        def peek(self):
            return self[-1]

    s = Stack([1])
    s.push(2).push(3)
    return [s, s.peek(), len(s), s[0], s[1:], isinstance(s, list), s == [1, 2, 3], sum(s)]


def case_str_subclass():
    class Name(str):
        def shout(self):
            return self.upper() + "!"

    n = Name("bob")
    return [n, n.shout(), len(n), n == "bob", n + "x", isinstance(n, str), f"{n}"]


def case_int_subclass():
    class Money(int):
        def show(self):
            return f"${int(self)}"

    m = Money(5)
    return [m + 1, m.show(), m == 5, isinstance(m, int), m > 3]



# ---------------------------------------------------------------- chains of mappings

layers = ChainMap({"a": 1}, {"a": 5, "b": 2})
[layers["a"], layers["b"], list(layers), dict(layers), len(layers), "b" in layers, layers.get("z"), layers.get("z", 0), bool(ChainMap({}, {}))]
layers["zz"]
[layers.copy(), layers | {"c": 3}, {"c": 3} | layers, layers.new_child({"x": 0}, y=1), layers.new_child(q=2), layers.parents, layers == {"a": 1, "b": 2}]
ChainMap({"a": 1}).pop("b")
ChainMap({}).popitem()
del_from = ChainMap({}, {"a": 1})
del_from.pop("a")
ChainMap.fromkeys("ab", 1)


def case_writes_of_a_chain_go_to_the_first_map():
    first, second = {}, {"a": 1}
    chain = ChainMap(first, second)
    chain["a"] = 2
    chain.update(b=3)
    chain.setdefault("c", 4)
    chain |= {"d": 5}
    popped = chain.popitem()
    chain.clear()
    return (first, second, popped, chain["a"])


def case_a_chain_with_a_default():
    class Env(ChainMap):
        def __missing__(self, key):
            return f"<{key}>"

    env = Env({"a": 1})
    child = env.new_child({"b": 2})
    return (env["a"], env["x"], type(child).__name__, child["y"], child)


# ---------------------------------------------------------------- what a class gets from collections.abc


class Bits(Set):
    def __init__(self, items=()):
        self.items = sorted(set(items))

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __repr__(self):
        return f"Bits({self.items})"


class Names(MutableSet):
    def __init__(self, items=()):
        self.items = list(items)

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(list(self.items))

    def __len__(self):
        return len(self.items)

    def add(self, x):
        if x not in self.items:
            self.items.append(x)

    def discard(self, x):
        if x in self.items:
            self.items.remove(x)


class Lines(MutableSequence):
    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, x):
        self.items[i] = x

    def __delitem__(self, i):
        del self.items[i]

    def __len__(self):
        return len(self.items)

    def insert(self, i, x):
        self.items.insert(i, x)


[Bits([1, 2]) & Bits([2, 3]), Bits([1, 2]) | Bits([2, 3]), Bits([1, 2]) - Bits([2, 3]), Bits([1, 2]) ^ Bits([2, 3]), Bits([1]) | [7], Bits([1, 2]) & {2}, {2, 9} - Bits([2])]
[Bits([1]) < Bits([1, 2]), Bits([1]) <= {1}, Bits([1, 2]) > Bits([2]), Bits([1]) == {1}, Bits([1]).isdisjoint([2]), Bits([1]).isdisjoint([1])]
[isinstance(Bits(), Set), isinstance(Bits(), MutableSet), isinstance({1}, MutableSet), isinstance(frozenset(), Set), isinstance({}.keys(), Set), isinstance({}.values(), Set), isinstance({}.items(), ItemsView), isinstance([], Set)]


def case_a_set_of_its_own_changes():
    names = Names(["a", "b"])
    names |= ["c", "a"]
    names -= {"b"}
    names &= ["a", "c", "z"]
    names ^= {"a", "q"}
    first = names.pop()
    names.add("w")
    names.remove("w")
    return (first, sorted(names))


def case_a_set_of_its_own_lacks_something():
    Names().remove("x")


def case_a_sequence_of_its_own():
    lines = Lines("a", "b", "c")
    lines.append("d")
    lines.extend(["b"])
    lines += ["e"]
    lines.reverse()
    lines.remove("b")
    popped = lines.pop(0)
    return (list(lines), popped, lines.index("b"), lines.count("a"), "c" in lines, list(reversed(lines)), lines.index("d", 1))


def case_a_sequence_of_its_own_is_emptied():
    lines = Lines(1, 2)
    lines.clear()
    return len(lines)


[issubclass(list, Sequence), issubclass(dict, Mapping), issubclass(set, Set), issubclass(str, Sequence), issubclass(tuple, MutableSequence), issubclass(int, Hashable), issubclass(list, Hashable), issubclass(Bits, Set), issubclass(Lines, Sequence), issubclass(list, Iterable), issubclass(int, Iterable), issubclass(Lines, Sized), issubclass(int, Sized)]
[deque([1, 2]) <= deque([1, 3]), deque([2]) >= deque([1]), deque([1]) <= deque([1]), deque("abc").index("c", -2)]
