"""Pages read as they come (`html.parser`), rights of files (`stat`)."""

import os
import posixpath
import stat
import tempfile
from html.parser import HTMLParser


class Shown(HTMLParser):
    def handle_starttag(self, tag, attrs):
        print("start", tag, attrs, self.getpos(), self.get_starttag_text())

    def handle_endtag(self, tag):
        print("end", tag, self.getpos())

    def handle_data(self, data):
        print("text", repr(data))

    def handle_comment(self, data):
        print("comment", repr(data))

    def handle_decl(self, decl):
        print("declaration", decl)

    def handle_pi(self, data):
        print("instruction", data)

    def unknown_decl(self, data):
        print("section", data)

    def handle_entityref(self, name):
        print("entity", name)

    def handle_charref(self, name):
        print("number", name)


class Links(HTMLParser):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.links = []
        self.words = []

    def handle_starttag(self, tag, attrs):
        wanted = dict(attrs)
        if tag == "a" and "href" in wanted:
            self.links.append(self.base + wanted["href"])

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())


PAGES = [
    '<!DOCTYPE html><p class="a" ID=b hidden data-x=\'q"r\'>Tea &amp; &lt;milk&gt;<br/>x<!-- c -- d --></p>',
    '<script>if (a < b && c) { "</p>" }</script>rest',
    '<a href="?x=1&amp;y=2">link</a\n>',
    "a < b & c <3",
    "<?php echo 1 ?>x<![CDATA[x <b> y]]>z<!odd one>",
    "</></ 3><p><b",
    "x &eacute",
    "<input value=a/b><img src=x /><a b=1 c>",
    'é<br>\n  <i\n a="1\n2">',
    "<style>p > a {}</style><DIV CLASS=X>",
    '<p a=>x<p/ b><p a = "1" b= 2><x:y z:w="1"/>',
]
for page in PAGES:
    print("##", page)
    shown = Shown()
    shown.feed(page)
    shown.close()
apart = Shown(convert_charrefs=False)
apart.feed("a &amp; b &#65; &#x41; &nope &; end")
apart.close()

links = Links("http://site")
for chunk in ["<html><bo", 'dy><a hr', 'ef="/1">one</', "a> <a href=/2>tw&am", "p;o</a></body></html>\n"]:
    links.feed(chunk)
links.close()
print(links.links, links.words, repr(links.rawdata))

with tempfile.TemporaryDirectory() as folder:
    name = posixpath.join(folder, "x.txt")
    open(name, "w").close()
    os.chmod(name, 0o640)
    mode = os.stat(name).st_mode
    print(stat.S_ISREG(mode), stat.S_ISDIR(mode), oct(stat.S_IMODE(mode)), stat.filemode(mode), stat.S_IFMT(mode) == stat.S_IFREG)
    os.chmod(name, mode | stat.S_IXUSR | stat.S_IXGRP)
    print(stat.filemode(os.stat(name).st_mode), stat.filemode(os.stat(folder).st_mode)[0], posixpath.splitext(name)[1])
print([stat.filemode(bits) for bits in (0o104755, 0o41777, 0o106644, 0o120777)])
