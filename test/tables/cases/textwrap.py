import textwrap

LONG = "The quick brown fox jumped over the lazy dog, then ran-away from the big-bad-wolf who was hyphen-ated."
PARAGRAPH = "   Some   text\twith\n  odd   spaces.\n\nAnd a second paragraph, a little longer than the first one."

textwrap.wrap(LONG, 20)
textwrap.wrap(LONG, width=1)
textwrap.fill(LONG, 30)
textwrap.fill(LONG, 30, initial_indent="* ", subsequent_indent="  ")
textwrap.wrap(LONG, 25, break_on_hyphens=False)
textwrap.wrap("averyveryverylongwordthatdoesnotfit in here", 10)
textwrap.wrap("averyveryverylongwordthatdoesnotfit in here", 10, break_long_words=False)
textwrap.wrap(PARAGRAPH, 18)
textwrap.wrap(PARAGRAPH, 18, replace_whitespace=False)
textwrap.wrap(PARAGRAPH, 18, expand_tabs=False)
textwrap.wrap(PARAGRAPH, 18, drop_whitespace=False)
textwrap.wrap(PARAGRAPH, 18, tabsize=4)
textwrap.wrap(LONG, 30, max_lines=2)
textwrap.wrap(LONG, 30, max_lines=2, placeholder="…")
textwrap.wrap(LONG, 0)
textwrap.wrap("", 10)
textwrap.wrap("a b", 10, max_lines=1, placeholder="xxxxxxxxxxxxxxxx")
textwrap.shorten("Hello  world!", width=12)
textwrap.shorten("Hello  world!", width=11)
textwrap.shorten("Hello world", width=10, placeholder="...")
textwrap.shorten(LONG, width=40)
textwrap.dedent("    a\n      b\n    c\n")
textwrap.dedent("  a\n\tb\n")
textwrap.dedent("\n   \n  x\n   y")
textwrap.dedent("\ta\n\t b")
textwrap.indent("a\n\nb\n", "> ")
textwrap.indent("a\n\nb\n", "> ", lambda line: True)
textwrap.indent("a\n \nb", "--")
textwrap.fill("One sentence.  Two sentence. Three (b?).  Four.", 80, fix_sentence_endings=True)
textwrap.wrap("e-mail and --option-name or -x and foo--bar baz", 8)
textwrap.wrap("wörter mit ümläuten und-bindestrichen sind schön", 12)


def case_wrapper_object():
    w = textwrap.TextWrapper(width=15, initial_indent="# ")
    first = w.wrap(LONG)
    w.width = 30
    w.subsequent_indent = ".."
    return [first, w.fill(LONG)]
