INTS = [0, 7, -42, 1234567, -(2**70)]
FLOATS = [0.5, -3.14159, 1234567.891, 1e-7, -2.5e22, 123456789.125, 0.1]
TEXTS = ["", "é", "hello", "😀wide"]
ALIGN = ["", "<", ">", "^", "=", "*<", "0>", "_^", "x="]
SIGN = ["", "+", "-", " "]
WIDTH = ["", "1", "9", "014"]
GROUP = ["", ",", "_"]
SLICES = [None, -7, -2, -1, 0, 1, 3, 9]


def attempt(make):
    try:
        return make()
    except Exception as e:
        return f"!{type(e).__name__}: {e}"


def shown(value, specs):
    return [attempt(lambda: format(value, spec)) for spec in specs]


def case_int_types():
    return [shown(n, [a + s + h + w + t for a in ("", "*^") for s in SIGN for h in ("", "#") for w in ("", "12", "012") for t in ("", "d", "b", "o", "x", "X", "c", "n")]) for n in INTS]


def case_int_groups():
    return [shown(n, [a + w + g + t for a in ALIGN for w in WIDTH for g in GROUP for t in ("d", "b", "x", "s")]) for n in INTS]


def case_int_as_float():
    return [shown(n, [g + p + t for g in GROUP for p in ("", ".0", ".3") for t in ("e", "E", "f", "F", "g", "G", "%")]) for n in INTS]


def case_float_types():
    return [shown(x, [s + h + p + t for s in SIGN for h in ("", "#", "z") for p in ("", ".0", ".2", ".10") for t in ("", "e", "E", "f", "F", "g", "G", "%", "n", "d")]) for x in FLOATS]


def case_float_layout():
    return [shown(x, [a + s + w + g + ".2f" for a in ALIGN for s in SIGN for w in ("", "3", "16", "016") for g in GROUP]) for x in FLOATS]


def case_special_floats():
    return [shown(x, [s + w + t for s in SIGN for w in ("", "8", "08", ">8") for t in ("", "f", "e", "g", "%", "F")]) for x in (float("inf"), float("-inf"), float("nan"))]


def case_texts():
    return [shown(s, [a + w + p + t for a in ALIGN for w in WIDTH for p in ("", ".0", ".3") for t in ("", "s", "d")]) for s in TEXTS]


def case_bad_specs():
    return [shown(v, ["q", "10q", ".", ".s", ",s", "_s", "+s", " s", "#s", ",,", ",_", "_,d", ",b", ",c", "+c", ".2d", ".2c", "=s", "{", "<<", "<<<", "z", "zd", "1.2.3"]) for v in (5, 1.5, "a", True)]


def case_booleans_and_none():
    return [shown(v, ["", "s", "d", "5", ">5", "05", "x", ".1f", "q"]) for v in (True, False)] + [shown(v, ["", "5", "s"]) for v in (None, [], {}, (1,))]


def case_percent_ints():
    return [[attempt(lambda: ("%" + f + w + p + t) % n) for f in ("", "-", "+", " ", "0", "#", "-+", "0+", "#0") for w in ("", "8") for p in ("", ".3") for t in "dixXoeEfgGsrc"] for n in (0, 65, -42, 1234567)]


def case_percent_floats():
    return [[attempt(lambda: ("%" + f + w + p + t) % x) for f in ("", "-", "+", " ", "0", "#") for w in ("", "12") for p in ("", ".0", ".3") for t in "eEfFgGdsr"] for x in FLOATS]


def case_percent_texts():
    return [[attempt(lambda: ("%" + f + w + p + t) % s) for f in ("", "-", "0") for w in ("", "7") for p in ("", ".2") for t in "srac"] for s in TEXTS]


def case_slices():
    return [[[attempt(lambda: x[a:b:c]) for c in (None, 1, 2, -1, -3, 0)] for a in SLICES for b in SLICES] for x in ([0, 1, 2, 3, 4], "abcde", (1, 2), b"xyz", range(4))]


def case_slice_assignment():
    def put(a, b, c, values):
        xs = [0, 1, 2, 3, 4]
        xs[a:b:c] = values
        return xs

    return [attempt(lambda: put(a, b, c, v)) for a in SLICES for b in SLICES for c in (None, 2, -1) for v in ([], [9], [8, 9], "ab")]


def case_slice_deletion():
    def cut(a, b, c):
        xs = [0, 1, 2, 3, 4, 5]
        del xs[a:b:c]
        return xs

    return [attempt(lambda: cut(a, b, c)) for a in SLICES for b in SLICES for c in (None, 2, -1, -2)]


def case_integer_arithmetic():
    values = [0, 1, -1, 7, -7, 255, 2**31, -(2**31), 2**53, -(2**53) - 1, 10**20, -(3**50)]
    return [
        [attempt(lambda: a + b), attempt(lambda: a - b), attempt(lambda: a * b), attempt(lambda: a // b), attempt(lambda: a % b), attempt(lambda: divmod(a, b)), a & b, a | b, a ^ b, a < b, a == b]
        if b != 0
        else [a + b, a - b, a * b, a & b]
        for a in values
        for b in values
    ]


def case_shifts_and_powers():
    return [[attempt(lambda: a << n), attempt(lambda: a >> n), attempt(lambda: a**n)] for a in (0, 1, -1, 3, -3, 2**40, -(2**60)) for n in (0, 1, 2, 7, 31, 33, 64)]


def case_modular_powers():
    return [attempt(lambda: pow(a, b, m)) for a in (0, 2, -3, 10**15) for b in (0, 1, 5, 10**6, -1) for m in (1, 2, 7, -7, 10**9 + 7)]


def case_rounding():
    return [[attempt(lambda: round(x, n) + 0) for n in (None, 0, 1, 2, 3, -1, -2)] for x in (0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 0.125, 0.375, 1234.5678, -1234.5)]


def case_rounding_of_integers():
    return [[attempt(lambda: round(x, n) + 0) for n in (None, 0, 1, 2, 3, -1, -2)] for x in (15, 25, -15, 1250, 10**20 + 5)]


def case_text_of_floats():
    return [repr(m * 10.0**e) for m in (1.5, 1.2345678901234567, 9.999999999999999) for e in range(-10, 10)] + [repr(x) for x in (5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1 + 0.2, 1 / 3, 123456.789)]


def case_parsing():
    texts = ["12", " 12 ", "+5", "-5", "1_0", "1__0", "_1", "1_", "0x1f", "0b11", "0o17", "1e3", "1.5", ".5", "5.", "inf", "-Infinity", "nan", "", " ", "abc", "１２", "0b", "- 1", "1 2", "1e", "1e+5", "0_7", "007"]
    return [[attempt(lambda: int(t)), attempt(lambda: int(t, 0)), attempt(lambda: int(t, 16)), attempt(lambda: repr(float(t)))] for t in texts]
