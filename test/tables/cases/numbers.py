import math
import statistics
from decimal import Decimal
from fractions import Fraction

DATA = [2.5, 3.25, 5.5, 11.25, 11.75]

[round(x, 1) for x in (0.25, 0.35, 2.675, -0.25, 1e22)]
[round(x) for x in (0.5, 1.5, 2.5, -0.5, -1.5, 2.4999)]
[round(x, -1) for x in (5, 15, 25, -15, 1234)]
round(12345.678, -2)
round(5, 2)
round("a")
round(1.5, None)
round(float("nan"))
round(float("inf"))
[divmod(a, b) for a in (7, -7, 7.5) for b in (2, -2, 2.5)]
[(a // b, a % b) for a in (10**20, -(10**20), 7) for b in (3, -3, 10**19)]
[(a >> b, a << b) for a in (5, -5, 2**60, -(2**60)) for b in (0, 1, 31, 40)]
1 << -1
[(a & b, a | b, a ^ b) for a in (5, -5, 2**40 + 1, -(2**70)) for b in (3, -3, 2**33)]
~0, ~5, ~-(2**60)
2**100, 3**50 % 7, (-2) ** 63, 2**-1, 0**0
0**-1
0.0**-1
pow(3, 100, 7), pow(3, -1, 7), pow(2, 10), pow(-3, 3, 5)
pow(2, -1, 4)
pow(2, 3, 0)
math.factorial(25)
math.factorial(-1)
math.factorial(2.5)
math.comb(50, 25), math.comb(3, 5), math.perm(10, 3), math.perm(4)
math.gcd(12, 18), math.gcd(0, 0), math.gcd(12, 18, 27), math.lcm(4, 6), math.lcm(), math.gcd(-4, 6)
math.isqrt(10**30), math.isqrt(24)
math.isqrt(-1)
math.sqrt(-1)
math.log(0)
math.log(-1)
math.log(8, 2), math.log2(8), math.log10(1000), math.log1p(0)
math.exp(1000)
[(math.sin(x), math.cos(x), math.tan(x)) for x in [i * 0.37 - 9.1 for i in range(60)]]
[(math.sin(x), math.cos(x)) for x in (1e-9, 1e-3, 355.0, 12345.678, 1e6, math.pi, math.pi / 2, -2 * math.pi)]
[(math.atan(x), math.atan2(x, 1.7), math.atan2(0.3, x), math.atan2(-x, -2.5)) for x in [i * 0.73 - 21.3 for i in range(60)]]
[(math.asin(x), math.acos(x)) for x in [i / 31 - 1 for i in range(61)]]
[(math.sinh(x), math.cosh(x), math.tanh(x), math.asinh(x)) for x in [i * 0.83 - 23.9 for i in range(60)]]
[(math.log(x), math.log2(x), math.log10(x), math.acosh(x + 1)) for x in [i * 0.59 + 0.01 for i in range(60)]]
[(math.log2(x), math.log10(x)) for x in (2**0.5, 0.001, 1e-5, 1e15, 0.999, 1.001, 3, 2**70, 10**25)]
[(math.erf(x), math.erfc(x)) for x in [i * 0.21 - 6.3 for i in range(70)]]
[(math.gamma(x), math.lgamma(x)) for x in [i * 0.77 - 9.93 for i in range(60)]]
[math.gamma(x) for x in (1, 5, 23, 24.5, 150.3, 171.5, -170.5, 1e-21)]
math.gamma(172)
math.gamma(-3)
math.lgamma(0)
[statistics.NormalDist(100, 15).cdf(x) for x in range(50, 150, 7)], statistics.geometric_mean([54, 24, 36])
math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5), math.floor(1e20)
math.floor(float("inf"))
math.ceil(float("nan"))
math.fsum([0.1] * 10), math.prod([1, 2, 3]), math.prod([], start=5), math.prod([2.5, 2])
math.hypot(3, 4), math.hypot(1, 2, 2), math.dist([0, 0], [3, 4])
math.isclose(0.1 + 0.2, 0.3), math.isclose(1, 1.1, rel_tol=0.2), math.isclose(0, 1e-10, abs_tol=1e-9)
math.isnan(float("nan")), math.isinf(-math.inf), math.isfinite(1)
math.copysign(1, -0.0), math.fabs(-3), math.fmod(-7, 3), math.remainder(7, 4), math.modf(2.5), math.frexp(8), math.ldexp(0.5, 4)
math.degrees(math.pi), math.radians(180), math.sin(0), math.cos(0), math.atan2(1, 1), math.tau, math.e
[round(x, 12) for x in (math.erf(0.5), math.gamma(5), math.lgamma(10), math.erfc(0.5), statistics.NormalDist(100, 15).cdf(115))]
math.exp2(3), math.expm1(0)
math.nextafter(1.0, 2.0), math.ulp(1.0)
math.sqrt("a")
math.floor("a")
math.inf > 10**400, 10**400 > 1e300
int("12"), int(" -12 "), int("1_000"), int("0b101", 0), int("ff", 16), int("0xff", 16), int("z", 36), int(-2.9), int(True)
int("1.5")
int("")
int("0x1f")
int("12", 2)
int("9", 40)
int(None)
int([1])
int(float("nan"))
int(float("inf"))
int("١٢")
int(b"12")
int("10", base=8)
int()
float("1.5"), float(" 1e3 "), float("-inf"), float("nan"), float("1_0.5"), float(".5"), float("5.")
float("abc")
float("")
float(None)
float("1__0")
float("0x10")
float()
float(10**400)
str(1e16), str(1e15 + 0.5), str(1e-5), str(0.0001), str(123456789.123), str(1e300), str(-0.0 + 0.5), str(5e-324)
repr(0.1 + 0.2), repr(1 / 3), repr(100.5), repr(1e22 + 0.0) == "1e+22", repr(2.5e-7)
1 / 0
1 // 0  # language: !ZeroDivisionError: division by zero
1 % 0  # language: !ZeroDivisionError: division by zero
1.5 // 0  # language: !ZeroDivisionError: division by zero
1.5 % 0  # language: !ZeroDivisionError: division by zero
divmod(1, 0)  # language: !ZeroDivisionError: division by zero
10**20 / 10**18, 10**30 // 7, -(10**30) // 7, 10**30 % -7, (10**30) / 3
7 // 2.5, -7 // 2.5, 7 % -2.5, -7.5 % 2
1e308 * 10, -1e308 * 10
10.0**400.5
(10**400) / 2
hex(255), hex(-255), oct(8), bin(10), bin(-10), hex(2**70)
hex(1.5)
(5).bit_length(), (-5).bit_length(), (0).bit_length(), (2**70).bit_length(), (255).bit_count()
(1024).to_bytes(2, "big"), (1024).to_bytes(4, "little"), (-2).to_bytes(2, "big", signed=True), int.from_bytes(b"\x04\x00", "big"), int.from_bytes(b"\xff\xfe", "big", signed=True)
(1024).to_bytes(1, "big")
(-1).to_bytes(1, "big")
(2.5).is_integer(), (2.5).as_integer_ratio(), (0.1).as_integer_ratio(), (2.5).hex(), float.fromhex("0x1.4p+1"), (10).as_integer_ratio()
(5).real, (5).imag, (5).numerator, (5).denominator, (5).conjugate()
True + True, True * 3, -True, True / 2, sum([True, False, True]), True == 1, True & False, True | False, True ^ True, ~True
min(3, 1, 2), max([1, 5, 3]), min("b", "a"), max([], default=0), min([3, -5], key=abs), max("aa", "b", key=len)
max([])  # 3.12: !ValueError: max() iterable argument is empty
min(1, "a")
max(1)
sum([1, 2], 10), sum([[1], [2]], []), sum([]), sum(range(101))
sum(["a"])
sum(["a"], "")
abs(-5), abs(-2.5), abs(-(10**20)), abs(True)
abs("a")
5 == 5.0, hash(5) == hash(5.0), 1 < 2.5 < 10**20, float(2**53) == 2**53 + 1, 2**53 + 1 == float(2**53), 10**20 > 1e19
1 + "a"
"a" + 1
1 - "a"
"a" * 2.5
"a" * "b"
[1] + (2,)
[1] * 1.5
None + 1
{} + {}
-"a"
+[1]
~1.5
1.5 & 1
1 < "a"
[1] < 1
None < None
{} < {}
5 % "a"
5()
(5)[0]
len(5)
iter(5)
isinstance(True, int), isinstance(1, float), isinstance(1.5, (int, float)), issubclass(bool, int), type(1).__name__, type(1.5).__name__, type(10**30).__name__
bool("False"), bool(""), bool(0.0), bool([0]), bool(None), bool("0")
chr(97), ord("a"), chr(128512), ord("😀")
chr(-1)
chr(0x110000)
ord("ab")
ord("")
ord(5)
1_000_000, 0xFF, 0o17, 0b11, 1e3 == 1000
int(1e20), int(1e300) % 1000
math.floor(2.7) + math.ceil(2.2)
statistics.mean(DATA), statistics.median(DATA), statistics.stdev(DATA), statistics.variance(DATA), statistics.pstdev(DATA), statistics.pvariance(DATA)
[statistics.variance([Decimal("1.25"), Decimal("2.75"), Decimal("4")]), statistics.stdev([Decimal("1.5"), Decimal("2.5")]), statistics.pstdev([Decimal(2), Decimal(5)]), statistics.pvariance([Fraction(1, 3), Fraction(5, 3)]), statistics.stdev([Fraction(1, 2), Fraction(1, 4)])]
[statistics.mean([2.5, math.inf]), statistics.mean([1, math.nan]), statistics.harmonic_mean([30, 50.5], weights=[2, 7]), statistics.harmonic_mean([Decimal(3), Decimal(6)]), statistics.harmonic_mean([4, 0.5, 0])]
statistics.harmonic_mean([1, 2], weights=[1])
statistics.harmonic_mean([1, -2])
[statistics.quantiles([Decimal(3), Decimal(1), Decimal(8)]), statistics.quantiles([2.5, 7.25, 1.5, 9.75], n=10, method="inclusive")]
statistics.quantiles([1, 2, 3], method="other")
statistics.linear_regression([1, 2, 4], [1.5, 4.25, 7.5], proportional=True).slope
[statistics.NormalDist.from_samples([2.5, 3.25, 7.5]), statistics.NormalDist(2, 3) + statistics.NormalDist(4, 4), statistics.NormalDist(2, 3) - statistics.NormalDist(1, 4), statistics.NormalDist(1, 2) * 3, statistics.NormalDist(1, 2) / 2, 10 - statistics.NormalDist(1, 2), -statistics.NormalDist(1, 2)]
[statistics.NormalDist(1, 2) == statistics.NormalDist(1.0, 2.0), len({statistics.NormalDist(1, 2), statistics.NormalDist(1, 2)}), round(statistics.NormalDist(1, 2).overlap(statistics.NormalDist(3, 1)), 12), round(statistics.NormalDist(1, 2).overlap(statistics.NormalDist(2, 2)), 12), statistics.NormalDist(5, 2).mode]
statistics.NormalDist(0, 0).pdf(1)
len(statistics.NormalDist(10, 2.5).samples(3, seed=42))
statistics.mean([1, 2, 3, 4]), statistics.mean([1, 2]), statistics.median([1, 2, 3, 4]), statistics.median_low([1, 2, 3, 4]), statistics.median_high([1, 2, 3, 4])
statistics.mode([1, 1, 2]), statistics.mode("abca"), statistics.multimode("aabbc"), statistics.multimode([])
statistics.harmonic_mean([40, 60]), statistics.geometric_mean([54, 24, 36]), statistics.fmean([1, 2, 3])
statistics.quantiles([1, 2, 3, 4, 5], n=4), statistics.quantiles(DATA, n=4, method="inclusive"), statistics.quantiles(range(1, 101), n=10)
statistics.median_grouped([1, 2, 2, 3, 4, 4, 4, 4, 4, 5])
statistics.mean([])
statistics.median([])
statistics.mode([])
statistics.stdev([1])
statistics.variance([])
statistics.mean(["a"])
statistics.correlation([1, 2, 3], [2, 4, 7]), statistics.covariance([1, 2, 3], [2, 4, 7]), statistics.linear_regression([1, 2, 3], [2, 4, 7])
statistics.correlation([1], [2])
statistics.mean([Fraction(1, 2), Fraction(1, 3)])
statistics.NormalDist(100, 15).pdf(100), [round(statistics.NormalDist(0, 1).inv_cdf(p), 12) for p in (0.975, 0.5, 0.01, 1e-9, 1e-30, 0.9999)]
statistics.NormalDist(100, 15)
statistics.fmean([1, 2, 3], weights=[1, 1, 2])
range(10)[2:5], range(10)[::-1], range(0, 10, 3)[-1], len(range(5, 0, -2)), 4 in range(0, 10, 2), 5 in range(0, 10, 2), list(range(5, 0, -2))
range(5) == range(0, 5, 1), range(5).index(3), range(5).count(9), range(1, 10, 2), range(0), bool(range(0))
range(1.5)
range(0, 5, 0)
range(5)[10]
range("a")


def case_collatz_big():
    n = 27**15
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def case_modular_inverse_loop():
    m = 10**9 + 7
    total = 0
    for i in range(1, 50):
        total = (total * 31 + pow(i, m - 2, m)) % m
    return total


def case_digits():
    n = 2**200
    digits = []
    while n:
        n, d = divmod(n, 10)
        digits.append(d)
    return digits[::-1][:20]
