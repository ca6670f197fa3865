import gettext
import os
import shutil
import struct
import sys
import json


def mo(entries):
    ids = sorted(entries)
    n = len(ids)
    keys = [k.encode() for k in ids]
    vals = [entries[k].encode() for k in ids]
    at = 28 + n * 16
    table = b""
    data = b""
    for group in (keys, vals):
        for item in group:
            table += struct.pack("<II", len(item), at + len(data))
            data += item + b"\x00"
    return struct.pack("<7I", 0x950412DE, 0, n, 28, 28 + n * 8, 0, 0) + table + data


head = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);\n"
os.makedirs("loc/cs/LC_MESSAGES", exist_ok=True)
texts = {"": head, "Hello": "Ahoj", "%d file\x00%d files": "%d soubor\x00%d soubory\x00%d souborů", "menu\x04Open": "Otevřít"}
with open("loc/cs/LC_MESSAGES/app.mo", "wb") as f:
    f.write(mo(texts))
t = gettext.translation("app", "loc", languages=["cs_CZ"])
_ = t.gettext
print(_("Hello"), _("Unknown"), [t.ngettext("%d file", "%d files", n) % n for n in (1, 3, 9)], t.pgettext("menu", "Open"), t.pgettext("x", "Open"))
print(t.charset(), sorted(t.info()), gettext.find("app", "loc", ["cs"]), gettext.find("app", "loc", ["de"]))
try:
    gettext.translation("app", "loc", languages=["de"])
except FileNotFoundError as e:
    print(e)
n = gettext.translation("app", "loc", languages=["de"], fallback=True)
print(type(n).__name__, n.gettext("Hello"), n.ngettext("a", "b", 2), gettext.gettext("x"), gettext.ngettext("a", "b", 1), gettext.textdomain())
gettext.bindtextdomain("app", "loc")
gettext.textdomain("app")
os.environ["LANGUAGE"] = "cs"
print(gettext.gettext("Hello"), gettext.dgettext("app", "Hello"))
shutil.rmtree("loc")
print("os" in sys.modules, "json" in sys.modules, "nope" in sys.modules, sys.modules["json"] is json, json.dumps(1))
