class AppError(Exception):
    pass


class CodedError(AppError):
    def __init__(self, code, message="bad"):
        super().__init__(message)
        self.code = code


class Described(Exception):
    def __str__(self):
        return "described"


def fails():
    raise ValueError("inner")


def f(a, b=2, *, c=3):
    return (a, b, c)


def g(a, /, b):
    return (a, b)


def h():
    return 1


echo = lambda x: x


class Plain:
    def __init__(self, x):
        self.x = x

    def m(self, y):
        return y


str(ValueError()), str(ValueError("a")), str(ValueError("a", 1)), str(KeyError("k")), str(KeyError("a", "b")), str(KeyError()), repr(ValueError()), repr(ValueError("a")), repr(ValueError("a", 1)), repr(KeyError("k")), ValueError("a", 1).args, Exception().args, str(Exception(None)), str(Exception([1])), repr(CodedError(5)), str(CodedError(5)), CodedError(5).args, CodedError(5, "m").code, str(Described()), repr(Described("x")), str(AppError("x"))
OSError(2, "No such file").errno, OSError(2, "No such file", "f").filename, str(OSError(2, "No such file")), str(OSError(2, "No such file", "f.txt")), repr(OSError(2, "x")), type(OSError(2, "x")).__name__, str(FileNotFoundError(2, "msg", "n")), str(OSError("one")), OSError("one").errno, type(OSError(13, "x")).__name__
StopIteration(5).value, SystemExit(3).code, str(SystemExit(3)), SystemExit().code, str(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "why")), str(UnicodeEncodeError("ascii", "é", 0, 1, "why")), ImportError("x", name="m").name, AttributeError("x", name="n", obj=1).name, NameError("x", name="q").name
[c.__name__ for c in ZeroDivisionError.__mro__], [c.__name__ for c in FileNotFoundError.__mro__], [c.__name__ for c in KeyError.__mro__], [c.__name__ for c in ModuleNotFoundError.__mro__], [c.__name__ for c in RecursionError.__mro__], [c.__name__ for c in BrokenPipeError.__mro__], [c.__name__ for c in UnicodeDecodeError.__mro__], [c.__name__ for c in DeprecationWarning.__mro__], [c.__name__ for c in KeyboardInterrupt.__mro__], [c.__name__ for c in UnboundLocalError.__mro__], [c.__name__ for c in TimeoutError.__mro__]
issubclass(IOError, OSError), IOError is OSError, EnvironmentError is OSError, ValueError.__name__, ValueError.__module__, isinstance(ValueError(), Exception), issubclass(GeneratorExit, Exception), issubclass(StopAsyncIteration, Exception), issubclass(ExceptionGroup, Exception), issubclass(BaseExceptionGroup, BaseException)
f()
f(1, 2, 3)
f(1, c=5, d=6)
f(1, a=2)
f(b=1)
g(a=1, b=2)
g(1)
g(1, 2, 3)
h(1)
h(x=1)
f(*[1, 2], **{"c": 9})
f(**{"a": 1, "z": 2})
f(*5)  # language: !TypeError: 'int' object is not iterable
f(**5)  # language: !TypeError: 'int' object is not a mapping
Plain()
Plain(1, 2)
Plain(1).m()
Plain(1).m(1, 2)
Plain(1).nope
Plain(1).m.nope  # language: !AttributeError: 'method' object has no attribute 'nope'
Plain.nope
echo()
echo(1, 2)
len()
len(1, 2)
len([1], x=2)
int("a", 99)
print(end=5)
undefined_name
[].append()
"a".join()
"a".upper(1)
{}.get()
{}.update(5)
range()
range(1, 2, 3, 4)
isinstance(1)
getattr(5, "nope")
getattr(5, "nope", "d"), hasattr(5, "real"), hasattr(Plain(1), "x"), hasattr(Plain(1), "z")
setattr(5, "x", 1)
delattr(Plain(1), "zz")
fails()
ExceptionGroup("many", [ValueError("a"), TypeError("b")])
str(ExceptionGroup("many", [ValueError("a"), TypeError("b")])), ExceptionGroup("g", [ValueError(1)]).exceptions, ExceptionGroup("g", [ValueError(1)]).message
ExceptionGroup("g", [])


def case_raise_from():
    try:
        try:
            fails()
        except ValueError as e:
            raise AppError("outer") from e
    except AppError as e2:
        return [repr(e2.__cause__), repr(e2.__context__), e2.__suppress_context__]


def case_raise_context():
    try:
        try:
            fails()
        except ValueError:
            raise AppError("outer")
    except AppError as e2:
        return [e2.__cause__, repr(e2.__context__), e2.__suppress_context__]


def case_raise_from_none():
    try:
        try:
            fails()
        except ValueError:
            raise AppError("outer") from None
    except AppError as e2:
        return [e2.__cause__, repr(e2.__context__), e2.__suppress_context__]


def case_bare_raise():
    try:
        try:
            fails()
        except ValueError:
            raise
    except Exception as e2:
        return repr(e2)


def case_bare_raise_outside():
    raise


def case_raise_class():
    raise AppError


def case_raise_other():
    raise 5


def case_raise_string():
    raise "text"


def case_raise_from_other():
    raise ValueError("x") from 5


def case_finally_order():
    log = []

    def run(how):
        try:
            log.append("try")
            if how == "raise":
                raise KeyError("k")
            if how == "return":
                return "r"
        except KeyError as e:
            log.append(repr(e))
        else:
            log.append("else")
        finally:
            log.append("finally")
        return "end"

    return [run("raise"), run("return"), run("plain"), log]


def case_finally_return_wins():
    def run():
        try:
            return 1
        finally:
            return 2

    return run()


def case_except_tuple():
    try:
        fails()
    except (KeyError, ValueError) as e:
        return type(e).__name__


def case_except_base():
    out = []
    for make in (lambda: [][1], lambda: {}["a"], lambda: 1 / 0, lambda: int("x"), lambda: None.x):
        try:
            make()
        except LookupError as e:
            out.append("lookup " + type(e).__name__)
        except ArithmeticError as e:
            out.append("arith " + type(e).__name__)
        except Exception as e:
            out.append("other " + type(e).__name__)
    return out


def case_assert():
    assert 1 == 2, "numbers differ"


def case_assert_plain():
    assert []


def case_assert_tuple_message():
    assert False, ("a", 1)


def case_notes():
    e = ValueError("x")
    e.add_note("first")
    e.add_note("second")
    return e.__notes__


def case_with_traceback():
    e = ValueError("x")
    return e.with_traceback(None) is e


def case_exit_suppresses():
    class Manager:
        def __enter__(self):
            return "value"

        def __exit__(self, kind, error, trace):
            return kind is ValueError

    with Manager() as m:
        fails()
    return m


def case_exit_arguments():
    seen = []

    class Manager:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            seen.append((kind, repr(error)))

    with Manager():
        pass
    try:
        with Manager():
            fails()
    except ValueError:
        pass
    return seen


def case_with_order():
    log = []

    class M:
        def __init__(self, n):
            self.n = n

        def __enter__(self):
            log.append(f"+{self.n}")
            return self.n

        def __exit__(self, *a):
            log.append(f"-{self.n}")

    with M(1) as a, M(2) as b:
        log.append(a + b)
    return log


def case_not_a_manager():
    with 5:
        pass


def case_not_iterable():
    for x in 5:
        pass


def case_not_iterable_none():
    for x in None:
        pass


def case_recursion():
    def r(n):
        return r(n + 1)

    try:
        r(0)
    except RecursionError as e:
        return [type(e).__name__, isinstance(e, RuntimeError)]


def case_unbound():
    def u():
        print(zzz)
        zzz = 1

    try:
        u()
    except NameError as e:
        return isinstance(e, NameError)


def case_stop_in_generator():
    def gen():
        yield 1
        raise StopIteration

    return list(gen())


def case_loop_else():
    out = []
    for x in [1, 2]:
        if x == 5:
            break
    else:
        out.append("no break")
    for x in [1, 2]:
        if x == 2:
            break
    else:
        out.append("never")
    n = 0
    while n < 2:
        n += 1
    else:
        out.append("while")
    return out


def case_custom_hierarchy():
    class A(Exception):
        pass

    class B(A, ValueError):
        pass

    try:
        raise B("both", 1)
    except ValueError as e:
        return [e.args, isinstance(e, A), [c.__name__ for c in B.__mro__], str(e)]


def case_exception_attributes():
    e = AppError("m")
    e.extra = 5
    return [e.extra, e.__class__.__name__, vars(e)]


def case_exception_no_super():
    class E(Exception):
        def __init__(self, a, b):
            self.a = a

    e = E(1, 2)
    return [e.args, str(e), e.a]


def case_exception_equality():
    return [ValueError("a") == ValueError("a"), hash(ValueError) == hash(ValueError)]


def case_keys_that_change_while_a_dict_is_gone_through():
    d = {"a": 1, "b": 2}
    seen = []
    for k in d:
        seen.append(k)
        d[k + "!"] = d.pop(k)
    return seen


def case_keys_that_come_back_while_a_dict_is_gone_through():
    d = {1: 1}
    for _ in d.items():
        del d[1]
        d[1] = 1


def case_more_items_than_there_is_room_for():
    [1, 2] * (2**60)


def case_more_text_than_there_is_room_for():
    "ab" * (2**60)


def case_items_that_cannot_be_deleted():
    said = []
    for value in [(1, 2), "ab", 5, None, range(3), {1}, b"a"]:
        for key in [0, "k"]:
            try:
                del value[key]
            except TypeError as e:
                said.append(str(e))
    return said


def case_half_a_context_manager():
    class Half:
        def __enter__(self):
            return self

    with Half():
        pass


def case_no_context_manager():
    with 5:
        pass


def case_names_of_attributes_that_are_no_text():
    said = []
    for use in [lambda: getattr(1, 5), lambda: hasattr("a", None), lambda: setattr(said, 1, 2)]:
        try:
            use()
        except TypeError as e:
            said.append(str(e))
    return said


def case_room_for_more_bytes_than_there_is():
    bytes(10**15)


def case_room_for_more_text_than_there_is():
    "x".rjust(10**13)


def case_room_for_wider_text_than_there_is():
    "%1000000000000d" % 5


def attribute_named(x, name):
    return getattr(x, name)


def case_names_of_attributes_are_texts():
    tries = []
    for act in [lambda: attribute_named([], 0), lambda: getattr(5, None), lambda: hasattr([], b"x"), lambda: setattr(ValueError(), 1, 2), lambda: delattr(ValueError(), 3), lambda: getattr([], 5, None)]:
        try:
            tries.append(act())
        except TypeError as e:
            tries.append(str(e))
    return tries


iter(1, 2)
iter([], 2)
bytes(2**70)
bytearray(-(2**70))
b"abc".hex("ab")
b"abc".hex("")
b"abc".upper(1)
range(5).index("a")
range(5).index(7)
range(5).index(1.5)
chr(2**40)
chr(-1)
"abc".find("a", "x")
"abc".startswith("a", "x")
"abc".count("a", None, 1.5)
b"Ab C".istitle(), b"Ab c".istitle(), b"".istitle(), bytearray(b"A").istitle(), b"\xe9a".istitle(), b"A\xe9B".istitle()


def case_what_could_not_be_decoded_or_encoded():
    tries = []
    for act in [lambda: b"a\xffb".decode(), lambda: "a\u00e9".encode("ascii"), lambda: b"ab\xe2\x82".decode("utf-8")]:
        try:
            act()
        except UnicodeError as e:
            tries.append((e.encoding, e.object, e.start, e.end, e.reason))
    return tries


def case_files_of_system_errors_are_no_arguments():
    shown = []
    for e in [OSError(2, "No such file", "f.txt"), OSError(17, "there", "a", None, "b"), OSError(1), OSError("x", 2, 3, 4, 5, 6)]:
        shown.append((type(e).__name__, e.args, str(e), repr(e), e.errno, e.strerror, e.filename, e.filename2))
    return shown


def case_imports_that_fail_name_the_module():
    try:
        import no_such_module
    except ImportError as e:
        return (type(e).__name__, str(e), e.name)
