import decimal
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction

Decimal("1.10")
Decimal("1.1") + Decimal("2.2")
Decimal(5), Decimal(0.1), Decimal("-0"), Decimal("1E+5"), Decimal("1e-10"), Decimal("NaN"), Decimal("-Infinity"), Decimal(" 1.5 ")
Decimal((1, (1, 2, 3), -2)), Decimal(True), Decimal("1_000.5")
Decimal("abc")
Decimal(None)
str(Decimal("0.000001")), str(Decimal("0.0000001")), str(Decimal("123E3")), str(Decimal("1.20E+3"))
Decimal(1) / Decimal(3), Decimal(2) / Decimal(4), Decimal("10") / 3, 1 / Decimal(8)
Decimal(1) / Decimal(0)
Decimal(0) / Decimal(0)
Decimal("7") // 2, Decimal("-7") // 2, Decimal("7") % 3, Decimal("-7") % 3, divmod(Decimal(-7), 3)
Decimal("1.5") * 2, Decimal("1.50") - Decimal("0.5"), -Decimal("1.5"), abs(Decimal("-2")), +Decimal("1.5")
Decimal(2) ** 10, Decimal(2) ** Decimal("0.5"), Decimal(2) ** -1, Decimal("1.1") ** 2, pow(Decimal(3), 4, 5)
Decimal(2).sqrt(), Decimal("0.25").sqrt(), Decimal(10).ln(), Decimal(1).exp(), Decimal(1000).log10()
Decimal(-1).sqrt()
Decimal("2.675").quantize(Decimal("0.01")), Decimal("2.675").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP), Decimal("2.679").quantize(Decimal("0.01"), ROUND_DOWN)
Decimal("2.5").quantize(Decimal("1"), rounding=ROUND_HALF_EVEN), Decimal("1234").quantize(Decimal("1E+2"))
Decimal("1e30").quantize(Decimal("0.01"))
round(Decimal("2.675"), 2), round(Decimal("2.5")), round(Decimal("3.5")), type(round(Decimal("2.5"))).__name__
int(Decimal("2.9")), float(Decimal("2.5")), bool(Decimal(0)), hash(Decimal(5)) == hash(5)
Decimal("1.0") == 1, Decimal("0.1") == 0.1, Decimal("0.5") == 0.5, Decimal(1) < 2, Decimal("1.5") > 1.25, Decimal("NaN") == Decimal("NaN")
Decimal(1) + 1.5
Decimal(1) + "1"
Decimal("1.10").normalize(), Decimal("100").normalize(), Decimal("1.23456").adjusted(), Decimal("1.10").as_tuple()
Decimal("1.5").as_integer_ratio(), Decimal("1.5").to_integral_value(), Decimal("-1.5").copy_abs(), Decimal("1.5").is_signed()
Decimal("NaN").is_nan(), Decimal("Infinity").is_infinite(), Decimal(1).is_finite(), Decimal(0).is_zero()
Decimal(1).compare(Decimal(2)), Decimal(1).max(Decimal(2)), Decimal(1).min(2)
f"{Decimal('1234567.891'):,.2f}", f"{Decimal('0.00001')}", f"{Decimal('1.5'):>10}", f"{Decimal('12.345'):.1f}", f"{Decimal('1234.5'):e}", f"{Decimal('0.256'):.1%}", f"{Decimal('5'):05d}" if False else ""
"%.2f" % Decimal("2.345"), "%s" % Decimal("2.30"), "{:.3g}".format(Decimal("1234.5"))
sum([Decimal("0.1")] * 10), sum([Decimal("0.1")] * 10) == 1, max(Decimal(1), Decimal(2)), sorted([Decimal("2"), Decimal("1.5")])
Decimal("123.456").scaleb(2), Decimal(5).is_integer() if hasattr(Decimal, "is_integer") else True
Decimal.from_float(0.5), Decimal("3.14").real, Decimal("0E-5"), Decimal("-0.00"), Decimal("12").to_eng_string(), Decimal("1E+4").to_eng_string()
isinstance(Decimal(1), Decimal), type(Decimal(1)).__name__, repr([Decimal("1.5")]), str({"a": Decimal(1)})
getcontext().prec
issubclass(decimal.DivisionByZero, ZeroDivisionError), issubclass(decimal.InvalidOperation, ArithmeticError)
Fraction(1, 3), Fraction(6, -4), Fraction("3/4"), Fraction("0.25"), Fraction(0.5), Fraction("1e-3"), Fraction(5), Fraction(Decimal("1.1")), Fraction(), Fraction(" -3/4 ")
Fraction(1, 0)
Fraction("a")
Fraction(1.5, 2)
str(Fraction(1, 3)), str(Fraction(4, 2)), float(Fraction(1, 4)), int(Fraction(7, 2)), round(Fraction(7, 2)), round(Fraction(22, 7), 2)
Fraction(1, 3) + Fraction(1, 6), Fraction(1, 3) * 3, Fraction(1, 3) - 1, Fraction(1, 2) / Fraction(3, 4), Fraction(7, 2) // 1, Fraction(7, 2) % 1, Fraction(-7, 2) // 1
Fraction(1, 2) + 0.5, Fraction(1, 2) ** 2, Fraction(1, 2) ** -2, Fraction(4) ** 0.5, 2 ** Fraction(2), -Fraction(1, 2), abs(Fraction(-1, 2))
Fraction(1, 2) == 0.5, Fraction(1, 2) < Fraction(2, 3), Fraction(2) == 2, hash(Fraction(2)) == hash(2), bool(Fraction(0)), Fraction(1, 3) == 1 / 3
Fraction(3.141592653589793).limit_denominator(100), Fraction(1, 3).numerator, Fraction(1, 3).denominator, Fraction(7, 3).as_integer_ratio()
Fraction(1, 2) + "a"
Fraction.from_float(0.75), Fraction.from_decimal(Decimal("0.5")), sum([Fraction(1, 3)] * 3), divmod(Fraction(7, 2), Fraction(1, 3)), max(Fraction(1, 2), Fraction(2, 3))
sorted([Fraction(1, 2), 0.25, 1]), [Fraction(1, 2)], {Fraction(1, 2): 1}


def case_local_context():
    with localcontext() as ctx:
        ctx.prec = 5
        a = Decimal(1) / Decimal(3)
    return [a, Decimal(1) / Decimal(3)]


def case_precision():
    with localcontext() as ctx:
        ctx.prec = 50
        return [Decimal(2).sqrt(), Decimal(1) / 7]


def case_bill():
    prices = [Decimal("19.99"), Decimal("5.01"), Decimal("0.10")]
    subtotal = sum(prices, Decimal("0"))
    tax = (subtotal * Decimal("0.0825")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return [subtotal, tax, str(subtotal + tax), f"${subtotal + tax:.2f}"]
[x == x for x in [Decimal("NaN"), Decimal("Inf"), Decimal("1.0")]]
Decimal("NaN") != Decimal("NaN")
Decimal("NaN") in [Decimal("NaN")]
Decimal("sNaN") == 1
Decimal("NaN") == float("nan"), Decimal("1.5") == 1.5, Decimal(2) == 2, Decimal(1) == "1"
Decimal(-0.0), Decimal(float("-0.0")), Decimal(0), Decimal(-0.0) == 0
