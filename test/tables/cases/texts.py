import collections
import string

NAME = "World"
N = 42
X = 3.14159
D = {"key": "value", "n": [1, 2, 3]}


class Thing:
    def __init__(self):
        self.name = "thing"

    def __format__(self, spec):
        return f"<{spec}>"

    def __str__(self):
        return "str"

    def __repr__(self):
        return "repr"


def thing():
    return Thing()


f"{NAME!r} {NAME!s} {'é'!a} {N:>5} {X:.2f} {N:05d} {N:x} {N:#b} {N:,} {N!r:>6}"
f"{X:{10}.{3}} {NAME:*^{N // 4}} {N=} {X = } {NAME=!s} {N=:>4} {D['key']} {D['n'][0]} {{literal}}"
f"{'a' if N > 1 else 'b'} {[x for x in range(3)]} {(lambda x: x * 2)(3)} {D!r}"
f"{thing()} {thing()!r} {thing()!s} {thing():spec} {thing()!r:>6} {N + 1} {None} {True} {1 + 1 == 2}"
f"{1e10:g} {1234567.891:,.2f} {0.000012345:.3g} {1e100:.3e} {0.5:%} {0.256:.1%} {-5:+d} {5:+d} {5: d}"
f"{N:q}"
f"{NAME:d}"
f"{X:d}"
f"{N:.2d}"
f"{[1]:>5}"
f"{None:>5}"
"{} {}".format(1, 2), "{1} {0}".format(1, 2), "{a} {b}".format(a=1, b=2), "{0[1]} {1[k]} {2.name}".format([1, 2], {"k": 3}, thing()), "{:>{w}}".format("x", w=5), "{!r:^7}".format("a"), "{0:{1}}".format(5, "03d"), "{{}}".format()
"{} {}".format(1)
"{a}".format(b=1)
"{0} {}".format(1, 2)
"{".format(1)
"}".format(1)
"{0.nope}".format(1)
"{:z}".format(1)
"{k}".format_map({"k": 5}), "%(k)s %(n)03d" % {"k": "v", "n": 7}, "%s %r %d %5.1f|%-6s|%06d|%x|%X|%o|%c|%c|%%|%e|%g" % ("a", "b", 3, 2.25, "l", -42, 255, 255, 8, "z", 65, 12345.678, 0.0001)
"%s" % (1, 2)
"%s %s" % 1
"%s" % (1,), "%s" % [1], "%s" % None, "%d" % 3.9, "%i" % True, "%*d" % (5, 42), "%.*f" % (2, 3.14159), "%+d % d" % (5, 5), "%#x %#o" % (255, 8), "%.3s" % "abcdef", "%a" % "é", "%5s|%-5s|" % ("a", "b"), "%.0f" % 2.5, "%.2e" % 0.000123, "%G" % 1e-10
"%d" % "a"
"%q" % 1
"%" % 1
"%s %s" % ("a",)
"%(a)s" % {}
"%c" % "ab"
"%x" % 1.5
"%d" % None
"%s" % thing(), "%r" % thing(), "{}".format(thing()), "{:x}".format(thing()), format(thing(), "q"), str([thing()])
"aXbXc".split("X"), "a b  c ".split(), "a,b,,c".split(","), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "  a b".split(None, 1), "".split(), "".split(","), "abc".split("abc"), "a\tb\nc".split(), "a b c".rsplit(None, 1)
"a".split("")
"a b".split(maxsplit=1), "abc".partition("b"), "abc".partition("x"), "abcb".rpartition("b"), "a\nb\r\nc\n".splitlines(), "a\nb\n".splitlines(True), "a\n\nb".splitlines(keepends=True), "a\x0bb\x0cc\x1cd\u2028e".splitlines()
"x".join(["a", "b"]), "".join(c for c in "abc"), ", ".join(map(str, [1, 2])), "-".join({"k": 1, "j": 2}), "ab".join("12")
"".join([1, 2])
"x".join(5)
" ".join(["a", None])
"  x ".strip(), "xxaxx".strip("x"), "xyaxy".lstrip("xy"), "abc".rstrip("cb"), "\u00a0a\u3000".strip(), "mississippi".strip("ipm")
"hello world foo".title(), "they're bill's".title(), "hELLO".capitalize(), "Hello".swapcase(), "ß".upper(), "ß".casefold(), "İ".lower(), "ΑΣ".lower(), "ǆ".title(), "x1y".title(), "ﬁ".upper(), "éA".capitalize()
"abc".center(8, "*"), "abc".center(7), "abc".ljust(5, "."), "abc".rjust(5), "42".zfill(5), "-42".zfill(5), "+4".zfill(4), "abc".zfill(2), "a".center(4), "ab".center(5)
"abc".center(5, "ab")
"banana".count("an"), "banana".count("a", 2), "banana".count(""), "banana".find("na"), "banana".find("na", 3), "banana".rfind("na"), "banana".find("x"), "banana".find("", 3), "banana".find("", 10), "banana".index("n"), "banana".rindex("n"), "banana".find("a", -2), "aaa".count("aa")
"abc".index("x")
"abc".rindex("x")
"abc".startswith("ab"), "abc".startswith(("x", "a")), "abc".endswith("bc", 1), "abc".startswith("b", 1), "abc".endswith(""), "abc".startswith("", 5), "abc".endswith(("x",))
"abc".startswith(["a"])
"abc".startswith(5)
"banana".replace("a", "o"), "banana".replace("a", "o", 2), "abc".replace("", "-"), "abc".replace("b", ""), "aaa".replace("a", "b", 0), "abc".replace("x", "y", -1)
"abc".replace("a")
"abc".removeprefix("ab"), "abc".removesuffix("bc"), "abc".removeprefix("x"), "a\tb\tc".expandtabs(), "a\tb".expandtabs(4), "01\t2".expandtabs(3), "a\n\tb".expandtabs(2)
"abc".translate({97: "x", 98: None, 99: 100}), "abc".translate(str.maketrans("ab", "xy")), "abc".translate(str.maketrans("ab", "xy", "c")), "abc".translate(str.maketrans({"a": "1", "b": None})), str.maketrans("a", "b")
str.maketrans("ab", "c")
[s.isalpha() for s in ("a", "1", "", "é", "a b", "中", "_")], [s.isdigit() for s in ("1", "²", "½", "", "1.0", "٣")], [s.isdecimal() for s in ("1", "²", "٣")], [s.isnumeric() for s in ("1", "²", "½", "四", "a")], [s.isalnum() for s in ("a1", "", "a_", "²")]
[s.isspace() for s in (" ", "\t\n", "", "a", "\u00a0", "\u200b")], [s.islower() for s in ("a", "A", "a1", "1", "ab c", "ß")], [s.isupper() for s in ("A", "Aa", "A1", "")], [s.istitle() for s in ("Ab Cd", "AB", "", "A1b", "A1B")], [s.isidentifier() for s in ("a1", "1a", "_", "", "é", "class", "a-b")], [s.isprintable() for s in ("a", "\n", "", "\u00a0", "é😀")], [s.isascii() for s in ("a", "é", "")]
"héllo😀"[::-1], "héllo😀"[-1], len("héllo😀"), "abc" * 2, "abc" * -1, 2 * "ab", "b" in "abc", "" in "abc", "abc"[1:10], "abc"[5:], "abc"[::-2], "abc" < "abd", "Z" < "a", "é" > "z", "a" + "b", max("hello"), sorted("hello"), list("a😀"), "😀" > "\uffff"
1 in "abc"
"abc"[5]
"abc"["a"]
"abc"[1.5]
"abc".nope
"é".encode(), "é".encode("latin-1"), "é".encode("ascii", "ignore"), "é".encode("ascii", "replace"), "é".encode("ascii", "xmlcharrefreplace"), "é".encode("ascii", "backslashreplace"), "a".encode("utf-16-le"), "é".encode("utf-8").decode("utf-8"), b"\xe9".decode("latin-1"), b"\xff".decode("utf-8", "replace"), b"\xffa".decode("utf-8", "ignore"), "a".encode("utf-16"), "a€".encode("cp1252")
"é".encode("ascii")
b"\xff".decode()
b"abc\xe9".decode("ascii")
"a".encode("nope")
b"\xe2\x82".decode("utf-8")
repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("tab\tnl\n\\ \x00 \x7f é \u200b \ud7ff 😀"), ascii("é😀"), repr(b"a'b\x00\xff\n"), repr("\u00ad \u2028 \ufeff \ue000")
b"abc"[0], b"abc"[1:], list(b"ab"), b"a" + b"b", b"ab" * 2, b"b" in b"abc", 98 in b"abc", b"abc".hex(), b"abc".hex(":"), bytes.fromhex("61 62"), bytes([1, 2]), bytes(3), bytes("é", "utf-8"), b"a,b".split(b","), b"-".join([b"a", b"b"]), b"Abc".lower(), b" a ".strip(), b"abc".find(b"c"), b"abc".replace(b"b", b"x"), b"abc".startswith(b"a"), b"a" < b"b", b"%d-%s" % (1, b"x"), b"a" == "a"
bytes([256])
bytes("a")
bytes(-1)
bytes.fromhex("zz")
b"a" + "b"
b"abc"[9]
bytearray(b"abc"), bytearray(2), bytearray("a", "utf-8")


def case_bytearray_changes():
    b = bytearray(b"abc")
    b.append(100)
    b[0] = 65
    b.extend(b"ef")
    b[1:3] = b"ZZZ"
    del b[0]
    b += b"!"
    b.insert(0, 63)
    return [b, b.pop(), len(b), bytes(b), b.decode(), b == b"?ZZZdef", bytearray(b"x").isalpha()]


def case_bytearray_range():
    b = bytearray(1)
    b[0] = 256


def case_multiline():
    return f"""a
  {N}
b""" + """c\
d"""


"a" "b" f"{N}" "c", r"\n\d", "\x41\u0042\U00000043\101", "\N{BULLET}"

# ---------------------------------------------------------------- string.Template and string.Formatter with steps of their own


class Percent(string.Template):
    delimiter = "%"
    idpattern = "[a-z]+(?:_[a-z]+)*"


class Safe(string.Formatter):
    def get_value(self, key, args, kwargs):
        if isinstance(key, str) and key not in kwargs:
            return f"<{key}>"
        return super().get_value(key, args, kwargs)

    def format_field(self, value, spec):
        if spec == "loud":
            return str(value).upper()
        return super().format_field(value, spec)

    def convert_field(self, value, conversion):
        return len(value) if conversion == "n" else super().convert_field(value, conversion)


class Strict(string.Formatter):
    def check_unused_args(self, used, args, kwargs):
        left = [name for name in kwargs if name not in used]
        if left:
            raise ValueError(f"unused: {left}")


[Percent("%a and %{big_one} 100%%").substitute(a=1, big_one=2), Percent("$x %y").safe_substitute({}), Percent("%a %b").get_identifiers(), Percent("% x").is_valid()]
string.Template("$who: $what").substitute(collections.defaultdict(lambda: "?", who="me"))
string.Template("$who").substitute({"who": 1}, who=2)
string.Template("cost: $").substitute()
string.Template("$a").substitute({})
Safe().format("{0} {name} {x!n} {y:loud} {z:>5}|", "a", x=[1, 2], y="hey", z=3)
Safe().format("{} {[1]} {0}", 1, [2, 3])
Strict().format("{a}", a=1, b=2)
list(string.Formatter().parse("a{b!r:>{w}}c{{d}} {}"))
string.Formatter().vformat("{x.real:05.1f} {0[1]}", ([1, 2],), {"x": 2.5})
string.Formatter().format("{}")
string.Formatter().format("{nope}")
"{:{}} {!r}".format("ab", 4, "q")
"}{".format()
"{".format()
"{0!x}".format(1)
