"""Floats that reach helpers, attributes and containers without any declaration."""
import argparse
from collections import defaultdict


def parse(lines):
    for line in lines:
        name, group, price, count = line.split(",")
        yield {"name": name, "group": group, "price": float(price), "count": int(count)}


def value_of(row):
    return row["price"] * row["count"]


def totals_by(rows, key):
    totals = defaultdict(float)
    for row in rows:
        totals[row[key]] += value_of(row)
    return dict(totals)


def best(totals):
    return max(totals.items(), key=lambda kv: kv[1])


def show(title, totals):
    print(title)
    for key in sorted(totals):
        print(f"  {key}: {totals[key]}", totals.get(key, 0))
    for key, value in totals.items():
        print("  ", key, value)


def transpose(matrix):
    return [list(row) for row in zip(*matrix)]


def add(left, right):
    return [x + y for x, y in zip(left, right)]


def largest(*values):
    print(values, max(values))
    return max(values)


class Recorder:
    def __init__(self, start):
        self.total = 0
        self.last = start
        self.steps = []
        self.by_day = {}
        self.grid = [start] * 2

    def record(self, day, amount):
        self.total += amount
        self.last = amount
        self.steps.append((day, amount))
        self.by_day.setdefault(day, []).append(amount)
        self.grid[0] = amount
        return self

    def report(self):
        print(self.total, self.last, self.steps, self.by_day, self.grid)
        for day, amount in self.steps:
            print(day, amount)
        for day, amounts in self.by_day.items():
            print(day, amounts, sum(amounts), amounts[0])


def main():
    rows = list(parse(["pen,a,2.0,3", "ink,b,4.0,1", "pad,a,1.0,1"]))
    totals = totals_by(rows, "group")
    show("groups", totals)
    print(best(totals), best(totals)[1])
    print(transpose([[1.0, 2.0], [3.0, 4.0]]), add([1.0, 2.0], [3.0, 4.0]), largest(1.0, 3.0))
    recorder = Recorder(1.0)
    recorder.record("mon", 2.0).record("tue", 3.0).record("mon", 5.0).report()
    print(recorder.total, recorder.steps[-1], recorder.by_day["mon"])
    groups = defaultdict(list)
    named = {}
    for row in rows:
        groups[row["group"]].append(row["price"])
        named.setdefault(row["name"], {})["price"] = row["price"]
    print(dict(groups), {key: max(prices) for key, prices in groups.items()}, named)
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale-by", type=float, default=1.0)
    parser.add_argument("-n", "--number", type=int, default=2)
    parser.add_argument("weights", type=float, nargs="*")
    options = parser.parse_args(["--scale-by", "3", "1", "2"])
    print(options.scale_by, options.number, options.scale_by * options.number, options.weights)


main()
