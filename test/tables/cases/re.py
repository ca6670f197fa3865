import re

DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
TEXT = "From 2024-02-29 to 2025-12-01, not 99-1-1."
VERBOSE = r"""
    (?P<user>[\w.+-]+)   # the name
    @
    (?P<host>[\w-]+(?:\.[\w-]+)+)  # the host
"""


def describe(m):
    return None if m is None else [m.group(), m.groups(), m.groupdict(), m.span(), m.lastindex, m.lastgroup]


def upper(m):
    return m.group(0).upper()


describe(DATE.search(TEXT))
[describe(m) for m in DATE.finditer(TEXT)]
DATE.findall(TEXT)
DATE.sub(r"\g<day>.\g<month>.\g<year>", TEXT)
DATE.sub(r"\3/\2/\1", TEXT)
DATE.subn("X", TEXT)
DATE.sub("X", TEXT, 1)
DATE.sub(lambda m: str(int(m["year"]) + 1), TEXT)
DATE.sub(upper, TEXT)
DATE.split(TEXT)
DATE.split(TEXT, 1)
DATE.groups
dict(DATE.groupindex)
DATE.pattern
DATE.flags
DATE
DATE.search(TEXT)
DATE.search(TEXT)["month"]
DATE.search(TEXT)[0]
DATE.search(TEXT)[7]
DATE.search(TEXT)["nope"]
DATE.search(TEXT).group("year", 2)
DATE.search(TEXT).start("day")
DATE.search(TEXT).end(1)
DATE.search(TEXT).span("nope")
DATE.search(TEXT).expand(r"<\1|\g<day>|\g<0>>")
DATE.search(TEXT, 10).group()
DATE.search(TEXT, 0, 12)
DATE.match(TEXT, 5).group()
DATE.fullmatch("2024-02-29").groups()
DATE.fullmatch("2024-02-29x")
DATE.search(TEXT).string
DATE.search(TEXT).pos
DATE.search(TEXT).endpos
DATE.search(TEXT).re is DATE
describe(re.search(VERBOSE, "mail to a.b+c@mail.example.org now", re.VERBOSE))
describe(re.search(VERBOSE, "mail to A@B.C now", re.X | re.I))
describe(re.match(r"(a)|(b)", "b"))
describe(re.match(r"((a)(b)?)", "a"))
re.match(r"(a)(b)?", "a").groups("-")
re.match(r"(?P<x>a)(?P<y>b)?", "a").groupdict("none")
re.findall(r"a*", "baac")
re.findall(r"(a)(b)?", "abaab")
re.findall(r"\b\w", "one two three")
re.findall(r"(?i)straSSe", "STRASSE strasse")
re.findall(r"(?i:a)b", "Ab aB ab AB")
re.findall(r"(?m)^\w+$", "one\ntwo\nthree four\nfive")
re.findall(r"^\w+$", "one\ntwo", re.MULTILINE)
re.findall(r".+", "one\ntwo", re.DOTALL)
re.findall(r".+", "one\ntwo")
re.findall(r"(?s).+", "one\ntwo")
re.findall(r"(?x) a b  # comment", "ab a b")
re.findall(r"\A\w|\w\Z", "abc")
re.findall(r"c$", "abc\n")
re.findall(r"c\Z", "abc\n")
re.findall(r"(?<=-)\w+", "spam-egg")
re.findall(r"(?<!-)\b\w+", "spam-egg ham")
re.findall(r"\w+(?=!)", "hey! you")
re.findall(r"\w+(?!\w|!)", "hey! you")
re.findall(r"[^\W\d_]+", "abc_def 123 ñandú")
re.findall(r"\d+", "12 ٣٤")
re.findall(r"\d+", "12 ٣٤", re.ASCII)
re.findall(r"\w+", "naïve café")
re.findall(r"\w+", "naïve café", re.A)
re.findall(r"\s+", "a\u00a0b\u2003c d")
re.findall(r"[]a]+", "a]b]")
re.findall(r"[^]]+", "a]b")
re.findall(r"[a\-z]+", "a-z b")
re.findall(r"[\w.-]+", "a.b-c d")
re.findall(r"[[]", "[")
re.findall(r"a{2,3}", "aaaaaaa")
re.findall(r"a{2}?", "aaaa")
re.findall(r"a{,2}", "aaa")
re.findall(r"a{,2}b", "aaab")
re.findall(r"a{x}", "a{x}")
re.findall(r"{", "a{")
re.findall(r"(a+?)(b*?)c", "aabbc")
re.findall(r"(\w)\1", "hello aabb")
re.findall(r"(?P<q>['\"]).*?(?P=q)", "say 'hi' and \"yo\"")
re.findall("\\x41|\\u0042|\\103", "ABC")
re.findall(r"\t|\n|\\", "a\tb\nc\\")
re.findall(r"\.", "a.b")
re.findall(r"😀+", "x😀😀y")
re.search(r"y", "x😀😀y").span()
re.findall(r".", "a😀b")
re.split(r"\W+", "Words, words, words.")
re.split(r"(\W+)", "Words, words, words.")
re.split(r"\W+", "Words, words, words.", 1)
re.split(r"\W+", "Words, words, words.", maxsplit=2)
re.split(r"x*", "axbc")
re.split(r"(x)|(y)", "axbyc")
re.split(r"[a-f]+", "0a3B9", flags=re.IGNORECASE)
re.sub(r"x*", "-", "abxd")
re.sub(r"\bx", "-", "x xx")
re.sub(r"(?P<a>\w)(\w)", r"\2\g<a>", "abcd")
re.sub(r"(a)?b", r"[\1]", "ab b")
re.sub(r"a", r"\n\\", "bab")
re.sub(r"a", "\\g<0>\\g<0>", "bab")
re.sub(r"a", r"\g<1>", "bab")
re.sub(r"a", r"\q", "bab")
re.sub(r"(a)", r"\2", "bab")
re.sub(r"(a)", r"\g<x>", "bab")
re.sub("a", lambda m: "\\1", "bab")
re.sub("a", "b", "aaa", count=2)
re.sub("A", "b", "aaa", flags=re.I)
re.subn("a|b", lambda m: {"a": "1", "b": "2"}[m.group()], "abc")
re.escape("a.b*c[d] e-f_g\n#é")
re.escape("1+1=2 ~!@$%^&()")
re.compile("a", re.I | re.M)
re.compile("a", re.I).flags
re.compile("(?i)a").flags
re.compile("a") == re.compile("a")
re.compile(re.compile("x")).pattern
re.I
re.I | re.M
re.IGNORECASE == re.I
re.compile("(")
re.compile(")")
re.compile("[")
re.compile("*a")
re.compile("a**")
re.compile("(?P<n>a)(?P<n>b)")
re.compile("(?P<1>a)")
re.compile("\\")
re.compile("a{3,2}")
re.compile(r"\1")
re.compile("(?P=x)")
re.compile("[z-a]")
re.compile("(?z)")
re.compile(r"\q")
re.search("a", 5)
re.search(5, "a")
bool(re.search("", ""))
re.search("", "abc").span()
describe(re.fullmatch(r"(?P<a>a)(?P<rest>.*)", "abc"))
list(re.finditer("a", "banana"))
[m.start() for m in re.finditer("(?=ana)", "banana")]
[m.span() for m in re.compile("a|$").finditer("banana", 2, 5)]
re.findall(rb"\d+", b"a1b22")
re.sub(rb"\d", b"#", b"a1b22")
re.split(b",", b"a,b")
re.purge()
re.match(r"(?P<n>\d+)?", "x").groupdict()
re.match(r"(\d+)-(\d+)", "10-20").regs
re.match(r"(?:a|ab)(?:c|bcd)(?:d*)", "abcd").group()
re.search(r"(?s:a.b)c.d", "a\nbc\nd")
re.search(r"(?s:a.b)c.d", "a\nbcxd").group()
re.search(r"(?-i:a)B", "ab", re.I).group()
re.findall(r"(?i)[a-z]+", "ABC def")
re.findall(r"é", "É é", re.I)
re.findall(r"[à-ý]+", "ÀÝ àý", re.I)
re.findall(r"^", "a\nb", re.M)
re.findall(r"$", "a\nb\n", re.M)
re.findall(r"$", "a\nb\n")
re.sub(r"(?m)^", "> ", "a\nb\n")
re.sub(r"\s+$", "", "  tail  \n")
re.search(r"\Bb", "ab").span()
re.findall(r"[\d\-\s]+", "12-3 4 a")
re.findall(r"[^\s,]+", "a, b,c")
re.findall(r"(?#comment)ab", "ab")
re.findall(r"\0", "a\0b")
re.findall(r"[\b]", "a\bb")
re.findall(r"\a\f\v", "\a\f\v")
re.findall(r"[\x00-\x1f]", "a\x01b")
re.findall(r"\$|\^", "$^")
re.findall(r"/path/(\w+)", "/path/x /path/y")
re.findall(r"a/b", "a/b")
re.findall(r"(?<![\w.])\d+(?:\.\d+)?", "1.5 x2 3")
re.findall(r"(?:(?<=a)|(?<=bc))d", "ad bcd cd")
