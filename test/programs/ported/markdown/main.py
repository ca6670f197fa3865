"""Markdown to HTML with re; templates; slugs; table of contents."""
import html
import re
import string
import textwrap
from collections import Counter
from itertools import takewhile, dropwhile, groupby, chain, islice, zip_longest
from typing import List, Iterator, Tuple

INLINE = [
    (re.compile(r"`([^`]+)`"), lambda m: stash(f"<code>{html.escape(m.group(1))}</code>")),
    (re.compile(r"!\[([^\]]*)\]\(([^)\s]+)(?:\s+\"([^\"]*)\")?\)"), lambda m: stash(image(*m.groups(default="")))),
    (re.compile(r"\[([^\]]+)\]\(([^)]+)\)"), r'<a href="\2">\1</a>'),
    (re.compile(r"\*\*(?P<b>.+?)\*\*"), r"<strong>\g<b></strong>"),
    (re.compile(r"(?<![\w*])\*(?!\s)(.+?)(?<!\s)\*(?![\w*])"), r"<em>\1</em>"),
    (re.compile(r"~~(.+?)~~"), r"<del>\g<1></del>"),
    (re.compile(r"  \n"), "<br>\n"),
]
_stash: List[str] = []


def stash(text: str) -> str:
    _stash.append(text)
    return f"\x00{len(_stash) - 1}\x00"


def image(alt, src, title):
    extra = f' title="{title}"' if title else ""
    return f'<img src="{src}" alt="{alt}"{extra}>'


def inline(text: str) -> str:
    text = html.escape(text, quote=False)
    for pattern, replacement in INLINE:
        text = pattern.sub(replacement, text)
    while "\x00" in text:
        text = re.sub("\x00(\\d+)\x00", lambda m: _stash[int(m[1])], text)
    return text


def slug(text: str, used: Counter) -> str:
    base = re.sub(r"[^\w\s-]", "", text.lower()).strip()
    base = re.sub(r"[\s_-]+", "-", base)
    used[base] += 1
    return base if used[base] == 1 else f"{base}-{used[base] - 1}"


class Lines:
    def __init__(self, text: str):
        self.lines = text.expandtabs(4).splitlines()
        self.at = 0

    def __bool__(self):
        return self.at < len(self.lines)

    def peek(self, ahead: int = 0):
        i = self.at + ahead
        return self.lines[i] if i < len(self.lines) else None

    def pop(self) -> str:
        line = self.lines[self.at]
        self.at += 1
        return line

    def take_while(self, keep) -> list:
        out = []
        while self and keep(self.peek()):
            out.append(self.pop())
        return out


class Converter:
    def __init__(self, *, indent="  ", toc=True):
        self.indent = indent
        self.used = Counter()
        self.headings: List[Tuple[int, str, str]] = []
        self.want_toc = toc
        self.blocks = [
            (re.compile(r"^(#{1,6})\s+(.*?)\s*#*$"), self.heading),
            (re.compile(r"^```(\w*)$"), self.code),
            (re.compile(r"^>"), self.quote),
            (re.compile(r"^\s*(?:[-*+]|\d+\.)\s+"), self.listing),
            (re.compile(r"^\|.*\|$"), self.table),
            (re.compile(r"^(?:-{3,}|\*{3,})$"), lambda m, ls: (ls.pop(), "<hr>")[1]),
        ]

    def convert(self, text: str) -> str:
        body = "\n".join(self.parse(Lines(textwrap.dedent(text).strip("\n"))))
        return (self.toc() + "\n" + body) if self.want_toc and self.headings else body

    def parse(self, lines: Lines) -> Iterator[str]:
        while lines:
            if not lines.peek().strip():
                lines.pop()
                continue
            for pattern, handler in self.blocks:
                if m := pattern.match(lines.peek()):
                    yield handler(m, lines)
                    break
            else:
                yield self.paragraph(lines)

    def starts_block(self, line):
        return any(p.match(line) for p, _ in self.blocks)

    def heading(self, m, lines):
        lines.pop()
        level, text = len(m[1]), m[2]
        key = slug(text, self.used)
        self.headings.append((level, text, key))
        return f'<h{level} id="{key}">{inline(text)}</h{level}>'

    def code(self, m, lines):
        lines.pop()
        body = lines.take_while(lambda l: l != "```")
        if lines:
            lines.pop()
        lang = f' class="lang-{m[1]}"' if m[1] else ""
        return f"<pre><code{lang}>{html.escape(chr(10).join(body))}</code></pre>"

    def quote(self, m, lines):
        inner = [re.sub(r"^>\s?", "", l) for l in lines.take_while(lambda l: l.startswith(">"))]
        body = "\n".join(self.parse(Lines("\n".join(inner))))
        return f"<blockquote>\n{textwrap.indent(body, self.indent)}\n</blockquote>"

    def listing(self, m, lines, depth=0):
        item = re.compile(r"^(\s*)([-*+]|\d+\.)\s+(.*)$")
        first = item.match(lines.peek())
        width = len(first[1])
        tag = "ol" if first[2][0].isdigit() else "ul"
        out = [f"<{tag}>"]
        while lines and (m := item.match(lines.peek())):
            if len(m[1]) < width:
                break
            if len(m[1]) > width:
                nested = self.listing(m, lines, depth + 1)
                out[-1] = out[-1].removesuffix("</li>") + "\n" + textwrap.indent(nested, self.indent * 2) + "\n" + self.indent + "</li>"
                continue
            lines.pop()
            text = m[3]
            if (t := re.match(r"\[([ xX])\]\s+(.*)", text)):
                done = t[1].lower() == "x"
                text = f"{'☑' if done else '☐'} {t[2]}"
            out.append(f"{self.indent}<li>{inline(text)}</li>")
        out.append(f"</{tag}>")
        return "\n".join(out)

    def table(self, m, lines):
        rows = [[c.strip() for c in l.strip("|").split("|")] for l in lines.take_while(lambda l: l.startswith("|"))]
        head, *body = rows
        align = [""] * len(head)
        if body and all(re.fullmatch(r":?-+:?", c) for c in body[0]):
            marks = body.pop(0)
            align = ["center" if c[0] == c[-1] == ":" else "right" if c.endswith(":") else "left" if c.startswith(":") else "" for c in marks]

        def row(cells, tag):
            made = []
            for cell, how in zip_longest(cells, align, fillvalue=""):
                style = f' align="{how}"' if how else ""
                made.append(f"<{tag}{style}>{inline(cell)}</{tag}>")
            return "<tr>" + "".join(made) + "</tr>"

        return "\n".join(["<table>", row(head, "th"), *(row(r, "td") for r in body), "</table>"])

    def paragraph(self, lines):
        got = [lines.pop()]
        got += lines.take_while(lambda l: l.strip() != "" and not self.starts_block(l))
        return "<p>" + inline("\n".join(l.lstrip() for l in got)).strip() + "</p>"

    def toc(self):
        out, level = [], 0
        for lv, text, key in self.headings:
            out.append(f"{'  ' * (lv - 1)}- [{text}](#{key})")
        return "<!--\n" + "\n".join(out) + "\n-->"


SAMPLE = """
    # Hello *World* #

    Some **bold**, *it* and `code < 1`; 2 * 3 * 4  
    a ~~gone~~ [link](http://x.y/?a=1&b=2) ![pic](a.png "T")
    ## List & more

    - one
    - [x] two
      1. nested **n**
      2. again
    - [ ] three

    > quoted
    > - in quote
    >
    > > deeper

    ```py
    if a < b: print("&")

    ```
    ***
    | Name | Qty | Price |
    |:-----|----:|:-----:|
    | Pen  | 2   | **1.50** |
    | Ink  |
    ## List & more
    last line
"""
converter = Converter()
print(converter.convert(SAMPLE))
print(converter.headings, dict(converter.used))
print(Converter(toc=False, indent="\t").convert("# A\n* x\n* y"))


def word_wrap(text, width):
    line = ""
    for word in text.split():
        if line and len(line) + len(word) + 1 > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line


print(list(word_wrap("the quick brown fox jumps over the lazy dog", 12)))
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 16, initial_indent="* ", subsequent_indent="  "))
t = string.Template("Dear $name, you owe ${amount} $$ ($missing)")
print(t.safe_substitute(name="Ann", amount=5))
try:
    t.substitute(name="x")
except KeyError as e:
    print("missing", e)
print(re.split(r"([,;])\s*", "a, b;c"), re.findall(r"(\w)(\d)?", "a1b"), re.subn(r"\d", lambda m: str(int(m[0]) * 2), "1a5"), [m.span() for m in re.finditer("a+", "aabaaa")])
m = re.search(r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?", "on 2024-05 x")
print(m.groupdict(), m.group("year", "month"), m.start("month"), m.lastgroup, m.string[m.end():], m["day"], m.groups("00"), m)
print(re.sub(r"(?m)^(\w)", lambda m: m[1].upper(), "ab\ncd"), re.compile("x", re.I).flags & re.I == re.I, re.match("a.c", "a\nc", re.S) is not None)
camel = re.compile(r"(?<=[a-z0-9])([A-Z])")
print(camel.sub(r"_\1", "someLongName2Go").lower(), "".join(w.title() if i else w for i, w in enumerate("make_camel_case".split("_"))))
print("%-10s|%5.1f|%03d|%x|%%|%r" % ("ab", 2.25, 7, 255, "q"), "{:>8}|{:^8}|{!r:<6}|{:+}".format("r", "c", "z", 3), "{0[1]}{1.real}{a[k]}".format("xy", 4, a={"k": "v"}))
trans = str.maketrans({"ä": "ae", "ß": "ss", "!": None})
print("Gräße!".translate(trans), "a-b_c".translate(str.maketrans("-_", "  ")), "Hello".swapcase(), "title case".title(), "x".center(5, "*"), "abc".zfill(5), "-5".zfill(4), "a,b,,c".split(","), "a  b".split(" "), "k=v=w".partition("="), "k=v=w".rpartition("="), "tEST".capitalize(), "abcabc".rfind("b"), "abc".isalpha(), "½".isnumeric(), "x1".isidentifier(), "\t".isspace())
