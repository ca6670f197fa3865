import array
import binascii
import calendar
import configparser
import copy
import difflib
import graphlib
import gzip
import ipaddress
import io
import locale
import mimetypes
import numbers
import shlex
import tomllib
import unicodedata
import weakref
import zoneinfo
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction

# ---------------------------------------------------------------- calendar

[calendar.monthrange(2024, 2), calendar.monthrange(1900, 2), calendar.isleap(2000), calendar.isleap(1900)]
calendar.monthcalendar(2023, 10)
calendar.month(2024, 2)
calendar.month(2026, 11, 3, 2)
calendar.TextCalendar(calendar.SUNDAY).formatmonth(2015, 8)
calendar.TextCalendar(6).formatyear(2021, 2, 1, 3, 4)
calendar.calendar(1999)
calendar.HTMLCalendar().formatmonth(2021, 5)
calendar.HTMLCalendar(6).formatyear(2010, 6)
[list(calendar.day_name), list(calendar.month_abbr), calendar.month_name[12], calendar.day_abbr[0]]
[calendar.weekday(2024, 7, 4), calendar.leapdays(1990, 2030), calendar.timegm((1999, 12, 31, 23, 59, 59)), calendar.weekheader(3)]
list(calendar.Calendar(3).itermonthdates(2022, 2))
list(calendar.Calendar().itermonthdays2(2022, 5))
list(calendar.Calendar().itermonthdays4(2022, 12))[-4:]
calendar.Calendar(5).yeardayscalendar(2020, 5)[2]
calendar.Calendar().monthdatescalendar(2020, 3)[0]
calendar.monthrange(2020, 13)
calendar.setfirstweekday(7)
calendar.weekday(2023, 2, 29)


class Marked(calendar.HTMLCalendar):
    def formatday(self, day, weekday):
        return f"<td>[{day}:{weekday}]</td>"


Marked().formatmonth(2022, 2, False)

# ---------------------------------------------------------------- difflib

old = "the quick brown fox\njumps over\nthe lazy dog\nand sleeps\n".splitlines(keepends=True)
new = "the quick red fox\njumps over\na lazy dog\nand then\nand sleeps\n".splitlines(keepends=True)
[difflib.SequenceMatcher(None, a, b).ratio() for a, b in [("kitten", "sitting"), ("", ""), ("abc", ""), ("private", "privates")]]
difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes()
difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_matching_blocks()
difflib.SequenceMatcher(lambda c: c == " ", " abcd", "abcd abcd").find_longest_match(0, 5, 0, 9)
difflib.SequenceMatcher(None, [1, 2, 3, (4, 5)], [2, 3, (4, 5), 6]).ratio()
[difflib.SequenceMatcher(None, "aabb", "abab").quick_ratio(), difflib.SequenceMatcher(None, "abcd", "ab").real_quick_ratio()]
difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"])
difflib.get_close_matches("recieve", ["receive", "relieve", "deceive", "archive", "recipe"], n=2, cutoff=0.5)
difflib.get_close_matches("x", ["y"], 0)
difflib.get_close_matches("x", ["y"], 1, 1.5)
list(difflib.unified_diff(old, new, "before.txt", "after.txt"))
list(difflib.unified_diff(old, new, "a", "b", "yesterday", "today", n=0, lineterm=""))
list(difflib.context_diff(old, new, "a", "b"))
list(difflib.ndiff(old, new))
list(difflib.ndiff(["\tx = 1\n", "same\n"], ["\tx = 12\n", "same\n"]))
list(difflib.Differ().compare(["one\n", "two\n", "three\n"], ["ore\n", "tree\n", "emu\n"]))
list(difflib.restore(list(difflib.ndiff(old, new)), 2)) == new
list(difflib.unified_diff(["a"], [b"b"]))
list(difflib.unified_diff(old, old))


def case_long_sequences_have_popular_elements():
    a = [i % 7 for i in range(300)]
    b = [i % 5 for i in range(300)]
    plain = difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()
    return (round(plain, 6), difflib.SequenceMatcher(None, a, b).ratio(), sorted(difflib.SequenceMatcher(None, a, b).bpopular))


def case_a_matcher_keeps_its_second_sequence():
    matcher = difflib.SequenceMatcher()
    matcher.set_seq2("abcdef")
    found = []
    for word in ["abc", "def", "xyz"]:
        matcher.set_seq1(word)
        found.append(round(matcher.ratio(), 3))
    return found


# ---------------------------------------------------------------- shlex

shlex.split("run --name 'two words' \"a \\\"quoted\\\" b\" c\\ d")
[shlex.split("a b # c"), shlex.split("a b # c", comments=True), shlex.split("a '' b"), shlex.split("it''s")]
[shlex.split("'a'b \"c d\"", posix=False), shlex.quote("it's"), shlex.quote(""), shlex.quote("plain-1.2"), shlex.join(["ls", "my file", "$HOME"])]
shlex.split("open 'quote")
shlex.split("ends with \\")
list(shlex.shlex("ls -l | wc && echo 'x y' > out", punctuation_chars=True))
list(shlex.shlex("total = price*2 # sum\nnext", posix=True))


def case_a_lexer_with_other_separators():
    lexer = shlex.shlex("a b,'c, d',e", posix=True)
    lexer.whitespace = ","
    lexer.whitespace_split = True
    return list(lexer)


# ---------------------------------------------------------------- graphlib

list(graphlib.TopologicalSorter({"D": {"B", "C"}, "B": {"A"}, "C": {"B"}}).static_order())
list(graphlib.TopologicalSorter({1: [2], 2: [3], 3: [1]}).static_order())


def case_nodes_that_are_ready_together():
    sorter = graphlib.TopologicalSorter()
    sorter.add("deploy", "test", "build")
    sorter.add("test", "build")
    sorter.prepare()
    rounds = []
    while sorter.is_active():
        ready = sorter.get_ready()
        rounds.append(ready)
        sorter.done(*ready)
    return rounds


def case_done_before_ready():
    sorter = graphlib.TopologicalSorter({"a": ["b"]})
    sorter.prepare()
    sorter.done("a")


# ---------------------------------------------------------------- binascii, mimetypes, unicodedata, numbers

[binascii.hexlify(b"\x00\xffhi"), binascii.unhexlify("00ff"), binascii.b2a_base64(b"abc"), binascii.a2b_base64("YWJj"), binascii.crc32(b"hello"), binascii.crc_hqx(b"hello", 0)]
binascii.unhexlify("abc")
binascii.unhexlify("xy")
[mimetypes.guess_type(name) for name in ["a.html", "photo.JPG", "data.tar.gz", "x.json", "archive.tgz", "noending", "http://x.y/p/a.css", "b.py", "c.unknown"]]
[mimetypes.guess_extension("text/html"), mimetypes.guess_extension("image/png"), mimetypes.guess_extension("x/y")]
[unicodedata.normalize("NFKD", "Crème Brûlée").encode("ascii", "ignore"), unicodedata.category("a"), unicodedata.category(" "), unicodedata.category("€"), unicodedata.category("\u0301")]
[unicodedata.combining("\u0301"), unicodedata.combining("a"), unicodedata.digit("٣"), unicodedata.numeric("½"), unicodedata.decimal("x", None), unicodedata.east_asian_width("日")]
unicodedata.normalize("XYZ", "a")
[isinstance(x, numbers.Number) for x in [1, 2.5, Fraction(1, 2), True, "1", None]]
[isinstance(x, numbers.Integral) for x in [1, 2.5, Fraction(1, 2), True, "1"]]
[isinstance(x, numbers.Real) for x in [1, 2.5, Fraction(1, 2), "1"]]

# ---------------------------------------------------------------- ipaddress

[ipaddress.ip_address("192.168.0.1"), ipaddress.ip_address("2001:DB8:0:0:1:0:0:1"), ipaddress.ip_address(2130706433), ipaddress.ip_address(b"\x0a\x00\x00\x01")]
[str(ipaddress.ip_address(a)) for a in ["::", "::1", "1::", "1:0:0:2::3", "::ffff:1.2.3.4", "fe80::1%eth0"]]
[[a.is_private, a.is_loopback, a.is_multicast, a.is_link_local, a.is_global, a.version] for a in map(ipaddress.ip_address, ["10.1.2.3", "8.8.8.8", "127.0.0.1", "224.0.0.1", "169.254.1.1", "fe80::1", "::1", "2606:4700::1", "100.64.0.1"])]
ipaddress.ip_address("256.1.1.1")
ipaddress.IPv4Address("1.2.3.04")
ipaddress.IPv4Address("1.2.3")
ipaddress.IPv6Address("1::2::3")
ipaddress.IPv6Address("12345::")
[ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("10.1.2.3/8", strict=False), ipaddress.ip_network("10.0.0.0/255.255.0.0"), ipaddress.ip_network("2001:db8::/32")]
ipaddress.ip_network("10.0.0.1/8")
ipaddress.ip_network("10.0.0.0/33")
ipaddress.IPv4Network("10.0.0.0/33")
[list(ipaddress.ip_network("192.0.2.0/29").hosts()), ipaddress.ip_network("10.0.0.0/22").num_addresses, ipaddress.ip_network("10.0.0.0/22").netmask, ipaddress.ip_network("10.0.0.0/22").broadcast_address, ipaddress.ip_network("10.0.0.0/22")[5]]
[ipaddress.ip_address("10.0.3.9") in ipaddress.ip_network("10.0.0.0/22"), ipaddress.ip_address("10.0.4.0") in ipaddress.ip_network("10.0.0.0/22"), ipaddress.ip_network("10.0.1.0/24").subnet_of(ipaddress.ip_network("10.0.0.0/22"))]
[list(ipaddress.ip_network("10.0.0.0/23").subnets()), list(ipaddress.ip_network("10.0.0.0/24").subnets(new_prefix=26)), ipaddress.ip_network("10.0.2.0/24").supernet()]
[list(ipaddress.summarize_address_range(ipaddress.ip_address("10.0.0.1"), ipaddress.ip_address("10.0.0.6"))), list(ipaddress.collapse_addresses([ipaddress.ip_network("10.0.1.0/24"), ipaddress.ip_network("10.0.0.0/24")]))]
list(ipaddress.ip_network("10.0.0.0/29").address_exclude(ipaddress.ip_network("10.0.0.2/31")))
[ipaddress.ip_interface("10.1.2.3/16"), ipaddress.ip_interface("10.1.2.3/16").network, ipaddress.ip_interface("10.1.2.3/16").with_netmask, ipaddress.ip_interface("10.1.2.3/16").ip]
[int(ipaddress.ip_address("1.2.3.4")), ipaddress.ip_address("1.2.3.4") + 300, ipaddress.ip_address("1.2.3.4").reverse_pointer, f"{ipaddress.ip_address('1.2.3.4'):>10s}|{ipaddress.ip_address('1.2.3.4'):x}|{ipaddress.ip_address('1.2.3.4'):#b}", ipaddress.ip_address("::1").exploded, ipaddress.ip_address("1.2.3.4").packed]
sorted([ipaddress.ip_address("10.0.0.10"), ipaddress.ip_address("10.0.0.9"), ipaddress.ip_address("9.255.0.1")])
ipaddress.ip_address("1.2.3.4") < ipaddress.ip_address("::1")
[ipaddress.ip_address("1.2.3.4") == ipaddress.ip_address("1.2.3.4"), len({ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("10.0.0.0/8")}), ipaddress.ip_address("1.2.3.4") == "1.2.3.4"]

# ---------------------------------------------------------------- configparser

ini = """[DEFAULT]
home = /srv
debug = no

[server]
# where it listens
Host = 0.0.0.0
port: 8080
root = %(home)s/www
ratio = 1.5

[paths]
many =
    one
    two
empty =
share = 5%%
"""


def parser(text=ini, **options):
    made = configparser.ConfigParser(**options)
    made.read_string(text)
    return made


[parser().sections(), parser().options("server"), dict(parser()["server"]), parser().items("paths")]
[parser().get("server", "HOST"), parser().getint("server", "port"), parser().getfloat("server", "ratio"), parser().getboolean("server", "debug"), parser()["server"].getint("port"), parser()["server"].get("nope"), parser()["server"].get("nope", "d")]
[parser().has_section("server"), parser().has_option("server", "debug"), "server" in parser(), "port" in parser()["server"], parser().get("server", "nope", fallback="x"), parser().get("server", "root", raw=True)]
[list(parser()), len(parser()), parser().defaults(), parser()["server"], parser()["server"].name, parser()["paths"]["many"]]
parser().get("nope", "a")
parser().get("server", "nope")
parser()["nope"]
parser()["server"]["nope"]
parser("[a]\nx = %(y)s").get("a", "x")
parser("[a]\nx = %y").get("a", "x")
parser("x = 1")
parser("[a]\nx = 1\nx = 2")
parser("[a]\n[a]")
parser("[a]\njust words")
parser("[a]\nflag\nx=1", allow_no_value=True).items("a")
parser().getboolean("server", "port")
parser().add_section("server")
parser().set("server", "x", 5)
parser("[a]\nx=1\n[b]\ny=${a:x}2 ${z}\nz=$$", interpolation=configparser.ExtendedInterpolation()).get("b", "y")
parser("[a]\nx = %(home)s", interpolation=None).get("a", "x")
parser("[a]\nx = 1 ; note", inline_comment_prefixes=(";",)).get("a", "x")


def case_a_file_of_sections_is_written():
    made = configparser.ConfigParser()
    made["DEFAULT"] = {"Compression": "yes", "Level": "9"}
    made["site"] = {}
    made["site"]["User"] = "ada"
    made.read_dict({"more": {"a": 1, "b": "x\ny"}})
    made.set("more", "c", "3")
    made.remove_option("more", "a")
    out = io.StringIO()
    made.write(out)
    return out.getvalue()


def case_names_of_options_keep_their_case():
    made = configparser.ConfigParser()
    made.optionxform = str
    made.read_string("[a]\nCamelCase = 1")
    return made.options("a")


# ---------------------------------------------------------------- zoneinfo

paris = zoneinfo.ZoneInfo("Europe/Paris")
york = zoneinfo.ZoneInfo("America/New_York")
[str(datetime(2024, 1, 15, 12, tzinfo=paris)), str(datetime(2024, 7, 15, 12, tzinfo=paris)), str(datetime(2024, 7, 15, 12, tzinfo=york))]
[datetime(2024, 3, 31, 0, 30, tzinfo=timezone.utc).astimezone(paris).isoformat(), datetime(2024, 3, 31, 1, 30, tzinfo=timezone.utc).astimezone(paris).isoformat()]
[datetime(2024, 11, 3, hour, 30, tzinfo=timezone.utc).astimezone(york).isoformat() for hour in range(4, 8)]
[datetime(2024, 11, 3, hour, 30, tzinfo=timezone.utc).astimezone(york).fold for hour in range(4, 8)]
[datetime(2024, 11, 3, 1, 30, tzinfo=york).utcoffset(), datetime(2024, 11, 3, 1, 30, fold=1, tzinfo=york).utcoffset(), datetime(2024, 3, 10, 2, 30, tzinfo=york).utcoffset(), datetime(2024, 3, 10, 2, 30, fold=1, tzinfo=york).utcoffset()]
[datetime(2024, 7, 1, tzinfo=york).tzname(), datetime(2024, 1, 1, tzinfo=york).tzname(), datetime(2024, 1, 1, tzinfo=paris).tzname(), datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Asia/Tokyo")).tzname(), datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("UTC")).tzname()]
[datetime(2024, 7, 1, tzinfo=york).dst(), datetime(2024, 1, 1, tzinfo=york).dst()]
[datetime(2024, 1, 1, 12, tzinfo=york).astimezone(zoneinfo.ZoneInfo("Asia/Kolkata")).isoformat(), datetime(2024, 1, 1, 12, tzinfo=zoneinfo.ZoneInfo("Australia/Sydney")).astimezone(timezone.utc).isoformat()]
[repr(paris), str(paris), paris.key, paris is zoneinfo.ZoneInfo("Europe/Paris")]
datetime(2024, 3, 10, 1, tzinfo=york) + timedelta(hours=24)
datetime(2024, 3, 10, 1, tzinfo=york).timestamp()
[datetime.fromtimestamp(1700000000, tz=paris).isoformat(), f"{datetime(2024, 5, 1, 8, tzinfo=york):%Y-%m-%d %H:%M %Z%z}"]
zoneinfo.ZoneInfo("Mars/Olympus")

# ---------------------------------------------------------------- weakref


class Plant:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Plant({self.name})"

    def water(self, litres=1):
        return f"{self.name} gets {litres}"


fern = Plant("fern")
moss = Plant("moss")
[weakref.ref(fern)(), weakref.ref(fern)() is fern, weakref.ref(fern) == weakref.ref(fern), weakref.ref(fern) == weakref.ref(moss), hash(weakref.ref(fern)) == hash(fern)]
weakref.ref(5)
weakref.ref([1])
weakref.ref("text")
[weakref.WeakMethod(fern.water)()(3), weakref.WeakMethod(fern.water) == weakref.WeakMethod(fern.water)]


def case_values_that_are_not_kept():
    shelf = weakref.WeakValueDictionary({"f": fern})
    shelf["m"] = moss
    seen = [shelf["f"], "m" in shelf, shelf.get("z", 0), len(shelf), sorted(shelf), dict(shelf), [(k, v) for k, v in shelf.items()]]
    del shelf["f"]
    shelf.setdefault("g", fern)
    return [seen, shelf.pop("m"), list(shelf.keys()), list(shelf.values())]


def case_keys_that_are_not_kept():
    notes = weakref.WeakKeyDictionary()
    notes[fern] = ["green"]
    notes[fern].append("tall")
    return [notes[fern], fern in notes, moss in notes, len(notes), dict(notes.items()), notes.pop(fern), len(notes)]


weakref.WeakValueDictionary()["none"]


def case_a_set_that_does_not_keep():
    plants = weakref.WeakSet([fern])
    plants.add(moss)
    plants.add(fern)
    plants.discard(moss)
    return [len(plants), fern in plants, moss in plants, [plant.name for plant in plants], 5 in plants]


def case_a_proxy():
    stand_in = weakref.proxy(moss)
    stand_in.name = "lichen"
    seen = (moss.name, stand_in.water(2), isinstance(stand_in, Plant))
    stand_in.name = "moss"
    return seen


def case_done_in_the_end():
    done = []
    end = weakref.finalize(fern, done.append, "over")
    return [end.alive, end.peek()[2], end(), end.alive, end(), done]


# ---------------------------------------------------------------- tomllib

tomllib.loads('name = "svc"\ncount = 1_000\nmask = 0xff\nhalf = 0.5\non = true\nlist = [1, "two", [3]]\npoint = {x = 1, y.z = 2}')
tomllib.loads('day = 2024-02-29\nat = 07:32:00\nutc = 2024-02-29T07:32:00Z\nlocal = 2024-02-29 07:32:00.25')
tomllib.loads('[server.main]\nhost = "h"\n"a key" = 1\na.b.c = 3\n[[items]]\nid = 1\n[[items]]\nid = 2\n[items.more]\nz = 1\n[[items.tags]]\nt = "x"')
[tomllib.load(io.BytesIO(b"a = 'x'")), issubclass(tomllib.TOMLDecodeError, ValueError)]
tomllib.loads("price = 1.10", parse_float=str)
tomllib.load(io.StringIO("a = 1"))
tomllib.loads(b"a = 1")  # language: !TypeError: Expected str object, not 'bytes'

# ---------------------------------------------------------------- gzip

[gzip.decompress(gzip.compress(b"again " * 50)) == b"again " * 50, gzip.compress(b"x")[:3], len(gzip.compress(b"a" * 1000)) < 50]
gzip.decompress(b"plain")


def case_a_packed_file():
    kept = io.BytesIO()
    with gzip.open(kept, "wt", encoding="utf-8") as out:
        out.write("first\n")
        print("sécond", file=out)
    with gzip.open(io.BytesIO(kept.getvalue()), "rt") as lines:
        texts = [line.strip() for line in lines]
    return [texts, gzip.GzipFile(fileobj=io.BytesIO(kept.getvalue())).read()]
array.array("i", [3, 1, 2]), array.array("B", b"\x01\x02"), array.array("h"), array.array("d", [1.5, 2]).tolist()
array.array("i", [3, 1, 2])[1:], array.array("i", [3, 1, 2])[-1], len(array.array("b", [1])), 2 in array.array("i", [2])
array.array("H", [1, 513]).tobytes(), array.array("h", b"\x01\x00\xff\xff"), array.array("q", [-1]).tobytes(), array.array("f", [1.5]).tobytes()
array.array("i", [1]) + array.array("i", [2]), array.array("i", [1, 2]) * 2, array.array("i", [1, 2]) < array.array("i", [1, 3]), array.array("i", [1]) == array.array("h", [1])
array.array("b", [200])
array.array("B", [-1])
array.array("i", [2**31])
array.array("I", [-1])
array.array("i", ["x"])
array.array("d", ["x"])
array.array("x")
array.array("i", "abc")
array.array("i", [1])[5]
array.array("i", [1]).remove(5)
array.array("i", b"abc")
array.array("i", [1]) + [2]
array.array("I", [1]).itemsize, array.array("d").typecode, array.array("l", [2**40]).itemsize
sum(array.array("i", range(5))), max(array.array("d", [1.5, 2.5])), list(reversed(array.array("i", [1, 2]))), sorted(array.array("i", [3, 1]))


def case_arrays_change():
    a = array.array("i", range(5))
    a.append(9)
    a.extend([7, 8])
    a.insert(0, -1)
    a[1] = 100
    a[2:4] = array.array("i", [5, 5, 5])
    del a[0]
    a.reverse()
    popped = a.pop(), a.pop(0)
    a.remove(5)
    a += array.array("i", [1])
    a.byteswap()
    a.byteswap()
    b = copy.copy(a)
    b.append(3)
    return [a, popped, a.index(5), a.count(5), b, a.tolist()]


def case_arrays_through_files():
    f = io.BytesIO()
    array.array("h", [1, -2, 3]).tofile(f)
    f.seek(0)
    a = array.array("h")
    a.fromfile(f, 3)
    a.frombytes(b"\x04\x00")
    a.fromlist([5])
    return a


locale.setlocale(locale.LC_ALL, "C"), locale.setlocale(locale.LC_ALL), locale.getlocale(locale.LC_NUMERIC)
locale.format_string("%d items, %.2f", (1234567, 3.14159), grouping=True), locale.format_string("%s %%", ("a",)), locale.str(3.5)
locale.atof("3.5"), locale.atoi("42"), locale.strcoll("a", "b"), locale.localeconv()["decimal_point"], locale.localeconv()["thousands_sep"]
locale.currency(5)
locale.setlocale(locale.LC_ALL, "nowhere_AT_ALL")
