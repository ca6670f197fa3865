"""Matrices with operators, determinants, and a few numeric routines."""
from fractions import Fraction
import math
import operator
from functools import reduce
from itertools import product, permutations, chain


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        if len({len(r) for r in self.rows}) > 1:
            raise ValueError("ragged rows")

    @classmethod
    def identity(cls, n):
        return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])

    @classmethod
    def from_function(cls, n, m, f):
        return cls([[f(i, j) for j in range(m)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            return self.rows[i][j]
        return self.rows[key]

    def __setitem__(self, key, value):
        i, j = key
        self.rows[i][j] = value

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __sub__(self, other):
        return self + other * -1

    def __mul__(self, k):
        return Matrix([[a * k for a in r] for r in self.rows])

    __rmul__ = __mul__

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"cannot multiply {self.shape} by {other.shape}")
        cols = list(zip(*other.rows))
        return Matrix([[sum(map(operator.mul, r, c)) for c in cols] for r in self.rows])

    def __pow__(self, n):
        if n == 0:
            return Matrix.identity(self.shape[0])
        half = self ** (n // 2)
        return half @ half if n % 2 == 0 else half @ half @ self

    def __iter__(self):
        return chain.from_iterable(self.rows)

    def __str__(self):
        cells = [[f"{x:g}" if isinstance(x, float) else str(x) for x in r] for r in self.rows]
        widths = [max(map(len, c)) for c in zip(*cells)]
        return "\n".join("[" + " ".join(x.rjust(w) for x, w in zip(r, widths)) + "]" for r in cells)

    def det(self):
        n = self.shape[0]
        total = 0
        for p in permutations(range(n)):
            inversions = sum(1 for i in range(n) for j in range(i) if p[j] > p[i])
            total += (-1) ** inversions * reduce(operator.mul, (self[i, p[i]] for i in range(n)), 1)
        return total

    def solve(self, b):
        n = self.shape[0]
        a = [[Fraction(x) for x in r] + [Fraction(y)] for r, y in zip(self.rows, b)]
        for i in range(n):
            pivot = next(r for r in range(i, n) if a[r][i] != 0)
            a[i], a[pivot] = a[pivot], a[i]
            a[i] = [x / a[i][i] for x in a[i]]
            for r in range(n):
                if r != i and a[r][i]:
                    f = a[r][i]
                    a[r] = [x - f * y for x, y in zip(a[r], a[i])]
        return [r[-1] for r in a]


m = Matrix([[2, 1], [5, 3]])
print(m, m.T, m @ m, m ** 5, 2 * m - m, sep="\n--\n")
print(m.det(), m.shape, list(m), m[1, 0], m[0], m == Matrix([[2, 1], [5, 3]]))
print(m.solve([3, 7]), Matrix([[1, 2, 3], [0, 1, 4], [5, 6, 0]]).det())
print(Matrix.from_function(3, 4, lambda i, j: i * j))
try:
    m @ Matrix([[1, 2, 3]])
except ValueError as e:
    print(e)
try:
    Matrix([[1], [1, 2]])
except ValueError as e:
    print(e)
fib = Matrix([[1, 1], [1, 0]]) ** 90
print(fib[0, 1])


def newton(f, df, x, eps=1e-12):
    steps = 0
    while abs(f(x)) > eps:
        x -= f(x) / df(x)
        steps += 1
    return x, steps


root2, steps = newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0)
print(f"{root2:.10f}", steps, math.isclose(root2, math.sqrt(2)))


def simpson(f, a, b, n=100):
    h = (b - a) / n
    s = f(a) + f(b)
    s += 4 * sum(f(a + i * h) for i in range(1, n, 2))
    s += 2 * sum(f(a + i * h) for i in range(2, n, 2))
    return s * h / 3


print(round(simpson(math.sin, 0, math.pi), 8), round(simpson(lambda x: x ** 2, 0, 3), 6))
primes = [p for p in range(2, 60) if all(p % q for q in range(2, int(p ** 0.5) + 1))]
print(primes, sum(primes), math.prod(primes[:8]), math.gcd(*primes[3:5]), math.lcm(4, 6))
print([a + b for a, b in product("ab", "xy")], divmod(-17, 5), -17 // 5, -17 % 5, 17.5 // 2, 2 ** -1, 7 / 2)
m2 = Matrix([[0.5, 1.0], [2.0, 3.5]])
print(m2, m2 @ m2, m2.det(), sep="\n")
print(m2.T)
