"""A small expression language: tokenizer, recursive-descent parser, evaluator, pretty printer."""
import re
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Union

Token = namedtuple("Token", "kind text pos")
SPEC = [
    ("NUM", r"\d+(?:\.\d+)?"),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OP", r"\*\*|[-+*/%()=,<>!]=?"),
    ("SKIP", r"\s+"),
    ("BAD", r"."),
]
PATTERN = re.compile("|".join(f"(?P<{n}>{p})" for n, p in SPEC))


class ParseError(SyntaxError):
    pass


def tokenize(text):
    for m in PATTERN.finditer(text):
        kind = m.lastgroup
        if kind == "SKIP":
            continue
        if kind == "BAD":
            raise ParseError(f"unexpected {m.group()!r} at {m.start()}")
        yield Token(kind, m.group(), m.start())
    yield Token("END", "", len(text))


@dataclass
class Num:
    value: float


@dataclass
class Var:
    name: str


@dataclass
class Bin:
    op: str
    left: object
    right: object


@dataclass
class Call:
    fn: str
    args: list = field(default_factory=list)


Node = Union[Num, Var, Bin, Call]
PRECEDENCE = {"+": (1, "L"), "-": (1, "L"), "*": (2, "L"), "/": (2, "L"), "%": (2, "L"), "**": (3, "R"), "<": (0, "L"), ">": (0, "L")}


class Parser:
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0

    @property
    def tok(self):
        return self.tokens[self.i]

    def next(self):
        t = self.tok
        self.i += 1
        return t

    def expect(self, text):
        if self.tok.text != text:
            raise ParseError(f"expected {text!r}, got {self.tok.text!r} at {self.tok.pos}")
        return self.next()

    def parse(self):
        tree = self.expr(0)
        if self.tok.kind != "END":
            raise ParseError(f"trailing {self.tok.text!r}")
        return tree

    def expr(self, level):
        left = self.atom()
        while self.tok.kind == "OP" and self.tok.text in PRECEDENCE:
            prec, assoc = PRECEDENCE[self.tok.text]
            if prec < level:
                break
            op = self.next().text
            right = self.expr(prec + 1 if assoc == "L" else prec)
            left = Bin(op, left, right)
        return left

    def atom(self):
        t = self.next()
        if t.kind == "NUM":
            return Num(float(t.text))
        if t.kind == "NAME":
            if self.tok.text == "(":
                self.next()
                args = []
                while self.tok.text != ")":
                    args.append(self.expr(0))
                    if self.tok.text == ",":
                        self.next()
                self.expect(")")
                return Call(t.text, args)
            return Var(t.text)
        if t.text == "(":
            tree = self.expr(0)
            self.expect(")")
            return tree
        if t.text == "-":
            return Bin("-", Num(0.0), self.expr(2))
        raise ParseError(f"unexpected {t.text or 'end'!r}")


OPS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": lambda a, b: a % b,
    "**": pow,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
FUNCS = {"max": max, "min": min, "abs": abs, "sum": lambda *a: sum(a)}


def evaluate(tree, env):
    match tree:
        case Num(v):
            return v
        case Var(name):
            if name not in env:
                raise NameError(f"unknown variable {name}")
            return env[name]
        case Bin(op, l, r):
            return OPS[op](evaluate(l, env), evaluate(r, env))
        case Call(fn, args):
            return FUNCS[fn](*(evaluate(a, env) for a in args))


def show(tree):
    match tree:
        case Num(value=v) if v == int(v):
            return str(int(v))
        case Num(v):
            return f"{v:g}"
        case Var(n):
            return n
        case Bin(op, l, r):
            return f"({show(l)} {op} {show(r)})"
        case Call(f, a):
            return f"{f}({', '.join(map(show, a))})"


for text in ["1 + 2 * 3", "2 ** 3 ** 2", "(1 + x) * -y", "max(1, x, 3.5) / 2", "10 % 4 - 7 < 0", "sum(1,2,3)"]:
    parsed = Parser(text).parse()
    print(f"{text:<22} {show(parsed):<30} {evaluate(parsed, {'x': 4.0, 'y': 2.5}):g}")
for bad in ["1 +", "2 $ 3", "(1", "f(1) 2", "z"]:
    try:
        print(evaluate(Parser(bad).parse(), {}))
    except (ParseError, NameError, KeyError) as e:
        print(f"{bad!r}: {type(e).__name__}: {e}")
print(list(tokenize("a=1"))[1], Token._fields, Parser("1+a").parse())
