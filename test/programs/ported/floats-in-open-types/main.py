"""The same program in Python."""
import json

readings: dict = {}
history: list = []


def note(name, value):
    readings[name] = value
    history.append({"name": name, "value": value, "at": len(history)})


def show(row):
    print(row, row["price"], row.get("count"))


def merged(first, second):
    both = {}
    both.update(first)
    both.update(second, extra=4.0)
    return both


def totals(rows):
    count = 0
    sum = 0.0
    for row in rows:
        count += row["count"]
        sum += row["price"] * row["count"]
    return {"count": count, "sum": sum, "rows": [{**row, "double": row["price"] * 2} for row in rows]}


def rows_of(names):
    rows = []
    for i, name in enumerate(names):
        rows.append({"name": name, "price": i * 1.0, "count": i})
    return rows


def options(**given):
    found = {"mode": "slow"}
    found.update(given)
    return found


def spread(*parts):
    return [part for part in parts]


def halves(n):
    return [n / 2, n / 4]


def pair(n):
    return (n, n / 2)


def parts(n):
    return {"whole": n, "half": n / 2} if n > 0 else None


def unique(values):
    seen = set()
    for value in values:
        seen.add(value)
    return seen


def kind(value):
    match value:
        case int():
            return "int"
        case float():
            return "float"
        case _:
            return "other"


class Shelf:
    def __init__(self):
        self.rows = []
        self.best = None

    def put(self, row):
        self.rows.append(row)
        if self.best is None or row["price"] > self.best["price"]:
            self.best = row


show({"price": 2.0, "count": 3})
show({"price": 5.0, "count": 1})
print(merged({"a": 1, "b": 2.0}, {"c": 3.0, "d": 4}))
print(totals([{"price": 2.0, "count": 3}, {"price": 4.0, "count": 1}]))
rows = rows_of(["x", "y", "z"])
print(rows)
print(sorted(rows, key=lambda row: -row["price"])[0])
print(json.dumps(rows[1]), json.dumps({"rows": rows[:1]}))
print(options(rate=2.0, size=3, name="n"))
print(spread({"v": 1.0}, {"v": 2.0}))
print(halves(8), pair(8), parts(8), parts(0))
print(unique([1.0, 2.0]))

note("p", 1.0)
note("q", 2.0)
print(readings, history, readings["p"])

shelf = Shelf()
shelf.put({"price": 1.0, "count": 2})
shelf.put({"price": 3.0, "count": 1})
print(shelf.rows, shelf.best)

table = {}
table["one"] = {"low": 1.0, "high": 2.0, "n": 1}
table["two"] = {"low": 3.0, "high": 4.0, "n": 2}
print(table, table["one"]["low"])
for name, line in table.items():
    print(name, line["high"], line["n"])
loose = {}
loose["f"] = 1.0
print(loose)
grid = []
grid.append([0.0, 1.0])
print(grid, [kind(value) for value in [1, "a", None]], kind(1.5))
