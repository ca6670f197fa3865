import base64
import bisect
import copy
import collections
import csv
import dataclasses
import functools
import hashlib
import heapq
import hmac
import html
import io
import operator
import pprint
import random
import string
import struct
import types
import urllib.parse
import uuid
import zlib
from string import Template
from urllib.parse import parse_qs, parse_qsl, quote, quote_plus, unquote, unquote_plus, urlencode, urljoin, urlparse, urlsplit, urlunparse

URL = "https://user:pw@example.com:8080/a/b;p?x=1&y=2&x=3#frag"
ROWS = [["name", "note"], ["Ann", 'said "hi"'], ["Bob", "a,b"], ["", "line\nbreak"], [1, 2.5]]


def written(rows, **options):
    f = io.StringIO()
    csv.writer(f, **options).writerows(rows)
    return f.getvalue()


heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, ["ccc", "a", "bb"], key=len), list(heapq.merge([1, 4], [2, 3])), list(heapq.merge([4, 1], [3, 2], reverse=True))
bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([1, 2, 2, 3], 2), bisect.bisect_right([1, 2], 0), bisect.bisect([(1, "a"), (3, "b")], 2, key=lambda t: t[0])


def case_heap():
    h = [5, 1, 4, 2, 3]
    heapq.heapify(h)
    first = list(h)
    heapq.heappush(h, 0)
    return [first, heapq.heappop(h), heapq.heappushpop(h, 9), heapq.heapreplace(h, 7), h, [heapq.heappop(h) for _ in range(len(h))]]


def case_heap_empty():
    heapq.heappop([])


def case_heap_uncomparable():
    h = []
    heapq.heappush(h, (1, {}))
    heapq.heappush(h, (1, {}))


def case_insort():
    xs = [1, 3, 5]
    bisect.insort(xs, 4)
    bisect.insort_left(xs, 1)
    return xs


base64.b64encode(b"hello"), base64.b64decode("aGVsbG8="), base64.b64decode(b"aGVsbG8="), base64.urlsafe_b64encode(b"\xfb\xff"), base64.urlsafe_b64decode("-_8="), base64.b32encode(b"hi"), base64.b32decode("NBUQ===="), base64.b16encode(b"hi"), base64.b16decode("6869"), base64.standard_b64encode(b"a"), base64.b85encode(b"hello"), base64.b85decode(b"Xk~0{Zv"), base64.a85encode(b"hello")
base64.b64decode("a")
base64.b64decode("abc")
base64.b64encode("text")
base64.b64decode("aGVs bG8=")
base64.b64decode("!!!!", validate=True)
base64.encodebytes(b"x" * 60)
hashlib.md5(b"a").hexdigest(), hashlib.sha1(b"a").hexdigest(), hashlib.sha256(b"").hexdigest(), hashlib.sha512(b"a").hexdigest()[:20], hashlib.sha224(b"a").hexdigest()[:10], hashlib.sha384(b"a").hexdigest()[:10], hashlib.sha3_256(b"a").hexdigest()[:10], hashlib.blake2b(b"a").hexdigest()[:10], hashlib.blake2s(b"a").hexdigest()[:10]
hashlib.new("sha256", b"x").hexdigest()[:16], hashlib.sha256(b"a").digest()[:4], hashlib.sha256().digest_size, hashlib.sha256().block_size, hashlib.sha256().name, "sha256" in hashlib.algorithms_available
hashlib.sha256("text")
hashlib.new("nope")
hashlib.pbkdf2_hmac("sha256", b"pw", b"salt", 1000).hex(), hashlib.scrypt(b"pw", salt=b"salt", n=16, r=8, p=1, dklen=16).hex()
hmac.new(b"key", b"msg", hashlib.sha256).hexdigest(), hmac.new(b"key", b"msg", "sha1").hexdigest(), hmac.compare_digest("a", "a"), hmac.compare_digest(b"a", b"b"), hmac.digest(b"k", b"m", "sha256").hex()[:8]
hmac.new(b"key", b"msg")
hmac.new("key", b"msg", "sha256")


def case_hash_updates():
    h = hashlib.sha256()
    h.update(b"a")
    other = h.copy()
    h.update(b"b")
    return [h.hexdigest() == hashlib.sha256(b"ab").hexdigest(), other.hexdigest() == hashlib.sha256(b"a").hexdigest()]


written(ROWS)
written(ROWS, delimiter=";", lineterminator="\n")
written(ROWS, quoting=csv.QUOTE_ALL)
written(ROWS, quoting=csv.QUOTE_NONNUMERIC)
written([["a b", "c"]], delimiter=" ", quotechar="|")
written([[None, True, ""]])
written([["a,b"]], quoting=csv.QUOTE_NONE, escapechar="\\")
written([["a,b"]], quoting=csv.QUOTE_NONE)
list(csv.reader(io.StringIO('a,b\r\n"x,1","say ""hi"""\r\n"multi\nline",\r\n')))
list(csv.reader(["a;b", "c;d"], delimiter=";"))
list(csv.reader(["a, b"], skipinitialspace=True))
list(csv.reader(["1,'a,b'"], quotechar="'"))
list(csv.reader(['1,"2"'], quoting=csv.QUOTE_NONNUMERIC))
list(csv.reader([]))
list(csv.reader([""]))
list(csv.DictReader(io.StringIO("a,b\n1,2\n3,4,5\n6\n")))
list(csv.DictReader(["1,2"], fieldnames=["x", "y"]))
list(csv.DictReader(io.StringIO("a,b\n1\n"), restval="?"))
csv.DictReader(io.StringIO("a,b\n1,2\n")).fieldnames
csv.list_dialects()


def case_dict_writer():
    f = io.StringIO()
    w = csv.DictWriter(f, fieldnames=["a", "b"], extrasaction="ignore", restval="-")
    w.writeheader()
    w.writerow({"a": 1, "b": 2, "c": 3})
    w.writerows([{"a": 5}])
    return f.getvalue()


def case_dict_writer_extra():
    csv.DictWriter(io.StringIO(), fieldnames=["a"]).writerow({"a": 1, "z": 2})


Template("Hi $name, ${thing}s cost $$5").substitute(name="Ann", thing="pen")
Template("$a $b").substitute({"a": 1}, b=2)
Template("$a $b").substitute(a=1)
Template("$a $b").safe_substitute(a=1)
Template("$").substitute()
Template("a\nb $1").substitute()
Template("$a").template
Template("$a $b").get_identifiers()
string.ascii_letters, string.digits, string.punctuation, string.hexdigits, string.octdigits, string.whitespace, string.ascii_uppercase, len(string.printable)
string.capwords("hello  big world"), string.capwords("a-b c", "-")
string.Formatter().format("{0} {x}", 1, x=2)
[urllib.parse.urldefrag("http://a/b?q#c").geturl(), urllib.parse.urldefrag("/b").geturl()]
urlparse(URL)
urlparse(URL).netloc, urlparse(URL).hostname, urlparse(URL).port, urlparse(URL).username, urlparse(URL).password, urlparse(URL).params, urlparse(URL).geturl()
urlparse("//host/path"), urlparse("path?q"), urlparse("mailto:a@b.c"), urlparse(""), urlparse("http://[::1]:80/").hostname
urlparse("http://h:99999/").port
urlsplit(URL)
urlparse(URL)._replace(scheme="http", netloc="x").geturl()
urlunparse(("http", "h", "/p", "", "q=1", "f"))
urlencode({"a": 1, "b c": "d&e", "é": "ñ"}), urlencode([("a", [1, 2])]), urlencode({"a": [1, 2]}, doseq=True), urlencode({"a": None, "b": True})
quote("a b/c?d=é&~"), quote("a/b", safe=""), quote_plus("a b&c"), unquote("a%20b%C3%A9"), unquote_plus("a+b%2B"), quote(b"\xff"), unquote("%zz"), unquote("%ff")
parse_qs("a=1&a=2&b=&c"), parse_qs("a=1&b=", keep_blank_values=True), parse_qsl("a=1&b=2&a=3"), parse_qs("x=%20+y"), parse_qs("")
[urljoin("http://h/a/b/c?q", rel) for rel in ("d", "/d", "../d", "../../../d", "?x", "#f", "//o/p", "http://z", "", ".", "./e/", "d;x?y")]
urllib.parse.urldefrag("http://h/p#f"), urllib.parse.quote("ü"), urllib.parse.urlsplit("HTTP://Host/").scheme
html.escape("<a href=\"x\">'&'</a>"), html.escape("\"'", quote=False), html.unescape("&lt;&amp;&#39;&#x41;&eacute;&nbsp;&copy;&bogus;&amp"), html.unescape("&notit;")
struct.pack("<IhB", 1, -2, 3), struct.unpack("<IhB", b"\x01\x00\x00\x00\xfe\xff\x03"), struct.calcsize("!IQ"), struct.pack(">d", 1.5), struct.pack("4s", b"ab"), struct.pack("?", True), struct.unpack(">2H", b"\x00\x01\x00\x02"), struct.pack("<q", -(2**40))
struct.pack("B", 256)
struct.unpack("I", b"a")
struct.pack("z", 1)
zlib.crc32(b"hello"), zlib.adler32(b"hello"), zlib.decompress(zlib.compress(b"aaaa" * 10)), len(zlib.compress(b"a" * 1000)) < 50
zlib.decompress(b"junk")
uuid.UUID("12345678123456781234567812345678"), str(uuid.UUID(int=5)), uuid.UUID("{12345678-1234-5678-1234-567812345678}").hex, uuid.UUID(int=2**127).int, uuid.uuid4().version, len(str(uuid.uuid4()))
uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"), uuid.UUID(int=1) < uuid.UUID(int=2), uuid.UUID(int=1) == uuid.UUID(int=1), uuid.UUID(int=1).bytes, uuid.UUID(int=1).urn, uuid.uuid1().version
uuid.UUID("nope")
copy.copy([1, [2]]), copy.deepcopy({"a": [1, {2}]}), copy.copy((1, 2)), copy.copy("x"), copy.copy(None)


def case_copy_depth():
    xs = [1, [2]]
    a, b = copy.copy(xs), copy.deepcopy(xs)
    xs[1].append(3)
    return [a, b]


def case_deepcopy_cycle():
    xs = [1]
    xs.append(xs)
    ys = copy.deepcopy(xs)
    return [ys is not xs, ys[1] is ys, len(ys)]


def case_deepcopy_shared():
    inner = []
    a, b = copy.deepcopy([inner, inner])
    return a is b


def case_copy_objects():
    class C:
        def __init__(self):
            self.items = [1]

    class D(C):
        def __copy__(self):
            return "copied"

        def __deepcopy__(self, memo):
            return "deep"

    c = C()
    s, d = copy.copy(c), copy.deepcopy(c)
    c.items.append(2)
    return [s.items, d.items, type(d).__name__, copy.copy(D()), copy.deepcopy([D()])]


def case_pprint():
    f = io.StringIO()
    pprint.pprint({"b": list(range(30)), "a": {"x": "y" * 60, "z": (1, 2)}}, stream=f)
    return f.getvalue()


pprint.pformat({"b": 1, "a": [1, 2]}), pprint.pformat({"b": 1, "a": 2}, sort_dicts=False), pprint.pformat([["x" * 30] * 3], width=40), pprint.pformat({"k": {"n": {"m": 1}}}, depth=2), pprint.pformat("a " * 60), pprint.pformat([1] * 40, compact=True)

# ---------------------------------------------------------------- pprint of values with a name in front


@dataclasses.dataclass
class Order:
    name: str
    lines: list
    notes: dict = None
    key: str = dataclasses.field(default="k", repr=False)


@dataclasses.dataclass
class Quiet:
    text: str

    def __repr__(self):
        return "Quiet" * 30


words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"]
pprint.pformat(Order("a name that is long enough to wrap", words, {"k": words}))
pprint.pformat([Order("short", [])])
pprint.pformat({"order": Order("another name that is long enough", words, {1: 2})}, width=60)
pprint.pformat(Quiet("x"))
pprint.pformat(types.SimpleNamespace(first="x" * 40, second=words, third=3))
pprint.pformat(collections.OrderedDict((w, len(w)) for w in words))
pprint.pformat(collections.defaultdict(list, {w: [w] for w in words}))
pprint.pformat(collections.Counter("the quick brown fox jumps over the lazy dog"))
pprint.pformat(collections.deque(words))
pprint.pformat(collections.deque(words, maxlen=20), width=40)
pprint.pformat(collections.ChainMap({w: 1 for w in words}, {"x": 2}))

# ---------------------------------------------------------------- classes called through a variable, ordering, samples, csv without quotes


class Row(dict):
    pass


class Stack(list):
    pass


[kind({"a": 1}) for kind in [dict, Row]]
[kind([1, 2]) for kind in [list, Stack, tuple]]
[(lambda make: type(make()).__name__)(kind) for kind in (Row, Stack)]


@functools.total_ordering
class Level:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n if isinstance(other, Level) else NotImplemented

    def __gt__(self, other):
        return self.n > other.n if isinstance(other, Level) else NotImplemented


[Level(1) < Level(2), Level(1) <= Level(1), Level(2) >= Level(3)]
Level(1) < 3
3 <= Level(1)
functools.total_ordering(Quiet)
random.sample({"a": 1}, 1)
random.sample({1, 2}, 1)
random.sample([1, 2], 1, counts=[1])
random.sample([1, 2], 3)
random.choices([1, 2], [0, 0])
random.choices([1, 2], [1.0, float("inf")])
list(csv.reader(['1,",3,",5'], quotechar=None, escapechar="\\"))

# ---------------------------------------------------------------- parts of a uuid

parts = uuid.UUID("{12345678-1234-5678-9234-567812345678}")
[parts.fields, parts.time_low, parts.time_mid, parts.time_hi_version, parts.clock_seq_hi_variant, parts.clock_seq_low, parts.clock_seq, parts.time, parts.node, parts.variant, parts.version]
[parts.bytes_le, uuid.UUID(bytes_le=parts.bytes_le) == parts, uuid.UUID(fields=parts.fields) == parts, uuid.UUID(int=5, version=4), uuid.RFC_4122]
uuid.UUID(fields=(1, 2, 3))
uuid.UUID(fields=(1, 2, 3, 4, 500, 6))
uuid.UUID(bytes_le=b"x")
uuid.UUID(int=5, version=9)
uuid.UUID()

# ---------------------------------------------------------------- more of base64

[base64.b32hexencode(b"hello"), base64.b32hexdecode("D1IMOR3F"), base64.b32decode("MLO23456", map01="L"), base64.b32decode("ML023456", map01="L"), base64.b85encode(b"ab", pad=True), base64.a85encode(b"a", pad=True)]
base64.b32decode("M=======")
base64.b32decode("ABC")
base64.a85decode(b"abc", adobe=True)
base64.a85decode("xyz~")
# ---------------------------------------------------------------- heaps are lists

heapq.heapify(5)
heapq.heappush(None, 1)
heapq.heappop((1,))
heapq.heappop([])
urlparse(b"http://u:p@Host.Example:8080/p;x?q=1#f"), urlparse(b"http://u:p@Host.Example:8080/p").hostname
urlsplit(b"//h/p").geturl(), urllib.parse.urldefrag(b"/a#b"), urlparse(b"http://h:99/").port
urljoin(b"http://a/b/c", b"../d"), urlunparse((b"http", b"h", b"/p", b"", b"q", b""))
parse_qs(b"a=1&b=2&a=3"), parse_qsl(b"a=1;b=%20", separator=b";")
urljoin("http://a", b"b")
urlparse("http://a", b"ftp")
urlparse(None)
urlparse(5)
urlsplit("http://h/p").encode(), urlsplit(b"http://h/p").decode()
urlparse("http://[fe80::1%tEst]:80/").hostname, urlparse("http://[::1]/").hostname
urlsplit("http://[1.2.3.4]/")
urlsplit("http://[nope]/")
quote(b"a b"), urllib.parse.quote_from_bytes(b"\xff/")
urllib.parse.quote_from_bytes("x")
quote(b"x", encoding="utf-8")
