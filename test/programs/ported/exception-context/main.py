def a():
    try:
        1 / 0
    except ZeroDivisionError as e:
        {}["k"]
def show(e):
    return f"{type(e).__name__} ctx={type(e.__context__).__name__} cause={type(e.__cause__).__name__} sup={e.__suppress_context__}"
try: a()
except KeyError as e: print(show(e), e.__context__)
def b():
    try:
        int("x")
    except ValueError as e:
        raise RuntimeError("bad") from e
try: b()
except RuntimeError as e: print(show(e))
def c():
    try:
        [][1]
    except IndexError:
        raise TypeError("t") from None
try: c()
except TypeError as e: print(show(e))
def d():
    try:
        raise ValueError("v")
    finally:
        [].pop()
try: d()
except IndexError as e: print(show(e))
def e1():
    try:
        None.foo
    except AttributeError:
        int("q")
try: e1()
except ValueError as e: print(show(e))
def f():
    try:
        raise KeyError("a")
    except KeyError:
        helper()
def helper():
    return {}["deep"]
try: f()
except KeyError as e: print(show(e), e.__context__)
def g():
    try:
        raise KeyError("a")
    except KeyError:
        try:
            raise ValueError("b")
        except ValueError:
            [1][5]
try: g()
except IndexError as e: print(show(e), show(e.__context__), e.__context__.__context__.__context__)
def h():
    try:
        raise KeyError("a")
    except KeyError:
        pass
    [].pop()
try: h()
except IndexError as e: print(show(e))
def i():
    try:
        raise KeyError("a")
    except KeyError as e:
        try:
            raise e
        except KeyError as e2:
            print(show(e2), e is e2)
i()
class Ctx:
    def __enter__(self): return self
    def __exit__(self, *a):
        raise RuntimeError("exit")
try:
    with Ctx():
        1/0
except RuntimeError as e: print(show(e))
def gen():
    try:
        yield 1
    except ValueError:
        raise KeyError("from gen")
try:
    it = gen(); next(it); it.throw(ValueError("x"))
except KeyError as e: print(show(e))
e = ValueError("q")
print(e.__context__, e.__cause__, e.__suppress_context__)
e.__cause__ = KeyError("c")
print(e.__cause__, e.__suppress_context__)
class MyErr(Exception):
    pass
try:
    try:
        open("/nonexistent/file")
    except OSError as err:
        raise MyErr("wrap")
except MyErr as e:
    print(show(e), type(e.__context__).__name__)
def k():
    try:
        try:
            1/0
        except ZeroDivisionError:
            raise
    except ZeroDivisionError as e:
        print(show(e))
k()
import traceback
try:
    try:
        1/0
    except ZeroDivisionError:
        {}["z"]
except KeyError as e:
    chain = []
    x = e
    while x is not None:
        chain.append(repr(x))
        x = x.__cause__ or (None if x.__suppress_context__ else x.__context__)
    print(chain)
try:
    try:
        raise ValueError("one")
    except ValueError as first:
        try:
            raise TypeError("two") from first
        finally:
            pass
except TypeError as e:
    print(show(e), e.__cause__ is e.__context__)
def fin():
    try:
        try:
            raise ValueError("1")
        finally:
            raise TypeError("2")
    except TypeError as e:
        print(show(e))
fin()
try:
    try: raise ValueError("x")
    except ValueError: assert False, "msg"
except AssertionError as e: print(show(e))
