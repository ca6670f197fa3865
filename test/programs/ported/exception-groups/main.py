import traceback
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class MyStr(str):
    def __repr__(self):
        return "S:" + str.__repr__(self)
    def upper(self):
        return MyStr(str.upper(self))
print(repr(MyStr("a")), MyStr("b").upper(), [MyStr("x")], f"{MyStr('q')}", "%s" % MyStr("z"), str(MyStr("y")))
eg = ExceptionGroup("top", [ValueError("v"), ExceptionGroup("in", [TypeError("t"), KeyError("k")]), OSError(5, "os")])
t(lambda: ExceptionGroup("x", [KeyboardInterrupt()]))
print(isinstance(eg, Exception), isinstance(eg, BaseExceptionGroup))
class MyEG(ExceptionGroup):
    def derive(self, excs):
        return MyEG(self.message, excs)
class Plain(ExceptionGroup):
    pass
g = MyEG("mine", [ValueError(1), TypeError(2)])
g.add_note("a note")
print(repr(g.subgroup(ValueError)), g.subgroup(ValueError).__notes__, type(g.split(TypeError)[1]).__name__, type(Plain("p", [ValueError(1), KeyError(2)]).subgroup(KeyError)).__name__)
try:
    raise eg
except ExceptionGroup as e:
    print("".join(traceback.format_exception_only(e)), end="")
print("".join(traceback.format_exception_only(ValueError("a"))), end="")
def f(n):
    raise ValueError(n)
def raised():
    errs = []
    for i in range(2):
        try:
            f(i)
        except ValueError as e:
            errs.append(e)
    raise ExceptionGroup("many", errs)
try:
    raised()
except ExceptionGroup as e:
    text = "".join(traceback.format_exception(e))
    for l in text.split("\n"):
        if "File" in l or "f(i)" in l or "raised()" in l or "raise" in l or "^^^" in l:
            continue
        print(l)
try:
    try:
        raised()
    except ExceptionGroup as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    text = "".join(traceback.format_exception(e))
    for l in text.split("\n"):
        if "File" in l or "f(i)" in l or "raised()" in l or "raise" in l or "^^^" in l:
            continue
        print(l)
import re
s = re.Scanner([(r"[0-9]+", lambda s, tok: ("INT", int(tok))), (r"[a-z_]+", lambda s, tok: ("ID", tok)), (r"[,.]+", lambda s, tok: ("PUNCT", tok)), (r"\s+", None)])
print(s.scan("45 pigeons, 23 cows."), s.scan("45 ?x"), str(re.A), str(re.I), repr(re.I | re.M))
