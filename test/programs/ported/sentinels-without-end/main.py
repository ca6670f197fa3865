import heapq
import math

INF = float("inf")


class Best:
    def __init__(self):
        self.score = float("-inf")
        self.where = None

    def offer(self, score, where):
        if score > self.score:
            self.score = score
            self.where = where


class Item:
    def __init__(self, cost=float("inf")):
        self.cost = cost


def shortest(graph, start):
    distance = {name: INF for name in graph}
    distance[start] = 0
    waiting = [(0, start)]
    while waiting:
        so_far, name = heapq.heappop(waiting)
        for other, length in graph[name].items():
            if so_far + length < distance[other]:
                distance[other] = so_far + length
                heapq.heappush(waiting, (distance[other], other))
    return distance


def all_pairs(n, edges):
    table = [[0 if i == j else math.inf for j in range(n)] for i in range(n)]
    for a, b, length in edges:
        table[a][b] = length
    for k in range(n):
        for i in range(n):
            for j in range(n):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return table


def coins(amount, kinds):
    fewest = [0] + [float("inf")] * amount
    for total in range(1, amount + 1):
        for kind in kinds:
            if kind <= total:
                fewest[total] = min(fewest[total], fewest[total - kind] + 1)
    return fewest


def cheapest(prices):
    low, gain = math.inf, 0
    for price in prices:
        low = min(low, price)
        gain = max(gain, price - low)
    return low, gain


def second(values):
    first = second = -math.inf
    for value in values:
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
    return second


def main():
    print(shortest({"a": {"b": 4, "c": 1}, "b": {}, "c": {"b": 2}, "d": {}}, "a"))
    for row in all_pairs(3, [(0, 1, 3), (1, 2, -2)]):
        print(row, " ".join(f"{x:>4}" for x in row), "|".join(str(x) for x in row))
    for row in all_pairs(2, [(0, 1, 2.5)]):
        print(row)
    print(coins(7, [2, 5]), cheapest([7, 1, 5, 3]), second([3, 9, 4]), second([3]))
    best = Best()
    for score, where in [(3, "x"), (8, "y"), (5, "z")]:
        best.offer(score, where)
    print(best.score, best.where, f"{best.score} {best.score!r}", Item().cost, Item(3).cost, Item(3).cost + 1)
    least = float("inf")
    for value in [5, 3, 4]:
        if value < least:
            least = value
    print(least, least * 2, least + 1, -least, [least, INF], {"least": least, "inf": INF}, (least, -INF), max(0, -INF), abs(least - 10))
    total = math.inf
    total = 0
    total += 0.5
    total += 0.5
    print(total, [1, INF, 2.0], [1, INF, 0.5], 10**20 + 5 in [INF, 10**20 + 5], min(INF, 10**20 + 5), INF * 2, INF - 1, 3 / 1 + 0)


main()
