import unicodedata
import html.entities
import html
from html.entities import name2codepoint, codepoint2name


def tried(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


def main():
    tried(lambda: name2codepoint["amp"])
    tried(lambda: codepoint2name[233])
    tried(lambda: html.entities.html5["gt;"])
    tried(lambda: html.entities.entitydefs["copy"])
    print(len(name2codepoint), len(codepoint2name), sorted(name2codepoint)[:5])
    for c in "aé€\u4e2d\uac00\ud7a3\u0301😀ß½\u200b٣":
        print(repr(c), unicodedata.name(c), unicodedata.bidirectional(c), unicodedata.combining(c), unicodedata.decomposition(c), unicodedata.category(c), unicodedata.mirrored(c))
        print(unicodedata.lookup(unicodedata.name(c)) == c)
    tried(lambda: unicodedata.name("\n"))
    tried(lambda: unicodedata.name("\n", "none"))
    tried(lambda: unicodedata.lookup("NOPE"))
    tried(lambda: unicodedata.lookup("greek small letter alpha"))
    tried(lambda: [unicodedata.bidirectional(c) for c in "a1 א.\n"])
    print(unicodedata.mirrored("("), unicodedata.decomposition("ﬁ"), unicodedata.decomposition("²"))
    print("".join(c for c in unicodedata.normalize("NFD", "Crème brûlée") if not unicodedata.combining(c)))
    total = 0
    for code in range(0, 0x30000, 7):
        total += len(unicodedata.name(chr(code), "")) + unicodedata.combining(chr(code)) + len(unicodedata.bidirectional(chr(code)))
    print(total)
    try:
        unicodedata.name("ab")
    except TypeError as e:
        print(e)


main()
