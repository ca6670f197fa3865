"""LRU cache in two ways, a trie, a heap scheduler, a union-find and a graph search."""
import heapq
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from functools import lru_cache, cached_property
import itertools


class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.data = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key, fallback=None):
        try:
            self.data.move_to_end(key)
        except KeyError:
            self.misses += 1
            return fallback
        self.hits += 1
        return self.data[key]

    def put(self, key, value):
        self.data[key] = value
        self.data.move_to_end(key)
        if len(self.data) > self.capacity:
            old, _ = self.data.popitem(last=False)
            return old

    @property
    def ratio(self):
        total = self.hits + self.misses
        return self.hits / total if total else 0.0

    def __repr__(self):
        return f"LRU({list(self.data.items())}, ratio={self.ratio})"


class Link:
    __slots__ = ("key", "value", "prev", "next")

    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.prev = self.next = self


class LinkedLRU:
    def __init__(self, capacity):
        self.capacity, self.table, self.root = capacity, {}, Link()

    def _unlink(self, n):
        n.prev.next, n.next.prev = n.next, n.prev

    def _push(self, n):
        last = self.root.prev
        last.next = self.root.prev = n
        n.prev, n.next = last, self.root

    def __setitem__(self, k, v):
        if k in self.table:
            self._unlink(self.table.pop(k))
        elif len(self.table) >= self.capacity:
            old = self.root.next
            self._unlink(old)
            del self.table[old.key]
        n = self.table[k] = Link(k, v)
        self._push(n)

    def __getitem__(self, k):
        n = self.table[k]
        self._unlink(n)
        self._push(n)
        return n.value

    def __iter__(self):
        n = self.root.next
        while n is not self.root:
            yield n.key, n.value
            n = n.next


class Trie:
    def __init__(self):
        self.children = {}
        self.end = False

    def insert(self, word):
        node = self
        for c in word:
            node = node.children.setdefault(c, Trie())
        node.end = True

    def walk(self, prefix=""):
        if self.end:
            yield prefix
        for c in sorted(self.children):
            yield from self.children[c].walk(prefix + c)

    def complete(self, prefix):
        node = self
        for c in prefix:
            if c not in node.children:
                return []
            node = node.children[c]
        return list(node.walk(prefix))


@dataclass(order=True)
class Job:
    priority: int
    seq: int = field(compare=True)
    name: str = field(compare=False)


class Scheduler:
    def __init__(self):
        self.heap, self.counter = [], itertools.count()

    def add(self, name, priority=0):
        heapq.heappush(self.heap, Job(priority, next(self.counter), name))

    def run(self):
        while self.heap:
            yield heapq.heappop(self.heap).name


class UnionFind:
    def __init__(self, items):
        self.parent = {x: x for x in items}

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        self.parent[b] = a
        return True


def dijkstra(graph, start):
    dist, queue = {start: 0}, [(0, start)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > dist.get(u, float("inf")):
            continue
        for v, w in graph.get(u, {}).items():
            if (nd := d + w) < dist.get(v, float("inf")):
                dist[v] = nd
                heapq.heappush(queue, (nd, v))
    return dist


def bfs(grid, start, goal):
    rows, cols = len(grid), len(grid[0])
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        (r, c), d = queue.popleft()
        if (r, c) == goal:
            return d
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr][nc] != "#" and (nr, nc) not in seen:
                seen.add((nr, nc))
                queue.append(((nr, nc), d + 1))
    return None


class Circle:
    def __init__(self, r):
        self.r = r
        self.computed = 0

    @cached_property
    def area(self):
        self.computed += 1
        return 3 * self.r ** 2


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


c = LRU(2)
print(c.put("a", 1), c.put("b", 2), c.get("a"), c.put("c", 3), c.get("b"), c.get("b", -1), c, c.ratio)
print(LRU(1).ratio, LRU(3))
l = LinkedLRU(2)
l["x"], l["y"] = 1, 2
l["x"]
l["z"] = 3
print(list(l), "y" in l.table)
t = Trie()
for w in "car card care cat dog do".split():
    t.insert(w)
print(t.complete("car"), t.complete("do"), t.complete("x"), list(t.walk()))
s = Scheduler()
for name, p in [("low", 5), ("hi", 1), ("mid", 3), ("hi2", 1)]:
    s.add(name, p)
print(list(s.run()), Job(1, 2, "a") < Job(1, 3, "0"), Job(1, 1, "q"))
uf = UnionFind("abcde")
print([uf.union(*p) for p in ("ab", "cd", "ba", "bd")], uf.find("c") == uf.find("a"), uf.find("e"))
g = {"A": {"B": 4, "C": 1.5}, "C": {"B": 1.5, "D": 7}, "B": {"D": 1}}
print({k: f"{v:g}" for k, v in dijkstra(g, "A").items()}, bfs(["..#", ".#.", "..."], (0, 0), (2, 2)), bfs(["#.", ".#"], (0, 1), (1, 0)))
k = Circle(2)
print(k.area, k.area, k.computed, fib(80), fib.cache_info())
