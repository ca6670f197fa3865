"""Dates, a parser for log lines, a text adventure table, roman numerals, run-length coding, JSON walking, number formats."""
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
import json
import re

LOG = """2024-03-01 10:00:00 INFO  auth   user=ann action=login ms=12
2024-03-01 10:00:05 WARN  db     query="select 1" ms=250
2024-03-01 11:30:00 ERROR db     query="drop" ms=9
2024-03-02 09:15:30 INFO  auth   user=bob action=login ms=30
bad line
"""
LINE = re.compile(r"(?P<when>\S+ \S+) (?P<level>[A-Z]+)\s+(?P<source>\w+)\s+(?P<rest>.*)")
PAIR = re.compile(r'(\w+)=("[^"]*"|\S+)')


class Entry:
    def __init__(self, when, level, source, **fields):
        self.when = datetime.strptime(when, "%Y-%m-%d %H:%M:%S")
        self.level, self.source = level, source
        self.fields = fields

    def __getattr__(self, name):
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def __lt__(self, other):
        return self.when < other.when


def parse(text):
    for n, line in enumerate(text.splitlines(), 1):
        m = LINE.fullmatch(line)
        if m is None:
            yield ValueError(f"line {n}: {line!r}")
            continue
        d = m.groupdict()
        rest = {k: v.strip('"') for k, v in PAIR.findall(d.pop("rest"))}
        rest["ms"] = int(rest["ms"])
        yield Entry(**d, **rest)


entries, errors = [], []
for e in parse(LOG):
    (errors if isinstance(e, Exception) else entries).append(e)
print(len(entries), [str(e) for e in errors])
print([(e.source, e.ms) for e in sorted(entries, key=lambda e: -e.ms)], hasattr(entries[0], "user"), hasattr(entries[1], "user"), getattr(entries[1], "query", None))
by_day = defaultdict(list)
for e in entries:
    by_day[e.when.date()].append(e)
for day, es in sorted(by_day.items()):
    print(f"{day:%d.%m.%Y} {len(es):>2} {sum(e.ms for e in es) / len(es):8.2f} {max(es).when:%H:%M}", Counter(e.level for e in es))
gaps = [b.when - a.when for a, b in zip(entries, entries[1:])]
print([str(g) for g in gaps], max(gaps).total_seconds(), gaps[0] < timedelta(minutes=1), sum(gaps, timedelta()))


def roman(n):
    out = ""
    for v, s in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        q, n = divmod(n, v)
        out += s * q
    return out


def rle(s):
    return [(m.group(1), len(m.group(0))) for m in re.finditer(r"(.)\1*", s)]


def walk(x, path="$"):
    if isinstance(x, dict):
        for k, v in x.items():
            yield from walk(v, f"{path}.{k}")
    elif isinstance(x, list):
        for i, v in enumerate(x):
            yield from walk(v, f"{path}[{i}]")
    else:
        yield path, x


def flatten(xs):
    for x in xs:
        if isinstance(x, (list, tuple)):
            yield from flatten(x)
        else:
            yield x


print([roman(n) for n in (4, 9, 14, 1994, 2024)], rle("aaabccd"), "".join(c * n for c, n in rle("aaabccd")))
doc = json.loads('{"a": [1, {"b": null}], "c": {"d": true, "e": "x\\u00e9"}, "f": 1.5}')
print(list(walk(doc)), json.dumps(doc, sort_keys=True, ensure_ascii=False), list(flatten([1, [2, (3, [4])], []])))
print(date(2024, 2, 28) + timedelta(days=2), date(2023, 12, 31).isocalendar()[1], (date(2024, 3, 1) - date(2024, 2, 1)).days, date.fromisoformat("2024-05-06").strftime("%a %j"))
start = datetime(2024, 1, 1, 8, 30)
print([f"{start + timedelta(hours=6 * i):%H:%M}" for i in range(4)], start.replace(hour=0).isoformat(), start.weekday(), start > datetime(2023, 1, 1))
birthdays = {"ann": date(1990, 5, 17), "bob": date(1985, 12, 1)}
today = date(2024, 6, 1)
for name, b in birthdays.items():
    nxt = b.replace(year=today.year)
    if nxt < today:
        nxt = nxt.replace(year=today.year + 1)
    age = today.year - b.year - ((today.month, today.day) < (b.month, b.day))
    print(f"{name:>5} {age:3d} {(nxt - today).days:4d} {nxt:%A}")
rows = [("name", "qty", "price"), ("pen", 3, 1.5), ("notebook", 10, 12.25)]
widths = [max(len(str(r[i])) for r in rows) for i in range(3)]
for r in rows:
    print(" | ".join(f"{str(c):{'<' if i == 0 else '>'}{w}}" for i, (c, w) in enumerate(zip(r, widths))))
print(f"{255:#x} {255:#b} {255:o} {1234567.891:,.2f} {0.000123:.2e} {-5:+d} {5:+d} {42:^7} {'é':>3} {True!s:>6} {None!r}")
words = "the cat sat on the mat the end".split()
first = {}
for i, w in enumerate(words):
    first.setdefault(w, i)
print(first, sorted(set(words), key=words.index), {w: words.count(w) for w in dict.fromkeys(words)}, [*map(len, words)], " ".join(reversed(words)))
matrix = [[1, 2, 3], [4, 5, 6]]
print([list(r) for r in zip(*matrix)], [x for r in matrix for x in r if x % 2], sum(matrix, []), any(6 in r for r in matrix), all(map(all, matrix)))
a, *b, c = range(6)
(x, y), z = (1, 2), 3
print(a, b, c, x, y, z, [*b, *"hi"], {**{"k": 1}, "j": 2}, (lambda *p, k=0, **q: (p, k, q))(1, 2, k=3, w=4))
try:
    [][0]
except (KeyError, IndexError) as err:
    print(type(err).__mro__[1].__name__, err)
else:
    print("no")
finally:
    print("done")
