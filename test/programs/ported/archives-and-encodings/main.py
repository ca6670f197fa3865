import zipfile, io, os, codecs, shutil
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
shutil.rmtree("zt", ignore_errors=True)
os.makedirs("zt")
with open("zt/a.txt", "w") as f:
    f.write("hello\n" * 20)
with zipfile.ZipFile("zt/x.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.write("zt/a.txt", "docs/a.txt")
    z.writestr("b.txt", "text é")
    z.writestr("c.bin", b"\x00\x01", compress_type=zipfile.ZIP_STORED)
    z.mkdir("empty") if hasattr(z, "mkdir") else None
    with z.open("d.txt", "w") as h:
        h.write(b"written")
    print(z.namelist(), z.mode, z.filename)
print(zipfile.is_zipfile("zt/x.zip"), zipfile.is_zipfile("zt/a.txt"), zipfile.is_zipfile("zt/none"))
with zipfile.ZipFile("zt/x.zip") as z:
    print(z.namelist(), z.read("docs/a.txt")[:6], z.read("b.txt").decode(), z.testzip())
    for i in z.infolist():
        print(i.filename, i.file_size, i.compress_size <= i.file_size + 4, i.is_dir(), i.compress_type)
    print(z.getinfo("c.bin").CRC, z.getinfo("b.txt").file_size)
    with z.open("docs/a.txt") as f:
        print(f.readline(), f.read(3))
    z.extractall("zt/out")
    print(z.extract("b.txt", "zt/one") == os.path.join("zt", "one", "b.txt"))
    t(lambda: z.read("nope"))
    t(lambda: z.writestr("q", "q"))
    info = z.getinfo("c.bin")
    print(info.date_time[0] > 2000, info.compress_type == zipfile.ZIP_STORED)
print(sorted(os.listdir("zt/out")), open("zt/out/docs/a.txt").read()[:6])
t(lambda: zipfile.ZipFile("zt/a.txt"))
t(lambda: zipfile.ZipFile("zt/none.zip"))
t(lambda: zipfile.ZipFile("zt/x.zip", "q"))
with zipfile.ZipFile("zt/x.zip", "a") as z:
    z.writestr("later.txt", "more")
    z.comment = b"note"
z = zipfile.ZipFile("zt/x.zip")
print(z.namelist()[-1], z.comment, z)
z.close()
t(lambda: z.read("b.txt"))
buf = io.BytesIO()
with zipfile.ZipFile(buf, "w") as z:
    info = zipfile.ZipInfo("fixed.txt", (2020, 1, 2, 3, 4, 6))
    z.writestr(info, "fixed")
    print(info)
    z.printdir()
buf.seek(0)
with zipfile.ZipFile(buf) as z:
    print(z.read("fixed.txt"), z.infolist()[0].date_time, z.infolist())
print(len(buf.getvalue()) > 0)
print(zipfile.ZipInfo.from_file("zt/a.txt", "n.txt").filename)
shutil.rmtree("zt")
print(codecs.lookup("utf8").name, codecs.lookup("latin-1").name, codecs.lookup("UTF-16").name, codecs.lookup("ascii").name)
t(lambda: codecs.lookup("zz"))
print(codecs.encode("hello", "rot13"), codecs.decode("uryyb", "rot_13"), codecs.encode(b"hi", "hex"), codecs.decode(b"6869", "hex"), codecs.encode(b"hi", "base64"), codecs.encode("é", "utf-8"), codecs.decode(b"\xc3\xa9"))
print(codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE)
print(codecs.getencoder("utf-8")("é"), codecs.getdecoder("latin-1")(b"\xe9"))
d = codecs.getincrementaldecoder("utf-8")()
print([d.decode(bytes([b])) for b in "é€x".encode()], d.decode(b"", True))
with codecs.open("ct.txt", "w", encoding="utf-16") as f:
    f.write("hé\n")
with codecs.open("ct.txt", encoding="utf-16") as f:
    print(repr(f.read()))
os.remove("ct.txt")
r = codecs.getreader("utf-8")(io.BytesIO("é\nb".encode()))
print(r.read())
w = io.BytesIO()
codecs.getwriter("utf-8")(w).write("ü")
print(w.getvalue(), list(codecs.iterdecode([b"\xc3", b"\xa9x"], "utf-8")))
print(codecs.decode("a\\n\\u00e9", "unicode_escape"))
s = "a\n\té\u20ac\U0001f600\\x\x7f"
print(s.encode("unicode_escape"), s.encode("raw_unicode_escape"), s.encode("unicode-escape").decode("ascii"))
print(b"a\\n\\t\\xe9\\u20ac\\U0001F600\\\\\\101".decode("unicode_escape"))
print("caf\\u00e9 \\x41".encode("latin-1").decode("unicode_escape"), b"\\u20ac\\n".decode("raw_unicode_escape"))
t(lambda: b"\\x4".decode("unicode_escape"))
t(lambda: b"ab\\u12".decode("unicode_escape"))
t(lambda: b"\\".decode("unicode_escape"))
print("привет".encode("koi8-r"), "привет".encode("cp1251").decode("cp1251"), "привет".encode("windows-1251"))
print("你好".encode("gbk"), b"\xc4\xe3\xba\xc3".decode("gbk"), "こんにちは".encode("shift_jis").decode("shift_jis"), "こ".encode("euc_jp"))
print("€".encode("iso-8859-15"), "ł".encode("iso8859_2"), "ł".encode("cp1250"))
t(lambda: "日".encode("cp1251"))
t(lambda: "日a".encode("cp1252"))
t(lambda: "x".encode("nope"))
t(lambda: "é".encode("ascii"))
print("é日".encode("cp1252", "replace"), "é日".encode("cp1252", "xmlcharrefreplace"), "日".encode("ascii", "backslashreplace"), "日".encode("ascii", "ignore"))
