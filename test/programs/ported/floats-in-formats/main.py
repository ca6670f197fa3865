d = {"avg": 2.0, "n": 3, "name": "x", "l": [1.0, 2.0], "t": (1, 2.0)}
print("{avg} {n} {name}".format(**d), "{0[avg]} {0[n]} {0[l][0]} {0[t][0]} {0[t][1]}".format(d), "{d[avg]} {k}".format(d=d, k=1.0))
def stats(xs):
    return {"mean": sum(xs) / len(xs), "n": len(xs), "total": float(sum(xs))}
s = stats([1, 2, 3])
print("{mean} {n} {total:>5} {total!r}".format(**s), "{mean} {w}".format(w=2.0, **s))
from json import dumps
print([x / 2 for x in [2, 4]])
print({x / 2 for x in [2]})
print({x: x / 2 for x in [2, 4]})
print([[x / 2 for x in [2, 4]] for y in range(2)])
print([(x, x / 2) for x in [2, 4]], "a")
print("a", [x / 2 for x in [2, 4]])
print([{"a": x / 2} for x in [2, 4]], sep="")
print(dumps([x / 2 for x in [2, 4]]))
print("{} {}".format([x / 2 for x in [2, 4]], 1))
print(*[x / 2 for x in [2, 4]])
print(*map(float, [1, 2]), sep=", ")
prices = dict(zip("ab", [1.0, 2.0]))
print(prices, prices["a"], *prices.values(), *prices, *sorted(prices.values(), reverse=True))
print(dict([("a", 2.0)]), dict(prices.items()), dict(sorted(prices.items())), *(1.0, 2))
print([v for k, v in sorted(prices.items(), key=lambda kv: -kv[1])])
import statistics
from statistics import mean, median
whole, parts = [1, 2, 3], [1.0, 3.0]
print(statistics.mean(whole), mean(parts), median(parts), statistics.variance(whole), statistics.variance(parts), mean([1, 2]), statistics.stdev(whole), mean(x / 2 for x in [2, 6]), median(whole))
