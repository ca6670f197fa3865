d = {"avg": 2.0, "n": 3, "name": "x", "l": [1.0, 2.0], "t": (1, 2.0)}
print("{avg} {n} {name}".format(**d), "{0[avg]} {0[n]} {0[l][0]} {0[t][0]} {0[t][1]}".format(d), "{d[avg]} {k}".format(d=d, k=1.0))
def stats(xs):
    return {"mean": sum(xs) / len(xs), "n": len(xs), "total": float(sum(xs))}
s = stats([1, 2, 3])
print("{mean} {n} {total:>5} {total!r}".format(**s), "{mean} {w}".format(w=2.0, **s))
