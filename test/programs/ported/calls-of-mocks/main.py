"""Calls that mocks note, stand-ins for files, values read from text, and packages without metadata."""

from ast import literal_eval
from importlib.metadata import PackageNotFoundError, version
from unittest.mock import MagicMock, Mock, call, mock_open

outer = Mock()
outer().inner(1)
outer.a.b().c(2)
print(outer.mock_calls == [call(), call().inner(1), call.a.b(), call.a.b().c(2)])
for one in outer.mock_calls:
    print(one)
print(call(1, a=2), call.x.y(3), call().z(), call(1) == call(1), call.foo(1) == call.foo(2), call().z(1) == call.z(1))

manager = MagicMock()
with manager("x") as entered:
    entered.write("q")
for one in manager.mock_calls:
    print(one)

refused = Mock()
refused.child(1)
refused(2)
for check in (refused.assert_not_called, lambda: refused.assert_called_once_with(3)):
    try:
        check()
    except AssertionError as error:
        print(error)

opened = mock_open(read_data="a\nb\nc")
with opened("f.txt", "r") as file:
    print(repr(file.read()))
with opened("g") as file:
    print(list(file))
print(opened("h").readline(), opened("h").readlines(), mock_open(read_data=b"xy")("b", "rb").read(1))
opened.assert_called_with("h")

READABLE = [
    "1", "-5", "0x1F", "0b101", "1_000", "1.5", "-2.5e-3", "12345678901234567890", '"a"', "'it\\'s'",
    '"\\u00e9\\n\\x41\\101\\q"', 'r"\\n"', 'b"a\\x00\\n"', '"""x\ny"""', '"a" \'b\'', "[1, 2, [3]]", "[1,]", "()", "(1,)", "(1)",
    "1, 2", "1,", "{}", '{"a": 1, "b": [1, {"c": None}]}', '{"a": (1, -2), }', "{1}", "set()", "{True: False}", "  [1]  ",
    "[1, # one\n 2]", "...", "{\n 'k': 1\n}", "b'x' b'y'",
]
for text in READABLE:
    print(repr(text), repr(literal_eval(text)))
REFUSED = [
    "foo", "f()", "1 + 1", 'f"x"', "1 < 2", "[1", '{"a": 1', "1 2", '"abc', "'''x", "{[]: 1}", "true", "[1, null]",
    '__import__("os")', "- -2",
]
for text in REFUSED:
    try:
        print(literal_eval(text))
    except (ValueError, SyntaxError, TypeError) as error:
        print(repr(text), type(error).__name__, str(error).split(" object at")[0])
try:
    literal_eval([1])
except ValueError as error:
    print(error)

try:
    release = version("no-such-package-here")
except PackageNotFoundError as error:
    release = "unknown"
    print(error, isinstance(error, ImportError))
print(release)
