# The kernels of apps/kernels.svc in Python: `python3 kernels.py NAME` prints operations per CPU second.
import sys, time

def arithmetic(n):
    t = 0
    for i in range(n): t = t + i * 2 - i % 7
    return t
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def floats(n):
    x = 0.5
    for i in range(n): x = x * 1.0000001 + i / 3
    return x
def untyped(n):
    t = 0; i = 0
    while i < n:
        t = t + i * 2 - i % 7; i += 1
    return t
def word_count(words):
    counts = {}
    for w in words: counts[w] = counts.get(w, 0) + 1
    return len(counts)
def records(n):
    total = 0
    for i in range(n):
        d = {"name": "n", "age": i, "ok": True}
        total += d["age"] + len(d["name"])
    return total
def list_append_index(n):
    xs = []
    for i in range(n): xs.append(i)
    s = 0
    for i in range(n): s += xs[i]
    return s
def list_iterate(xs):
    s = 0
    for x in xs: s += x
    return s
def comprehension(xs): return len([x * 2 for x in xs if x % 3 == 0])
def text(n):
    parts = []
    for i in range(n): parts.append(f"item {i}")
    return len(", ".join(parts))
class Point:
    def __init__(self, x, y): self.x = x; self.y = y
    def move(self, dx, dy): self.x += dx; self.y += dy
def fields(n):
    p = Point(1, 2)
    for i in range(n):
        p.x = p.x + 1
        p.y = p.y + p.x % 3
    return p.x + p.y
def methods(n):
    p = Point(0, 0)
    for i in range(n): p.move(1, i % 5)
    return p.x + p.y
def closures(n):
    add = lambda x, y: x + y
    s = 0
    for i in range(n): s = add(s, i % 10)
    return s
def sieve(n):
    flags = [True] * (n + 1); count = 0
    for i in range(2, n + 1):
        if flags[i]:
            count += 1
            for j in range(i * i, n + 1, i): flags[j] = False
    return count

words = ["w" + str((i * 7919) % 1000) for i in range(2000)]
numbers = list(range(2000))
name = sys.argv[1]
argument = {"fib": 16, "word_count": words, "list_iterate": numbers, "comprehension": numbers}.get(name, 2000)
run = globals()[name]
for _ in range(20): run(argument)
rates = []
for _ in range(5):
    start = time.process_time(); calls = 0
    while time.process_time() - start < 0.06: run(argument); calls += 1
    rates.append(calls / (time.process_time() - start))
print(sorted(rates)[2])
