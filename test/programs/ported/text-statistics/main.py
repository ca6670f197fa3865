"""Text statistics: word counts, n-grams, a histogram, a Caesar cipher and a Markov chain."""
import string
import textwrap
from collections import Counter, defaultdict, deque
from itertools import groupby, islice, zip_longest
import statistics

TEXT = """The quick brown fox jumps over the lazy dog. The dog sleeps; the fox doesn't.
A fox is a fox, and a dog is a dog -- but which fox is quick? Nobody knows!
"""


def words(text):
    table = str.maketrans("", "", string.punctuation.replace("'", ""))
    return [w for w in text.lower().translate(table).split() if w]


def ngrams(seq, n):
    window = deque(maxlen=n)
    for x in seq:
        window.append(x)
        if len(window) == n:
            yield tuple(window)


def histogram(counter, width=20):
    top = max(counter.values())
    for key, n in sorted(counter.items(), key=lambda kv: (-kv[1], kv[0])):
        bar = "#" * round(n / top * width)
        yield f"{key:>8} | {bar:<{width}} {n:>3} {n / sum(counter.values()):6.1%}"


def caesar(text, shift):
    def rot(c, base):
        return chr((ord(c) - ord(base) + shift) % 26 + ord(base))

    return "".join(rot(c, "a") if c.islower() else rot(c, "A") if c.isupper() else c for c in text)


ws = words(TEXT)
counts = Counter(ws)
print(len(ws), len(counts), counts.most_common(3))
print(*islice(histogram(Counter({k: v for k, v in counts.items() if v > 1})), 5), sep="\n")
bi = Counter(ngrams(ws, 2))
print(bi.most_common(2), sum(1 for _ in ngrams(ws, 3)))
lengths = [len(w) for w in ws]
print(f"mean={statistics.mean(lengths):.3f} median={statistics.median(lengths)} mode={statistics.mode(lengths)} stdev={statistics.pstdev(lengths):.3f}")
by_len = {k: sorted(set(g)) for k, g in groupby(sorted(ws, key=len), key=len)}
print(by_len)
secret = caesar("Hello, World!", 3)
print(secret, caesar(secret, -3))
chain = defaultdict(Counter)
for a, b in zip(ws, ws[1:]):
    chain[a][b] += 1
print({k: dict(v) for k, v in sorted(chain.items()) if len(v) > 1})
print(textwrap.fill(" ".join(ws), 30, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(TEXT, 40, placeholder="..."))
sentences = [s.strip() for s in TEXT.replace("!", ".").replace("?", ".").replace("\n", " ").split(".") if s.strip()]
for i, s in enumerate(sentences, 1):
    print(f"{i}. {s[:20]!r:<24} {len(s.split()):>2} words, {sum(map(len, s.split())) / len(s.split()):.2f} avg")
print({c: TEXT.lower().count(c) for c in "aeiou"}, TEXT.title().splitlines()[0][:22], TEXT.swapcase()[:9])
print([w for w in counts if w == w[::-1]], max(ws, key=len), sorted(counts, key=lambda w: (-counts[w], w))[:4])
print(list(zip_longest("abc", "de", fillvalue="-")), "a,b,,c".split(","), "  x y ".split(), "k=v=w".partition("="), "a-b-c".rsplit("-", 1))
vowels = sum(c in "aeiou" for c in TEXT)
print(f"{vowels / len(TEXT):.4f}", f"{vowels:05d}", f"{vowels:+}", f"{vowels:x}", f"{12345.678:,.1f}", f"{'mid':*^9}", f"{0.5:%}", f"{1e10:g}", f"{3.0}", f"{3.0:g}")
print("%s has %d items costing %.2f (%5.1f%%) %-5s| %05d %x %r" % ("cart", 3, 9.5, 12.345, "ab", 42, 255, "q"))
print("{0!r} {1:>5} {name} {2[0]} {d[k]}".format("a", 1, [9], name="n", d={"k": "v"}))
print("\t".join(map(str, range(3))).expandtabs(4), "abc".center(9, "."), "x".zfill(3), "-7".zfill(4), repr("tab\t'q'"))
