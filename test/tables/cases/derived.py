import argparse
import copy
import datetime
import json
import logging
import math
import queue
import threading
from collections import abc as cabc
from collections import Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque, namedtuple
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from html import escape
from io import StringIO
from string import Template


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def pop(self, *args):
        return super().pop(*args) if self else None

    @property
    def top(self):
        return self[-1]


class Sized(list):
    def __init__(self, items=(), limit=3):
        super().__init__(items)
        self.limit = limit

    def append(self, x):
        if len(self) >= self.limit:
            raise OverflowError("full")
        super().append(x)

    def __repr__(self):
        return f"Sized({list(self)})"


class Upper(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key.upper(), value)

    def __getitem__(self, key):
        return super().__getitem__(key.upper())

    def __contains__(self, key):
        return super().__contains__(key.upper())


class Doubling(dict):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]


class Attr(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


class Named(defaultdict):
    def total(self):
        return sum(self.values())


class Tally(Counter):
    def top(self):
        return self.most_common(1)[0][0]


class Lru(OrderedDict):
    def __init__(self, size, *args, **kwargs):
        self.size = size
        super().__init__(*args, **kwargs)

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.size:
            self.popitem(last=False)


class Tags(set):
    def add(self, item):
        super().add(item.lower())


class Money(int):
    def __add__(self, other):
        return Money(super().__add__(other))

    def __str__(self):
        return f"${int(self)}"


class Celsius(float):
    def fahrenheit(self):
        return self * 9 / 5 + 32



class Name(str):
    def initials(self):
        return "".join(part[0] for part in self.split())


class Pair(tuple):
    def swap(self):
        return Pair((self[1], self[0]))


class Point(namedtuple("Point", "x y")):
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Day(date):
    def tomorrow(self):
        return self + timedelta(days=1)


class Ring(deque):
    def turn(self):
        self.rotate(1)
        return self


class Env(UserDict):
    def __getitem__(self, key):
        return str(super().__getitem__(key))


class Numbers(UserList):
    def total(self):
        return sum(self)


class Shout(UserString):
    def shout(self):
        return str(self).upper()


class Worker(threading.Thread):
    def __init__(self, n):
        super().__init__(name=f"worker-{n}")
        self.n = n
        self.result = None

    def run(self):
        self.result = self.n * 2


class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


class JsonFormatter(logging.Formatter):
    def format(self, record):
        return json.dumps({"level": record.levelname, "message": record.getMessage(), "user": getattr(record, "user", None)})


class OnlyErrors(logging.Filter):
    def filter(self, record):
        return record.levelno >= logging.ERROR


class Percent(Template):
    delimiter = "%"


class SetEncoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)


class Upperize(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values.upper())


class JobQueue(queue.Queue):
    def put_all(self, items):
        for item in items:
            self.put(item)


class Retry(Exception):
    def __init__(self, message, *, after=0):
        super().__init__(message)
        self.after = after


Stack([1, 2]).push(3), Stack().pop(), Stack([1, 2]).pop(), Stack([5]).top, len(Stack("ab")), Stack([1]) == [1], isinstance(Stack(), list), type(Stack()).__name__, Stack([3, 1]) + [2], sorted(Stack([3, 1])), Stack([1, 2])[0:1], [*Stack([1])], 1 in Stack([1]), bool(Stack()), json.dumps(Stack([1])), str(Stack([1])), Stack([1, 2]).index(2), sum(Stack([1, 2]))
Sized([1, 2]), Sized([1]).limit, Sized(limit=1, items=[7])
Attr(a=1).a, Attr({"b": 2})["b"], hasattr(Attr(), "x")
Attr().missing
Doubling()["ab"], Doubling({"a": 1})["a"], Doubling().get("q")
Tally("abca").top(), Tally("aab")["a"], Tally("ab")["zz"], isinstance(Tally(), Counter)
str(Money(5)), Money(5) + 6, str(Money(5) + 6), Money(3) * 2, Money(2) < Money(3), f"{Money(4)}", int(Money(7)), [10, 20][Money(1)], {Money(1): "a"}[1], isinstance(Money(1), int), hash(Money(3)) == hash(3), Money("12") == 12
round(Celsius(21.5).fahrenheit(), 2), Celsius(1.5) + 1, Celsius("2.5") == 2.5, isinstance(Celsius(1), float)
Name("Ada Lovelace").initials(), Name("x") == "x", Name("b") + "c", len(Name("abc")), Name("abc")[1], Name("abc").upper(), {"x": 1}[Name("x")], isinstance(Name(""), str), Name("a") < "b", "-".join([Name("p"), "q"]), f"{Name('z'):>3}", bool(Name("")), Name("a,b").split(","), "b" in Name("abc"), json.dumps({Name("k"): Name("v")}), repr(Name("q"))
Pair((1, 2)).swap(), Pair([1, 2]) == (1, 2), Pair((1, 2))[0], len(Pair("ab")), isinstance(Pair(()), tuple), hash(Pair((1, 2))) == hash((1, 2))
Point(1, 2) + Point(3, 4), Point(1, 2).x, Point(1, 2)._replace(x=9), Point(1, 2) == (1, 2), Point._fields
Day(2024, 2, 28).tomorrow(), Day(2024, 1, 1) == date(2024, 1, 1), Day(2024, 1, 2).isoformat(), isinstance(Day(2024, 1, 1), date), Day(2024, 3, 1).strftime("%j")
Ring([1, 2, 3]).turn(), len(Ring([1])), Ring([1, 2], maxlen=1)
Env({"a": 1})["a"], Env(a=2).get("a"), "a" in Env(a=1), Env(a=1), len(Env())
Numbers([1, 2]).total(), Numbers([1, 2])[0], Numbers([1]) + [2], len(Numbers([1])), Numbers([2, 1]) == [2, 1]
Shout("abc").shout(), len(Shout("abc")), Shout("abc") == "abc", Shout("a") + "b"
Percent("%x and $x").substitute(x=1)
json.dumps({"s": {2, 1}}, cls=SetEncoder), json.dumps([{3}], cls=SetEncoder, indent=1)
json.dumps(object, cls=SetEncoder)
str(Retry("again", after=5)), Retry("again", after=5).after, Retry("x").args


def case_sized_full():
    s = Sized([1, 2])
    s.append(3)
    s.append(4)


def case_upper():
    d = Upper()
    d["a"] = 1
    d["B"] = 2
    return [d["A"], d["b"], "a" in d, "z" in d, len(d), d, list(d), d == {"A": 1, "B": 2}]


def case_attr_set():
    a = Attr()
    a.x = 5
    a["y"] = 6
    return [a, a.y, a.x]


def case_named():
    d = Named(int)
    d["a"] += 2
    d["b"] += 3
    return [d.total(), d, isinstance(d, defaultdict)]


def case_lru():
    c = Lru(2)
    c["a"] = 1
    c["b"] = 2
    c["a"]
    c["c"] = 3
    return [list(c), c.size, "b" in c, len(c)]


def case_tags():
    t = Tags()
    t.add("A")
    t.add("a")
    t.add("B")
    return [sorted(t), len(t), "a" in t, isinstance(t, set)]


def case_thread_subclass():
    workers = [Worker(n) for n in range(3)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    return [[w.result for w in workers], [w.name for w in workers]]


def case_handler_subclass():
    log = logging.getLogger("derived.handler")
    log.propagate = False
    log.setLevel(logging.DEBUG)
    h = ListHandler()
    h.setFormatter(JsonFormatter())
    log.addHandler(h)
    errors = ListHandler()
    errors.addFilter(OnlyErrors())
    log.addHandler(errors)
    log.info("hi %s", "you", extra={"user": "ann"})
    log.error("bad")
    return [h.lines, errors.lines]


def case_argparse_action():
    p = argparse.ArgumentParser(prog="x")
    p.add_argument("--name", action=Upperize)
    return p.parse_args(["--name", "bob"]).name


def case_queue_subclass():
    q = JobQueue()
    q.put_all([1, 2])
    return [q.qsize(), q.get(), q.get()]


def case_subclass_of_subclass():
    class Deep(Stack):
        def push(self, x):
            return super().push(x * 10)

    d = Deep([1])
    d.push(2)
    return [d, d.top, isinstance(d, Stack), [c.__name__ for c in Deep.__mro__]]


def case_override_then_builtin_use():
    class Loud(list):
        def append(self, x):
            super().append(str(x).upper())

    xs = Loud()
    xs.append("a")
    xs.extend(["b"])
    xs += ["c"]
    return [xs, xs.count("A"), type(xs).__name__]


class Bag(dict):
    pass


class Score(int):
    pass


class Holder:
    bag = Bag
    kinds = {"s": Score, "b": Bag}

    def make(self):
        return self.bag({"k": 1})


def case_derived_class_as_a_value():
    factory = Score
    made = [factory(3), Holder().make(), Holder.kinds["s"]("4"), *map(Score, ["5", 6])]
    return [made, [type(x).__name__ for x in made], Holder().bag is Bag]


def case_instance_called_self_without_receiver():
    class Tagged(list):
        def __new__(cls, items):
            self = super().__new__(cls)
            self.tag = "new"
            return self

        @classmethod
        def of(cls, *items):
            self = cls(items)
            self.tag += "!"
            return self

    def build(text):
        self = Tagged(text)
        return self.tag, list(self)

    return [build("ab"), Tagged.of(1, 2).tag, Tagged.of(1, 2)]


class Measure(float):
    def __new__(cls, value, unit):
        self = super().__new__(cls, value)
        return self

    def __init__(self, value, unit):
        self.unit = unit


class FullName(str):
    def __new__(cls, first, last):
        return str.__new__(cls, first + " " + last)

    def __init__(self, first, last):
        self.first = first


class Spot(tuple):
    def __new__(cls, x, y):
        return tuple.__new__(cls, (x, y))

    def __init__(self, x, y):
        self.total = x + y


class Labelled(list):
    def __new__(cls, items, label=None):
        self = super().__new__(cls, items)
        self.label = label
        return self


class Cents(int):
    def __new__(cls, amount, unit="EUR"):
        self = int.__new__(cls, amount * 100)
        self.unit = unit
        return self


def case_new_and_init_of_derived_classes():
    pair = Spot(3, y=4)
    return [
        Measure(2.5, unit="K").unit,
        Measure(2.5, "C") + 1,
        FullName("a", "b"),
        FullName("a", "b").first,
        [pair, pair.total],
        Labelled([1], label="x").label,
        list(Labelled("ab")),
        [make(2) for make in [Cents]],
    ]


class Weight(float):
    def __round__(self, digits=None):
        return ("rounded", super().__round__(digits))

    def __int__(self):
        return super().__int__() + 100

    def __float__(self):
        return super().__float__() * 2

    def __floor__(self):
        return super().__floor__() - 1

    def __ceil__(self):
        return super().__ceil__() + 1


class Steps(int):
    def __round__(self, digits=None):
        return ("rounded", super().__round__(digits))

    def __int__(self):
        return super().__int__() + 100

    def __float__(self):
        return super().__float__() + 0.5


def case_rounding_of_derived_floats():
    w = Weight(2.567)
    return [round(w, 1), round(w), int(w), float(w), math.floor(w), math.ceil(w), math.trunc(w), w + 1]


def case_rounding_of_derived_ints():
    s = Steps(37)
    return [round(s, -1), int(s), float(s), s + 1, math.floor(s)]


(2.567).__round__(1)
(2.5).__round__()
int.__round__(37, -1)
(7).__floor__()
(2.1).__ceil__()
(-2.1).__floor__()
class Answering(list):
    def __getitem__(self, i):
        if isinstance(i, slice):
            return (i.start, i.stop)
        return list.__getitem__(self, i) + 100

    def __setitem__(self, i, v):
        super().__setitem__(i, v * 2)

    def __delitem__(self, i):
        super().__setitem__(i, 0)

    def __len__(self):
        return 42

    def __contains__(self, x):
        return x == "yes" or super().__contains__(x)


class Circle(list):
    def __getitem__(self, i):
        return super().__getitem__(i % len(self))

    def __iter__(self):
        for x in super().__iter__():
            yield x * 10


class Grid(list):
    def __getitem__(self, at):
        return list.__getitem__(self, at[0])[at[1]] if isinstance(at, tuple) else list.__getitem__(self, at)

    def __setitem__(self, at, v):
        if isinstance(at, tuple):
            list.__getitem__(self, at[0])[at[1]] = v
        else:
            list.__setitem__(self, at, v)


class Never(list):
    def __bool__(self):
        return False


def items_of(xs):
    xs[2] = 5
    xs[0] += 1
    return [xs[2], xs[1:], len(xs), "yes" in xs, xs, [x for x in xs], sum(xs)]


def case_list_that_answers_for_its_items():
    a = Answering([1, 2, 3])
    a[1] = 7
    del a[0]
    return [a[0], a[1], a[0:2], len(a), a[-1], "yes" in a, 14 in a, 5 in a, items_of(Answering([1, 2, 3])), items_of([1, 2, 3])]


def case_list_that_says_what_it_is_gone_through_as():
    r = Circle([1, 2, 3])
    a, b, *rest = r
    return [r[4], r[-5], list(r), [x for x in r], max(r), tuple(r), a, b, rest, list(zip(r, "ab")), r + [4], 2 in r, r.index(3), r]


def case_list_with_pairs_as_indices():
    g = Grid([[1, 2], [3, 4]])
    g[1, 0] = 9
    g[0] = [5, 6]
    g[0, 1] += 3
    return [g[1, 0], g[0], g[0, 1], g, g[1][1]]


def case_list_that_is_never_true():
    return [bool(Never([1])), "t" if Never([1]) else "f", not Never([1])]


class Careful:
    def __init__(self):
        self.seen = []


class Shouting(Careful):
    def __setattr__(self, name, value):
        Careful.__setattr__(self, name, value * 2 if name == "x" else value)

    def __eq__(self, other):
        return Careful.__eq__(self, other) is True

    def __hash__(self):
        return Careful.__hash__(self)

    def __delattr__(self, name):
        Careful.__delattr__(self, name)


def case_members_that_a_base_has_from_object():
    s = Shouting()
    s.x = 4
    x = s.x
    del s.x
    return [x, hasattr(s, "x"), s == s, s == 4, hash(s) == hash(s), hasattr(Careful, "__eq__"), hasattr(Careful, "__len__")]


class Marked(list):
    def __init__(self, items=(), mark=None):
        super().__init__(items)
        self.mark = mark


class MarkedDict(dict):
    pass


class MarkedSet(set):
    pass


class Counted:
    def __init__(self, n):
        self.n = n
        self.extra = [1]

    def __getstate__(self):
        return [self.n]

    def __setstate__(self, state):
        self.n = state[0] + 1


class Unlocked:
    def __init__(self):
        self.items = [1]
        self.lock = object()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        return state


class Branch:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.kids = name, parent, []
        if parent:
            parent.kids.append(self)

    def __deepcopy__(self, memo):
        made = Branch(self.name.upper())
        memo[id(self)] = made
        made.kids = copy.deepcopy(self.kids, memo)
        made.parent = copy.deepcopy(self.parent, memo)
        return made


def case_copies_of_derived_containers():
    xs, ys = Marked([[1], 2], "m"), copy.copy(Marked([[1]], ["m"]))
    d = MarkedDict({"a": [1]})
    d.mark = [3]
    s = MarkedSet({1, 2})
    s.mark = 1
    shallow, deep = copy.copy(d), copy.deepcopy(d)
    return [
        [type(copy.copy(xs)).__name__, copy.copy(xs), copy.copy(xs).mark, copy.copy(xs)[0] is xs[0]],
        [copy.deepcopy(xs).mark, copy.deepcopy(xs)[0] is xs[0], copy.deepcopy(ys).mark is ys.mark],
        [type(shallow).__name__, shallow, shallow.mark is d.mark, deep, deep.mark, deep.mark is d.mark, deep["a"] is d["a"]],
        [type(copy.copy(s)).__name__, copy.copy(s) == s, copy.deepcopy(s).mark],
    ]


def case_copies_by_state():
    plain, lock = copy.copy(Counted(3)), Unlocked()
    deep, shallow = copy.deepcopy(lock), copy.copy(lock)
    return [plain.n, hasattr(plain, "extra"), copy.deepcopy(Counted(5)).n, vars(deep), vars(shallow), deep.items is lock.items, shallow.items is lock.items]


def case_deep_copies_with_a_memo():
    top = Branch("a")
    Branch("c", Branch("b", top))
    made = copy.deepcopy(top)
    shared, memo = [1], {}
    return [
        made.name + made.kids[0].name + made.kids[0].kids[0].name,
        made.kids[0].parent is made,
        top.kids[0].parent is top,
        copy.deepcopy(shared, memo) is copy.deepcopy(shared, memo),
    ]
class Trail(UserList):
    def append(self, item):
        if not self or self[-1] != item:
            super().append(item)

    def pop(self, i=-1):
        return "popped", super().pop(i)


def case_methods_of_user_lists_are_reached_by_super():
    trail = Trail([1])
    for item in (1, 2, 2, 3):
        trail.append(item)
    return [trail, trail.pop(), trail.pop(0), trail.index(2), trail.count(9)]


class Kept(cabc.MutableMapping):
    def __init__(self, **items):
        self.items_ = dict(items)

    def __getitem__(self, k):
        return self.items_[k]

    def __setitem__(self, k, v):
        self.items_[k] = v

    def __delitem__(self, k):
        del self.items_[k]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


class Row(cabc.MutableSequence):
    def __init__(self, *items):
        self.items_ = [*items]

    def __getitem__(self, i):
        return self.items_[i]

    def __setitem__(self, i, v):
        self.items_[i] = v

    def __delitem__(self, i):
        del self.items_[i]

    def __len__(self):
        return len(self.items_)

    def insert(self, i, v):
        self.items_.insert(i, v)


def case_mutable_mappings_have_the_methods_of_dicts():
    kept = Kept(a=1, b=2, c=3)
    seen = [kept.popitem(), kept.pop("b"), kept.setdefault("z", 9), dict(kept), "c" in kept, kept == {"c": 3, "z": 9}, list(kept.items())]
    kept.clear()
    return seen + [len(kept), kept.get("c", "none")]


def case_empty_mappings_have_no_item_to_give():
    return Kept().popitem()


def case_mutable_sequences_have_the_methods_of_lists():
    row = Row(1, 2, 3)
    row.reverse()
    row += [7, 8]
    row.append(9)
    seen = [list(row), row.pop(), row.index(7), row.count(1), 8 in row, list(reversed(row))]
    row.clear()
    return seen + [len(row)]


class Kept2(UserDict):
    pass


def case_user_containers_are_repeated_joined_and_merged():
    text, items, named = UserString("ab"), UserList([1, 2]), Kept2({"a": 1})
    merged = [named | {"z": 1}, {"z": 1} | named, type(named | {}).__name__]
    named |= {"q": 2}
    return (text * 2, 2 * text, "z" + text, {text: 1}[UserString("ab")], hash(text) == hash("ab"), 2 * items, [0] + items, type([0] + items).__name__, merged, named)


def case_containers_count_as_forms_of_collections_abc():
    forms = [cabc.Sequence, cabc.MutableSequence, cabc.Mapping, cabc.MutableMapping, cabc.Iterable, cabc.Collection, cabc.Reversible]
    values = [UserList(), UserDict(), UserString(""), deque(), bytearray(), {}.keys(), {}.values(), Kept2()]
    classes = [UserList, UserDict, UserString, deque, bytearray, list, tuple, dict, Kept2]
    return [[isinstance(x, form) for form in forms] for x in values], [[issubclass(x, form) for form in forms] for x in classes]


def case_user_containers_from_keys_and_under_their_text():
    made = Kept2.fromkeys("ab", 1)
    return made, type(made).__name__, UserDict.fromkeys(["x"]), Kept2(a=1).fromkeys("q"), {UserString("ab"): 1}["ab"], {"ab": 2}[UserString("ab")], {UserString("ab"), "ab"}


class ShownInt(int):
    def __repr__(self):
        return "int!"

    def __str__(self):
        return "as " + super().__str__()


class ShownList(list):
    def __repr__(self):
        return "list!"

    def __str__(self):
        return "as " + super().__str__()


class ShownText(str):
    def __repr__(self):
        return "text!"

    def __str__(self):
        return "as " + super().__str__()


def case_str_of_derived_types_asks_their_repr():
    return str(ShownInt(3)), f"{ShownInt(3)}", "%s" % ShownInt(3), "%d" % ShownInt(3), str(ShownList([1])), "%s" % ShownList(), str(ShownText("x")), "%s" % ShownText("x"), list.__str__(ShownList([2]))


def case_classes_set_up_by_init_take_their_own_keywords():
    class Kept(logging.Handler):
        def __init__(self, word="x", *, size=1):
            super().__init__()
            self.word, self.size = word, size

    class Tagged(logging.Formatter):
        def __init__(self, tag):
            super().__init__("%(message)s")
            self.tag = tag

    def make(cls, *args, **kwargs):
        return cls(*args, **kwargs)

    def refused():
        try:
            make(Kept, level=3)
        except TypeError as e:
            return type(e).__name__

    kept = make(Kept, word="k", size=2)
    return [kept.word, kept.size, make(Kept, "p").word, make(Tagged, tag="t").tag, refused()]
